"""Whether something fits: by the verdict fields, by what is needed against what is there, or by what is left."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assistant.grounding.claim_words import Claim
from assistant.grounding.cutting import Span
from assistant.grounding.facts import Fact, cards_of
from assistant.grounding.layout import Layout
from assistant.grounding.records import Evidence
from assistant.grounding.remembered import remembered
from assistant.numerals import Numeral
from assistant.units import measured
from tools.api import Json, is_array, is_object

_GOOD = ("fits", "ok", "calm", "enough", "comfortable")
_NEEDS = re.compile(r"need|per_gpu_gb|total_g|system_w|slots_needed|floor|limited_system_w|wall_w|gpu_w$")
_HAS = re.compile(r"^memory_gb$|psu_w$|board_slots|gpu_memory_gb|outlet_limit_w|^value$")
_MARGIN = re.compile(r"\bleft\b|leaves|headroom|spare|余|剩", re.IGNORECASE)
_SHORT = re.compile(r"missing|还差", re.IGNORECASE)
# Three rounded figures of a difference agree this closely.
_SAME_GAP = 0.03


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a sentence with the facts that it may be."""

    start: int
    base: float
    kind: str
    facts: tuple[Fact, ...]


def figures_in(layout: Layout, span: Span, evidence: Evidence) -> list[Figure]:
    """Return the figures of a sentence with what each may be."""
    found: list[Figure] = []
    for number in layout.numerals:
        if not span.start <= number.start < span.end:
            continue
        kind, factor = measured(number.unit)
        half = 0.5 * number.step * abs(factor * number.factor)
        facts = evidence.index.near(kind, number.value * factor, half)
        if kind in ("fraction", "x"):
            facts += evidence.index.near("x" if kind == "fraction" else "fraction", number.value, half)
        found.append(
            Figure(
                number.start - span.start,
                number.value * factor,
                kind,
                tuple(fact for fact in facts if not fact.in_text),
            )
        )
    return found


def cards_within(layout: Layout, span: Span) -> frozenset[str]:
    """Return the cards that a sentence names."""
    return frozenset[str]().union(*(item.keys for item in layout.within(span, True)))


def held_against(claim: Claim, layout: Layout, span: Span, evidence: Evidence) -> bool | None:
    """Whether what a sentence says is needed goes into what it says is there; None if it does not say both.

    Where the results have one verdict that verdict speaks: "tight" is more than a comparison of two figures.
    """
    if claim.concept != "fit" or len(_verdicts_here(layout, span, evidence)) == 1:
        return None
    figures = figures_in(layout, span, evidence)
    needs = [figure for figure in figures if any(_NEEDS.search(fact.name) for fact in _nearest(figure))]
    has = [
        figure
        for figure in figures
        if figure not in needs and (not figure.facts or any(_HAS.search(fact.name) for fact in _nearest(figure)))
    ]
    pairs = [(need, there) for need in needs for there in has if need.kind == there.kind != "count"]
    if not pairs:
        return None
    # "731 GB in all, 30.5 GB on each card of 48 GB": what stands nearest to the memory is held against it.
    need, there = min(pairs, key=lambda pair: abs(pair[0].start - pair[1].start))
    return (there.base >= need.base) == (claim.polarity > 0)


def _nearest(figure: Figure) -> list[Fact]:
    """Return the facts that a figure is, rather than those that only round to it."""
    least = min((abs(fact.base - figure.base) for fact in figure.facts), default=0.0)
    return [fact for fact in figure.facts if abs(fact.base - figure.base) <= least + 1e-9]


def fits(claim: Claim, layout: Layout, span: Span, evidence: Evidence, figures: list[Figure]) -> bool | None:
    """By the verdict fields about the sentence's cards, by what is needed against what is there, or by what is left."""
    if claim.text.lower() == "holds" and _is_capacity(claim, figures):
        return claim.polarity > 0
    verdicts = _verdicts_here(layout, span, evidence)
    against = held_against(claim, layout, span, evidence)
    if against is not None:
        return against
    if verdicts:
        return claim.polarity in verdicts
    if claim.concept != "fit":
        return None
    if _SHORT.search(claim.text):
        return _is_gap(claim, figures)
    margin = _margin(layout, span) or _margin(layout, layout.before(span))
    return None if margin is None else (margin.value > 0) == (claim.polarity > 0)


def _is_capacity(claim: Claim, figures: list[Figure]) -> bool:
    """ "The card holds 24 GB": its size, nothing that goes into it."""
    after = next((figure for figure in figures if figure.start > claim.start), None)
    return after is not None and any(fact.name == "memory_gb" for fact in _nearest(after))


def _is_gap(claim: Claim, figures: list[Figure]) -> bool | None:
    """ "16 GB is needed, 11.9 GB is there, 4.1 GB is missing": whether the figure is what two others differ by."""
    missing = next((figure for figure in figures if figure.start >= claim.start), None)
    if missing is None or missing.base <= 0:
        return None
    others = [figure.base for figure in figures if figure is not missing and figure.kind == missing.kind]
    gaps = [abs(abs(one - other) / missing.base - 1) for one in others for other in others if one != other]
    return True if gaps and min(gaps) <= _SAME_GAP else None


def _margin(layout: Layout, span: Span) -> Numeral | None:
    """Return what a sentence says is left: "leaves 723 GB", "余量 0 W"."""
    for number in layout.numerals:
        if span.start <= number.start < span.end and measured(number.unit)[0] in ("W", "GB"):
            clause = layout.clause(number.start)
            if _MARGIN.search(layout.text, clause.start, clause.end):
                return number
    return None


def _verdicts_here(layout: Layout, span: Span, evidence: Evidence) -> set[int]:
    keys = cards_within(layout, span)
    return {verdict for verdict, cards in verdicts_of(evidence.results) if not cards or not keys or cards & keys}


@remembered
def verdicts_of(results: Mapping[str, Mapping[str, Json]]) -> list[tuple[int, frozenset[str]]]:
    """Return every verdict of the results with the cards it is about."""
    return [
        verdict
        for call in results.values()
        for verdict in _verdicts(call.get("result"), cards_named(call.get("arguments") or {}))
    ]


def cards_named(value: Mapping[str, Json]) -> frozenset[str]:
    """Return the cards that an object of a result says it is about."""
    found: set[str] = set()
    for key in ("gpu", "name", "cards", "gpus"):
        held = value.get(key)
        texts: list[Any] = [held] if isinstance(held, str) else list(held) if is_object(held) or is_array(held) else []
        found |= {card.name for text in texts if isinstance(text, str) for card in cards_of(text) if card.name}
    return frozenset(found)


def _verdicts(value: Json, cards: frozenset[str]) -> Iterator[tuple[int, frozenset[str]]]:
    if is_array(value):
        for item in value:
            yield from _verdicts(item, cards)
        return
    if not is_object(value):
        return
    cards = cards_named(value) or cards
    verdict, fits = value.get("verdict"), value.get("fits")
    if isinstance(verdict, str) and verdict not in ("buy", "rent", "used", "wait"):
        yield (1 if verdict in _GOOD else -1), cards
    elif isinstance(fits, bool):
        yield (1 if fits else -1), cards
    for item in value.values():
        yield from _verdicts(item, cards)
