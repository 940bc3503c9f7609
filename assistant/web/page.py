"""The chat page: what is on it and what happens when somebody asks."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import uuid
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any

import gradio as gr

from assistant.conversation import LONGEST_QUESTION, Answer, CallStarted
from assistant.desk import Desk
from assistant.evidence import language_of
from assistant.figures import Language
from assistant.web.cards import Message, answered, finished, pending, said, thinking
from assistant.web.markup import growing, plain
from assistant.web.records import Record, records_of
from assistant.web.words import WORDS

# Between two pieces of a verified answer; long enough to be seen, short enough not to be waited for.
PIECE_S = 0.012
LANGUAGES: list[tuple[str, Language]] = [("中文", "zh"), ("English", "en")]


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


def build_page(desk: Callable[[], Desk]) -> gr.Blocks:
    """Return the page.

    Args:
        desk: Gives the open desk; it is asked for at the first question, not before.
    """
    with gr.Blocks(title="GPU Advisor", analytics_enabled=False, fill_height=True) as page:
        with gr.Row(elem_id="top"):
            head = gr.Markdown(elem_id="head")
            language = gr.Radio(LANGUAGES, value="zh", show_label=False, container=False, elem_id="language", scale=0,
                                min_width=150)
            new = gr.Button(elem_id="new", size="sm", scale=0, min_width=90)
        welcome = gr.Markdown(elem_id="welcome")
        chat = gr.Chatbot(
            elem_id="chat", show_label=False, container=False, scale=1, height="100%", latex_delimiters=[],
            sanitize_html=True, allow_tags=False, buttons=["copy"], feedback_options=None, layout="bubble",
            allow_file_downloads=False, line_breaks=True)
        box = gr.Textbox(elem_id="box", show_label=False, container=False, lines=1, max_lines=8,
                         submit_btn=True, max_length=LONGEST_QUESTION)
        foot = gr.Markdown(elem_id="foot")
        # Read by page.js; a textbox is the one component that carries data without evaluating text as code.
        cards = gr.Textbox(value="{}", elem_id="cards", visible="hidden")
        state = gr.State(None)

        async def ask(question: str, shown: list[Any],
                      known: Chat | None) -> AsyncIterator[tuple[Any, ...]]:
            async for update in respond(desk(), question, shown, known or Chat()):
                yield update

        async def ask_again(shown: list[Any], known: Chat | None,
                            retry: gr.RetryData) -> AsyncIterator[tuple[Any, ...]]:
            if known and known.asked:
                async for update in respond(desk(), known.asked[-1], shown[:_index(retry.index)], known):
                    yield update

        outputs = [chat, box, state, cards]
        options: Any = {"api_visibility": "private", "show_progress": "hidden"}
        asking = box.submit(ask, [box, chat, state], outputs, **options)
        again = chat.retry(ask_again, [chat, state], outputs, **options)
        box.stop(stopped, [chat, state], [chat, box], cancels=[asking, again], queue=False, **options)
        gr.on([new.click, chat.clear], lambda: ([], ready(), None, "{}"), None, outputs, cancels=[asking, again],
              queue=False, **options)
        labels = [language, head, welcome, box, new, foot]
        page.load(greet, None, labels, queue=False, **options)
        language.input(speak, [language], labels, queue=False, **options)
    return page.queue(max_size=64, default_concurrency_limit=16)


def _index(index: Any) -> int:
    return int(index[0] if isinstance(index, (list, tuple)) else index)


async def respond(desk: Desk, question: str, shown: list[Any], chat: Chat) -> AsyncIterator[tuple[Any, ...]]:
    """Run one turn; yields the chat, the input box, what the server keeps, and the cards of the numbers."""
    if not question.strip():
        yield gr.skip(), gr.skip(), gr.skip(), gr.skip()
        return
    turn = Turn(language_of(question), [*shown, said(question), thinking(language_of(question))])
    chat.asked.append(question)
    yield turn.messages, busy(), chat, gr.skip()
    try:
        async for event in desk.conversation(chat.session).ask(question):
            if not isinstance(event, Answer):
                turn.take(event)
                yield turn.messages, gr.skip(), gr.skip(), gr.skip()
                continue
            chat.records |= records_of(event, chat.asked)
            async for messages in _written(event, turn):
                yield messages, gr.skip(), chat, json.dumps(chat.records, ensure_ascii=False)
    except Exception:
        logging.getLogger(__name__).exception("a turn failed")
        turn.messages = _settled(turn.messages)
        turn.messages.append({"role": "assistant", "content": plain(WORDS[turn.language].broken)})
        yield turn.messages, gr.skip(), chat, gr.skip()
    yield gr.skip(), ready(), chat, gr.skip()


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
    return [message for message in messages if (message.get("metadata") or {}).get("status") != "pending"]


def greet(request: gr.Request) -> tuple[Any, ...]:
    """Label the page in the language chosen before, or the browser's."""
    return speak(preferred(request.headers.get("cookie", ""), request.headers.get("accept-language", "")))


def preferred(cookie: str, accepted: str) -> Language:
    """Return the language of a page: a choice kept in a cookie wins over the browser's list."""
    try:
        chosen = SimpleCookie(cookie).get("language")
    except CookieError:
        chosen = None
    if chosen is not None and chosen.value in WORDS:
        return "zh" if chosen.value == "zh" else "en"
    first = accepted.split(",")[0].strip().lower()
    return "zh" if first.startswith("zh") else "en"


def speak(language: Language) -> tuple[Any, ...]:
    """Return every label of the page in a language."""
    words = WORDS[language]
    examples = "\n\n".join(
        f"<div>\n\n**{topic}**\n\n" + "\n".join(f"- [{plain(line)}](#ask)" for line in lines) + "\n\n</div>"
        for topic, lines in words.examples)
    return (gr.update(value=language, label=words.language), f"# GPU Advisor\n{words.promise}", examples,
            gr.update(placeholder=words.ask, label=words.ask), words.new_chat, words.foot)
