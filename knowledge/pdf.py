"""The text of a PDF, without what repeats at the edges of its pages. The only file that knows pypdf."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from knowledge.fetching import ReadingError

if TYPE_CHECKING:
    from pypdf import PageObject

MOST_PAGES = 3000
# A line at the top or the bottom of this share of the pages is a running head; digits in it are page numbers.
RUNNING_SHARE = 0.3
LEAST_RUNNING = 3
EDGE_LINES = 2
# A line this much shorter than the usual one ends its paragraph.
SHORT_LINE = 0.75

_PAGE_NUMBER = re.compile(r"^\W*(?:page|第|p\.?)?\s*\d{1,4}(?:\s*(?:/|of|页|,|共)\s*\d{0,4})*\s*页?\W*$", re.IGNORECASE)
# Operators that draw text, and the modes in which nothing of it is seen (ISO 32000, 9.3.6).
_DRAWS = (b"Tj", b"TJ", b"'", b'"')
_PICTURES = (b"Do", b"INLINE IMAGE")
_UNSEEN_MODES = (3, 7)
_MODE = re.compile(rb"\b[37]\s+Tr\b")
_ENDS = ".。!！?？:：;；"


def read_pdf(content: bytes) -> tuple[str, str, tuple[str, ...]]:
    """Return the text and the title of a PDF, and what it hides on pages that show other text.

    Raises:
        ReadingError: If it is locked, damaged, too long, or holds pictures of text only.
    """
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(content))
        if reader.is_encrypted and not reader.decrypt(""):
            raise ReadingError("The PDF asks for a password. Save it without one.")
        if len(reader.pages) > MOST_PAGES:
            raise ReadingError(f"The PDF has more than {MOST_PAGES} pages. Cut it into smaller files.")
        hidden: list[str] = []
        pages = [_shown(page, hidden) for page in reader.pages]
        title = (reader.metadata.title if reader.metadata else None) or ""
    except ReadingError:
        raise
    except (PyPdfError, ValueError, LookupError, TypeError, AttributeError, RecursionError, OSError) as error:
        name = type(error).__name__
        raise ReadingError(f"The PDF is damaged ({name}). Print it to a new PDF and try that.") from None
    if not any(sign.isalnum() for page in pages for sign in page):
        raise ReadingError("The PDF holds no text, only pictures. Give a version with a text layer.")
    return "\n\n".join(_paragraphs(_without_running_heads([page.splitlines() for page in pages]))), title, tuple(hidden)


def _shown(page: PageObject, hidden: list[str]) -> str:
    """Return the text of a page that a reader sees; invisible text over a picture is the text layer of a scan."""
    text = page.extract_text()
    content = page.get_contents()
    if content is None or not _MODE.search(content.get_data()):
        return text
    from pypdf.generic import NameObject

    mode, outer, kept, drawn, has_picture = 0, list[int](), list[Any](), 0, False
    for operands, operator in content.operations:
        if operator == b"q":
            outer.append(mode)
        elif operator == b"Q" and outer:
            mode = outer.pop()
        elif operator == b"Tr":
            mode = int(operands[0])
        if operator in _DRAWS and mode in _UNSEEN_MODES:
            continue
        has_picture = has_picture or operator in _PICTURES
        drawn += operator in _DRAWS
        kept.append((operands, operator))
    if not drawn or has_picture or len(kept) == len(content.operations):
        return text
    content.operations = kept
    page[NameObject("/Contents")] = content
    seen = page.extract_text()
    hidden += [line for line in text.splitlines() if line.strip() and line not in seen]
    return seen


def _without_running_heads(pages: Sequence[list[str]]) -> list[str]:
    """Return the lines of all pages but page numbers and what repeats at their edges."""
    edges = Counter(key for page in pages for key in {_key(line) for line in _edge(page)})
    least = max(LEAST_RUNNING, RUNNING_SHARE * len(pages))
    kept: list[str] = []
    for page in pages:
        edge = set(_edge(page))
        kept += [
            line for line in page if not (line in edge and (edges[_key(line)] >= least or _PAGE_NUMBER.match(line)))
        ]
    return kept


def _edge(page: list[str]) -> list[str]:
    lines = [line for line in page if line.strip()]
    return lines[:EDGE_LINES] + lines[-EDGE_LINES:]


def _key(line: str) -> str:
    """Return a line without the page number before or behind it; figures inside it make it another line."""
    return re.sub(r"^\W*\d{1,4}\W+|\W+\d{1,4}\W*$", "", line.strip().lower())


def _paragraphs(lines: Sequence[str]) -> list[str]:
    """Join the lines of a paragraph: all but its last are about as long as the page is wide."""
    lengths = sorted(len(line.strip()) for line in lines if line.strip())
    usual = lengths[len(lengths) * 3 // 4] if lengths else 0
    found: list[str] = []
    is_open = False
    for line in (line.strip() for line in lines):
        if not line:
            is_open = False
            continue
        if is_open and found:
            found[-1] = _joined(found[-1], line)
        else:
            found.append(line)
        is_open = len(line) >= SHORT_LINE * usual and not (line[-1] in _ENDS and len(line) < 0.95 * usual)
    return found


def _joined(before: str, line: str) -> str:
    if re.search(r"[a-z]-$", before) and line[0].islower():
        return before[:-1] + line
    both_chinese = not before[-1].isascii() and not line[0].isascii()
    return before + line if both_chinese else f"{before} {line}"
