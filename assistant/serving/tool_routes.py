"""`/tools` and `/tools/NAME`: every tool and the article search over plain HTTP."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping

import anyio
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from assistant.serving.catalogue import Entry
from assistant.serving.metrics import Metrics
from assistant.serving.requests import BadRequest, error_reply, json_object
from tools.api import ToolInputError

_log = logging.getLogger(__name__)


class ToolServer:
    """Answers calls of tools."""

    def __init__(self, entries: Mapping[str, Entry], metrics: Metrics) -> None:
        """Keep what can be called."""
        self._entries = entries
        self._metrics = metrics

    async def listed(self, _: Request) -> Response:
        """List everything that can be called."""
        return JSONResponse(
            {
                "tools": [
                    {
                        "name": entry.name,
                        "title": entry.title,
                        "description": entry.description,
                        "parameters": entry.parameters,
                        "returns": entry.returns,
                    }
                    for entry in self._entries.values()
                ]
            }
        )

    async def call(self, request: Request) -> Response:
        """Run one tool."""
        entry = self._entries.get(request.path_params["name"])
        if entry is None:
            known = ", ".join(self._entries)
            return error_reply(f"There is no such tool. There are: {known}.", 404, code="no_such_tool")
        try:
            arguments = await json_object(request)
            result = await anyio.to_thread.run_sync(entry.run, arguments) if entry.slow else entry.run(arguments)
            body = json.dumps(result, ensure_ascii=False, allow_nan=False)
        except BadRequest as error:
            return error_reply(str(error), error.status, param=error.param)
        except ToolInputError as error:
            self._metrics.called(entry.name, "input_error")
            return error_reply(error.text.en, 400, code="tool_input", message_zh=error.text.zh)
        except (HTTPException, ClientDisconnect):
            raise  # the body was too large, too slow or cut short
        except Exception:
            self._metrics.called(entry.name, "failed")
            _log.exception("tool %s failed", entry.name)
            return error_reply(f"{entry.name} failed by a mistake of ours. Other tools still work.", 500, code="failed")
        self._metrics.called(entry.name, "ok")
        return Response(body, media_type="application/json")
