"""The example of an article on cloud or desktop, computed again by the tool."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import groupby

from assistant.check.finding import Finding, finding, sentence_at
from assistant.numerals import Numeral, read_numbers
from knowledge.articles import Passage
from tools.api import Json, ToolInputError, get_tool

# A stated total may leave out a few days of electricity; more is a wrong figure.
TOLERANCE = 0.01

BREAK_EVEN = re.compile(r"盈亏平衡|回本|break-?\s?even", re.IGNORECASE)
_DESKTOP = re.compile(r"桌面|台式|desktop", re.IGNORECASE)
_CLOUD = re.compile(r"aws|云|cloud|gcp|azure", re.IGNORECASE)
_SPOT, _ON_DEMAND = re.compile(r"spot|竞价", re.IGNORECASE), re.compile(r"按需|on-?demand", re.IGNORECASE)

_SIDES = {"desktop": "台式机", "cloud": "云"}

Place = tuple[Passage, Numeral]


def break_even(passages: Sequence[Passage]) -> list[Finding]:
    """Compute each section's break-even example and hold its days and totals against it."""
    found: list[Finding] = []
    for _, group in groupby(passages, key=lambda passage: passage.section):
        section = list(group)
        stated = [place for passage in section for place in _stated(passage)]
        days = next((number.value for _, number in stated if number.unit == "days"), None)
        arguments = example(section)
        if days is not None and arguments is not None:
            found += _compared(stated, days, arguments)
    return found


def days_stated(passage: Passage) -> list[float]:
    """Return the days after which a passage sees break-even."""
    return [number.value for _, number in _stated(passage) if number.unit == "days"]


def _stated(passage: Passage) -> list[Place]:
    return [
        (passage, number)
        for number in read_numbers(passage.text)
        if BREAK_EVEN.search(sentence_at(passage.text, number.start))
    ]


def example(section: Sequence[Passage]) -> dict[str, Json] | None:
    """Read the example of a section: price of the desktop, rate of the cloud, use, power and electricity."""
    numbers = [(passage, number) for passage in section for number in read_numbers(passage.text)]
    first = {
        unit: next((n.value for _, n in numbers if n.unit == unit), None) for unit in ("USD/h", "USD/kWh", "fraction")
    }
    price = next(
        (n.value for p, n in numbers if n.unit == "USD" and _DESKTOP.search(p.text[max(0, n.start - 40) : n.start])),
        None,
    )
    parts = [sum(values) for p in section if len(values := _powers(p)) > 1]
    if price is None or not parts or any(value is None for value in first.values()):
        return None
    return {
        "desktop_usd": price,
        "cloud_usd_per_h": first["USD/h"],
        "utilization": first["fraction"],
        "power_w": parts[0],
        "electricity_usd_per_kwh": first["USD/kWh"],
    }


def _powers(passage: Passage) -> list[float]:
    return [
        number.value
        for number in read_numbers(passage.text)
        if number.unit == "W" and "+" in passage.text[max(0, number.start - 12) : number.end + 12]
    ]


def _compared(stated: Sequence[Place], days: float, arguments: dict[str, Json]) -> list[Finding]:
    try:
        result = get_tool("cloud_break_even").call({**arguments, "horizon_days": days}).to_dict()
    except ToolInputError:
        return []
    found: list[Finding] = []
    exact = float(result["break_even_days"] or math.inf)
    for passage, number in stated:
        if number.unit == "days" and not math.isclose(number.value, exact, rel_tol=TOLERANCE):
            found.append(
                finding(
                    passage,
                    number.start,
                    number.text,
                    f"cloud_break_even: {exact:.0f} days.",
                    f"cloud_break_even：{exact:.0f} 天。",
                    field="break_even_days",
                )
            )
        elif number.unit == "USD":
            found += _total(passage, number, result)
    return found


def _total(passage: Passage, number: Numeral, result: dict[str, Json]) -> list[Finding]:
    """Hold a total against the side that is named nearest before it."""
    before = passage.text[max(0, number.start - 24) : number.start]
    sides = {
        "desktop": [hit.start() for hit in _DESKTOP.finditer(before)],
        "cloud": [hit.start() for hit in _CLOUD.finditer(before)],
    }
    named = max((side for side in sides if sides[side]), key=lambda side: sides[side][-1], default="")
    totals = {side: float(result[f"{side}_usd_at_horizon"]) for side in sides}
    if not named or math.isclose(number.value, totals[named], rel_tol=TOLERANCE):
        return []
    other = "cloud" if named == "desktop" else "desktop"
    swapped = math.isclose(number.value, totals[other], rel_tol=TOLERANCE)
    return [
        finding(
            passage,
            number.start,
            number.text,
            f"cloud_break_even: the {named} costs ${totals[named]:,.0f} by then"
            + (f"; ${number.value:,.0f} fits the {other}." if swapped else "."),
            f"cloud_break_even：到那时{_SIDES[named]}花费 {totals[named]:,.0f} 美元"
            + (f"；{number.value:,.0f} 美元是{_SIDES[other]}的数。" if swapped else "。"),
            field=f"{named}_usd_at_horizon",
        )
    ]


def two_names_for_one_price(passages: Sequence[Passage]) -> list[Finding]:
    """Find a rate for which a paragraph says both spot and on-demand: these are two prices."""
    found: list[Finding] = []
    for passage in passages:
        rates = [number for number in read_numbers(passage.text) if number.unit == "USD/h"]
        if len(rates) == 1 and _SPOT.search(passage.text) and _ON_DEMAND.search(passage.text):
            found.append(
                finding(
                    passage,
                    rates[0].start,
                    rates[0].text,
                    "The paragraph calls this one price spot and on-demand; spot prices are lower.",
                    "这一段把同一个价格既叫竞价又叫按需；竞价通常更低。",
                )
            )
    return found
