"""Decide what to do about a message: compute, quote an article, ask back, or decline; one want after the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from assistant.builtin.again import changed, latest
from assistant.builtin.calls import Call, Plan
from assistant.builtin.concepts import concept
from assistant.builtin.condense import condensed
from assistant.builtin.derive_currency import currency_said, with_currency
from assistant.builtin.derived import derive
from assistant.builtin.exchange import computes, in_dollars, with_rate
from assistant.builtin.follow import follow_up, goes_on
from assistant.builtin.joined import parted
from assistant.builtin.leftover import decisive, leftover
from assistant.builtin.premises import premises
from assistant.builtin.rank import SURE, rank
from assistant.builtin.reading import Reading, read
from assistant.builtin.several import goes_further, one_by_one, only_computes
from assistant.builtin.single import is_a_term, look_up, quotes_an_article, single, unclear_plan, worded
from assistant.builtin.unknowable import unknowable
from assistant.builtin.wants import wants
from assistant.builtin.why import explain
from assistant.numerals import Numeral
from assistant.toolbox import SEARCH
from tools.api import Json

# A name like this is a card or nothing; other unknown names beside a known card may be boards or processors.
_SURELY_A_CARD = re.compile(r"(?:RTX|GTX|RX)\s?\d{4}", re.IGNORECASE)
MOST_WANTS = 4
MOST_UNUSED = 5
# How many questions that were asked back are read together with the answer to the last of them.
MOST_JOINED = 2
# What a bare number counts.
_COUNTED = re.compile(
    r"\s?(?:[人个张条台层轮步路位名](?![\u4e00-\u9fff]?万)|(?:users?|people|employees|staff|cards?|gpus?|layers?|requests?|images?|epochs?|steps?|rows?)\b)"
)
# A longer message is a question of its own and no reply to one.
_LONGEST_REPLY = 60


def decide(questions: Sequence[str], before: Mapping[str, Mapping[str, Json]]) -> Plan:
    """Return the plan for the latest message.

    Args:
        questions: What the person said, oldest first.
        before: Outcomes of earlier turns by id.
    """
    return worded(_decided(questions, before))


def _decided(questions: Sequence[str], before: Mapping[str, Mapping[str, Json]]) -> Plan:
    reading = read(condensed(questions[-1]))
    return _or_in_dollars(reading, lambda asked: _decided_as(asked, questions, before))


def _or_in_dollars(reading: Reading, planned: Callable[[Reading], Plan]) -> Plan:
    """Plan a message as it is, else with its foreign money in dollars."""
    plan = planned(reading)
    dollars = None if computes(plan) else in_dollars(reading)
    other = planned(dollars) if dollars else plan
    return with_rate(other, reading) if dollars and computes(other) and not decisive(dollars, other) else plan


def _decided_as(reading: Reading, questions: Sequence[str], before: Mapping[str, Mapping[str, Json]]) -> Plan:
    made_up = [card for card in reading.unknown_cards if not reading.known_cards or _SURELY_A_CARD.match(card)]
    if made_up:
        return Plan(stages=((Call("gpu_specs", {"gpu": made_up[0][:80]}),),), status="refused")
    story = explain(reading, before)
    if story:
        return story
    if is_a_term(reading):
        return look_up(reading)
    technique = concept(reading)
    if technique:
        return technique
    nothing_known = unknowable(reading)
    if nothing_known:
        return nothing_known
    ranked = rank(reading)
    if len(questions) > 1 and not (ranked and ranked[0].score >= SURE):
        answered = None if before and goes_on(questions[-2]) else _asked_for(questions[-1 - MOST_JOINED : -1], reading)
        if answered:
            return answered
    follow = follow_up(reading, before, ranked[0].score if ranked else 0.0)
    if follow:
        return follow
    plan = _open_about(reading, _with_premises(reading, _planned(reading)))
    again = changed(latest(questions[:-1]), reading) if before and len(questions) > 1 else None
    if again and not computes(plan):
        return _open_about(again, _or_in_dollars(again, _planned))
    return plan


def _with_premises(reading: Reading, plan: Plan) -> Plan:
    """Put first what has to be put right."""
    first = premises(reading, plan)
    if not first:
        return plan
    answered = only_computes(plan)
    rest = (replace(plan, then=(), left=()), *plan.then) if answered else ()
    left = (
        plan.left
        if answered
        else tuple(want for want in wants(reading.text).asked if "NVLink" not in want)[:MOST_WANTS]
    )
    return replace(first[0], then=(*first[1:], *rest), left=left)


def _open_about(reading: Reading, plan: Plan) -> Plan:
    """Name the figures that an answer has no use for; ask instead where a price is among them."""
    calls = [call for one in (plan, *plan.then) for stage in one.stages for call in stage]
    if plan.status != "answered" or all(call.tool == SEARCH for call in calls):
        return plan
    if decisive(reading, plan):
        return unclear_plan(reading)
    rest = leftover(reading, plan)
    return replace(plan, unused=tuple(dict.fromkeys(_shown(reading, item) for item in rest))[:MOST_UNUSED])


def _shown(reading: Reading, item: Numeral) -> str:
    """Write a figure with what it counts, if it has no unit of its own: "200 人"."""
    if item.unit:
        return item.text.strip()
    noun = _COUNTED.match(reading.text, item.end)
    return reading.text[item.start : noun.end() if noun else item.end].strip()


def _asked_for(asked_before: Sequence[str], reading: Reading) -> Plan | None:
    """The message may be the answer to what was asked back before: all of it together is one question then."""
    currency = currency_said(reading.text)
    tells = reading.quantities or reading.cards or reading.models or reading.formats or currency
    if len(reading.text) > _LONGEST_REPLY or not tells:
        return None
    for count in range(1, len(asked_before) + 1):
        earlier = read(", ".join(condensed(text).rstrip("?？。. ") for text in asked_before[-count:]))
        asked = _planned(earlier)
        if asked.status != "clarify" or asked.stages:
            return None
        joined = with_currency(earlier, currency) if currency else f"{earlier.text}, {reading.text}"
        plan = _or_in_dollars(read(joined), _planned)
        if plan.status == "answered" and plan.stages and plan.stages[0][0].tool != SEARCH:
            return plan
    return None


def _planned(reading: Reading) -> Plan:
    """Plan what a message asks: by the rules for its own figures, want by want, or as a whole."""
    plan = derive(reading)
    asked = wants(reading.text)
    each = tuple(part for want in asked.asked for part in parted(want))
    if len(each) > 1 and not any(quotes_an_article(want) for want in asked.asked):
        several = one_by_one(asked.facts, each[:MOST_WANTS], reading)
        if several and (plan is None or goes_further(several, plan)):
            return several
    return (
        plan or single(reading, own=asked.asked[0] if len(asked.asked) == 1 and asked.facts else "") or look_up(reading)
    )
