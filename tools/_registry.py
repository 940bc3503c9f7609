"""Find the tools, describe them, and call one by name with plain JSON."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Any, Literal

import docstring_parser

import tools
from tools._errors import ToolInputError, short
from tools._result import Json, Result
from tools._units import unit_of

_JSON_TYPES = {float: "number", int: "integer", str: "string", bool: "boolean"}


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as every front end sees it.

    Attributes:
        name: The function's name.
        module: The subject it belongs to, e.g. "power".
        function: Keyword-only function that returns a `Result`.
        summary: First line of the docstring.
        description: What stands before `Args:`; models read it.
        parameters: JSON schema of the arguments, with units in the descriptions.
    """

    name: str
    module: str
    function: Callable[..., Result]
    summary: str
    description: str
    parameters: dict[str, Json]

    def call(self, arguments: Mapping[str, Any]) -> Result:
        """Run the tool; an argument it does not have is an error that lists those it has."""
        known = self.parameters["properties"]
        for name in arguments:
            if name not in known:
                near: list[str] = get_close_matches(name, list(known), n=1)
                guess = f" Did you mean `{near[0]}`?" if near else ""
                rat = f"是不是 `{near[0]}`？" if near else ""
                takes = ", ".join(known)
                raise ToolInputError(
                    f"`{name[:60]}` is not an argument of {self.name}.{guess} It takes: {takes}.",
                    f"{self.name} 没有参数 `{name[:60]}`。{rat}它的参数是：{takes}。",
                )
            _check_kind(name, arguments[name], known[name])
        missing = [name for name in self.parameters["required"] if arguments.get(name) is None]
        if missing:
            names = ", ".join(f"`{name}`" for name in missing)
            raise ToolInputError(f"{self.name} needs {names}.", f"{self.name} 还需要 {names}。")
        return self.function(**{name: value for name, value in arguments.items() if value is not None})


def _check_kind(name: str, value: object, schema: Mapping[str, Json]) -> None:
    """Refuse a value that is no text or no list where one is needed; the tools check their numbers and choices."""
    kinds = {"string": (str, "text", "文字"), "array": ((list, tuple), "a list", "列表")}
    if value is None or "enum" in schema or schema.get("type") not in kinds:
        return
    kind, word, wort = kinds[schema["type"]]
    if not isinstance(value, kind):
        shown = short(value)
        raise ToolInputError(
            f"`{name}` must be {word}, got {shown}. {schema['description']}",
            f"`{name}` 应当是{wort}，收到的是 {shown}。{schema['description']}",
        )


@cache
def all_tools() -> dict[str, Tool]:
    """Return every tool by name; a public module of this package adds those in its `TOOLS`."""
    found: dict[str, Tool] = {}
    for info in pkgutil.iter_modules(tools.__path__):
        if info.name.startswith("_"):
            continue
        module = importlib.import_module(f"tools.{info.name}")
        for function in getattr(module, "TOOLS", ()):
            found[function.__name__] = describe(function, info.name)
    return found


def get_tool(name: str) -> Tool:
    """Return one tool.

    Raises:
        ToolInputError: If there is no tool of that name.
    """
    known = all_tools()
    if name in known:
        return known[name]
    near = get_close_matches(name, known, n=1, cutoff=0.5)
    guess = f" Did you mean '{near[0]}'?" if near else ""
    rat = f"是不是“{near[0]}”？" if near else ""
    raise ToolInputError(
        f"There is no tool {name[:60]!r}.{guess} `python -m tools` lists all.",
        f"没有名为 {name[:60]!r} 的工具。{rat}`python -m tools` 列出全部工具。",
    )


def describe(function: Callable[..., Result], module: str) -> Tool:
    """Read a tool's schema off its signature and its Google docstring."""
    doc = docstring_parser.parse(inspect.getdoc(function) or "", docstring_parser.DocstringStyle.GOOGLE)
    said = {item.arg_name: item.description or "" for item in doc.params}
    hints = typing.get_type_hints(function)
    properties: dict[str, Json] = {}
    required: list[str] = []
    for name, parameter in inspect.signature(function).parameters.items():
        schema = _schema(hints[name])
        schema["description"] = " ".join(said[name].split())
        if parameter.default is inspect.Parameter.empty:
            required.append(name)
        elif parameter.default is not None:
            schema["default"] = parameter.default
        if unit_of(name):
            schema["unit"] = unit_of(name)
        properties[name] = schema
    description = "\n\n".join(part for part in (doc.short_description, doc.long_description) if part)
    return Tool(
        name=function.__name__,
        module=module,
        function=function,
        summary=doc.short_description or "",
        description=description,
        parameters={"type": "object", "properties": properties, "required": required, "additionalProperties": False},
    )


def _schema(hint: Any) -> dict[str, Json]:
    """Translate one annotation; `None` in a union only means "may be left out"."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        options = [_schema(item) for item in inner if item is not type(None)]
        return options[0] if len(options) == 1 else {"anyOf": options}
    if origin is Literal:
        return {"type": _JSON_TYPES[type(inner[0])], "enum": list(inner)}
    if hint in _JSON_TYPES:
        return {"type": _JSON_TYPES[hint]}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema(inner[1])}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return {"type": "array", "items": _schema(inner[0])}
    raise TypeError(f"no JSON schema for {hint!r}")
