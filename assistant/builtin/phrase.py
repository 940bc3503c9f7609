"""Say results in both languages by templates that can only refer to fields, never compute.

Templates are Jinja with `{field}`; a field prints as the reference `{{r1.field}}`, which the guard fills
in. Printing anything else that is a number is an error, so no figure enters a sentence unproved.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from tools.api import Json, is_array, is_object

# A result without such lines has no Chinese ones either.
_NO_STORY: Mapping[str, list[str]] = {"assumptions_zh": [], "warnings_zh": []}


class FieldNumber(float):
    """A number of a result that prints as its reference."""

    path: str


class FieldText(str):
    """A text of a result that prints as its reference."""

    path: str


def wrap(value: Json, path: str) -> Any:
    """Turn plain JSON into values that compare like themselves and print as references."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (int, float)):
        number = FieldNumber(value)
        number.path = path
        return number
    if isinstance(value, str):
        text = FieldText(value)
        text.path = path
        return text
    if is_object(value):
        return {key: wrap(item, f"{path}.{key}") for key, item in value.items()}
    if is_array(value):
        return [wrap(item, f"{path}.{index}") for index, item in enumerate(value)]
    raise TypeError(f"no field: {value!r}")


def _reference(value: Any) -> Any:
    if isinstance(value, (FieldNumber, FieldText)):
        return "{{" + value.path + "}}"
    if isinstance(value, (int, float)) or value is None:
        raise TypeError(f"a template may print fields and words only, not {value!r}")
    return value


@cache
def _environment() -> SandboxedEnvironment:
    return SandboxedEnvironment(
        variable_start_string="{",
        variable_end_string="}",
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_reference,
        autoescape=False,
    )


@cache
def _template(source: str) -> Any:
    return _environment().from_string(source)


def render(source: str, results: Mapping[str, Mapping[str, Json]], **more: Any) -> str:
    """Render a template over the results of a turn.

    Args:
        source: Template text.
        results: Outcomes by id; the fields of the first are names of the template, all of them are in `all`.
        more: Further plain values, e.g. `given` (the arguments the person gave).
    """
    return render_fields(source, template_fields(results), **more)


def template_fields(results: Mapping[str, Mapping[str, Json]]) -> dict[str, Any]:
    """Return what a template may name, to be made once for several templates over the same results."""
    refs = list(results)
    first = refs[0]
    everything = [
        {
            **_NO_STORY,
            "arguments": wrap(results[ref].get("arguments", {}), f"{ref}.arguments"),
            **wrap(results[ref].get("result", {}), ref),
        }
        for ref in refs
    ]
    fields = everything[0]
    arguments = wrap(results[first].get("arguments", {}), f"{first}.arguments")
    return {**fields, "all": everything, "arguments": arguments}


def render_fields(source: str, fields: Mapping[str, Any], **more: Any) -> str:
    """Render a template over what `template_fields` returned."""
    text = _template(source).render(**{**fields, **more})
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return "\n".join(line for index, line in enumerate(lines) if line or (index and lines[index - 1]))
