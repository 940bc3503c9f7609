"""Files, folders and web pages as plain text. A web page is fetched only when a person names it."""

from __future__ import annotations

import hashlib
import http.client
import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Iterable
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit

SUFFIXES = (".txt", ".md", ".markdown", ".html", ".htm")
MOST_BYTES = 5_000_000
MOST_FILES = 1000
TIMEOUT_S = 10.0
# A server that drips its answer is dropped after this.
DEADLINE_S = 30.0
MOST_REDIRECTS = 3
LONGEST_TITLE = 80

_ADDRESS = re.compile(r"^https?://", re.IGNORECASE)
_ORIGINAL = re.compile(r"(?:原文|来源|出处|source|original)\S{0,6}\s*[:：]?\s*(https?://[^\s)）>]+)", re.IGNORECASE)
_DATE_IN_URL = re.compile(r"/(20\d\d)/(\d\d)(?:/(\d\d))?(?:/|$)")
_BLOCKS = {"p", "div", "li", "ul", "ol", "br", "tr", "table", "section", "article", "blockquote", "pre", "figure"}
_SILENT = {"script", "style", "noscript", "template", "nav", "header", "footer", "aside", "form", "button", "svg",
           "figcaption", "iframe"}


class ReadingError(ValueError):
    """A source that cannot be read, and the way out."""


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
    """

    source: str
    text: str
    title: str
    url: str
    date: str
    content_hash: str


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


def read_source(source: str) -> Reading:
    """Read a file or fetch an address.

    Raises:
        ReadingError: If it is missing, too large, of another kind, or at a private address.
    """
    if _ADDRESS.match(source):
        return _reading(source, *fetch(source), url=source)
    path = Path(source)
    if not path.is_file():
        raise ReadingError(f"There is no file {path.name!r}. Give a path to a text, Markdown or HTML file.")
    if path.suffix.lower() not in SUFFIXES:
        raise ReadingError(f"{path.name!r} is no text. Give one of {', '.join(SUFFIXES)}.")
    if path.stat().st_size > MOST_BYTES:
        raise ReadingError(f"{path.name!r} has more than {MOST_BYTES:,} bytes. Cut it into smaller files.")
    return _reading(str(path.resolve()), path.read_bytes(), path.suffix.lower() in (".html", ".htm"), url="")


def fetch(address: str) -> tuple[bytes, bool]:
    """Fetch a public web page.

    Args:
        address: An http or https address.

    Returns:
        Its bytes, and whether they are HTML.

    Raises:
        ReadingError: If the host is private, the answer too large, too slow, or no text.

    Notes:
        The connection goes to the very address that was checked, and each redirect is checked anew, so
        that a name cannot point elsewhere in between.
    """
    stop = time.monotonic() + DEADLINE_S
    for _ in range(MOST_REDIRECTS + 1):
        status, location, kind, content = _get(address, stop)
        if status in (301, 302, 303, 307, 308) and location:
            address = urljoin(address, location)
            continue
        if status != 200:
            raise ReadingError(f"The server answered {status}. Check the address in a browser.")
        if not kind.startswith(("text/html", "text/plain", "text/markdown", "application/xhtml")):
            raise ReadingError(f"The address holds {kind or 'an unnamed kind'}, not a text page.")
        return content, "html" in kind
    raise ReadingError(f"The address redirects more than {MOST_REDIRECTS} times.")


def public_address(host: str, port: int) -> str:
    """Return an IP address of a public host.

    Raises:
        ReadingError: If the host is unknown or any of its addresses is not public.
    """
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
    except (OSError, UnicodeError):
        raise ReadingError(f"The host {host!r} was not found. Check the address and the connection.") from None
    for address in found:
        parsed = ipaddress.ip_address(address.split("%")[0])
        inner = getattr(parsed, "ipv4_mapped", None) or parsed
        if not inner.is_global or inner.is_multicast:
            raise ReadingError(f"The host {host!r} is not public. Save the page and give the file instead.")
    return min(found, key=lambda address: (":" in address, address))


def _get(address: str, stop: float) -> tuple[int, str, str, bytes]:
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
        raise ReadingError("Only plain http and https addresses are fetched.")
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        raise ReadingError("The port of the address is no number.") from None
    number = public_address(parts.hostname, port)
    try:
        return _ask(parts.scheme, parts.hostname, number, port, parts.path or "/", parts.query, stop)
    except (OSError, http.client.HTTPException) as error:
        raise ReadingError(f"{parts.hostname} could not be read ({type(error).__name__}). Try again later.") from None


def _ask(scheme: str, host: str, number: str, port: int, path: str, query: str,
         stop: float) -> tuple[int, str, str, bytes]:
    link = socket.create_connection((number, port), timeout=TIMEOUT_S)
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
    try:
        connection.sock = (
            ssl.create_default_context().wrap_socket(link, server_hostname=host) if scheme == "https" else link)
        connection.request("GET", f"{path}?{query}" if query else path,
                           headers={"User-Agent": "gpu-advisor", "Accept-Encoding": "identity"})
        answer = connection.getresponse()
        content = b""
        while chunk := answer.read1(65536):
            content += chunk
            if len(content) > MOST_BYTES or time.monotonic() > stop:
                raise ReadingError(f"The page has more than {MOST_BYTES:,} bytes or took over {DEADLINE_S:.0f} s.")
        kind = (answer.getheader("Content-Type") or "").lower()
        return answer.status, answer.getheader("Location") or "", kind, content
    finally:
        connection.close()
        link.close()


def _reading(source: str, content: bytes, is_html: bool, *, url: str) -> Reading:
    text = _decoded(content)
    title = date = ""
    if is_html:
        page = _Page()
        page.feed(text)
        page.close()
        text, title, date = page.text(), " ".join(page.title.split()), page.date
    head = "\n".join(text.splitlines()[:12])
    original = _ORIGINAL.search(head)
    url = url or (original[1] if original else "")
    in_url = _DATE_IN_URL.search(url)
    date = date or ("-".join(part for part in in_url.groups() if part) if in_url else "")
    return Reading(source=source, text=text, title=title or _title(text, source), url=url, date=date,
                   content_hash=hashlib.sha256(content).hexdigest())


def _decoded(content: bytes) -> str:
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("utf-8", errors="replace")


def _title(text: str, source: str) -> str:
    marked = re.search(r"^# +(.+)$", text, re.MULTILINE)
    first = next((line.strip(" #") for line in text.splitlines() if line.strip(" #-")), "")
    title = marked[1] if marked else re.split(r"(?<=[。！？!?])|\. ", first)[0]
    return title.strip()[:LONGEST_TITLE] or Path(urlsplit(source).path).stem


class _Page(HTMLParser):
    """Collect the readable text of a page, headings marked with #."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = self.date = ""
        self._parts: list[str] = []
        self._silent = 0
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a block, a heading or a part that is not read."""
        if tag in _SILENT:
            self._silent += 1
        elif tag == "title":
            self._in_title = True
        elif re.fullmatch(r"h[1-6]", tag):
            self._parts.append(f"\n\n{'#' * int(tag[1])} ")
        elif tag in _BLOCKS:
            self._parts.append("\n")
        fields = dict(attrs)
        if tag == "meta" and fields.get("property", fields.get("name")) in ("article:published_time", "date"):
            self.date = (fields.get("content") or "")[:10]

    def handle_endtag(self, tag: str) -> None:
        """Close what was opened."""
        if tag in _SILENT:
            self._silent = max(self._silent - 1, 0)
        elif tag == "title":
            self._in_title = False
        elif tag in _BLOCKS or re.fullmatch(r"h[1-6]", tag):
            self._parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        """Take words that a reader would see."""
        if self._in_title and not self._silent:
            self.title += data
        elif not self._silent:
            self._parts.append(re.sub(r"\s+", " ", data))

    def text(self) -> str:
        """Return the text with one blank line between blocks."""
        return re.sub(r"\n\s*\n+", "\n\n", "".join(self._parts)).strip()
