"""Whose conversations these are: the login's, or else the browser's by a cookie that scripts cannot read."""

from __future__ import annotations

import re
import secrets
from typing import Any

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "gpu_advisor_owner"
YEAR_S = 31_536_000
_UNNAMED = (None, "", "anyone", "unknown")
_SHAPE = re.compile(r"[0-9a-f]{32}")


def owner_of(connection: HTTPConnection | Any) -> str:
    """Return whose history a request may see; "" if it shows neither login nor cookie."""
    state: dict[str, Any] = connection.scope.get("state") or {}
    who = state.get("who")
    if who not in _UNNAMED:
        return f"user:{who}"
    cookie = str(connection.cookies.get(COOKIE, ""))
    return f"browser:{cookie}" if _SHAPE.fullmatch(cookie) else ""


class Owned:
    """ASGI middleware that gives a browser its cookie with the first page."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an app."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on; a page that is sent to a browser without a cookie brings one."""
        if scope["type"] != "http" or _SHAPE.fullmatch(HTTPConnection(scope).cookies.get(COOKIE, "")):
            await self._app(scope, receive, send)
            return

        async def with_cookie(message: Message) -> None:
            headers = list(message.get("headers", []))
            if message["type"] == "http.response.start" and any(
                key.lower() == b"content-type" and value.startswith(b"text/html") for key, value in headers
            ):
                secure = "; Secure" if scope.get("scheme") == "https" else ""
                cookie = f"{COOKIE}={secrets.token_hex(16)}; Path=/; Max-Age={YEAR_S}; HttpOnly; SameSite=Lax{secure}"
                message = {**message, "headers": [*headers, (b"set-cookie", cookie.encode())]}
            await send(message)

        await self._app(scope, receive, with_cookie)
