"""The door: everything but /healthz and the login form needs a ticket or a key."""

from __future__ import annotations

import asyncio
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from assistant.serving.accounts import TICKET_S, Accounts
from assistant.serving.limits import Bucket, client_of

COOKIE = "gpu_advisor_ticket"
OPEN = ("/healthz",)
LONGEST_FORM = 4096
TRIES_PER_MINUTE = 10
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
_WORDS = {
    "en": ("Log in", "User", "Password", "User or password is wrong.", "Too many tries. Wait a minute."),
    "zh": ("登录", "用户", "密码", "用户或密码不对。", "尝试太多次，请等一分钟。"),
}
_PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>GPU Advisor: {log_in}</title>
<style>body{{font:1rem/1.5 system-ui,sans-serif;max-width:20rem;margin:12vh auto;padding:0 1rem;
color-scheme:light dark}}
label{{display:block;margin:1rem 0 .25rem}}input,button{{font:inherit;width:100%;padding:.6rem;box-sizing:border-box}}
button{{margin-top:1.5rem}}</style>
<main><h1>GPU Advisor</h1><form method="post" action="/login"><p role="alert">{message}</p>
<label for="user">{user}</label><input id="user" name="user" autocomplete="username" required autofocus>
<label for="password">{password}</label><input id="password" name="password" type="password"
autocomplete="current-password" required><button>{log_in}</button></form></main></html>"""


class Door:
    """ASGI middleware that lets only known callers in and notes who they are in `scope["state"]["who"]`."""

    def __init__(self, app: ASGIApp, accounts: Accounts) -> None:
        """Wrap an app."""
        self._app = app
        self._accounts = accounts
        self._tries = Bucket(TRIES_PER_MINUTE)
        self._hashing = asyncio.Semaphore(2)  # each try takes 16 MiB

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass known callers on, answer others."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        who = self._who(Request(scope)) if self._accounts.required else "anyone"
        scope.setdefault("state", {})["who"] = who or "unknown"
        path = scope["path"]
        if self._accounts.has_users and path in ("/login", "/logout"):
            await (await self._login(Request(scope, receive)))(scope, receive, send)
        elif who or path in OPEN:
            await self._app(scope, receive, send)
        else:
            await self._stranger(Request(scope))(scope, receive, send)

    def _who(self, request: Request) -> str | None:
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and key:
            return self._accounts.with_key(key.strip())
        try:
            cookie = SimpleCookie(request.headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return None
        return self._accounts.with_ticket(cookie.value) if cookie else None

    def _stranger(self, request: Request) -> Response:
        if self._accounts.has_users and request.method == "GET" and "text/html" in request.headers.get("accept", ""):
            return _form(request, "", 401)
        error = {
            "message": "Log in, or send 'Authorization: Bearer KEY' with a key of GPU_ADVISOR_API_KEYS.",
            "type": "authentication_error",
            "code": "unauthorized",
            "param": None,
        }
        return JSONResponse({"error": error}, 401, {"www-authenticate": "Bearer"})

    async def _login(self, request: Request) -> Response:
        if request.url.path == "/logout" and request.method == "POST":
            reply = RedirectResponse("/login", 303)
            reply.delete_cookie(COOKIE, path="/")
            return reply
        if request.url.path == "/login" and request.method == "POST":
            return await self._check(request)
        return _form(request, "", 200) if request.method in ("GET", "HEAD") else Response(status_code=405)

    async def _check(self, request: Request) -> Response:
        words = _words(request)
        if not self._tries.take(client_of(request.scope)):
            return _form(request, words[4], 429)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > LONGEST_FORM:
                return Response(status_code=413)
        fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=8)
        user, password = fields.get("user", [""])[0], fields.get("password", [""])[0]
        async with self._hashing:
            right = await asyncio.to_thread(self._accounts.with_password, user, password)
        if not right:
            return _form(request, words[3], 401)
        reply = RedirectResponse("/", 303)
        reply.set_cookie(
            COOKIE,
            self._accounts.ticket(user),
            max_age=TICKET_S,
            httponly=True,
            samesite="lax",
            path="/",
            secure=request.url.scheme == "https",
        )
        return reply


def _words(request: Request) -> tuple[str, ...]:
    first = request.headers.get("accept-language", "").split(",")[0].strip().lower()
    return _WORDS["zh" if first.startswith("zh") else "en"]


def _form(request: Request, message: str, status: int) -> Response:
    words = _words(request)
    language = "zh-CN" if words is _WORDS["zh"] else "en"
    page = _PAGE.format(language=language, log_in=words[0], user=words[1], password=words[2], message=message)
    return HTMLResponse(page, status, {"content-security-policy": _POLICY, "cache-control": "no-store"})
