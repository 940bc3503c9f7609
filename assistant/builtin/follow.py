"""A short message after a computed answer changes that computation: another figure, another card, "no, 300 W each"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from assistant.builtin.calls import Call, Plan
from assistant.builtin.exchange import CONVERT
from assistant.builtin.frames import Frame, frames
from assistant.builtin.named import fill_named
from assistant.builtin.options import choices
from assistant.builtin.plan import focus_of, plan_for
from assistant.builtin.rank import SURE
from assistant.builtin.reading import Reading, read
from assistant.builtin.slots import fill
from tools.api import Json, get_tool, is_object

_FOLLOW_UP = re.compile(
    r"^\W*(?:and|what about|how about|what if|then|but|with|if|no[,，]|not |instead|now|ok|sorry|actually|make (?:it|that)|on (?:a|an)|"
    r"at|for|only|same|i mean|rather)\b|"
    r"^\W*(?:那|换成|如果|要是|再|改成|不|不是|用|按|呢|其实|应该是|是|只|同样)|呢\W*$|"
    r"^\W*(?:use|try|change|set|switch|take|let'?s)\b.{0,40}$|\b(?:instead|though|then)\W*$|(?:吧|试试|算)\W*$",
    re.IGNORECASE | re.ASCII,
)
_LONGEST_FOLLOW_UP = 80
# A bare count beyond this is no number of cards.
_MOST_CARDS = 64
_OF_THEM = re.compile(
    r"^\W*(?:(?:and|what about|how about|what if|then|but|with|now|ok|only|no|sorry|actually|rather|i mean|make (?:it|that))\W+)*(?:with |for |only )?[\w-]+"
    r"(?: (?:of (?:them|these|those)|cards?|gpus?))?\W*$|^\W*(?:那|换成|如果|要是|改成|用)?\s*\w{1,4}\s*(?:张|块|片|个|卡)?(?:卡)?(?:呢)?\W*$",
    re.IGNORECASE,
)
# How much of a message without figures must speak for the tool that was just used.
_SPEAKS = 2.5
# What may stand around a figure that only puts another right.
_BARE = re.compile(
    r"(?:(?:no|not|sorry|and|what about|how about|what if|then|actually|i mean|make it|make that|rather|ok|with|at|it'?s|"
    r"不|不对|不是|那|改成|换成|应该是|我是说|其实|要是|如果|是|呢)|\W)*",
    re.IGNORECASE | re.ASCII,
)
# A figure a thousand times larger or smaller is another quantity.
_NEAR = 1e-3
_OTHER_MONEY = re.compile(
    r"^\W*(?:and |now )?(?:in|use|convert (?:it |that )?to)\s+(?:euros?|eur|yuan|rmb|pounds?|yen)\W*$|"
    r"^\W*(?:那)?(?:用|换成|换算成|按|折合|折成)(?:成)?(?:欧元|人民币|元|英镑|日元)(?:算|计|算呢|呢|表示)?\W*$",
    re.IGNORECASE,
)


def goes_on(text: str) -> bool:
    """Whether a message reads like a change of what was computed before."""
    return len(text) <= _LONGEST_FOLLOW_UP and _FOLLOW_UP.search(text) is not None


def follow_up(reading: Reading, before: Mapping[str, Mapping[str, Json]], score: float) -> Plan | None:
    """Return the earlier computation with what the message changes, or None if it is a new question."""
    last = _latest(before)
    if last is None or last["tool"] not in frames() or len(reading.text) > _LONGEST_FOLLOW_UP:
        return None
    again = (
        _in_other_money(reading, last)
        or _recounted(reading, last)
        or _put_right(reading, before, last)
        or _asked_again(reading, last)
    )
    if again:
        return again
    told = bool(
        reading.quantities
        or reading.cards
        or reading.formats
        or reading.models
        or _named_options(frames()[last["tool"]], reading)
    )
    if not _FOLLOW_UP.search(reading.text) and (score >= SURE or not told):
        return None
    frame = frames()[last["tool"]]
    chosen = _named_options(frame, reading)
    if not (
        fill(frame, reading.text, _by_the_day(reading, last).quantities)
        or reading.cards
        or reading.models
        or reading.formats
        or chosen
        or _of_a_kind(frame, reading)
    ):
        return None
    told_of = _with_count(_by_the_day(reading, last), last)
    plan = _same_slot(frame, reading, last["arguments"]) or plan_for(frame, told_of, _kept(reading, last))
    return (
        plan
        if any(
            call.arguments != last["arguments"] for stage in plan.stages for call in stage if call.tool == last["tool"]
        )
        or plan.status == "clarify"
        else None
    )


# "不限呢", "without the cap": a limit of an earlier turn is taken off.
_UNLIMITED = re.compile(
    r"不限(?:功|了|制|呢|$|\W)|解除限制|取消限|\b(?:uncapped|unlimited|stock power|(?:no|without (?:a|the|any)|remove the) (?:power )?(?:limit|cap))\b",
    re.IGNORECASE,
)


def _kept(reading: Reading, last: Mapping[str, Json]) -> dict[str, Json]:
    """Return the earlier arguments but those that the message replaces by another of the same kind.

    A card with a count of its own brings its number along; watts that are given stand for the card whose they are.
    """
    frame = frames()[last["tool"]]
    gone = {"gpu_count"} if any(card.stated for card in reading.cards) else set[str]()
    told = {*fill(frame, reading.text, reading.quantities), *([frame.card] if reading.cards else [])}
    for need in frame.needs:
        either = {frame.card if part == "card" else part for part in need.split("|")}
        gone |= either - told if len(either) > 1 and either & told else set()
    gone |= {"power_limit_w"} if _UNLIMITED.search(reading.text) else set[str]()
    return {name: value for name, value in last["arguments"].items() if name not in gone}


def _by_the_day(reading: Reading, last: Mapping[str, Json]) -> Reading:
    """ "Make it 12 hours" after so many hours a day: a bare span is by the day again."""
    only = reading.quantities[0] if len(reading.quantities) == 1 else None
    share = last["arguments"].get("utilization")
    if only is None or only.unit != "h" or not share or not 0 < only.value <= _DAY or "hours" in last["arguments"]:
        return reading
    return replace(reading, quantities=(replace(only, unit="h/day"),))


_DAY = 24.0


def _with_count(reading: Reading, last: Mapping[str, Json]) -> Reading:
    """ "No, 3080s": another card without a number of its own is as many as the one before."""
    held = last["arguments"].get("cards")
    if len(reading.cards) != 1 or reading.cards[0].stated or not is_object(held) or len(held) != 1:
        return reading
    count = next(iter(held.values()))
    return replace(reading, cards=(replace(reading.cards[0], count=int(count)),))


def _put_right(reading: Reading, before: Mapping[str, Mapping[str, Json]], last: Mapping[str, Json]) -> Plan | None:
    """ "No, 2500": a bare figure goes where the figure before it went, the one that was changed last or the only one."""
    if len(reading.quantities) != 1 or not _BARE.fullmatch(_without(reading)) or reading.quantities[0].unit:
        return None
    arguments, value = last["arguments"], reading.quantities[0].raw
    same = [outcome for outcome in before.values() if outcome["tool"] == last["tool"] and "result" in outcome]
    earlier: Mapping[str, Json] = same[-2]["arguments"] if len(same) > 1 else {}
    figures = {name: held for name, held in arguments.items() if isinstance(held, (int, float)) and held}
    changed = [name for name, held in figures.items() if earlier.get(name) != held]
    named = changed if len(changed) == 1 else list(figures)
    if len(named) != 1 or not _NEAR < value / figures[named[0]] < 1 / _NEAR:
        return None
    whole = isinstance(figures[named[0]], int) and value == int(value)
    return plan_for(frames()[last["tool"]], read(""), {**arguments, named[0]: int(value) if whole else value})


def _without(reading: Reading) -> str:
    """Return a message without its only figure."""
    only = reading.quantities[0]
    return f"{reading.text[: only.start]} {reading.text[only.end :]}".strip()


def _asked_again(reading: Reading, last: Mapping[str, Json]) -> Plan | None:
    """ "墙上要多少瓦？" after a power supply: another figure of the computation that was just made."""
    frame = frames()[last["tool"]]
    told = reading.quantities or reading.cards or reading.models or reading.formats or _named_options(frame, reading)
    own = frame.score(reading.text)
    if told or own < _SPEAKS or any(other.score(reading.text) > own for other in frames().values()):
        return None
    return Plan(
        stages=((Call(frame.tool, dict(last["arguments"])),),),
        given=tuple(last["arguments"]),
        focus=focus_of(frame, reading),
    )


def _of_a_kind(frame: Frame, reading: Reading) -> bool:
    """Whether the lone figure of a message is of a kind that the tool takes."""
    return len(reading.quantities) == 1 and any(slot.unit == reading.quantities[0].unit for slot in frame.slots)


def _named_options(frame: Frame, reading: Reading) -> dict[str, Json]:
    """Return the options and places that a message names."""
    found = choices(frame, reading)
    fill_named(frame.named, reading, found)
    return found


def _same_slot(frame: Frame, reading: Reading, earlier: Mapping[str, Json]) -> Plan | None:
    """A lone figure goes where the last one of its kind went: "and 300 W?" after a limit of 350 W is a limit."""
    told = fill(frame, reading.text, reading.quantities)
    units = {slot.argument: slot.unit for slot in frame.slots}
    if not told and len(reading.quantities) == 1:
        only = reading.quantities[0]
        told = {name: only.value for name, unit in units.items() if unit == only.unit and name not in earlier}
        told = dict(list(told.items())[:1])
    if len(told) != 1 or reading.cards:
        return None
    name, value = next(iter(told.items()))
    rivals = [slot.argument for slot in frame.slots if slot.unit == units[name] and slot.argument in earlier]
    named = any(slot.argument == name and slot.cues and slot.cues.search(reading.text) for slot in frame.slots)
    if name in earlier or named or len(rivals) != 1:
        return None
    plan = plan_for(frame, read(""), {**earlier, rivals[0]: value})
    return plan if plan.status == "answered" else None


def _recounted(reading: Reading, last: Mapping[str, Json]) -> Plan | None:
    """ "And with eight of them?": a bare count is that of the card before."""
    counts = [
        item
        for item in reading.quantities
        if item.unit in ("", "cards") and item.raw == int(item.raw) and 0 < item.raw <= _MOST_CARDS
    ]
    if (
        len(reading.quantities) != 1
        or not counts
        or reading.cards
        or reading.models
        or not (_OF_THEM.match(reading.text) or counts[0].unit == "cards")
    ):
        return None
    arguments, count = dict(last["arguments"]), int(counts[0].raw)
    held = arguments.get("cards")
    if is_object(held) and len(held) == 1:
        arguments["cards"] = {next(iter(held)): count}
    elif "gpu_count" in get_tool(last["tool"]).parameters["properties"]:
        arguments["gpu_count"] = count
    elif "gpu" in arguments and "power_w" in get_tool(last["tool"]).parameters["properties"]:
        name = arguments.pop("gpu")  # a tool of one card or one power: that of all of them is worked out before
        cards = f"{count} 张 {name}" if reading.language == "zh" else f"{count} x {name}"
        plan = plan_for(frames()[last["tool"]], read(cards), arguments)
        return plan if plan.status == "answered" else None
    else:
        return None
    return plan_for(frames()[last["tool"]], replace(reading, quantities=()), arguments)


def _in_other_money(reading: Reading, last: Mapping[str, Json]) -> Plan | None:
    """ "用欧元算": the tools compute in dollars, so the rate is asked for."""
    if not _OTHER_MONEY.match(reading.text) or not any("usd" in name for name in last["result"]):
        return None
    return Plan(
        status="clarify",
        reply=(
            "我的价格工具按美元算。告诉我汇率，我就能换算。"
            if reading.language == "zh"
            else "My price tools compute in US dollars. Tell me the exchange rate and I will convert it."
        ),
    )


def _latest(before: Mapping[str, Mapping[str, Json]]) -> Mapping[str, Json] | None:
    """The latest computed answer; what it was held against stands after it and is none."""
    found = [outcome for outcome in before.values() if "result" in outcome and outcome["tool"] != CONVERT]
    while len(found) > 1 and found[-1]["tool"] in ("gpu_specs", "calculate"):
        frame = frames().get(str(found[-2]["tool"]))
        if frame is None or not frame.against_memory:
            break
        found.pop()
    return found[-1] if found else None
