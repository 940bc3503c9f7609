"""One turn on the page: cards while tools run, then the verified answer in pieces."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import anyio.to_thread
import gradio as gr

from assistant.conversation import Answer, CallStarted
from assistant.desk import Desk, until
from assistant.evidence import language_of
from assistant.figures import Language
from assistant.history import History
from assistant.memory import MemoryDown
from assistant.serving.seats import Full, Seats
from assistant.web.cards import Message, answered, finished, pending, said, thinking
from assistant.web.markup import growing, plain
from assistant.web.records import Record, records_of
from assistant.web.replay import replay_code
from assistant.web.words import WORDS, tool_title
from tools.api import Json

# Between two pieces of a verified answer; long enough to be seen, short enough not to be waited for.
PIECE_S = 0.012
# With more turns than this at work or in line, an answer is shown whole: pieces cost more than computing it did. [1]
CROWD = 4
# An output that stays as it is.
SAME: Any = gr.update()
_log = logging.getLogger(__name__)


@dataclass
class Place:
    """Where turns are worked out and kept.

    Attributes:
        desk: Answers.
        history: Keeps.
        owner: Whose conversation it is; "" is not kept.
        model: Which of the desk's models answers; its first if left out.
        seats: The line that all questions stand in, those of programs too; none if left out.
    """

    desk: Desk
    history: History | None = None
    owner: str = ""
    model: str = ""
    seats: Seats | None = None

    @property
    def crowded(self) -> bool:
        """Whether so many ask that each should be answered the cheapest way."""
        return self.seats is not None and self.seats.taken + self.seats.waiting > CROWD

    def seat(self) -> AbstractAsyncContextManager[None]:
        """Wait for a place to work a turn out, and hold it."""
        return self.seats.seat() if self.seats else nullcontext()


@dataclass
class Chat:
    """What the server keeps of one conversation on one page.

    Attributes:
        session: Under which the memory files it; never leaves the server.
        asked: What the person said, oldest first.
        records: The cards of its numbers.
        name: Under which the history files it; "" before the first answer.
        calls: Calls of the last answer, for the what-if panel.
        replay: The last answer's replay code.
        usage: What the last answer took of a language model, in words; "" for the built-in one.
    """

    session: str = field(default_factory=lambda: uuid.uuid4().hex)
    asked: list[str] = field(default_factory=list[str])
    records: dict[str, Record] = field(default_factory=dict[str, Record])
    name: str = ""
    calls: list[dict[str, Json]] = field(default_factory=list[dict[str, Json]])
    replay: str = ""
    usage: str = ""

    def told(self) -> str:
        """Return what the browser is told besides the messages."""
        last = self.asked[-1] if self.asked else ""
        return json.dumps(
            {
                "records": self.records,
                "calls": self.calls,
                "name": self.name,
                "turn": len(self.asked),
                "replay": self.replay,
                "usage": self.usage,
                "language": language_of(last) if last else "",
            },
            ensure_ascii=False,
        )

    def took(self, answer: Answer, question: str) -> None:
        """Note an answer."""
        self.records |= records_of(answer, self.asked)
        self.calls = [
            {
                "tool": call["tool"],
                "arguments": call["arguments"],
                "title": tool_title(str(call["tool"]), answer.language),
            }
            for call in answer.calls
            if "result" in call
        ]
        self.replay = replay_code(question, answer.calls, time.strftime("%Y-%m-%d"))
        self.usage = usage_line(answer.usage, answer.language)


def usage_line(usage: Mapping[str, float], language: Language) -> str:
    """Say how many tokens an answer took, and its cost where the provider reports one."""
    counts = [f"{int(usage.get(name, 0)):,}" for name in ("input_tokens", "output_tokens")]
    words = WORDS[language]
    parts = [words.tokens.format(read=counts[0], written=counts[1])] if counts != ["0", "0"] else []
    if usage.get("cost_usd"):
        parts.append(words.cost.format(usd=f"{usage['cost_usd']:.4f}"))
    return " · ".join(parts)


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


async def respond(place: Place, question: str, shown: list[Any], chat: Chat) -> AsyncIterator[tuple[Any, ...]]:
    """Run one turn; yields the chat, the input box, what the server keeps, and what the browser is told."""
    question = question.encode("utf-8", "replace").decode()  # halves of characters cannot be sent back
    if not question.strip():
        yield SAME, SAME, SAME, SAME
        return
    turn = Turn(language_of(question), [*shown, said(question), thinking(language_of(question))])
    chat.asked.append(question)
    yield [*turn.messages], busy(), chat, SAME
    try:
        answer: Answer | None = None
        async with place.seat():
            before = await _before(place, chat)
            async for event in place.desk.conversation(chat.session, place.model).ask(question, after=before):
                if isinstance(event, Answer):
                    answer = event
                    continue
                turn.take(event)
                yield [*turn.messages], SAME, SAME, SAME
        if answer is not None:
            chat.took(answer, question)
            await keep(place, chat, question, answer)
            async for messages in _written(answer, turn, at_once=place.crowded):
                yield messages, SAME, chat, chat.told()
    except Full as full:
        chat.asked.pop()
        told = WORDS[turn.language].full.format(seconds=full.retry_after_s)
        yield [*turn.messages[:-1], {"role": "assistant", "content": plain(told)}], ready(question), chat, SAME
        return
    except Exception:
        _log.exception("a turn failed")
        turn.messages = settled(turn.messages)
        turn.messages.append({"role": "assistant", "content": plain(WORDS[turn.language].broken)})
        yield turn.messages, SAME, chat, SAME
    yield SAME, ready(), chat, SAME


async def _before(place: Place, chat: Chat) -> Any:
    """Return the messages that stand, where the memory holds turns that were taken back."""
    if place.desk.keeps_nothing:
        return None
    try:
        everything = await place.desk.conversation(chat.session, place.model).messages()
    except MemoryDown:
        return None  # asking says so
    earlier = until(everything, len(chat.asked) - 1)
    return earlier if len(earlier) < len(everything) else None


async def keep(place: Place, chat: Chat, question: str, answer: Answer) -> None:
    """Put a turn into the history."""
    if place.history is None or not place.owner:
        return
    try:
        kept = {**answer.to_dict(), "results": answer.results, "usage": answer.usage}
        chat.name = await anyio.to_thread.run_sync(
            place.history.keep, place.owner, chat.session, len(chat.asked), question, kept
        )
    except Exception:
        _log.exception("a turn cannot be kept in the history")


async def _written(answer: Answer, turn: Turn, *, at_once: bool = False) -> AsyncIterator[list[Message]]:
    """Show a verified answer in pieces, or at once, then what stands below it."""
    if not turn.cards:
        turn.messages.pop()
    markdown, below = answered(answer)
    for piece in [markdown] if at_once else growing(markdown):
        yield [*turn.messages, {"role": "assistant", "content": piece}]
        await asyncio.sleep(PIECE_S)
    if below:
        yield [*turn.messages, {"role": "assistant", "content": f"{markdown}\n\n{below}"}]


def shown_again(question: str, answer: Answer) -> list[Message]:
    """Return the messages of a turn of the past."""
    calls = [finished(call, None, answer.language) for call in answer.calls]
    markdown, below = answered(answer)
    return [said(question), *calls, {"role": "assistant", "content": f"{markdown}\n\n{below}".strip()}]


def busy() -> Any:
    """Return the input box while a turn runs: empty, with a stop button."""
    return gr.update(value="", submit_btn=False, stop_btn=True)


def ready(text: str | None = None) -> Any:
    """Return the input box when a question may be sent, with a text in it if one is given."""
    return gr.update(submit_btn=True, stop_btn=False, **_value(text))


def _value(text: str | None) -> dict[str, Any]:
    return {} if text is None else {"value": text}


def stopped(shown: list[Any], chat: Chat | None) -> tuple[Any, ...]:
    """Close what was running and say that it was stopped."""
    language = language_of(chat.asked[-1]) if chat and chat.asked else "zh"
    return [*settled(shown), {"role": "assistant", "content": f"*{WORDS[language].stopped}*"}], ready()


def settled(messages: list[Any]) -> list[Any]:
    """Return messages without cards that still wait."""
    return [message for message in messages if _status(message) != "pending"]


def _status(message: Any) -> str | None:
    metadata: Any = message.get("metadata")
    return metadata.get("status") if metadata else None
