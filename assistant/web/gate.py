"""Who may call: the Host is ours, the Origin is the page itself, and every reply says what a browser may do."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
# Gradio starts from inline scripts and styles; nothing is evaluated from text, nothing comes from another host.
CONTENT_POLICY = "; ".join((
    "default-src 'self'", "script-src 'self' 'unsafe-inline'", "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:", "font-src 'self' data:", "connect-src 'self'", "object-src 'none'",
    "frame-src 'none'", "frame-ancestors 'none'", "base-uri 'self'", "form-action 'none'"))
_HEADERS = [(name.encode(), value.encode()) for name, value in (
    ("content-security-policy", CONTENT_POLICY), ("x-content-type-options", "nosniff"), ("x-frame-options", "DENY"),
    ("referrer-policy", "same-origin"), ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=()"))]


class Gate:
    """ASGI middleware in front of everything."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = ()) -> None:
        """Wrap an app.

        Args:
            app: What is behind the gate.
            hosts: Host names that are served besides those of this machine.
        """
        self._app = app
        self._hosts = {host.lower() for host in (*LOOPBACK, *hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a foreign Host (421) or Origin (403); otherwise pass on and add the headers."""
        if scope["type"] != "http":
            # No websocket is served, and the lifespan has no sender.
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                set_already = {name for name, _ in message.get("headers", [])}
                extra = [pair for pair in _HEADERS if pair[0] not in set_already]
                message = {**message, "headers": [*message.get("headers", []), *extra]}
            await send(message)

        refusal = self._refusal(scope)
        await (refusal or self._app)(scope, receive, sealed)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or _name(hosts[0]) not in self._hosts:
            return PlainTextResponse("This host name is not served here.", 421)
        for origin in _values(scope, b"origin"):
            if urlsplit(origin).netloc.lower() != hosts[0].lower():
                return PlainTextResponse("Requests of other sites are not served.", 403)
        return None


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _name(host: str) -> str:
    """Return a Host without its port."""
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()
