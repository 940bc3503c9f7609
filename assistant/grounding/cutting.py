"""Cut a text into sentences, paragraphs and tables."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

# One class first, so that the search goes from one such sign to the next.
_SENTENCE_END = re.compile(r"[.!?。！？；;\n](?:(?<=[.!?])[\"”')\]]*\s+|(?<=[。！？；])|(?<=;)\s|(?<=\n)\n*)")
_BLANK_LINE = re.compile(r"\n\s*\n")
_RULE = re.compile(r"^\s*\|?[\s:|-]+\|[\s:|-]*$")


class Span(NamedTuple):
    """A piece of the text."""

    start: int
    end: int


class Cell(NamedTuple):
    """A cell of a table.

    Attributes:
        span: The cell.
        label: The first cell of its row.
        head: The head of its column.
        corner: The first cell of the head.
    """

    span: Span
    label: Span
    head: Span
    corner: Span


class Tables:
    """The tables of a text; the rule below a head is left out."""

    def __init__(self, text: str) -> None:
        # Each row with the head of its table.
        self._rows: list[tuple[list[Span], list[Span]]] = []
        head: list[Span] | None = None
        at = 0
        for line in text.split("\n") if "|" in text else ():
            if not line.lstrip().startswith("|"):
                head = None
            elif not _RULE.match(line):
                row = _cells(line, at)
                head = head or row
                self._rows.append((row, head))
            at += len(line) + 1
        self._starts = [row[0].start for row, _ in self._rows]

    def cell(self, position: int) -> Cell | None:
        """Return the cell that a position is in, if it is in one."""
        at = bisect_right(self._starts, position) - 1
        if at < 0:
            return None
        row, head = self._rows[at]
        for column, cell in enumerate(row):
            if cell.start <= position < cell.end:
                return Cell(cell, row[0], head[min(column, len(head) - 1)], head[0])
        return None


def sentences_in(text: str) -> list[Span]:
    """Return the sentences of a text; a line ends one, too."""
    return _cut(text, _SENTENCE_END)


def paragraphs_in(text: str) -> list[Span]:
    """Return the paragraphs, lists and tables of a text: what blank lines part."""
    return _cut(text, _BLANK_LINE)


def _cut(text: str, ends: re.Pattern[str]) -> list[Span]:
    spans: list[Span] = []
    start = 0
    for hit in ends.finditer(text):
        if hit.start() > start or hit.end() > start:
            spans.append(Span(start, hit.end()))
            start = hit.end()
    spans.append(Span(start, len(text)))
    return spans


def _cells(line: str, at: int) -> list[Span]:
    bars = [index for index, sign in enumerate(line) if sign == "|"]
    ends = [*bars[1:], *([] if line.rstrip().endswith("|") else [len(line)])]
    return [Span(at + left + 1, at + right) for left, right in zip(bars, ends, strict=False)] or [
        Span(at, at + len(line))
    ]
