"""A result as text that a person or a model reads: figures with units, then how they came about."""

from __future__ import annotations

from collections.abc import Mapping

from tools.api import Json, is_array, is_object, unit_of

_STORY = ("steps", "assumptions", "warnings", "sources")
_HEADINGS = {"steps": "How", "assumptions": "Assumed", "warnings": "Note", "sources": "Sources"}


def readable(result: Mapping[str, Json]) -> str:
    """Return a result as text."""
    if "citations" in result:
        return "\n\n".join([*([str(result["warning"])] if "warning" in result else []), _passages(result["citations"])])
    lines = [f"{name}: {_shown(name, value)}" for name, value in result.items() if _is_figure(name, value)]
    for name, value in result.items():
        if name not in _STORY and is_array(value) and value and is_object(value[0]):
            lines += [f"{name}:", *(f"- {_row(row)}" for row in value)]
    for name in _STORY:
        said = [_source(item) if is_object(item) else str(item) for item in result.get(name, [])]
        if said:
            lines += [f"{_HEADINGS[name]}:", *(f"- {line}" for line in said)]
    return "\n".join(lines)


def _is_figure(name: str, value: Json) -> bool:
    told_elsewhere = name in _STORY or name.endswith("_zh") or (is_array(value) and value and is_object(value[0]))
    return not told_elsewhere and value is not None and value not in ("", [])


def _shown(name: str, value: Json) -> str:
    if is_object(value):
        return "; ".join(f"{key} {_shown(key, item)}" for key, item in value.items() if _is_figure(key, item))
    if is_array(value):
        return ", ".join(_shown("", item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        unit = unit_of(name)
        return f"{value:.6g} {unit}".rstrip() if isinstance(value, float) else f"{value} {unit}".rstrip()
    return str(value)


def _row(row: Mapping[str, Json]) -> str:
    return "; ".join(f"{name} {_shown(name, value)}" for name, value in row.items() if _is_figure(name, value))


def _source(source: Mapping[str, Json]) -> str:
    return ", ".join(str(source[key]) for key in ("title", "url", "date") if source.get(key))


def _passages(citations: Json) -> str:
    if not citations:
        return "No article is about this."
    return "\n\n".join(
        f"{item['title']} § {item['section']} ({item['date']}) {item['url']}".rstrip()
        + f"\n{item['text']}"
        + (f"\nDoubt: {item['doubt']}" if item.get("doubt") else "")
        for item in citations
    )
