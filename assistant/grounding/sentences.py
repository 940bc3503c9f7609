"""A sentence as what it is compared by: its words, its claims, its figures, the cards and models it names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from assistant.grounding.claim_words import Claim, claims_in
from assistant.grounding.cutting import Span, sentences_in
from assistant.grounding.facts import cards_of, model_key, numbers_of
from assistant.grounding.layout import Layout
from assistant.names import models_in
from assistant.numerals import Numeral
from assistant.units import measured

# Sentences that have a lower share of words in common are never held against each other.
LEAST_ALIKE = 0.3
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[一-鿿]")
# What a line may begin or end with that is no part of what it says.
_MARKS = " \t\n|*#>-"


@dataclass(frozen=True)
class Sentence:
    """A sentence with what it is compared by."""

    text: str
    # In the order of the alphabet.
    words: tuple[str, ...]
    claims: tuple[Claim, ...]
    # What each number measures, its value, and half a step of its last digit.
    amounts: tuple[tuple[str, float, float], ...]
    named: frozenset[str]

    @cached_property
    def numbers(self) -> tuple[tuple[str, float], ...]:
        """What each number measures and its value."""
        return tuple((kind, value) for kind, value, _ in self.amounts)

    @property
    def mould(self) -> str:
        """Equal for sentences of the same words, names and kinds of figures."""
        kinds = [kind for kind, _, _ in self.amounts]
        return "|".join((*kinds, " ".join(self.words), *sorted(self.named)))

    @cached_property
    def counts(self) -> Counter[str]:
        """How often it has each of its words."""
        return Counter(self.words)

    def has_figures_of(self, other: Sentence) -> bool:
        """Whether both hold the same figures, each rounded as its digits show."""
        return all(
            abs(value - its_value) <= max(half, its_half) + 1e-9
            for (_, value, half), (_, its_value, its_half) in zip(self.amounts, other.amounts, strict=True)
        )

    def likeness(self, other: Sentence) -> float:
        """Share of words that two sentences have in common, figures and names left out; 0 if it is below what counts."""
        total = len(self.words) + len(other.words)
        if 2 * min(len(self.words), len(other.words)) < LEAST_ALIKE * total:
            return 0.0  # however many of them they have in common
        mine, theirs = self.counts, other.counts
        both = sum([min(mine[word], theirs[word]) for word in mine.keys() & theirs.keys()])
        return 2 * both / total if total else 0.0


@lru_cache(maxsize=8192)
def sentence(text: str) -> Sentence:
    """Analyse one sentence that stands alone; results repeat theirs."""
    names = [(card.start, card.end, card.name or card.text.strip().lower()) for card in cards_of(text)]
    names += [(start, end, model_key(shown)) for start, end, shown in models_in(text)]
    return _analysed(text, names, numbers_of(text), 0)


def sentence_in(layout: Layout, span: Span) -> Sentence:
    """Analyse a sentence of a text that has been read already."""
    names = [(item.start, item.end, item.name) for item in layout.named_within(span)]
    text = layout.text[span.start : span.end]
    start = span.start + len(text) - len(text.lstrip(_MARKS))
    return _analysed(stripped(text), names, layout.numbers_within(span), start)


def _analysed(text: str, names: Sequence[tuple[int, int, str]], numbers: Sequence[Numeral], start: int) -> Sentence:
    """Put a sentence together; the positions of names and numbers count from `start` characters before it."""
    spans = [(left, right) for left, right, _ in names]
    figures = numbers
    if spans:
        figures = [
            number for number in numbers if not any(left < number.end and number.start < right for left, right in spans)
        ]
    before_names = {at for left, _ in spans for at in (left, left - 1)}
    amounts = sorted([_amount(number, number.end in before_names) for number in figures])
    spans += [(number.start, number.end) for number in figures]
    words = _WORD.findall(_without(text, spans, start).lower())
    return Sentence(
        text,
        tuple(sorted(words)),
        claims_in(text),
        tuple(amounts),
        frozenset([name for _, _, name in names]),
    )


def _without(text: str, spans: Sequence[tuple[int, int]], start: int) -> str:
    """Cut pieces out of a text; their positions count from `start` characters before it."""
    kept: list[str] = []
    at = 0
    for left, right in sorted(spans):
        kept.append(text[at : max(at, left - start)])
        at = max(at, right - start)
    return " ".join([*kept, text[at:]])


def _amount(number: Numeral, at_name: bool) -> tuple[str, float, float]:
    """Return what a number measures, its value, and half of its last digit's step, in the unit of what it measures."""
    kind, factor = measured("cards" if at_name and number.unit == "x" else number.unit)  # "2 x A2"
    return kind, round(number.value * factor, 9), 0.5 * abs(number.step * number.factor * factor)


def sentences_of(text: str) -> Iterator[str]:
    """Cut a text into sentences and lines, stripped of marks."""
    for span in sentences_in(text):
        plain = stripped(text[span.start : span.end])
        if plain:
            yield plain


def stripped(text: str) -> str:
    """Return a sentence without the marks of a list, a table or a quotation around it."""
    return text.strip(_MARKS)
