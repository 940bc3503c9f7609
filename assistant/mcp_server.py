"""The tools and the article search over MCP: standard input and output, or streamable HTTP at /mcp."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import anyio
from mcp.server.caching import CacheHint
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
    Tool,
    ToolAnnotations,
)
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from assistant.article_search import article_search
from assistant.serving import prompts, resources
from assistant.serving.catalogue import Entry, catalogue
from assistant.serving.readable import readable
from assistant.settings import Settings
from tools.api import ToolInputError

NAME = "gpu-advisor"
LARGEST_BODY = 4 * 1024 * 1024
INSTRUCTIONS = """Tools about GPUs for deep learning: what fits, how fast, power, cooling, cost, cloud, carbon.
They compute; never state a figure of your own where a tool gives one. Results carry units in their field names, the
steps, the assumptions and the sources: pass them on. An error names the argument and the way out:
mend it and call again."""
_HOUR = CacheHint(ttl_ms=3_600_000, scope="private")
_log = logging.getLogger(__name__)
Seen = Callable[[str, str], None]


def release() -> str:
    """Return the version of the installed package."""
    try:
        return version(NAME)
    except PackageNotFoundError:
        return "0"


def build_server(entries: Mapping[str, Entry], seen: Seen = lambda _tool, _outcome: None) -> Server[Any]:
    """Return the MCP server.

    Args:
        entries: What may be called.
        seen: Told the name and "ok", "input_error" or "failed" after each call.
    """
    tools = [_listed(entry) for entry in entries.values()]

    async def list_tools(_ctx: Any, _params: Any) -> ListToolsResult:
        return ListToolsResult(tools=tools)

    async def call_tool(_ctx: Any, params: CallToolRequestParams) -> CallToolResult:
        entry = entries.get(params.name)
        if entry is None:
            return _refused(f"There is no tool {params.name[:60]!r}. There are: {', '.join(entries)}.")
        outcome, result = await _call(entry, params.arguments or {})
        seen(entry.name, outcome)
        return result

    async def list_resources(_ctx: Any, _params: Any) -> ListResourcesResult:
        return ListResourcesResult(resources=resources.listed())

    async def list_templates(_ctx: Any, _params: Any) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(resource_templates=resources.TEMPLATES)

    async def read_resource(_ctx: Any, params: ReadResourceRequestParams) -> ReadResourceResult:
        try:
            return ReadResourceResult(contents=[resources.read(str(params.uri), entries)])
        except ToolInputError as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error

    async def list_prompts(_ctx: Any, _params: Any) -> ListPromptsResult:
        return ListPromptsResult(prompts=prompts.prompts())

    async def get_prompt(_ctx: Any, params: GetPromptRequestParams) -> GetPromptResult:
        try:
            return prompts.prompt(params.name, params.arguments or {})
        except ToolInputError as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error

    return Server(
        NAME,
        title="GPU Advisor",
        version=release(),
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": _HOUR, "prompts/list": _HOUR, "resources/list": _HOUR},
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )


def http_routes(server: Server[Any]) -> list[BaseRoute]:
    """Return the route /mcp; run `server.session_manager.run()` while the app lives.

    Host and Origin are checked for the whole app by `assistant.security`, this route included.
    """
    app = server.streamable_http_app(
        stateless_http=True,
        json_response=True,
        max_request_body_size=LARGEST_BODY,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    # There is no session and so nothing to stream to it: a GET would hold its connection open for ever.
    return [Route("/mcp", _no_stream, methods=["GET"]), *app.routes]


async def _no_stream(_: Request) -> Response:
    return Response(status_code=405, headers={"allow": "POST"})


def serve_stdio(settings: Settings) -> None:
    """Serve one client over standard input and output until it closes them."""
    entries = catalogue(article_search(settings))

    async def run() -> None:
        server = build_server(entries)
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    anyio.run(run)


def _listed(entry: Entry) -> Tool:
    return Tool(
        name=entry.name,
        title=entry.title,
        description=entry.description,
        input_schema=entry.parameters,
        output_schema=entry.returns,
        annotations=ToolAnnotations(
            title=entry.title, read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
        ),
    )


async def _call(entry: Entry, arguments: Mapping[str, Any]) -> tuple[str, CallToolResult]:
    try:
        result = await anyio.to_thread.run_sync(entry.run, arguments) if entry.slow else entry.run(arguments)
    except ToolInputError as error:
        return "input_error", _refused(str(error))
    except Exception:
        mark = uuid.uuid4().hex[:8]
        _log.exception("tool %s failed (%s)", entry.name, mark)
        return "failed", _refused(f"{entry.name} failed by a mistake of ours, noted as {mark}. Other tools still work.")
    return "ok", CallToolResult(content=[TextContent(text=readable(result))], structured_content=result)


def _refused(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=text)], is_error=True)
