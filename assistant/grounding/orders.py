"""Support for a claim from the figures themselves: verdict fields, the order of two numbers, a rank in rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from assistant.grounding.claim_words import Claim
from assistant.grounding.cutting import Span
from assistant.grounding.fits import Figure, cards_named, cards_within, figures_in, fits
from assistant.grounding.layout import Layout, Named
from assistant.grounding.records import Evidence
from tools.api import Json, is_array, is_object

# What a card is compared by, for each concept: fields, the better first.
_FIELDS = {
    "price": (
        "total_price_usd",
        "price_usd",
        "launch_price_usd",
        "rent_usd_per_h",
        "usd_per_h",
        "usd_per_million_tokens",
        "total_usd",
    ),
    "speed": (
        "relative",
        "tokens_per_s",
        "samples_per_s",
        "tensor_fp16_dense_tflops",
        "memory_bandwidth_gb_s",
        "hours",
    ),
    "amount": (
        "memory_gb",
        "memory_bandwidth_gb_s",
        "board_power_w",
        "tensor_fp16_dense_tflops",
        "relative",
        "price_usd",
        "slots",
    ),
}
_BEST = (
    ("price_usd", -1, re.compile(r"cheapest|便宜", re.IGNORECASE)),
    ("relative_per_1000_usd", 1, re.compile(r"value|money|cost-effective|划算|性价比|值", re.IGNORECASE)),
    ("relative", 1, re.compile(r"fastest|最快", re.IGNORECASE)),
    ("tokens_per_s", 1, re.compile(r"fastest|最快", re.IGNORECASE)),
    ("memory_bandwidth_gb_s", 1, re.compile(r"bandwidth|带宽", re.IGNORECASE)),
    ("memory_gb", 1, re.compile(r"(?:largest|most|biggest).{0,12}memory|显存最大|最大.{0,3}显存", re.IGNORECASE)),
)
_PLACES = {
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "runner-up": 2,
    **dict(zip("二三四五六七八九十", range(2, 11), strict=True)),
}
_PLACE = re.compile(r"second|third|fourth|fifth|runner-up|\d{1,2}|[二三四五六七八九十]", re.IGNORECASE)
_ORDINAL = re.compile(r"第\s?(?:\d{1,2}|[二三四五六七八九十])\s?")
# By what a ranking goes; without one of these the rows stand in its order.
_MEASURE = re.compile(r"est\b(?<!best)|most|快|慢|贵|便宜|划算|强|大|高|省", re.IGNORECASE)
_RENTS = re.compile(r"rent|cloud|租|云", re.IGNORECASE)
# Fields whose figure has a direction of its own.
_DIRECTED = (
    ("saving", 1, re.compile(r"saved|saving")),
    ("speed", -1, re.compile(r"loss")),
    ("speed", 1, re.compile(r"gain|speedup")),
)


def by_figures(claim: Claim, layout: Layout, span: Span, evidence: Evidence) -> bool | None:
    """Whether the results bear a claim out; None if they say nothing about it."""
    text = layout.text[span.start : span.end]
    if claim.concept == "best":
        return _is_best(layout, span, text, evidence)
    if claim.concept == "place":
        return _has_place(claim, cards_within(layout, span), evidence)
    figures = figures_in(layout, span, evidence)
    checks = {
        "fit": fits,
        "verdict": fits,
        "bound": _break_even,
        "price": _price,
        "speed": _compare,
        "amount": _compare,
        "saving": _compare,
    }
    check = checks.get(claim.concept)
    return check(claim, layout, span, evidence, figures) if check else _act(claim, evidence)


def _break_even(claim: Claim, layout: Layout, span: Span, evidence: Evidence, figures: list[Figure]) -> bool | None:
    """ "After 293 days the desktop is cheaper": whether side and direction go together."""
    text = layout.text[span.start : span.end]
    if not any(re.search(r"break_even|flip", fact.name) for figure in figures for fact in figure.facts):
        return None
    owns = _side(text)
    return None if owns is None else (claim.polarity > 0) == owns


def _side(text: str) -> bool | None:
    """Whether a sentence calls owning (True) or renting (False) the cheaper side."""
    own = re.search(r"desktop|\bown\b|owning|\bbuy|machine|自己|自购|本地|台式|买", text, re.IGNORECASE)
    rent = re.search(r"cloud|rent|云|租", text, re.IGNORECASE)
    dearer = bool(re.search(r"dearer|more expensive|costs more|更贵|贵", text, re.IGNORECASE))
    if own and rent:
        word = re.search(r"cheaper|dearer|more expensive|costs? (?:more|less)|便宜|贵|划算", text, re.IGNORECASE)
        compared = re.search(r"\bthan\b|比", text, re.IGNORECASE)
        if not word or not compared:
            return None
        before = own.start() < rent.start()  # "the desktop is cheaper than the cloud", "自己买比租便宜"
        return before != dearer
    if not own and not rent:
        return None
    return bool(own) != dearer


def _price(claim: Claim, layout: Layout, span: Span, evidence: Evidence, figures: list[Figure]) -> bool | None:
    """By the prices of two cards, or by the side of a break-even."""
    text = layout.text[span.start : span.end]
    bound = re.search(r"\b(?:after|above|beyond|from)\b|以上|之后|以后|多于|高于|超过|后", text, re.IGNORECASE)
    below = re.search(
        r"\b(?:before|below|under|until|within)\b|以下|之前|以前|低于|少于|不到|之内|以内", text, re.IGNORECASE
    )
    if any(re.search(r"break_even|flip", fact.name) for figure in figures for fact in figure.facts) and bool(
        bound
    ) != bool(below):
        owns = _side(text)
        return None if owns is None else bool(bound) == owns
    return _compare(claim, layout, span, evidence, figures)


def _compare(claim: Claim, layout: Layout, span: Span, evidence: Evidence, figures: list[Figure]) -> bool | None:
    """By a field with a direction of its own, by two figures around the word, or by two cards' fields."""
    facts = [fact for figure in figures for fact in figure.facts]
    for concept, polarity, pattern in _DIRECTED:
        if concept == claim.concept and any(pattern.search(fact.name) and fact.value > 0 for fact in facts):
            return claim.polarity == polarity
    cards = _pair(layout, span, claim.start + span.start)
    if cards:
        return _cards_compared(claim, *cards, evidence)
    around = _around(claim, figures)
    if around and claim.concept == "amount":
        return (around[0].base > around[1].base) == (claim.polarity > 0)
    return None


def _around(claim: Claim, figures: list[Figure]) -> tuple[Figure, Figure] | None:
    before = [figure for figure in figures if figure.start < claim.start]
    after = [figure for figure in figures if figure.start > claim.start]
    return (before[-1], after[0]) if before and after and before[-1].kind == after[0].kind else None


def _pair(layout: Layout, span: Span, at: int) -> tuple[Named, Named] | None:
    """Return the card a comparison is about and the one it is measured by."""
    here = layout.within(span, True)
    by = next((item for item in here if item.measured_by), None)
    about = next((item for item in here if not item.measured_by), None)
    return (about, by) if about and by and about.keys != by.keys else None


def _cards_compared(claim: Claim, one: Named, other: Named, evidence: Evidence) -> bool | None:
    found: bool | None = None
    for name in _FIELDS.get(claim.concept, ()):
        left = [fact.value for fact in evidence.index.by_ref.values() if fact.name == name and fact.cards & one.keys]
        right = [fact.value for fact in evidence.index.by_ref.values() if fact.name == name and fact.cards & other.keys]
        if left and right:
            higher = max(left) > max(right)
            agrees = higher == ((claim.polarity > 0) != (name == "hours"))
            if agrees or claim.concept != "amount":
                return agrees
            found = False
        elif left and claim.concept == "speed" and name == "relative":
            return (left[0] > 1) == (claim.polarity > 0)
    return found


def _act(claim: Claim, evidence: Evidence) -> bool | None:
    if claim.concept != "action":
        return None
    verdicts = {
        str(call["result"].get("verdict"))
        for call in evidence.results.values()
        if is_object(call.get("result")) and call["result"].get("verdict") in ("buy", "used", "rent", "wait")
    }
    if not verdicts:
        return None
    return bool(verdicts & ({"buy", "used"} if claim.polarity > 0 else {"rent"}))


def is_priced_otherwise(claim: Claim, layout: Layout, span: Span, evidence: Evidence) -> bool:
    """ "Buy 1 x RTX 4090, $0.6/h": what is bought has no price per hour."""
    if claim.concept != "action" or claim.polarity < 0 or _RENTS.search(layout.text, span.start, span.end):
        return False
    rates = [figure for figure in figures_in(layout, span, evidence) if figure.kind.endswith("/h") and figure.facts]
    return any(all(_RENTS.search(fact.name) for fact in figure.facts) for figure in rates)


def _is_best(layout: Layout, span: Span, text: str, evidence: Evidence) -> bool | None:
    """Whether the card of the sentence leads the rows in what the superlative is about."""
    keys = cards_within(layout, span)
    if not keys:
        return True
    found: bool | None = None
    for rows in _rows(evidence):
        fields = [
            (name, sign) for name, sign, words in _BEST if words.search(text) and any(name in row for row in rows)
        ]
        if not fields:
            leads = cards_named(rows[0]) & keys
            found = found or bool(leads)
        for name, sign in fields:
            values = [(sign * row[name], row) for row in rows if isinstance(row.get(name), (int, float))]
            top = max((value for value, _ in values), default=None)
            found = found or any(value == top and cards_named(row) & keys for value, row in values)
    return found


def _has_place(claim: Claim, keys: frozenset[str], evidence: Evidence) -> bool | None:
    """Whether a card stands in the place of a ranking that the words give it: "second fastest", "第三便宜"."""
    hit = _PLACE.search(claim.text)
    if not hit or not keys:
        return None
    place = _PLACES.get(hit[0].lower()) or int(hit[0])
    text = _ORDINAL.sub("最", claim.text)
    found: bool | None = None
    for rows in _rows(evidence):
        fields = [
            (name, sign) for name, sign, words in _BEST if words.search(text) and any(name in row for row in rows)
        ]
        for name, sign in fields:
            ranked = sorted({sign * row[name] for row in rows if isinstance(row.get(name), (int, float))}, reverse=True)
            there = [
                sign * row[name] for row in rows if cards_named(row) & keys and isinstance(row.get(name), (int, float))
            ]
            found = found or (len(ranked) >= place and ranked[place - 1] in there)
        if not fields and not _MEASURE.search(text):
            found = found or (len(rows) >= place and bool(cards_named(rows[place - 1]) & keys))
    return found


def _rows(evidence: Evidence) -> Iterator[list[Mapping[str, Json]]]:
    for call in evidence.results.values():
        result = call.get("result")
        for value in result.values() if is_object(result) else ():
            if (
                is_array(value)
                and value
                and all(is_object(row) for row in value)
                and any(cards_named(row) for row in value)
            ):
                yield list(value)
