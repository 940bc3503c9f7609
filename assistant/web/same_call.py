"""The same call in other hands: Python, shell, MCP, HTTP."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping

from tools.api import Json, get_tool


def same_call(tool: str, arguments: Mapping[str, Json]) -> dict[str, str]:
    """Return one call as programs write it."""
    written = json.dumps(arguments, ensure_ascii=False)
    module = get_tool(tool).module
    named = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    curl = f"curl http://127.0.0.1:7860/tools/{tool} -H 'content-type: application/json' -d {shlex.quote(written)}"
    return {
        "Python": f"from tools.{module} import {tool}\n\n{tool}({named})",
        "Shell": f"python -m tools {tool} {shlex.quote(written)}",
        "MCP": json.dumps(message, ensure_ascii=False, indent=2),
        "HTTP": curl,
        "JSON": json.dumps(arguments, ensure_ascii=False, indent=2),
    }
