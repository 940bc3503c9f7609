"""What a plan is made of: tool calls in stages, and how their results are said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from tools.api import Json

Status = Literal["answered", "clarify", "refused"]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call to make; arguments may hold `{{@1.field}}` for the first result of this plan."""

    tool: str
    arguments: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do about a question.

    Attributes:
        stages: Calls to make, those of one stage side by side.
        say: Template over the results, "" for the tool's own.
        given: Arguments that the person gave.
        focus: What the question is about, if the tool tells several things.
        reply: What to say without any call.
        status: How the turn ends.
        then: What else the message asks, answered after it.
        left: Questions of the message that it leaves open.
        unused: Figures of the message that it has no use for.
    """

    stages: tuple[tuple[Call, ...], ...] = ()
    say: str = ""
    given: tuple[str, ...] = ()
    focus: str = ""
    reply: str = ""
    status: Status = "answered"
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    then: tuple[Plan, ...] = ()
    left: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
