"""The inputs of a tool as a form: kind, unit, default and limits from its schema, help from its docstring."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import NotRequired, TypedDict

from assistant.figures import Language, show
from assistant.web.fields import field_label, value_label
from assistant.web.help_zh import HELP_ZH
from tools.api import Json, Tool, is_object, unit_of

# Names of people's cards and models come from the catalogue, with a list to choose from.
_KINDS = {
    "gpu": "gpu",
    "reference": "gpu",
    "model": "model",
    "gpus": "gpus",
    "cards": "cards",
    "prices_usd": "prices",
    "rents_usd_per_h": "prices",
}
# A list is a list of names; what is counted by name is counted by card.
_SHAPES = {"array": "gpus", "object": "cards"}
_UNIT_AT_END = re.compile(r"\s*\[[^\]]*\]\s*$")
# What people change; every other input waits under "more inputs" until a call has it.
_USUAL = {
    "use",
    "model",
    "budget_usd",
    "hours_per_week",
    "months",
    "vendor",
    "country",
    "cards",
    "expression",
    "unit",
    "hours",
    "power_w",
    "utilization",
    "region",
    "desktop_usd",
    "cloud_usd_per_h",
    "electricity_usd_per_kwh",
    "horizon_days",
    "tokens_per_s",
    "usd_per_h",
    "cooler",
    "board_slots",
    "gap_slots",
    "gpu",
    "gpus",
    "min_memory_gb",
    "max_price_usd",
    "tokens",
    "kv_format",
    "batch_size",
    "weight_format",
    "context_tokens",
    "gpu_count",
    "method",
    "optimizer",
    "precision",
    "sequence_tokens",
    "zero_stage",
    "reference",
    "engine",
    "prompt_tokens",
    "network",
    "interconnect",
    "platform_w",
    "psu_w",
    "power_limit_w",
    "psu_efficiency",
    "outlet_v",
    "outlet_a",
    "years",
    "price_usd",
    "tensor_cores",
    "async_copy",
    "amount",
    "currency",
    "from_batch",
    "to_batch",
}
_REAL_MINIMUM = {"pue": 1.0}


class Field(TypedDict):
    """One input."""

    name: str
    label: str
    help: str
    kind: str
    unit: str
    scale: float
    value: Json
    default: Json
    options: NotRequired[list[tuple[str, str]]]
    low: NotRequired[float]
    high: NotRequired[float]
    step: NotRequired[float]
    required: bool
    rare: bool


def fields_of(tool: Tool, arguments: Mapping[str, Json], language: Language) -> list[Field]:
    """Return the inputs of a tool, filled in with a call's arguments."""
    needed = tool.parameters["required"]
    fields = [
        _field(name, schema, arguments.get(name), language, required=name in needed)
        for name, schema in tool.parameters["properties"].items()
    ]
    return sorted(fields, key=lambda field: field["name"] not in arguments and not field["required"])


def _field(name: str, schema: Mapping[str, Json], given: Json, language: Language, *, required: bool) -> Field:
    default = schema.get("default")
    kind = _KINDS.get(name) or ("choice" if "enum" in schema else _SHAPES.get(schema["type"], str(schema["type"])))
    unit = unit_of(name)
    said = _UNIT_AT_END.sub("", str(schema["description"]))
    field: Field = {
        "name": name,
        "label": field_label(name, language),
        "kind": kind,
        "unit": unit,
        "scale": 1,
        "value": given if given is not None else default,
        "default": default,
        "required": required,
        "rare": name not in _USUAL and given is None and not required,
        "help": HELP_ZH.get(name, said) if language == "zh" else said,
    }
    if schema["type"] == "array" and schema["items"]["type"] in ("integer", "number"):
        field["kind"] = "numbers"
    if kind == "choice":
        field["options"] = [(str(option), value_label(str(option), language)) for option in schema["enum"]]
    elif kind in ("number", "integer"):
        _limit(field, unit, language)
    elif is_object(schema.get("additionalProperties")) and kind == "prices":
        field["unit"] = "USD"
    return field


def _limit(field: Field, unit: str, language: Language) -> None:
    """Give a number its range; a share is shown in percent."""
    value = field["value"]
    field["low"] = _REAL_MINIMUM.get(field["name"], 0.0)
    if unit == "fraction":
        field["scale"], field["unit"], field["high"], field["step"] = 100, "%", 100, 1
        return
    field["unit"] = _unit_word(unit, language)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0:
        field["high"] = _round_up(2.5 * float(value))
        field["step"] = 1 if field["kind"] == "integer" else _round_up(field["high"] / 250)
        if field["kind"] == "integer":
            field["low"] = 1 if field["name"] in ("gpu_count", "batch_size", "board_slots") else 0
            field["high"] = max(field["high"], 8)


def _unit_word(unit: str, language: Language) -> str:
    return re.sub(r"^[\d,.\s]*", "", show(2, unit, language)) if unit and not unit.startswith("USD") else unit


def _round_up(value: float) -> float:
    size = 10.0 ** math.floor(math.log10(value))
    return next(factor * size for factor in (1, 2, 2.5, 5, 10) if factor * size >= value * 0.999)
