"""Numbers that share a unit written once: "1.19-1.48/h", "36.5 tok/s against 48.6", several prices of one hour."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.builtin.places import HOURS_OF_CARDS, MOST_PER_KWH, PER_HOUR, end_of_digits
from assistant.builtin.unitless import in_the_same_money
from assistant.measures import CURRENCIES
from assistant.numerals import Numeral

_GRAMS = re.compile(r"\s?g\b(?!\s?(?:显存|b))", re.ASCII)
_RANGE = re.compile(r"\s*(?:-|–|—|~|～|to|到|至)\s*\$?\s*", re.IGNORECASE)
# A rate without its unit beside one that has it: "36.5 tok/s against 48.6", "while two give 917".
_LIKE_BEFORE = re.compile(
    r"(?:against|vs\.?|versus|gives?|only|or|still|比|对|变成|只有|还有|剩)\s*(?:just |about )?$", re.IGNORECASE
)
_AND_BEFORE = re.compile(r"(?:\band|\bbut|,|、|和)\s*$", re.IGNORECASE)
_LEAST_INHERITED = 2.0
_ELECTRICITY = re.compile(
    r"electricity|power bill|cost of ownership|owning|running cost|cost to run|电费|电价|持有成本|拥有成本",
    re.IGNORECASE,
)
# The price before it is that of one such hour.
_RENTED = re.compile(r"(?:租价|租金|单价|rent(?:al|ed|s)?|rate|at|for)\D{0,5}$", re.IGNORECASE)


def shared(text: str, numbers: Sequence[Numeral]) -> list[Numeral]:
    """Let ranges and rates written once with their unit share it."""
    found = list(numbers)
    for index in range(len(found) - 1):
        one, other = found[index], found[index + 1]
        if _RANGE.fullmatch(text[one.end : other.start]) and one.raw < other.raw:
            found[index], found[index + 1] = _range(text, one, other)
    if _ELECTRICITY.search(text) and not any(item.unit.endswith("/kWh") for item in found):
        found = [
            replace(item, unit=f"{item.unit}/kWh")
            if item.unit in CURRENCIES and 0 < item.value < MOST_PER_KWH
            else item
            for item in found
        ]
    if any(HOURS_OF_CARDS.search(item.text) for item in found):
        found = [
            replace(item, unit=f"{item.unit}/h")
            if item.unit in CURRENCIES and _RENTED.search(text[max(0, item.start - 12) : item.start])
            else item
            for item in found
        ]
    found = in_the_same_money(text, found)
    hourly = [item for item in found if item.unit.endswith("/h") and item.unit.partition("/")[0] in CURRENCIES]
    rates = [item for item in found if item.unit == "tokens/s"]
    grids = any(item.unit == "g/kWh" for item in found)
    steps = [item for item in found if item.unit in ("J", "ms", "s/it")]
    tokens = any(item.unit == "tokens" and re.search(r"k\b", item.text, re.IGNORECASE) for item in found)
    return [_inherited(text, item, hourly, rates, steps, grids=grids, tokens=tokens) for item in found]


def _range(text: str, one: Numeral, other: Numeral) -> tuple[Numeral, Numeral]:
    if (
        other.unit == "tokens"
        and not one.unit
        and one.raw < 1000 <= other.raw
        and re.search(r"\d\s?k", other.text, re.IGNORECASE)
    ):
        return replace(one, unit="tokens", value=one.raw * 1000), other
    unit = other.unit or one.unit.replace("1e9", "")  # "8B to 32 users" is no range of sizes
    if one.unit in CURRENCIES and other.unit in ("", one.unit) and PER_HOUR.match(text, other.end):
        unit = f"{one.unit}/h"
    if unit and (one.unit in ("", unit) or unit.startswith(one.unit)) and other.unit in ("", unit):
        factor = (
            other.value / other.raw
            if other.raw and other.unit
            else (one.value / one.raw if one.raw and one.unit else 1.0)
        )
        return (
            replace(
                one, unit=unit, value=one.raw * (factor if not one.unit else one.value / one.raw if one.raw else 1.0)
            ),
            replace(other, unit=unit, value=other.value if other.unit else other.raw * factor),
        )
    return one, other


def _inherited(
    text: str,
    item: Numeral,
    hourly: Sequence[Numeral],
    rates: Sequence[Numeral],
    steps: Sequence[Numeral],
    *,
    grids: bool,
    tokens: bool,
) -> Numeral:
    before = text[max(0, item.start - 24) : item.start]
    if (
        hourly
        and item.unit == hourly[0].unit.partition("/")[0]
        and item.value <= 20 * max(rate.value for rate in hourly)
        and (item.value < 100)
    ):
        return replace(item, unit=hourly[0].unit)
    if (
        rates
        and not item.unit
        and not item.in_words
        and item.value >= _LEAST_INHERITED
        and _LIKE_BEFORE.search(before)
        and (0.1 < item.value / rates[0].value < 10)
    ):
        return replace(item, unit="tokens/s")
    if (
        steps
        and not item.unit
        and not item.in_words
        and (_LIKE_BEFORE.search(before) or _AND_BEFORE.search(before))
        and any(0.2 < item.value / step.value < 5 for step in steps if step.value)
    ):
        return replace(item, unit=steps[0].unit)
    if grids and item.unit == "GB" and _GRAMS.match(text, end_of_digits(text, item)):
        return replace(item, unit="g/kWh", value=item.raw, written="")
    if tokens and not item.unit and item.value >= 1000 and re.search(r"\dk$", item.text.strip(), re.IGNORECASE):
        return replace(item, unit="tokens")
    return item
