"""Where cards sit: slots, connectors, length, lanes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tools._cards import Card
from tools._catalog import Gpu
from tools._errors import ToolInputError, count, number
from tools._result import Text, is_array

# A standard ATX board has seven expansion slots.
ATX_SLOTS = 7
# Blower and water-cooled versions of big cards take two slots; the guide counts on that for four cards.
NARROW_SLOTS = 2
# Partner boards above this power are built three slots wide, below it two; the data sheet of such cards is silent.
WIDE_CARD_W = 250.0
# Widths in which a slot can be wired.
LANE_WIDTHS = (16, 8, 4, 2, 1)
# An NVMe drive takes four lanes.
DRIVE_LANES = 4

CONNECTOR_HINT = Text(
    "Give the positions of the long slots counted from the CPU, e.g. [1, 4, 7].",
    "请给出从 CPU 数起的长插槽位置，例如 [1, 4, 7]。",
)
LENGTH_HINT = Text("Give the room for cards in the case, e.g. 330.", "请给出机箱的显卡限长，例如 330。")
WIDTH_HINT = Text("Give the width of one card, e.g. 3.5.", "请给出单张显卡的槽位宽度，例如 3.5。")
LANES_HINT = Text(
    "Give the lanes of the CPU, e.g. 24 on a desktop or 128 on a workstation.",
    "请给出 CPU 的通道数，例如桌面平台 24、工作站 128。",
)


@dataclass(frozen=True, slots=True)
class Lanes:
    """Lanes of the processor shared among the cards; null without `cpu_lanes`."""

    cpu: int | None = None
    other: int = DRIVE_LANES
    each: int | None = None
    needed: int | None = None
    free: int | None = None


def width_of(gpu: Gpu, cooler: str, given: float | None) -> int:
    """Return the whole slots a card takes."""
    if gpu.slots is None and gpu.segment != "desktop" and given is None:
        raise ToolInputError(
            f"'{gpu.name}' sits on no expansion slot. Ask about a PCIe card such as 'A100 PCIe 80GB'.",
            f"'{gpu.name}' 不插扩展槽。请换成 PCIe 显卡，例如 'A100 PCIe 80GB'。",
        )
    if given is not None:
        return math.ceil(given)
    stated = gpu.slots if gpu.slots is not None else usual_width(gpu)
    return min(math.ceil(stated), NARROW_SLOTS) if cooler != "open_air" else math.ceil(stated)


def usual_width(gpu: Gpu) -> int:
    """Return the width of partner boards of a card whose data sheet states none."""
    return 3 if (gpu.board_power_w or 0) >= WIDE_CARD_W else 2


def read_width(slots: object) -> float | None:
    """Return the width a person measured, None if not given."""
    return None if slots is None else number("width_slots", slots, "slots", high=8, hint=WIDTH_HINT)


def read_connectors(connectors: object, board_slots: int) -> tuple[int, ...] | None:
    """Return the positions of the long slots in order, None if not given."""
    if connectors is None:
        return None
    if not is_array(connectors) or not connectors:
        raise ToolInputError(
            f"`connector_slots` is no list of positions. {CONNECTOR_HINT.en}",
            f"`connector_slots` 不是位置列表。{CONNECTOR_HINT.zh}",
        )
    return tuple(sorted({count("connector_slots", at, high=board_slots, hint=CONNECTOR_HINT) for at in connectors}))


def places(widths: Sequence[int], connectors: Sequence[int], board_slots: int, gap_slots: int) -> int:
    """Return how many cards find a connector: each in the first one free, narrow cards first, gap kept."""
    placed, free_from = 0, 1
    for width in sorted(widths):
        at = next((slot for slot in connectors if slot >= free_from), None)
        if at is None or at + width - 1 > board_slots:
            break
        placed, free_from = placed + 1, at + width + gap_slots
    return placed


def longest_mm(chosen: tuple[Card, ...]) -> float | None:
    """Return the length of the longest card, in mm, None if one of them states none."""
    lengths = [card.gpu.length_mm for card in chosen]
    known = [length for length in lengths if length is not None]
    return max(known) if len(known) == len(lengths) else None


def read_length(case_length_mm: object) -> float | None:
    """Return the room for cards in the case in mm, None if not given."""
    return (
        None
        if case_length_mm is None
        else number("case_length_mm", case_length_mm, "mm", low=100, high=2000, may_equal_low=True, hint=LENGTH_HINT)
    )


def share_lanes(cpu_lanes: object, other_lanes: object, cards: int) -> Lanes:
    """Give every card the widest equal share of the processor's lanes."""
    other = count("other_lanes", other_lanes, low=0, high=128, hint=LANES_HINT)
    if cpu_lanes is None:
        return Lanes(other=other)
    total = count("cpu_lanes", cpu_lanes, high=512, hint=LANES_HINT)
    each = next((width for width in LANE_WIDTHS if cards * width + other <= total), 0)
    needed = cards * each + other
    return Lanes(total, other, each, needed, total - needed)
