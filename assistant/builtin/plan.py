"""From a question to tool calls: the best frame wins, its slots are filled, what is missing is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assistant.builtin.frames import Frame, frames
from assistant.builtin.reading import Reading
from assistant.builtin.slots import fill, foreign_money
from tools.api import Json, get_tool

# Below this no rule is sure enough to compute; the articles are asked instead.
SURE = 3.0

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
    """

    stages: tuple[tuple[Call, ...], ...] = ()
    say: str = ""
    given: tuple[str, ...] = ()
    focus: str = ""
    reply: str = ""
    status: Status = "answered"
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tool that a question may be about."""

    frame: Frame
    score: float


def rank(reading: Reading) -> list[Wanted]:
    """Order the tools by how much of the question speaks for them.

    A tool whose needs the question meets gains; one that needs a card or a model that nobody named loses.
    """
    ranked: list[Wanted] = []
    for frame in frames().values():
        score = frame.score(reading.text)
        if score > 0:
            filled = fill(frame, reading.text, reading.quantities)
            score += 0.6 * len(filled) + 0.5 * sum(_met(need, reading, filled) for need in frame.needs)
            score -= 1.0 * sum(not _met(need, reading, filled) for need in frame.needs)
            ranked.append(Wanted(frame, score))
    return sorted(ranked, key=lambda wanted: -wanted.score)


def _met(need: str, reading: Reading, filled: Mapping[str, float]) -> bool:
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
    filled: dict[str, Json] = dict(earlier or {})
    said = fill(frame, reading.text, reading.quantities)
    filled.update(said)
    filled.update(_choices(frame, reading))
    filled.update(_cards(frame, reading, filled))
    filled.update(_model(frame, reading))
    strange = foreign_money([quantity for quantity in reading.quantities])
    if strange and any(name.endswith(("_usd", "_usd_per_h", "_usd_per_kwh")) for name in get_tool(frame.tool).parameters["properties"]):
        return Plan(reply=_currency(sorted(strange), reading), status="clarify")
    missing = [need for need in (*frame.needs, *get_tool(frame.tool).parameters["required"])
               if _argument(frame, need) not in filled]
    for need in missing:
        words = frame.ask.get(need) or frame.ask.get(_argument(frame, need))
        if words:
            return Plan(reply=words[reading.language], status="clarify")
    if missing:
        return Plan(status="refused")
    return Plan(stages=((Call(frame.tool, filled),),), given=tuple(said), focus=_focus(frame, reading))


def _argument(frame: Frame, need: str) -> str:
    if need in ("cards", "card", "gpu", "gpus") and frame.card:
        return frame.card
    return frame.model if need == "model" and frame.model else need


def _choices(frame: Frame, reading: Reading) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for argument, options in frame.choices.items():
        for value, pattern in options.items():
            if pattern.search(reading.text):
                found[argument] = {"true": True, "false": False}.get(value, value)
                break
    return found


def _cards(frame: Frame, reading: Reading, filled: Mapping[str, Json]) -> dict[str, Json]:
    counts = reading.known_cards
    named = {card.name or card.text: card.count for card in reading.cards}
    if not named or not frame.card:
        return {}
    if frame.card == "cards":
        return {"cards": named}
    if frame.card == "gpus":
        return {"gpus": list(named)}
    first = next(iter(counts or named))
    properties = get_tool(frame.tool).parameters["properties"]
    found: dict[str, Json] = {frame.card: first}
    if "gpu_count" in properties and named[first] > 1 and "gpu_count" not in filled:
        found["gpu_count"] = named[first]
    return found


def _model(frame: Frame, reading: Reading) -> dict[str, Json]:
    found: dict[str, Json] = {}
    if frame.model and reading.models:
        found[frame.model] = reading.models[0]
    if "weight_format" in get_tool(frame.tool).parameters["properties"] and reading.formats:
        found["weight_format"] = reading.formats[0]
    return found


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
