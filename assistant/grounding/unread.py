"""Amounts that are not read as numbers: fractions in words, vague thousands, circled and Roman signs.

What cannot be held against a field does not pass; a model is told to write digits instead.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from assistant.grounding.records import Unbound
from assistant.letters import small

WHY = "this amount cannot be checked; write it with digits or by reference"
# All over small letters. A match holds one of these hints, begins and ends so near it; to look for them costs little.
_BEFORE, _BEHIND = 24, 24
_HINTS = re.compile(
    r"third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|teenth|tieth|second[\s-][hdwmy]|"
    r"couple of|several|few|many\s"
)
_WORDS = re.compile(
    r"\b(?:an?|one|two|three|four|five|six|seven|eight|nine|\d+)[\s-](?:third|quarter|fifth|sixth|eighth|tenth)s?\b|"
    r"\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teenth|(?:twen|thir|for|fif|six|seven|eigh|nine)tieth)[\s-](?:hour|day|week|month|year)\b|"
    r"\b(?:a couple of|several|a few|many)\s+(?:dozen|hundred|thousand|million)s?\b",
    re.ASCII,
)
_SHARES = re.compile(r"\d+\s?/\s?\d+ of\b", re.ASCII)
_ROMAN = re.compile(r"\b(?<!\.)[mdclxvi]{3,}(?=\s?(?:w|gb|days?|hours?|watts?)\b)", re.ASCII)
_CHINESE_HINTS = re.compile(r"[成分百千万亿壹贰叁肆伍陆柒捌玖拾佰仟]")
_CHINESE = re.compile(
    r"(?<!统)[一二两三四五六七八九]成(?![本为员都功分交长绩熟])|(?<!百)[二三四五六七八九十]分之[一二三四五六七八九十]|"
    r"(?:好几|几|数|上)[百千万亿]|[壹贰叁肆伍陆柒捌玖拾佰仟]{2,}"
)
# Latin letters and punctuation are neither read nor looked at one by one.
_ODD = re.compile(r"[^\x00-\x7f]")


def unread(
    text: str, covered: Sequence[tuple[int, int]], user: Sequence[str], said: Callable[[int], bool]
) -> Iterator[Unbound]:
    """Yield the amounts of a text that the reader of numbers does not know.

    Args:
        text: The answer.
        covered: Spans that are quoted or bound already.
        user: What the person said, which may be repeated.
        said: Whether the tools say the sentence at a position themselves.
    """
    low = small(text)
    words = {
        hit.span(): hit
        for hint in _HINTS.finditer(low)
        for hit in _WORDS.finditer(low, max(0, hint.start() - _BEFORE), hint.end() + _BEHIND)
    }
    chinese = _CHINESE.finditer(low) if _CHINESE_HINTS.search(low) else ()
    for hit in (*words.values(), *chinese, *_SHARES.finditer(low), *_ROMAN.finditer(low)):
        if (
            not _inside(hit.start(), covered)
            and not any(hit[0] in line.lower() for line in user)
            and not said(hit.start())
        ):
            yield Unbound(text[hit.start() : hit.end()], WHY)
    for hit in _ODD.finditer(text):
        at, odd = hit.start(), unicodedata.category(hit[0]) in ("No", "Nl")
        if odd and not _is_plain(text, at) and not _inside(at, covered):
            yield Unbound(hit[0], WHY)


def _inside(at: int, covered: Sequence[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in covered)


def _is_plain(text: str, at: int) -> bool:
    """ "CO₂", "m²", and a circled number that counts the lines of a list."""
    before = text[at - 1 : at]
    small = "SUPERSCRIPT" in unicodedata.name(text[at], "") or "SUBSCRIPT" in unicodedata.name(text[at], "")
    return (small and before.isalpha()) or (
        not small and before in ("", "\n") and not text[at + 1 : at + 2].isnumeric()
    )
