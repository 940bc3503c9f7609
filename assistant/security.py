"""Who may call: the Host is ours, the Origin is the page itself, and every reply says what a browser may do."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.settings import Settings

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
# Gradio starts from inline scripts and styles; nothing is evaluated from text, nothing comes from another host.
CONTENT_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'unsafe-inline'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "object-src 'none'",
        "frame-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'self'",
        "form-action 'none'",
    )
)
# What a proxy says about the caller. The server has read what it believes of a trusted one before a request comes here;
# Gradio would believe anybody's, and send a stranger's host name back as the page's own address.
_HEARSAY = (b"forwarded", b"x-original-", b"x-rewrite-", b"x-forwarded-")
_HEADERS = [
    (name.encode(), value.encode())
    for name, value in (
        ("content-security-policy", CONTENT_POLICY),
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
    )
]


class ServingRefused(ValueError):
    """The server does not start with these settings; the message says how to mend them."""


def check_bind(settings: Settings) -> None:
    """Refuse to serve other machines without login or key.

    Raises:
        ServingRefused: If the address is not this machine's own and nobody has to say who they are.
    """
    if is_loopback(settings.host) or settings.auth or settings.api_keys or settings.insecure:
        return
    raise ServingRefused(
        f"GPU_ADVISOR_HOST={settings.host} lets other machines connect, but neither GPU_ADVISOR_AUTH (login) nor"
        " GPU_ADVISOR_API_KEYS is set. Set one of them, or GPU_ADVISOR_INSECURE=1 if something in front asks for"
        " a login."
    )


def is_loopback(host: str) -> bool:
    """Whether only programs on this machine can connect to an address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def served_hosts(settings: Settings) -> list[str]:
    """Return the host names that are ours besides those of this machine; 0.0.0.0 is not a name."""
    named = [host.strip() for host in settings.hosts.split(",") if host.strip()]
    return named if settings.host in ("0.0.0.0", "::") else [*named, settings.host]


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
        """Refuse a foreign Host (421) or Origin (403); otherwise pass on without hearsay, and add our headers."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # none is served
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                set_already = {name for name, _ in message.get("headers", [])}
                extra = [pair for pair in _HEADERS if pair[0] not in set_already]
                message = {**message, "headers": [*message.get("headers", []), *extra]}
            await send(message)

        refusal = self._refusal(scope)
        told = [pair for pair in scope["headers"] if not pair[0].startswith(_HEARSAY)]
        await (refusal or self._app)({**scope, "headers": told}, receive, sealed)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        hosts = _values(scope, b"host")
        if len(hosts) != 1 or _name(hosts[0]) not in self._hosts:
            return PlainTextResponse("This host name is not served here.", 421)
        for origin in _values(scope, b"origin"):
            if _netloc(origin) != hosts[0].lower():
                return PlainTextResponse("Requests of other sites are not served.", 403)
        return None


def _values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _name(host: str) -> str:
    """Return a Host without its port."""
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()
