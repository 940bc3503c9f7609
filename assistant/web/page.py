"""The chat page: what is on it and what happens when somebody asks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any

import gradio as gr

from assistant.conversation import LONGEST_QUESTION
from assistant.desk import Desk
from assistant.figures import Language
from assistant.web.markup import plain
from assistant.web.turns import Chat, ready, respond, stopped
from assistant.web.words import WORDS

LANGUAGES: list[tuple[str, Language]] = [("中文", "zh"), ("English", "en")]


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
                async for update in respond(desk(), known.asked[-1], shown[:_row(retry)], known):
                    yield update

        outputs = [chat, box, state, cards]
        options: Any = {"api_visibility": "private", "show_progress": "hidden"}
        asking = box.submit(ask, [box, chat, state], outputs, **options)
        again = chat.retry(ask_again, [chat, state], outputs, **options)
        box.stop(stopped, [chat, state], [chat, box], cancels=[asking, again], queue=False, **options)
        for event in (new.click, chat.clear):
            event(lambda: ([], ready(), None, "{}"), None, outputs, cancels=[asking, again], queue=False, **options)
        labels = [language, head, welcome, box, new, foot]
        page.load(greet, None, labels, queue=False, **options)
        language.input(speak, [language], labels, queue=False, **options)
    return page.queue(max_size=64, default_concurrency_limit=16)


def _row(retry: gr.RetryData) -> int:
    """Return where the question that is asked again stands."""
    index: Any = retry.index
    return int(index) if isinstance(index, int) else int(index[0])


def greet(request: gr.Request) -> tuple[Any, ...]:
    """Label the page in the language chosen before, or the browser's."""
    return speak(preferred(_header(request, "cookie"), _header(request, "accept-language")))


def _header(request: Any, name: str) -> str:
    return str(request.headers.get(name, ""))


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
