"""Arithmetic: worked examples, what people type, and what is refused."""

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools._errors import ToolInputError
from tools.arithmetic import calculate

EN = " Write it like '750 GB/s / (50 GB/s)' or '4 * 350 W + 200 W'."
ZH = "请写成 '750 GB/s / (50 GB/s)' 或 '4 * 350 W + 200 W' 这样。"


@pytest.mark.parametrize(
    ("expression", "value", "unit"),
    [
        ("4 * 350 W + 200 W", 1600, "W"),  # the guide, section 5.4
        ("1.6 kW - 200 W", 1.4, "kW"),
        ("1.6 kW + 200 W", 1.8, "kW"),
        ("750 GB/s / (50 GB/s)", 15, ""),  # section 2: GPU against CPU bandwidth
        ("$2.14/h * 300 days * 15%", 2311.2, "USD"),  # section 9.14
        ("$2.14/h", 2.14, "USD/h"),
        ("15%", 0.15, ""),
        ("8 * 34 + 8 * 4", 304, ""),  # section 3.1: shared memory and FFMA cycles
        ("8×34", 272, ""),
        ("8·34", 272, ""),
        ("8^2", 64, ""),
        ("10 − 4", 6, ""),
        ("9 ÷ 3", 3, ""),
        ("4 x 0.66 PFLOPS", 2.64, "PFLOPS"),
        ("4x350 W", 1400, "W"),
        ("0.8 * 120 V * 15 A / (1 V * 1 A)", 1440, ""),  # NEC 210.20
        ("3 kWh * 0.12 USD/kWh", 0.36, "USD"),
        ("1,600 W", 1600, "W"),
        ("1600W", 1600, "W"),
        (".5 W", 0.5, "W"),
        ("+5", 5, ""),
        ("-(3 W)", -3, "W"),
        ("7e9 * 2", 1.4e10, ""),
        ("1e3 W", 1000, "W"),
        ("5 USD/1e6", 5e-6, "USD"),
        ("7e9 parameters * 2 bytes/parameter", 1.4e10, "B"),
        ("（1＋2）×3", 9, ""),  # full-width signs of a Chinese keyboard
        ("sqrt(sqrt(16))", 2, ""),
        ("ceil(1399.5 W / (350 W))", 4, ""),
        ("floor(3.7)", 3, ""),
        ("log2(1024)", 10, ""),
        ("log10(1000)", 3, ""),
        ("abs(-3 W)", 3, "W"),
        ("min(3 W, 1 kW)", 3, "W"),
        ("max(1, 2, 3) * 2 GB", 6, "GB"),
        ("round(3.14159, 2)", 3.14, ""),
        ("round(2.6)", 3, ""),
    ],
)
def test_worked_examples(expression: str, value: float, unit: str):
    result = calculate(expression=expression)
    assert (result.value, result.unit) == (pytest.approx(value, rel=1e-11), unit)


@pytest.mark.parametrize(
    ("expression", "unit", "value"),
    [
        ("8 / 82", "%", 9.75609756098),  # the guide: 8 of 82 SMs
        ("450 W * 8760 h * 0.15", "kWh", 591.3),  # section 9.14
        ("24 GB", "GiB", 22.3517417908),  # 24e9 / 2^30
        ("989 TFLOPS / (312 TFLOPS)", "x", 3.16987179487),
        ("1 / 2", "percent", 50),
        ("0.8 * 120 V * 15 A", "W", 1440),
        ("2 TB/s", "GB/s", 2000),
    ],
)
def test_units_of_the_answer(expression: str, unit: str, value: float):
    assert calculate(expression=expression, unit=unit).value == pytest.approx(value, rel=1e-11)


@pytest.mark.parametrize(
    ("expression", "value", "unit"),
    [
        ("2 TB", 2, "TB"),
        ("1 MB/s * 10 s", 10, "MB"),  # were bits: 16000000000000 without a unit
        ("16 GB / 8 GB", 2, ""),
        ("8 GB / 50 GB/s", 0.16, "s"),  # were 16 / 8 x GB x GB
        ("2**10/100", 10.24, ""),
        ("1000/10/100", 1, ""),  # were 2**(10/100) and 1000/(10/100)
        ("max(1,200, 3)", 200, ""),  # was max(1200, 3)
    ],
)
def test_wrong_numbers_of_the_past(expression: str, value: float, unit: str):
    result = calculate(expression=expression)
    assert (result.value, result.unit) == (pytest.approx(value), unit)


def test_the_step_shows_expression_value_and_unit():
    result = calculate(expression=" 4 * 350 W\n + 200 W ")
    assert result.expression == "4 * 350 W + 200 W"
    assert result.steps == ("4 * 350 W + 200 W = 1600 W",)


@settings(deadline=None, max_examples=50)
@given(one=st.integers(-(10**6), 10**6), other=st.integers(-(10**6), 10**6), third=st.integers(1, 10**6))
def test_plain_arithmetic_is_pythons(one: int, other: int, third: int):
    assert calculate(expression=f"({one}) * ({other}) - {third}").value == pytest.approx(one * other - third, rel=1e-11)
    assert calculate(expression=f"({one}) / {third} + {other}").value == pytest.approx(
        one / third + other, rel=1e-9, abs=1e-6
    )


@settings(deadline=None, max_examples=50)
@given(watts=st.integers(1, 10_000), kilowatts=st.integers(1, 100))
def test_units_convert_the_same_in_both_orders(watts: int, kilowatts: int):
    one = calculate(expression=f"{watts} W + {kilowatts} kW", unit="W").value
    other = calculate(expression=f"{kilowatts} kW + {watts} W", unit="W").value
    assert one == other == watts + 1000 * kilowatts


def refuse(expression: object, unit: object = None) -> tuple[str, str]:
    arguments: dict[str, Any] = {"expression": expression, "unit": unit}
    start = time.perf_counter()
    with pytest.raises(ToolInputError) as error:
        calculate(**arguments)
    assert time.perf_counter() - start < 3  # the first unit of a run loads pint
    return error.value.text.en, error.value.text.zh


@pytest.mark.parametrize(
    "expression",
    [
        "__import__('os')",
        "__import__",
        "().__class__",
        "(1).real",
        "os.system('x')",
        "f(1)",
        "exec(1)",
        "lambda: 1",
        "[1, 2]",
        "[x for x in (1,)]",
        "'a' * 100",
        "1 if 1 else 2",
        "x := 1",
        "1 < 2",
        "1 and 2",
        "~1",
        "1 // 2",
        "1 @ 2",
        "5 % 3",
        "sqrt(x=1)",
        "sqrt(*[1])",
        "max()",
        "min(1)",
        "True",
        "None",
        "1j",
        "nan",
        "inf",
        "(1",
        "()",
        "1 2",
        "1;2",
        "1 # 2",
        "1 + 2 = 3",
        "(-8)**0.5",
        "log2(0)",
        "log10(-1)",
        "1 frobnicate",
        "`1`",
        "\ud800",
        "10³",
        "20 degC",
    ],
)
def test_what_is_no_arithmetic(expression: str):
    assert refuse(expression) == (
        f"`expression` cannot be computed: {expression}.{EN}",
        f"`expression` 无法计算：{expression}。{ZH}",
    )


@pytest.mark.parametrize("expression", ["1/0", "0/0", "1 W / (0 W)", "5 W / 0", "0**-1", "1 / (2 - 2)"])
def test_division_by_zero(expression: str):
    assert refuse(expression) == (
        f"`expression` divides by zero: {expression}.{EN}",
        f"`expression` 里除以了零：{expression}。{ZH}",
    )


@pytest.mark.parametrize("expression", ["2**1000", "10**64**64", "9**9**9", "2**-65", "(2 W)**65", "2**1e308"])
def test_huge_exponents(expression: str):
    assert refuse(expression) == (f"`expression` has an exponent above 64.{EN}", f"`expression` 的指数超过 64。{ZH}")


@pytest.mark.parametrize("expression", ["1e308 * 10", "1e400", "1e400 W", "1e400 - 1e400"])
def test_no_finite_value(expression: str):
    assert refuse(expression) == (
        f"`expression` has no finite value: {expression}.{EN}",
        f"`expression` 没有有限的值：{expression}。{ZH}",
    )


@pytest.mark.parametrize(
    ("expression", "unit", "one", "other"),
    [
        ("1 W + 1 USD", None, "watt", "USD"),
        ("5 + 3 W", None, "watt", "dimensionless"),
        ("2 GB + 5", None, "gigabyte", "dimensionless"),
        ("sqrt(4 W)", None, "watt", "dimensionless"),
        ("2**(1 W)", None, "watt", "dimensionless"),
        ("1 W", "USD", "watt", "USD"),
        ("1 W", "kWh", "watt", "kilowatt_hour"),
        ("1 W", "%", "watt", "dimensionless"),
    ],
)
def test_units_that_do_not_agree(expression: str, unit: str | None, one: str, other: str):
    en, zh = refuse(expression, unit)
    assert en in (
        f"`expression` has units that do not agree, {one} and {other}: {expression}.{EN}",
        f"`expression` has units that do not agree, {other} and {one}: {expression}.{EN}",
    )
    assert zh in (
        f"`expression` 的单位对不上（{one} 与 {other}）：{expression}。{ZH}",
        f"`expression` 的单位对不上（{other} 与 {one}）：{expression}。{ZH}",
    )


@pytest.mark.parametrize(
    "expression", ["", "   ", "1" * 301, "(" * 200 + "1" + ")" * 200, "1+" * 5000 + "1", None, 5, True, ["1"], b"1"]
)
def test_no_text_or_too_much_of_it(expression: object):
    assert refuse(expression) == (
        f"`expression` must be 1 to 300 characters of arithmetic.{EN}",
        f"`expression` 应为 1 到 300 个字符的算式。{ZH}",
    )


@pytest.mark.parametrize("unit", ["W" * 41, "a" * 10_000, 5, True, ["W"]])
def test_a_unit_is_a_short_text(unit: object):
    assert refuse("1 W", unit) == (
        "`unit` must be a unit of at most 40 characters, e.g. 'W', 'GB/s' or '%'.",
        "`unit` 应为不超过 40 个字符的单位，例如 'W'、'GB/s'、'%'。",
    )


@pytest.mark.parametrize("unit", ["2 W", "1e400 W", "5"])
def test_a_unit_is_no_amount(unit: str):
    assert refuse("1 W", unit) == (
        f"`unit` '{unit}' is no unit. Give one such as 'W', 'GB/s' or '%'.",
        f"`unit` '{unit}' 不是单位。请写成 'W'、'GB/s'、'%' 这样。",
    )


def test_a_unit_for_a_plain_number():
    assert refuse("5", "W") == (
        f"`unit` is 'W', but the expression has no unit.{EN}",
        f"`unit` 是 'W'，但算式没有单位。{ZH}",
    )


def test_a_unit_that_pint_would_compute_for_hours():
    assert refuse("1 W", "9**9**9")[0] == f"`expression` has an exponent above 64.{EN}"


def test_nesting_inside_the_limit_is_computed():
    assert calculate(expression="(" * 90 + "1" + ")" * 90).value == 1
    assert calculate(expression="-" * 298 + "1").value == 1
    assert calculate(expression="sqrt(" * 40 + "1" + ")" * 40).value == 1
