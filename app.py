"""The composition root: `python app.py` serves the page at / and says at /healthz that it lives."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from assistant.settings import BUILT_IN, Settings  # first: it switches telemetry off before Gradio is imported

import gradio as gr  # isort: skip
import uvicorn
from fastapi import FastAPI
from fastapi.responses import FileResponse
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from assistant.desk import Desk, open_desk
from assistant.web.gate import Gate
from assistant.web.page import build_page
from assistant.web.theme import ASSETS, page_theme

LARGEST_UPLOAD = "1mb"
UNDESCRIBED: dict[str, Any] = {"openapi_url": None, "docs_url": None, "redoc_url": None}
# Of Gradio's own routes, what this page has no use for.
CLOSED = ("/gradio_api/openapi.json", "/gradio_api/upload")
# Files of our own; through Gradio's `css` every rule would be prefixed and would miss the popover.
OWN = ("page.js", "page.css")
HEAD = '<link rel="stylesheet" href="/page.css"><script src="/page.js" defer></script>'
Opener = Callable[[Settings], AbstractAsyncContextManager[Desk]]


def _open(settings: Settings) -> AbstractAsyncContextManager[Desk]:
    return open_desk(settings, remember=True)


async def _own(request: Request) -> FileResponse:
    return FileResponse(ASSETS / request.url.path.removeprefix("/"), headers={"cache-control": "no-cache"})


async def _closed(_: Request) -> PlainTextResponse:
    return PlainTextResponse("Not found", 404)


def create_app(settings: Settings, opener: Opener = _open, *, warm: bool = True) -> FastAPI:
    """Put the page together.

    Args:
        settings: Where to listen, which model, where the data is.
        opener: Opens the desk when the server starts.
        warm: Whether tools and article index are read in the background right after the start.
    """
    desks: list[Desk] = []

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with opener(settings) as desk:
            desks.append(desk)
            if warm:
                threading.Thread(target=_warm_up, args=[settings], daemon=True, name="warm-up").start()
            yield

    app = FastAPI(lifespan=lifespan, **UNDESCRIBED)

    def healthz() -> dict[str, str]:
        return {"status": "ok"}

    app.get("/healthz")(healthz)
    for path in CLOSED:
        app.add_route(path, _closed, methods=["GET", "POST"])
    for name in OWN:
        app.add_route(f"/{name}", _own, methods=["GET", "HEAD"])
    page = build_page(lambda: desks[-1])
    gr.mount_gradio_app(  # pyright: ignore[reportUnknownMemberType]  # some of its arguments are untyped
        app, page, path="/", server_name=settings.host, server_port=settings.port, allowed_paths=[],
        show_error=False, max_file_size=LARGEST_UPLOAD, enable_monitoring=False, ssr_mode=False, run_history=False,
        footer_links=[], theme=page_theme(), head=HEAD, favicon_path=str(ASSETS / "favicon.svg"),
        app_kwargs=UNDESCRIBED)
    app.add_middleware(CORSMiddleware, allow_origins=[])
    app.add_middleware(Gate, hosts=[settings.host])  # added last, so it stands in front
    return app


def _warm_up(settings: Settings) -> None:
    """Answer two questions nobody asked, so that the first person does not wait for files to be read."""

    async def run() -> None:
        async with open_desk(settings, model=BUILT_IN) as desk:
            await desk.answer("4 x RTX 3090: power supply?")
            await desk.answer("What is a Tensor Core?")

    try:
        asyncio.run(run())
    except Exception:
        logging.getLogger(__name__).exception("warming up failed; the page works, its first answers are slower")


def main() -> None:
    """Serve until stopped."""
    settings = Settings()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    uvicorn.run(create_app(settings), host=settings.host, port=settings.port, log_level="warning",
                server_header=False, proxy_headers=False)


if __name__ == "__main__":
    main()
