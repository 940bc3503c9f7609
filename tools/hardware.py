"""What a card is: its data sheet, and which cards have enough memory."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from tools._cards import source_of
from tools._catalog import Gpu, gpus
from tools._errors import choice, number
from tools._names import find
from tools._result import Result, Source, Text
from tools._units import figure

# "A100" alone is the card of 2020; the guide and the survey mean it when they say 1,555 GB/s.
Vendor = Literal["NVIDIA", "AMD", "Intel", "Apple", "Google"]


@dataclass(frozen=True, kw_only=True)
class GpuSpecs(Result):
    """One card's data sheet; null where the card has no such unit or nothing is published.

    Tensor rates are dense, `sparsity` says whether 2:4 sparsity can double them, and
    `tensor_fp16_accumulation` names the accumulator. Bandwidths in GB/s (10^9 bytes).
    """

    name: str
    vendor: str
    architecture: str
    segment: str
    memory_gb: float
    memory_type: str | None
    memory_bandwidth_gb_s: float
    l2_cache_mb: float | None
    sm_count: int | None
    boost_clock_mhz: float | None
    fp32_tflops: float | None
    tensor_fp16_dense_tflops: float | None
    tensor_fp16_accumulation: str | None
    tensor_fp16_fp16acc_dense_tflops: float | None
    tensor_bf16_dense_tflops: float | None
    tensor_tf32_dense_tflops: float | None
    tensor_int8_dense_tops: float | None
    tensor_int4_dense_tops: float | None
    tensor_fp8_dense_tflops: float | None
    tensor_fp8_accumulation: str | None
    tensor_fp4_dense_tflops: float | None
    sparsity: bool
    compute_capability: str | None
    board_power_w: float | None
    recommended_psu_w: float | None
    slots: float | None
    length_mm: float | None
    power_connectors: tuple[str, ...]
    cooler: str | None
    nvlink_gb_s: float
    pcie_generation: int | None
    pcie_lanes: int | None
    launch_price_usd: float | None
    launch_date: str | None
    verified: bool
    note: str


def gpu_specs(*, gpu: str) -> GpuSpecs:
    """Look up a card's data sheet: memory, bandwidth, tensor rates, power, size, NVLink, price.

    Use it for "how much memory has a 4090?", "does the 3090 have NVLink?", "what is the dense
    FP8 rate of an H100?".

    Args:
        gpu: Card as people type it, e.g. "4090", "A100 80G", "泰坦V".

    Returns:
        The data sheet, with `verified` true where a vendor's page was read.

    Raises:
        ToolInputError: If there is no such card.
    """
    found = find(gpu)
    card = found.gpu
    assumptions: list[Text] = []
    if found.others:
        others = ", ".join(found.others[:6])
        assumptions.append(
            Text(
                f"'{gpu}' is read as {card.name}; there are also {others}.",
                f"“{gpu}”按 {card.name} 理解；另有 {others}。",
            )
        )
    own = {field.name: getattr(card, field.name) for field in fields(GpuSpecs) if hasattr(card, field.name)}
    return GpuSpecs(
        **own,
        steps=(
            f"{card.name}: {figure(card.memory_gb)} GB, {figure(card.memory_bandwidth_gb_s)} GB/s, from {card.source}",
        ),
        assumptions=tuple(assumptions),
        warnings=_warnings(card),
        sources=(source_of(card),),
    )


# Figures that "verified" is taken to cover; where the vendor's page lacks one, the card says so.
_DECISIVE = {
    "memory_bandwidth_gb_s": Text("bandwidth", "显存带宽"),
    "board_power_w": Text("board power", "功耗"),
}


def _warnings(card: Gpu) -> tuple[Text, ...]:
    notes: list[Text] = []
    if not card.verified:
        notes.append(Text("Not checked against a vendor's page.", "尚未对照厂商页面核实。"))
    elif unread := [words for name, words in _DECISIVE.items() if getattr(card, name) and name not in card.checked]:
        en, zh = " and ".join(words.en for words in unread), "和".join(words.zh for words in unread)
        notes.append(Text(f"The vendor's page that was read lacks: {en}.", f"查到的厂商页面里没有：{zh}。"))
    if card.segment == "laptop":
        notes.append(
            Text(
                "This is the laptop card: less power, memory and speed than the desktop card of that name.",
                "这是笔记本版：功耗、显存和速度都低于同名桌面卡。",
            )
        )
    return tuple(notes)


@dataclass(frozen=True, slots=True)
class CardRow:
    """One line of a list of cards."""

    gpu: str
    memory_gb: float
    memory_bandwidth_gb_s: float
    tensor_fp16_dense_tflops: float | None
    board_power_w: float | None
    launch_price_usd: float | None
    launch_date: str | None
    verified: bool


@dataclass(frozen=True, kw_only=True)
class GpuList(Result):
    """Cards that meet the wishes, most bandwidth first."""

    rows: tuple[CardRow, ...]
    count: int


def find_gpus(
    *,
    min_memory_gb: float | None = None,
    max_price_usd: float | None = None,
    vendor: Vendor | None = None,
) -> GpuList:
    """List the cards with enough memory, under a launch price, or of one vendor.

    Use it for "which cards have at least 24 GB?", "AMD cards under 1000 dollars".

    Args:
        min_memory_gb: Least memory. [GB]
        max_price_usd: Highest launch price; cards without one are left out. [USD]
        vendor: Maker of the card.

    Returns:
        Rows, most memory bandwidth first.

    Raises:
        ToolInputError: If a number is not positive or the vendor is unknown.
    """
    least = (
        0.0
        if min_memory_gb is None
        else number(
            "min_memory_gb", min_memory_gb, "GB", high=10_000, hint=Text("Give GB, e.g. 24.", "请给出 GB，例如 24。")
        )
    )
    most = (
        None
        if max_price_usd is None
        else number(
            "max_price_usd",
            max_price_usd,
            "USD",
            high=1e7,
            hint=Text("Give US dollars, e.g. 1000.", "请给出美元，例如 1000。"),
        )
    )
    maker = None if vendor is None else choice("vendor", vendor, ("NVIDIA", "AMD", "Intel", "Apple", "Google"))
    chosen = [
        card
        for card in gpus()
        if card.memory_gb >= least
        and (maker is None or card.vendor == maker)
        and (most is None or (card.launch_price_usd is not None and card.launch_price_usd <= most))
    ]
    chosen.sort(key=lambda card: -card.memory_bandwidth_gb_s)
    rows = tuple(
        CardRow(
            card.name,
            card.memory_gb,
            card.memory_bandwidth_gb_s,
            card.tensor_fp16_dense_tflops,
            card.board_power_w,
            card.launch_price_usd,
            card.launch_date,
            card.verified,
        )
        for card in chosen
    )
    return GpuList(
        rows=rows,
        count=len(rows),
        steps=(f"count = {len(rows)} of {len(gpus())} cards",),
        assumptions=(Text("Prices are launch prices, not what a shop asks today.", "价格是首发价，不是今天的售价。"),)
        if most is not None
        else (),
        sources=(
            Source("GPU Advisor catalogue (each card names its data sheet)", "", max(card.as_of for card in gpus())),
        ),
    )


TOOLS = (gpu_specs, find_gpus)
