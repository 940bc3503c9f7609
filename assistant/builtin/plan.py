"""From a question to the calls of one tool: its slots are filled, what is missing is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from assistant.builtin.calls import Call, Plan
from assistant.builtin.frames import Frame
from assistant.builtin.named import fill_named
from assistant.builtin.options import card_arguments, choices, properties
from assistant.builtin.origins import worked_out
from assistant.builtin.reading import Reading
from assistant.builtin.slots import fill, foreign_money
from assistant.builtin.variants import fewer_bits, variants
from tools.api import Json, ToolInputError, get_tool, usual_format

# "24 GB card", "24G 的卡", "24GB of VRAM"
_OF_CARD = re.compile(
    r"\s*(?:-|的|of )?\s*(?:nvidia |single )?(?:cards?|gpus?|卡|显卡|显存|vram|memory)", re.IGNORECASE | re.ASCII
)
# The only format of a message is that of the cache.
_OF_THE_CACHE = re.compile(
    r"(?:kv|cache|缓存)[^,，.。;；]{0,16}(?:bits?|位|fp8|q8|int8)|(?:bits?|位|fp8|q8|int8)[^,，.。;；]{0,6}(?:kv|cache|缓存)",
    re.IGNORECASE,
)
# Whoever asks whether a supply is too small also wants to know how full it is.
_HOW_FULL = re.compile(
    r"too small|capacity|\bload\b|percent|undersized|太小|负载|容量|占.{0,4}(?:多少|几)", re.IGNORECASE
)


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
    said.update(card_arguments(frame, reading, said))
    said.update(_model(frame, reading))
    if said.get("kv_format") and len(reading.formats) == 1 and _OF_THE_CACHE.search(reading.text):
        kept_format = (earlier or {}).get("weight_format")  # "quantise the KV to 8 bit" says nothing of the weights
        said.pop("weight_format", None)
        said.update({"weight_format": kept_format} if kept_format else {})
    # What an earlier turn named gives way to what this one names.
    kept = {name: said.pop(name) for name in frame.named if name in (earlier or {}) and name in said}
    fill_named(frame.named, reading, said)
    said = {**kept, **said}
    said = {name: value for name, value in said.items() if frame.instead.get(name) not in said}
    implied = {
        key: value for pattern, given in frame.implied if pattern.search(reading.text) for key, value in given.items()
    }
    filled = {**frame.defaults, **implied, **said}
    first: tuple[Call, ...] = ()
    if frame.origins and earlier is None:
        first, given = worked_out(frame, reading, filled, plan_for)
        filled.update(given)
    strange = foreign_money(reading.quantities)
    if strange and any(name.endswith(("_usd", "_usd_per_h", "_usd_per_kwh")) for name in properties(frame)):
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
    if first:
        return Plan(
            stages=(first, (Call(frame.tool, filled),)),
            given=(*said, *(name for call in first for name in call.arguments)),
            extra={"last_first": True},
        )
    several = variants(frame, reading, _formats(frame, reading)) if earlier is None else []
    fewer = _fewer_bits(frame, reading, filled, several) if earlier is None else []
    if len(fewer) == 1:
        filled.update(fewer[0])
    several = several or (fewer if len(fewer) > 1 else [])
    if several:
        return _side_by_side(frame, reading, filled, several, tuple(said))
    stages = _stages(frame, reading, filled)
    say = frame.say.get(reading.language, "") if sum(map(len, stages)) > 1 else ""
    return Plan(stages=stages, say=say, given=tuple(said), focus=focus_of(frame, reading))


def _fewer_bits(
    frame: Frame, reading: Reading, filled: Mapping[str, Json], several: Sequence[Mapping[str, Json]]
) -> list[dict[str, Json]]:
    """Fewer bits than the full width, for all of several cards alike."""
    if not reading.models or not (reading.known_cards or frame.against_memory):
        return []
    there = _memory_there(reading) if frame.against_memory else None
    each_gb = get_tool(there.tool).call(there.arguments).to_dict() if there else {}
    memory_gb = each_gb.get("memory_gb", each_gb.get("value"))
    try:
        if frame.against_memory:
            return [] if several else fewer_bits(frame, filled, memory_gb)
        for one in several or [{}]:
            found = fewer_bits(frame, {**filled, **one}, None)
            if found:
                return found
        return []
    except ToolInputError:
        return []  # the call itself will say what is wrong


def _stages(frame: Frame, reading: Reading, filled: dict[str, Json]) -> tuple[tuple[Call, ...], ...]:
    """The call, with what it is held against beside it or what it needs before it."""
    if frame.card and "power_w" in properties(frame) and frame.card in filled and len(reading.known_cards) == 1:
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


def _whole(frame: Frame, filled: Mapping[str, float]) -> dict[str, Json]:
    """Hand over whole numbers as such where the tool counts."""
    kinds = {name: schema.get("type") for name, schema in properties(frame).items()}
    return {
        name: int(value) if kinds[name] == "integer" else value
        for name, value in filled.items()
        if kinds[name] != "integer" or value == int(value)
    }


def _argument(frame: Frame, need: str) -> str:
    if need in ("cards", "card", "gpu", "gpus") and frame.card:
        return frame.card
    return frame.model if need == "model" and frame.model else need


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
    if "weight_format" not in properties(frame):
        return []
    known = [usual_format(name) for name in reading.formats]
    return list(dict.fromkeys(name for name in known if name in properties(frame)["weight_format"].get("enum", known)))


def focus_of(frame: Frame, reading: Reading) -> str:
    """Return what a question is about, if a tool tells several things."""
    return next((name for name, pattern in frame.focus.items() if pattern.search(reading.text)), "")


def _currency(strange: list[str], reading: Reading) -> str:
    if reading.language == "zh":
        if "¥" in strange:
            return "“¥”是人民币还是日元？请写明币种和对美元的汇率，我就能算。"
        return "我的价格工具按美元算。请给出对美元的汇率，或者直接给美元价格。"
    if "¥" in strange:
        return "Is “¥” yuan or yen? Tell me the currency and its rate to the US dollar and I can compute it."
    return "My price tools compute in US dollars. Give me the exchange rate, or the prices in dollars."
