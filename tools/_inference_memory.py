"""How much memory it takes to serve a model, and what a card has room for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from tools._catalog import Model
from tools._errors import choice, count
from tools._fit import NOMINAL, fitting_gpus, largest_that_fits, no_card
from tools._formats import (
    WEIGHT_BITS,
    KvFormat,
    WeightFormat,
    read_kv_format,
    read_weight_format,
    source_of_format,
    weights_of,
)  # fmt: skip
from tools._hints import GPU_COUNT_HINT, SEQUENCES_HINT, TOKENS_HINT
from tools._kv import KvCache, cache_assumptions, kv_cache_of, kv_heads_of, kv_sources, length_warnings
from tools._models import find_model
from tools._result import Result, Text
from tools._sheet import find_card
from tools._units import figure

Split = Literal["layer", "tensor"]
GB, GIB = 1e9, 2.0**30
# CUDA context, kernels and workspaces of one process on one card; vLLM and PyTorch take 0.5 to 1.2 GB.
CONTEXT_GB = 1.0
# Activations and unusable remainders grow with what is loaded. Qwen-7B in BF16 with 2048 tokens
# takes 16.99 GB (its README): 0.5 GB above weights and KV cache, so this errs on the safe side.
SLACK_SHARE = 0.05
MOST_TOKENS, MOST_SEQUENCES, MOST_GPUS = 100_000_000, 65_536, 4096


@dataclass(frozen=True, kw_only=True)
class InferenceMemory(Result):
    """Memory to serve a model.

    Attributes:
        parameters_b: Parameters that must lie in memory, all experts of a mixture included. [1e9]
        bits_per_weight: Mean bits of one weight in this format.
        weights_gb: The weights. [GB]
        kv_cache_gb: The key-value cache of all sequences. [GB]
        kv_cache_gib: The same in units of 2^30 bytes. [GiB]
        floor_gb: Weights and cache: below this nothing runs. [GB]
        overhead_gb: Context, workspace and slack of all cards. [GB]
        total_gb: The comfortable need: floor and overhead. [GB]
        total_gib: The same in units of 2^30 bytes. [GiB]
        floor_per_gpu_gb: The floor on each card, split evenly. [GB]
        per_gpu_gb: The comfortable need on each card. [GB]
        fitting_gpus: Cards whose memory holds `per_gpu_gb`, smallest first, at most twelve.
        tight_gpus: Cards that hold the floor only.
        gpu: The card asked about, null without one; so are the fields below.
        gpu_memory_gb: Its memory. [GB]
        fits: Whether it holds `per_gpu_gb`.
        max_context_tokens: Longest context at this batch size, 0 if not even the weights fit. [tokens]
        max_batch_size: Most sequences at this context. [1]
        max_parameters_b: Largest dense model in this format beside this cache. [1e9]
    """

    model_name: str
    parameters_b: float
    weight_format: str
    bits_per_weight: float
    context_tokens: int
    batch_size: int
    kv_format: str
    gpu_count: int
    weights_gb: float
    kv_cache_gb: float
    kv_cache_gib: float
    floor_gb: float
    overhead_gb: float
    total_gb: float
    total_gib: float
    floor_per_gpu_gb: float
    per_gpu_gb: float
    fitting_gpus: tuple[str, ...]
    tight_gpus: tuple[str, ...]
    gpu: str | None = None
    gpu_memory_gb: float | None = None
    fits: bool | None = None
    max_context_tokens: int | None = None
    max_batch_size: int | None = None
    max_parameters_b: float | None = None


def inference_memory(
    *,
    model: str,
    weight_format: WeightFormat = "FP16",
    context_tokens: int = 4096,
    batch_size: int = 1,
    kv_format: KvFormat = "FP16",
    gpu_count: int = 1,
    gpu: str | None = None,
    split: Split = "layer",
    layers: int | None = None,
    kv_heads: int | None = None,
    head_dim: int | None = None,
    parameters_b: float | None = None,
) -> InferenceMemory:
    """Say how much GPU memory it takes to run (serve, chat with) a model, and which cards hold it.

    Use it for "does a 70B model in 4 bit fit on two 3090s?", "how much VRAM for Llama 3 8B?", "which card
    for Mixtral?", "longest context of a 7B on a 12 GB card?". For fine-tuning use `training_memory`.

    Args:
        model: Model or size as people type it, e.g. "llama-3-8b", "13B"; or the text of a config.json.
        weight_format: Number format of the weights; GGUF names such as Q4_K_M too.
        context_tokens: Tokens kept per sequence, prompt and answer together. [tokens]
        batch_size: Sequences at once. [1]
        kv_format: Number format of the KV cache; quantised weights do not change it.
        gpu_count: Cards over which the model is split evenly. [1]
        gpu: Card to answer for: whether it fits, the longest context, the largest batch and model.
        split: By layers (llama.cpp), or every matrix (tensor parallel: each card holds at least one KV head).
        layers: Layers, instead of the catalogue's. [1]
        kv_heads: Key and value heads, instead of the catalogue's. [1]
        head_dim: Width of one head, instead of the catalogue's. [1]
        parameters_b: Parameters, instead of the catalogue's. [1e9]

    Returns:
        Weights, cache, overhead, the need per card, and cards that hold it.

    Raises:
        ToolInputError: If the model or a format is unknown, or a number is absurd.

    Notes:
        weights = parameters x bits / 8; floor = weights + KV cache; total = floor x 1.05 + 1 GB
        a card. AWQ and GPTQ keep embedding and output matrix in 16 bit. Engines that reserve a
        fixed share of the card (vLLM: 90 %) show more than the model needs.
    """
    sequences = count("batch_size", batch_size, high=MOST_SEQUENCES, hint=SEQUENCES_HINT)
    length = count("context_tokens", context_tokens, high=MOST_TOKENS, hint=TOKENS_HINT)
    cards = count("gpu_count", gpu_count, high=MOST_GPUS, hint=GPU_COUNT_HINT)
    packed = read_weight_format(weight_format)
    stored = read_kv_format(kv_format)
    way = choice("split", split, get_args(Split))
    card = None if gpu is None else find_card(gpu).gpu
    found = find_model(model, layers=layers, kv_heads=kv_heads, head_dim=head_dim, parameters_b=parameters_b)
    shape = found.model

    weights, weight_step = weights_of(shape, packed)
    cache = kv_cache_of(shape, tokens=length, kv_format=stored, batch_size=sequences) if _has_cache(shape) else None
    kv_gb = 0.0 if cache is None else cache.bytes_total / GB
    copies = 1.0 if cache is None else _copies(shape, cache, way, cards)
    floor = weights + kv_gb * copies
    overhead = max(CONTEXT_GB * cards + SLACK_SHARE * floor, _measured_gb(shape, floor) - floor)
    total = floor + overhead
    fitting = fitting_gpus(total / cards, cards)
    tight = tuple(name for name in fitting_gpus(floor / cards, cards) if name not in fitting)

    def need(tokens: int, batch: int) -> float:
        """Return the comfortable need of one card for another cache."""
        kept = (
            0.0
            if cache is None
            else kv_cache_of(shape, tokens=tokens, kv_format=stored, batch_size=batch).bytes_total / GB * copies
        )
        return CONTEXT_GB + (1 + SLACK_SHARE) * (weights + kept) / cards

    room: dict[str, Any] = {}
    if card is not None:
        most = (card.memory_gb - CONTEXT_GB) * cards / (1 + SLACK_SHARE) - kv_gb * copies
        room = {
            "gpu": card.name,
            "gpu_memory_gb": card.memory_gb,
            "fits": total / cards <= card.memory_gb,
            "max_parameters_b": max(0.0, most * 8 / WEIGHT_BITS[packed]),
        }
        if cache is not None:
            room |= {
                "max_context_tokens": largest_that_fits(
                    lambda tokens: need(tokens, sequences), card.memory_gb, MOST_TOKENS
                ),
                "max_batch_size": largest_that_fits(lambda batch: need(length, batch), card.memory_gb, MOST_SEQUENCES),
            }
    steps = (
        weight_step,
        *(() if cache is None else cache.steps),
        f"floor_gb = {figure(weights)} GB + {figure(kv_gb)} GB{_times(copies)} = {figure(floor)} GB",
        f"overhead_gb = max({cards} x {figure(CONTEXT_GB)} GB + {SLACK_SHARE} x {figure(floor)} GB,"
        f" measured {figure(_measured_gb(shape, floor))} GB - {figure(floor)} GB) = {figure(overhead)} GB"
        if _measured_gb(shape, floor)
        else f"overhead_gb = {cards} x {figure(CONTEXT_GB)} GB + {SLACK_SHARE} x {figure(floor)} GB"
        f" = {figure(overhead)} GB",
        f"total_gb = {figure(floor)} GB + {figure(overhead)} GB = {figure(total)} GB",
        f"per_gpu_gb = {figure(total)} GB / {cards} = {figure(total / cards)} GB",
        *_room_steps(room),
    )
    return InferenceMemory(
        model_name=shape.name,
        parameters_b=shape.parameters_b,
        weight_format=packed,
        bits_per_weight=weights * 8 / shape.parameters_b,
        context_tokens=length,
        batch_size=sequences,
        kv_format=stored,
        gpu_count=cards,
        weights_gb=weights,
        kv_cache_gb=kv_gb,
        kv_cache_gib=kv_gb * GB / GIB,
        floor_gb=floor,
        overhead_gb=overhead,
        total_gb=total,
        total_gib=total * GB / GIB,
        floor_per_gpu_gb=floor / cards,
        per_gpu_gb=total / cards,
        fitting_gpus=fitting,
        tight_gpus=tight,
        **room,
        steps=steps,
        assumptions=(*found.assumptions, *_serving_assumptions(shape, packed, cache)),
        warnings=(
            *length_warnings(shape, length),
            *_serving_warnings(shape, cards, cache, copies),
            *no_card(total / cards, fitting),
        ),
        sources=(*found.sources, *(() if cache is None else kv_sources(cache)), *source_of_format(packed)),
    )


def _measured_gb(model: Model, floor: float) -> float:
    """Return what an image model was measured to take, 0 unless that was in about this format."""
    measured = model.measured_memory_gb or 0.0
    return measured if model.kind == "diffusion" and floor < measured < 3 * floor else 0.0


def _copies(model: Model, cache: KvCache, split: str, cards: int) -> float:
    """Return how often the cache lies on the cards: under a tensor split a head cannot be divided."""
    if split != "tensor":
        return 1.0
    return float(cards) if cache.kind == "compressed" else max(1.0, cards / kv_heads_of(model))


def _times(copies: float) -> str:
    return "" if copies == 1 else f" x {figure(copies)} copies"


def _room_steps(room: dict[str, Any]) -> tuple[str, ...]:
    if not room:
        return ()
    shown = ", ".join(f"{name} = {figure(value)}" for name, value in room.items() if name.startswith("max"))
    return (f"largest for which per_gpu_gb stays within {figure(room['gpu_memory_gb'])} GB of {room['gpu']}: {shown}",)


def _has_cache(model: Model) -> bool:
    return model.kind == "language" and bool(model.layers or model.kv_layers)


def _serving_assumptions(model: Model, weight_format: str, cache: KvCache | None) -> tuple[Text, ...]:
    notes = [
        Text(
            "`floor_gb` is weights and KV cache; `total_gb` adds 1 GB a card and 5 % for workspace and slack.",
            "`floor_gb` 是权重加 KV 缓存；`total_gb` 另加每卡 1 GB 和 5 %，供上下文、工作区和碎片。",
        ),
        NOMINAL,
    ]
    if cache is None:
        notes.append(Text("No KV cache is counted for this model.", "这个模型不计 KV 缓存。"))
    else:
        notes += cache_assumptions(model, cache)
    if weight_format in ("INT4", "FP8", "INT8"):
        notes.append(
            Text(
                "Bare bits: scales and layers kept in 16 bit come on top (a few percent, a tenth in 4 bit).",
                "只算纯位数：缩放系数和保留 16 位的层另计（几个百分点，4 位时可达一成）。",
            )
        )
    return tuple(notes)


def _serving_warnings(model: Model, cards: int, cache: KvCache | None, copies: float) -> tuple[Text, ...]:
    notes: list[Text] = []
    if model.active_parameters_b and model.active_parameters_b < model.parameters_b:
        notes.append(
            Text(
                f"All experts must lie in memory; only {figure(model.active_parameters_b)}B of"
                f" {figure(model.parameters_b)}B parameters work on a token.",
                f"所有专家都要放进显存；每个 token 只用到 {figure(model.parameters_b)}B 中的"
                f" {figure(model.active_parameters_b)}B 参数。",
            )
        )
    if cards > 1:
        notes.append(
            Text(
                "The split is taken as even; a real one runs out on its busiest card, not on the sum.",
                "这里按均分计；实际上最满的那张卡先爆，而不是看总和。",
            )
        )
        if cache is not None and cache.kind == "compressed" and copies == 1:
            notes.append(
                Text(
                    "Under tensor parallelism each card holds the whole compressed cache.",
                    "张量并行时每张卡都存一份完整的压缩缓存。",
                )
            )
    if model.measured_memory_gb:
        notes.append(
            Text(
                f"Measured: {figure(model.measured_memory_gb)} GB. {model.measured_note}".strip(),
                f"实测：{figure(model.measured_memory_gb)} GB。{model.measured_note_zh}".strip(),
            )
        )
    return tuple(notes)
