"""What the rules share: the quantities of a question by unit, and plans that end in arithmetic."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from assistant.builtin.calls import Call, Plan
from assistant.builtin.reading import Reading
from assistant.measures import CURRENCIES
from assistant.numerals import Numeral

Rule = Callable[[Reading], Plan | None]
# An expression and the unit of its value, None for the one that follows from it.
Sum = tuple[str, str | None]


def words(en: str, zh: str) -> re.Pattern[str]:
    """Join English words, at word starts, and Chinese ones into one pattern."""
    return re.compile(rf"(?<![A-Za-z])(?:{en})|{zh}", re.IGNORECASE | re.ASCII)


def of(reading: Reading, *units: str) -> list[Numeral]:
    """Return the quantities in one of these units, in order."""
    return [quantity for quantity in reading.quantities if quantity.unit in units]


def money(reading: Reading, per: str = "") -> list[Numeral]:
    """Return the amounts of money, per hour or kWh where that is asked for, in whatever currency."""
    tail = f"/{per}" if per else ""
    return of(reading, *(currency + tail for currency in CURRENCIES))


def near(reading: Reading, numeral: Numeral, pattern: re.Pattern[str], reach: int = 24) -> bool:
    """Whether a quantity stands beside a word."""
    return bool(pattern.search(reading.text[max(0, numeral.start - reach) : numeral.end + reach]))


def pick(reading: Reading, choices: Sequence[Numeral], pattern: re.Pattern[str], reach: int = 40) -> Numeral | None:
    """Return the quantity whose word is nearest, or None."""
    best: tuple[float, Numeral] | None = None
    for numeral in choices:
        for hit in pattern.finditer(reading.text, max(0, numeral.start - reach), numeral.end + reach):
            gap = max(hit.start() - numeral.end, numeral.start - hit.end(), 0)
            if best is None or gap < best[0]:
                best = (gap, numeral)
    return best[1] if best else None


def plain(value: float) -> str:
    """Write a number for an expression, without losing digits."""
    return f"{value:.12g}"


def rate_text(reading: Reading, rate: Numeral) -> str:
    """Write an hourly rate with its hour, which may stand before the number: "每小时 2.5 元"."""
    text = rate.text.strip()
    return (
        text
        if re.search(r"/|per|hour|hr\b|小时|时", text, re.IGNORECASE)
        else text + ("/小时" if reading.language == "zh" else "/h")
    )


def calculation(
    reading: Reading, expression: str, en: str, zh: str, unit: str | None = None, before: tuple[Call, ...] = ()
) -> Plan:
    """Return the plan of one sum, after the calls that it takes figures from."""
    return calculations(reading, [(expression, unit)], en, zh, before)


def calculations(reading: Reading, sums: Sequence[Sum], en: str, zh: str, before: tuple[Call, ...] = ()) -> Plan:
    """Return the plan of several sums side by side."""
    last = tuple(
        Call("calculate", {"expression": expression} if unit is None else {"expression": expression, "unit": unit})
        for expression, unit in sums
    )
    return Plan(stages=(before, last) if before else (last,), say=zh if reading.language == "zh" else en)
