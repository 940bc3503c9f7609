"""Several wants in one message, answered one after the other; what one of them lacks, the message around it has."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.builtin.calls import Plan
from assistant.builtin.derived import derive
from assistant.builtin.follow import follow_up
from assistant.builtin.rank import SURE, rank
from assistant.builtin.reading import Reading, read
from assistant.builtin.single import is_a_term, look_up, single
from assistant.toolbox import SEARCH
from tools.api import Json

_REFERS = re.compile(r"\bit\b|\bthat\b|\bthey\b|它|这", re.IGNORECASE)


def one_by_one(facts: Sequence[str], asked: Sequence[str], whole: Reading) -> Plan | None:
    """Plan each want with the facts of the message; a want that changes one figure goes on from the one before."""
    plans: list[Plan] = []
    terms: list[Plan] = []
    left: list[str] = []
    about = ""
    for at, want in enumerate(asked):
        alone = read(want)
        if is_a_term(alone):  # "What is QLoRA, and how much memory does it take?" goes on about it
            terms.append(look_up(alone))
            about = f"{want.rstrip('?？ ')}: "
            continue
        plan = _next(plans[-1], alone, whole) if plans else None
        if plan is None:
            scope = read(" ".join((*facts, want)))
            if plans:
                scope = read(f"{_carried(scope, whole)}{scope.text}")
            elif about and _REFERS.search(want):
                scope = read(f"{about}{scope.text}")
            plan = derive(scope) or single(scope, want)
        if plans and not (alone.cards or alone.models or alone.quantities):
            # "200 hours cost what, and how much does it emit?": the hours stand before
            plan = _better(plan, _beside(" ".join((*facts, *asked[:at])), want, plans), alone)
        if plan is None or not only_computes(plan):
            left.append(want)
        elif plan.stages not in [other.stages for other in plans]:
            plans.append(plan)
    if terms and (plans or left or len(terms) > 1):
        first, *rest = (*terms, *plans)
        return replace(first, then=tuple(rest), left=tuple(left))
    if not plans:
        return None
    as_one = single(whole) if len(plans) > 1 and _agree(plans) else None
    if as_one is not None and as_one.status == "answered":
        return replace(as_one, left=tuple(left))
    return replace(plans[0], then=tuple(plans[1:]), left=tuple(left))


def only_computes(plan: Plan) -> bool:
    """Whether a plan answers without a look into the articles."""
    return plan.status == "answered" and not any(call.tool == SEARCH for stage in plan.stages for call in stage)


def _beside(before: str, want: str, plans: Sequence[Plan]) -> Plan | None:
    """Plan a want with all that stands before it, if that leads to another tool."""
    plan = single(read(f"{before} {want}"), want)
    return plan if plan and only_computes(plan) and not any(_tools(plan) & _tools(other) for other in plans) else None


def _better(plan: Plan | None, beside: Plan | None, alone: Reading) -> Plan | None:
    """Of two plans for a want, the one with the tool that the want by itself speaks for."""
    if beside is None or plan is None or not only_computes(plan):
        return beside or plan
    meant = next((wanted.frame.tool for wanted in rank(alone) if wanted.frame.score(alone.text) >= SURE), "")
    return beside if meant in _tools(beside) - _tools(plan) else plan


def _tools(plan: Plan) -> set[str]:
    return {call.tool for stage in plan.stages for call in stage}


def _carried(scope: Reading, whole: Reading) -> str:
    """Name what the message is about for a want that names nothing of it: "And how fast is it?"."""
    parts: list[str] = []
    if not scope.cards and len(whole.known_cards) == 1:
        name, count = next(iter(whole.known_cards.items()))
        parts.append(f"{count} x {name}" if count > 1 else name)
    if not scope.models and len(whole.models) == 1:
        parts += [whole.models[0], *(whole.formats[:1] if not scope.formats else ())]
    joint = " " if whole.language == "en" else "，"
    return f"{', '.join(parts)}:{joint}" if parts else ""


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


def _next(last: Plan, reading: Reading, whole: Reading) -> Plan | None:
    """A second want such as "And on a 50 g/kWh grid?" changes an argument of the first."""
    if not last.stages or not last.stages[-1]:
        return None
    calls = [call for stage in last.stages for call in stage]
    outcomes = {
        f"r{index}": {"tool": call.tool, "arguments": call.arguments, "result": {}}
        for index, call in enumerate(calls, 1)
    }
    tools = {call.tool for call in calls}
    told = rank(read(f"{_carried(reading, whole)}{reading.text}")) if len(tools) > 1 else []
    if told and told[0].score >= SURE and told[0].frame.tool not in tools:
        return None  # after advice from several tools it asks for something else, such as memory
    ranked = rank(reading)
    return follow_up(reading, outcomes, ranked[0].score if ranked else 0.0)


def goes_further(several: Plan, whole: Plan) -> bool:
    """Whether answering want by want finds more than the rule that takes the message as one."""
    first = _calls(replace(several, then=()))
    return bool(several.then) and not (first < _calls(whole))


def _calls(plan: Plan) -> set[tuple[str, str]]:
    """Return the different calls that a plan makes, those of its further wants too."""
    return {(call.tool, str(call.arguments)) for one in (plan, *plan.then) for stage in one.stages for call in stage}
