"""Compute a tool again with other inputs, without a model: sentence, figures, pictures, and what changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from assistant.builtin.fallback import say_outcome
from assistant.conversation import Answer
from assistant.figures import Language, show
from assistant.grounding import Evidence, verify
from assistant.toolbox import outcome
from assistant.web.charts import charts_of
from assistant.web.fields import field_label, value_label
from assistant.web.forms import Field, fields_of
from assistant.web.records import Link, Record, in_language, is_list, is_row, link_of, records_of
from assistant.web.rendering import html_of
from assistant.web.same_call import same_call
from assistant.web.words import tool_title
from tools.api import Json, get_tool, unit_of

_STORY = ("steps", "assumptions", "warnings", "sources")
# Rows of a list that are shown before "more".
MOST_ROWS = 500


class Figure(TypedDict, total=False):
    """One number of a result, and what it was before."""

    name: str
    label: str
    shown: str
    before: str
    changed: bool


class Picture(TypedDict):
    """A chart, ready to be shown, downloaded and read out."""

    name: str
    title: str
    text: str
    svg: str
    alone: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


class Computed(TypedDict, total=False):
    """What the page shows of one computation."""

    tool: str
    title: str
    error: str
    sentence: str
    text: str
    records: dict[str, Record]
    figures: list[Figure]
    table: dict[str, Json]
    pictures: list[Picture]
    steps: list[str]
    assumptions: list[str]
    warnings: list[str]
    sources: list[Link]
    fields: list[Field]
    same: dict[str, str]
    changed: bool
    result: dict[str, Json]


def compute(
    tool: str,
    arguments: Mapping[str, Json],
    language: Language,
    *,
    before: Mapping[str, Json] | None = None,
    fields: bool = False,
) -> Computed:
    """Run a tool.

    Args:
        tool: Its name.
        arguments: Its inputs.
        language: In which the result is said.
        before: Inputs of the result that this one replaces; what differs is marked.
        fields: Whether the inputs are wanted too.

    Raises:
        ToolInputError: If there is no such tool.
    """
    known = get_tool(tool)
    ran = outcome(known, arguments)
    shown: Computed = {"tool": tool, "title": tool_title(tool, language)}
    if fields:
        shown["fields"] = fields_of(known, arguments, language)
    if "error" in ran:
        shown["error"] = str((ran.get("error_zh") if language == "zh" else None) or ran["error"])
        return shown
    result = ran["result"]
    answer = say(ran, language)
    shown |= {
        "result": result,  # as every other way in gives it
        "sentence": html_of(answer.answer, answer.numbers),
        "text": answer.answer,
        "records": records_of(answer, []),
        "pictures": pictures_of(tool, result, language),
        "steps": [str(step) for step in result.get("steps", [])],
        "same": same_call(tool, arguments),
        "assumptions": in_language(result, "assumptions", language),
        "warnings": [warned for warned in in_language(result, "warnings", language) if warned not in answer.answer],
        "sources": [link_of(source) for source in result.get("sources", [])],
        "table": _table(result, language),
    }
    old = outcome(known, before).get("result") if before is not None else None
    shown["figures"] = _figures(result, old, language)
    shown["changed"] = old is not None and any(figure.get("changed") for figure in shown["figures"])
    return shown


def say(ran: Mapping[str, Json], language: Language, ref: str = "r1", asked: Sequence[str] = ()) -> Answer:
    """Return a result in the tools' own words, proved by the guard."""
    results = {ref: {**ran, "id": ref}}
    verified = verify(say_outcome(ref, results[ref], language), Evidence(results, {}, tuple(asked)), language)
    numbers = [
        {
            "text": number.text,
            "start": number.start,
            "value": number.value,
            "unit": number.unit,
            "kind": number.kind,
            "ref": number.ref,
        }
        for number in verified.numbers
    ]
    text = verified.text if verified.ok else ""
    call = {key: results[ref][key] for key in ("id", "tool", "arguments", "result") if key in results[ref]}
    return Answer(text, language, "answered", "what-if", [call], numbers if text else [], results=dict(results))


def pictures_of(tool: str, result: Mapping[str, Json], language: Language) -> list[Picture]:
    """Return the charts of a result."""
    return [
        {
            "name": chart.name,
            "title": chart.title,
            "text": chart.text,
            "svg": chart.svg(),
            "alone": chart.svg(alone=True),
            "head": chart.head,
            "rows": chart.rows,
        }
        for chart in charts_of(tool, result, language)
    ]


def _figures(result: Mapping[str, Json], old: Mapping[str, Json] | None, language: Language) -> list[Figure]:
    found: list[Figure] = []
    for name, value in result.items():
        if name in _STORY or name.endswith("_zh") or value is None or is_list(value) or is_row(value):
            continue
        shown = _shown(name, _said(result, name, language), language)
        figure: Figure = {"name": name, "label": field_label(name, language), "shown": shown}
        if old is not None and old.get(name) != value:
            figure["changed"] = True
            figure["before"] = "–" if old.get(name) is None else _shown(name, _said(old, name, language), language)
        found.append(figure)
    return found


def _said(owner: Mapping[str, Json], name: str, language: Language) -> Json:
    """Return a field; a sentence of the tool in the language that is wanted."""
    return (owner.get(f"{name}_zh") if language == "zh" else None) or owner[name]


def _shown(name: str, value: Json, language: Language) -> str:
    if isinstance(value, bool):
        return ("是" if value else "否") if language == "zh" else ("yes" if value else "no")
    if isinstance(value, (int, float)):
        return show(float(value), unit_of(name), language)
    if is_row(value):
        return ", ".join(f"{count} × {key}" for key, count in value.items() if not is_row(count))
    return ", ".join(map(str, value)) if is_list(value) else value_label(str(value), language)


def _table(result: Mapping[str, Json], language: Language) -> dict[str, Json]:
    """Return the rows of a result as a table of plain text, raw values beside for sorting."""
    rows = next(
        (
            value
            for name, value in result.items()
            if name not in _STORY and is_list(value) and value and is_row(value[0])
        ),
        None,
    )
    if rows is None:
        names = next((value for name, value in result.items() if name.endswith("_gpus") and value), None)
        return (
            {"head": [field_label("fitting_gpus", language)], "rows": [[str(name)] for name in names]} if names else {}
        )
    columns = [
        name for name, value in rows[0].items() if not is_row(value) and not name.endswith("_zh") and name not in _STORY
    ]
    return {
        "head": [field_label(name, language) for name in columns],
        "rows": [
            ["" if row.get(name) is None else _shown(name, _said(row, name, language), language) for name in columns]
            for row in rows[:MOST_ROWS]
        ],
    }
