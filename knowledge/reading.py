"""Files, folders and web pages as plain text. A web page is fetched only when a person names it."""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from charset_normalizer import from_bytes

from knowledge.fetching import ReadingError as ReadingError
from knowledge.fetching import fetch
from knowledge.pages import read_page
from knowledge.pdf import read_pdf

HTML = (".html", ".htm")
SUFFIXES = (".txt", ".md", ".markdown", *HTML, ".pdf")
MOST_BYTES = 5_000_000
MOST_PDF_BYTES = 50_000_000
MOST_FILES = 1000
LONGEST_TITLE = 80

# Guesses are made among these; UTF-8 and byte order marks need no guess.
_ENCODINGS = ["gb18030", "big5", "utf_16_le", "utf_16_be", "shift_jis", "euc_kr", "cp1252", "cp1251", "cp1250"]
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_DECLARED = re.compile(rb"<meta[^>]+charset=[\"']?([\w-]+)", re.IGNORECASE)
_ADDRESS = re.compile(r"^https?://", re.IGNORECASE)
_ORIGINAL = re.compile(r"(?:原文|来源|出处|source|original)\S{0,6}\s*[:：]?\s*(https?://[^\s)）>]+)", re.IGNORECASE)
_DATE_IN_URL = re.compile(r"/(20\d\d)/(\d\d)(?:/(\d\d))?(?:/|$)")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A text as it was found.

    Attributes:
        source: Path or address it came from.
        text: Its text, headings marked as in Markdown.
        title: What it calls itself.
        url: Address of the original, "" when unknown.
        date: Date of the original, "" when unknown.
        content_hash: SHA-256 of the bytes.
        hidden: What a web page keeps from its readers: comments, invisible elements.
    """

    source: str
    text: str
    title: str
    url: str
    date: str
    content_hash: str
    hidden: tuple[str, ...] = ()


def find_sources(sources: Iterable[str]) -> list[str]:
    """Return every file of the folders among the sources, in order; the rest as it is."""
    found: list[str] = []
    for source in sources:
        folder = Path(source)
        if _ADDRESS.match(source) or not folder.is_dir():
            found.append(source)
        else:
            found += [str(path) for path in sorted(folder.rglob("*")) if path.suffix.lower() in SUFFIXES]
    return list(dict.fromkeys(found))[:MOST_FILES]


def source_content(source: str) -> tuple[bytes, str]:
    """Return the bytes of a file or an address, and their kind: "html", "pdf" or "text".

    Raises:
        ReadingError: If it is missing, too large, of another kind, or at a private address.
    """
    if _ADDRESS.match(source):
        content, kind = fetch(source)
        return content, next((name for name in ("html", "pdf") if name in kind), "text")
    path = Path(source)
    suffix = path.suffix.lower()
    if not path.is_file():
        raise ReadingError(f"There is no file {path.name!r}. Give a path to a text, Markdown, HTML or PDF file.")
    if suffix not in SUFFIXES:
        raise ReadingError(f"{path.name!r} is no text. Give one of {', '.join(SUFFIXES)}.")
    most = MOST_PDF_BYTES if suffix == ".pdf" else MOST_BYTES
    if path.stat().st_size > most:
        raise ReadingError(f"{path.name!r} has more than {most:,} bytes. Cut it into smaller files.")
    return path.read_bytes(), "html" if suffix in HTML else "pdf" if suffix == ".pdf" else "text"


def read_source(source: str) -> Reading:
    """Read a file or fetch an address.

    Raises:
        ReadingError: If it cannot be read; its text says why and what to do.
    """
    return read_content(source, *source_content(source))


def read_content(source: str, content: bytes, kind: str) -> Reading:
    """Turn bytes of a known kind into text.

    Raises:
        ReadingError: If a PDF cannot be read.
    """
    title = date = ""
    hidden: tuple[str, ...] = ()
    if kind == "pdf":
        text, title = read_pdf(content)
    else:
        text = decoded(content)
    if kind == "html":
        page = read_page(text)
        text, title, date, hidden = page.text, page.title, page.date, page.hidden
    is_address = bool(_ADDRESS.match(source))
    original = _ORIGINAL.search("\n".join(text.splitlines()[:12]))
    url = source if is_address else original[1] if original else ""
    in_url = _DATE_IN_URL.search(url)
    date = date or ("-".join(part for part in in_url.groups() if part) if in_url else "")
    return Reading(
        source=source if is_address else str(Path(source).resolve()),
        text=text,
        title=title.strip()[:LONGEST_TITLE] or _title(text, source),
        url=url,
        date=date,
        content_hash=hashlib.sha256(content).hexdigest(),
        hidden=hidden,
    )


def decoded(content: bytes) -> str:
    """Decode a text in any encoding: by its mark, as UTF-8, as it declares, else by the likeliest guess."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content.decode(encoding, errors="replace")
    declared = _DECLARED.search(content[:2048])
    without_mark = () if b"\x00" in content else ("utf-8",)  # a NUL is half of a sign in UTF-16
    for encoding in (*without_mark, *([declared[1].decode("ascii")] if declared else [])):
        try:
            return content.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    guess = from_bytes(content, cp_isolation=_ENCODINGS).best()
    return str(guess) if guess else content.decode("utf-8", errors="replace")


def _title(text: str, source: str) -> str:
    marked = re.search(r"^# +(.+)$", text, re.MULTILINE)
    first = next((line.strip(" #") for line in text.splitlines() if line.strip(" #-")), "")
    title = marked[1] if marked else re.split(r"(?<=[。！？!?])|\. ", first)[0]
    return title.strip()[:LONGEST_TITLE] or Path(urlsplit(source).path).stem
