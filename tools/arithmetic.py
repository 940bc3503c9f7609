"""Plain arithmetic with units, for what no other tool computes."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from tools._errors import ToolInputError
from tools._result import Result, Text
from tools._units import figure

LONGEST_EXPRESSION = 300
# Beyond this an exponent is a slip or an attack: 2 ** 1000 already has 302 digits.
HIGHEST_EXPONENT = 64

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda one, other: one / other,
}


def _round(value: Any, digits: float = 0.0) -> Any:
    return round(value, int(digits))


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": math.sqrt,
    "ceil": math.ceil,
    "floor": math.floor,
    "log2": math.log2,
    "log10": math.log10,
    "min": min,
    "max": max,
    "abs": abs,
    "round": _round,
}
_NUMBER = r"(?<![\w.])(?>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
_UNIT = r"[A-Za-zµ]+(?:\*\*-?\d+(?![\d.]))?"
_LONGEST_UNIT = 40
# What pint does not know: money, and things that are counted in this field. Its bit has no dimension,
# which makes "2 TB" the number 16000000000000 and lets gigabytes add to plain numbers.
_DEFINITIONS = (
    "bit = [information]",
    "USD = [currency_usd]",
    "CNY = [currency_cny]",
    "EUR = [currency_eur]",
    "GBP = [currency_gbp]",
    "JPY = [currency_jpy]",
    "token = [token] = tokens",
    "sample = [sample] = samples",
    "FLOP = [flop] = FLOPs",
    "FLOPS = FLOP / second",
    "OPS = FLOP / second",
    "cycle = [cycle] = cycles",
    "card = [card] = cards",
    "thread = [thread] = threads",
    "parameter = [parameter] = parameters",
)
# Chinese keyboards type full-width signs: "（4＋2）".
_HALF_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: " "}
_HINT = Text(
    "Write it like '750 GB/s / (50 GB/s)' or '4 * 350 W + 200 W'.",
    "请写成 '750 GB/s / (50 GB/s)' 或 '4 * 350 W + 200 W' 这样。",
)


@dataclass(frozen=True, kw_only=True)
class Calculation(Result):
    """Value and unit of an expression.

    Attributes:
        value: The result in `unit`.
        unit: Unit in pint's spelling, "" for a plain number.
        expression: What was computed.
    """

    value: float
    unit: str
    expression: str


def calculate(*, expression: str, unit: str | None = None) -> Calculation:
    """Compute an expression with units: sums, ratios, percentages, conversions.

    Use it for arithmetic that no other tool does: "4 x 0.66 PFLOPS", "8 of 82 SMs in percent",
    "300 days at 2.14 USD/h and 15 %". Units must agree: watts and dollars do not add.

    Args:
        expression: Numbers with units, + - * / ** and sqrt, ceil, floor, log2, min, max, round.
        unit: Unit of the answer, e.g. "%", "kWh", "GB/s"; left out, it follows from the expression.

    Returns:
        Value and unit.

    Raises:
        ToolInputError: If the expression cannot be read, mixes units, or has no finite value.
    """
    if not _is_short_text(expression):
        raise ToolInputError(
            f"`expression` must be 1 to {LONGEST_EXPRESSION} characters of arithmetic. {_HINT.en}",
            f"`expression` 应为 1 到 {LONGEST_EXPRESSION} 个字符的算式。{_HINT.zh}",
        )
    if unit is not None and not (isinstance(unit, str) and len(unit) <= _LONGEST_UNIT):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ToolInputError(
            f"`unit` must be a unit of at most {_LONGEST_UNIT} characters, e.g. 'W', 'GB/s' or '%'.",
            f"`unit` 应为不超过 {_LONGEST_UNIT} 个字符的单位，例如 'W'、'GB/s'、'%'。",
        )
    shown = " ".join(expression.split())
    try:
        value = _evaluate(ast.parse(_python(shown), mode="eval").body)
        magnitude, named = _in_unit(value, unit)
    except ToolInputError:
        raise
    except ZeroDivisionError as error:
        raise ToolInputError(
            f"`expression` divides by zero: {shown}. {_HINT.en}", f"`expression` 里除以了零：{shown}。{_HINT.zh}"
        ) from error
    except Exception as error:
        # ast, math and pint raise a dozen kinds of error; all of them mean an unreadable expression.
        raise _unreadable(shown, error) from error
    if not math.isfinite(magnitude):
        raise ToolInputError(
            f"`expression` has no finite value: {shown}. {_HINT.en}", f"`expression` 没有有限的值：{shown}。{_HINT.zh}"
        )
    magnitude = float(f"{magnitude:.12g}")  # 4 * 350 W is 1.4 kW, not 1.4000000000000001
    space = f" {named}" if named else ""
    return Calculation(value=magnitude, unit=named, expression=shown, steps=(f"{shown} = {figure(magnitude)}{space}",))


def _unreadable(shown: str, error: Exception) -> ToolInputError:
    one, other = str(getattr(error, "units1", "")), str(getattr(error, "units2", ""))
    if one and other:  # pint's error about dimensions
        return ToolInputError(
            f"`expression` has units that do not agree, {one} and {other}: {shown}. {_HINT.en}",
            f"`expression` 的单位对不上（{one} 与 {other}）：{shown}。{_HINT.zh}",
        )
    return ToolInputError(
        f"`expression` cannot be computed: {shown}. {_HINT.en}", f"`expression` 无法计算：{shown}。{_HINT.zh}"
    )


def _is_short_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= LONGEST_EXPRESSION


def _python(expression: str) -> str:
    """Rewrite what people type ("15%", "2 TB", "$2.14/h", "8×34") as a Python expression."""
    if "#" in expression:
        raise ValueError("a comment, not arithmetic")
    text = expression.translate(_HALF_WIDTH)
    text = text.replace("×", "*").replace("·", "*").replace("÷", "/").replace("−", "-").replace("^", "**")
    text = re.sub(r"\s+x\s+|(?<=[\d)])(?<!\b0)x(?=[\d(])", "*", text)
    text = re.sub(r"\$\s*(\d[\d,]*\.?\d*)", r"\1 USD", text)
    if not re.search(r"\b(?:min|max|round)\b", text):  # in max(1,200) the comma parts two numbers
        text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = re.sub(rf"({_NUMBER})\s*%", r"(\1/100)", text)
    # A number and its unit belong together: "16 GB / 8 GB" is 2, "8 GB / 50 GB/s" is 0.16 s.
    return re.sub(rf"({_NUMBER})\s*({_UNIT}(?:/{_UNIT})*)(?!\w|\s*\(|\s*\*\*)", r"(\1*\2)", text)


def _evaluate(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return float(value)
        case ast.Name(id=name):
            return _unit(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluate(operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _evaluate(operand)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            base, exponent = _evaluate(left), _evaluate(right)
            if abs(float(exponent)) > HIGHEST_EXPONENT:
                raise ToolInputError(
                    f"`expression` has an exponent above {HIGHEST_EXPONENT}. {_HINT.en}",
                    f"`expression` 的指数超过 {HIGHEST_EXPONENT}。{_HINT.zh}",
                )
            return base**exponent
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
            return _OPERATORS[type(sign)](_evaluate(left), _evaluate(right))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](*(_evaluate(argument) for argument in arguments))
        case _:
            raise ValueError(ast.dump(node))


@cache
def _registry() -> Any:
    # pint takes half a second to import; only an expression with a unit needs it.
    import pint

    registry: Any = pint.UnitRegistry()  # pyright: ignore[reportUnknownVariableType]  # pint leaves its generic open
    for line in _DEFINITIONS:
        registry.define(line)
    registry._build_cache()  # pint has no public way to take up a changed base unit
    return registry


def _unit(name: str) -> Any:
    return _registry().Quantity(1.0, name)


def _read_unit(text: str) -> Any:
    """Read a unit with the same bounds as an expression: pint itself would compute "9**9**9"."""
    read = _evaluate(ast.parse(_python(text), mode="eval").body)
    if isinstance(read, float) or read.magnitude != 1:
        raise ToolInputError(
            f"`unit` {text!r} is no unit. Give one such as 'W', 'GB/s' or '%'.",
            f"`unit` {text!r} 不是单位。请写成 'W'、'GB/s'、'%' 这样。",
        )
    return read.units


def _in_unit(value: Any, unit: str | None) -> tuple[float, str]:
    if unit in ("%", "percent"):
        return (float(value) if isinstance(value, (int, float)) else float(value.to("").magnitude)) * 100, "%"
    if isinstance(value, (int, float)):
        if unit and unit != "x":
            raise ToolInputError(
                f"`unit` is {unit!r}, but the expression has no unit. {_HINT.en}",
                f"`unit` 是 {unit!r}，但算式没有单位。{_HINT.zh}",
            )
        return float(value), unit or ""
    if unit == "x":
        return float(value.to("").magnitude), "x"
    quantity = value.to(_read_unit(unit)) if unit else value.to_reduced_units()
    return float(quantity.magnitude), unit or f"{quantity.units:~}".replace(" ", "")


TOOLS = (calculate,)
