"""One want over several things: LoRA and QLoRA, two cards, three formats. One call each, said side by side."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.builtin.frames import Frame
from assistant.builtin.named import names
from assistant.builtin.reading import Reading
from tools.api import Json, get_tool

MOST_VARIANTS = 6
# What people try in turn when they name no format and have several cards.
USUAL = ("FP16", "FP8", "INT4")
# What nearly everyone runs at home when the full width does not fit.
HOME_FORMAT = "Q4_K_M"


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
        counted, several = "gpu_count" in properties, max(reading.known_cards.values(), default=1) > 1
        return [
            {kind: name, **({"gpu_count": count} if counted and several else {})}
            for name, count in reading.known_cards.items()
        ]
    if kind in frame.named:
        return [{kind: name} for name in names(frame.named[kind], reading)]
    matched = [value for value, pattern in frame.choices.get(kind, {}).items() if pattern.search(reading.text)]
    whole = properties[kind].get("type") == "integer" if kind in properties else False
    return [{kind: int(value) if whole else value} for value in matched]


def fewer_bits(frame: Frame, filled: Mapping[str, Json], each_gb: float | None) -> list[dict[str, Json]]:
    """Return what makes room where the plain case does not fit: the usual format of home users, or sharding over the cards.

    Args:
        frame: The tool's frame.
        filled: Its arguments.
        each_gb: Memory of a card, if the question names one. [GB]
    """
    properties = get_tool(frame.tool).parameters["properties"]
    if each_gb and filled.get("gpu_count", 1) > 1 and "zero_stage" in properties and not filled.get("zero_stage"):
        plain = get_tool(frame.tool).call(filled).to_dict()
        return [{"zero_stage": 0}, {"zero_stage": 3}] if plain["per_gpu_gb"] > each_gb else []
    if "weight_format" not in frame.variants or "weight_format" in filled or "weight_format" not in properties:
        return []
    if not frame.against_memory:
        plain = get_tool(frame.tool).call(filled).to_dict()
        return [] if plain.get("fits", True) else [{"weight_format": HOME_FORMAT}]
    if each_gb is None:
        return []
    plain = get_tool(frame.tool).call(filled).to_dict()
    return [{"weight_format": "FP16"}, {"weight_format": HOME_FORMAT}] if plain["per_gpu_gb"] > each_gb else []
