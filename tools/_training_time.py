"""How long training a language model takes: operations over the rate that is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tools._cards import source_of
from tools._efficiency import GUIDE, coefficient, tensor_16bit_tflops
from tools._errors import choice, count, fraction, number
from tools._hints import GPU_COUNT_HINT, SHARE_HINT, TOKENS_HINT
from tools._models import find_model
from tools._result import Result, Source, Text
from tools._sheet import find_card
from tools._units import figure

Method = Literal["full", "lora", "qlora"]
# Operations per parameter and token: forward 2, gradients of activations 2, gradients of weights 2.
# An adapter leaves out the last, because the frozen weights get none.
OPERATIONS = {"full": 6, "lora": 4, "qlora": 4}
SCALING_LAWS = Source(
    "Kaplan et al., Scaling Laws for Neural Language Models (2020), section 2.1",
    "https://arxiv.org/abs/2001.08361",
    "2020-01-23",
)


@dataclass(frozen=True, kw_only=True)
class TrainingTime(Result):
    """Time to train a language model.

    Attributes:
        hours: Wall-clock time. [h]
        low_hours: At a high utilization. [h]
        high_hours: At a low utilization. [h]
        gpu_hours: Hours times cards. [h]
        days: The same as `hours`. [days]
        total_operations: Operations of the whole training.
        utilization: Share of the dense tensor rate (MFU). [1]
        dense_tflops: Dense 16-bit rate of one card. [TFLOPS]
        tokens_per_s: Of all cards. [tokens/s]
    """

    gpu: str
    gpu_count: int
    model_name: str
    parameters_b: float
    method: str
    tokens: float
    utilization: float
    dense_tflops: float
    total_operations: float
    tokens_per_s: float
    hours: float
    low_hours: float
    high_hours: float
    gpu_hours: float
    days: float


def training_time(
    *,
    model: str,
    tokens: float,
    gpu: str,
    gpu_count: int = 1,
    method: Method = "full",
    utilization: float | None = None,
    parameters_b: float | None = None,
) -> TrainingTime:
    """Estimate how long pre-training or fine-tuning a language model takes.

    Use it for "how long does a 7B take on 1B tokens on 8 A100s?", "hours of LoRA on a 4090".
    Whether it fits in memory is for `training_memory`.

    Args:
        model: Model or size as people type it, e.g. "llama-3-8b", "7B".
        tokens: Training tokens over all epochs; samples x mean length x epochs. [tokens]
        gpu: Card as people type it.
        gpu_count: Cards. [1]
        method: All weights, or adapters (LoRA, QLoRA).
        utilization: Share of the dense 16-bit tensor rate that is reached (MFU). [1]
        parameters_b: Parameters, instead of the catalogue's. [1e9]

    Returns:
        Hours with their range, card hours and tokens per second.

    Raises:
        ToolInputError: If the card or the model is unknown or a number is absurd.

    Notes:
        operations = 6 x parameters x tokens, 4 for adapters; a mixture of experts counts its active
        parameters. Attention and recomputation (gradient checkpointing, about a third more) are
        covered by the utilization: 0.45, range 0.30 to 0.55; the guide saw 45 to 65 % at scale.

    References:
        Kaplan et al. (2020), arXiv:2001.08361. Tim Dettmers (2023), section 3.2.
    """
    card = find_card(gpu).gpu
    cards = count("gpu_count", gpu_count, high=200_000, hint=GPU_COUNT_HINT)
    amount = number("tokens", tokens, "tokens", high=1e15, hint=TOKENS_HINT)
    kind = choice("method", method, tuple(OPERATIONS))
    found = find_model(model, parameters_b=parameters_b)
    low, middle, high = _utilizations(utilization)
    active = found.model.active_parameters_b or found.model.parameters_b
    rate = tensor_16bit_tflops(card)
    work = OPERATIONS[kind] * active * 1e9 * amount
    hours = work / (cards * rate * 1e12 * middle) / 3600
    return TrainingTime(
        gpu=card.name,
        gpu_count=cards,
        model_name=found.model.name,
        parameters_b=active,
        method=kind,
        tokens=amount,
        utilization=middle,
        dense_tflops=rate,
        total_operations=work,
        tokens_per_s=amount / hours / 3600,
        hours=hours,
        low_hours=hours * middle / high,
        high_hours=hours * middle / low,
        gpu_hours=hours * cards,
        days=hours / 24,
        steps=(
            f"operations = {OPERATIONS[kind]} x {figure(active)} x 10^9 x {figure(amount)} = {work:.4g}",
            f"hours = {work:.4g} / ({cards} x {figure(rate)} x 10^12 x {figure(middle)}) / 3600 = {figure(hours)} h",
            f"range = {figure(hours)} h x {figure(middle)} / {figure(high)} to x {figure(middle)} / {figure(low)}"
            f" = {figure(hours * middle / high)} to {figure(hours * middle / low)} h",
        ),
        assumptions=(*found.assumptions, *_assumptions(utilization is None, kind)),
        warnings=_warnings(card.vendor, kind, cards),
        sources=(source_of(card), *found.sources, SCALING_LAWS, GUIDE),
    )


def _utilizations(given: float | None) -> tuple[float, float, float]:
    if given is None:
        return coefficient("mfu.low"), coefficient("mfu.middle"), coefficient("mfu.high")
    middle = fraction("utilization", given, hint=SHARE_HINT)
    return middle * 0.85, middle, min(1.0, middle * 1.15)


def _assumptions(default: bool, method: str) -> tuple[Text, ...]:
    notes: list[Text] = []
    if default:
        notes.append(
            Text(
                "45 % of the dense 16-bit tensor rate is reached, 30 to 55 % as the range.",
                "按达到稠密 16 位张量算力的 45 % 计，范围 30 % 到 55 %。",
            )
        )
    if method != "full":
        notes.append(
            Text(
                "Adapters take 4 operations per parameter and token; with gradient checkpointing 6.",
                "适配器训练按每参数每 token 4 次运算计；开梯度检查点为 6 次。",
            )
        )
    return tuple(notes)


def _warnings(vendor: str, method: str, cards: int) -> tuple[Text, ...]:
    notes: list[Text] = []
    if method == "qlora":
        notes.append(
            Text(
                "QLoRA unpacks 4-bit weights all the time: expect the upper end of the range or more.",
                "QLoRA 要不断解包 4 位权重：请按范围上端或更久估计。",
            )
        )
    if cards > 8:
        notes.append(
            Text(
                "Over several machines the network decides whether this utilization is reached.",
                "跨机器时能否达到这一利用率取决于网络。",
            )
        )
    if vendor not in ("NVIDIA", "AMD", "Google"):
        notes.append(
            Text(
                "Training software for this card is rare: the utilization may be far lower.",
                "这类显卡的训练软件不多：实际利用率可能低得多。",
            )
        )
    return tuple(notes)
