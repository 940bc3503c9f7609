"""Write a value with its unit in the way its field wants it, in both languages.

One rule for both: a unit is set off by a space, a sign (%, °C, x) is not. Chinese units follow it too ("25.2 小时",
"293 天", "1.6 倍"), because the texts set every figure off from the characters around it ("4 张 3090").
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Language = Literal["zh", "en"]

_ZH_UNITS = {
    "days": "天",
    "h": "小时",
    "months": "个月",
    "years": "年",
    "cycles": "个周期",
    "slots": "个槽位",
    "cards": "张",
    "threads": "个线程",
    "lanes": "条通道",
    "kWh": "度",
    "kWh/year": "度/年",
    "tokens": "个 token",
    "operations": "次运算",
    "USD/kWh": "美元/度",
    "USD/h": "美元/小时",
    "USD/year": "美元/年",
    "USD/month": "美元/月",
    "USD/day": "美元/天",
    "USD/1M tokens": "美元/百万 token",
    "kg": "千克",
    "km": "公里",
    "samples/s": "样本/秒",
    "kWh/1M tokens": "度/百万 token",
    "h/week": "小时/周",
    "USD": "美元",
    "CNY": "元",
    "EUR": "欧元",
    "GBP": "英镑",
    "g/kWh": "克/度",
}
_SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£"}
# Written without a space before them.
_TIGHT = ("%", "°C", "x")


def shown_value(value: float, unit: str) -> tuple[float, str]:
    """Return the value and unit that are put before people: a fraction becomes a percentage."""
    return (value * 100, "%") if unit == "fraction" else (value, unit)


def digits(value: float, unit: str) -> str:
    """Write the number alone: whole from 100 up, three digits below, money to the cent."""
    size = abs(value)
    if value == int(value) and size < 1e15:
        return f"{int(value):,}"
    if unit.startswith(("USD", "CNY", "EUR", "GBP")) and 1 <= size < 100:
        return f"{value:.2f}"
    if size >= 100:
        return f"{value:,.0f}"
    if size >= 1:
        return f"{value:.{1 if size >= 10 else 2}f}".rstrip("0").rstrip(".")
    return f"{value:.3g}" if size >= 1e-4 else f"{value:.2e}"


def show(value: float, unit: str, language: Language) -> str:
    """Write a quantity for a sentence, e.g. "1,650 W", "$2,257", "15%", "293 天"."""
    value, unit = shown_value(value, unit)
    number = digits(value, unit)
    if language == "zh":
        unit = "倍" if unit == "x" else _ZH_UNITS.get(unit, unit)
    else:
        head, _, tail = unit.partition("/")
        if head in _SYMBOLS:
            sign = "-" if value < 0 else ""
            return f"{sign}{_SYMBOLS[head]}{number.removeprefix('-')}{_tail(tail)}"
        if unit in ("days", "cards", "months", "years", "slots", "cycles") and number == "1":
            unit = unit.removesuffix("s")
    if unit == "1e9":
        return f"{number}B"
    if not unit:
        return number
    return f"{number}{unit}" if unit in _TIGHT else f"{number} {unit}"


def show_usage(usage: Mapping[str, float], language: Language) -> str:
    """Say what an answer took of a language model: tokens, and the cost where its provider reports one.

    Args:
        usage: "input_tokens", "output_tokens" and "cost_usd", as far as they are known.
        language: Of the line.

    Returns:
        One line, empty where nothing was reported.
    """
    read, written = int(usage.get("input_tokens", 0)), int(usage.get("output_tokens", 0))
    parts: list[str] = []
    if read or written:
        counts = (
            f"读入 {read:,}、生成 {written:,} token"
            if language == "zh"
            else f"{read:,} tokens read, {written:,} written"
        )
        parts.append(counts)
    if usage.get("cost_usd"):
        cost = f"{usage['cost_usd']:.4f}"
        parts.append(f"{cost} 美元" if language == "zh" else f"${cost}")
    return " · ".join(parts)


def _tail(tail: str) -> str:
    return "" if not tail else (" per million tokens" if tail == "1M tokens" else f"/{tail}")
