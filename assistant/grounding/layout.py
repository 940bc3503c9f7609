"""What each place of an answer is about: its sentence, its table row, the card or model it speaks of."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from assistant.grounding.facts import model_key
from assistant.names import Mention, cards_in, models_in, terms_in
from assistant.numerals import Numeral

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”')\]]*\s+|(?<=[。！？；])|;\s|\n+")
_CLAUSE_END = re.compile(r"[,;:](?=\s)|[，；：、]|\s(?:and|but|while|whereas|or)\s|而(?!且)|但")
_BLANK_LINE = re.compile(r"\n\s*\n")
_RULE = re.compile(r"^\s*\|?[\s:|-]+\|[\s:|-]*$")
# A card behind one of these is what another is measured by, not what the sentence is about.
_MEASURED_BY = re.compile(
    r"(?:\bthan|\b(?:speed|rate|performance|price|cost|times|bandwidth|that) of|\bversus|\bvs\.?|next to|compared (?:to|with)|relative to|against|instead of|\bas|比|较|对|相比|相对)"
    r"\s*(?:the|an?|one|\d+|单张|一张)?\s*$",
    re.IGNORECASE | re.ASCII,
)
# "350 W for the RTX 3090": the number comes first.
_OF_NEXT = re.compile(
    r"^[\s)]*(?:for|of|on|with|per|in|from|by|at|的)?\s*(?:the|an?|one|each|a single|single|every|new|used)?\s*"
    r"(?:nvidia|geforce|amd)?\s*$",
    re.IGNORECASE | re.ASCII,
)
_BETWEEN_LISTED = re.compile(
    r"^s?[\s,/、，&]*(?:and|or|vs\.?|versus|和|与|跟|及|以及|对比)?[\s]*(?:the|an?|one|\d+\s*张?|[一两二三四]张)?\s*$",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of the text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Subject:
    """What a number is about: any of these cards, any of these models; empty for anything.

    `told` are the cards that the text has named so far: a figure of none of them is no figure of this place.
    """

    cards: frozenset[str] = frozenset()
    models: frozenset[str] = frozenset()
    sure: bool = True
    told: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Named:
    """A card or model in the text; `keys` are the names it may be known by."""

    start: int
    end: int
    keys: frozenset[str]
    is_card: bool
    measured_by: bool


class Layout:
    """An answer cut into sentences, clauses and cells, with the cards and models that it names."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.mentions = cards_in(text)
        self.models = models_in(text)
        self.terms = terms_in(text)
        self.named = sorted(
            [*map(self._card, self.mentions), *(self._model(*hit) for hit in self.models)], key=lambda item: item.start
        )
        self.sentences = _cut(text, _SENTENCE_END)
        self._starts = [span.start for span in self.sentences]
        self._blocks = _cut(text, _BLANK_LINE)
        self._block_starts = [span.start for span in self._blocks]
        self._tables = _tables(text)
        # Its numbers with the units that their places give them; the guard fills them in.
        self.numerals: list[Numeral] = []

    def _card(self, mention: Mention) -> Named:
        names = {mention.name, *mention.others} if mention.name else {mention.text.strip().lower()}
        before, after = (
            self.text[max(0, mention.start - 24) : mention.start].rstrip(),
            self.text[mention.end : mention.end + 3],
        )
        return Named(
            mention.start,
            mention.end,
            frozenset(name for name in names if name),
            True,
            bool(_MEASURED_BY.search(before)) or (before.endswith("是") and after.lstrip().startswith("的")),
        )

    def _model(self, start: int, end: int, shown: str) -> Named:
        return Named(
            start,
            end,
            frozenset((model_key(shown),)),
            False,
            bool(_MEASURED_BY.search(self.text[max(0, start - 24) : start])),
        )

    def sentence(self, position: int) -> Span:
        """Return the sentence (or table line) that a position is in."""
        return self.sentences[max(0, bisect_right(self._starts, position) - 1)]

    def before(self, span: Span) -> Span:
        """Return the sentence before one in the same paragraph, or nothing."""
        at = bisect_right(self._starts, span.start) - 2
        same = at >= 0 and self.block(self._starts[at]) == self.block(span.start)
        return self.sentences[at] if same else Span(span.start, span.start)

    def block(self, position: int) -> Span:
        """Return the paragraph, list or table that a position is in."""
        return self._blocks[max(0, bisect_right(self._block_starts, position) - 1)]

    def line(self, position: int) -> Span:
        """Return the line that a position is in."""
        end = self.text.find("\n", position)
        return Span(self.text.rfind("\n", 0, position) + 1, len(self.text) if end < 0 else end)

    def clause(self, position: int) -> Span:
        """Return the part of the sentence, between commas, that a position is in."""
        span = self.sentence(position)
        cuts = list(_CLAUSE_END.finditer(self.text, span.start, span.end))
        start = max((hit.end() for hit in cuts if hit.end() <= position), default=span.start)
        end = min((hit.start() for hit in cuts if hit.start() >= position), default=span.end)
        return Span(start, end)

    def cell(self, position: int) -> tuple[Span, Span, Span] | None:
        """Return the cell, the row's first cell and the column's head, if the position is in a table."""
        for table in self._tables:
            if not table[0][0].start <= position < table[-1][-1].end:
                continue
            for row in table:
                column = next((at for at, cell in enumerate(row) if cell.start <= position < cell.end), None)
                if column is not None:
                    head = table[0]
                    return row[column], row[0], head[min(column, len(head) - 1)]
        return None

    def table_head(self, position: int) -> Span | None:
        """Return the first cell of the head of the table that a position is in."""
        return next((table[0][0] for table in self._tables if table[0][0].start <= position <= table[-1][-1].end), None)

    def within(self, span: Span, cards: bool) -> list[Named]:
        """Return the cards, or the models, named inside a span."""
        return [item for item in self.named if item.is_card == cards and span.start <= item.start < span.end]

    def subject(self, start: int, end: int, numerals: Sequence[Numeral] = ()) -> Subject:
        """Return what a number at [start, end) is about."""
        cards, sure = self._about(start, end, True, numerals)
        models, models_sure = self._about(start, end, False, numerals)
        return Subject(cards, models, sure and models_sure, self._told(end))

    def _told(self, end: int) -> frozenset[str]:
        """Return the cards named up to the end of this sentence; none while the text is about none of them yet."""
        until = self.sentence(end - 1).end
        named = [item for item in self.named if item.is_card and item.start < until]
        about = any(not item.measured_by for item in named)
        return frozenset[str]().union(*(item.keys for item in named)) if about else frozenset()

    def _about(self, start: int, end: int, cards: bool, numerals: Sequence[Numeral]) -> tuple[frozenset[str], bool]:
        in_cell = self._of_cell(start, cards)
        if in_cell is not None:
            return in_cell, True
        if self.cell(start) is not None:
            return frozenset(), True
        span = self.sentence(start)
        here = self.within(span, cards)
        if not here:
            return self._carried(span.start, cards), False
        listed = _respectively(self.text, here, start, numerals, span)
        return (listed, True) if listed else (self._nearest(here, start, end, span), True)

    def _of_cell(self, start: int, cards: bool) -> frozenset[str] | None:
        found = self.cell(start)
        if found is None:
            return None
        cell, label, head = found
        corner = self.table_head(start)
        for span in (cell, label, head, *((corner,) if corner else ())):
            named = [item for item in self.within(span, cards) if not item.measured_by]
            if named:
                own = self._nearest(named, start, start, span) if span is cell and len(named) > 1 else None
                return own or frozenset[str]().union(*(item.keys for item in named))
        return None

    def _nearest(self, here: Sequence[Named], start: int, end: int, span: Span) -> frozenset[str]:
        """Choose among the cards of a sentence: the one right behind, else the last one before."""
        behind = next((item for item in here if item.start >= end), None)
        clause = self.clause(start)
        if behind and behind.start < clause.end and _OF_NEXT.match(self.text[end : behind.start]):
            return behind.keys
        before = [item for item in here if item.start < start and not item.measured_by]
        if before:
            return self._with_its_list(here, before[-1])
        after = [item for item in here if item.start >= end and not item.measured_by]
        if len({item.keys for item in after}) == 1:
            return after[0].keys
        in_clause = [item for item in after if item.start < clause.end]
        if in_clause:
            return in_clause[0].keys
        chosen = after or list(here)
        return frozenset[str]().union(*(item.keys for item in chosen))

    def _with_its_list(self, here: Sequence[Named], last: Named) -> frozenset[str]:
        """ "RTX 4090 and RTX 3090 both have 24 GB": all cards of the list that ends here."""
        keys, right = last.keys, last
        for item in reversed([item for item in here if item.start < last.start]):
            if not _BETWEEN_LISTED.match(self.text[item.end : right.start]):
                break
            keys, right = keys | item.keys, item
        return keys

    def _carried(self, position: int, cards: bool) -> frozenset[str]:
        """What the paragraph spoke of last."""
        block = self.block(position)
        before = [item for item in self.within(Span(block.start, position), cards) if not item.measured_by]
        return before[-1].keys if before else frozenset()


def _respectively(
    text: str, here: Sequence[Named], start: int, numerals: Sequence[Numeral], span: Span
) -> frozenset[str]:
    """ "A and B have 24 GB and 32 GB": the first figure is A's."""
    distinct = [item for item in here if not item.measured_by]
    before = [item for item in distinct if item.start < start]
    if len(before) < 2:
        return frozenset()
    run = [before[-1]]
    for item in reversed(before[:-1]):
        if not _BETWEEN_LISTED.match(text[item.end : run[0].start]):
            break
        run.insert(0, item)
    behind = [number for number in numerals if run[-1].end <= number.start < span.end]
    group = [number for number in behind if number.unit == behind[0].unit][: len(run) + 1] if behind else []
    if len(run) < 2 or len(group) != len(run):
        return frozenset()
    joined = all(
        re.fullmatch(r"[\s,/、，&]*(?:and|or|vs\.?|versus|和|与|跟|及)?\s*", text[one.end : other.start], re.ASCII)
        for one, other in pairwise(group)
    )
    place = next((at for at, number in enumerate(group) if number.start == start), None)
    return run[place].keys if joined and place is not None else frozenset()


def _cut(text: str, ends: re.Pattern[str]) -> list[Span]:
    spans: list[Span] = []
    start = 0
    for hit in ends.finditer(text):
        if hit.start() > start or hit.end() > start:
            spans.append(Span(start, hit.end()))
            start = hit.end()
    spans.append(Span(start, len(text)))
    return spans


def _tables(text: str) -> list[list[list[Span]]]:
    """Return tables as rows of cells; the rule below the head is left out."""
    tables: list[list[list[Span]]] = []
    at, inside = 0, False
    for line in text.split("\n"):
        is_row = line.lstrip().startswith("|")
        if is_row and not inside:
            tables.append([])
        if is_row and not _RULE.match(line):
            tables[-1].append(_cells(line, at))
        inside = is_row
        at += len(line) + 1
    return [table for table in tables if table]


def _cells(line: str, at: int) -> list[Span]:
    bars = [index for index, sign in enumerate(line) if sign == "|"]
    ends = [*bars[1:], *([] if line.rstrip().endswith("|") else [len(line)])]
    return [Span(at + left + 1, at + right) for left, right in zip(bars, ends, strict=False)] or [
        Span(at, at + len(line))
    ]
