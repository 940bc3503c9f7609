"""How fast cards are next to each other, from bandwidth, tensor rate, cache and 8-bit units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from tools._cards import source_of
from tools._catalog import Gpu, gpus
from tools._efficiency import (
    GUIDE,
    LAMBDA,
    LLAMA_CPP,
    boost_ghz,
    coefficient,
    shader_tflops,
    table,
    tensor_16bit_tflops,
)
from tools._errors import ToolInputError, choice
from tools._llm_rates import Job, LlmRate, decode
from tools._models import find_model
from tools._result import Result, Text
from tools._sheet import find_card
from tools._units import figure

Use = Literal["inference_8bit", "inference_16bit", "training_16bit", "llm_decode"]
USES: tuple[str, ...] = ("inference_8bit", "inference_16bit", "training_16bit", "llm_decode")
MOST_ROWS = 200
# Whose time the shares are shares of. One card for all, or "A over B" and "B over A" would contradict each other.
YARDSTICK = "RTX 3090"
# What a single person at home runs: writing speed is compared on this.
WRITTEN_MODEL, WRITTEN_FORMAT, WRITTEN_TOKENS = "llama-3-8b", "Q4_K_M", 1024
_BATCHES = Text(
    "Transformers that fit in memory, software that uses each card's units; from data sheets.",
    "按显存放得下的 Transformer、软件用足各卡单元计；由数据手册推算。",
)
_WRITING = Text(
    "Writing for one user with Llama 3 8B in Q4_K_M (llama.cpp): memory bandwidth decides; a larger model must fit first.",
    "按单人生成、Llama 3 8B 的 Q4_K_M（llama.cpp）算：主要看显存带宽；模型更大时先看放不放得下。",
)
# The A100's 40 MB gave no gain over the V100 beyond its bandwidth, so training counts from there.
_L2_START_MB = {"inference_8bit": 0.0, "inference_16bit": 0.0, "training_16bit": 40.0}


@dataclass(frozen=True, slots=True)
class RelativeRow:
    """One card next to the reference."""

    gpu: str
    relative: float
    low: float
    high: float
    basis: str


@dataclass(frozen=True, kw_only=True)
class RelativePerformance(Result):
    """Cards next to a reference card, fastest first.

    Attributes:
        rows: Card, speed over that of the reference with its range, and the basis.
        reference: The card that counts as 1.
        use: What they are compared in.
    """

    rows: tuple[RelativeRow, ...]
    reference: str
    use: str


def compare(cards_asked: Sequence[str], use: str, reference: str) -> RelativePerformance:
    """Compare cards; see `relative_performance`."""
    kind = choice("use", use, USES)
    names = [cards_asked] if isinstance(cards_asked, str) else list(cards_asked)
    if not names or len(names) > MOST_ROWS:
        raise ToolInputError(
            f"`gpus` must name 1 to {MOST_ROWS} cards, got {len(names)}. Give e.g. ['RTX 4090', 'RTX 3090'].",
            f"`gpus` 应列出 1 到 {MOST_ROWS} 张显卡，收到 {len(names)} 张。例如 ['RTX 4090', 'RTX 3090']。",
        )
    base = find_card(reference, "reference").gpu
    cards = list({card.name: card for card in (find_card(name, "gpus").gpu for name in names)}.values())
    rows: list[RelativeRow] = []
    steps: list[str] = []
    writing = {card.name: writing_rate(card) for card in (base, *cards)} if kind == "llm_decode" else {}
    for card in cards:
        if kind == "llm_decode":
            row, step = _row_of_writing(writing[card.name], writing[base.name])
        else:
            relative, step = relative_of(card, base, kind)
            spread = 0.0 if card.name == base.name else coefficient("relative.error")
            row = RelativeRow(card.name, relative, relative * (1 - spread), relative * (1 + spread), "modelled")
        rows.append(row)
        steps.append(step)
    rows.sort(key=lambda row: -row.relative)
    return RelativePerformance(
        rows=tuple(rows),
        reference=base.name,
        use=kind,
        steps=tuple(steps),
        assumptions=(_WRITING if kind == "llm_decode" else _BATCHES,),
        warnings=() if kind == "llm_decode" else _warnings(cards, kind),
        sources=(
            source_of(base),
            *(source_of(card) for card in cards),
            *((LLAMA_CPP,) if kind == "llm_decode" else (GUIDE, LAMBDA)),
        ),
    )


def _row_of_writing(own: LlmRate, base: LlmRate) -> tuple[RelativeRow, str]:
    """Return a card's speed of writing over the reference's; the range takes in that of both."""
    relative, same = own.tokens_per_s / base.tokens_per_s, own.gpu == base.gpu
    low = relative if same else own.low_tokens_per_s / base.high_tokens_per_s
    high = relative if same else own.high_tokens_per_s / base.low_tokens_per_s
    step = (
        f"{own.gpu} / {base.gpu} = {figure(own.tokens_per_s)} tokens/s / {figure(base.tokens_per_s)} tokens/s"
        f" = {figure(relative)}"
    )
    return RelativeRow(own.gpu, relative, low, high, own.basis), step


@lru_cache(maxsize=4096)
def writing_rate(card: Gpu) -> LlmRate:
    """Return how fast a card writes for one user with a usual model in 4 bit, wherever that fits."""
    return decode(Job(card, (), find_model(WRITTEN_MODEL), WRITTEN_FORMAT, WRITTEN_TOKENS, 1, 1, "llama.cpp", 0.0))


def relative_of(card: Gpu, base: Gpu, use: str) -> tuple[float, str]:
    """Return the speed of a card over that of another, and the step; the other way round it is the reciprocal."""
    (own, own_terms), (other, other_terms) = _time(card, use), _time(base, use)
    return other / own, f"{card.name} / {base.name} = ({other_terms}) / ({own_terms}) = {figure(other / own)}"


def _time(card: Gpu, use: str) -> tuple[float, str]:
    """Return the time of a card over that of the yardstick, and how it is summed."""
    weights = table(f"relative.weights.{use}")
    own, yard = _features(card, use), _features(find_card(YARDSTICK).gpu, use)
    terms = [f"{figure(share)} x {figure(yard[name])} / {figure(own[name])}" for name, share in weights.items()]
    return sum(share * yard[name] / own[name] for name, share in weights.items()), " + ".join(terms)


def training_relative(card: Gpu) -> float:
    """Return the training speed of a card next to the yardstick."""
    return 1 / _time(card, "training_16bit")[0]


def _features(card: Gpu, use: str) -> dict[str, float]:
    return {
        "tensor": eight_bit_rate(card) if use == "inference_8bit" else tensor_16bit_tflops(card),
        "bandwidth": card.memory_bandwidth_gb_s * cache_gain(card, use),
        **body_features(card),
    }


def body_features(card: Gpu) -> dict[str, float]:
    """Return SM x clock and board power, with a middling value where none is known."""
    return {"sm": (card.sm_count or 40) * boost_ghz(card), "power": card.board_power_w or 100.0}


def eight_bit_rate(card: Gpu) -> float:
    """Return the 8-bit rate that counts: FP8, a share of INT8, or the 16-bit rate."""
    if card.tensor_fp8_dense_tflops:
        return card.tensor_fp8_dense_tflops
    half = tensor_16bit_tflops(card)
    return max(half, coefficient("relative.int8_share") * (card.tensor_int8_dense_tops or 0.0))


def cache_gain(card: Gpu, use: str) -> float:
    """Return how much the L2 cache adds to the bandwidth of main memory."""
    start, full = _L2_START_MB[use], coefficient("relative.l2_full_mb")
    fill = min(max((l2_cache_mb(card) - start) / (full - start), 0.0), 1.0)
    gain = coefficient("relative.l2_gain_training" if use == "training_16bit" else "relative.l2_gain_inference")
    return 1 + gain * fill


def l2_cache_mb(card: Gpu) -> float:
    """Return the L2 cache; where the data sheet is silent, the smallest of that architecture and segment."""
    if card.l2_cache_mb is not None:
        return card.l2_cache_mb
    alike = [
        other.l2_cache_mb
        for other in gpus()
        if other.l2_cache_mb and (other.architecture, other.segment) == (card.architecture, card.segment)
    ]
    return min(alike, default=0.0)


def _warnings(cards: Sequence[Gpu], use: str) -> tuple[Text, ...]:
    notes: list[Text] = []
    others = [card.name for card in cards if card.vendor != "NVIDIA"]
    if others:
        names, names_zh = ", ".join(others[:4]), "、".join(others[:4])
        notes.append(
            Text(
                f"{names}: the model was set on NVIDIA cards; other software reaches less of the data sheet.",
                f"{names_zh}：模型依据 NVIDIA 显卡得出；其他平台的软件往往达不到数据手册的比例。",
            )
        )
    bare = [
        card.name
        for card in cards
        if card.tensor_fp16_dense_tflops is None and use != "inference_8bit" and shader_tflops(card)
    ]
    if bare:
        names, names_zh = ", ".join(bare[:4]), "、".join(bare[:4])
        notes.append(
            Text(
                f"{names}: no tensor rate is known, the shader rate stands in.",
                f"{names_zh}：没有已知的张量算力，以着色器算力代替。",
            )
        )
    return tuple(notes)
