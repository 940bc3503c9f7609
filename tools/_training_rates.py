"""How fast a card trains six known networks, scaled from measured cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tools._cards import source_of
from tools._catalog import Gpu
from tools._efficiency import LAMBDA, coefficient, coefficients, error_of
from tools._errors import ToolInputError, choice, count
from tools._hints import GPU_COUNT_HINT, SAMPLES_HINT
from tools._measured import training_fact
from tools._physical import physical
from tools._result import Result, Text
from tools._scaling import scale
from tools._sheet import find_card
from tools._timing import Timing, timing
from tools._training_model import NETWORKS, largest_batch, training_parts
from tools._units import figure

Network = Literal["resnet50", "ssd300", "bert_large", "gnmt", "tacotron2", "transformer_xl"]
TrainingPrecision = Literal["fp16", "fp32"]
Software = Literal["v0", "v1", "v2"]
# What one sample is, in English and Chinese.
_SAMPLES = {
    "resnet50": ("images", "张图"),
    "ssd300": ("images", "张图"),
    "bert_large": ("sequences", "条序列"),
    "gnmt": ("tokens", "个 token"),
    "tacotron2": ("mel frames", "个 mel 帧"),
    "transformer_xl": ("tokens", "个 token"),
}
_SOFTWARE = {"v0": "NGC containers of 2020 to 2022", "v1": "NGC 22.09", "v2": "NGC 24.10"}
# The measured card that others are compared with; v2 has no RTX 3090.
_REFERENCE = {"v0": "RTX 3090", "v1": "RTX 3090", "v2": "H100 SXM"}
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
        relative: Throughput of one card over that of the reference card with the same software. [1]
        scaled_from: That reference card.
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


def rate(
    card: Gpu,
    card_notes: tuple[Text, ...],
    network: str,
    precision: str,
    gpu_count: int,
    batch_size: int | None,
    software: str,
    own_figures: bool,
) -> TrainingRate:
    """Compute the throughput; see `training_rate`."""
    net = choice("network", network, NETWORKS)
    kind, version = choice("precision", precision, ("fp16", "fp32")), choice("software", software, ("v0", "v1", "v2"))
    cards = count("gpu_count", gpu_count, high=64, hint=GPU_COUNT_HINT)
    largest = largest_batch(card, net, kind)
    batch = largest if batch_size is None else count("batch_size", batch_size, high=1_000_000, hint=SAMPLES_HINT)
    times = _times(card, net, kind, version, batch)
    fact = None if own_figures else training_fact(card.name, net, kind, version)
    # A card that was measured with another batch keeps its own distance from the model.
    own = 1.0 if fact is None else fact.value * _times(card, net, kind, version, fact.amount).total
    modelled = own / times.total
    measured = fact is not None and (batch_size is None or batch == fact.amount)
    one = fact.value if fact and measured else modelled
    batch = fact.amount if fact and measured else batch
    scaling = scale(card, cards, net, None)
    total = one * scaling.speedup
    spread = _spread(net, kind, measured, cards) + (0.0 if physical(card).known else 0.15)
    en, zh = _SAMPLES[net]
    base = _REFERENCE[version]
    relative = one / _reference_rate(base, net, kind, version)
    return TrainingRate(
        gpu=card.name,
        network=net,
        precision=kind,
        software=version,
        gpu_count=cards,
        batch_size=batch,
        samples_per_s=total,
        low_samples_per_s=total * (1 - spread),
        high_samples_per_s=total * (1 + spread),
        sample=Text(en, zh),
        relative=relative,
        scaled_from=base,
        basis="measured" if measured and cards == 1 else "modelled",
        speedup=scaling.speedup,
        steps=(
            *_time_steps(times, card, net, batch, en),
            *((f"measured: {card.name}, {net}, {kind}, {version} = {figure(one)} {en}/s",) if measured else ()),
            f"{card.name} / {base} = {figure(relative)}",
            f"samples_per_s = {figure(one)} x {figure(scaling.speedup)} = {figure(total)} {en}/s",
        ),
        assumptions=(*card_notes, *_assumptions(version, batch_size, batch, cards)),
        warnings=(*_warnings(card, batch, largest), *scaling.warnings),
        sources=((fact.source,) if fact and measured else ()) + ((source_of(card),) if card.as_of else ()) + (LAMBDA,),
    )


def _times(card: Gpu, network: str, precision: str, software: str, batch: int) -> Timing:
    stem = f"training.{network}" if precision == "fp16" else f"training.{network}_fp32"
    if f"{stem}.software_{software}" not in coefficients():
        raise ToolInputError(
            f"`software` {software} has no measured rate of {network}. Give `software` v1.",
            f"`software` {software} 没有 {network} 的实测速率。请给 `software` v1。",
        )
    return timing(
        training_parts(card, network, precision, software, batch),
        coefficient("training.overlap_exponent"),
        coefficients(),
    )


def one_card_rate(card: Gpu, network: str) -> tuple[float, int]:
    """Return the modelled rate of one card in FP16 with the usual software, and its batch."""
    batch = largest_batch(card, network, "fp16")
    return 1 / _times(card, network, "fp16", "v1", batch).total, batch


def _reference_rate(gpu: str, network: str, precision: str, software: str) -> float:
    fact = training_fact(gpu, network, precision, software)
    card = find_card(gpu).gpu
    return (
        fact.value
        if fact
        else 1 / _times(card, network, precision, software, largest_batch(card, network, precision)).total
    )


def _time_steps(times: Timing, card: Gpu, network: str, batch: int, samples: str) -> tuple[str, ...]:
    parts = ", ".join(f"{name} {figure(value * 1000)}" for name, value in times.parts.items())
    exponent = figure(coefficient("training.overlap_exponent"))
    return (
        f"a sample of {network} on {card.name}, batch {batch}, in ms: {parts}",
        f"time = (tensor^{exponent} + shader^{exponent} + memory^{exponent} + power^{exponent})^(1/{exponent})"
        f" + step = {figure(times.total * 1000)} ms, {figure(1 / times.total)} {samples}/s",
    )


def _spread(network: str, precision: str, measured: bool, cards: int) -> float:
    own = (
        _MEASURED_ERROR
        if measured
        else error_of(f"training.{network}" if precision == "fp16" else f"training.{network}_fp32")
    )
    return own + (0.05 if cards > 1 else 0.0)


def _assumptions(software: str, asked: int | None, largest: int, cards: int) -> tuple[Text, ...]:
    notes = [
        Text(
            f"Software {software}: {_SOFTWARE[software]}. Rates of different software are never compared.",
            f"软件 {software}：{_SOFTWARE[software]}。不同软件的速率不相互比较。",
        )
    ]
    if asked is None:
        notes.append(
            Text(
                f"The largest batch that fits is taken: about {largest} a card.",
                f"按放得下的最大批量计：每卡约 {largest}。",
            )
        )
    if cards > 1:
        notes.append(Text("The batch per card stays the same with more cards.", "增加显卡时每卡批量不变。"))
    return tuple(notes)


def _warnings(card: Gpu, batch: int, largest: int) -> tuple[Text, ...]:
    notes: list[Text] = []
    if batch > 1.1 * largest:
        notes.append(
            Text(
                f"A batch of {batch} is likely too large: about {largest} fits.",
                f"批量 {batch} 很可能放不下：大约能放 {largest}。",
            )
        )
    if card.vendor != "NVIDIA":
        notes.append(
            Text(
                "The measurements are of NVIDIA cards; other software may reach less.",
                "测量来自 NVIDIA 显卡；其他平台可能达不到。",
            )
        )
    return tuple(notes)
