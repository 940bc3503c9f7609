"""One turn on the page: cards while tools run, then the verified answer in pieces."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import gradio as gr

from assistant.conversation import Answer, CallStarted
from assistant.desk import Desk
from assistant.evidence import language_of
from assistant.figures import Language
from assistant.web.cards import Message, answered, finished, pending, said, thinking
from assistant.web.markup import growing, plain
from assistant.web.records import Record, records_of
from assistant.web.words import WORDS

# Between two pieces of a verified answer; long enough to be seen, short enough not to be waited for.
PIECE_S = 0.012
# An output that stays as it is.
SAME: Any = gr.update()


@dataclass
class Chat:
    """What the server keeps of one conversation on one page.

    Attributes:
        session: Under which the memory files it; never leaves the server.
        asked: What the person said, oldest first.
        records: The cards of its numbers.
    """

    session: str = field(default_factory=lambda: uuid.uuid4().hex)
    asked: list[str] = field(default_factory=list[str])
    records: dict[str, Record] = field(default_factory=dict[str, Record])


@dataclass
class Turn:
    """The messages of a running turn."""

    language: Language
    messages: list[Message]
    cards: dict[str, int] = field(default_factory=dict[str, int])
    started: dict[str, float] = field(default_factory=dict[str, float])

    def take(self, event: Any) -> None:
        """Show one event of the conversation other than the answer."""
        if isinstance(event, CallStarted):
            if not self.cards:
                self.messages.pop()  # "thinking" gives way to the first card
            self.cards[event.call_id] = len(self.messages)
            self.started[event.call_id] = time.monotonic()
            self.messages.append(pending(event.tool, event.arguments, self.language))
        elif event.call_id in self.cards:
            took_s = time.monotonic() - self.started[event.call_id]
            self.messages[self.cards[event.call_id]] = finished(event.outcome, took_s, self.language)


async def respond(desk: Desk, question: str, shown: list[Any], chat: Chat) -> AsyncIterator[tuple[Any, ...]]:
    """Run one turn; yields the chat, the input box, what the server keeps, and the cards of the numbers."""
    if not question.strip():
        yield SAME, SAME, SAME, SAME
        return
    turn = Turn(language_of(question), [*shown, said(question), thinking(language_of(question))])
    chat.asked.append(question)
    yield [*turn.messages], busy(), chat, SAME
    try:
        async for event in desk.conversation(chat.session).ask(question):
            if not isinstance(event, Answer):
                turn.take(event)
                yield [*turn.messages], SAME, SAME, SAME
                continue
            chat.records |= records_of(event, chat.asked)
            async for messages in _written(event, turn):
                yield messages, SAME, chat, json.dumps(chat.records, ensure_ascii=False)
    except Exception:
        logging.getLogger(__name__).exception("a turn failed")
        turn.messages = _settled(turn.messages)
        turn.messages.append({"role": "assistant", "content": plain(WORDS[turn.language].broken)})
        yield turn.messages, SAME, chat, SAME
    yield SAME, ready(), chat, SAME


async def _written(answer: Answer, turn: Turn) -> AsyncIterator[list[Message]]:
    """Show a verified answer in pieces, then what stands below it."""
    if not turn.cards:
        turn.messages.pop()
    markdown, below = answered(answer)
    for piece in growing(markdown):
        yield [*turn.messages, {"role": "assistant", "content": piece}]
        await asyncio.sleep(PIECE_S)
    if below:
        yield [*turn.messages, {"role": "assistant", "content": f"{markdown}\n\n{below}"}]


def busy() -> Any:
    """Return the input box while a turn runs: empty, with a stop button."""
    return gr.update(value="", submit_btn=False, stop_btn=True)


def ready() -> Any:
    """Return the input box when a question may be sent."""
    return gr.update(submit_btn=True, stop_btn=False)


def stopped(shown: list[Any], chat: Chat | None) -> tuple[Any, ...]:
    """Close what was running and say that it was stopped."""
    language = language_of(chat.asked[-1]) if chat and chat.asked else "zh"
    return [*_settled(shown), {"role": "assistant", "content": f"*{WORDS[language].stopped}*"}], ready()


def _settled(messages: list[Any]) -> list[Any]:
    """Return messages without cards that still wait."""
    return [message for message in messages if _status(message) != "pending"]


def _status(message: Any) -> str | None:
    metadata: Any = message.get("metadata")
    return metadata.get("status") if metadata else None
