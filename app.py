"""The composition root: `python app.py` serves the page at /, the other doors beside it, and /healthz."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from assistant import starting  # isort: skip  # first: it makes the imports below cheap
from assistant.settings import BUILT_IN, Settings  # isort: skip  # it switches telemetry off before Gradio is imported

import gradio as gr  # isort: skip
import uvicorn
from fastapi import FastAPI
from fastapi.responses import FileResponse
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.routing import Mount
from starlette.types import ASGIApp

from assistant.desk import Desk, open_desk
from assistant.history import History
from assistant.http_api import Plugin
from assistant.memory import check_drivers
from assistant.security import ServingRefused, check_bind
from assistant.serving import logs
from assistant.serving.limits import KEEP_ALIVE_S
from assistant.serving.page_paths import OnlyPage
from assistant.web.head import OWN, Headed
from assistant.web.owner import Owned
from assistant.web.page import build_page
from assistant.web.routes import PageServer
from assistant.web.theme import ASSETS, page_theme

starting.done()
LARGEST_UPLOAD = "1mb"
# Running turns may finish this long after the server was told to stop. [s]
SHUTDOWN_S = 20
UNDESCRIBED: dict[str, Any] = {"openapi_url": None, "docs_url": None, "redoc_url": None}
Opener = Callable[[Settings], AbstractAsyncContextManager[Desk]]


def _open(settings: Settings) -> AbstractAsyncContextManager[Desk]:
    return open_desk(settings, remember=True)


async def _own(request: Request) -> FileResponse:
    return FileResponse(ASSETS / request.url.path.removeprefix("/"), headers={"cache-control": "no-cache"})


def create_app(settings: Settings, opener: Opener = _open, *, warm: bool = True) -> ASGIApp:
    """Put the page and the doors for programs together.

    Args:
        settings: Where to listen, which model, where the data is.
        opener: Opens the desk when the server starts.
        warm: Whether tools and article index are read in the background right after the start.
    """
    desks: list[Desk] = []
    histories: list[History] = []
    plugin = Plugin(settings, lambda: desks[-1])  # /mcp, /v1, /tools, /metrics, and the guards of every route

    def history() -> History | None:
        return histories[-1] if histories else None

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with opener(settings) as desk, plugin.running():
            desks.append(desk)
            database = settings.database_url
            histories.append(History(database.get_secret_value() if database else settings.data_dir / "history.sqlite"))
            if warm:
                threading.Thread(target=_warm_up, args=[settings], daemon=True, name="warm-up").start()
            yield
            histories.pop().close()

    app = FastAPI(lifespan=lifespan, **UNDESCRIBED)

    def healthz() -> dict[str, str]:
        return {"status": "ok"}

    app.get("/healthz")(healthz)
    for name in OWN:
        app.add_route(f"/{name}", _own, methods=["GET", "HEAD"])
    app.router.routes.extend(plugin.routes)
    app.router.routes.extend(PageServer(lambda: desks[-1], history).routes)
    gr.mount_gradio_app(  # pyright: ignore[reportUnknownMemberType]  # some of its arguments are untyped
        app,
        build_page(lambda: desks[-1], history, plugin.seats),
        path="/",
        server_name=settings.host,
        server_port=settings.port,
        allowed_paths=[],
        show_error=False,
        max_file_size=LARGEST_UPLOAD,
        enable_monitoring=False,
        ssr_mode=False,
        run_history=False,
        footer_links=[],
        theme=page_theme(),
        favicon_path=str(ASSETS / "favicon.svg"),
        app_kwargs=dict(UNDESCRIBED),
    )  # a copy: Gradio writes into it
    for route in app.router.routes:
        if isinstance(route, Mount):  # Gradio's, the only one
            route.app = OnlyPage(route.app)
    app.add_middleware(CORSMiddleware, allow_origins=[])
    return plugin.guard(Owned(Headed(app)))


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
    logs.configure(with_text=settings.log_questions)
    try:
        check_bind(settings)
        check_drivers(settings)
        app = create_app(settings)
    except ServingRefused as refused:
        print(refused, file=sys.stderr)
        sys.exit(2)
    uvicorn.run(
        app,
        host=settings.host,
        port=settings.port,
        log_config=None,
        log_level="warning",
        server_header=False,
        proxy_headers=bool(settings.trusted_proxy),
        forwarded_allow_ips=settings.trusted_proxy or None,
        timeout_graceful_shutdown=SHUTDOWN_S,
        timeout_keep_alive=KEEP_ALIVE_S,
    )


if __name__ == "__main__":
    main()
