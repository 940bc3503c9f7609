"""What each place of an answer is about: its sentence, its table row, the card or model it speaks of."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from assistant.grounding.cutting import Cell, Span, Tables, paragraphs_in, sentences_in
from assistant.grounding.facts import model_key
from assistant.letters import small
from assistant.names import Mention, cards_in, models_in, terms_in
from assistant.numerals import Numeral, read_numbers

_CLAUSE_END = re.compile(
    r"[,;:，；：、\s而但](?:(?<=[,;:])(?=\s)|(?<=[，；：、但])|(?<=\s)(?:and|but|while|whereas|or)\s|(?<=而)(?!且))"
)
_JOINED = re.compile(r"[\s,/、，&]*(?:and|or|vs\.?|versus|和|与|跟|及)?\s*", re.ASCII)
# A card behind one of these is what another is measured by, not what the sentence is about. Over small letters.
_MEASURED_BY = re.compile(
    r"(?:\bthan|\b(?:speed|rate|performance|price|cost|times|bandwidth|that) of|\bversus|\bvs\.?|next to|compared (?:to|with)|relative to|against|instead of|\bas|比|较|对|相比|相对)"
    r"\s*(?:the|an?|one|\d+|单张|一张)?\s*$",
    re.ASCII,
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


class Subject(NamedTuple):
    """What a number is about: any of these cards, any of these models; empty for anything.

    `told` are the cards that the text has named so far: a figure of none of them is no figure of this place.
    """

    cards: frozenset[str] = frozenset()
    models: frozenset[str] = frozenset()
    sure: bool = True
    told: frozenset[str] = frozenset()


class Named(NamedTuple):
    """A card or model in the text; `keys` are the names it may be known by, `name` is the likeliest."""

    start: int
    end: int
    name: str
    keys: frozenset[str]
    is_card: bool
    measured_by: bool


class Layout:
    """An answer cut into sentences, clauses and cells, with the cards, models and numbers in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.mentions = cards_in(text)
        self.models = models_in(text)
        self.terms = terms_in(text)
        self.numbers = read_numbers(text)
        # The same with the units that their places give them; the guard fills them in.
        self.numerals: list[Numeral] = []
        self.sentences = sentences_in(text)
        self._starts = [span.start for span in self.sentences]
        self._blocks = paragraphs_in(text)
        self._block_starts = [span.start for span in self._blocks]
        self._tables = Tables(text)
        # Each number's place is asked for several times.
        self._cells: dict[int, Cell | None] = {}
        cards, models = [self._card(card) for card in self.mentions], [self._model(*hit) for hit in self.models]
        self.named = sorted([*cards, *models], key=lambda item: item.start)
        self._named = {True: cards, False: models}
        self._named_starts = {is_card: [item.start for item in named] for is_card, named in self._named.items()}
        self._all_starts = [item.start for item in self.named]
        self._number_starts = [number.start for number in self.numbers]
        # Of a sentence, found when it is first asked for: where its clauses end, which cards were named up to its end.
        self._cuts: dict[Span, list[tuple[int, int]]] = {}
        self._told: dict[Span, frozenset[str]] = {}
        # What the numbers of a sentence without a name are about.
        self._carried: dict[Span, Subject] = {}

    def _card(self, mention: Mention) -> Named:
        name = mention.name or mention.text.strip().lower()
        before, after = (
            small(self.text[max(0, mention.start - 24) : mention.start]).rstrip(),
            self.text[mention.end : mention.end + 3],
        )
        return Named(
            mention.start,
            mention.end,
            name,
            frozenset((name, *mention.others)),
            True,
            bool(_MEASURED_BY.search(before)) or (before.endswith("是") and after.lstrip().startswith("的")),
        )

    def _model(self, start: int, end: int, shown: str) -> Named:
        key = model_key(shown)
        return Named(
            start,
            end,
            key,
            frozenset((key,)),
            False,
            bool(_MEASURED_BY.search(small(self.text[max(0, start - 24) : start]))),
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
        cuts = self._cuts.get(span)
        if cuts is None:
            cuts = self._cuts[span] = [hit.span() for hit in _CLAUSE_END.finditer(self.text, span.start, span.end)]
        start = max((end for _, end in cuts if end <= position), default=span.start)
        end = min((start for start, _ in cuts if start >= position), default=span.end)
        return Span(start, end)

    def cell(self, position: int) -> Cell | None:
        """Return the cell that a position is in, if it is in a table."""
        if position not in self._cells:
            self._cells[position] = self._tables.cell(position)
        return self._cells[position]

    def within(self, span: Span, cards: bool) -> list[Named]:
        """Return the cards, or the models, named inside a span."""
        starts = self._named_starts[cards]
        return self._named[cards][bisect_left(starts, span.start) : bisect_left(starts, span.end)]

    def named_within(self, span: Span) -> list[Named]:
        """Return the cards and the models named inside a span."""
        starts = self._all_starts
        return self.named[bisect_left(starts, span.start) : bisect_left(starts, span.end)]

    def numbers_within(self, span: Span) -> list[Numeral]:
        """Return the numbers inside a span, as they are read without their places."""
        starts = self._number_starts
        return self.numbers[bisect_left(starts, span.start) : bisect_left(starts, span.end)]

    def subject(self, start: int, end: int, numerals: Sequence[Numeral] = ()) -> Subject:
        """Return what a number at [start, end) is about."""
        cell = self.cell(start)
        if cell is not None:
            return Subject(
                self._of_cell(cell, start, True), self._of_cell(cell, start, False), True, self._told_by(end)
            )
        span = self.sentence(start)
        if span not in self._carried and end <= span.end and not self.named_within(span):
            self._carried[span] = Subject(
                self._last_before(span, True), self._last_before(span, False), False, self._told_by(end)
            )
        if span in self._carried and end <= span.end:
            return self._carried[span]
        cards, sure = self._about(span, start, end, True, numerals)
        models, models_sure = self._about(span, start, end, False, numerals)
        return Subject(cards, models, sure and models_sure, self._told_by(end))

    def _told_by(self, end: int) -> frozenset[str]:
        """Return the cards named up to the end of this sentence; none while the text is about none of them yet."""
        span = self.sentence(end - 1)
        if span not in self._told:
            named = self.within(Span(0, span.end), True)
            about = any(not item.measured_by for item in named)
            self._told[span] = frozenset[str]().union(*(item.keys for item in named)) if about else frozenset()
        return self._told[span]

    def _about(
        self, span: Span, start: int, end: int, cards: bool, numerals: Sequence[Numeral]
    ) -> tuple[frozenset[str], bool]:
        here = self.within(span, cards)
        if not here:
            return self._last_before(span, cards), False
        listed = _respectively(self.text, here, start, numerals, span)
        return (listed, True) if listed else (self._nearest(here, start, end, span), True)

    def _of_cell(self, cell: Cell, start: int, cards: bool) -> frozenset[str]:
        for span in (cell.span, cell.label, cell.head, cell.corner) if self._named[cards] else ():
            named = [item for item in self.within(span, cards) if not item.measured_by]
            if named:
                own = self._nearest(named, start, start, span) if span is cell.span and len(named) > 1 else None
                return own or frozenset[str]().union(*(item.keys for item in named))
        return frozenset()

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

    def _last_before(self, span: Span, cards: bool) -> frozenset[str]:
        """What the paragraph spoke of last before a sentence."""
        block = self.block(span.start)
        before = [item for item in self.within(Span(block.start, span.start), cards) if not item.measured_by]
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
    joined = all(_JOINED.fullmatch(text, one.end, other.start) for one, other in pairwise(group))
    place = next((at for at, number in enumerate(group) if number.start == start), None)
    return run[place].keys if joined and place is not None else frozenset()
