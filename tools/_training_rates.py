"""How fast a card trains six known networks, scaled from measured cards."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from tools._cards import source_of
from tools._catalog import Gpu
from tools._efficiency import LAMBDA, Anchor, anchors, coefficient, shader_tflops, table, tensor_16bit_tflops
from tools._errors import ToolInputError, choice, count
from tools._hints import GPU_COUNT_HINT, SAMPLES_HINT
from tools._relative import body_features
from tools._result import Result, Text
from tools._scaling import scale
from tools._sheet import find_card
from tools._units import figure

Network = Literal["resnet50", "ssd300", "bert_large", "gnmt", "tacotron2", "transformer_xl"]
NETWORKS: tuple[str, ...] = ("resnet50", "ssd300", "bert_large", "gnmt", "tacotron2", "transformer_xl")
TrainingPrecision = Literal["fp16", "fp32"]
Software = Literal["v0", "v1", "v2"]
# What one sample is, in English and Chinese.
_SAMPLES = {"resnet50": ("images", "张图"), "ssd300": ("images", "张图"), "bert_large": ("sequences", "条序列"),
            "gnmt": ("tokens", "个 token"), "tacotron2": ("mel frames", "个 mel 帧"),
            "transformer_xl": ("tokens", "个 token")}
_SOFTWARE = {"v0": "NGC containers of 2020 to 2022", "v1": "NGC 22.09", "v2": "NGC 24.10"}
_BEFORE_AMPERE = frozenset({"Pascal", "Volta", "Turing"})
# One host predicts another with the same card to 1 to 11 % only.
_MEASURED_ERROR = 0.05


@dataclass(frozen=True, kw_only=True)
class TrainingRate(Result):
    """Training throughput of a known network.

    Attributes:
        samples_per_s: Throughput of all cards; `sample` says what a sample is. [samples/s]
        low_samples_per_s: Lower end of the range. [samples/s]
        high_samples_per_s: Upper end of the range. [samples/s]
        sample: What is counted: images, sequences, tokens or mel frames.
        relative: Throughput of one card over the measured card it was scaled from. [1]
        scaled_from: That measured card.
        basis: "measured" or "modelled".
        batch_size: Per card.
        speedup: Of all cards over one. [1]
    """

    gpu: str
    network: str
    precision: str
    software: str
    gpu_count: int
    batch_size: int
    samples_per_s: float
    low_samples_per_s: float
    high_samples_per_s: float
    sample: Text
    relative: float
    scaled_from: str
    basis: str
    speedup: float


def rate(gpu: str, network: str, precision: str, gpu_count: int, batch_size: int | None, software: str) -> TrainingRate:
    """Compute the throughput; see `training_rate`."""
    card = find_card(gpu).gpu
    net = choice("network", network, NETWORKS)
    kind, version = choice("precision", precision, ("fp16", "fp32")), choice("software", software, ("v0", "v1", "v2"))
    cards = count("gpu_count", gpu_count, high=64, hint=GPU_COUNT_HINT)
    anchor, measured = _anchor(card, net, kind, version)
    base = find_card(anchor.gpu).gpu
    relative = 1.0 if measured else _relative(card, base, net, kind, version)
    largest = max(1, int(anchor.batch_size * card.memory_gb / base.memory_gb))
    batch = largest if batch_size is None else count(
        "batch_size", batch_size, high=1_000_000, hint=SAMPLES_HINT)
    factor = min(1.0, _batch_factor(net, largest, batch))
    scaling = scale(gpu, cards, net, None)
    total = anchor.samples_per_s * relative * factor * scaling.speedup
    spread = _spread(net, kind, measured and factor == 1.0, cards)
    en, zh = _SAMPLES[net]
    return TrainingRate(
        gpu=card.name, network=net, precision=kind, software=version, gpu_count=cards, batch_size=batch,
        samples_per_s=total, low_samples_per_s=total * (1 - spread), high_samples_per_s=total * (1 + spread),
        sample=Text(en, zh), relative=relative, scaled_from=anchor.gpu,
        basis="measured" if measured and cards == 1 and factor == 1.0 else "modelled", speedup=scaling.speedup,
        steps=(f"measured: {anchor.gpu}, {net}, {kind}, {version} = {figure(anchor.samples_per_s)} {en}/s",
               f"{card.name} / {anchor.gpu} = {figure(relative)}, batch factor = {figure(factor)}",
               f"samples_per_s = {figure(anchor.samples_per_s)} x {figure(relative)} x {figure(factor)} x"
               f" {figure(scaling.speedup)} = {figure(total)} {en}/s"),
        assumptions=_assumptions(version, batch_size, largest, cards),
        warnings=(*_warnings(card, batch, largest), *scaling.warnings), sources=(source_of(card), LAMBDA))


def _anchor(card: Gpu, network: str, precision: str, software: str) -> tuple[Anchor, bool]:
    """Return the measurement to scale from, and whether it is of this card."""
    rows = [row for row in anchors() if (row.network, row.precision, row.software) == (network, precision, software)]
    if not rows:
        raise ToolInputError(f"`software` {software} has no measured rate of {network}. Give `software` v1.",
                             f"`software` {software} 没有 {network} 的实测速率。请给 `software` v1。")
    own = next((row for row in rows if row.gpu == card.name), None)
    return own or rows[0], own is not None


def _relative(card: Gpu, base: Gpu, network: str, precision: str, software: str) -> float:
    shares = table(f"training.{network}")
    own, other = _features(card, precision), _features(base, precision)
    relative = 1 / sum(shares[name] * other[name] / own[name] for name in own)
    relative *= (card.memory_gb / base.memory_gb) ** shares["memory"]
    if software == "v0" and card.architecture in _BEFORE_AMPERE:
        relative *= shares["old"]
    return relative


def _features(card: Gpu, precision: str) -> dict[str, float]:
    tensor = tensor_16bit_tflops(card) if precision == "fp16" else card.tensor_tf32_dense_tflops or shader_tflops(card)
    return {"tensor": tensor, "bandwidth": card.memory_bandwidth_gb_s, **body_features(card)}


def _batch_factor(network: str, largest: int, batch: int) -> float:
    gain = coefficient("batch.gain_cnn" if network in ("resnet50", "ssd300") else "batch.gain_transformer")
    return gain ** math.log2(batch / largest)


def _spread(network: str, precision: str, measured: bool, cards: int) -> float:
    if measured:
        return _MEASURED_ERROR + (0.05 if cards > 1 else 0.0)
    extra = coefficient("training.fp32_extra_error") if precision == "fp32" else 0.0
    return table(f"training.{network}")["error"] + extra + (0.05 if cards > 1 else 0.0)


def _assumptions(software: str, asked: int | None, largest: int, cards: int) -> tuple[Text, ...]:
    notes = [Text(f"Software {software}: {_SOFTWARE[software]}. Rates of different software are never compared.",
                  f"软件 {software}：{_SOFTWARE[software]}。不同软件的速率不相互比较。")]
    if asked is None:
        notes.append(Text(f"The largest batch that fits is taken: about {largest} a card.",
                          f"按放得下的最大批量计：每卡约 {largest}。"))
    if cards > 1:
        notes.append(Text("The batch per card stays the same with more cards.", "增加显卡时每卡批量不变。"))
    return tuple(notes)


def _warnings(card: Gpu, batch: int, largest: int) -> tuple[Text, ...]:
    notes: list[Text] = []
    if batch > 1.1 * largest:
        notes.append(Text(f"A batch of {batch} is likely too large: about {largest} fits.",
                          f"批量 {batch} 很可能放不下：大约能放 {largest}。"))
    if card.vendor != "NVIDIA":
        notes.append(Text("The measurements are of NVIDIA cards; other software may reach less.",
                          "测量来自 NVIDIA 显卡；其他平台可能达不到。"))
    if card.memory_gb < 10:
        notes.append(Text("With less than 10 GB batches become so small that BERT and Transformer-XL run slower.",
                          "显存不足 10 GB 时批量太小，BERT 和 Transformer-XL 会比这更慢。"))
    return tuple(notes)
