"""Text to HTML for what is drawn beside the chat and on the other pages; everything but our own markup is escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from markdown_it import MarkdownIt

from assistant.web.markup import linked
from tools.api import Json

_CODE = re.compile(r"&lt;(/?)code&gt;")


@cache
def _markdown(breaks: bool) -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False, "breaks": breaks}).enable("table")


def page_of(markdown: str) -> str:
    """Return a document of ours as HTML; raw HTML in it stays text."""
    return _markdown(False).render(markdown)


def html_of(text: str, numbers: Sequence[Mapping[str, Json]]) -> str:
    """Return a verified text as HTML whose numbers are links to "#ref"."""
    # `linked` writes code as a tag, which the renderer escapes as it does every other tag.
    return _CODE.sub(r"<\1code>", _markdown(True).render(linked(text, numbers)))
