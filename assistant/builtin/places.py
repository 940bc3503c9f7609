"""Read a number by where it stands: "day 300", "30B tokens", "1659 J", "51.8 s/it", "1.19-1.48/h", "i7-4790"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.measures import CURRENCIES
from assistant.names import Mention
from assistant.numerals import Numeral

_NEAR = 48
_OF_TOKENS = re.compile(r"\s*个?\s*(?:tokens?|词元)", re.IGNORECASE)
_PER_SECOND_BEFORE = re.compile(r"每秒(?:钟)?\D{0,5}$")
_PER_SECOND_AFTER = re.compile(r"\s*(?:tokens?|词元)?\s*(?:(?:a|each|every) second|每秒)", re.IGNORECASE)
# "184,320 A100 hours", "300 张卡时": the number before the card counts hours.
_CARD_HOURS = re.compile(
    r"\s*(?:SXM\d?|PCIe)?[\s-]*(?:gpu[\s-]?)?(?:hours?\b|小时|卡时|card-hours?)", re.IGNORECASE | re.ASCII
)
# "每天用 6 小时", "6 hours daily": the span may stand before or behind.
_HOURS_PER = tuple(
    (unit, re.compile(before + r"\D{0,5}$"), re.compile(rf"\s*(?:{after})", re.IGNORECASE))
    for unit, before, after in (
        ("h/day", "每[天日]", "daily|每天"),
        ("h/week", "每(?:周|星期)", "weekly|每周"),
        ("h/month", "每(?:个)?月", "monthly|每月"),
    )
)
_DAY = re.compile(r"\bday\s+$", re.IGNORECASE | re.ASCII)
# Units that only some rules need; they stand behind a bare number.
_BEHIND = tuple(
    (re.compile(pattern, re.ASCII), unit)
    for pattern, unit in (
        (r"\s?J(?![A-Za-z])| joules?\b", "J"),
        (r"\s?ms(?![A-Za-z])| milliseconds?\b|\s?毫秒", "ms"),
        (r"\s?(?:s|sec|seconds?|秒)\s?/\s?(?:it|iter|step|步)", "s/it"),
        (r" (?:seconds?|secs?)\b|\s?秒(?!/)", "s"),
        (r"\s?g(?:rams?)?\s*(?:CO2|CO₂)?\w*\s*(?:/|per )\s?kWh", "g/kWh"),
    )
)
_GRAMS = re.compile(r"\s?g\b(?!\s?(?:显存|b))", re.ASCII)
_MILLIWATT = re.compile(r"\s?mW\b")
_RANGE = re.compile(r"\s*(?:-|–|—|~|～|to|到|至)\s*\$?\s*", re.IGNORECASE)
_PER_HOUR = re.compile(r"\s*(?:/|per |an |每)\s*(?:h|hour|小时)", re.IGNORECASE)
# A rate without its unit beside one that has it: "36.5 tok/s against 48.6", "while two give 917".
_LIKE_BEFORE = re.compile(
    r"(?:against|vs\.?|versus|gives?|only|or|still|比|对|变成|只有|还有|剩)\s*(?:just |about )?$", re.IGNORECASE
)
_AND_BEFORE = re.compile(r"(?:\band|\bbut|,|、|和)\s*$", re.IGNORECASE)
# "i7-4790", "X570", "RM750x": the digits of a processor or a board are no quantity.
_IN_A_CODE = re.compile(r"(?:\bi[3579]-|(?<![A-Za-z])(?!US|SM)[A-Z]{1,3})$", re.ASCII)
_LEAST_INHERITED = 2.0


def placed(text: str, number: Numeral, mentions: Sequence[Mention]) -> Numeral:
    """Return a number with the unit that its place gives it."""
    before = text[max(0, number.start - _NEAR) : number.start]
    if number.unit == "1e9" and _OF_TOKENS.match(text, number.end):
        return replace(number, value=number.value * 1e9, unit="tokens")
    for unit, ahead, after in _HOURS_PER if number.unit == "h" else ():
        if ahead.search(before) or after.match(text, number.end):
            return replace(number, unit=unit)
    counts_tokens = number.unit == "tokens" or (not number.unit and _OF_TOKENS.match(text, number.end))
    if counts_tokens and (_PER_SECOND_BEFORE.search(before) or _PER_SECOND_AFTER.match(text, number.end)):
        return replace(number, unit="tokens/s")
    digits = number.start + len(number.text) if not number.unit else _end_of_digits(text, number)
    if number.written in ("mW", "mw") and _MILLIWATT.match(text, digits):
        return replace(number, value=number.raw / 1000)
    for pattern, unit in _BEHIND:
        hit = pattern.match(text, digits)
        if hit and number.unit in ("", "GB", "x"):
            return replace(
                number, unit=unit, value=number.raw, end=hit.end(), text=text[number.start : hit.end()], written=""
            )
    if number.unit not in ("", "cards", "x"):
        return number
    if _DAY.search(before):
        return replace(number, unit="days")
    for mention in mentions:
        beside = number.end <= mention.start and not text[number.end : mention.start].strip(" 个张块")
        if beside and _CARD_HOURS.match(text, mention.end):
            return replace(number, unit="h")
    return number


def _end_of_digits(text: str, number: Numeral) -> int:
    hit = re.compile(r"[\d.,]+").match(text, number.start)
    return hit.end() if hit else number.end


def is_code(text: str, number: Numeral) -> bool:
    """Whether a number is part of a product code such as "i7-4790" or "X570"."""
    before = text[max(0, number.start - 6) : number.start]
    processor = number.raw in (3, 5, 7, 9) and re.search(r"\bi$", before, re.ASCII) is not None
    return not number.in_words and (processor or _IN_A_CODE.search(before) is not None)


def shared(text: str, numbers: Sequence[Numeral]) -> list[Numeral]:
    """Let ranges and rates written once with their unit share it."""
    found = list(numbers)
    for index in range(len(found) - 1):
        one, other = found[index], found[index + 1]
        if _RANGE.fullmatch(text[one.end : other.start]) and one.raw < other.raw:
            found[index], found[index + 1] = _range(text, one, other)
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
    unit = other.unit or one.unit
    if one.unit in CURRENCIES and other.unit in ("", one.unit) and _PER_HOUR.match(text, other.end):
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
    if grids and item.unit == "GB" and _GRAMS.match(text, _end_of_digits(text, item)):
        return replace(item, unit="g/kWh", value=item.raw, written="")
    if tokens and not item.unit and item.value >= 1000 and re.search(r"\dk$", item.text.strip(), re.IGNORECASE):
        return replace(item, unit="tokens")
    return item
