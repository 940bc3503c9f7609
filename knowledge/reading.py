"""Files, folders and web pages as plain text. A web page is fetched only when a person names it."""

from __future__ import annotations

import codecs
import hashlib
import re
import unicodedata
from collections.abc import Container, Iterable
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
# New files of one run: each run publishes a whole index, and what it could not do is done by the next.
MOST_FILES = 1000
LONGEST_TITLE = 80
# Of the signs beyond ASCII of a Chinese text, those among the commonest.
COMMON_SHARE = 0.9
# Share of signs that no text has: control signs, signs without a meaning, what could not be decoded.
MOST_ODD_SIGNS = 0.02

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
        hidden: What a web page or a PDF keeps from its readers: comments, invisible elements, invisible text.
        sign: A way of hiding that no honest document needs, "" when none was seen.
    """

    source: str
    text: str
    title: str
    url: str
    date: str
    content_hash: str
    hidden: tuple[str, ...] = ()
    sign: str = ""


def find_sources(sources: Iterable[str], known: Container[str] = ()) -> tuple[list[str], list[tuple[str, str]]]:
    """Find every file of the folders among the sources.

    Args:
        sources: Files, folders or addresses.
        known: Paths that were taken in before: they do not count towards `MOST_FILES` of a run.

    Returns:
        What to read, in order, and what was left out of a folder with the reason.
    """
    found: list[str] = []
    left_out: list[tuple[str, str]] = []
    for source in sources:
        folder = Path(source)
        if _ADDRESS.match(source) or not folder.is_dir():
            found.append(source)
            continue
        root = folder.resolve()
        for path in sorted(folder.rglob("*")):
            if path.suffix.lower() not in SUFFIXES or path.is_dir():
                continue
            if path.resolve().is_relative_to(root):
                found.append(str(path))
            else:
                left_out.append((str(path), "The link leads out of the folder. Name the file itself to take it in."))
    found = list(dict.fromkeys(found))
    new = [source for source in found if str(Path(source).resolve()) not in known]
    if len(new) > MOST_FILES:
        rest = set(new[MOST_FILES:])
        reason = (
            f"{len(rest):,} of {len(new):,} new files were left for later: one run takes {MOST_FILES:,}. "
            "Run the same command again; it goes on with the rest."
        )
        left_out.append((new[MOST_FILES], reason))
        found = [source for source in found if source not in rest]
    return found, left_out


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
        ReadingError: If a PDF cannot be read, or the bytes are no text.
    """
    title = date = ""
    hidden: tuple[str, ...] = ()
    if kind == "pdf":
        text, title, hidden = read_pdf(content)
    else:
        text = decoded(content)
        if not is_text(text):
            raise ReadingError(f"{Path(source).name!r} holds bytes that are no text. Give the text itself.")
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
        sign="text that is drawn invisibly" if hidden and kind == "pdf" else "",
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
    chinese = _as_chinese(content)
    if chinese:
        return chinese
    guess = from_bytes(content, cp_isolation=_ENCODINGS).best()
    return str(guess) if guess else content.decode("utf-8", errors="replace")


def _as_chinese(content: bytes) -> str:
    """Decode as GB 18030 or Big5 where nearly all signs are everyday ones; a guess is wrong about short texts.

    Notes:
        GB 2312 and Big5 put their commonest signs at lead bytes B0 to D7 and A4 to C6. Korean stands there too,
        but then every sign is a syllable in the Korean reading.
    """
    for encoding, first, last, trail in (("gb18030", 0xB0, 0xD7, 0xA1), ("big5", 0xA4, 0xC6, 0x40)):
        try:
            text = content.decode(encoding)
            pairs = [sign.encode(encoding) for sign in text if sign > "\u3400" and sign < "\uff00"]
            others = sum("\x7f" < sign <= "\u2fff" for sign in text)
        except UnicodeError:
            continue
        common = sum(len(pair) == 2 and first <= pair[0] <= last and pair[1] >= trail for pair in pairs)
        if pairs and common >= COMMON_SHARE * (len(pairs) + others) and _hangul(content) < COMMON_SHARE:
            return text
    return ""


def _hangul(content: bytes) -> float:
    """Return the share of syllables among the signs of a text read as Korean."""
    signs = [sign for sign in content.decode("euc_kr", errors="replace") if sign > "\u3400"]
    return sum("\uac00" <= sign <= "\ud7a3" for sign in signs) / len(signs) if signs else 0.0


def is_text(text: str) -> bool:
    """Whether a decoded file is writing: bytes of a program or a picture decode to signs that nobody writes."""
    sample = text[:20_000]
    odd = sum(unicodedata.category(sign) in ("Cc", "Cn", "Co") and sign not in "\t\n\r\f" for sign in sample)
    return odd + sample.count("\ufffd") <= MOST_ODD_SIGNS * len(sample)


def _title(text: str, source: str) -> str:
    marked = re.search(r"^# +(.+)$", text, re.MULTILINE)
    first = next((line.strip(" #") for line in text.splitlines() if line.strip(" #-")), "")
    title = marked[1] if marked else re.split(r"(?<=[。！？!?])|\. ", first)[0]
    return title.strip()[:LONGEST_TITLE] or Path(urlsplit(source).path).stem
