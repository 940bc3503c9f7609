"""A web page as text: what a reader would see, headings marked with #, cells of a table kept apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
# A line of so many links and hardly any other words is a menu, and so are as many lines on end that are a link each.
LEAST_MENU_LINKS = 3
MENU_SHARE = 0.8
LONGEST_MENU_ENTRY = 30
# Around the words of a link while a page is read; private signs, taken out of what the page itself says.
_LINK_START, _LINK_END = "\ue000", "\ue001"
_LINKED = re.compile(f"{_LINK_START}([^{_LINK_START}{_LINK_END}]*){_LINK_END}")

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
        # Links of the block that is open: where it begins, how many, and how many letters of it they take.
        self._block = self._links = self._linked = 0
        self._in_link = False
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
        elif tag == "a" and not self._silent and not self._invisible:
            self._parts.append(_LINK_START)
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
        elif tag == "a" and not self._silent and not self._invisible:
            self._parts.append(_LINK_END)
        elif tag in _BLOCKS or re.fullmatch(r"h[1-6]", tag):
            self._parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        """Take words that a reader would see; keep the others apart."""
        if self._in_title and not self._silent:
            self.title += data
        elif self._invisible and data.strip():
            self.hidden.append(data.strip())
        elif not self._silent:
            self._parts.append(re.sub(rf"[\s{_LINK_START}{_LINK_END}]+", " ", data))

    def handle_comment(self, data: str) -> None:
        """Keep a comment apart."""
        self.hidden.append(data.strip())

    def text(self) -> str:
        """Return the text with one blank line between blocks."""
        lines = [line.strip().removeprefix("| ") for line in "".join(self._parts).splitlines()]
        kept = re.sub(r"\n\s*\n+", "\n\n", "\n".join(_without_menus(lines))).strip()
        return re.sub(f"[{_LINK_START}{_LINK_END}]", "", kept)


def _without_menus(lines: Sequence[str]) -> list[str]:
    """Leave out lines of links, and runs of lines that are one short link each; a table is no menu."""
    kept: list[str] = []
    run: list[str] = []
    for line in lines:
        words = _LINKED.findall(line)
        letters = len(re.sub(r"\W", "", line))
        share = len(re.sub(r"\W", "", "".join(words))) / letters if letters else 0.0
        if words and share >= MENU_SHARE and "|" not in line and not line.startswith("#"):
            if len(words) < LEAST_MENU_LINKS:
                run.append(line)
            continue
        if letters:
            kept += _unless_menu(run)
            run = []
        kept.append(line)
    return kept + _unless_menu(run)


def _unless_menu(run: list[str]) -> list[str]:
    is_menu = len(run) >= LEAST_MENU_LINKS and all(len(line) <= LONGEST_MENU_ENTRY for line in run)
    return [] if is_menu else [part for line in run for part in (line, "")]
