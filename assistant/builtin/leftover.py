"""What a message gives that its plan does not use: nobody may take an answer for more than it rests on."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from assistant.builtin.calls import Plan
from assistant.builtin.frames import frames
from assistant.builtin.reading import Reading
from assistant.builtin.slots import conversions, fill
from assistant.builtin.unused import is_figure, of_a_card
from assistant.measures import CURRENCIES, UNCLEAR_SIGN
from assistant.numerals import Numeral
from assistant.toolbox import SEARCH
from tools.api import Json, get_tool, is_array, is_object

_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?", re.IGNORECASE)
_SAME = 1e-6
# Figures that a bill cannot do without once they are said.
CHANGES_A_BILL = ("h", "days", "h/day", "h/week", "tokens/s")
_PRICED = re.compile(
    r"\b(?:costs?|price[ds]?|pay(?:ing)?|buy(?:ing)?|an hour|per hour|per kwh|a kwh)\b|价|卖|租金|电费|一度|每度|一小时",
    re.IGNORECASE,
)


def leftover(reading: Reading, plan: Plan) -> list[Numeral]:
    """Return the figures of a message that no call of its plan holds and no sentence of it names.

    A figure counts as used in whatever unit it was handed over, for each of several cards, or as a part of a sum.
    """
    plans = (plan, *plan.then)
    held = [
        number
        for one in plans
        for stage in one.stages
        for call in stage
        for number in _numbers(call.arguments, call.tool)
    ]
    said = " ".join(
        (
            plan.reply,
            plan.say,
            *(text for one in plan.then for text in (one.say, one.reply)),
            *plan.left,
            str(plan.extra.get("used", "")),
            *(str(one.extra.get("claim", "")) for one in plans),
        )
    )
    figures = {
        (item.value, item.unit): item
        for item in reading.quantities
        if (is_figure(item) or _is_small_price(item, reading)) and not of_a_card(item, reading)
    }
    counts = {1, *reading.known_cards.values()}
    free = [
        item
        for item in figures.values()
        if item.text.strip() not in said
        and not any(_is(value * count, held) for value in conversions(item) for count in counts)
    ]
    return [item for item in free if not _in_sum(item, [*figures.values()], held)]


def decisive(reading: Reading, plan: Plan) -> list[Numeral]:
    """Return the left-over figures that change the answer: prices, and spans and rates where it is about money."""
    calls = [call for one in (plan, *plan.then) for stage in one.stages for call in stage]
    if plan.status != "answered" or not calls or any(call.tool == SEARCH for call in calls):
        return []
    derived = bool(plan.extra.get("derived"))
    of_money = not derived and any(
        "usd" in name for call in calls for name in get_tool(call.tool).parameters["properties"]
    )
    instead = _given_instead(reading, plan)
    return [
        item
        for item in leftover(reading, plan)
        if (
            not any(_is(value, instead) for value in conversions(item))
            # A sum that a rule set up knows which prices it leaves out; it has not seen those without a currency.
            and (is_price(item, reading) and not (derived and item.unit))
        )
        or (of_money and item.unit in CHANGES_A_BILL)
    ]


def _given_instead(reading: Reading, plan: Plan) -> list[float]:
    """Figures that a tool leaves alone because another that was given stands for them."""
    found: list[float] = []
    for call in (call for one in (plan, *plan.then) for stage in one.stages for call in stage):
        frame = frames()[call.tool]
        told = fill(frame, reading.text, reading.quantities) if frame.instead else {}
        found += [told[name] for name, other in frame.instead.items() if name in told and other in call.arguments]
    return found


def is_price(item: Numeral, reading: Reading) -> bool:
    """Whether a figure is money, in a currency or by the words around it: an answer about money must use it."""
    if item.unit.partition("/")[0] in (*CURRENCIES, UNCLEAR_SIGN):
        return True
    around = reading.text[max(0, item.start - 16) : item.end + 12]
    return not item.unit and not item.in_words and _PRICED.search(around) is not None


def _is_small_price(item: Numeral, reading: Reading) -> bool:
    """ "电价 0.55": so much for a kWh or an hour, without a currency."""
    return not item.unit and item.raw != int(item.raw) and is_price(item, reading)


def _in_sum(item: Numeral, figures: list[Numeral], held: list[float]) -> bool:
    same = [one for one in figures if one.unit == item.unit]
    return len(same) > 1 and _is(sum(one.value for one in same), held)


def _is(value: float, held: list[float]) -> bool:
    return any(math.isclose(value, number, rel_tol=_SAME) for number in held)


def _numbers(value: Json, tool: str) -> Iterator[float]:
    if tool == SEARCH or isinstance(value, bool) or value is None:
        return
    if isinstance(value, (int, float)):
        yield abs(float(value))
    elif isinstance(value, str):
        yield from (float(text) for text in _NUMBER.findall(value.replace(",", "")))
    elif is_object(value):
        for item in value.values():
            yield from _numbers(item, tool)
    elif is_array(value):
        for item in value:
            yield from _numbers(item, tool)
