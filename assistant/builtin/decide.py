"""Decide what to do about a question: compute, quote an article, ask back, or decline."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from assistant.builtin.derived import derive
from assistant.builtin.frames import Frame, frames
from assistant.builtin.plan import SURE, Call, Plan, plan_for, rank
from assistant.builtin.reading import Reading, read
from assistant.builtin.slots import fill
from assistant.toolbox import SEARCH
from tools.api import Json

# Whoever asks what an article says wants the article, unless the question brings its own figures.
_ARTICLE = re.compile(r"\b(?:guide|article|survey|author|blog|flowchart|paper says|dettmers|luga|qbitai)\b|"
                      r"指南|文章|综述|文中|作者|原文|流程图|量子位|那篇", re.IGNORECASE | re.ASCII)
_FOLLOW_UP = re.compile(r"^(?:and|what about|how about|then|but|with|if|no[,，]|instead|now|ok)\b|"
                        r"^(?:那|换成|如果|要是|再|改成|不|不是|用|按|呢)|呢[？?]?$", re.IGNORECASE | re.ASCII)
_LONGEST_FOLLOW_UP = 80
# A name like this is a card or nothing; other unknown names beside a known card may be boards or processors.
_SURELY_A_CARD = re.compile(r"(?:RTX|GTX|RX)\s?\d{4}", re.IGNORECASE)


def decide(questions: Sequence[str], before: Mapping[str, Mapping[str, Json]]) -> Plan:
    """Return the plan for the latest question.

    Args:
        questions: What the person said, oldest first.
        before: Outcomes of earlier turns by id.
    """
    reading = read(questions[-1])
    made_up = [card for card in reading.unknown_cards if not reading.known_cards or _SURELY_A_CARD.match(card)]
    if made_up:
        return Plan(stages=((Call("gpu_specs", {"gpu": made_up[0][:80]}),),), status="refused")
    plan = derive(reading)
    if plan:
        return plan
    ranked = rank(reading)
    follow = _follow_up(reading, before, ranked[0].score if ranked else 0.0)
    if follow:
        return follow
    for wanted in ranked:
        if wanted.score < SURE or _asks_an_article(wanted.frame, reading):
            break
        plan = plan_for(wanted.frame, reading)
        if plan.status == "clarify" and wanted.frame.read_first:
            return _look_up(reading, otherwise=plan.reply)
        if plan.status == "answered" and wanted.frame.also_read:
            return replace(plan, stages=((*plan.stages[0], *_look_up(reading).stages[0]),))
        if plan.status != "refused":
            return plan
    return _look_up(reading)


def _asks_an_article(frame: Frame, reading: Reading) -> bool:
    told = fill(frame, reading.text, reading.quantities)
    figures = sum(slot.argument in told for slot in frame.slots if slot.unit not in ("", "cards", "x"))
    return figures < 2 and not frame.of_article and bool(_ARTICLE.search(reading.text))


def _look_up(reading: Reading, otherwise: str = "") -> Plan:
    """Ask the articles; `otherwise` is the question back for when they say nothing."""
    return Plan(stages=((Call(SEARCH, {"query": reading.text[:1000], "k": 8}),),), extra={"otherwise": otherwise})


def _follow_up(reading: Reading, before: Mapping[str, Mapping[str, Json]], score: float) -> Plan | None:
    """A short message after a computed answer changes that computation's arguments."""
    last = _latest(before)
    if last is None or last["tool"] not in frames() or len(reading.text) > _LONGEST_FOLLOW_UP:
        return None
    told = bool(reading.quantities or reading.cards or reading.formats)
    if not _FOLLOW_UP.search(reading.text) and (score >= SURE or not told):
        return None
    frame = frames()[last["tool"]]
    if not (fill(frame, reading.text, reading.quantities) or reading.cards or reading.models or reading.formats):
        return None
    return plan_for(frame, reading, last["arguments"])


def _latest(before: Mapping[str, Mapping[str, Json]]) -> Mapping[str, Json] | None:
    """The latest computed answer; what it was held against stands after it and is none."""
    found = [outcome for outcome in before.values() if "result" in outcome]
    while len(found) > 1 and found[-1]["tool"] in ("gpu_specs", "calculate"):
        frame = frames().get(str(found[-2]["tool"]))
        if frame is None or not frame.against_memory:
            break
        found.pop()
    return found[-1] if found else None
