"""Read what a conversation's messages hold: results, passages, the person's words, the language."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from assistant.figures import Language
from assistant.grounding import Evidence
from tools.api import Json, is_object

GUARD = "guard"


def language_of(text: str) -> Language:
    """Return the language a text is mostly written in: a few Chinese signs make it Chinese."""
    chinese = len(re.findall(r"[一-鿿]", text))
    words = len(re.findall(r"[A-Za-z]{2,}", text))
    return "zh" if chinese > 0 and chinese * 2 >= words else "en"


def questions(messages: Sequence[AnyMessage]) -> list[str]:
    """Return what the person said, oldest first."""
    return [str(message.text) for message in messages if isinstance(message, HumanMessage) and message.name != GUARD]


def turn_start(messages: Sequence[AnyMessage]) -> int:
    """Return the position of the person's latest message."""
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if isinstance(message, HumanMessage) and message.name != GUARD:
            return index
    return 0


def outcomes(messages: Sequence[AnyMessage]) -> dict[str, dict[str, Json]]:
    """Return the outcome of every tool call by id (r1, r2, ...), oldest first."""
    found: dict[str, dict[str, Json]] = {}
    for message in messages:
        if isinstance(message, ToolMessage):
            read = _read(str(message.text))
            found[read["id"]] = read
    return found


@lru_cache(maxsize=512)
def _read(content: str) -> dict[str, Json]:
    """Parse a result once: what is worked out of it is kept as long as it is the same object. Nobody writes into it."""
    return json.loads(content)


def gather(messages: Sequence[AnyMessage]) -> Evidence:
    """Collect what an answer to the latest question may rest on."""
    results: dict[str, dict[str, Json]] = {}
    citations: dict[str, dict[str, Json]] = {}
    for ref, outcome in outcomes(messages).items():
        if "result" in outcome:
            results[ref] = outcome
        for passage in outcome.get("citations", []):
            citations[passage["id"]] = passage
    errors = {
        ref: f"{outcome['error']}\n{outcome['error_zh']}"
        for ref, outcome in outcomes(messages).items()
        if "error" in outcome
    }
    return Evidence(results, citations, tuple(questions(messages)), errors)


def left_over(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Return what a turn that was cut short left before the latest question: unanswered calls, rejected drafts.

    A provider refuses a conversation in which a call has no result, and a rejected draft is no part of it.
    """
    before = messages[: turn_start(messages)]
    answered = {message.tool_call_id for message in before if isinstance(message, ToolMessage)}
    open_calls = [
        message
        for message in before
        if isinstance(message, AIMessage) and any(call["id"] not in answered for call in message.tool_calls)
    ]
    ids = {call["id"] for message in open_calls for call in message.tool_calls}
    return [
        message
        for message in before
        if message.name == GUARD
        or message in open_calls
        or (isinstance(message, ToolMessage) and message.tool_call_id in ids)
    ]


def usage_of(turn: Sequence[AnyMessage]) -> dict[str, float]:
    """Add up the tokens of a turn, rejected drafts included, and its cost where the provider reports it."""
    total: dict[str, float] = {}
    for message in turn:
        held: dict[str, Any] = (
            message.additional_kwargs
            if message.name == GUARD
            else {
                "usage_metadata": getattr(message, "usage_metadata", None),
                "response_metadata": message.response_metadata,
            }
        )
        counts: dict[str, Any] = {**(held.get("usage_metadata") or {})}
        answered: dict[str, Any] = held.get("response_metadata") or {}
        reported: Json = answered.get("token_usage")
        counts["cost_usd"] = reported.get("cost") if is_object(reported) else None
        for name in ("input_tokens", "output_tokens", "cost_usd"):
            if isinstance(counts.get(name), (int, float)):
                total[name] = total.get(name, 0) + counts[name]
    return total


def notes_of(turn: Sequence[AnyMessage]) -> list[str]:
    """Return what went wrong in a turn, each once: "timeout", "busy", "full", "failed", "loop", "phrases only"."""
    found = [
        note
        for message in turn
        if isinstance(message, AIMessage)
        for note in message.additional_kwargs.get("gpu_advisor", {}).get("notes", [])
    ]
    return list(dict.fromkeys(found))


def last_calls(messages: Sequence[AnyMessage]) -> list[str]:
    """Return the ids of the tool calls in the latest message of the model, by position."""
    for message in reversed(messages):
        if isinstance(message, AIMessage):
            return [str(call["id"]) for call in message.tool_calls]
    return []
