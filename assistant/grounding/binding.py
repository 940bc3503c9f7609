"""Bind a literal number by value, unit and entity to a field, the person's words or a cited passage."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from assistant.grounding.cutting import Span
from assistant.grounding.facts import Fact, in_ranges, numbers_of
from assistant.grounding.layout import Layout, Subject
from assistant.grounding.owners import is_of_a_card, is_of_each, of_each, of_the_card
from assistant.grounding.records import Evidence, Kind, Number, Unbound
from assistant.grounding.roles import fits_role
from assistant.grounding.rounding import close_enough, half_step, is_share_of_share, period_of, within_period
from assistant.measures import CURRENCIES, read_unit
from assistant.numerals import Numeral
from assistant.units import measured
from tools.api import Json

NOBODY = "no tool, no passage and nobody in the conversation gave this number"
ANOTHER = "this is a figure of another card or model than the one it is said of"
_PART_OF = re.compile(
    r"(?:\b(?:of|from|instead of|than|at|limited to|capped (?:at|to))|原来|从|比|限到|限制到)\s*(?:the\s*)?$",
    re.IGNORECASE,
)
# "53 W/thing": a rate that is not read is not the plain figure.
_UNREAD_RATE = re.compile(r"\s?/\s?[a-z一-鿿]", re.IGNORECASE)
_SPANS = {
    span: re.compile(words, re.IGNORECASE | re.ASCII)
    for span, words in (
        ("year", r"(?:an?|per|each|every) year|yearly|annual|一年|每年|年电费"),
        ("month", r"(?:a|per|each) month|monthly|每月|每个月|一个月"),
        ("day", r"(?:a|per|each) day|daily|每天|一天"),
        ("h", r"(?:an|per|each) hour|hourly|每小时|一小时"),
    )
}
_AGAINST = re.compile(r"(?:\b(?:against|versus|vs\.?|instead of|compared (?:to|with))|相比|对比|对)\s*$", re.IGNORECASE)
_SECTION = re.compile(r"(?:\bsection|\bsec\.|§|第)\s*$", re.IGNORECASE)
_DAY_BEFORE = re.compile(r"\bday\s+$", re.IGNORECASE)
_DEGREES = re.compile(r"\s?度(?!电|数)")
_IN_HEAD = re.compile(r"[(（,，\[]\s*([^()（）\]]{1,12})[)）\]]?\s*$")
# "60 % faster" is 1.6 times the speed, "20 % less" 0.8 times.
_LESS = re.compile(r"\s*(?:slower|less|lower|fewer|cheaper|smaller)", re.IGNORECASE)
_ZH_MORE = re.compile(r"(?:快|高|多|大|贵|提升|提高|增加)(?:了|出)?(?:约|大约)?\s*$")
_ZH_LESS = re.compile(r"(?:慢|低|少|小|便宜|减少|降低|下降|省)(?:了)?(?:约|大约)?\s*$")


def with_context(numerals: Sequence[Numeral], layout: Layout) -> list[Numeral]:
    """Give a number without a unit the one of its range ("47 to 60 tokens/s") or of its column."""
    placed = [numeral if numeral.unit else _from_place(numeral, layout) for numeral in numerals]
    return in_ranges(placed, layout.text)


def _from_place(numeral: Numeral, layout: Layout) -> Numeral:
    """ "35 度" is energy beside electricity, else a temperature; a bare figure in a column has the head's unit."""
    if _DEGREES.match(layout.text, numeral.end):
        line = layout.line(numeral.start)
        energy = re.search(r"电|能耗|kWh", layout.text[line.start : line.end])
        return replace(numeral, unit="kWh" if energy else "°C")
    if _DAY_BEFORE.search(layout.text[max(0, numeral.start - 6) : numeral.start]):
        return replace(numeral, unit="days")
    return numeral if numeral.in_words else _from_head(numeral, layout)


def _from_head(numeral: Numeral, layout: Layout) -> Numeral:
    found = layout.cell(numeral.start)
    if found is None:
        return numeral
    for span in (found.head, found.label):
        hit = _IN_HEAD.search(layout.text[span.start : span.end].rstrip(" *"))
        read = read_unit(hit[1].strip(), 0) if hit else None
        if hit and read and read[1] == len(hit[1].strip()):
            unit = read[0]
            return replace(
                numeral, unit=unit.unit, value=numeral.raw * unit.factor, factor=unit.factor, written=hit[1].strip()
            )
    return numeral


def bind(
    numeral: Numeral, layout: Layout, numerals: Sequence[Numeral], evidence: Evidence, cited: Iterable[str]
) -> Number | Unbound:
    """Return the number with its origin, or why it has none."""
    degrees = _DEGREES.match(layout.text, numeral.end)
    if _UNREAD_RATE.match(layout.text, degrees.end() if degrees else numeral.end):
        return Unbound(numeral.text, NOBODY)
    if is_share_of_share(numeral, numerals, layout.text):
        return Unbound(numeral.text, "no result has a share of this share")
    attached = _counts_a_card(numeral, layout)
    if attached:
        numeral = replace(numeral, unit="cards")
    found = _found(numeral, layout, evidence)
    if attached:
        found = [fact for fact in found if fact.unit == "cards" or fact.ref == "user"]
    about = found
    of_a_card = is_of_a_card(numeral, layout)
    if of_a_card or any(fact.cards or fact.models for fact in found):
        subject, kind = layout.subject(numeral.start, numeral.end, numerals), measured(numeral.unit)[0]
        about = [fact for fact in found if not (fact.cards or fact.models) or is_about(fact, subject, evidence, kind)]
        about = about or _held_against(numeral, found, subject, layout, numerals, evidence)
        about = of_the_card(about, subject) if of_a_card else about
    if found and not about:
        return Unbound(numeral.text, ANOTHER)
    tool = [fact for fact in about if fact.ref != "user"]
    user = [fact for fact in about if fact.ref == "user"]
    if tool and (fits_role(tool, partial(scopes, layout, numeral.start)) or whole_of(layout, numeral.start)):
        return _number(numeral, *_origin(tool, user))
    if user and (not tool or attached):
        return _number(numeral, "user", "user")
    passage = _in_passage(numeral, layout, evidence.citations, cited)
    if passage:
        return _number(numeral, "article", passage)
    if tool:
        return Unbound(numeral.text, f"{tool[0].ref} is not what the sentence says it is")
    return Unbound(numeral.text, NOBODY)


def _found(numeral: Numeral, layout: Layout, evidence: Evidence) -> list[Fact]:
    """Return every number of the evidence that a literal may be where it stands."""
    period = period_of(numeral, layout.text)
    if period is not None:
        return within_period(period, evidence.index)
    found = candidates(numeral, layout.text, evidence) or candidates(_plain_money(numeral), layout.text, evidence)
    found = found or _per_span(_plain_money(numeral), layout, evidence)
    return of_each(found, evidence.index) if is_of_each(numeral, layout.text) else found


def _held_against(
    numeral: Numeral,
    found: Sequence[Fact],
    subject: Subject,
    layout: Layout,
    numerals: Sequence[Numeral],
    evidence: Evidence,
) -> list[Fact]:
    """ "The RTX 4090 has 1,008 GB/s against 936 GB/s": the same field of the one other card there is."""
    span = layout.sentence(numeral.start)
    before = [other for other in numerals if span.start <= other.start < numeral.start and other.unit == numeral.unit]
    if not before or not _AGAINST.search(layout.text[max(0, numeral.start - 16) : numeral.start]):
        return []
    first = candidates(before[-1], layout.text, evidence)
    fields = {fact.name for fact in first if fact.cards & subject.cards and not fact.in_text}
    others = [fact for fact in evidence.index.of_kind(measured(numeral.unit)[0]) if fact.name in fields]
    cards = frozenset[str]().union(*(fact.cards for fact in others if not fact.cards & subject.cards))
    return [fact for fact in found if fact.name in fields and fact.cards == cards] if len(cards) == 1 else []


def _plain_money(numeral: Numeral) -> Numeral:
    """ "电费 241 美元" is no price per kWh although electricity stands before it."""
    head, slash, _ = numeral.unit.partition("/")
    return replace(numeral, unit=head) if slash and not re.search(r"/|per|每|一度|a[n ]", numeral.text) else numeral


def _per_span(numeral: Numeral, layout: Layout, evidence: Evidence) -> list[Fact]:
    """ "$71 of electricity a year", "一年用电 591 度": the span stands elsewhere in the sentence."""
    if numeral.unit not in (*CURRENCIES, "kWh"):
        return []
    line = layout.line(numeral.start)
    beside = layout.text[line.start : line.end]
    found: list[Fact] = []
    for span, words in _SPANS.items():
        if words.search(beside):
            found += candidates(replace(numeral, unit=f"{numeral.unit}/{span}"), layout.text, evidence)
    return found


def whole_of(layout: Layout, start: int) -> bool:
    """ "saves 70 W (of 350 W)": what a figure is a part of has its own role."""
    return bool(_PART_OF.search(layout.text[max(0, start - 14) : start]))


def _number(numeral: Numeral, kind: Kind, ref: str) -> Number:
    value, unit = numeral.as_written
    return Number(numeral.text, numeral.start, value, unit, kind, ref)


def _origin(tool: Sequence[Fact], user: Sequence[Fact]) -> tuple[Kind, str]:
    """A figure that only echoes what the person said is the person's."""
    if user and all(fact.in_text or ".arguments." in fact.ref for fact in tool):
        return "user", "user"
    return "tool", next((fact for fact in tool if ".arguments." not in fact.ref), tool[0]).ref


def candidates(numeral: Numeral, text: str, evidence: Evidence) -> list[Fact]:
    """Return every number of the evidence that a literal may be, rounded as its digits show."""
    kind, factor = measured(numeral.unit)
    # What is not nothing does not round to nothing.
    half = half_step(numeral, text) if numeral.value else 0.0
    found = evidence.index.near(kind, numeral.value * factor, half)
    if kind == "fraction":
        found += _as_factor(numeral, text, evidence, half)
    elif numeral.unit in ("", "x"):
        for name in ("x", "count", "fraction"):
            found += [
                fact
                for fact in evidence.index.near(name, numeral.value, half)
                if name != kind
                and (
                    name == "x" or (not fact.in_text and fact.unit != "cards" and (name == "count" or numeral.step < 1))
                )
            ]
    return close_enough([fact for fact in found if fact.ref != "user" or _may_be(numeral, fact)], numeral, text)


def _as_factor(numeral: Numeral, text: str, evidence: Evidence, half: float) -> list[Fact]:
    """Read a percentage as a factor: "96 % of the speed", "60 % faster", "慢 4.5%"."""
    found = evidence.index.near("x", numeral.value, half)
    after, before = text[numeral.end : numeral.end + 12], text[max(0, numeral.start - 8) : numeral.start]
    if _LESS.match(after) or _ZH_LESS.search(before):
        return found + evidence.index.near("x", 1 - numeral.value, half)
    if re.match(r"\s*(?:faster|more|higher|quicker|larger|bigger)", after, re.IGNORECASE) or _ZH_MORE.search(before):
        return found + evidence.index.near("x", 1 + numeral.value, half)
    return found


def _may_be(numeral: Numeral, fact: Fact) -> bool:
    """A bare figure of the person's may stand for one with a unit, a small count may not."""
    if fact.unit == numeral.unit:
        return True
    return measured(fact.unit)[0] == measured(numeral.unit)[0] or abs(fact.value) >= 10


def is_about(fact: Fact, subject: Subject, evidence: Evidence, kind: str) -> bool:
    """Whether a fact may be said of what the sentence is about."""
    if fact.cards and subject.told and fact.cards.isdisjoint(subject.told):
        return False
    if fact.cards and subject.cards and fact.cards.isdisjoint(subject.cards):
        return not subject.sure and not evidence.index.cards_of_kind(kind) & subject.cards
    return not (fact.models and subject.models and fact.models.isdisjoint(subject.models))


def scopes(layout: Layout, position: int) -> tuple[str, ...]:
    """Return the texts that say what a figure is, the nearest first."""
    found = layout.cell(position)
    if found is None:
        clause, sentence = layout.clause(position), layout.sentence(position)
        near, wide = layout.text[clause.start : clause.end], layout.text[sentence.start : sentence.end]
        alone = sum(bool(number.unit) for number in layout.numbers_within(sentence)) == 1
        return (near, wide) if alone else (near,)
    spans = [found.head, found.label] if found.head != found.span else [found.label]
    return tuple(layout.text[span.start : span.end] for span in spans)


def _counts_a_card(numeral: Numeral, layout: Layout) -> bool:
    if numeral.unit not in ("", "cards", "x"):
        return False
    return any(
        not layout.text[numeral.end : item.start].strip(" x×张块")
        for item in layout.within(Span(numeral.end, numeral.end + 4), True)
    )


def _in_passage(
    numeral: Numeral, layout: Layout, citations: Mapping[str, Mapping[str, Json]], cited: Iterable[str]
) -> str | None:
    """A figure of a passage counts only beside that passage's mark or title."""
    for ref in cited:
        passage = citations[ref]
        block = layout.block(numeral.start)
        beside = layout.text[block.start : block.end]
        if f"[{ref}]" not in beside and str(passage.get("title", "")) not in beside:
            continue
        # "(section 9.14, 2023-01-30)" says where the passage stands.
        where = "section" if _SECTION.search(layout.text[max(0, numeral.start - 12) : numeral.start]) else "text"
        if any(equal(numeral, other) for other in numbers_of(str(passage.get(where, "")))):
            return ref
    return None


def equal(one: Numeral, other: Numeral) -> bool:
    """Whether two written numbers are the same quantity."""
    near = abs(one.value - other.value) <= 1e-9 * max(1.0, abs(other.value))
    return near and (one.unit == other.unit or ((not one.unit or not other.unit) and abs(one.value) >= 10))


def is_ordinal(numeral: Numeral, text: str) -> bool:
    """Whether a number only counts the lines of a list."""
    if numeral.unit or text[numeral.end : numeral.end + 1] not in (".", ")", "、", "）"):
        return False
    return not text[text.rfind("\n", 0, numeral.start) + 1 : numeral.start].strip()
