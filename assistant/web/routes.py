"""What the page's scripts ask for: computing again, pictures, history, export, feedback, and the other pages."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from functools import partial, wraps
from typing import TypeVar
from urllib.parse import quote

import anyio
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from assistant.desk import Desk
from assistant.figures import Language
from assistant.history import History
from assistant.history_store import HistoryDown
from assistant.serving.requests import BadRequest, read_object
from assistant.toolbox import outcome
from assistant.web import export
from assistant.web.charts import charts_of
from assistant.web.compute import compute
from assistant.web.owner import owner_of
from assistant.web.pages import pages, template_response
from tools.api import Json, ToolInputError, get_tool, gpus, is_object, models

LARGEST_BODY = 256 * 1024
LONGEST_ARGUMENTS = 4000
T = TypeVar("T")
_FRESH = {"cache-control": "no-store"}


class Refused(Exception):
    """A request that cannot be read; the message is for programmers."""


Handler = Callable[[Request], Awaitable[Response]]


def _kept(handler: Handler) -> Handler:
    """Answer 503 when the database of the list does not."""

    @wraps(handler)
    async def guarded(request: Request) -> Response:
        try:
            return await handler(request)
        except HistoryDown:
            return PlainTextResponse("The list of conversations does not answer", 503, _FRESH)

    return guarded


class PageServer:
    """Answers the page's own scripts."""

    def __init__(self, desk: Callable[[], Desk], history: Callable[[], History | None]) -> None:
        """Keep how to reach desk and history once the server runs."""
        self._desk = desk
        self._history = history

    @property
    def routes(self) -> list[BaseRoute]:
        """Everything below /page, and the pages beside the chat."""
        return [
            Route("/page/compute", self._compute, methods=["POST"]),
            Route("/page/chart/{tool}.svg", self._chart, methods=["GET"]),
            Route("/page/models", self._models, methods=["GET"]),
            Route("/page/names/{kind}", self._names, methods=["GET"]),
            Route("/page/history", _kept(self._listed), methods=["GET"]),
            Route("/page/history", _kept(self._change), methods=["POST"]),
            Route("/page/opinion", _kept(self._opinion), methods=["POST"]),
            Route("/page/export/{name}.{form}", _kept(self._export), methods=["GET"]),
            *pages(),
        ]

    async def _compute(self, request: Request) -> Response:
        try:
            body = await _body(request)
            tool, arguments, before = body.get("tool"), body.get("arguments"), body.get("before")
            if not isinstance(tool, str) or not is_object(arguments):
                raise Refused("tool and arguments are needed")
            shown = await anyio.to_thread.run_sync(
                lambda: compute(
                    tool,
                    arguments,
                    _language(body.get("language")),
                    fields=body.get("fields") is True,
                    before=before if is_object(before) else None,
                )
            )
            return JSONResponse(shown, headers=_FRESH)
        except Refused as refused:
            return PlainTextResponse(str(refused), 400)
        except ToolInputError as error:
            return PlainTextResponse(str(error), 404)

    async def _chart(self, request: Request) -> Response:
        query = request.query_params
        language, number = _language(query.get("language")), query.get("n", "0")
        try:
            arguments = json.loads(query.get("arguments", "{}")[:LONGEST_ARGUMENTS])
            tool = get_tool(request.path_params["tool"])
        except (ValueError, RecursionError, ToolInputError):
            return PlainTextResponse("Not found", 404)
        if not is_object(arguments) or not re.fullmatch(r"[0-9]{1,3}", number):
            return PlainTextResponse("Not found", 404)
        ran = await anyio.to_thread.run_sync(lambda: outcome(tool, arguments))
        charts = charts_of(tool.name, ran["result"], language) if "result" in ran else []
        if int(number) >= len(charts):
            return PlainTextResponse("Not found", 404)
        theme = query.get("theme", "")
        chart = charts[int(number)]
        headers = {"cache-control": "private, max-age=300"}
        if query.get("download"):
            headers["content-disposition"] = f'attachment; filename="{chart.name}.svg"'
        return Response(
            chart.svg(theme=theme if theme in ("light", "dark") else "", alone=True),
            200,
            headers,
            media_type="image/svg+xml",
        )

    async def _models(self, _: Request) -> Response:
        return JSONResponse(self._desk().models, headers=_FRESH)

    async def _names(self, request: Request) -> Response:
        kind = request.path_params["kind"]
        names = [item.name for item in (models() if kind == "models" else gpus())]
        return JSONResponse(names, headers={"cache-control": "private, max-age=3600"})

    async def _listed(self, request: Request) -> Response:
        history, owner = self._history(), owner_of(request)
        search = request.query_params.get("search", "")[:200]
        kept = await _apart(history.listed, owner, search) if history and owner else []
        return JSONResponse(
            [{"name": item.id, "title": item.title, "changed": item.changed} for item in kept], headers=_FRESH
        )

    async def _change(self, request: Request) -> Response:
        history, owner = self._history(), owner_of(request)
        try:
            body = await _body(request)
        except Refused as refused:
            return PlainTextResponse(str(refused), 400)
        name, done = str(body.get("name", "")), False
        if history and owner and body.get("do") == "rename":
            done = await _apart(history.rename, owner, name, str(body.get("title", "")))
        elif history and owner and body.get("do") == "remove":
            session = await _apart(history.delete, owner, name)
            if session:
                await self._desk().forget(session)
            done = session is not None
        return JSONResponse({"done": done}, 200 if done else 404, headers=_FRESH)

    async def _opinion(self, request: Request) -> Response:
        history, owner = self._history(), owner_of(request)
        try:
            body = await _body(request)
        except Refused as refused:
            return PlainTextResponse(str(refused), 400)
        turn, done = body.get("turn"), False
        if history and owner and isinstance(turn, int):
            said = partial(history.judge, good=body.get("good") is True, reason=str(body.get("reason", "")))
            done = await _apart(said, owner, str(body.get("name", "")), turn)
        return JSONResponse({"done": done}, 200 if done else 404, headers=_FRESH)

    async def _export(self, request: Request) -> Response:
        history, owner = self._history(), owner_of(request)
        name, form = request.path_params["name"], request.path_params["form"]
        kept = await _apart(history.find, owner, name) if history and owner else None
        if history is None or kept is None:
            return PlainTextResponse("Not found", 404)
        turns = await _apart(history.turns, owner, name)
        if form == "html":
            return template_response(
                request, "print.html", export.as_page(kept, turns, _language(request.query_params.get("language")))
            )
        if form == "json":
            opinions = await _apart(history.opinions, owner, name)
            return _file(export.as_json(kept, turns, opinions), "application/json", kept.title, form)
        if form == "md":
            return _file(export.as_markdown(kept, turns), "text/markdown; charset=utf-8", kept.title, form)
        return PlainTextResponse("Not found", 404)


async def _apart(call: Callable[..., T], *given: object) -> T:
    """Ask the database in a thread, so that a slow one holds nobody else up."""
    return await anyio.to_thread.run_sync(partial(call, *given))


def _file(text: str, kind: str, title: str, form: str) -> Response:
    safe = "".join(sign if sign.isalnum() else "-" for sign in title)[:60].strip("-") or "gpu-advisor"
    return Response(
        text,
        200,
        {**_FRESH, "content-disposition": f"attachment; filename*=UTF-8''{quote(safe)}.{form}"},
        media_type=kind,
    )


async def _body(request: Request) -> dict[str, Json]:
    if not request.headers.get("content-type", "").startswith("application/json"):
        raise Refused("send application/json")
    read = b""
    async for part in request.stream():
        read += part
        if len(read) > LARGEST_BODY:
            raise Refused("too long")
    try:
        return read_object(read)
    except BadRequest as error:
        raise Refused(str(error)) from error


def _language(value: object) -> Language:
    return "en" if value == "en" else "zh"
