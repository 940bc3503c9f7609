"""The one error that a question can cause, and the checks that raise it.

ToolInputError      the question can be repaired: its text goes to the model and to the person
anything else       our bug: it stops the run
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from difflib import get_close_matches

from tools._result import Text

# A smaller positive number is a slip, and a price divided by it has no finite value.
SMALLEST = 1e-12


class ToolInputError(ValueError):
    """An argument that cannot be computed with, and the way out, in both languages."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.text = Text(en, zh)


def number(
    name: str, value: object, unit: str, *, low: float = 0.0, high: float, hint: Text, may_equal_low: bool = False
) -> float:
    """Return `value` as a float inside its physical range.

    Args:
        name: Argument name shown in the message.
        value: What the caller gave.
        unit: Unit shown in the message, "" for a plain number.
        low: Lower bound, excluded unless `may_equal_low`.
        high: Upper bound, included; above it the input is taken for a slip.
        hint: The way out, with an example value.
        may_equal_low: Whether the lower bound itself is allowed.

    Raises:
        ToolInputError: If the value is no finite number or lies outside the range.
    """
    figure = _figure(name, value, hint)
    if abs(figure) < SMALLEST:
        figure = 0.0
    space = f" {unit}" if unit else ""
    if figure < low or (figure == low and not may_equal_low):
        word, wort = ("at least", "不小于") if may_equal_low else ("above", "大于")
        raise ToolInputError(
            f"`{name}` must be {word} {low:g}{space}, got {figure:g}. {hint.en}",
            f"`{name}` 必须{wort} {low:g}{space}，收到的是 {figure:g}。{hint.zh}",
        )
    if figure > high:
        raise ToolInputError(
            f"`{name}` must be at most {high:g}{space}, got {figure:g}. {hint.en}",
            f"`{name}` 不能超过 {high:g}{space}，收到的是 {figure:g}。{hint.zh}",
        )
    return figure


def fraction(name: str, value: object, *, hint: Text, may_be_zero: bool = False) -> float:
    """Return `value` as a share from 0 to 1; 15 instead of 0.15 is refused, never guessed."""
    return number(name, value, "", low=0.0, high=1.0, hint=hint, may_equal_low=may_be_zero)


def count(name: str, value: object, *, low: int = 1, high: int, hint: Text) -> int:
    """Return `value` as a whole number inside [low, high]."""
    figure = _figure(name, value, hint)
    if figure != int(figure):
        raise ToolInputError(
            f"`{name}` must be a whole number, got {figure:g}. {hint.en}",
            f"`{name}` 必须是整数，收到的是 {figure:g}。{hint.zh}",
        )
    return int(number(name, figure, "", low=low, high=high, hint=hint, may_equal_low=True))


def choice(name: str, value: object, options: Iterable[str]) -> str:
    """Return `value` if it is one of `options` (upper and lower case do not matter)."""
    names = list(options)
    folded = {option.lower(): option for option in names}
    text = str(value).strip().lower()
    if isinstance(value, str) and text in folded:
        return folded[text]
    near = get_close_matches(text, folded, n=1)
    guess = f" Did you mean '{folded[near[0]]}'?" if near else ""
    rat = f"是不是“{folded[near[0]]}”？" if near else ""
    raise ToolInputError(
        f"`{name}` must be one of {', '.join(names)}, got {short(value)}.{guess}",
        f"`{name}` 只能是 {'、'.join(names)} 之一，收到的是 {short(value)}。{rat}",
    )


def _figure(name: str, value: object, hint: Text) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ToolInputError(
            f"`{name}` must be a number, got {short(value)}. {hint.en}",
            f"`{name}` 必须是数字，收到的是 {short(value)}。{hint.zh}",
        )
    try:
        figure = float(value)
    except OverflowError:
        figure = math.inf
    if not math.isfinite(figure):
        raise ToolInputError(
            f"`{name}` must be a finite number, got {figure}. {hint.en}",
            f"`{name}` 必须是有限的数，收到的是 {figure}。{hint.zh}",
        )
    return figure


def short(value: object) -> str:
    """Return a value for a message, at most 60 characters of it."""
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
