"""The tools and the article search as LangChain tools.

Model, page and checkpoint see the same JSON, so nothing has to be rebuilt after a restart:
`{"tool", "arguments", "result"}`, `{"tool", "arguments", "error", "error_zh"}` or, for a search,
`{"tool", "arguments", "citations"}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool

from assistant.prices import with_stored_prices
from tools.api import Json, Tool, ToolInputError, all_tools, is_array, is_object

SEARCH = "search_articles"
Search = Callable[[str, int], list[dict[str, Json]]]
_REFERENCE = re.compile(r"\{\{\s*(r\d+(?:\.\w+)+)\s*\}\}")

_SEARCH_PARAMETERS: dict[str, Json] = {
    "type": "object",
    "required": ["query"],
    "additionalProperties": False,
    "properties": {
        "query": {"type": "string", "description": "What to look for, in the person's own language."},
        "k": {"type": "integer", "description": "How many passages. [1]", "default": 4},
    },
}
_SEARCH_DESCRIPTION = """Find passages of the articles about GPUs for deep learning.

Use it for concepts, advice and what an article says. Quote a passage by writing {{c1}}, or cite it as [c1]."""


def toolbox(search: Search | None = None, data_dir: Path | None = None) -> list[BaseTool]:
    """Return every tool, and the article search if one is given.

    Args:
        search: Search of the articles.
        data_dir: Folder with the person's own prices, which come before the packaged ones.
    """
    made = [_wrap(tool, data_dir) for tool in all_tools().values()]
    return made if search is None else [*made, _search_tool(search)]


def _wrap(tool: Tool, data_dir: Path | None) -> BaseTool:
    def run(**arguments: Any) -> str:
        given = arguments if data_dir is None else with_stored_prices(tool, arguments, data_dir)
        return json.dumps(outcome(tool, given), ensure_ascii=False)

    return StructuredTool(name=tool.name, description=tool.description, args_schema=tool.parameters, func=run)


def _search_tool(search: Search) -> BaseTool:
    def run(query: str, k: int = 4) -> str:
        found = search(str(query)[:2000], max(1, min(int(k), 10)))
        said: dict[str, Json] = {"tool": SEARCH, "arguments": {"query": query, "k": k}, "citations": found}
        if getattr(search, "partial", False):  # of `ArticleSearch`; any function may be given
            said["partial"] = True
        return json.dumps(said, ensure_ascii=False)

    return StructuredTool(name=SEARCH, description=_SEARCH_DESCRIPTION, args_schema=_SEARCH_PARAMETERS, func=run)


def outcome(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Json]:
    """Call a tool and return its JSON; input that cannot be computed becomes the error's text."""
    shown = {"tool": tool.name, "arguments": dict(arguments)}
    try:
        return {**shown, "result": tool.call(arguments).to_dict()}
    except ToolInputError as error:
        return {**shown, "error": error.text.en, "error_zh": error.text.zh}


def with_references(arguments: Json, results: Mapping[str, Mapping[str, Json]]) -> Json:
    """Replace `{{r1.sm_count}}` inside arguments by the value, so that no model copies a figure."""
    if is_object(arguments):
        return {key: with_references(value, results) for key, value in arguments.items()}
    if is_array(arguments):
        return [with_references(value, results) for value in arguments]
    if not isinstance(arguments, str):
        return arguments
    whole = _REFERENCE.fullmatch(arguments.strip())
    if whole:
        value = _lookup(whole[1], results)
        return arguments if value is None else value
    return _REFERENCE.sub(lambda hit: _plain(_lookup(hit[1], results), hit[0]), arguments)


def _lookup(path: str, results: Mapping[str, Mapping[str, Json]]) -> Json:
    ref, *keys = path.split(".")
    here: Json = results.get(ref, {}).get("result")
    for key in keys:
        if is_array(here) and key.isdigit() and int(key) < len(here):
            here = here[int(key)]
        elif is_object(here):
            here = here.get(key)
        else:
            return None
    return here


def _plain(value: Json, otherwise: str) -> str:
    return repr(value) if isinstance(value, (int, float)) else str(value) if isinstance(value, str) else otherwise
