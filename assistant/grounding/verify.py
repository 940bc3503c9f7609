"""The guard: a draft and its evidence in, the text with its proved numbers and what is unproved out."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from functools import partial

from assistant.figures import Language
from assistant.grounding.binding import bind, is_about, is_ordinal, scopes, whole_of, with_context
from assistant.grounding.claims import is_own, unsupported
from assistant.grounding.dates import Date, dates_in, known_dates, vouched
from assistant.grounding.facts import Fact
from assistant.grounding.filling import Filled, fill
from assistant.grounding.hearing import Heard
from assistant.grounding.layout import Layout
from assistant.grounding.records import Evidence, Number, Unbound, Verified
from assistant.grounding.roles import fits_role
from assistant.grounding.terms import spans_of_names, strangers
from assistant.grounding.unread import unread
from assistant.numerals import Numeral
from assistant.units import measured


def verify(draft: str, evidence: Evidence, language: Language, *, ours: bool = False) -> Verified:
    """Fill in a draft's references and bind everything else that it claims.

    Args:
        draft: What the model wrote.
        evidence: Results, passages and the person's words.
        language: Decides the local form of units.
        ours: Whether it is the built-in model's. Its figures, names and claims are proved like any other's; only a
            general remark, without a figure or a name, needs no result that says so.

    Returns:
        The text, its numbers with their origin, the passages used, and what is unbound.
    """
    filled = fill(draft, evidence, language)
    layout = Layout(filled.text)
    quoted = filled.texts
    layout.numerals = numerals = with_context(layout.numbers, layout)
    unbound = [*filled.unbound, *_misplaced(filled.fields, layout, evidence, numerals)]
    numbers = [*filled.numbers, *(_spoken(number, evidence) for number in filled.fields)]
    covered = [*quoted, *((number.start, number.start + len(number.text)) for number in filled.fields)]
    dates, wrong = _dates(filled, layout, evidence, covered)
    numbers, unbound = numbers + dates, unbound + wrong
    covered += [(date.start, date.end) for date in dates_in(filled.text)]
    unbound += unread(
        filled.text, covered, evidence.user, lambda at: is_own(_sentence(layout, at), evidence, language, ())
    )
    heard = Heard(evidence, filled.cited)
    names = {at for start, end in spans_of_names(layout, heard) for at in range(start, end)}
    known = _within(covered, numerals)
    for at, numeral in enumerate(numerals):
        if at in known:
            continue
        bound = _literal(numeral, layout, names, evidence, filled, numerals)
        if isinstance(bound, Number):
            numbers.append(bound)
        elif bound is not None:
            unbound.append(bound)
    used = [number.ref.split(".")[0] for number in numbers if number.kind == "tool"]
    unbound += strangers(layout, heard, quoted, lambda text: is_own(text, evidence, language, used))
    unbound += unsupported(layout, evidence, language, quoted, used, ours)
    numbers.sort(key=lambda number: number.start)
    return Verified(filled.text, tuple(numbers), tuple(filled.cited), tuple(dict.fromkeys(unbound)))


def _within(spans: Sequence[tuple[int, int]], numerals: Sequence[Numeral]) -> set[int]:
    """Return the positions in their list of the numbers that any of some spans touches."""
    starts, ends = [numeral.start for numeral in numerals], [numeral.end for numeral in numerals]
    return {at for start, end in spans for at in range(bisect_right(ends, start), bisect_left(starts, end))}


def _sentence(layout: Layout, position: int) -> str:
    span = layout.sentence(position)
    return layout.text[span.start : span.end]


def _literal(
    numeral: Numeral,
    layout: Layout,
    names: Container[int],
    evidence: Evidence,
    filled: Filled,
    numerals: Sequence[Numeral],
) -> Number | Unbound | None:
    if _is_marked(numeral, layout.text):
        return Unbound(numeral.text, "its unit cannot be read for sure; write it without marks")
    if numeral.start in names:
        value, unit = numeral.as_written
        return Number(numeral.text, numeral.start, value, unit, "name", "name")
    if is_ordinal(numeral, layout.text) or (numeral.in_words and numeral.value == 1 and numeral.unit in ("", "cards")):
        return None
    return bind(numeral, layout, numerals, evidence, filled.cited)


def _is_marked(numeral: Numeral, text: str) -> bool:
    """ "350 W̵": a mark that is laid over the last letter may make another one of it, or strike it out."""
    behind = text[numeral.end : numeral.end + 2]
    return not behind.isascii() and any(unicodedata.category(sign).startswith("M") for sign in behind)


def _misplaced(
    fields: Sequence[Number], layout: Layout, evidence: Evidence, numerals: Sequence[Numeral]
) -> Iterator[Unbound]:
    """Yield references that are said of another card, or as another figure, than theirs."""
    for number in fields:
        fact: Fact | None = evidence.index.by_ref.get(number.ref)
        if fact is None:
            continue
        subject = layout.subject(number.start, number.start + len(number.text), numerals)
        if not is_about(fact, subject, evidence, measured(fact.unit)[0]):
            yield Unbound(number.text, f"{number.ref} is a figure of another card or model than the one it is said of")
        elif not whole_of(layout, number.start) and not fits_role([fact], partial(scopes, layout, number.start)):
            yield Unbound(number.text, f"{number.ref} is not what the sentence says it is")


def _spoken(number: Number, evidence: Evidence) -> Number:
    """A field that echoes an argument is the person's if the person said it."""
    fact = evidence.index.by_ref.get(number.ref)
    if fact is None:
        return number
    ref, _, path = number.ref.partition(".")
    echo = evidence.index.by_ref.get(f"{ref}.arguments.{path.removeprefix('arguments.')}")
    if echo is None or echo.value != fact.value:
        return number
    said = evidence.index.near(measured(fact.unit)[0], fact.base, 0.0)
    return replace(number, kind="user", ref="user") if any(other.ref == "user" for other in said) else number


def _dates(
    filled: Filled, layout: Layout, evidence: Evidence, covered: Sequence[tuple[int, int]]
) -> tuple[list[Number], list[Unbound]]:
    """Bind the dates that are written out."""
    found = [
        date
        for date in dates_in(filled.text)
        if not any(start < date.end and date.start < end for start, end in covered)
    ]
    if not found:
        return [], []
    known = known_dates(evidence.results, evidence.user)
    numbers: list[Number] = []
    unbound: list[Unbound] = []
    for date in found:
        ref = _of_passage(date, filled, layout, evidence)
        kind = "article" if ref else "tool"
        if ref is None and not _is_titled(date, filled, layout, evidence):
            line = layout.line(date.start)
            subject = layout.subject(date.start, date.end)
            ref = vouched(date, known, subject.cards, layout.text[line.start : line.end])
        if ref is None:
            unbound.append(Unbound(date.text, "no result and no passage beside it has this date"))
        else:
            numbers.append(
                Number(date.text, date.start, float(date.parts[0]), "", "user" if ref == "user" else kind, ref)
            )
    return numbers, unbound


def _is_titled(date: Date, filled: Filled, layout: Layout, evidence: Evidence) -> bool:
    """Whether a date stands right behind a passage's title, so that it can be that passage's only."""
    before = layout.text[: date.start].rstrip(' (（》"”*')
    return any(before.endswith(str(evidence.citations[ref].get("title") or "\n")) for ref in filled.cited)


def _of_passage(date: Date, filled: Filled, layout: Layout, evidence: Evidence) -> str | None:
    if not filled.cited:
        return None
    block = layout.block(date.start)
    beside = layout.text[block.start : block.end]
    before = layout.text[: date.start].rstrip(' (（》"”*')
    titled = [ref for ref in filled.cited if before.endswith(str(evidence.citations[ref].get("title") or "\n"))]
    for ref in titled or filled.cited:
        passage = evidence.citations[ref]
        near = (
            f"[{ref}]" in beside
            or str(passage.get("title", "")) in beside
            or any(block.start <= start < block.end for start, _ in filled.texts)
        )
        known = [
            other.parts
            for text in (str(passage.get("date", "")), str(passage.get("text", "")))
            for other in dates_in(text)
        ]
        if near and any(parts[: len(date.parts)] == date.parts for parts in known):
            return ref
    return None
