"""From a question to tool calls: the best frame wins, its slots are filled, what is missing is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from assistant.builtin.frames import Frame, frames
from assistant.builtin.reading import Reading
from assistant.builtin.slots import fill, foreign_money
from assistant.builtin.variants import variants
from tools.api import Json, get_tool

# Below this no rule is sure enough to compute; the articles are asked instead.
SURE = 3.0
# How much the sentences beside the question count.
OF_FACTS = 0.35

# "24 GB card", "24G 的卡", "24GB of VRAM"
_OF_CARD = re.compile(
    r"\s*(?:-|的|of )?\s*(?:nvidia |single )?(?:cards?|gpus?|卡|显卡|显存|vram|memory)", re.IGNORECASE | re.ASCII
)
# A power said beside several cards is one card's if it is called so, or if a card could draw it.
_ONE_CARD = 1.3
_WHOLE = re.compile(r"together|in total|altogether|machine|server|system|box|共|总|整机|机器|服务器", re.IGNORECASE)
_EACH = re.compile(r"each|per (?:card|gpu)|apiece|每张|每卡|每块|单卡|各", re.IGNORECASE | re.ASCII)
# Before a power that comes on top of the cards.
_REST = re.compile(
    r"(?:overhead|platform|cpu|rest of \w+(?: \w+)?|everything else|系统开销|开销|平台|其余|处理器|"
    r"主板)\D{0,6}$",
    re.IGNORECASE | re.ASCII,
)
# Whoever asks whether a supply is too small also wants to know how full it is.
_HOW_FULL = re.compile(
    r"too small|capacity|\bload\b|percent|undersized|太小|负载|容量|占.{0,4}(?:多少|几)", re.IGNORECASE
)
# A bare "Q4" means the usual file of that size.
USUAL_FORMATS = {
    "Q2": "Q2_K",
    "Q3": "Q3_K_M",
    "Q4": "Q4_K_M",
    "Q5": "Q5_K_M",
    "Q6": "Q6_K",
    "Q8": "Q8_0",
    "Q4_K": "Q4_K_M",
    "Q5_K": "Q5_K_M",
}

Status = Literal["answered", "clarify", "refused"]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call to make; arguments may hold `{{@1.field}}` for the first result of this plan."""

    tool: str
    arguments: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do about a question.

    Attributes:
        stages: Calls to make, those of one stage side by side.
        say: Template over the results, "" for the tool's own.
        given: Arguments that the person gave.
        focus: What the question is about, if the tool tells several things.
        reply: What to say without any call.
        status: How the turn ends.
        then: What else the message asks, answered after it.
        left: Questions of the message that it leaves open.
    """

    stages: tuple[tuple[Call, ...], ...] = ()
    say: str = ""
    given: tuple[str, ...] = ()
    focus: str = ""
    reply: str = ""
    status: Status = "answered"
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    then: tuple[Plan, ...] = ()
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tool that a question may be about."""

    frame: Frame
    score: float


def rank(reading: Reading, asked: str = "") -> list[Wanted]:
    """Order the tools by how much of the question speaks for them.

    A tool whose needs the question meets gains; one that needs a card or a model that nobody named loses.

    Args:
        reading: What the message holds.
        asked: The sentence that asks, if the message holds others; what those say counts less.
    """
    ranked: list[Wanted] = []
    for frame in frames().values():
        score = _score(frame, reading.text, asked)
        if score > 0:
            quantities = fill(frame, reading.text, reading.quantities)
            score += 0.6 * len(quantities)
            filled: dict[str, Json] = {**frame.defaults, **quantities, **choices(frame, reading)}
            filled.update(_cards(frame, reading, dict(filled)))
            score += 0.5 * sum(_met(need, reading, filled) for need in frame.needs)
            score -= 1.0 * sum(not _met(need, reading, filled) for need in frame.needs)
            ranked.append(Wanted(frame, score))
    return sorted(ranked, key=lambda wanted: -wanted.score)


def _score(frame: Frame, text: str, asked: str) -> float:
    if not asked:
        return frame.score(text)
    return (1 - OF_FACTS) * frame.score(asked) + OF_FACTS * frame.score(text)


def _met(need: str, reading: Reading, filled: Mapping[str, Json]) -> bool:
    if "|" in need:
        return any(_met(part, reading, filled) for part in need.split("|"))
    if need in ("cards", "card", "gpu", "gpus"):
        return bool(reading.cards)
    if need == "model":
        return bool(reading.models)
    return need in filled


def plan_for(frame: Frame, reading: Reading, earlier: Mapping[str, Json] | None = None) -> Plan:
    """Fill one tool's arguments from a question.

    Args:
        frame: The tool's frame.
        reading: The question.
        earlier: Arguments of the same tool in an earlier turn, which stay unless the question changes them.

    Returns:
        The call, or a question back for what is decisive and missing.
    """
    said: dict[str, Json] = dict(earlier or {})
    said.update(_whole(frame, fill(frame, reading.text, reading.quantities)))
    said.update(choices(frame, reading))
    said.update(_cards(frame, reading, said))
    said.update(_model(frame, reading))
    said = {name: value for name, value in said.items() if frame.instead.get(name) not in said}
    implied = {
        key: value for pattern, given in frame.implied if pattern.search(reading.text) for key, value in given.items()
    }
    filled = {**frame.defaults, **implied, **said}
    strange = foreign_money(reading.quantities)
    if strange and any(name.endswith(("_usd", "_usd_per_h", "_usd_per_kwh")) for name in _properties(frame)):
        return Plan(reply=_currency(sorted(strange), reading), status="clarify")
    missing = [
        need
        for need in (*frame.needs, *get_tool(frame.tool).parameters["required"])
        if not any(_argument(frame, part) in filled for part in need.split("|"))
    ]
    for need in missing:
        words = frame.ask.get(need.split("|")[0]) or frame.ask.get(_argument(frame, need))
        if words:
            return Plan(reply=words[reading.language], status="clarify")
    if missing:
        return Plan(status="refused")
    several = variants(frame, reading, _formats(frame, reading)) if earlier is None else []
    if several:
        return _side_by_side(frame, reading, filled, several, tuple(said))
    stages = _stages(frame, reading, filled)
    say = frame.say.get(reading.language, "") if sum(map(len, stages)) > 1 else ""
    return Plan(stages=stages, say=say, given=tuple(said), focus=_focus(frame, reading))


def _stages(frame: Frame, reading: Reading, filled: dict[str, Json]) -> tuple[tuple[Call, ...], ...]:
    """The call, with what it is held against beside it or what it needs before it."""
    if frame.card and "power_w" in _properties(frame) and frame.card in filled and len(reading.known_cards) == 1:
        name, count = next(iter(reading.known_cards.items()))
        if "power_w" in filled or (count > 1 and frame.card == "gpu"):  # the tool knows one card or one power
            rest = {key: value for key, value in filled.items() if key != frame.card}
            on_top = f" + {filled['power_w']:g} W" if "power_w" in filled else ""
            expression = f"{count} * {{{{@1.board_power_w}}}} W{on_top}"
            return (
                (Call("gpu_specs", {"gpu": name}),),
                (Call("calculate", {"expression": expression, "unit": "W"}),),
                (Call(frame.tool, {**rest, "power_w": "{{@2.value}}"}),),
            )
    if frame.tool == "power_check" and "psu_w" in filled and _HOW_FULL.search(reading.text):
        return (
            (Call(frame.tool, filled),),
            (Call("calculate", {"expression": "{{@1.system_w}} / {{@1.psu_w}}", "unit": "%"}),),
        )
    there = _memory_there(reading) if frame.against_memory else None
    return ((Call(frame.tool, filled), there),) if there else ((Call(frame.tool, filled),),)


def _side_by_side(
    frame: Frame,
    reading: Reading,
    filled: dict[str, Json],
    several: Sequence[Mapping[str, Json]],
    given: tuple[str, ...],
) -> Plan:
    """One call for each variant, with what they are held against, and what several cards hold together."""
    calls = [Call(frame.tool, {**filled, **one}) for one in several]
    there = _memory_there(reading) if frame.against_memory else None
    stages: tuple[tuple[Call, ...], ...] = ((*calls, there),) if there else (tuple(calls),)
    count = filled.get("gpu_count", 1)
    if there and there.tool == "gpu_specs" and isinstance(count, int) and count > 1:
        stages = (
            *stages,
            (Call("calculate", {"expression": f"{count} * {{{{@{len(calls) + 1}.memory_gb}}}} GB", "unit": "GB"}),),
        )
    return Plan(stages=stages, say=frame.compare[reading.language], given=given)


def _memory_there(reading: Reading) -> Call | None:
    """The memory that a question says is there: that of its card, or the one size it names for a card."""
    for name in reading.known_cards:
        return Call("gpu_specs", {"gpu": name})
    sizes = [size for size in reading.quantities if size.unit == "GB" and size.value >= 1]
    of_card = [size for size in sizes if _OF_CARD.match(reading.text[size.end :])]
    chosen = of_card or (sizes if len(sizes) == 1 else [])
    return Call("calculate", {"expression": f"{chosen[0].value:g} GB", "unit": "GB"}) if chosen else None


def _properties(frame: Frame) -> Mapping[str, Json]:
    return get_tool(frame.tool).parameters["properties"]


def _whole(frame: Frame, filled: Mapping[str, float]) -> dict[str, Json]:
    """Hand over whole numbers as such where the tool counts."""
    kinds = {name: schema.get("type") for name, schema in _properties(frame).items()}
    return {
        name: int(value) if kinds[name] == "integer" else value
        for name, value in filled.items()
        if kinds[name] != "integer" or value == int(value)
    }


def _argument(frame: Frame, need: str) -> str:
    if need in ("cards", "card", "gpu", "gpus") and frame.card:
        return frame.card
    return frame.model if need == "model" and frame.model else need


def choices(frame: Frame, reading: Reading) -> dict[str, Json]:
    """Return the fixed options that a question names."""
    found: dict[str, Json] = {}
    for argument, options in frame.choices.items():
        for value, pattern in options.items():
            if pattern.search(reading.text):
                whole = _properties(frame)[argument].get("type") == "integer"
                found[argument] = int(value) if whole else {"true": True, "false": False}.get(value, value)
                break
    return found


def _cards(frame: Frame, reading: Reading, filled: dict[str, Json]) -> dict[str, Json]:
    """Hand over the cards in the form the tool takes; a power that was said stands for them."""
    named = {card.name or card.text: card.count for card in reading.cards}
    if not named:
        return {}
    properties, first = _properties(frame), next(iter(reading.known_cards or named))
    found: dict[str, Json] = {}
    if "gpu_count" in properties and named.get(first, 1) > 1 and "gpu_count" not in filled:
        found["gpu_count"] = named[first]
    on_top = len(named) == 1 and first in reading.known_cards and _comes_on_top(filled.get("power_w"), reading)
    if frame.card and "power_w" in filled and "power_w" in properties and not on_top:
        if len(named) == 1 and named[first] > 1 and _is_of_one_card(first, filled["power_w"], reading):
            found["power_w"] = filled["power_w"] * named[first]
        filled.pop(frame.card, None)
    elif frame.card == "cards":
        found["cards"] = named
    elif frame.card == "gpus":
        cards = list(named)
        # "A next to B": the last one named is what the others are measured by.
        compared = "reference" in properties and len(cards) > 1
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


def _model(frame: Frame, reading: Reading) -> dict[str, Json]:
    found: dict[str, Json] = {}
    if frame.model and reading.models:
        found[frame.model] = reading.models[0]
    known = _formats(frame, reading)
    if known:
        found["weight_format"] = known[0]
    return found


def _formats(frame: Frame, reading: Reading) -> list[str]:
    """Return the weight formats of a question that a tool knows."""
    if "weight_format" not in _properties(frame):
        return []
    known = [USUAL_FORMATS.get(name, name) for name in reading.formats]
    return list(dict.fromkeys(name for name in known if name in _properties(frame)["weight_format"].get("enum", known)))


def _focus(frame: Frame, reading: Reading) -> str:
    return next((name for name, pattern in frame.focus.items() if pattern.search(reading.text)), "")


def _currency(strange: list[str], reading: Reading) -> str:
    if reading.language == "zh":
        if "¥" in strange:
            return "“¥”是人民币还是日元？请写明币种和对美元的汇率，我就能算。"
        return "我的价格工具按美元算。请给出对美元的汇率，或者直接给美元价格。"
    if "¥" in strange:
        return "Is “¥” yuan or yen? Tell me the currency and its rate to the US dollar and I can compute it."
    return "My price tools compute in US dollars. Give me the exchange rate, or the prices in dollars."
