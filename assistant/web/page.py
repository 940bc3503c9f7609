"""The chat page: what is on it and what happens when somebody asks; everything around it is drawn by site.js."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any

import gradio as gr

from assistant.conversation import LONGEST_QUESTION
from assistant.desk import Desk
from assistant.figures import Language
from assistant.history import History
from assistant.serving.seats import Seats
from assistant.web.commands import obey, read
from assistant.web.markup import plain
from assistant.web.owner import owner_of
from assistant.web.turns import Chat, Place, respond, stopped
from assistant.web.words import WORDS

# Beyond those who have a place or stand in line, Gradio still takes so many requests, to answer that there is none.
ROOM_TO_REFUSE = 200


def build_page(
    desk: Callable[[], Desk], history: Callable[[], History | None] = lambda: None, seats: Seats | None = None
) -> gr.Blocks:
    """Return the page.

    Args:
        desk: Gives the open desk; it is asked for at the first question, not before.
        history: Gives where conversations are listed.
        seats: The line in which all questions wait; none if left out.
    """
    with gr.Blocks(title="GPU Advisor", analytics_enabled=False, fill_height=True) as page:
        head = gr.Markdown(elem_id="head")
        welcome = gr.Markdown(elem_id="welcome")
        chat = gr.Chatbot(
            elem_id="chat",
            show_label=False,
            container=False,
            scale=1,
            height="100%",
            latex_delimiters=[],
            sanitize_html=True,
            allow_tags=False,
            buttons=[],
            feedback_options=None,
            layout="bubble",
            allow_file_downloads=False,
            line_breaks=True,
        )
        box = gr.Textbox(
            elem_id="box",
            show_label=False,
            container=False,
            lines=1,
            max_lines=8,
            submit_btn=True,
            max_length=LONGEST_QUESTION,
        )
        foot = gr.Markdown(elem_id="foot")
        # What page.js reads and what it asks for; a textbox is the one component that carries data without evaluating
        # text as code.
        told = gr.Textbox(value="{}", elem_id="told", visible="hidden")
        wish = gr.Textbox(elem_id="wish", visible="hidden")
        state = gr.State(None)

        def place(request: gr.Request) -> Place:
            raw: Any = request.request
            model = _cookie(_header(request, "cookie"), "model")
            return Place(desk(), history(), owner_of(raw) if raw else "", model, seats)

        async def ask(
            question: str, shown: list[Any], known: Chat | None, request: gr.Request
        ) -> AsyncIterator[tuple[Any, ...]]:
            async for update in respond(place(request), question, shown, known or Chat()):
                yield update

        async def wished(
            text: str, shown: list[Any], known: Chat | None, request: gr.Request
        ) -> AsyncIterator[tuple[Any, ...]]:
            async for update in obey(place(request), read(text), shown, known):
                yield update

        outputs = [chat, box, state, told]
        options: Any = {"api_visibility": "private", "show_progress": "hidden"}
        asking = box.submit(ask, [box, chat, state], outputs, **options)
        wishing = wish.change(wished, [wish, chat, state], outputs, trigger_mode="multiple", **options)
        box.stop(stopped, [chat, state], [chat, box], cancels=[asking, wishing], queue=False, **options)
        page.load(greet, None, [head, welcome, box, foot], queue=False, **options)
    # The seats are the one line; Gradio's own lets everybody through to them.
    page.max_threads = (seats.room if seats else 0) + ROOM_TO_REFUSE
    return page.queue(max_size=ROOM_TO_REFUSE, default_concurrency_limit=None)


def greet(request: gr.Request) -> tuple[Any, ...]:
    """Label the page in the language chosen before, or the browser's."""
    return speak(preferred(_header(request, "cookie"), _header(request, "accept-language")))


def _header(request: Any, name: str) -> str:
    return str(request.headers.get(name, ""))


def _cookie(header: str, name: str) -> str:
    try:
        chosen = SimpleCookie(header).get(name)
    except CookieError:
        return ""
    return chosen.value if chosen is not None else ""


def preferred(cookie: str, accepted: str) -> Language:
    """Return the language of a page: a choice kept in a cookie wins over the browser's list."""
    chosen = _cookie(cookie, "language")
    if chosen in WORDS:
        return "zh" if chosen == "zh" else "en"
    first = accepted.split(",")[0].strip().lower()
    return "zh" if first.startswith("zh") else "en"


def speak(language: Language) -> tuple[Any, ...]:
    """Return every label of the page in a language."""
    words = WORDS[language]
    examples = "\n\n".join(
        f"<div>\n\n**{topic}**\n\n" + "\n".join(f"- [{plain(line)}](#ask)" for line in lines) + "\n\n</div>"
        for topic, lines in words.examples
    )
    return f"## {words.title}\n{words.promise}", examples, gr.update(placeholder=words.ask, label=words.ask), words.foot
