"""Counters for Prometheus, and the middleware that counts and logs each request."""

from __future__ import annotations

import logging
import time

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.serving.logs import note
from assistant.serving.seats import Seats

# The first part of a path; anything else belongs to the page. Labels stay few whatever callers send.
_ROUTES = (
    "/mcp",
    "/v1/chat/completions",
    "/v1/models",
    "/tools",
    "/openapi.json",
    "/metrics",
    "/healthz",
    "/login",
    "/logout",
)
_METHODS = ("GET", "POST", "HEAD", "OPTIONS", "DELETE")
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60)
_log = logging.getLogger(__name__)


class Metrics:
    """What this process has done since it started."""

    def __init__(self, seats: Seats) -> None:
        """Create the counters; the seats are read when somebody asks."""
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "gpu_advisor_requests",
            "Requests by route, method and status.",
            ["route", "method", "status"],
            registry=self.registry,
        )
        self.seconds = Histogram(
            "gpu_advisor_request_seconds",
            "Time to the end of the reply. [s]",
            ["route"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.turns = Counter(
            "gpu_advisor_turns", "Answers by status and language.", ["status", "language"], registry=self.registry
        )
        self.turn_seconds = Histogram(
            "gpu_advisor_turn_seconds",
            "Time from question to verified answer. [s]",
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.calls = Counter(
            "gpu_advisor_tool_calls",
            "Calls by MCP and /tools, by tool and outcome.",
            ["tool", "outcome"],
            registry=self.registry,
        )
        for name, text, read in (
            ("gpu_advisor_turns_running", "Turns that are worked on. [1]", lambda: float(seats.taken)),
            ("gpu_advisor_turns_waiting", "Turns that stand in line. [1]", lambda: float(seats.waiting)),
            (
                "gpu_advisor_turns_refused",
                "Turns refused because all places were taken. [1]",
                lambda: float(seats.refused),
            ),
        ):
            Gauge(name, text, registry=self.registry).set_function(read)

    def called(self, tool: str, outcome: str) -> None:
        """Count one call of a tool."""
        self.calls.labels(tool, outcome).inc()

    def page(self) -> bytes:
        """Return the text that Prometheus reads."""
        return generate_latest(self.registry)


class Observed:
    """ASGI middleware that counts and logs requests: route, status and time, never a text or a query."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        """Wrap an app."""
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on and count."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start, status = time.monotonic(), 500

        async def noticed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noticed)
        finally:
            took_s = time.monotonic() - start
            route = route_of(scope["path"])
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.requests.labels(route, method, str(status)).inc()
            self._metrics.seconds.labels(route).observe(took_s)
            if route not in ("/healthz", "/metrics"):
                note(
                    _log,
                    "request",
                    route=route,
                    method=method,
                    status=status,
                    ms=round(took_s * 1000, 1),
                    who=scope.get("state", {}).get("who", "unknown"),
                )


def route_of(path: str) -> str:
    """Return the label of a path."""
    return next((route for route in _ROUTES if path == route or path.startswith(f"{route}/")), "page")
