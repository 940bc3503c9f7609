"""Do the cards fit the board, and will they stay cool: slots, gaps and heat."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tools._cards import Card, board_power_w, read_cards, source_of
from tools._catalog import Gpu
from tools._errors import ToolInputError, choice, count
from tools._result import Result, Source, Text
from tools._units import figure

# A standard ATX board has seven expansion slots.
ATX_SLOTS = 7
# The guide, sections 5.3 and 9.12.
THROTTLE_C = 80.0
SPACING_C = (10.0, 30.0)
CASE_C = (1.0, 3.0)
# Blower and water-cooled versions of big cards take two slots; the guide counts on that for four cards.
NARROW_SLOTS = 2
# Partner boards above this power are built three slots wide, below it two; the data sheet of such cards is silent.
WIDE_CARD_W = 250.0
BTU_PER_WH = 3.412142

GUIDE = Source("Which GPU(s) to Get for Deep Learning, sections 5.3 and 9.12 (Tim Dettmers)",
               "https://timdettmers.com/2023/01/30/which-gpu-for-deep-learning/", "2023-01-30")

Cooler = Literal["open_air", "blower", "water"]
Verdict = Literal["fits", "fits_but_hot", "does_not_fit"]


@dataclass(frozen=True, kw_only=True)
class CoolingCheck(Result):
    """Space and heat of the cards in one machine.

    Attributes:
        card_count: Cards in the machine. [1]
        cooler: Kind of cooler that was counted.
        card_slots: Slots of all cards without gaps. [slots]
        gap_slots: Free slots between two cards. [slots]
        slots_needed: Slots of cards and gaps. [slots]
        board_slots: Slots of the board. [slots]
        free_slots: Slots left, negative if there are too few. [slots]
        possible_gap_slots: Largest gap that fits between all cards; null for one card or if they do not fit. [slots]
        most_cards: How many of the widest of these cards fit without risers. [cards]
        risers: Whether the cards sit on riser cables, away from the board.
        fits: Whether all cards fit.
        temperature_change_c_low: Degrees by which free space between the cards cools them, low end. [degC]
        temperature_change_c_high: The same, high end; 0 where there is no neighbour or no air. [degC]
        case_change_c_low: Degrees that a better case brings, low end. [degC]
        case_change_c_high: The same, high end. [degC]
        throttle_temperature_c: Above it the cards slow down. [degC]
        heat_w: Heat of the cards at their board power. [W]
        heat_btu_per_h: The same for an air conditioner. [BTU/h]
        verdict: "fits", "fits_but_hot" (open-air cards side by side) or "does_not_fit".
    """

    card_count: int
    cooler: Cooler
    card_slots: int
    gap_slots: int
    slots_needed: int
    board_slots: int
    free_slots: int
    possible_gap_slots: int | None
    most_cards: int
    risers: bool
    fits: bool
    temperature_change_c_low: float
    temperature_change_c_high: float
    case_change_c_low: float
    case_change_c_high: float
    throttle_temperature_c: float
    heat_w: float
    heat_btu_per_h: float
    verdict: Verdict


def cooling_check(
    *,
    cards: Mapping[str, int],
    cooler: Cooler = "open_air",
    board_slots: int = ATX_SLOTS,
    gap_slots: int = 0,
    risers: bool = False,
) -> CoolingCheck:
    """Check whether cards fit a board and how the space between them changes their temperature.

    Use it for "do four 3090s fit on one board?", "how many slots do I need?", "is a better case or
    a gap between the cards worth more?", "how much heat must the room get rid of?".

    Args:
        cards: Cards by name and number, e.g. {"RTX 3090": 2}.
        cooler: open_air (fans, the usual kind), blower or water.
        board_slots: Expansion slots of the board, 7 for ATX. [slots]
        gap_slots: Free slots between two cards. [slots]
        risers: Whether the cards sit on riser cables.

    Returns:
        Slots, fit, temperature effects, heat and a verdict.

    Raises:
        ToolInputError: If a card is unknown or sits on no slot, or a number is out of range.

    Notes:
        slots = sum(width of each card) + gap x (cards - 1); widths are rounded up. Which slots have
        a connector depends on the board and is left out. All power a card draws becomes heat.

    References:
        Tim Dettmers, Which GPU(s) to Get for Deep Learning (2023), 5.3: throttling above 80 degC;
        9.12: spacing brings 10 to 30 degC, a better case 1 to 3 degC.
    """
    chosen = read_cards(cards)
    kind = _cooler(cooler)
    board = count("board_slots", board_slots, high=20, hint=Text("ATX boards have 7.", "ATX 主板有 7 个。"))
    gap = count("gap_slots", gap_slots, low=0, high=10,
                hint=Text("Give free slots between two cards, e.g. 1.", "请给出两张卡之间的空槽数，例如 1。"))
    widths = {card.gpu.name: _width(card.gpu, kind) for card in chosen}
    cards_n = sum(card.count for card in chosen)
    taken = sum(widths[card.gpu.name] * card.count for card in chosen)
    needed = taken + gap * (cards_n - 1)
    widest = max(widths.values())
    fits = bool(risers) or needed <= board
    low, high = SPACING_C if cards_n > 1 and kind != "water" else (0.0, 0.0)
    heat = sum(board_power_w(card.gpu) * card.count for card in chosen)
    room = (board - taken) // (cards_n - 1) if cards_n > 1 and taken <= board else None
    return CoolingCheck(
        card_count=cards_n, cooler=kind, card_slots=taken, gap_slots=gap, slots_needed=needed, board_slots=board,
        free_slots=board - needed, possible_gap_slots=room, most_cards=(board + gap) // (widest + gap),
        risers=bool(risers), fits=fits, temperature_change_c_low=low, temperature_change_c_high=high,
        case_change_c_low=CASE_C[0], case_change_c_high=CASE_C[1], throttle_temperature_c=THROTTLE_C,
        heat_w=heat, heat_btu_per_h=heat * BTU_PER_WH,
        verdict=_verdict(fits, cards_n, kind, gap, bool(risers)),
        steps=_steps(chosen, widths, gap, needed, board, heat),
        assumptions=_assumptions(chosen, kind, bool(risers)),
        warnings=_warnings(chosen, fits, cards_n, kind, gap, room, bool(risers)),
        sources=(*(source_of(card.gpu) for card in chosen), GUIDE))


def _cooler(cooler: str) -> Cooler:
    kinds: dict[str, Cooler] = {"open_air": "open_air", "blower": "blower", "water": "water"}
    return kinds[choice("cooler", cooler, kinds)]


def _width(gpu: Gpu, cooler: Cooler) -> int:
    if gpu.slots is None and gpu.segment != "desktop":
        raise ToolInputError(
            f"'{gpu.name}' sits on no expansion slot. Ask about a PCIe card such as 'A100 PCIe 80GB'.",
            f"'{gpu.name}' 不插扩展槽。请换成 PCIe 显卡，例如 'A100 PCIe 80GB'。")
    stated = gpu.slots if gpu.slots is not None else _usual_width(gpu)
    return min(math.ceil(stated), NARROW_SLOTS) if cooler != "open_air" else math.ceil(stated)


def _usual_width(gpu: Gpu) -> int:
    return 3 if (gpu.board_power_w or 0) >= WIDE_CARD_W else 2


def _verdict(fits: bool, cards_n: int, cooler: Cooler, gap: int, risers: bool) -> Verdict:
    if not fits:
        return "does_not_fit"
    packed = cards_n > 1 and cooler == "open_air" and gap == 0 and not risers
    return "fits_but_hot" if packed else "fits"


def _steps(chosen: tuple[Card, ...], widths: dict[str, int], gap: int, needed: int, board: int,
           heat: float) -> tuple[str, ...]:
    cards_n = sum(card.count for card in chosen)
    terms = " + ".join(f"{card.count} x {widths[card.gpu.name]} ({card.gpu.name})" for card in chosen)
    watts = " + ".join(f"{card.count} x {figure(board_power_w(card.gpu))} W" for card in chosen)
    return (f"slots_needed = {terms} + {gap} x {cards_n - 1} = {needed}",
            f"free_slots = {board} - {needed} = {board - needed}",
            f"heat_w = {watts} = {figure(heat)} W",
            f"heat_btu_per_h = {figure(heat)} W x {BTU_PER_WH} = {figure(heat * BTU_PER_WH)} BTU/h")


def _assumptions(chosen: tuple[Card, ...], cooler: Cooler, risers: bool) -> tuple[Text, ...]:
    notes: list[Text] = []
    if cooler != "open_air":
        notes.append(Text(f"Versions with a blower or a water block are at most {NARROW_SLOTS} slots wide.",
                          f"涡轮或水冷版最多占 {NARROW_SLOTS} 个槽位。"))
    for card in chosen:
        if card.gpu.slots is None and cooler == "open_air":
            width = _usual_width(card.gpu)
            notes.append(Text(f"{card.gpu.name} has no reference board; partner boards count as {width} slots wide.",
                              f"{card.gpu.name} 没有公版，非公版按 {width} 槽计。"))
    if risers:
        notes.append(Text("The case has room for the cards on their risers.", "机箱里放得下用延长线引出的显卡。"))
    else:
        notes.append(Text("Every slot counts; which have a connector depends on the board.",
                          "只数槽位；哪些槽有插座取决于主板。"))
    return tuple(notes)


def _warnings(chosen: tuple[Card, ...], fits: bool, cards_n: int, cooler: Cooler, gap: int, room: int | None,
              risers: bool) -> tuple[Text, ...]:
    notes: list[Text] = []
    if not fits:
        notes.append(Text("Too few slots: use risers, two-slot blower or water-cooled versions, or fewer cards.",
                          "槽位不够：可用延长线、双槽涡轮版或水冷版，或者减少张数。"))
    elif _verdict(fits, cards_n, cooler, gap, risers) == "fits_but_hot":
        notes.append(Text("Open-air cards side by side blow hot air at each other and slow down above 80 °C.",
                          "开放式散热的卡并排时互吹热风，超过 80 °C 会降频。"))
        if room:
            notes.append(Text(f"The board has room for a gap of {room} slot(s) between the cards: use it.",
                              f"主板还能在卡之间各留 {room} 个空槽：请留出来。"))
    if any(card.gpu.cooler == "passive" for card in chosen):
        notes.append(Text("A card without fans needs the airflow of a server chassis.",
                          "无风扇的卡需要服务器机箱的风道。"))
    return tuple(notes)


TOOLS = (cooling_check,)
