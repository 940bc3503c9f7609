"""Give the quantities of a question to the arguments of a tool, by unit and by the words around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.builtin.cue import Slot
from assistant.builtin.frames import Frame
from assistant.measures import CURRENCIES, UNCLEAR_SIGN
from assistant.numerals import Numeral

DAYS_PER_MONTH = 365 / 12
# unit of the slot -> {unit of the quantity: factor}
_CONVERTED: dict[str, dict[str, float]] = {
    "days": {"days": 1, "months": DAYS_PER_MONTH, "years": 365},
    "years": {"years": 1, "months": 1 / 12, "days": 1 / 365},
    "months": {"months": 1, "years": 12, "days": 1 / DAYS_PER_MONTH},
    "hours": {"h": 1, "days": 24, "months": 730, "years": 8760},
    "h/week": {"h/week": 1, "h/day": 7},
    "fraction": {"fraction": 1, "h/day": 1 / 24, "h/week": 1 / 168, "h/month": 1 / 730},
    "GB": {"GB": 1, "GiB": 1.073741824},
    "tokens": {"tokens": 1, "": 1},
    "": {"": 1, "cards": 1, "x": 1},
    "cards": {"cards": 1, "": 1},
}
# A cue this far from its quantity still speaks for it. [characters]
_REACH = 28
# Where to look for cues: the reach and the length of a long cue. A pasted log has thousands of quantities.
_WINDOW = 90
# A smaller number without a unit counts experts or cards, never tokens.
_FEWEST_TOKENS = 64
_LONGEST_CONTEXT = 262_144
# More tokens than any model reads at once: a corpus or a day's work.
_LENGTHS, _LONGEST_LENGTH = ("context_tokens", "prompt_tokens", "sequence_tokens"), 20_000_000
# The end of a clause or of a sentence between a cue and its quantity. [characters]
_CLAUSE, _SENTENCE = 12.0, 20.0
# What may stand between two quantities that are meant as a sum.
_PLUS = re.compile(
    r"[^,，;；。.?？!！\d]{0,16}(?:[+＋]|\bplus\b|加上?|外加)[^,，;；。.?？!！\d]{0,12}", re.IGNORECASE | re.ASCII
)


def convert(numeral: Numeral, unit: str) -> float | None:
    """Return a quantity in a slot's unit, or None if it is of another kind."""
    if numeral.unit == unit:
        return numeral.value
    if unit == "tokens" and numeral.value < _FEWEST_TOKENS:
        return None
    factor = _CONVERTED.get(unit, {}).get(numeral.unit)
    return None if factor is None else numeral.value * factor


def conversions(numeral: Numeral) -> list[float]:
    """Return a quantity in every unit that some slot could take it in."""
    factors = [row[numeral.unit] for row in _CONVERTED.values() if numeral.unit in row]
    return [abs(numeral.value), abs(numeral.raw), *(abs(numeral.value) * factor for factor in factors)]


def fill(frame: Frame, text: str, quantities: Sequence[Numeral]) -> dict[str, float]:
    """Return the arguments that the quantities of a question give; each is used once."""
    return fill_and_rest(frame, text, quantities)[0]


def fill_and_rest(frame: Frame, text: str, quantities: Sequence[Numeral]) -> tuple[dict[str, float], list[Numeral]]:
    """Return the arguments that quantities give, and the quantities that no argument took."""
    free = _summed(frame, text, quantities)
    filled: dict[str, float] = {}
    with_cue = [slot for slot in frame.slots if slot.cues is not None]
    offers = sorted(
        (
            (distance, index, slot, numeral)
            for index, slot in enumerate(with_cue)
            for numeral in free
            if not _is_an_ordinal(slot, text, numeral)
            and convert(numeral, slot.unit) is not None
            and not (slot.argument in _LENGTHS and numeral.value > _LONGEST_LENGTH)
            and (distance := _distance(slot, text, numeral)) is not None
        ),
        key=lambda offer: (offer[0], offer[1]),
    )
    for _, _, slot, numeral in offers:
        if slot.argument not in filled and numeral in free:
            _take(filled, free, slot, numeral)
    for slot in frame.slots:
        if slot.argument in filled or slot.need_cue:
            continue
        numeral = next((item for item in free if _may_take(slot, text, item)), None)
        if numeral is not None:
            _take(filled, free, slot, numeral)
    for slot in frame.slots:
        # "16k each": a length that says its own unit needs no word beside it, if it is the only one.
        lengths = [item for item in free if item.unit == "tokens" == slot.unit and item.value <= _LONGEST_CONTEXT]
        if slot.argument not in filled and len(lengths) == 1:
            _take(filled, free, slot, lengths[0])
    return filled, free


def _may_take(slot: Slot, text: str, item: Numeral) -> bool:
    """Whether a quantity can fill a slot that no word beside it speaks for."""
    value = convert(item, slot.unit)
    beside = text[max(0, item.start - 14) : item.end + 10]
    return value is not None and abs(value) >= slot.least and not (slot.unless and slot.unless.search(beside))


# "step 200", "layer 12": a place in a row, no number of cards.
_ORDINAL = re.compile(r"(?:step|layer|epoch|rank|iteration|line|version|round|page|chapter|第)\s*$", re.IGNORECASE)
_MOST_CARDS = 64


def _is_an_ordinal(slot: Slot, text: str, numeral: Numeral) -> bool:
    if slot.unit != "cards" or numeral.unit:
        return False
    return numeral.value > _MOST_CARDS or bool(_ORDINAL.search(text[max(0, numeral.start - 12) : numeral.start]))


def _summed(frame: Frame, text: str, quantities: Sequence[Numeral]) -> list[Numeral]:
    """Join quantities of one unit that a plus stands between, where the frame has a slot that sums."""
    units = {slot.unit for slot in frame.slots if slot.sums}
    joined: list[Numeral] = []
    for numeral in quantities:
        last = joined[-1] if joined and joined[-1].unit == numeral.unit else None
        if last and numeral.unit in units and _PLUS.fullmatch(text[last.end : numeral.start]):
            end, value = numeral.end, last.value + numeral.value
            joined[-1] = replace(last, text=text[last.start : end], end=end, value=value)
        else:
            joined.append(numeral)
    return joined


def _take(filled: dict[str, float], free: list[Numeral], slot: Slot, numeral: Numeral) -> None:
    value = convert(numeral, slot.unit)
    if value is not None:
        filled[slot.argument] = float(f"{value:.12g}")
        free.remove(numeral)


def _distance(slot: Slot, text: str, numeral: Numeral) -> float | None:
    """Return how far the nearest cue is, None beyond reach; a clause's end counts as distance."""
    if slot.cues is None:
        return None
    best: float | None = None
    for hit in slot.cues.finditer(text, max(0, numeral.start - _WINDOW), numeral.end + _WINDOW):
        gap = max(hit.start() - numeral.end, numeral.start - hit.end(), 0)
        between = text[min(hit.end(), numeral.end) : max(hit.start(), numeral.start)]
        cost = gap + _CLAUSE * sum(between.count(sign) for sign in ",，;；。?？、(（") + _SENTENCE * between.count(". ")
        cost += 0.5 if hit.start() > numeral.start else 0.0
        if cost <= _REACH and (best is None or cost < best):
            best = cost
    return best


def foreign_money(quantities: Sequence[Numeral]) -> set[str]:
    """Return the currencies of a question other than US dollars; "¥" stands for an unclear one."""
    heads = {numeral.unit.partition("/")[0] for numeral in quantities}
    return {head for head in heads if head in (*CURRENCIES, UNCLEAR_SIGN) and head != "USD"}
