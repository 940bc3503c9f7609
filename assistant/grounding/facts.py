"""Every number of the results and of the person's words: value, unit, and what it is about."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from assistant.grounding.remembered import remembered
from assistant.names import Mention, cards_in, models_in
from assistant.numerals import Numeral, read_numbers
from assistant.units import measured
from tools.api import Json, is_array, is_object, unit_of

# Fields whose text says which card or model an object is about.
_CARD_KEYS = ("gpu", "name", "gpus", "cards", "title")
_MODEL_KEYS = ("model", "model_name", "network")
# What is set once for everything that is compared: it is no figure of any card or model.
_SETTINGS = (
    "hours_per_week",
    "hours_per_month",
    "electricity_usd_per_kwh",
    "utilization",
    "years",
    "months",
    "horizon_days",
    "intensity_g_per_kwh",
    "pue",
    "budget_usd",
    "cloud_usd_per_h",
)
_NO_NUMBERS = ("sources", "url", "date", "as_of", "launch_date", "price_as_of", "tool", "id")
NOTHING: frozenset[str] = frozenset()
_RANGE = re.compile(r"\s?(?:-|–|—|~|～|to|and|or|到|至|和|或|、)\s?")


class Fact(NamedTuple):
    """One number with its origin.

    Attributes:
        ref: Reference such as "r1.system_w"; "user" for the person's words.
        name: Name of the field, or of the one that a step computes.
        value: In `unit`.
        unit: Canonical unit.
        base: The value in the unit of what it measures.
        cards: Cards it is about, none for any.
        models: Models it is about, none for any.
        in_text: Whether it stands inside a sentence of the result.
        heard: Cards that the person spoke of with it.
    """

    ref: str
    name: str
    value: float
    unit: str
    base: float
    cards: frozenset[str] = NOTHING
    models: frozenset[str] = NOTHING
    in_text: bool = False
    heard: frozenset[str] = NOTHING


@lru_cache(maxsize=8192)
def numbers_of(text: str) -> tuple[Numeral, ...]:
    """Return the numbers of a text; results repeat their sentences."""
    return tuple(read_numbers(text))


@lru_cache(maxsize=8192)
def cards_of(text: str) -> tuple[Mention, ...]:
    """Return the cards that a text names."""
    return tuple(cards_in(text))


@lru_cache(maxsize=8192)
def models_of(text: str) -> frozenset[str]:
    """Return the models that a text names, each in the one form they are compared in."""
    found = {model_key(shown) for _, _, shown in models_in(text)}
    found |= {f"{number.raw:g}b" for number in numbers_of(text) if number.unit == "1e9" and not number.in_words}
    return frozenset(found)


def model_key(name: str) -> str:
    """Fold a model's name: "Llama 3 8B" and "llama-3-8b" are one."""
    return "".join(sign for sign in name.lower() if sign.isalnum() or sign == ".")


class _Sorted:
    """Facts in the order of their values."""

    def __init__(self, facts: list[Fact]) -> None:
        self.facts = facts
        self._values = [fact.base for fact in facts]

    def between(self, low: float, high: float) -> list[Fact]:
        return self.facts[bisect_left(self._values, low) : bisect_right(self._values, high)]


class Index:
    """Facts by what they measure, sorted by value."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.by_ref = {fact.ref: fact for fact in facts if not fact.in_text}
        # Of each kind those in a field, then those in a text.
        self._sorted: dict[str, tuple[_Sorted, _Sorted]] = {}
        self._cards: dict[str, frozenset[str]] = {}
        grouped: dict[str, list[Fact]] = defaultdict(list)
        for fact in facts:
            grouped[measured(fact.unit)[0]].append(fact)
        for kind, group in grouped.items():
            group.sort(key=lambda fact: fact.base)
            self._sorted[kind] = (
                _Sorted([fact for fact in group if not fact.in_text]),
                _Sorted([fact for fact in group if fact.in_text]),
            )

    def near(self, kind: str, base: float, half_step: float) -> list[Fact]:
        """Return the facts of a kind that round to a value; those in a field before those in a text."""
        if kind not in self._sorted:
            return []
        slack = half_step + 1e-9 * max(1.0, abs(base))
        in_fields, in_texts = self._sorted[kind]
        return in_fields.between(base - slack, base + slack) + in_texts.between(base - slack, base + slack)

    def cards_of_kind(self, kind: str) -> frozenset[str]:
        """Return the cards that have a figure of a kind in a field."""
        if kind not in self._cards:
            self._cards[kind] = NOTHING.union(*(fact.cards for fact in self.of_kind(kind) if not fact.in_text))
        return self._cards[kind]

    def of_kind(self, kind: str) -> list[Fact]:
        """Return every fact of a kind."""
        return [fact for group in self._sorted.get(kind, ()) for fact in group.facts]


@remembered
def index_of(results: Mapping[str, Mapping[str, Json]], user: tuple[str, ...]) -> Index:
    """Collect every number of results and of what the person said."""
    facts: list[Fact] = []
    for ref, call in results.items():
        facts += _facts_of({ref: call})
    heard = NOTHING
    for said in user:
        # "and limited to 300 W?" is said of the card that was spoken of before.
        heard = frozenset(name for card in cards_of(said) for name in (card.name, *card.others) if name) or heard
        facts += (fact._replace(heard=heard) for fact in spoken(said, "user"))
    return Index(facts)


@remembered
def _facts_of(results: Mapping[str, Mapping[str, Json]]) -> list[Fact]:
    """Collect the numbers of one result: a conversation that goes on reads only what is new."""
    ((ref, call),) = results.items()
    arguments: dict[str, Json] = call.get("arguments") or {}
    cards, models = _about(arguments, NOTHING, NOTHING)
    found = (
        *_walk(call.get("result"), ref, "", cards, models),
        *_walk(arguments, f"{ref}.arguments", "", cards, models),
    )
    # Two languages say the same, and each plan repeats it: one text is enough.
    told: dict[tuple[object, ...], Fact] = {}
    for fact in found:
        if fact.in_text:
            told.setdefault((fact.name, fact.value, fact.unit, fact.cards, fact.models), fact)
    return [fact for fact in found if not fact.in_text] + list(told.values())


def in_ranges(numerals: Sequence[Numeral], text: str) -> list[Numeral]:
    """Give a number without a unit the one of the range that it begins: "47 to 60 tokens/s"."""
    done = list(numerals)
    for at in range(len(done) - 2, -1, -1):
        one, other = done[at], done[at + 1]
        if not one.unit and other.unit and other.unit != "cards" and _RANGE.fullmatch(text[one.end : other.start]):
            done[at] = replace(
                one, unit=other.unit, value=one.raw * other.factor, factor=other.factor, written=other.written
            )
    return done


def spoken(text: str, ref: str) -> Iterator[Fact]:
    """Yield the numbers of a text; a count that stands at a card is that card's."""
    numerals = numbers_of(text)
    ranged = [new for new, old in zip(in_ranges(numerals, text), numerals, strict=True) if new is not old]
    at = {card.start: card for card in reversed(cards_of(text))}  # a pasted log names thousands of cards
    for numeral in (*numerals, *ranged):
        cards = NOTHING
        if numeral.unit in ("", "cards", "x"):
            beside = next((at[place] for place in range(numeral.end, numeral.end + 5) if place in at), None)
            cards = frozenset((beside.name,)) if beside and beside.name else NOTHING
        yield _fact(ref, "", numeral.value, numeral.unit, cards, NOTHING, in_text=True)


def _fact(
    ref: str, name: str, value: float, unit: str, cards: frozenset[str], models: frozenset[str], in_text: bool = False
) -> Fact:
    if name in _SETTINGS or _is_of_the_cloud(ref, name, unit):
        cards = models = NOTHING
    return Fact(ref, name, value, unit, value * measured(unit)[1], cards, models, in_text)


def _is_of_the_cloud(ref: str, name: str, unit: str) -> bool:
    """Whether a figure is the price of the machine that owning a card is held against: it is none of that card's."""
    return ".break_even." in ref and (name.startswith("rent_") or unit.endswith("/h"))


def _about(
    value: Mapping[str, Json], cards: frozenset[str], models: frozenset[str]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the cards and models an object names itself, or those of what it stands in."""
    own_cards = {card for key in _CARD_KEYS for text in _texts(value.get(key)) for card in _names(text)}
    own_models = {model for key in _MODEL_KEYS for text in _texts(value.get(key)) for model in _model_names(text)}
    parameters = value.get("parameters_b")
    if isinstance(parameters, (int, float)):
        own_models |= {f"{parameters:g}b", f"{round(parameters)}b"}
    return frozenset(own_cards) or cards, frozenset(own_models) | models if own_models else models


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif is_object(value) or is_array(value):
        yield from (item for item in value if isinstance(item, str))


def _names(text: str) -> Iterator[str]:
    yield from (card.name for card in cards_of(text) if card.name)


def _model_names(text: str) -> frozenset[str]:
    return models_of(text) | {model_key(text)}


def _walk(value: Json, path: str, name: str, cards: frozenset[str], models: frozenset[str]) -> Iterator[Fact]:
    """Yield every number below a value, each with what it is about."""
    if isinstance(value, bool) or value is None or name in _NO_NUMBERS:
        return
    if isinstance(value, (int, float)):
        yield _fact(path, name, float(value), _unit(name), cards, models)
    elif isinstance(value, str):
        yield from _in_text(value, path, name, cards, models)
    elif is_array(value):
        for index, item in enumerate(value):
            yield from _walk(item, f"{path}.{index}", name, cards, models)
    elif is_object(value):
        yield from _object(value, path, name, cards, models)


@lru_cache(maxsize=2048)
def _unit(name: str) -> str:
    return "cards" if name == "count" or name.endswith("_count") else unit_of(name)


def _object(
    value: Mapping[str, Json], path: str, name: str, cards: frozenset[str], models: frozenset[str]
) -> Iterator[Fact]:
    cards, models = _about(value, cards, models)
    quantity = isinstance(value.get("value"), (int, float)) and isinstance(value.get("unit"), str)
    if quantity:
        unit, factor = ("fraction", 0.01) if value["unit"] == "%" else (value["unit"], 1.0)
        yield _fact(f"{path}.value", "value", float(value["value"]) * factor, unit, cards, models)
    for key, item in value.items():
        if name == "cards" and isinstance(item, (int, float)):
            yield _fact(f"{path}.{key}", "count", float(item), "cards", frozenset(_names(key)) or cards, models)
        elif name.startswith("prices") and isinstance(item, (int, float)):
            yield _fact(f"{path}.{key}", name, float(item), unit_of(name), frozenset(_names(key)) or cards, models)
        elif not (quantity and key == "value"):
            yield from _walk(item, f"{path}.{key}", str(key), cards, models)


def _in_text(text: str, path: str, name: str, cards: frozenset[str], models: frozenset[str]) -> Iterator[Fact]:
    numerals = numbers_of(text)
    if not numerals:
        return
    own = frozenset(_names(text))
    computed = text.partition(" ")[0] if name == "steps" else name
    for numeral in numerals:
        name = computed if numeral is numerals[-1] else "input"
        yield _fact(
            path, name, numeral.value, numeral.unit, own or cards, models and models | models_of(text), in_text=True
        )
