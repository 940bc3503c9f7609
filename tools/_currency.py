"""Amounts in other currencies, at the person's rate or a dated one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools._errors import ToolInputError, number, short
from tools._result import Result, Source, Text
from tools._tables import read_csv
from tools._units import figure

AMOUNT_HINT = Text("Give an amount of money, e.g. 30000.", "请给出金额，例如 30000。")
RATE_HINT = Text(
    "Give how many units one US dollar buys, e.g. 7.2 for yuan.", "请给出 1 美元折合多少，例如人民币写 7.2。"
)
_SPELLINGS = {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "RMB": "CNY",
    "元": "CNY",
    "人民币": "CNY",
    "美元": "USD",
    "日元": "JPY",
    "欧元": "EUR",
    "英镑": "GBP",
}


@dataclass(frozen=True, kw_only=True)
class Conversion(Result):
    """An amount in US dollars.

    Attributes:
        amount: What was given, in `currency`. [1]
        currency: Its currency, three letters.
        units_per_dollar: How many units one US dollar buys. [1]
        rate_as_of: Day of the rate; null for the person's own.
        amount_usd: The amount. [USD]
    """

    amount: float
    currency: str
    units_per_dollar: float
    rate_as_of: str | None
    amount_usd: float


def convert_currency(*, amount: float, currency: str, units_per_dollar: float | None = None) -> Conversion:
    """Convert an amount of another currency to US dollars.

    Use it before a tool that takes dollars: "30,000 yuan", "0.30 euro per kWh". Give the person's own rate if they
    named one; else a dated rate is taken, and the answer says so.

    Args:
        amount: Amount of money, or a price per hour or per kWh. [currency]
        currency: Three letters, e.g. "CNY". "¥" is unclear and is asked back.
        units_per_dollar: How many units one US dollar buys. [1]

    Returns:
        The amount in US dollars with the rate and its day.

    Raises:
        ToolInputError: If the currency is unclear, or no dated rate is known and none was given.

    Notes:
        amount_usd = amount / units per dollar. Fees of banks are left out.
    """
    money = number("amount", amount, "", high=1e12, may_equal_low=True, hint=AMOUNT_HINT)
    code = read_currency(currency)
    given = (
        None if units_per_dollar is None else number("units_per_dollar", units_per_dollar, "", high=1e7, hint=RATE_HINT)
    )
    if code == "USD" and given not in (None, 1.0):
        raise ToolInputError(
            f"`units_per_dollar` must be 1 for USD, got {figure(given or 0)}. Leave it out.",
            f"USD 的 `units_per_dollar` 只能是 1，收到的是 {figure(given or 0)}。请不要填。",
        )
    row = next((row for row in read_csv("exchange.csv") if row["currency"] == code), None)
    if given is not None or code == "USD":
        return _converted(money, code, given or 1.0, None)
    if row is None:
        known = ", ".join(row["currency"] for row in read_csv("exchange.csv"))
        raise ToolInputError(
            f"No dated rate is known for {code} (only {known}). Give `units_per_dollar`.",
            f"没有 {code} 的汇率（只有 {known}）。请给出 `units_per_dollar`，即 1 美元折合多少。",
        )
    return _converted(money, code, float(row["per_usd"]), Source(row["source"], row["url"], row["as_of"]))


def _converted(money: float, code: str, rate: float, source: Source | None) -> Conversion:
    day = None if source is None else source.date
    dated = Text(
        f"Rate of {day}: 1 USD = {figure(rate)} {code}. Give your own if it matters.",
        f"{day} 的汇率：1 美元 = {figure(rate)} {code}。有更准的请给出。",
    )
    return Conversion(
        amount=money,
        currency=code,
        units_per_dollar=rate,
        rate_as_of=day,
        amount_usd=money / rate,
        steps=(f"amount_usd = {figure(money)} {code} / {figure(rate)} = {figure(money / rate)} USD",),
        assumptions=() if day is None else (dated,),
        sources=() if source is None else (source,),
    )


def read_currency(currency: object) -> str:
    """Return the three letters of a currency.

    Raises:
        ToolInputError: If it is "¥", which is yuan or yen, or no code of three letters.
    """
    text = currency.strip().upper() if isinstance(currency, str) else ""
    if text in ("¥", "￥"):
        raise ToolInputError(
            "`currency` '¥' is yuan or yen. Write 'CNY' or 'JPY'.",
            "`currency` 的“¥”可能是人民币或日元。请写 'CNY' 或 'JPY'。",
        )
    code = _SPELLINGS.get(text, text)
    if not re.fullmatch("[A-Z]{3}", code):
        raise ToolInputError(
            f"`currency` must be three letters such as 'CNY', got {short(currency)}.",
            f"`currency` 应当是三个字母，例如 'CNY'，收到的是 {short(currency)}。",
        )
    return code
