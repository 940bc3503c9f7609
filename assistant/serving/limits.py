"""How much one client may send: requests a minute, and bytes a request."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import OrderedDict

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 4 * 1024 * 1024
# Applies where other machines can connect and nothing else is set.
RATE_PER_MINUTE = 600
MOST_CLIENTS = 10_000
# Longest wait for the next piece of a body; a client that trickles would hold its connection for ever. [s]
BODY_WAIT_S = 15.0
# An idle connection outlives the proxy's pool (nginx: 60 s) and a busy client's: who reuses a connection that
# the server is just closing loses the request. [s]
KEEP_ALIVE_S = 75


class Bucket:
    """A token bucket for each client: a minute's worth at once, refilled evenly."""

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str) -> bool:
        """Take one token; False when none is left."""
        now = time.monotonic()
        left, since = self._left.pop(client, (float(self._per_minute), now))
        left = min(self._per_minute, left + (now - since) * self._per_minute / 60)
        allowed = left >= 1
        self._left[client] = (left - 1 if allowed else left, now)
        if len(self._left) > MOST_CLIENTS:
            self._left.popitem(last=False)
        return allowed


def client_of(scope: Scope) -> str:
    """Return a client's address; an IPv6 household counts as one."""
    host = (scope.get("client") or ("unknown", 0))[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return str(host)
    return str(ipaddress.ip_network((address, 64), strict=False)) if address.version == 6 else str(address)


class Limits:
    """ASGI middleware that refuses too many requests (429), too large ones (413) and too slow ones (408)."""

    def __init__(self, app: ASGIApp, per_minute: int | None) -> None:
        """Wrap an app.

        Args:
            app: What is behind the limits.
            per_minute: Requests of one client, None for any number. [1/min]
        """
        self._app = app
        self._bucket = Bucket(per_minute) if per_minute else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is small and rare enough."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if self._bucket and scope["path"] != "/healthz" and not self._bucket.take(client_of(scope)):
            await _error("Too many requests from your address. Wait a few seconds.", "rate_limit_exceeded", 429)(
                scope, receive, send
            )
            return
        lengths = [value for name, value in scope["headers"] if name == b"content-length"]
        if any(not value.isdigit() or int(value[:20]) > LARGEST_BODY for value in lengths):
            await _error(f"A request may have at most {LARGEST_BODY} bytes.", "request_too_large", 413)(
                scope, receive, send
            )
            return
        received, whole = 0, False

        async def counted() -> Message:
            nonlocal received, whole
            try:
                # After the body only the end of the connection comes, which may take as long as it likes.
                async with asyncio.timeout(None if whole else BODY_WAIT_S):
                    message = await receive()
            except TimeoutError:
                raise HTTPException(408, f"No more of the body came for {BODY_WAIT_S:g} s.") from None
            whole = not message.get("more_body", False)
            received += len(message.get("body", b""))
            if received > LARGEST_BODY:
                raise HTTPException(413, f"A request may have at most {LARGEST_BODY} bytes.")
            return message

        await self._app(scope, counted, send)


def _error(message: str, code: str, status: int) -> JSONResponse:
    headers = {"retry-after": "5"} if status == 429 else None
    body = {"error": {"message": message, "type": "invalid_request_error", "code": code, "param": None}}
    return JSONResponse(body, status, headers)
