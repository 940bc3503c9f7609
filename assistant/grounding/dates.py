"""Dates of an answer: each must be the date of a result, of a cited passage beside it, or the person's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from assistant.grounding.facts import cards_of
from assistant.grounding.remembered import remembered
from assistant.letters import narrow, small
from assistant.number_words import han_value, word_value
from tools.api import Json, is_array, is_object

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<em>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
# Over small letters; a look at the first sign saves most places the rest.
_DATE = re.compile(
    r"(?<![\d.,$€£¥-])(?=[\djfmasond])(?:(?P<y>(?:19|20)\d\d)[-/.](?P<m>\d{1,2}|[一二三四五六七八九十]{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?:[-/.](?P<d>\d{1,2}))?(?!\d|-|[/.]\d)|"
    r"(?P<cy>(?:19|20)\d\d)\s?年(?:\s?(?P<cm>\d{1,2}|[一二三四五六七八九十]{1,2})\s?月(?:\s?(?P<cd>\d{1,2}|[一二三四五六七八九十]{1,3})\s?[日号])?)?|"
    rf"(?:(?P<ed>\d{{1,2}})\s+)?(?<![a-z]){_MONTH}\.?(?:\s+(?P<ed2>\d{{1,2}}),?)?\s+(?P<ey>(?:19|20)\d\d)(?!\d)|"
    r"(?P<only>(?:19|20)\d\d)(?![-/\d,.]*\d)(?!\s?[-/]?\s?(?:[wvab]\b|k?wh?\b|mb|gb|gib|tb|tokens?|usd|eur|cny|days?|hours?|h\b|%|x\b|°|mm|mhz|tflops|tops|美元|元|瓦|"
    r"天|小时|块|倍|度|张|个|cards?|gpus?|cycles?|cores?|samples?|images?|watts?)))",
    re.ASCII,
)
_YEAR = re.compile(r"[12][90]\d\d", re.ASCII)
# Day and month before a year take no more. [characters]
_LEAD = 32
_SOURCE_WORDS = re.compile(r"guide|article|survey|paper|blog|says|指南|文章|综述|作者|《", re.IGNORECASE | re.ASCII)
_DATE_FIELDS = ("date", "as_of", "launch_date", "price_as_of")


@dataclass(frozen=True, slots=True)
class Date:
    """A date in a text, as year, month and day as far as it says."""

    start: int
    end: int
    text: str
    parts: tuple[int, ...]


class Known(NamedTuple):
    """A date of the evidence: where, what its source is called, which cards it is about."""

    ref: str
    parts: tuple[int, ...]
    cards: frozenset[str] = frozenset()
    in_text: bool = False
    of_source: bool = False


@lru_cache(maxsize=8192)
def dates_in(text: str) -> tuple[Date, ...]:
    """Return the dates of a text from left to right; a bare year counts unless a unit follows."""
    found: list[Date] = []
    for hit in _hits(small(narrow(text))):
        part = hit.groupdict()
        month = _MONTHS.index(part["em"][:3]) + 1 if part["em"] else None
        year = part["y"] or part["cy"] or part["ey"] or part["only"]
        parts = [int(year)]
        for value in (part["m"] or part["cm"] or month, part["d"] or part["cd"] or part["ed"] or part["ed2"]):
            if value is None:
                break
            parts.append(_whole(value))
        found.append(Date(hit.start(), hit.end(), text[hit.start() : hit.end()], tuple(parts)))
    return tuple(found)


def _hits(low: str) -> Iterator[re.Match[str]]:
    """Yield the dates of a text: each has a year, so that nothing far before the next one need be looked at."""
    at = 0
    while year := _YEAR.search(low, at):
        hit = _DATE.search(low, max(at, year.start() - _LEAD))
        if hit is None:
            return
        yield hit
        at = hit.end()


def _whole(value: str | int) -> int:
    """Read a day or a month, also in words."""
    if isinstance(value, int) or value.isdecimal():
        return int(value)
    return int(word_value(value) or 0) if value.isascii() else int(han_value(value))


@remembered
def known_dates(results: Mapping[str, Mapping[str, Json]], user: tuple[str, ...]) -> dict[int, list[Known]]:
    """Return every date of the results and of what the person said, by its year."""
    found = [Known("user", date.parts, in_text=True) for said in user for date in dates_in(said)]
    for ref, call in results.items():
        found += _dates_of({ref: call})
    by_year: dict[int, list[Known]] = {}
    for known in found:
        by_year.setdefault(known.parts[0], []).append(known)
    return by_year


@remembered
def _dates_of(results: Mapping[str, Mapping[str, Json]]) -> list[Known]:
    ((ref, call),) = results.items()
    return list(_walk(call.get("result"), ref, "", _cards(call.get("arguments") or {}, frozenset())))


def _cards(value: Mapping[str, Json], outer: frozenset[str]) -> frozenset[str]:
    names = [text for key in ("gpu", "name", "title") for text in [value.get(key)] if isinstance(text, str)]
    return frozenset(card.name for name in names for card in cards_of(name) if card.name) or outer


def _walk(value: Json, path: str, name: str, cards: frozenset[str]) -> Iterator[Known]:
    if isinstance(value, str):
        in_field = name in _DATE_FIELDS
        for date in dates_in(value) if name != "url" else ():
            yield Known(path, date.parts, cards, not in_field, ".sources." in path)
    elif is_object(value):
        cards = _cards(value, cards)
        for key, item in value.items():
            if not isinstance(item, (int, float)):
                yield from _walk(item, f"{path}.{key}", str(key), cards)
    elif is_array(value):
        for index, item in enumerate(value):
            yield from _walk(item, f"{path}.{index}", name, cards)


def vouched(date: Date, known: Mapping[int, Sequence[Known]], cards: frozenset[str], line: str) -> str | None:
    """Return the reference of the evidence that has a date, or None.

    A whole date is a field's; a bare year is one that a sentence of the evidence says, or a source's beside its mention.
    """
    for item in known.get(date.parts[0], ()):
        if item.parts[: len(date.parts)] != date.parts:
            continue
        if item.cards and cards and not item.cards & cards and not item.in_text and not item.of_source:
            continue
        if len(date.parts) > 1 or item.in_text or not item.of_source or _SOURCE_WORDS.search(line):
            return item.ref
    return None
