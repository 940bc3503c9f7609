"""Prove an answer: every number is a tool's, the person's, a cited passage's, or part of a name.

A draft refers to numbers as `{{r1.system_w}}` and to passages as `{{c1}}`; code fills them in. A
literal number passes only if it is bound; the numbers that are not bound come back with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assistant.figures import Language, show, shown_value
from assistant.names import name_spans
from assistant.numerals import Numeral, read_numbers
from tools.api import Json, is_array, is_object, unit_of

Kind = Literal["tool", "user", "article", "name"]
_REFERENCE = re.compile(r"\{\{\s*([rc]\d+)((?:\.\w+)*)\s*\}\}")
_LEFTOVER = re.compile(r"\{\{.*?\}\}|\{\{|\}\}", re.DOTALL)
_ORDINAL = re.compile(r"(?:^|\n)\s*$")
_CITED = re.compile(r"\[(c\d+)\]")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an answer may rest on.

    Attributes:
        results: Tool calls by id, each {"tool", "arguments", "result"}.
        citations: Passages by id, each {"id", "title", "date", "text", ...}.
        user: What the person said, oldest first.
    """

    results: Mapping[str, Mapping[str, Json]] = field(default_factory=dict[str, Mapping[str, Json]])
    citations: Mapping[str, Mapping[str, Json]] = field(default_factory=dict[str, Mapping[str, Json]])
    user: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Number:
    """One number of a verified answer and its origin."""

    text: str
    start: int
    value: float
    unit: str
    kind: Kind
    ref: str


@dataclass(frozen=True, slots=True)
class Unbound:
    """A number that nothing vouches for."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Verified:
    """The answer with its references filled in; to be shown only if `ok`."""

    text: str
    numbers: tuple[Number, ...]
    cited: tuple[str, ...]
    unbound: tuple[Unbound, ...]

    @property
    def ok(self) -> bool:
        """Whether every number is bound."""
        return not self.unbound


def verify(draft: str, evidence: Evidence, language: Language) -> Verified:
    """Fill in a draft's references and bind every other number of it.

    Args:
        draft: What the model wrote.
        evidence: Results, passages and the person's words.
        language: Decides the local form of units.

    Returns:
        The text, its numbers with their origin, the passages used, and what is unbound.
    """
    text, numbers, cited, unbound = _fill(draft, evidence, language)
    covered = [(number.start, number.start + len(number.text)) for number in numbers]
    covered += _quoted(text, evidence, cited)
    passages = {ref: str(evidence.citations[ref]["text"]) for ref in cited}
    heard = [*evidence.user, *passages.values(), *_strings(evidence)]
    names = name_spans(text, heard)
    for numeral in read_numbers(text):
        if any(start < numeral.end and numeral.start < end for start, end in covered):
            continue
        bound = _bind(numeral, text, names, evidence, passages)
        if isinstance(bound, Number):
            numbers.append(bound)
        elif bound is not None:
            unbound.append(bound)
    numbers.sort(key=lambda number: number.start)
    return Verified(text, tuple(numbers), tuple(cited), tuple(unbound))


def _fill(draft: str, evidence: Evidence, language: Language) -> tuple[str, list[Number], list[str], list[Unbound]]:
    pieces: list[str] = []
    numbers: list[Number] = []
    cited: list[str] = []
    unbound: list[Unbound] = []
    length, last = 0, 0
    for hit in _REFERENCE.finditer(draft):
        pieces.append(draft[last:hit.start()])
        length += hit.start() - last
        last = hit.end()
        ref, path = hit[1], hit[2]
        if ref.startswith("c"):
            filled, found = _quote(ref, path, evidence, length)
            if filled and not path:
                cited.append(ref)
        else:
            filled, found = _value(ref, path, evidence, language, length)
        if filled is None:
            unbound.append(Unbound(hit[0], f"{ref}{path} is no field of a result"))
            filled = ""
        numbers.extend(found)
        pieces.append(filled)
        length += len(filled)
    pieces.append(draft[last:])
    text = "".join(pieces)
    unbound += [Unbound(hit[0][:60], "not a reference") for hit in _LEFTOVER.finditer(text)]
    cited += [ref for ref in _CITED.findall(text) if ref in evidence.citations]
    return text, numbers, list(dict.fromkeys(cited)), unbound


def _value(ref: str, path: str, evidence: Evidence, language: Language, start: int) -> tuple[str | None, list[Number]]:
    call = evidence.results.get(ref)
    if call is None or not path:
        return None, []
    leaf, name, owner = _walk(call, path.strip(".").split("."))
    if isinstance(leaf, str):
        return leaf, [_moved(number, start) for number in _numbers_in(leaf, "tool", f"{ref}{path}")]
    if isinstance(leaf, bool) or not isinstance(leaf, (int, float)):
        return None, []
    unit = str(owner.get("unit", "")) if name == "value" and is_object(owner) else unit_of(name)
    shown = show(float(leaf), unit, language)
    value, shown_unit = shown_value(float(leaf), unit)
    return shown, [Number(shown, start, value, shown_unit, "tool", f"{ref}{path}")]


def _walk(call: Mapping[str, Json], path: list[str]) -> tuple[Json, str, Json]:
    """Follow `rows.0.relative` into the result, or `arguments.psu_w` into the call."""
    owner: Json = None
    here: Json = call["arguments"] if path[0] == "arguments" else call["result"]
    for key in path[1:] if path[0] == "arguments" else path:
        owner = here
        if is_object(here):
            here = here.get(key)
        elif is_array(here) and key.isdigit() and int(key) < len(here):
            here = here[int(key)]
        else:
            return None, "", None
    names = [key for key in path if not key.isdigit()]
    return here, names[-1] if names else "", owner


def _quote(ref: str, path: str, evidence: Evidence, start: int) -> tuple[str | None, list[Number]]:
    """Fill in a passage, or with a path its title, section or date."""
    passage = evidence.citations.get(ref)
    key = path.removeprefix(".") or "text"
    if passage is None or key not in passage:
        return None, []
    text = str(passage[key])
    return text, [_moved(number, start) for number in _numbers_in(text, "article", ref)]


def _numbers_in(text: str, kind: Kind, ref: str) -> list[Number]:
    """Record the numbers of a quoted string; digits inside names are recorded as names."""
    names = name_spans(text, (text,))
    found: list[Number] = []
    for numeral in read_numbers(text):
        inside = any(start <= numeral.start and numeral.end <= end for start, end in names)
        value, unit = numeral.as_written
        found.append(Number(numeral.text, numeral.start, value, unit, "name" if inside else kind, ref))
    return found


def _moved(number: Number, start: int) -> Number:
    return Number(number.text, number.start + start, number.value, number.unit, number.kind, number.ref)


def _quoted(text: str, evidence: Evidence, cited: list[str]) -> Iterator[tuple[int, int]]:
    """Spans of passages that stand in the text word for word: their numbers are recorded already."""
    for ref in cited:
        passage = str(evidence.citations[ref]["text"])
        start = text.find(passage)
        if start >= 0:
            yield start, start + len(passage)


def _bind(numeral: Numeral, text: str, names: list[tuple[int, int]], evidence: Evidence,
          passages: Mapping[str, str]) -> Number | Unbound | None:
    value, unit = numeral.as_written

    def number(kind: Kind, ref: str) -> Number:
        return Number(numeral.text, numeral.start, value, unit, kind, ref)

    if any(start <= numeral.start < end for start, end in names):
        return number("name", "name")
    if _is_ordinal(numeral, text) or (numeral.in_words and numeral.value == 1 and not numeral.unit):
        return None
    for ref, leaf, leaf_unit in _leaves(evidence):
        if _same(numeral, leaf, leaf_unit):
            return number("tool", ref)
    for said in evidence.user:
        if any(_equal(numeral, other) for other in read_numbers(said)):
            return number("user", "user")
    for ref, passage in passages.items():
        if any(_equal(numeral, other) for other in read_numbers(passage)):
            return number("article", ref)
    return Unbound(numeral.text, "no tool, no passage and nobody in the conversation gave this number")


def _is_ordinal(numeral: Numeral, text: str) -> bool:
    follows = text[numeral.start + len(numeral.text):][:2]
    return not numeral.unit and follows[:1] in (".", ")", "、") and bool(_ORDINAL.search(text[:numeral.start]))


def _leaves(evidence: Evidence) -> Iterator[tuple[str, float, str]]:
    """Yield every number of every result: reference, value, canonical unit."""
    for ref, call in evidence.results.items():
        yield from _numbers_of(call.get("result"), ref, "")
        yield from _numbers_of(call.get("arguments"), f"{ref}.arguments", "")


def _numbers_of(value: Json, path: str, name: str) -> Iterator[tuple[str, float, str]]:
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield path, float(value), unit_of(name)
    elif isinstance(value, str):
        if name not in ("url", "date", "as_of"):
            for numeral in read_numbers(value):
                yield path, numeral.value, numeral.unit
    elif is_object(value):
        if isinstance(value.get("value"), (int, float)) and isinstance(value.get("unit"), str):
            factor = 0.01 if value["unit"] == "%" else 1.0
            yield f"{path}.value", float(value["value"]) * factor, "fraction" if factor != 1.0 else value["unit"]
        for key, item in value.items():
            yield from _numbers_of(item, f"{path}.{key}", str(key))
    elif is_array(value):
        for index, item in enumerate(value):
            yield from _numbers_of(item, f"{path}.{index}", name)


def _same(numeral: Numeral, value: float, unit: str) -> bool:
    """Whether a literal is this field, rounded as its digits show."""
    if numeral.unit != unit and not (numeral.unit in ("", "cards", "x") and unit in ("", "cards", "x")):
        return False
    factor = numeral.value / numeral.raw if numeral.raw else 1.0
    return abs(value / factor - numeral.raw) <= 0.5 * 10 ** -_decimals(numeral) + 1e-9


def _decimals(numeral: Numeral) -> int:
    match = re.search(r"\d\.(\d+)", numeral.text)
    return len(match[1]) if match else 0


def _equal(one: Numeral, other: Numeral) -> bool:
    near = abs(one.value - other.value) <= 1e-9 * max(1.0, abs(other.value))
    return near and (one.unit == other.unit or not one.unit or not other.unit)


def _strings(evidence: Evidence) -> Iterator[str]:
    """Yield the names that results and arguments hold."""
    stack: list[Any] = list(evidence.results.values())
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
        elif is_object(item):
            stack.extend(item.values())
            stack.extend(str(key) for key in item)
        elif is_array(item):
            stack.extend(item)
