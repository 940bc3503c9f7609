"""Everything other programs reach over HTTP, and the guards in front of the whole app.

`app.py` calls `Plugin(settings, desk)`, adds `plugin.routes` before the page, runs `plugin.running()` in its
lifespan, and wraps itself with `plugin.guard`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from assistant.article_search import article_search
from assistant.desk import Desk
from assistant.mcp_server import build_server, http_routes
from assistant.security import Gate, is_loopback, served_hosts
from assistant.serving.accounts import Accounts
from assistant.serving.catalogue import catalogue
from assistant.serving.chat import ChatServer
from assistant.serving.limits import RATE_PER_MINUTE, Limits
from assistant.serving.login import Door
from assistant.serving.metrics import Metrics, Observed
from assistant.serving.openapi import describe
from assistant.serving.retention import keep_swept
from assistant.serving.seats import Seats
from assistant.serving.tool_routes import ToolServer
from assistant.settings import Settings


class Plugin:
    """Routes for programs, and the guards for every route."""

    def __init__(self, settings: Settings, desk: Callable[[], Desk]) -> None:
        """Put the parts together.

        Args:
            settings: Who may call, how often, how many at once.
            desk: Gives the open desk.

        Raises:
            ServingRefused: If login or keys cannot be used as they are set.
        """
        self._settings = settings
        self._desk = desk
        self._accounts = Accounts(settings)
        self.seats = Seats(settings.turns_at_once, settings.turns_waiting, settings.longest_wait_s)
        self.metrics = Metrics(self.seats)
        self._entries = catalogue(article_search(settings))
        self._mcp = build_server(self._entries, self.metrics.called)
        self._mcp_routes = http_routes(self._mcp)
        self._chat = ChatServer(desk, self.seats, self.metrics, log_questions=settings.log_questions)
        self._description = describe(self._entries, closed=self._accounts.required)

    @property
    def routes(self) -> list[BaseRoute]:
        """Routes that must stand before the page's."""
        tools = ToolServer(self._entries, self.metrics)
        return [
            *self._mcp_routes,
            Route("/tools", tools.listed, methods=["GET"]),
            Route("/tools/{name}", tools.call, methods=["POST"]),
            Route("/openapi.json", self._openapi, methods=["GET"]),
            Route("/v1/models", self._chat.models, methods=["GET"]),
            Route("/v1/chat/completions", self._chat.completions, methods=["POST"]),
            Route("/metrics", self._metrics_page, methods=["GET"]),
        ]

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Keep the MCP endpoint alive and old talks few while the app lives."""
        chosen = self._settings
        sweeping = asyncio.create_task(
            keep_swept(lambda: self._desk().saver, kept=chosen.talks_kept, days=chosen.talks_days)
        )
        try:
            async with self._mcp.session_manager.run():
                yield
        finally:
            sweeping.cancel()

    def guard(self, app: ASGIApp) -> ASGIApp:
        """Return the app behind count, Host and Origin check, limits and door, outermost first."""
        local = is_loopback(self._settings.host) and not self._settings.trusted_proxy
        rate = self._settings.rate_per_minute or (None if local else RATE_PER_MINUTE)
        guarded: ASGIApp = Limits(Door(app, self._accounts), rate)
        return Observed(Gate(guarded, served_hosts(self._settings)), self.metrics)

    async def _openapi(self, _: Request) -> Response:
        return JSONResponse(self._description)

    async def _metrics_page(self, _: Request) -> Response:
        return Response(self.metrics.page(), media_type="text/plain; version=0.0.4; charset=utf-8")


def plain_app(settings: Settings, opener: Callable[[Settings], AbstractAsyncContextManager[Desk]]) -> ASGIApp:
    """Return the routes for programs alone, without the page, behind the same guards."""
    desks: list[Desk] = []
    plugin = Plugin(settings, lambda: desks[-1])

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with opener(settings) as desk, plugin.running():
            desks.append(desk)
            yield

    async def healthz(_: Request) -> Response:
        return JSONResponse({"status": "ok"})

    return plugin.guard(Starlette(lifespan=lifespan, routes=[Route("/healthz", healthz), *plugin.routes]))
