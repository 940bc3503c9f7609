"""Arguments that are named rather than measured: fixed options, and the cards of a question in the form a tool takes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from assistant.builtin.frames import Frame
from assistant.builtin.reading import Reading
from tools.api import Json, get_tool

# A power said beside several cards is one card's if it is called so, or if a card could draw it.
_ONE_CARD = 1.3
_WHOLE = re.compile(r"together|in total|altogether|machine|server|system|box|共|总|整机|机器|服务器", re.IGNORECASE)
_EACH = re.compile(r"each|per (?:card|gpu)|apiece|每张|每卡|每块|单卡|各", re.IGNORECASE | re.ASCII)
# "without NVLink", "不用 NVLink": what is ruled out is not chosen.
_NEGATED = re.compile(
    r"(?:\b(?:without|no|not|non|never|don'?t (?:use|have)|doesn'?t (?:use|have)|instead of|rather than)(?: (?:any|the|a|using))?[ -]|"
    r"(?:不用|不走|不使用|不带|不开|没有?|无|而不是|不是)\s?)$",
    re.IGNORECASE | re.ASCII,
)
# Before a power that comes on top of the cards.
_REST = re.compile(
    r"(?:overhead|platform|cpu|rest of \w+(?: \w+)?|everything else|系统开销|开销|平台|其余|处理器|"
    r"主板)\D{0,6}$",
    re.IGNORECASE | re.ASCII,
)


def properties(frame: Frame) -> Mapping[str, Json]:
    """Return the arguments of a frame's tool with their schemas."""
    return get_tool(frame.tool).parameters["properties"]


def choices(frame: Frame, reading: Reading) -> dict[str, Json]:
    """Return the fixed options that a question names."""
    found: dict[str, Json] = {}
    for argument, options in frame.choices.items():
        for value, pattern in options.items():
            if any(not _NEGATED.search(reading.text[: hit.start()]) for hit in pattern.finditer(reading.text)):
                whole = properties(frame)[argument].get("type") == "integer"
                found[argument] = int(value) if whole else {"true": True, "false": False}.get(value, value)
                break
    return found


def card_arguments(frame: Frame, reading: Reading, filled: dict[str, Json]) -> dict[str, Json]:
    """Hand over the cards in the form the tool takes; a power that was said stands for them."""
    named = {card.name or card.text: card.count for card in reading.cards}
    if not named:
        return {}
    known, first = properties(frame), next(iter(reading.known_cards or named))
    found: dict[str, Json] = {}
    if "gpu_count" in known and named.get(first, 1) > 1 and filled.get("gpu_count", 1) == 1:
        found["gpu_count"] = named[first]
    on_top = len(named) == 1 and first in reading.known_cards and _comes_on_top(filled.get("power_w"), reading)
    if frame.card and "power_w" in filled and "power_w" in known and not on_top:
        if len(named) == 1 and named[first] > 1 and _is_of_one_card(first, filled["power_w"], reading):
            found["power_w"] = filled["power_w"] * named[first]
        filled.pop(frame.card, None)
    elif frame.card == "cards":
        found["cards"] = named
    elif frame.card == "gpus":
        cards = list(named)
        # "A next to B": the last one named is what the others are measured by.
        compared = "reference" in known and len(cards) > 1
        found.update({"gpus": cards[:-1], "reference": cards[-1]} if compared else {"gpus": cards})
    elif frame.card:
        found[frame.card] = first
    return found


def _is_of_one_card(name: str, power_w: float, reading: Reading) -> bool:
    """Whether a power said beside several cards is that of each."""
    if _EACH.search(reading.text):
        return True
    if name not in reading.known_cards or _WHOLE.search(reading.text):
        return False
    board_power_w = get_tool("gpu_specs").call({"gpu": name}).to_dict()["board_power_w"]
    return bool(board_power_w) and power_w <= _ONE_CARD * board_power_w


def _comes_on_top(power_w: Json, reading: Reading) -> bool:
    """Whether a power is that of the machine around the cards."""
    return any(
        item.unit == "W" and item.value == power_w and _REST.search(reading.text[: item.start])
        for item in reading.quantities
    )
