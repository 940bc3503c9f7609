"""What speaks for and against AMD, Apple and TPUs, and chips without a price here: Apple's, Google's, laptops'."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from tools._catalog import Gpu, gpus
from tools._flowchart import MOST_PICKS, Candidate
from tools._picks import Pick
from tools._result import Source, Text

Form = Literal["desktop", "laptop"]
FORMS: tuple[Form, ...] = ("desktop", "laptop")
# macOS lets the graphics unit have about three quarters of the unified memory.
UNIFIED_SHARE = 0.75

ASK_PRICE = Text(
    'No price is known for these: give it in `prices_usd`, e.g. {"M4 Max": 3500}.',
    '没有这些的价格：请在 `prices_usd` 里给出，例如 {"M4 Max": 3500}。',
)
LAPTOP = Text(
    "A laptop chip shares its name with a bigger desktop card but has less memory, fewer units and a third"
    " to a half of the power; it throttles under hours of load.",
    "笔记本芯片和桌面卡同名，但显存更小、单元更少，功耗只有三分之一到一半，长时间满载会降频。",
)
UNIFIED = Text("Unified memory: about three quarters of it can hold the model.", "统一内存：约四分之三可以放模型。")


@dataclass(frozen=True, slots=True)
class Sides:
    """What speaks for and against the chips of a maker."""

    vendor: str
    speaks_for: Text
    speaks_against: Text


@cache
def _makers() -> dict[str, tuple[Sides, Source]]:
    data = tomllib.loads((files("tools") / "data" / "flowchart.toml").read_text("utf-8"))
    return {
        row["vendor"]: (
            Sides(row["vendor"], Text(row["for_en"], row["for_zh"]), Text(row["against_en"], row["against_zh"])),
            Source(row["source"], row["url"], row["as_of"]),
        )
        for row in data["maker"]
    }


def sides_of(vendor: str | None, found: Sequence[Candidate]) -> tuple[tuple[Sides, ...], tuple[Source, ...]]:
    """Return both sides of the maker asked for, or of those among the cards found."""
    named = [vendor] if vendor is not None else list(dict.fromkeys(item.card.gpu.vendor for item in found[:MOST_PICKS]))
    rows = [_makers()[name] for name in named if name in _makers()]
    return tuple(row[0] for row in rows), tuple(row[1] for row in rows)


def listed(
    vendor: str | None, form: Form, needed_gb: float, own: Mapping[str, float], budget_usd: float | None
) -> tuple[Pick, ...] | None:
    """Return chips that no price list has, smallest first; None if the flowchart answers."""
    if form == "desktop" and vendor not in ("Apple", "Google"):
        return None
    chips = [chip for chip in gpus() if _wanted(chip, vendor, form) and usable_gb(chip) >= needed_gb]
    chips.sort(key=lambda chip: (chip.memory_gb, -chip.memory_bandwidth_gb_s, chip.name))
    found = [_pick(chip, own.get(chip.name)) for chip in chips]
    return tuple(pick for pick in found if budget_usd is None or (pick.price_usd or 0) <= budget_usd)[:MOST_PICKS]


def _wanted(chip: Gpu, vendor: str | None, form: Form) -> bool:
    if form == "laptop":
        return chip.segment == "laptop" and vendor in (None, chip.vendor)
    return chip.vendor == vendor


def usable_gb(chip: Gpu) -> float:
    """Return the memory in GB that can hold a model."""
    return chip.memory_gb * (UNIFIED_SHARE if chip.vendor == "Apple" else 1.0)


def _pick(chip: Gpu, price: float | None) -> Pick:
    kind = "rent" if chip.vendor == "Google" else "own" if price is not None else "unknown"
    why = Text(
        f"{chip.memory_gb:g} GB at {chip.memory_bandwidth_gb_s:g} GB/s",
        f"{chip.memory_gb:g} GB，带宽 {chip.memory_bandwidth_gb_s:g} GB/s",
    )
    return Pick(chip.name, 1, chip.memory_gb, price, kind, None, price, None, why)


def listed_flip(vendor: str | None, found: Sequence[Pick]) -> Text:
    """Say what would turn the verdict on these chips around."""
    if not found:
        return Text(
            "It flips with a smaller model or fewer bits: none of these chips holds this one.",
            "换小模型或降低位数，结论才会变：这些芯片都放不下。",
        )
    if vendor == "Google":
        return Text(
            "It flips to NVIDIA cards if your code needs CUDA or the work is small.",
            "代码依赖 CUDA 或任务小，就该用 NVIDIA 卡。",
        )
    if all(pick.price_usd is None for pick in found):
        return Text("It is settled once you name a price.", "给出价格就能定。")
    return Text(
        "It flips to a desktop card if you train, or read long prompts often.", "要训练或常读长提示词，就该换桌面显卡。"
    )


def listed_notes(vendor: str | None, form: Form, found: Sequence[Pick]) -> tuple[Text, ...]:
    """Say what is special about these chips."""
    notes = [LAPTOP] if form == "laptop" else [UNIFIED] if vendor == "Apple" else []
    if vendor != "Google" and any(pick.price_usd is None for pick in found):
        notes.append(ASK_PRICE)
    return tuple(notes)
