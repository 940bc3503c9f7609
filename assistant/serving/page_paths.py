"""Of the many routes that Gradio brings, only those that the page uses; the rest is not there.

Gradio can also fetch addresses for callers, run functions past its queue, write what it is sent to disk, and hold
connections open for developers. Nothing here needs that.
"""

from __future__ import annotations

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_PATHS = frozenset(
    (
        "/",
        "/config",
        "/favicon.ico",
        "/manifest.json",
        "/robots.txt",
        "/theme.css",
        "/gradio_api/app_id",
        "/gradio_api/cancel",
        "/gradio_api/info",
        "/gradio_api/queue/data",
        "/gradio_api/queue/join",
        "/gradio_api/reset",
        "/gradio_api/run/predict",  # the greeting and the stop button: they do not wait in line
        "/gradio_api/startup-events",
    )
)
_FOLDERS = ("/assets/", "/static/", "/svelte/", "/gradio_api/heartbeat/")


def is_of_page(path: str) -> bool:
    """Whether the page asks Gradio for a path."""
    return path in _PATHS or path.startswith(_FOLDERS)


class OnlyPage:
    """ASGI middleware before Gradio that answers 404 to everything the page does not ask for."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap Gradio's app."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what the page asks for."""
        if scope["type"] == "http" and not is_of_page(scope["path"]):
            await PlainTextResponse("Not found", 404)(scope, receive, send)
            return
        await self._app(scope, receive, send)
