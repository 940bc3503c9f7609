"""Arguments that nobody gave and another tool works out: how fast it writes, how long it trains, what it draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from assistant.builtin.calls import Call, Plan
from assistant.builtin.frames import Frame, frames
from assistant.builtin.reading import Reading
from tools.api import Json

Planner = Callable[[Frame, Reading], Plan]


def worked_out(
    frame: Frame, reading: Reading, filled: Mapping[str, Json], planned: Planner
) -> tuple[tuple[Call, ...], dict[str, Json]]:
    """Return the calls that give what is missing, and the arguments that refer to their results.

    Args:
        frame: The tool that lacks something.
        reading: The question.
        filled: Arguments that it has.
        planned: Plans one tool's call.
    """
    calls: list[Call] = []
    found: dict[str, Json] = {}
    for argument, origin in frame.origins.items():
        if argument in filled or any(name in filled for name in origin.unless):
            continue
        plan = planned(frames()[origin.tool], reading)
        if plan.status != "answered" or len(plan.stages) != 1 or len(plan.stages[0]) != 1:
            continue
        call = plan.stages[0][0]
        more: dict[str, Any] = {}
        for name, arguments in origin.beside.items():
            if name in call.arguments:
                more.update(arguments)
        calls.append(Call(call.tool, {**more, **call.arguments}))
        found[argument] = f"{{{{@{len(calls)}.{origin.path}}}}}"
    return tuple(calls), found


def can_be_worked_out(frame: Frame, need: str, met: Callable[[str], bool]) -> bool:
    """Whether another tool gives what is needed, and the message holds what that one takes."""
    origin = frame.origins.get(need)
    return origin is not None and all(met(part) for part in frames()[origin.tool].needs)
