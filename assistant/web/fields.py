"""Names of arguments, result fields and values in words; what is not listed is named by its own words."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from assistant.figures import Language
from tools.api import Json, is_array

_UNITS = re.compile(r"_(?:w|usd|gb|gib|mb|kg|kwh|mm|h|days|tflops|tops)$")


@cache
def _labels() -> dict[str, Json]:
    return tomllib.loads((Path(__file__).parent / "labels.toml").read_text("utf-8"))


def field_label(name: str, language: Language) -> str:
    """Return a field's name in words."""
    label = _labels().get(name)
    if is_array(label):
        return str(label[0 if language == "zh" else 1])
    return name if language == "zh" else _UNITS.sub("", name).replace("_", " ").capitalize()


def value_label(value: str, language: Language) -> str:
    """Return a value such as "does_not_fit" in words; names stay as they are."""
    label = _labels()["values"].get(value)
    return str(label[0 if language == "zh" else 1]) if label else value


def summary_zh(tool: str) -> str:
    """Return what a tool answers, in Chinese; "" if nobody has written it yet."""
    return str(_labels()["summaries"].get(tool, ""))
