"""Make a conversation fit a model's context: old results lose their stories first, then old turns go."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage

from assistant.evidence import GUARD, turn_start
from tools.api import Json, is_array, is_object

# About 24,000 tokens; what a small local model takes is far less, what a large one takes far more. [characters]
MOST = 96_000
# After a model said that its context is full. [characters]
MOST_AFTER_OVERFLOW = 8_000
# Parts of a result that no sentence needs.
_STORY = ("steps", "sources", "assumptions", "assumptions_zh", "warnings_zh")
_ROWS = 8
# A pasted log beyond this tells a model no more. [characters]
_LONGEST_TEXT = 20_000


def shorter(messages: Sequence[AnyMessage], *, hard: bool = False) -> list[AnyMessage]:
    """Return messages that fit; the latest question always stays.

    Args:
        messages: The conversation without the system prompt.
        hard: Whether the model has refused them already.
    """
    most = MOST_AFTER_OVERFLOW if hard else MOST
    kept = [_cut(message, most // 4) for message in messages] if hard or size(messages) > most else list(messages)
    while size(kept) > most and (following := _second_turn(kept)):
        kept = kept[following:]
    return kept


def size(messages: Sequence[AnyMessage]) -> int:
    """Return the length of all texts, in characters."""
    return sum(len(str(message.text)) for message in messages)


def _second_turn(messages: Sequence[AnyMessage]) -> int:
    """Return where the second turn begins, 0 if there is none."""
    last = turn_start(messages)
    return next(
        (
            at
            for at, message in enumerate(messages[: last + 1])
            if at > 0 and isinstance(message, HumanMessage) and message.name != GUARD
        ),
        0,
    )


def _cut(message: AnyMessage, longest: int) -> AnyMessage:
    text = str(message.text)
    if isinstance(message, ToolMessage):
        return message.model_copy(update={"content": _without_story(text)[:longest]})
    limit = min(_LONGEST_TEXT, longest)
    return message.model_copy(update={"content": text[:limit]}) if len(text) > limit else message


def _without_story(content: str) -> str:
    try:
        read: Json = json.loads(content)
    except json.JSONDecodeError:
        return content
    return json.dumps(_plain(read), ensure_ascii=False)


def _plain(value: Json) -> Any:
    if is_object(value):
        return {key: _plain(item) for key, item in value.items() if key not in _STORY}
    if is_array(value):
        return [_plain(item) for item in value[:_ROWS]]
    return value
