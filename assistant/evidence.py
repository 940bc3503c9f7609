"""Read what a conversation's messages hold: results, passages, the person's words, the language."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from assistant.figures import Language
from assistant.grounding import Evidence
from tools.api import Json

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
            read = json.loads(str(message.text))
            found[read["id"]] = read
    return found


def gather(messages: Sequence[AnyMessage]) -> Evidence:
    """Collect what an answer to the latest question may rest on."""
    results: dict[str, dict[str, Json]] = {}
    citations: dict[str, dict[str, Json]] = {}
    for ref, outcome in outcomes(messages).items():
        if "result" in outcome:
            results[ref] = outcome
        for passage in outcome.get("citations", []):
            citations[passage["id"]] = passage
    return Evidence(results, citations, tuple(questions(messages)))


def last_calls(messages: Sequence[AnyMessage]) -> list[str]:
    """Return the ids of the tool calls in the latest message of the model, by position."""
    for message in reversed(messages):
        if isinstance(message, AIMessage):
            return [str(call["id"]) for call in message.tool_calls]
    return []
