"""Where a source and a tool differ about what was asked: which passage, which result, and which of them is used.

A tool goes before an article: it states a data sheet, or shows how it reckoned. A newer price goes before an older one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal

from assistant.check.break_even import BREAK_EVEN, TOLERANCE, days_stated, example
from assistant.check.cards import NOTE, card_of, figures_of_cards, missing_links
from assistant.check.finding import Finding, sentence_at
from assistant.names import cards_in
from assistant.numerals import read_numbers
from knowledge.articles import Passage, built_in_articles
from knowledge.glossary import ID as GLOSSARY
from tools.api import Json, find, get_tool, is_array, is_object

Outcomes = Mapping[str, Mapping[str, Json]]
Language = Literal["zh", "en"]
Basis = Literal["sheet", "computed", "newer"]

# Units in which a passage on break-even states its case, and the arguments that hold them.
_CASE = {"USD/h": "cloud_usd_per_h", "fraction": "utilization", "USD/kWh": "electricity_usd_per_kwh"}
_VALUE = re.compile(
    r"per dollar|dollar buys|\bvalue\b|\bprices?\b|\bcosts?\b|cheap|worth|性价比|价格|价钱|每美元|划算|便宜",
    re.IGNORECASE,
)
_PRICE = re.compile(r"\b(?:prices?d?|costs?|sells?|sold)\b|价|卖", re.IGNORECASE)
# A passage that is less surely about the question is not held against an answer.
SURE = 0.8
LONGEST_QUERY = 300


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """A passage that says otherwise than a result.

    Attributes:
        passage: Id of the citation, e.g. "c1".
        ref: Field of the result that is used instead, e.g. "r1.nvlink_gb_s".
        basis: Why: a data sheet, a computation, or a newer price.
    """

    passage: str
    ref: str
    basis: Basis


def conflicts(outcomes: Outcomes, asked: Collection[str]) -> list[Conflict]:
    """Return where passages of a turn contradict its results, the surest passage of each field first.

    Args:
        outcomes: Outcomes of the turn by id.
        asked: Fields of a data sheet that the question is about.
    """
    found: dict[str, Conflict] = {}
    for cited in _citations(outcomes):
        for ref, outcome in outcomes.items():
            for field, basis in _differing(outcome, _passage(cited), asked):
                conflict = Conflict(passage=str(cited["id"]), ref=f"{ref}.{field}", basis=basis)
                found.setdefault(conflict.ref, conflict)
    return [*found.values(), *_older_prices([(str(cited["id"]), _passage(cited)) for cited in _citations(outcomes)])]


def _older_prices(cited: Sequence[tuple[str, Passage]]) -> Iterator[Conflict]:
    """Yield passages that state another price of a card than a newer source does."""
    for older, one in cited:
        for newer, other in cited:
            if one.date and one.date < other.date and one.article != other.article:
                before, now = _prices(one), _prices(other)
                if any(before[card] != now[card] for card in before.keys() & now.keys()):
                    yield Conflict(passage=older, ref=f"{newer}.date", basis="newer")


@lru_cache(maxsize=512)
def _prices(passage: Passage) -> dict[str, float]:
    """Return what a passage says that cards cost, by name."""
    found: dict[str, float] = {}
    for number in read_numbers(passage.text):
        cards = card_of(passage, number) if number.unit == "USD" else []
        if cards and _PRICE.search(sentence_at(passage.text, number.start)):
            found.setdefault(cards[0].name, number.value)
    return found


def to_look_up(outcomes: Outcomes, question: str, asked: Collection[str], language: Language) -> str:
    """Return what to search the articles for because one of them contradicts a result; "" for nothing."""
    if any("citations" in outcome for outcome in outcomes.values()):
        return ""
    for outcome in outcomes.values():
        if outcome["tool"] == "rank_by_value" and "result" in outcome:
            return question[:LONGEST_QUERY]
        about = _subject(outcome)
        for passage in _known(language):
            if about and about.search(passage.text) and _differing(outcome, passage, asked):
                return passage.context[:LONGEST_QUERY]
    return ""


def to_compute(outcomes: Outcomes, asked: Collection[str]) -> tuple[str, dict[str, Json]] | None:
    """Return the call whose result a found passage is to be held against, None when there is nothing to hold."""
    if any("result" in outcome for outcome in outcomes.values()):
        return None
    if any(cited.get("article") == GLOSSARY for cited in _citations(outcomes)):
        return None  # what is asked is a term, not what an article says of a card
    for cited in _citations(outcomes):
        passage = _passage(cited)
        for finding in _findings(_stated(passage)):
            if finding.field in asked:
                return "gpu_specs", {"gpu": finding.card}
        if days_stated(_stated(passage)):
            arguments = example(_section(passage))
            if arguments:
                return "cloud_break_even", arguments
    return None


def _differing(outcome: Mapping[str, Json], passage: Passage, asked: Collection[str]) -> list[tuple[str, Basis]]:
    """Return the fields of a result that a passage contradicts."""
    result: Json = outcome.get("result")
    if not is_object(result):
        return []
    if outcome["tool"] == "gpu_specs":
        return [
            (finding.field, "sheet")
            for finding in _findings(_stated(passage))
            if finding.field in asked and _is_card(finding.card, str(result["name"])) and result.get(finding.field)
        ]
    if outcome["tool"] == "cloud_break_even":
        return [("break_even_days", "computed")] if _other_days(outcome["arguments"], result, passage) else []
    if outcome["tool"] != "rank_by_value":
        # Advice names prices beside the reason; only a ranking by value stands or falls with them.
        return []
    dated = _price_date(result)
    is_older = bool(dated and passage.date and passage.date[:7] < str(dated[1])[:7])
    return [(dated[0], "newer")] if dated and is_older and _tells_prices(passage.text, _cards(result)) else []


def _subject(outcome: Mapping[str, Json]) -> re.Pattern[str] | None:
    """Return what a passage must name to be worth reading against a result."""
    if outcome["tool"] == "cloud_break_even":
        return BREAK_EVEN
    model = re.search(r"[A-Z]?\d{2,4}", str(outcome.get("result", {}).get("name", "")))
    return re.compile(model[0]) if model and outcome["tool"] == "gpu_specs" else None


def _other_days(arguments: Mapping[str, Json], result: Mapping[str, Json], passage: Passage) -> bool:
    """Whether a passage on the same case gives other days."""
    stated = _stated(passage)
    told = {**_defaults(), **arguments}
    exact = result.get("break_even_days")
    days = days_stated(stated)
    case = [number for number in read_numbers(stated.text) if number.unit in _CASE]
    return (
        isinstance(exact, (int, float))
        and bool(days and case)
        and all(math.isclose(number.value, float(told.get(_CASE[number.unit]) or 0)) for number in case)
        and not any(math.isclose(value, exact, rel_tol=TOLERANCE) for value in days)
    )


@cache
def _defaults() -> dict[str, Json]:
    options = get_tool("cloud_break_even").parameters["properties"]
    return {name: option["default"] for name, option in options.items() if "default" in option}


def _price_date(result: Mapping[str, Json]) -> tuple[str, Json] | None:
    """Return the path and the value of the first date of a price in a result."""
    for name, value in result.items():
        if name == "price_as_of" and value:
            return name, value
        if is_array(value) and value and is_object(value[0]) and value[0].get("price_as_of"):
            return f"{name}.0.price_as_of", value[0]["price_as_of"]
    return None


def _tells_prices(text: str, cards: Collection[str]) -> bool:
    """Whether a passage is about what one of these cards is worth."""
    return bool(_VALUE.search(text)) and any(mention.name in cards for mention in cards_in(text))


def _cards(result: Mapping[str, Json]) -> set[str]:
    """Return the cards that a result has a price for."""
    rows = [row for value in (result, *result.values()) for row in (value if is_array(value) else [value])]
    return {str(row["gpu"]) for row in rows if is_object(row) and row.get("price_as_of") and "gpu" in row}


@lru_cache(maxsize=512)
def _findings(passage: Passage) -> tuple[Finding, ...]:
    return (*figures_of_cards([passage]), *missing_links([passage]))


def _is_card(name: str, asked: str) -> bool:
    """Whether two names are versions of one card."""
    known = find(name)
    return asked in (known.gpu.name, *known.others)


def _stated(passage: Passage) -> Passage:
    """Return a passage without our note behind it, which may correct what it states."""
    return replace(passage, text=NOTE.split(passage.text)[0])


def _citations(outcomes: Outcomes) -> Iterator[Mapping[str, Json]]:
    for outcome in outcomes.values():
        yield from (cited for cited in outcome.get("citations", []) if float(cited.get("score", 1)) >= SURE)


def _passage(cited: Mapping[str, Json]) -> Passage:
    names = ("id", "article", "title", "section", "language", "url", "date", "text")
    return Passage(**{name: str(cited.get(name, "")) for name in names}, heading="", position=0)


@cache
def _known(language: Language) -> tuple[Passage, ...]:
    return tuple(passage for article, found in built_in_articles() if article.language == language for passage in found)


def _section(passage: Passage) -> Sequence[Passage]:
    return [
        other
        for article, found in built_in_articles()
        for other in found
        if (article.id, article.language, other.section) == (passage.article, passage.language, passage.section)
    ]
