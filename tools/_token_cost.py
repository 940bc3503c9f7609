"""What a million tokens cost on a rented or an own GPU."""

from __future__ import annotations

from dataclasses import dataclass

from tools._errors import ToolInputError, fraction, number
from tools._result import Result, Text
from tools._terms import HOURS_PER_YEAR, UTILIZATION, YEARS, YEARS_HINT, read_watts
from tools._units import figure
from tools._usage import read_tariff

SPEED_HINT = Text("Give tokens per second, e.g. 50.", "请给出每秒 token 数，例如 50。")
RATE_HINT = Text("Give US dollars per hour, e.g. 2.14.", "请给出每小时美元，例如 2.14。")
POWER_HINT = Text("Give watts at the wall, e.g. 450.", "请给出墙上功率（瓦），例如 450。")
ELECTRICITY_HINT = Text("Give US dollars per kWh, e.g. 0.12.", "请给出每度电美元，例如 0.12。")
PRICE_HINT = Text("Give US dollars, e.g. 2200.", "请给出美元，例如 2200。")
UTILIZATION_HINT = Text(
    "Give the share of the day that the GPU is busy, e.g. 0.15 for 15 %.",
    "请给出 GPU 忙碌时间的比例，例如 15 % 写 0.15。",
)


@dataclass(frozen=True, kw_only=True)
class TokenCost(Result):
    """What a million tokens cost.

    Attributes:
        usd_per_million_tokens: The cost. [USD/1M tokens]
        hours: Time for a million tokens. [h]
        usd_per_h: Rent or electricity per hour. [USD/h]
        energy_kwh: Electricity for a million tokens, null for a rented GPU. [kWh]
        capital_usd_per_h: Price of the machine per busy hour; 0 if it was not given. [USD/h]
        electricity_usd_per_million_tokens: Electricity alone, null for a rented GPU. [USD/1M tokens]
    """

    usd_per_million_tokens: float
    hours: float
    usd_per_h: float
    energy_kwh: float | None
    capital_usd_per_h: float
    electricity_usd_per_million_tokens: float | None


def token_cost(
    *,
    tokens_per_s: float,
    usd_per_h: float | None = None,
    power_w: float | None = None,
    electricity_usd_per_kwh: float | None = None,
    price_usd: float | None = None,
    years: float = YEARS,
    utilization: float = UTILIZATION,
    country: str | None = None,
) -> TokenCost:
    """Say what a million tokens cost on a rented or an own GPU.

    Use it for "what does a million tokens cost me at 50 tokens/s?" with either the rent per hour
    or the machine's watts and the price of electricity.

    Args:
        tokens_per_s: Speed over all requests together. [tokens/s]
        usd_per_h: Rent. [USD/h]
        power_w: Power of an own machine at that speed. [W]
        electricity_usd_per_kwh: Price of electricity for it. [USD/kWh]
        price_usd: Price of the own machine, spread over its busy hours. [USD]
        years: Years over which it is spread. [years]
        utilization: Share of that time it is busy. [1]
        country: Country, for its household price of electricity.

    Returns:
        Cost and time of a million tokens.

    Raises:
        ToolInputError: If neither rent nor power with its price is given, or both are.

    Notes:
        cost = price per hour / 3600 / tokens per second x 1e6. Without `price_usd` an own machine costs its
        electricity only.
    """
    speed = number("tokens_per_s", tokens_per_s, "tokens/s", high=1e8, hint=SPEED_HINT)
    tariff, tariff_notes, tariff_sources = electricity_usd_per_kwh, (), ()
    if country is not None:
        if electricity_usd_per_kwh is not None:
            raise ToolInputError(
                "Give either `country` or `electricity_usd_per_kwh`, not both.",
                "`country` 和 `electricity_usd_per_kwh` 只能给一个。",
            )
        tariff, tariff_notes, tariff_sources = read_tariff(country, 0.0, 0.0)
    owned = power_w is not None and tariff is not None
    if (usd_per_h is None) == (not owned):
        raise ToolInputError(
            "Give either `usd_per_h` (rented) or `power_w` with `electricity_usd_per_kwh` (owned).",
            "请给出 `usd_per_h`（租用），或者 `power_w` 加 `electricity_usd_per_kwh`（自有）。",
        )
    hours, capital, capital_steps = 1e6 / speed / 3600, *_capital(price_usd, years, utilization)
    if usd_per_h is not None:
        if price_usd is not None:
            raise ToolInputError(
                "`price_usd` is for an own machine: leave it out with `usd_per_h`.",
                "`price_usd` 只用于自有机器：给了 `usd_per_h` 就不要填。",
            )
        rate, energy = number("usd_per_h", usd_per_h, "USD/h", high=100_000, hint=RATE_HINT), None
        steps = [f"usd_per_h = {figure(rate)} USD/h"]
    else:
        watts = read_watts("power_w", power_w, high=1e7, hint=POWER_HINT)
        per_kwh = number(
            "electricity_usd_per_kwh",
            tariff,
            "USD/kWh",
            high=5,
            hint=ELECTRICITY_HINT,
            may_equal_low=True,
        )
        rate, energy = watts / 1000 * per_kwh, watts / 1000 * hours
        steps = [
            f"usd_per_h = {figure(watts / 1000)} kW x {figure(per_kwh)} USD/kWh = {figure(rate)} USD/h",
            f"energy_kwh = {figure(watts / 1000)} kW x {figure(hours)} h = {figure(energy)} kWh",
            *capital_steps,
        ]
    cost = (rate + capital) * hours
    paid = f"({figure(rate)} + {figure(capital)})" if capital else figure(rate)
    return TokenCost(
        usd_per_million_tokens=cost,
        hours=hours,
        usd_per_h=rate,
        energy_kwh=energy,
        capital_usd_per_h=capital,
        electricity_usd_per_million_tokens=None if energy is None else rate * hours,
        steps=(
            f"hours = 1000000 tokens / {figure(speed)} tokens/s / 3600 s/h = {figure(hours)} h",
            *steps,
            f"usd_per_million_tokens = {paid} USD/h x {figure(hours)} h = {figure(cost)} USD",
        ),
        assumptions=(
            Text("The GPU is busy at this speed the whole time.", "GPU 一直以这个速度工作。"),
            *tariff_notes,
        ),
        sources=tariff_sources,
    )


def _capital(price_usd: float | None, years: float, utilization: float) -> tuple[float, tuple[str, ...]]:
    """Return what the price of the machine adds to each busy hour."""
    span = number("years", years, "years", high=50, hint=YEARS_HINT)
    busy = fraction("utilization", utilization, hint=UTILIZATION_HINT)
    if price_usd is None:
        return 0.0, ()
    price = number("price_usd", price_usd, "USD", high=1e8, hint=PRICE_HINT)
    each = price / (span * HOURS_PER_YEAR * busy)
    return each, (
        f"capital_usd_per_h = {figure(price)} USD / ({figure(span)} years x 8760 h x {figure(busy)})"
        f" = {figure(each)} USD/h",
    )
