"""How exactly a literal was meant: by its digits, by "about" before it, by "nearly" or "over"."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.grounding.facts import Fact, Index
from assistant.numerals import Numeral
from assistant.units import measured

_ABOUT = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|approx\.?|some|circa|ca\.|nearly|almost|just (?:under|over))|[~≈∼]|约|大概|将近|接近|差不多)"
    r"\s*[$€£]?$",
    re.IGNORECASE,
)
_ABOUT_BEHIND = re.compile(r"\s?(?:左右|上下|or so\b)")
_NOT_QUITE = re.compile(r"(?:\b(?:nearly|almost|just under|not quite|close to)|将近|接近|不到)$")
_MORE_THAN = re.compile(r"(?:\b(?:just over|a little over|well over|over)|超过|略超|刚过)$")
# How those end: most figures have none of them before them, and a look at the end costs less than a search.
_ENDS = ("nearly", "almost", "under", "quite", "close to", "将近", "接近", "不到", "over", "超过", "略超", "刚过")
# What is written rounded keeps at least so many figures. [1]
_LEAST_FIGURES = 3
# A single digit may stand for 1.6 as well as for 2.4; of an amount it may not move the figure further than this. [1]
_FURTHEST = 0.2
# "Nearly" is closer. [1]
_NEARLY = 0.1
_ROUND_FREELY = ("count", "fraction", "x", "h")
_PERIOD = re.compile(r"(?:st|nd|rd|th)[\s-](hour|day|week|month|year)\b", re.IGNORECASE)
_PERIOD_UNITS = {
    "hour": ("h", 1.0),
    "day": ("days", 1.0),
    "week": ("days", 7.0),
    "month": ("months", 1.0),
    "year": ("years", 1.0),
}
_ZH_ORDINAL = re.compile(r"第\s?$")
_SHARE_OF = re.compile(r"\s*(?:of(?: the)?|的)\s*", re.IGNORECASE)


def half_step(numeral: Numeral, text: str) -> float:
    """Return how far a value may be from what is written, in the unit of what it measures.

    The last digit says it; the noughts of "about 1,740 W" are none, as long as three figures stand before them.
    """
    step = numeral.step
    whole = abs(numeral.raw / step) if step else 0.0
    if not numeral.in_words and whole >= 10**_LEAST_FIGURES and _is_about(numeral, text):
        while round(whole) % 10 == 0 and whole >= 10**_LEAST_FIGURES:
            whole, step = whole / 10, step * 10
    return 0.5 * step * abs(measured(numeral.unit)[1] * numeral.factor)


def _is_about(numeral: Numeral, text: str) -> bool:
    before = text[max(0, numeral.start - 16) : numeral.start]
    return bool(_ABOUT.search(before) or _ABOUT_BEHIND.match(text, numeral.end))


def close_enough(facts: Sequence[Fact], numeral: Numeral, text: str) -> list[Fact]:
    """Drop what a word like "nearly" or "over" excludes, and amounts that one digit would move too far."""
    if not facts:
        return []
    kind, factor = measured(numeral.unit)
    said = abs(numeral.value * factor)
    before = text[max(0, numeral.start - 16) : numeral.start].rstrip(" \t\n$€£").lower()
    below = above = False
    if before.endswith(_ENDS):
        below, above = bool(_NOT_QUITE.search(before)), bool(_MORE_THAN.search(before))
    if not (below or above) and (kind in _ROUND_FREELY or numeral.step <= _FURTHEST * abs(numeral.raw)):
        return list(facts)  # half a step cannot move it so far
    furthest = math.inf if kind in _ROUND_FREELY else _FURTHEST
    furthest = min(furthest, _NEARLY) if below else furthest
    slack = 1e-9 * max(1.0, said)
    return [
        fact
        for fact in facts
        if measured(fact.unit)[0] != kind
        or (
            abs(abs(fact.base) - said) <= furthest * abs(fact.base) + slack
            and not (below and abs(fact.base) > said + slack)
            and not (above and abs(fact.base) < said - slack)
        )
    ]


def period_of(numeral: Numeral, text: str) -> Numeral | None:
    """Return the span that "the 12th month" or "第 12 个月" counts, as a number of its unit; None for anything else."""
    hit = _PERIOD.match(text, numeral.end)
    if hit:
        unit, factor = _PERIOD_UNITS[hit[1].lower()]
        return replace(numeral, unit=unit, value=numeral.raw * factor, factor=factor)
    if measured(numeral.unit)[0] != "h":
        return None
    return numeral if _ZH_ORDINAL.search(text[max(0, numeral.start - 2) : numeral.start]) else None


def within_period(numeral: Numeral, index: Index) -> list[Fact]:
    """Return the spans that end in a period: 9.6 months do in the tenth."""
    kind, factor = measured(numeral.unit)
    length = factor * numeral.factor
    middle = numeral.value * factor - length / 2
    return [
        fact for fact in index.near(kind, middle, length / 2) if not fact.in_text and fact.base > middle - length / 2
    ]


def is_share_of_share(numeral: Numeral, numerals: Sequence[Numeral], text: str) -> bool:
    """ "15% of 15%": both may be there, their product is not."""
    return numeral.unit == "fraction" and any(
        other.unit == "fraction" and other.start >= numeral.end and _SHARE_OF.fullmatch(text, numeral.end, other.start)
        for other in numerals
    )
