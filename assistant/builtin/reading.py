"""Read a question: cards with counts, models, weight formats, and quantities that are none of these."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TypeVar

from assistant.builtin.places import is_code, placed, shared
from assistant.builtin.scripts import simplified
from assistant.builtin.spelling import mended
from assistant.evidence import language_of
from assistant.figures import Language
from assistant.names import Mention, cards_in, models_in, name_spans
from assistant.numerals import Numeral, read_numbers

Item = TypeVar("Item")
# How far a count may stand from its card, and how long a name may be. [characters]
_NEAR, _LONGEST_NAME = 48, 80
# Between a count and its card stand at most a measure word and an adjective or two.
_BETWEEN = re.compile(
    r"^[\s×x*]*(?:\d+\s?GB?\s*的?\s*)?(?:张|块|片|个|路|卡|cards? of|pieces? of|used|second-hand|new|nvidia|geforce|air-cooled|"
    r"blower|二手|全新|英伟达|涡轮|of|the|这种)?[\s×x*]*(?:的|nvidia|geforce|used|blower)?\s*$",
    re.IGNORECASE | re.ASCII,
)
_AFTER = re.compile(r"^s?\s*(?:[x×*]\s*|显卡\s*|cards?\s*)?$", re.IGNORECASE | re.ASCII)
_PAIR = re.compile(r"(?:双|dual|twin|a pair of|both)[\s-]*(?:张|块|卡|路)?\s*$", re.IGNORECASE | re.ASCII)
_ALSO = re.compile(r"\b(?:another|a second|second|one more)\s*$|再加一张\s*$|第二张\s*$", re.IGNORECASE | re.ASCII)
_FORMATS = re.compile(
    r"(?<![A-Za-z0-9])(Q[2-8](?:_[A-Z0-9]+)*|FP\s?(?:4|8|16|32)|BF\s?16|INT\s?(?:4|8)|NF4|AWQ|GPTQ|TF32)(?![A-Za-z0-9])|"
    r"((?:4|8|16|32)[\s-]?(?:bit|位))|(unquanti[sz]ed|not quanti[sz]ed|没(?:有)?量化|未量化|不量化)",
    re.IGNORECASE | re.ASCII,
)
_BITS = {"4": "INT4", "8": "INT8", "16": "FP16", "32": "FP32"}
_SIZE = re.compile(
    r"(?<![A-Za-z0-9.])(\d+(?:\.\d+)?)\s?[bB](?![A-Za-z0-9])|(\d+(?:\.\d+)?)\s?亿(?:参数|个参数)?|"
    r"(\d+(?:\.\d+)?) (?:billion|bn)(?: parameters?| params?)?|(\d+(?:\.\d+)?)\s?M\s?(?:参数|param)"
)
_OF_TOKENS = re.compile(r"\s*个?\s*(?:tokens?|词元)", re.IGNORECASE)
# "3 台 8×L20", "two nodes of eight H100s": so many machines of so many cards.
_MACHINES = re.compile(
    r"(?:台|个?节点|机器|(?:machines?|nodes?|hosts?|servers?|boxes)(?: (?:of|with|each with))?)\s*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class CardCount:
    """A card of the question and how many of it; `name` is None for a card that does not exist."""

    text: str
    name: str | None
    count: int
    start: int
    end: int
    stated: bool
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question holds."""

    text: str
    language: Language
    cards: tuple[CardCount, ...] = ()
    models: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    quantities: tuple[Numeral, ...] = field(default_factory=tuple)

    @property
    def known_cards(self) -> dict[str, int]:
        """Cards of the catalogue with their counts."""
        counts: dict[str, int] = {}
        for card in self.cards:
            if card.name and card.name not in counts:
                counts[card.name] = card.count
        return counts

    @property
    def unknown_cards(self) -> tuple[str, ...]:
        """Names of cards that do not exist."""
        return tuple(card.text for card in self.cards if card.name is None)


def read(text: str) -> Reading:
    """Read a question in Chinese, English or a mixture."""
    text = mended(simplified(text))
    mentions = cards_in(text)
    starts = [mention.start for mention in mentions]
    numbers = [
        placed(text, number, _next_to(mentions, starts, number.end, number.end + _NEAR))
        for number in read_numbers(text)
        if not is_code(text, number)
    ]
    numbers = shared(text, numbers)
    cards, used = _count_cards(text, mentions, numbers)
    names = [(card.start, card.end) for card in cards]
    names += [(start, end) for start, end, _ in models_in(text)]
    sizes = [
        hit for hit in _SIZE.finditer(text) if not _inside(hit.start(), names) and not _OF_TOKENS.match(text, hit.end())
    ]
    spans = [*names, *name_spans(text), *((hit.start(), hit.end()) for hit in sizes)]
    spans.sort()
    firsts = [start for start, _ in spans]
    quantities = tuple(
        number
        for number in numbers
        if number not in used
        and not _is_year(number)
        and not _inside(number.start, _next_to(spans, firsts, number.start - _LONGEST_NAME, number.start + 1))
    )
    return Reading(text, language_of(text), tuple(cards), _models(text, sizes), _formats(text), quantities)


# 2048 is a length or a batch, no year.
LATEST_YEAR = 2040


def _is_year(number: Numeral) -> bool:
    """ "the 2023 guide", "2023年那篇": a date, no quantity."""
    return number.unit in ("", "years") and number.raw == int(number.raw) and 1990 <= number.raw <= LATEST_YEAR


def _next_to(items: list[Item], starts: list[int], low: int, high: int) -> list[Item]:
    """Return the items that start in [low, high); a pasted log has thousands of them."""
    return items[bisect_left(starts, low) : bisect_left(starts, high)]


def _inside(position: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= position < end for start, end in spans)


def _count_cards(text: str, mentions: list[Mention], numbers: list[Numeral]) -> tuple[list[CardCount], set[Numeral]]:
    cards: list[CardCount] = []
    used: set[Numeral] = set()
    starts = [number.start for number in numbers]
    for mention in mentions:
        near = _next_to(numbers, starts, mention.start - _NEAR, mention.end + _NEAR)
        count, numeral = _count_of(text, mention, near)
        if numeral is not None:
            used.add(numeral)
            machines = _machines_of(text, numeral, near)
            if machines is not None and count:
                used.add(machines)
                count *= int(machines.raw)
        cards.append(
            CardCount(
                mention.text.strip(),
                mention.name,
                count or 1,
                mention.start,
                mention.end,
                count is not None,
                mention.others,
            )
        )
    return cards, used


def _machines_of(text: str, count: Numeral, numbers: list[Numeral]) -> Numeral | None:
    """The number of machines that each hold so many cards."""
    return next(
        (
            number
            for number in numbers
            if number.end <= count.start
            and 1 < number.raw <= 1000
            and _MACHINES.search(text[number.end : count.start])
            and len(text[number.end : count.start]) < 20
        ),
        None,
    )


def _count_of(text: str, mention: Mention, numbers: list[Numeral]) -> tuple[int | None, Numeral | None]:
    before = text[max(0, mention.start - _NEAR) : mention.start]
    if _PAIR.search(before):
        return 2, None
    for numeral in numbers:
        if numeral.unit not in ("", "cards", "x") or numeral.raw != int(numeral.raw) or not 0 < numeral.raw <= 20_000:
            continue
        if numeral.end <= mention.start and _BETWEEN.match(text[numeral.end : mention.start]):
            return int(numeral.raw), numeral
    for numeral in numbers:
        if (
            numeral.start >= mention.end
            and numeral.unit in ("cards", "")
            and numeral.raw == int(numeral.raw)
            and (numeral.unit == "cards" or re.match(r"^s?\s*[x×*]", text[mention.end : numeral.start]))
            and 0 < numeral.raw <= 20_000
            and _AFTER.match(text[mention.end : numeral.start])
        ):
            return int(numeral.raw), numeral
    return None, None


def _models(text: str, sizes: list[re.Match[str]]) -> tuple[str, ...]:
    found = [shown for _, _, shown in models_in(text)]
    if not found:
        for hit in sizes:
            millions = float(hit[4]) / 1000 if hit[4] else 0.0
            billions = float(hit[1] or hit[3]) if hit[1] or hit[3] else millions or float(hit[2]) / 10
            found.append(f"{billions:g}B")
    return tuple(dict.fromkeys(found))


def _formats(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for hit in _FORMATS.finditer(text):
        if hit[1] or hit[3]:
            found.append(hit[1].upper().replace(" ", "") if hit[1] else "FP16")
        else:
            found.append(_BITS[re.sub(r"\D", "", hit[2])])
    return tuple(dict.fromkeys(found))
