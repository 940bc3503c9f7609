"""A web page as text: what a reader would see, headings marked with #, cells of a table kept apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser

_BLOCKS = {"p", "div", "li", "ul", "ol", "br", "tr", "table", "section", "article", "blockquote", "pre", "figure"}
_CELLS = {"td", "th"}
_SILENT = {
    "script",
    "style",
    "noscript",
    "template",
    "nav",
    "header",
    "footer",
    "aside",
    "form",
    "button",
    "svg",
    "figcaption",
    "iframe",
}
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_INVISIBLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:;|$)"
    r"|font-size\s*:\s*0|(?<![-\w])color\s*:\s*(?:white|#fff(?:fff)?|transparent)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Page:
    """A web page.

    Attributes:
        text: What a reader sees, one blank line between blocks.
        title: Its title.
        date: When it says it was published, "" when it does not.
        hidden: Comments, invisible elements and descriptions of pictures.
    """

    text: str
    title: str
    date: str
    hidden: tuple[str, ...]


def read_page(source: str) -> Page:
    """Return what a reader of the page sees, and apart from it what it hides."""
    parser = _Parser()
    parser.feed(source)
    parser.close()
    return Page(text=parser.text(), title=" ".join(parser.title.split()), date=parser.date, hidden=tuple(parser.hidden))


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = self.date = ""
        self.hidden: list[str] = []
        self._parts: list[str] = []
        self._silent = 0
        self._in_title = False
        # Depth inside an invisible element; void elements have no end and do not count.
        self._invisible = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a block, a heading or a part that is not read."""
        fields = {name: value or "" for name, value in attrs}
        if tag not in _VOID and (self._invisible or "hidden" in fields or _INVISIBLE.search(fields.get("style", ""))):
            self._invisible += 1
        if tag in _SILENT:
            self._silent += 1
        elif tag == "title":
            self._in_title = True
        elif re.fullmatch(r"h[1-6]", tag):
            self._parts.append(f"\n\n{'#' * int(tag[1])} ")
        elif tag in _BLOCKS:
            self._parts.append("\n")
        elif tag in _CELLS:
            self._parts.append(" | ")
        elif tag == "img":
            self.hidden.append(" ".join((fields.get("alt", ""), fields.get("src", ""))))
        if tag == "meta" and fields.get("property", fields.get("name")) in ("article:published_time", "date"):
            self.date = fields.get("content", "")[:10]

    def handle_endtag(self, tag: str) -> None:
        """Close what was opened."""
        if self._invisible and tag not in _VOID:
            self._invisible -= 1
        if tag in _SILENT:
            self._silent = max(self._silent - 1, 0)
        elif tag == "title":
            self._in_title = False
        elif tag == "tr":
            self._parts.append("\n")
        elif tag in _BLOCKS or re.fullmatch(r"h[1-6]", tag):
            self._parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        """Take words that a reader would see; keep the others apart."""
        if self._in_title and not self._silent:
            self.title += data
        elif self._invisible and data.strip():
            self.hidden.append(data.strip())
        elif not self._silent:
            self._parts.append(re.sub(r"\s+", " ", data))

    def handle_comment(self, data: str) -> None:
        """Keep a comment apart."""
        self.hidden.append(data.strip())

    def text(self) -> str:
        """Return the text with one blank line between blocks."""
        lines = (line.strip().removeprefix("| ") for line in "".join(self._parts).splitlines())
        return re.sub(r"\n\s*\n+", "\n\n", "\n".join(lines)).strip()
