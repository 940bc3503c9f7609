"""One want over several things: LoRA and QLoRA, two cards, three formats. One call each, said side by side."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.builtin.frames import Frame
from assistant.builtin.reading import Reading
from tools.api import Json, get_tool

MOST_VARIANTS = 6
# What people try in turn when they name no format and have several cards.
USUAL = ("FP16", "FP8", "INT4")


def variants(frame: Frame, reading: Reading, formats: list[str]) -> list[dict[str, Json]]:
    """Return what to change for each of several calls; empty if the question names one thing of a kind."""
    found: list[dict[str, Json]] = [{}]
    for kind in frame.variants:
        options = _options(frame, reading, kind, formats)
        if len(options) > 1 and len(found) * len(options) <= MOST_VARIANTS:
            found = [{**one, **option} for one in found for option in options]
    return found if len(found) > 1 and frame.compare else []


def _options(frame: Frame, reading: Reading, kind: str, formats: list[str]) -> list[Mapping[str, Json]]:
    properties = get_tool(frame.tool).parameters["properties"]
    if kind == "model" and frame.model:
        return [{frame.model: name} for name in reading.models]
    if kind == "weight_format":
        unsaid = not formats and frame.against_memory and max(reading.known_cards.values(), default=0) > 1
        return [{kind: name} for name in (USUAL if unsaid else formats)]
    if kind == "gpu":
        counted = "gpu_count" in properties
        return [
            {kind: name, **({"gpu_count": count} if counted and count > 1 else {})}
            for name, count in reading.known_cards.items()
        ]
    matched = [value for value, pattern in frame.choices.get(kind, {}).items() if pattern.search(reading.text)]
    whole = properties[kind].get("type") == "integer" if kind in properties else False
    return [{kind: int(value) if whole else value} for value in matched]
