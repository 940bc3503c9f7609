"""Keep a turn going whatever the model does: time-outs, 429, loops, full contexts, models that cannot call tools.

Every way out ends in the tools' own sentences, and the answer's warnings say what happened.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage

from assistant.builtin.fallback import say_results
from assistant.builtin.model import reply
from assistant.context import shorter
from assistant.evidence import GUARD, language_of, outcomes, questions, turn_start

# Longest wait for one reply, all repeats together. [s]
REPLY_S = 90.0
# A server may ask for this much patience, once or twice. [s]
LONGEST_RETRY_AFTER_S = 20.0
TRIES = 3
MODEL_CALLS_PER_TURN = 12
# So many turns in a row without a call, and a model is taken for one that cannot.
IGNORED = 3
# The same call with the same arguments, this often, is a loop.
SAME_CALL = 3
_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|size|window)|maximum context|too many tokens|prompt is too long|exceed.{0,20}context",
    re.IGNORECASE,
)
_NO_TOOLS = re.compile(r"tool|function.?call", re.IGNORECASE)
_log = logging.getLogger(__name__)

PHRASE = """You write the answer of GPU Advisor. Below are the question and a correct answer whose numbers are references in
double braces. Say it in your own words in the question's language and keep every reference exactly as it is. Write no
other numbers and compare nothing that the answer does not compare."""


class Steady(AgentMiddleware[Any, Any]):
    """Bounds every call of a model and takes over where it fails."""

    def __init__(self, reply_s: float = REPLY_S) -> None:
        """Keep the longest wait; `calls_tools` turns False once a model has shown that it cannot."""
        super().__init__()
        self._reply_s = reply_s
        self._ignored = 0
        self.calls_tools = True

    def wrote_without_calling(self) -> None:
        """Note that the model answered a question for the tools without them; in the end it is not offered any."""
        self._ignored += 1
        self.calls_tools = self.calls_tools and self._ignored < IGNORED

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> Any:
        """Run one call of the model within its bounds, or answer in its place."""
        messages = request.messages
        if _loops(messages):
            return _own(messages, "loop")
        planned = is_planned(messages)
        if planned or not self.calls_tools:
            step = _next_step(messages)
            if step is not None:
                return step
            request = _phrasing(request)
        try:
            async with asyncio.timeout(self._reply_s):
                return await self._within_limits(request, handler, planned)
        except Exception as error:
            _log.warning("the model failed: %s", type(error).__name__)  # its text may hold keys or the question
            # A context that the tools' descriptions alone fill is one without tools.
            if not planned and self.calls_tools and (_refuses_tools(error) or _TOO_LONG.search(str(error))):
                self.calls_tools = False
                return await self.awrap_model_call(request, handler)
            return _in_its_place(messages, _note(error))

    async def _within_limits(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[Any]], planned: bool
    ) -> Any:
        """Call the model; wait where it asks for patience, shorten where it is full."""
        request = request.override(messages=shorter(request.messages))
        for left in range(TRIES - 1, -1, -1):
            try:
                response = await handler(request)
                if any(isinstance(message, AIMessage) and message.tool_calls for message in response.result):
                    self._ignored = 0
                return _noted(response, "phrases only" if planned or not self.calls_tools else "")
            except Exception as error:
                wait_s = _retry_after_s(error)
                if not left or (wait_s is None and not _TOO_LONG.search(str(error))):
                    raise
                if wait_s is None:
                    request = request.override(
                        messages=shorter(request.messages[turn_start(request.messages) :], hard=True)
                    )
                else:
                    await asyncio.sleep(wait_s)
        raise AssertionError("unreachable")


def _loops(messages: Sequence[AnyMessage]) -> bool:
    turn = [message for message in messages[turn_start(messages) :] if isinstance(message, AIMessage)]
    calls = [
        f"{call['name']} {json.dumps(call['args'], sort_keys=True)}" for message in turn for call in message.tool_calls
    ]
    return len(turn) >= MODEL_CALLS_PER_TURN - 1 or any(calls.count(call) >= SAME_CALL for call in calls)


def is_planned(messages: Sequence[AnyMessage]) -> bool:
    """Whether the built-in plan calls the tools in this turn."""
    return any(
        isinstance(message, AIMessage) and message.additional_kwargs.get("gpu_advisor", {}).get("planned")
        for message in messages[turn_start(messages) :]
    )


def planned_calls(messages: Sequence[AnyMessage]) -> AIMessage | None:
    """Return the built-in plan's calls for the latest question, None if it needs none."""
    step = reply([message for message in messages if message.name != GUARD])
    if not step.tool_calls:
        return None
    return step.model_copy(update={"additional_kwargs": {"gpu_advisor": {"planned": True}}})


def planned_answer(messages: Sequence[AnyMessage]) -> str:
    """Return the built-in wording of what the plan found out, with its references."""
    return str(reply([message for message in messages if message.name != GUARD]).text)


def _next_step(messages: Sequence[AnyMessage]) -> AIMessage | None:
    """Return the next calls of the plan, or its reply where it asks back or declines; None once results are there."""
    calls = planned_calls(messages)
    if calls:
        return calls
    found = outcomes(messages[turn_start(messages) :])
    if any("error" not in outcome for outcome in found.values()):
        return None
    return reply(messages)


def _phrasing(request: ModelRequest[Any]) -> ModelRequest[Any]:
    """Ask for wording only: the question and the right answer, no tools and no tool messages."""
    messages = request.messages
    question = questions(messages)[-1]
    complaint = [str(message.text) for message in messages[turn_start(messages) :] if message.name == GUARD]
    right = planned_answer(messages)
    text = f"Question: {question[:4000]}\n\nAnswer: {right}" + "".join(f"\n\n{line}" for line in complaint)
    return request.override(messages=[HumanMessage(text)], tools=[], system_message=SystemMessage(PHRASE))


def _in_its_place(messages: Sequence[AnyMessage], note: str) -> AIMessage:
    """Continue the turn without the model: by the plan if no tool ran yet, else by the tools' sentences."""
    started = any(isinstance(message, ToolMessage) for message in messages[turn_start(messages) :])
    if started and not is_planned(messages):
        return _own(messages, note)
    step = reply([message for message in messages if message.name != GUARD])
    kept: dict[str, Any] = {**step.additional_kwargs.get("gpu_advisor", {}), "notes": [note], "planned": True}
    return step.model_copy(update={"additional_kwargs": {"gpu_advisor": kept}})


def _own(messages: Sequence[AnyMessage], note: str) -> AIMessage:
    text = say_results(list(messages), language_of(questions(messages)[-1]))
    return AIMessage(text, additional_kwargs={"gpu_advisor": {"notes": [note]}})


def _noted(response: Any, note: str) -> Any:
    if note:
        for message in response.result:
            if isinstance(message, AIMessage):
                message.additional_kwargs["gpu_advisor"] = {"notes": [note], "planned": True}
    return response


def _note(error: Exception) -> str:
    if isinstance(error, TimeoutError) or "timeout" in type(error).__name__.lower():
        return "timeout"
    if _status(error) == 429:
        return "busy"
    return "full" if _TOO_LONG.search(str(error)) else "failed"


def _status(error: Exception) -> int | None:
    status: Any = getattr(error, "status_code", None)
    return status if isinstance(status, int) else None


def _retry_after_s(error: Exception) -> float | None:
    """Return how long a busy server asks to wait, None if waiting is no remedy or too long."""
    if _status(error) not in (429, 503):
        return None
    headers: Any = getattr(getattr(error, "response", None), "headers", None) or {}
    asked = str(headers.get("retry-after", "1"))
    seconds = float(asked) if re.fullmatch(r"\d+(?:\.\d+)?", asked) else 1.0
    return seconds if seconds <= LONGEST_RETRY_AFTER_S else None


def _refuses_tools(error: Exception) -> bool:
    return isinstance(error, NotImplementedError) or (
        _status(error) in (400, 404, 422, 500, 501) and bool(_NO_TOOLS.search(str(error)))
    )
