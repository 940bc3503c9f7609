"""What the rules need that try a tool at plan time: its result, its arguments, the memory that is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assistant.builtin.asking import near, of, words
from assistant.builtin.calls import Call
from assistant.builtin.frames import frames
from assistant.builtin.options import choices
from assistant.builtin.reading import Reading
from assistant.builtin.sheets import sheet
from assistant.builtin.slots import fill
from tools.api import Json, get_tool, usual_format

_OF_CARD = words("cards?|gpus?|vram|graphics", "卡|显存|显卡")


def result_of(tool: str, arguments: Mapping[str, Json]) -> dict[str, Any]:
    """Return the result of a tool as plain JSON."""
    return get_tool(tool).call(arguments).to_dict()


def arguments_of(tool: str, reading: Reading) -> dict[str, Json]:
    """Return what the question says about the model, its format, its context and its training."""
    frame = frames()[tool]
    found: dict[str, Json] = {"model": reading.models[0]} if reading.models else {}
    properties = get_tool(tool).parameters["properties"]
    known = [usual_format(name) for name in reading.formats]
    if "weight_format" in properties and known and known[0] in properties["weight_format"]["enum"]:
        found["weight_format"] = known[0]
    for name, value in fill(frame, reading.text, reading.quantities).items():
        if name in ("context_tokens", "sequence_tokens"):
            found[name] = int(value)
    implied = {
        key: value for pattern, given in frame.implied if pattern.search(reading.text) for key, value in given.items()
    }
    return {**implied, **found, **choices(frame, reading)}


def memory_of(reading: Reading) -> tuple[Call, float, int] | None:
    """Return the memory of the one card of a question, or the one size it gives: the call, GB a card, how many cards."""
    cards = reading.known_cards
    if len(cards) == 1:
        name, count = next(iter(cards.items()))
        return Call("gpu_specs", {"gpu": name}), float(sheet(name).memory_gb), count
    sizes = [item for item in of(reading, "GB") if item.value >= 2 and near(reading, item, _OF_CARD, 14)]
    if cards or len(sizes) != 1:
        return None
    count = next((int(item.raw) for item in of(reading, "cards") if item.raw == int(item.raw)), 1)
    size = sizes[0].value
    return Call("calculate", {"expression": f"{size:g} GB", "unit": "GB"}), size, count


def there(call: Call, at: int) -> str:
    """Return how a template prints the memory that is there."""
    return f"all[{at}].memory_gb" if call.tool == "gpu_specs" else f"all[{at}].value"
