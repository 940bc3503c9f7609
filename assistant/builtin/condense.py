"""Cut a pasted log to what a question is about: a person's own words, and the lines that say something new."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from assistant.builtin.orders import without_orders

# A message up to this long is read whole. [characters]
READ_WHOLE = 4_000
# What is kept of a longer one: its end, where the question stands, its beginning, and lines about cards and figures.
_END, _BEGIN, _MIDDLE = 1_500, 800, 1_600
_LONGEST_LINE = 400
_TELLS = re.compile(
    r"(?:RTX|GTX|A100|H100|V100|\b[2345]0[5-9]0)\b|\d\s?(?:W|GB|GiB|kWh|tok/s|USD)\b|[$¥€]\s?\d|\d\s?(?:瓦|元|度)",
    re.ASCII,
)


@lru_cache(maxsize=4)  # a turn reads its question several times
def condensed(text: str) -> str:
    """Return a text that is short enough to be read by rule, in the order of the original."""
    if len(text) <= READ_WHOLE:
        return without_orders(text)
    lines = [line.strip() for line in re.split(r"\n|(?<=[。！？])|(?<=[.!?])\s", text) if line.strip()]
    shapes = [_shape(line) for line in lines]
    seen = Counter(shapes)
    rare = [line[:_LONGEST_LINE] for line, shape in zip(lines, shapes, strict=True) if seen[shape] <= 2]
    if sum(map(len, rare)) <= READ_WHOLE and rare:
        return without_orders("\n".join(rare))
    begin, end = text[:_BEGIN], text[-_END:]
    asked = {word.lower() for word in re.findall(r"[A-Za-z]{4,}|\d{4}", end)}
    middle: list[str] = []
    room = _MIDDLE
    for line in sorted(rare, key=lambda line: -_worth(line, asked))[:40]:
        if line not in begin and line not in end and room > len(line) and _worth(line, asked) > 0:
            middle.append(line)
            room -= len(line)
    chosen = set(middle)
    return without_orders("\n".join([begin, *(line for line in rare if line in chosen), end]))


def _shape(line: str) -> str:
    """Lines of a log that differ in their digits only are one kind of line."""
    return re.sub(r"\d+", "0", line[:_LONGEST_LINE])


def _worth(line: str, asked: set[str]) -> float:
    found = {word.lower() for word in re.findall(r"[A-Za-z]{4,}|\d{4}", line)}
    return len(found & asked) + 2 * len(_TELLS.findall(line)) ** 0.5
