"""Do the cards fit the board, and will they stay cool: slots, gaps and heat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools._cards import board_power_w, read_cards, source_of
from tools._cooling_space import (
    ATX_SLOTS,
    DRIVE_LANES,
    longest_mm,
    places,
    read_connectors,
    read_length,
    read_width,
    share_lanes,
    width_of,
)
from tools._cooling_story import Cooler, Noise, Space, Verdict, assumptions, noise_of, steps, verdict_of, warnings
from tools._errors import choice, count, number
from tools._result import Result, Source, Text
from tools.power import power_check

# The guide, sections 5.3 and 9.12.
THROTTLE_C = 80.0
SPACING_C = (10.0, 30.0)
CASE_C = (1.0, 3.0)
# GDDR6X slows down here (users' logs, NBMiner 289); Igor's Lab takes 105 to 110 degC for its limit.
MEMORY_THROTTLE_C = 110.0
BTU_PER_WH = 3.412142

GUIDE = Source(
    "Which GPU(s) to Get for Deep Learning, sections 5.3 and 9.12 (Tim Dettmers)",
    "https://timdettmers.com/2023/01/30/which-gpu-for-deep-learning/",
    "2023-01-30",
)
GDDR6X = Source(
    "Igor's Lab on GDDR6X temperatures, as reported by TechPowerUp",
    "https://techpowerup.com/forums/goto/post?id=4353476",
    "2020-09-21",
)
TEMPERATURE_HINT = Text("Give degrees Celsius under load, e.g. 87.", "请给出满载时的摄氏度，例如 87。")


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
        placed_cards: Cards that find a connector of the board; null without `connector_slots`. [cards]
        risers: Whether the cards sit on riser cables, away from the board.
        longest_card_mm: Length of the longest card; null if a data sheet is silent. [mm]
        length_room_mm: Room of the case beyond it, negative if it is too long. [mm]
        fits: Whether all cards fit.
        temperature_change_c_low: Degrees by which free space between the cards cools them, low end. [degC]
        temperature_change_c_high: The same, high end; 0 where there is no neighbour or no air. [degC]
        case_change_c_low: Degrees that a better case brings, low end. [degC]
        case_change_c_high: The same, high end. [degC]
        throttle_temperature_c: Above it the cards slow down. [degC]
        memory_throttle_c: Where GDDR6X memory slows down; null for other memory. [degC]
        spaced_c_low: The temperature given, with free space between the cards, low end. [degC]
        spaced_c_high: The same, high end. [degC]
        throttles: Whether the temperature given slows the cards down.
        cpu_lanes: Lanes of the processor. [lanes]
        card_lanes: Lanes every card gets. [lanes]
        needed_lanes: Lanes of cards and drives. [lanes]
        free_lanes: Lanes left. [lanes]
        heat_w: Heat of the cards at their board power or limit. [W]
        heat_btu_per_h: The same for an air conditioner. [BTU/h]
        room_heat_w: Heat of the whole machine with its supply, as drawn from the wall. [W]
        room_heat_btu_per_h: The same for an air conditioner. [BTU/h]
        noise: "quiet", "moderate" or "loud".
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
    placed_cards: int | None
    risers: bool
    longest_card_mm: float | None
    length_room_mm: float | None
    fits: bool
    temperature_change_c_low: float
    temperature_change_c_high: float
    case_change_c_low: float
    case_change_c_high: float
    throttle_temperature_c: float
    memory_throttle_c: float | None
    spaced_c_low: float | None
    spaced_c_high: float | None
    throttles: bool | None
    cpu_lanes: int | None
    card_lanes: int | None
    needed_lanes: int | None
    free_lanes: int | None
    heat_w: float
    heat_btu_per_h: float
    room_heat_w: float
    room_heat_btu_per_h: float
    noise: Noise
    verdict: Verdict


def cooling_check(
    *,
    cards: Mapping[str, int],
    cooler: Cooler = "open_air",
    board_slots: int = ATX_SLOTS,
    gap_slots: int = 0,
    risers: bool = False,
    width_slots: float | None = None,
    connector_slots: Sequence[int] | None = None,
    case_length_mm: float | None = None,
    temperature_c: float | None = None,
    memory_temperature_c: float | None = None,
    power_limit_w: float | None = None,
    cpu_lanes: int | None = None,
    other_lanes: int = DRIVE_LANES,
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
        width_slots: Width of your card instead of that of its data sheet. [slots]
        connector_slots: Positions of the board's long slots, e.g. [1, 4, 7].
        case_length_mm: Room for the length of a card in the case. [mm]
        temperature_c: Temperature of the cards now, under load. [degC]
        memory_temperature_c: Temperature of their memory now. [degC]
        power_limit_w: Limit set per card. [W]
        cpu_lanes: PCIe lanes of the processor. [lanes]
        other_lanes: Lanes for drives and network. [lanes]

    Returns:
        Slots, length, lanes, fit, temperature effects, heat, noise and a verdict.

    Raises:
        ToolInputError: If a card is unknown or sits on no slot, or a number is out of range.

    Notes:
        slots = sum(width of each card) + gap x (cards - 1); widths are rounded up. With `connector_slots` each card
        needs a long slot that no other card covers. All power a card draws becomes heat. Every card gets the same
        lanes; how a board is wired decides in the end.

    References:
        Tim Dettmers, Which GPU(s) to Get for Deep Learning (2023), 5.3: throttling above 80 degC;
        9.2: 4 lanes cost four cards 5 to 10 %; 9.12: spacing brings 10 to 30 degC, a better case 1 to 3 degC.
    """
    chosen = read_cards(cards)
    kind = _cooler(cooler)
    board = count("board_slots", board_slots, high=20, hint=Text("ATX boards have 7.", "ATX 主板有 7 个。"))
    gap = count(
        "gap_slots",
        gap_slots,
        low=0,
        high=10,
        hint=Text("Give free slots between two cards, e.g. 1.", "请给出两张卡之间的空槽数，例如 1。"),
    )
    given, connectors = read_width(width_slots), read_connectors(connector_slots, board)
    widths = {card.gpu.name: width_of(card.gpu, kind, given) for card in chosen}
    each = [widths[card.gpu.name] for card in chosen for _ in range(card.count)]
    space = Space(chosen, kind, board, gap, bool(risers), widths, given is not None)
    longest, room_mm = longest_mm(chosen), read_length(case_length_mm)
    length_room = None if room_mm is None or longest is None else room_mm - longest
    placed = None if connectors is None else places(each, connectors, board, gap)
    fits = (bool(risers) or (space.needed <= board and placed in (None, len(each)))) and (length_room or 0) >= 0
    low, high = SPACING_C if len(each) > 1 and kind != "water" else (0.0, 0.0)
    power = power_check(cards=cards, power_limit_w=power_limit_w)
    now, memory = _degrees("temperature_c", temperature_c), _degrees("memory_temperature_c", memory_temperature_c)
    hot_memory = MEMORY_THROTTLE_C if any(card.gpu.memory_type == "GDDR6X" for card in chosen) else None
    lanes = share_lanes(cpu_lanes, other_lanes, len(each))
    return CoolingCheck(
        card_count=len(each),
        cooler=kind,
        card_slots=space.taken,
        gap_slots=gap,
        slots_needed=space.needed,
        board_slots=board,
        free_slots=board - space.needed,
        possible_gap_slots=space.possible_gap,
        most_cards=(board + gap) // (max(each) + gap),
        placed_cards=placed,
        risers=bool(risers),
        longest_card_mm=longest,
        length_room_mm=length_room,
        fits=fits,
        temperature_change_c_low=low,
        temperature_change_c_high=high,
        case_change_c_low=CASE_C[0],
        case_change_c_high=CASE_C[1],
        throttle_temperature_c=THROTTLE_C,
        memory_throttle_c=hot_memory,
        spaced_c_low=None if now is None else now - high,
        spaced_c_high=None if now is None else now - low,
        throttles=None if now is None else now > THROTTLE_C,
        cpu_lanes=lanes.cpu,
        card_lanes=lanes.each,
        needed_lanes=lanes.needed,
        free_lanes=lanes.free,
        heat_w=power.gpu_w,
        heat_btu_per_h=power.gpu_w * BTU_PER_WH,
        room_heat_w=power.wall_w,
        room_heat_btu_per_h=power.wall_w * BTU_PER_WH,
        noise=noise_of(space),
        verdict=verdict_of(space, fits),
        steps=steps(
            space,
            [min(board_power_w(card.gpu), power_limit_w or 1e9) for card in chosen],
            power.wall_w,
            BTU_PER_WH,
            lanes,
        ),
        assumptions=assumptions(space, lanes, measured=length_room is not None),
        warnings=warnings(
            space,
            fits=fits,
            length_room=length_room,
            placed=placed,
            now=now,
            memory=memory,
            throttle=THROTTLE_C,
            memory_throttle=hot_memory,
            lanes=lanes,
            unmeasured=room_mm is not None and longest is None,
        ),
        sources=(*(source_of(card.gpu) for card in chosen), *((GDDR6X,) if hot_memory is not None else ()), GUIDE),
    )


def _cooler(cooler: str) -> Cooler:
    kinds: dict[str, Cooler] = {"open_air": "open_air", "blower": "blower", "water": "water"}
    return kinds[choice("cooler", cooler, kinds)]


def _degrees(name: str, value: object) -> float | None:
    return (
        None
        if value is None
        else number(name, value, "°C", low=10, high=150, may_equal_low=True, hint=TEMPERATURE_HINT)
    )


TOOLS = (cooling_check,)
