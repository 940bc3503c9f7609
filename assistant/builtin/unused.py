"""How much doubt the figures of a question cast on a tool that has no use for them."""

from __future__ import annotations

import re

from assistant.builtin.frames import Frame
from assistant.builtin.reading import Reading
from assistant.builtin.sheets import sheet
from assistant.builtin.slots import fill_and_rest
from assistant.numerals import Numeral

# What each figure that the tool does not take asks for in certainty, beyond the first.
PER_FIGURE = 0.8
# What a second figure of a kind that the tool has taken adds: two supplies, two prices.
PER_RIVAL = 1.6
# What a further card does that the tool does not take.
PER_CARD = 1.6
# What a question for a reason adds when the tool takes none of its figures: tools compute, they do not explain.
WHY = 4.0
_WHY = re.compile(
    r"\bwhy\b|how come|how can .{0,40}(?:slow|trip|rise|fall)|what else|what do i do|what(?:'s| is| could be) (?:causing|wrong|going on|happening)|"
    r"what causes|holding .{0,12}back|bottleneck|where does .{0,20}\bgo\b|reason for|explain why|为什么|为啥|为何|怎么会|怎么(?:反而|还是|这么)|什么原因|原因是|瓶颈|还慢|咋回事|怎么回事|哪里出了问题",
    re.IGNORECASE,
)
# Two machines in one message: a sum over the cards of both is nobody's.
_OTHER = re.compile(r"(?:another|the other|a second) (?:machine|box|pc|computer|one\b)|另一台|另外一台", re.IGNORECASE)
_OF_A_SHEET = ("memory_gb", "board_power_w", "memory_bandwidth_gb_s", "slots", "length_mm")


def doubt(frame: Frame, reading: Reading) -> float:
    """Return by how much the certainty must exceed the usual."""
    told, rest = fill_and_rest(frame, reading.text, reading.quantities)
    strange = [item for item in _distinct(rest) if is_figure(item) and not of_a_card(item, reading)]
    if frame.against_memory:
        memory = next((item for item in strange if item.unit == "GB"), None)
        strange = [item for item in strange if item is not memory]
    strange = [item for item in strange if item.unit not in frame.claims]
    taken = {slot.unit for slot in frame.slots if slot.argument in told}
    rivals = sum(item.unit in taken and item.unit not in ("", "tokens") for item in strange)
    takes_all = frame.card in ("cards", "gpus") or "gpu" in frame.variants or "owned_cards" in frame.named.values()
    cards = 0 if takes_all else max(len(reading.known_cards) - 1, 0)
    rivals += _OTHER.search(reading.text) is not None and frame.card == "cards"
    figures = [slot for slot in frame.slots if slot.argument in told and slot.unit not in ("", "cards", "x")]
    why = WHY if _WHY.search(reading.text) and not figures else 0.0
    return why + PER_FIGURE * max(len(strange) - 1, 0) + PER_RIVAL * rivals + PER_CARD * cards


def asks_why(text: str) -> bool:
    """Whether a question asks for a reason."""
    return _WHY.search(text) is not None


def _distinct(items: list[Numeral]) -> list[Numeral]:
    return list({(item.value, item.unit): item for item in items}.values())


def is_figure(item: Numeral) -> bool:
    """Whether a number is a figure: "one", "2 cards" and "first" are none; 0.9 and 350 W are."""
    if item.in_words and item.raw == 1:
        return False  # "one SM", "一秒"
    if item.unit == "tokens" and item.value == 1e6 and item.raw in (1, 1e6):
        return False  # "per million tokens" is what a price is for
    return item.unit not in ("", "cards", "x") or (not item.in_words and item.value >= 10)


def of_a_card(item: Numeral, reading: Reading) -> bool:
    """Return whether a figure only repeats the data sheet of a card that is named."""
    return any(
        getattr(sheet(name), field, None) in (item.value, item.value / count)
        for name, count in reading.known_cards.items()
        for field in _OF_A_SHEET
    )
