"""Fetch a web page that a person named: http and https only, public hosts only, within limits of size and time."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urljoin, urlsplit

MOST_BYTES = 5_000_000
TIMEOUT_S = 10.0
# A server that drips its answer is dropped after this.
DEADLINE_S = 30.0
MOST_REDIRECTS = 3
# RFC 6052: the last 32 bits are an IPv4 address.
_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")


class ReadingError(ValueError):
    """A source that cannot be read, and the way out."""


def fetch(address: str) -> tuple[bytes, str]:
    """Fetch a public web page.

    Args:
        address: An http or https address.

    Returns:
        Its bytes, and their kind as the server names it.

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
        if not kind.startswith(("text/html", "text/plain", "text/markdown", "application/xhtml", "application/pdf")):
            raise ReadingError(f"The address holds {kind or 'an unnamed kind'}, not a text page or a PDF.")
        return content, kind
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
        if not all(one.is_global and not one.is_multicast for one in (parsed, *_inner(parsed))):
            raise ReadingError(f"The host {host!r} is not public. Save the page and give the file instead.")
    return min(found, key=lambda address: (":" in address, address))


def _inner(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> Iterator[ipaddress.IPv4Address]:
    """Yield the IPv4 addresses that an IPv6 address stands for: mapped, 6to4, Teredo, or behind a translator."""
    if isinstance(address, ipaddress.IPv4Address):
        return
    yield from (one for one in (address.ipv4_mapped, address.sixtofour, *(address.teredo or ())) if one)
    if address in _TRANSLATED:
        yield ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)


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


def _ask(
    scheme: str, host: str, number: str, port: int, path: str, query: str, stop: float
) -> tuple[int, str, str, bytes]:
    link = socket.create_connection((number, port), timeout=TIMEOUT_S)
    connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
    watch = threading.Timer(max(stop - time.monotonic(), 0.0), lambda: _cut(connection))
    watch.daemon = True
    try:
        connection.sock = (
            ssl.create_default_context().wrap_socket(link, server_hostname=host) if scheme == "https" else link
        )
        # The time limit of a socket starts anew with every byte; a server that drips its headers is cut off here.
        watch.start()
        connection.request(
            "GET",
            f"{path}?{query}" if query else path,
            headers={"User-Agent": "gpu-advisor", "Accept-Encoding": "identity"},
        )
        answer = connection.getresponse()
        packed = (answer.getheader("Content-Encoding") or "identity").lower()
        if packed != "identity":
            raise ReadingError(f"The server sends the page packed ({packed[:20]}). Save it and give the file instead.")
        content = b""
        while chunk := answer.read1(65536):
            content += chunk
            if len(content) > MOST_BYTES:
                break
        if len(content) > MOST_BYTES or time.monotonic() >= stop:  # a link that was cut reads like one that ended
            raise ReadingError(f"The page has more than {MOST_BYTES:,} bytes or took over {DEADLINE_S:.0f} s.")
        kind = (answer.getheader("Content-Type") or "").lower()
        return answer.status, answer.getheader("Location") or "", kind, content
    finally:
        watch.cancel()
        connection.close()
        link.close()


def _cut(connection: http.client.HTTPConnection) -> None:
    with suppress(OSError):
        connection.sock.shutdown(socket.SHUT_RDWR)
