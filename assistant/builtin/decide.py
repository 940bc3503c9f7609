"""Decide what to do about a message: compute, quote an article, ask back, or decline; one want after the other."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from assistant.builtin.condense import condensed
from assistant.builtin.derived import derive
from assistant.builtin.follow import follow_up
from assistant.builtin.frames import Frame
from assistant.builtin.plan import SURE, Call, Plan, plan_for, rank
from assistant.builtin.premises import premises
from assistant.builtin.reading import Reading, read
from assistant.builtin.slots import fill
from assistant.builtin.unused import asks_why, doubt
from assistant.builtin.wants import wants
from assistant.builtin.why import explain
from assistant.toolbox import SEARCH
from tools.api import Json

# Whoever asks what an article says wants the article, unless the question brings its own figures.
_ARTICLE = re.compile(
    r"\b(?:guide|article|survey|author|blog|flowchart|paper says|dettmers|luga|qbitai)\b|"
    r"指南|文章|综述|文中|作者|原文|流程图|量子位|那篇",
    re.IGNORECASE | re.ASCII,
)
# A name like this is a card or nothing; other unknown names beside a known card may be boards or processors.
_SURELY_A_CARD = re.compile(r"(?:RTX|GTX|RX)\s?\d{4}", re.IGNORECASE)
# A message with figures of its own wants them used; a passage that does not know them is no answer.
_OWN_FIGURES = 1
MOST_WANTS = 4
# A longer message is a question of its own and no reply to one.
_LONGEST_REPLY = 60
# How sure the search must be of a passage: less where an article is named, more where a reason is asked for.
NAMED, UNNAMED, BY_REASON = 0.8, 0.95, 0.995


def decide(questions: Sequence[str], before: Mapping[str, Mapping[str, Json]]) -> Plan:
    """Return the plan for the latest message.

    Args:
        questions: What the person said, oldest first.
        before: Outcomes of earlier turns by id.
    """
    reading = read(condensed(questions[-1]))
    made_up = [card for card in reading.unknown_cards if not reading.known_cards or _SURELY_A_CARD.match(card)]
    if made_up:
        return Plan(stages=((Call("gpu_specs", {"gpu": made_up[0][:80]}),),), status="refused")
    story = explain(reading, before)
    if story:
        return story
    ranked = rank(reading)
    if len(questions) > 1 and not (ranked and ranked[0].score >= SURE):
        answered = _asked_for(questions[-2], reading)
        if answered:
            return answered
    follow = follow_up(reading, before, ranked[0].score if ranked else 0.0)
    if follow:
        return follow
    plan = _planned(reading)
    first = premises(reading, plan)
    if not first:
        return plan
    answered = plan.status == "answered" and not any(call.tool == SEARCH for stage in plan.stages for call in stage)
    rest = (replace(plan, then=(), left=()), *plan.then) if answered else ()
    left = (
        plan.left
        if answered
        else tuple(want for want in wants(reading.text).asked if "NVLink" not in want)[:MOST_WANTS]
    )
    return replace(first[0], then=(*first[1:], *rest), left=left)


def _asked_for(question: str, reading: Reading) -> Plan | None:
    """The message may be the answer to what was asked back before: both together are one question then."""
    if len(reading.text) > _LONGEST_REPLY or not (
        reading.quantities or reading.cards or reading.models or reading.formats
    ):
        return None
    earlier = read(condensed(question))
    asked = _planned(earlier)
    if asked.status != "clarify" or asked.stages:
        return None
    plan = _planned(read(f"{earlier.text.rstrip('?？。. ')}, {reading.text}"))
    return plan if plan.status == "answered" and plan.stages and plan.stages[0][0].tool != SEARCH else None


def _planned(reading: Reading) -> Plan:
    """Plan what a message asks: by the rules for its own figures, want by want, or as a whole."""
    plan = derive(reading)
    asked = wants(reading.text)
    if len(asked.asked) > 1 and not _ARTICLE.search(reading.text):
        several = _one_by_one(asked.facts, asked.asked[:MOST_WANTS], reading)
        if several and (plan is None or _goes_further(several, plan)):
            return several
    return (
        plan
        or _single(reading, own=asked.asked[0] if len(asked.asked) == 1 and asked.facts else "")
        or _look_up(reading)
    )


def _one_by_one(facts: Sequence[str], asked: Sequence[str], whole: Reading) -> Plan | None:
    """Plan each want with the facts of the message; a want that changes one figure goes on from the one before."""
    plans: list[Plan] = []
    left: list[str] = []
    for want in asked:
        alone = read(want)
        plan = _next(plans[-1], alone) if plans else None
        if plan is None:
            scope = read(" ".join((*facts, want)))
            plan = derive(scope) or _single(scope, want)
        if (
            plan is None
            or plan.status != "answered"
            or any(call.tool == SEARCH for stage in plan.stages for call in stage)
        ):
            left.append(want)
        elif plan.stages not in [other.stages for other in plans]:
            plans.append(plan)
    if not plans:
        return None
    single = _single(whole) if len(plans) > 1 and _agree(plans) else None
    if single is not None and single.status == "answered":
        return replace(single, left=tuple(left))
    return replace(plans[0], then=tuple(plans[1:]), left=tuple(left))


def _agree(plans: Sequence[Plan]) -> bool:
    """Whether the wants lead to one tool with arguments that do not contradict each other: they are one question."""
    firsts = [plan.stages[0][0] for plan in plans]
    given: dict[str, Json] = {}
    for call in firsts:
        if call.tool != firsts[0].tool or any(
            given.get(name, value) != value for name, value in call.arguments.items()
        ):
            return False
        given.update(call.arguments)
    return firsts[0].tool != "calculate"


def _next(last: Plan, reading: Reading) -> Plan | None:
    """A second want such as "And on a 50 g/kWh grid?" changes an argument of the first."""
    if not last.stages or not last.stages[-1]:
        return None
    calls = [call for stage in last.stages for call in stage]
    outcomes = {
        f"r{index}": {"tool": call.tool, "arguments": call.arguments, "result": {}}
        for index, call in enumerate(calls, 1)
    }
    ranked = rank(reading)
    return follow_up(reading, outcomes, ranked[0].score if ranked else 0.0)


def _goes_further(several: Plan, whole: Plan) -> bool:
    """Whether answering want by want finds more than the rule that takes the message as one."""
    first = _calls(replace(several, then=()))
    return bool(several.then) and not (first < _calls(whole))


def _calls(plan: Plan) -> set[tuple[str, str]]:
    """Return the different calls that a plan makes, those of its further wants too."""
    return {(call.tool, str(call.arguments)) for one in (plan, *plan.then) for stage in one.stages for call in stage}


def _single(reading: Reading, asked: str = "", own: str = "") -> Plan | None:
    """Return the plan of the tool that is surest about a question, or a search where an article is asked about.

    Args:
        reading: The question with the facts around it.
        asked: The sentence that asks, where others of the message ask something else.
        own: The sentence whose figures go before those of the others.
    """
    unclear: Plan | None = None
    for wanted in rank(reading, asked):
        if wanted.score < SURE:
            break
        if _asks_an_article(wanted.frame, reading):
            return _look_up(reading)
        if wanted.score < SURE + doubt(wanted.frame, reading):
            unclear = unclear or _unclear(reading)
            continue
        plan = _filled(wanted.frame, reading, asked or own)
        if plan.status == "clarify" and wanted.frame.read_first:
            return _look_up(reading, otherwise=plan.reply)
        if plan.status == "answered" and wanted.frame.also_read:
            return replace(plan, stages=((*plan.stages[0], _search(reading)),))
        if plan.status != "refused":
            return plan
    return unclear


def _filled(frame: Frame, reading: Reading, asked: str) -> Plan:
    """Fill a tool's arguments; figures of the sentence that asks go before those of the others."""
    plan = plan_for(frame, reading)
    alone = read(asked) if asked else None
    if alone is None or plan.status != "answered" or len(plan.stages) != 1 or plan.say:
        return plan
    own = fill(frame, alone.text, alone.quantities)
    first = plan.stages[0][0]
    changed = {name: value for name, value in own.items() if name in first.arguments and first.arguments[name] != value}
    if not changed or first.tool != frame.tool:
        return plan
    call = Call(first.tool, {**first.arguments, **changed})
    return replace(plan, stages=((call, *plan.stages[0][1:]),))


def _asks_an_article(frame: Frame, reading: Reading) -> bool:
    told = fill(frame, reading.text, reading.quantities)
    figures = sum(slot.argument in told for slot in frame.slots if slot.unit not in ("", "cards", "x"))
    return figures < 2 and not frame.of_article and bool(_ARTICLE.search(reading.text))


def _look_up(reading: Reading, otherwise: str = "") -> Plan:
    """Ask the articles; `otherwise` is the question back for when they say nothing."""
    own = [item for item in reading.quantities if item.unit not in ("", "cards", "x")]
    named = bool(_ARTICLE.search(reading.text))
    if not named and (len(own) >= _OWN_FIGURES or (reading.known_cards and (reading.models or asks_why(reading.text)))):
        return _unclear(reading)
    return Plan(
        stages=((_search(reading),),),
        extra={"otherwise": otherwise, "sure": NAMED if named else BY_REASON if asks_why(reading.text) else UNNAMED},
    )


def _search(reading: Reading) -> Call:
    return Call(SEARCH, {"query": reading.text[:1000], "k": 8})


def _unclear(reading: Reading) -> Plan:
    """Say which figures were read and ask for the one thing to work out."""
    figures = list(
        dict.fromkeys(item.text.strip() for item in reading.quantities if item.unit not in ("", "cards", "x"))
    )[:6]
    named = (", " if reading.language == "en" else "、").join(figures)
    if reading.language == "zh":
        reply = (
            f"我读到了这些数：{named}，但" if named else "我"
        ) + "没看准你要算什么，不想乱猜。用一句话告诉我要算什么，例如“要多少显存”“要多少瓦”“多久回本”。"
    else:
        reply = (f"I read these figures: {named}. " if named else "") + (
            "I am not sure what to work out from them and will not guess. Tell me in one sentence what you want to know, such as how"
            " much memory, how many watts, or when it pays off."
        )
    return Plan(reply=reply, status="clarify")
