"""Verdict, noise, steps and sentences of the cooling check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tools._cards import Card
from tools._cooling_space import NARROW_SLOTS, Lanes, usual_width
from tools._result import Text
from tools._units import figure

Cooler = Literal["open_air", "blower", "water"]
Verdict = Literal["fits", "fits_but_hot", "does_not_fit"]
Noise = Literal["quiet", "moderate", "loud"]
# Four lanes a card cost four cards that train together 5 to 10 % (the guide, 9.2).
FEW_LANES = 4


@dataclass(frozen=True, slots=True)
class Space:
    """Cards on a board, as far as the sentences depend on it."""

    chosen: tuple[Card, ...]
    cooler: Cooler
    board: int
    gap: int
    risers: bool
    widths: dict[str, int]
    own_width: bool

    @property
    def cards(self) -> int:
        """Return the number of cards."""
        return sum(card.count for card in self.chosen)

    @property
    def taken(self) -> int:
        """Return the slots of all cards."""
        return sum(self.widths[card.gpu.name] * card.count for card in self.chosen)

    @property
    def needed(self) -> int:
        """Return the slots of cards and gaps."""
        return self.taken + self.gap * (self.cards - 1)

    @property
    def possible_gap(self) -> int | None:
        """Return the largest gap that fits between all cards, None for one card or too few slots."""
        return (self.board - self.taken) // (self.cards - 1) if self.cards > 1 and self.taken <= self.board else None

    @property
    def packed(self) -> bool:
        """Return whether open-air cards stand side by side."""
        return self.cards > 1 and self.cooler == "open_air" and self.gap == 0 and not self.risers


def verdict_of(space: Space, fits: bool) -> Verdict:
    """Say whether the cards fit and stay cool."""
    if not fits:
        return "does_not_fit"
    return "fits_but_hot" if space.packed else "fits"


def noise_of(space: Space) -> Noise:
    """Return how loud the machine is: blowers and server fans are loud, water and one open card are not."""
    if space.cooler == "blower" or any(card.gpu.cooler == "passive" for card in space.chosen):
        return "loud"
    if space.cooler == "water":
        return "quiet"
    return "loud" if space.packed and space.cards > 2 else "moderate"


def steps(space: Space, watts: Sequence[float], wall_w: float, btu_per_wh: float, lanes: Lanes) -> tuple[str, ...]:
    """Write the formulas with their figures; `watts` are those of one card of each kind."""
    terms = " + ".join(f"{card.count} x {space.widths[card.gpu.name]} ({card.gpu.name})" for card in space.chosen)
    drawn = " + ".join(f"{card.count} x {figure(each)} W" for card, each in zip(space.chosen, watts, strict=True))
    heat = sum(card.count * each for card, each in zip(space.chosen, watts, strict=True))
    lines = [
        f"slots_needed = {terms} + {space.gap} x {space.cards - 1} = {space.needed}",
        f"free_slots = {space.board} - {space.needed} = {space.board - space.needed}",
        f"heat_w = {drawn} = {figure(heat)} W",
        f"heat_btu_per_h = {figure(heat)} W x {btu_per_wh} = {figure(heat * btu_per_wh)} BTU/h",
        f"room_heat_btu_per_h = {figure(wall_w)} W x {btu_per_wh} = {figure(wall_w * btu_per_wh)} BTU/h",
    ]
    if lanes.needed is not None:
        lines.append(f"needed_lanes = {space.cards} x {lanes.each} + {lanes.other} = {lanes.needed}")
    return tuple(lines)


def assumptions(space: Space, lanes: Lanes, *, measured: bool) -> tuple[Text, ...]:
    """Say what was taken as given; `measured` if a length was held against the case."""
    notes: list[Text] = []
    if measured:
        notes.append(
            Text(
                "The length is that of the maker's own board; partner boards are often longer: read the page of yours.",
                "长度按公版计，非公版往往更长：请查你那张卡的产品页。",
            )
        )
    if space.cooler != "open_air" and not space.own_width:
        notes.append(
            Text(
                f"Versions with a blower or a water block are at most {NARROW_SLOTS} slots wide.",
                f"涡轮或水冷版最多占 {NARROW_SLOTS} 个槽位。",
            )
        )
    for card in space.chosen:
        if card.gpu.slots is None and space.cooler == "open_air" and not space.own_width:
            width = usual_width(card.gpu)
            notes.append(
                Text(
                    f"{card.gpu.name} has no reference board; partner boards count as {width} slots wide.",
                    f"{card.gpu.name} 没有公版，非公版按 {width} 槽计。",
                )
            )
    if space.risers:
        notes.append(Text("The case has room for the cards on their risers.", "机箱里放得下用延长线引出的显卡。"))
    else:
        notes.append(
            Text(
                "Every slot counts; which have a connector depends on the board.", "只数槽位；哪些槽有插座取决于主板。"
            )
        )
    if lanes.each is not None:
        notes.append(
            Text(
                "Lanes are shared as the processor allows; the board's wiring decides what each slot gets.",
                "通道按 CPU 的数量平分；每个槽实际几条由主板布线决定。",
            )
        )
    return tuple(notes)


def warnings(
    space: Space,
    *,
    fits: bool,
    length_room: float | None,
    placed: int | None,
    now: float | None,
    memory: float | None,
    throttle: float,
    memory_throttle: float | None,
    lanes: Lanes,
    unmeasured: bool,
) -> tuple[Text, ...]:
    """Say what a careful friend would add."""
    length = (
        (
            Text(
                "The data sheet states no length for one of these cards: measure it.",
                "其中有卡没有长度数据：请量一下。",
            ),
        )
        if unmeasured
        else ()
    )
    return (
        *length,
        *_room(space, fits, length_room, placed),
        *_heat(space, now, memory, throttle, memory_throttle),
        *_cables(space, lanes),
    )


def _room(space: Space, fits: bool, length_room: float | None, placed: int | None) -> Sequence[Text]:
    if length_room is not None and length_room < 0:
        return (
            Text(
                f"The longest card is {figure(-length_room)} mm too long for the case.",
                f"最长的卡比机箱限长多 {figure(-length_room)} mm。",
            ),
        )
    if not fits and placed is not None and placed < space.cards and space.needed <= space.board:
        return (
            Text(
                f"Only {placed} of {space.cards} cards find a long slot that no other card covers.",
                f"{space.cards} 张卡里只有 {placed} 张能插到没被挡住的长插槽。",
            ),
        )
    if not fits:
        return (
            Text(
                "Too few slots: use risers, two-slot blower or water-cooled versions, or fewer cards.",
                "槽位不够：可用延长线、双槽涡轮版或水冷版，或者减少张数。",
            ),
        )
    if not space.packed:
        return ()
    notes = [
        Text(
            "Open-air cards side by side blow hot air at each other and slow down above 80 °C.",
            "开放式散热的卡并排时互吹热风，超过 80 °C 会降频。",
        )
    ]
    if space.possible_gap:
        notes.append(
            Text(
                f"The board has room for a gap of {space.possible_gap} slot(s) between the cards: use it.",
                f"主板还能在卡之间各留 {space.possible_gap} 个空槽：请留出来。",
            )
        )
    return notes


def _heat(
    space: Space, now: float | None, memory: float | None, throttle: float, memory_throttle: float | None
) -> Sequence[Text]:
    notes: list[Text] = []
    if any(card.gpu.cooler == "passive" for card in space.chosen):
        notes.append(
            Text("A card without fans needs the airflow of a server chassis.", "无风扇的卡需要服务器机箱的风道。")
        )
    if now is not None and now > throttle:
        notes.append(
            Text(
                f"At {figure(now)} °C the cards are throttling: training slows with the clock, writing tokens"
                " hardly, because it waits for memory.",
                f"{figure(now)} °C 已在降频：训练随频率变慢，生成受显存带宽限制，几乎不慢。",
            )
        )
    if memory_throttle is not None and memory is not None and memory >= memory_throttle:
        limit = figure(memory_throttle)
        notes.append(
            Text(
                f"GDDR6X slows down at about {limit} °C whatever the core shows: better pads,"
                " air on the back plate, a lower power limit or memory clock.",
                f"GDDR6X 到约 {limit} °C 就降频，与核心温度无关：换导热垫、吹背板、降功率上限或显存频率。",
            )
        )
    return notes


def _cables(space: Space, lanes: Lanes) -> Sequence[Text]:
    notes: list[Text] = []
    if space.risers:
        notes.append(
            Text(
                "A riser must be rated for the PCIe generation of the card; mining risers with one lane are"
                " unsuitable. A bad one shows as a lower link: read width and generation under load.",
                "延长线要达到显卡的 PCIe 代数；单通道的矿机转接线不合适。"
                "质量差的线会悄悄降速：请在负载下查看链路宽度和代数。",
            )
        )
    if lanes.each == 0:
        notes.append(Text("The processor has too few lanes for these cards.", "CPU 的通道不够这些卡用。"))
    elif lanes.each is not None and lanes.each <= FEW_LANES and space.cards > 2:
        notes.append(
            Text(
                "Four lanes a card cost cards that train together 5 to 10 % (the guide, 2023).",
                "每卡 4 条通道时，多卡并行训练慢 5–10 %（指南，2023 年）。",
            )
        )
    return notes
