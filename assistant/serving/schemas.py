"""JSON schemas of what the tools take and return, with the unit at the end of each description."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

import docstring_parser

from tools.api import Json, Result, Text, Tool, is_array, is_object, unit_of

_PLAIN: dict[Any, str] = {float: "number", int: "integer", str: "string", bool: "boolean"}
_STORY = {
    "steps": "Formulas with the figures filled in, in the order they were computed.",
    "assumptions": "What was taken as given because nobody said otherwise.",
    "warnings": "What a careful friend would add.",
    "sources": "Where constants and data come from, and when somebody last looked.",
}
_ACRONYMS = {"gpu": "GPU", "gpus": "GPUs", "kv": "KV"}


def title_of(name: str) -> str:
    """Return a tool's name as a person reads it: "kv_cache" is "KV cache"."""
    words = [_ACRONYMS.get(word, word) for word in name.split("_")]
    return " ".join([words[0][:1].upper() + words[0][1:], *words[1:]])


def input_schema(tool: Tool) -> dict[str, Json]:
    """Return a tool's arguments in standard JSON Schema; strict clients refuse keywords of our own."""
    stripped: dict[str, Json] = _without_units(tool.parameters)
    return stripped


def _without_units(schema: Json) -> Json:
    if is_object(schema):
        # "unit" may also be an argument's name: then it holds a schema, not a string.
        return {
            key: _without_units(value)
            for key, value in schema.items()
            if not (key == "unit" and isinstance(value, str))
        }
    return [_without_units(item) for item in schema] if is_array(schema) else schema


def output_schema(tool: Tool) -> dict[str, Json]:
    """Return the JSON schema of what a tool's `to_dict` gives."""
    return _object(typing.get_type_hints(tool.function)["return"])


@cache
def _said(kind: type) -> dict[str, str]:
    doc = docstring_parser.parse(inspect.getdoc(kind) or "", docstring_parser.DocstringStyle.GOOGLE)
    return {item.arg_name: " ".join((item.description or "").split()) for item in doc.params}


def _object(kind: type) -> dict[str, Json]:
    hints = typing.get_type_hints(kind)
    properties: dict[str, Json] = {}
    required: list[str] = []
    names = [field.name for field in dataclasses.fields(kind)]
    for name in sorted(names, key=lambda name: issubclass(kind, Result) and name in _STORY):  # as in `to_dict`
        hint = hints[name]
        properties[name] = _described(_schema(hint), _STORY.get(name) or _said(kind).get(name, ""), unit_of(name))
        required.append(name)
        if _holds_text(hint):
            properties[f"{name}_zh"] = _described(_schema(hint), "The same in Chinese.", "")
            # A value that may be missing, or an empty list outside the story, has no Chinese twin.
            if hint is Text or (issubclass(kind, Result) and name in _STORY):
                required.append(f"{name}_zh")
    return {"type": "object", "properties": properties, "required": required}


def _described(schema: dict[str, Json], text: str, unit: str) -> dict[str, Json]:
    if unit and not text.endswith("]"):
        text = f"{text} [{unit}]".strip()
    return {**schema, "description": text} if text else schema


def _holds_text(hint: Any) -> bool:
    return hint is Text or any(item is Text for item in typing.get_args(hint))


def _schema(hint: Any) -> dict[str, Json]:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return {}
    if hint is Text:
        return {"type": "string"}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if origin in (typing.Union, types.UnionType):
        return _optional([_schema(item) for item in inner if item is not type(None)], type(None) in inner)
    if origin is Literal:
        return {"type": _PLAIN[type(inner[0])], "enum": list(inner)}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _object(hint)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema(inner[1])}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return {"type": "array", "items": _schema(inner[0])}
    raise TypeError(f"no JSON schema for {hint!r}")


def _optional(options: list[dict[str, Json]], nullable: bool) -> dict[str, Json]:
    if nullable and len(options) == 1 and set(options[0]) == {"type"}:
        return {"type": [options[0]["type"], "null"]}
    if nullable:
        options = [*options, {"type": "null"}]
    return options[0] if len(options) == 1 else {"anyOf": options}
