"""Decide what to do about a question: compute, quote an article, ask back, or decline."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from assistant.builtin.derived import derive
from assistant.builtin.frames import frames
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


def decide(questions: Sequence[str], before: Mapping[str, Mapping[str, Json]]) -> Plan:
    """Return the plan for the latest question.

    Args:
        questions: What the person said, oldest first.
        before: Outcomes of earlier turns by id.
    """
    reading = read(questions[-1])
    if reading.unknown_cards and not reading.known_cards:
        return Plan(stages=((Call("gpu_specs", {"gpu": reading.unknown_cards[0][:80]}),),), status="refused")
    plan = derive(reading)
    if plan:
        return plan
    ranked = rank(reading)
    follow = _follow_up(reading, before, ranked[0].score if ranked else 0.0)
    if follow:
        return follow
    best = ranked[0] if ranked else None
    figures = len(fill(best.frame, reading.text, reading.quantities)) if best else 0
    if best and best.score >= SURE and (figures >= 2 or not _ARTICLE.search(reading.text)):
        plan = plan_for(best.frame, reading)
        if plan.status == "clarify" and best.frame.read_first:
            return _look_up(reading, otherwise=plan.reply)
        if plan.status != "refused":
            return plan
    return _look_up(reading)


def _look_up(reading: Reading, otherwise: str = "") -> Plan:
    """Ask the articles; `otherwise` is the question back for when they say nothing."""
    return Plan(stages=((Call(SEARCH, {"query": reading.text[:1000], "k": 8}),),), extra={"otherwise": otherwise})


def _follow_up(reading: Reading, before: Mapping[str, Mapping[str, Json]], score: float) -> Plan | None:
    """A short message after a computed answer changes that computation's arguments."""
    last = next((outcome for outcome in reversed(list(before.values())) if "result" in outcome), None)
    if last is None or last["tool"] not in frames() or len(reading.text) > _LONGEST_FOLLOW_UP:
        return None
    if not _FOLLOW_UP.search(reading.text) and (score >= SURE or not (reading.quantities or reading.cards)):
        return None
    frame = frames()[last["tool"]]
    if not (fill(frame, reading.text, reading.quantities) or reading.cards or reading.models):
        return None
    return plan_for(frame, reading, last["arguments"])
