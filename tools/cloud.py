"""Rent or buy: when a desktop becomes cheaper than a cloud GPU, and what a token costs."""

from __future__ import annotations

from dataclasses import dataclass

from tools._errors import ToolInputError, fraction, number
from tools._result import Result, Source, Text
from tools._units import figure

HOURS_PER_DAY = 24.0
DAYS_PER_YEAR = 365.0
# The guide's worked example (section 9.14): RTX 3090 desktop, 350 W card + 100 W CPU.
UTILIZATION = 0.15
DESKTOP_W = 450.0
ELECTRICITY_USD_PER_KWH = 0.12
# Without a horizon the break-even utilization is given for three years, a common write-off time.
DEFAULT_HORIZON_DAYS = 1095.0

GUIDE = Source("Which GPU(s) to Get for Deep Learning, section 9.14 (Tim Dettmers)",
               "https://timdettmers.com/2023/01/30/which-gpu-for-deep-learning/", "2023-01-30")

UTILIZATION_HINT = Text("Give the share of the day that the GPU is busy, e.g. 0.15 for 15 %.",
                        "请给出 GPU 忙碌时间的比例，例如 15 % 写 0.15。")
POWER_HINT = Text("Give watts at the wall, e.g. 450.", "请给出墙上功率（瓦），例如 450。")
PRICE_HINT = Text("Give US dollars, e.g. 2200.", "请给出美元，例如 2200。")
RATE_HINT = Text("Give US dollars per hour, e.g. 2.14.", "请给出每小时美元，例如 2.14。")
ELECTRICITY_HINT = Text("Give US dollars per kWh, e.g. 0.12.", "请给出每度电美元，例如 0.12。")


@dataclass(frozen=True, kw_only=True)
class BreakEven(Result):
    """When buying has paid for itself.

    Attributes:
        break_even_days: Days until both have cost the same; null if the cloud stays cheaper. [days]
        break_even_usd: What both have cost by then. [USD]
        break_even_utilization: Least utilization at which buying pays within the horizon. [1]
        utilization: Share of the time the GPU is busy. [1]
        cloud_usd_per_day: Rent per calendar day. [USD]
        desktop_usd_per_day: Electricity per calendar day. [USD]
        horizon_days: Day of the comparison, null if none was asked. [days]
        cloud_usd_at_horizon: Rent paid by that day. [USD]
        desktop_usd_at_horizon: Price and electricity paid by that day. [USD]
        energy_kwh_per_year: Electricity of the desktop. [kWh/year]
        electricity_usd_per_year: Its cost. [USD/year]
    """

    break_even_days: float | None
    break_even_usd: float | None
    break_even_utilization: float | None
    desktop_usd: float
    cloud_usd_per_h: float
    utilization: float
    power_w: float
    electricity_usd_per_kwh: float
    cloud_usd_per_day: float
    desktop_usd_per_day: float
    horizon_days: float | None
    cloud_usd_at_horizon: float | None
    desktop_usd_at_horizon: float | None
    energy_kwh_per_year: float
    electricity_usd_per_year: float


def cloud_break_even(
    *,
    desktop_usd: float,
    cloud_usd_per_h: float,
    utilization: float = UTILIZATION,
    power_w: float = DESKTOP_W,
    electricity_usd_per_kwh: float = ELECTRICITY_USD_PER_KWH,
    horizon_days: float | None = None,
) -> BreakEven:
    """Find the day from which an own machine is cheaper than a rented GPU.

    Use it for "when is my desktop cheaper than the cloud?", "buy or rent?", "at which utilization
    does buying pay?", "what have both cost by day 300?".

    Args:
        desktop_usd: Price of the machine. [USD]
        cloud_usd_per_h: Rent of a comparable GPU. [USD/h]
        utilization: Share of the time the GPU is busy; rent is paid for that time only. [1]
        power_w: Power of the machine while it is busy. [W]
        electricity_usd_per_kwh: Price of electricity. [USD/kWh]
        horizon_days: A day at which to compare the totals. [days]

    Returns:
        Break-even day, totals and the break-even utilization.

    Raises:
        ToolInputError: If a number is outside its range.

    Notes:
        days = price / (24 h x utilization x (rent - power x electricity)). The price counts once:
        it is paid on day 0 and neither written off nor sold again. Idle power is left out.

    References:
        Tim Dettmers, Which GPU(s) to Get for Deep Learning (2023), section 9.14: its "300 days"
        is 292.96 rounded, and its sentence swaps the two totals.
    """
    price = number("desktop_usd", desktop_usd, "USD", high=1e8, hint=PRICE_HINT)
    rent = number("cloud_usd_per_h", cloud_usd_per_h, "USD/h", high=10_000, hint=RATE_HINT)
    busy = fraction("utilization", utilization, hint=UTILIZATION_HINT)
    power = number("power_w", power_w, "W", high=1e6, hint=POWER_HINT)
    per_kwh = number("electricity_usd_per_kwh", electricity_usd_per_kwh, "USD/kWh", high=5,
                     hint=ELECTRICITY_HINT, may_equal_low=True)
    horizon = None if horizon_days is None else number(
        "horizon_days", horizon_days, "days", high=36_500, hint=Text("Give days, e.g. 1095.", "请给出天数，例如 1095。"))

    running = power / 1000 * per_kwh
    margin = rent - running
    cloud_day, desktop_day = rent * busy * HOURS_PER_DAY, running * busy * HOURS_PER_DAY
    days = price / (margin * busy * HOURS_PER_DAY) if margin > 0 else None
    span = horizon or DEFAULT_HORIZON_DAYS
    threshold = price / (margin * HOURS_PER_DAY * span) if margin > 0 else None
    energy = power / 1000 * busy * HOURS_PER_DAY * DAYS_PER_YEAR
    steps = [
        f"cloud_usd_per_day = {figure(rent)} USD/h x {figure(busy)} x 24 h = {figure(cloud_day)} USD",
        f"desktop_usd_per_day = {figure(power / 1000)} kW x {figure(per_kwh)} USD/kWh x {figure(busy)} x 24 h"
        f" = {figure(desktop_day)} USD",
    ]
    if days is not None:
        steps.append(f"break_even_days = {figure(price)} USD / ({figure(cloud_day)} - {figure(desktop_day)}) USD"
                     f" = {figure(days)} days")
    if threshold is not None:
        steps.append(f"break_even_utilization = {figure(price)} USD / (({figure(rent)} - {figure(running)}) USD/h"
                     f" x 24 h x {figure(span)} days) = {figure(threshold)}")
    if horizon is not None:
        steps += [f"cloud_usd_at_horizon = {figure(cloud_day)} USD x {figure(horizon)} = {figure(cloud_day * horizon)} USD",
                  f"desktop_usd_at_horizon = {figure(price)} USD + {figure(desktop_day)} USD x {figure(horizon)}"
                  f" = {figure(price + desktop_day * horizon)} USD"]
    steps.append(f"energy_kwh_per_year = {figure(power / 1000)} kW x {figure(busy)} x 8760 h = {figure(energy)} kWh")
    return BreakEven(
        break_even_days=days, break_even_usd=None if days is None else cloud_day * days,
        break_even_utilization=threshold if threshold is not None and threshold <= 1 else None,
        desktop_usd=price, cloud_usd_per_h=rent, utilization=busy, power_w=power,
        electricity_usd_per_kwh=per_kwh, cloud_usd_per_day=cloud_day, desktop_usd_per_day=desktop_day,
        horizon_days=horizon,
        cloud_usd_at_horizon=None if horizon is None else cloud_day * horizon,
        desktop_usd_at_horizon=None if horizon is None else price + desktop_day * horizon,
        energy_kwh_per_year=energy, electricity_usd_per_year=energy * per_kwh,
        steps=tuple(steps), assumptions=_assumptions(horizon), warnings=_warnings(margin, rent, running),
        sources=(GUIDE,),
    )


def _assumptions(horizon: float | None) -> tuple[Text, ...]:
    notes = [Text("Rent is paid only while the GPU is busy; the machine is not sold again.",
                  "只在 GPU 忙碌时付租金；整机不再转卖。")]
    if horizon is None:
        notes.append(Text("The break-even utilization is for three years.", "盈亏平衡利用率按三年计。"))
    return tuple(notes)


def _warnings(margin: float, rent: float, running: float) -> tuple[Text, ...]:
    if margin > 0:
        return ()
    return (Text(f"Electricity alone costs {figure(running)} USD/h, the rent is {figure(rent)} USD/h: buying never pays.",
                 f"光电费每小时就要 {figure(running)} 美元，租金是 {figure(rent)} 美元：买机器永远不划算。"),)


@dataclass(frozen=True, kw_only=True)
class TokenCost(Result):
    """What a million tokens cost.

    Attributes:
        usd_per_million_tokens: The cost. [USD/1M tokens]
        hours: Time for a million tokens. [h]
        usd_per_h: Rent or electricity per hour. [USD/h]
        energy_kwh: Electricity for a million tokens, null for a rented GPU. [kWh]
    """

    usd_per_million_tokens: float
    hours: float
    usd_per_h: float
    energy_kwh: float | None


def token_cost(
    *,
    tokens_per_s: float,
    usd_per_h: float | None = None,
    power_w: float | None = None,
    electricity_usd_per_kwh: float | None = None,
) -> TokenCost:
    """Say what a million tokens cost on a rented or an own GPU.

    Use it for "what does a million tokens cost me at 50 tokens/s?" with either the rent per hour
    or the machine's watts and the price of electricity.

    Args:
        tokens_per_s: Speed over all requests together. [tokens/s]
        usd_per_h: Rent. [USD/h]
        power_w: Power of an own machine at that speed. [W]
        electricity_usd_per_kwh: Price of electricity for it. [USD/kWh]

    Returns:
        Cost and time of a million tokens.

    Raises:
        ToolInputError: If neither rent nor power with its price is given, or both are.

    Notes:
        cost = price per hour / 3600 / tokens per second x 1e6. An own machine's price is left
        out: `ownership_cost` has it.
    """
    speed = number("tokens_per_s", tokens_per_s, "tokens/s", high=1e8,
                   hint=Text("Give tokens per second, e.g. 50.", "请给出每秒 token 数，例如 50。"))
    owned = power_w is not None and electricity_usd_per_kwh is not None
    if (usd_per_h is None) == (not owned):
        raise ToolInputError(
            "Give either `usd_per_h` (rented) or `power_w` with `electricity_usd_per_kwh` (owned).",
            "请给出 `usd_per_h`（租用），或者 `power_w` 加 `electricity_usd_per_kwh`（自有）。")
    hours = 1e6 / speed / 3600
    if usd_per_h is not None:
        rate, energy = number("usd_per_h", usd_per_h, "USD/h", high=100_000, hint=RATE_HINT), None
        steps = [f"usd_per_h = {figure(rate)} USD/h"]
    else:
        watts = number("power_w", power_w, "W", high=1e7, hint=POWER_HINT)
        per_kwh = number("electricity_usd_per_kwh", electricity_usd_per_kwh, "USD/kWh", high=5,
                         hint=ELECTRICITY_HINT, may_equal_low=True)
        rate, energy = watts / 1000 * per_kwh, watts / 1000 * hours
        steps = [f"usd_per_h = {figure(watts / 1000)} kW x {figure(per_kwh)} USD/kWh = {figure(rate)} USD/h",
                 f"energy_kwh = {figure(watts / 1000)} kW x {figure(hours)} h = {figure(energy)} kWh"]
    cost = rate * hours
    return TokenCost(
        usd_per_million_tokens=cost, hours=hours, usd_per_h=rate, energy_kwh=energy,
        steps=(f"hours = 1000000 tokens / {figure(speed)} tokens/s / 3600 s/h = {figure(hours)} h", *steps,
               f"usd_per_million_tokens = {figure(rate)} USD/h x {figure(hours)} h = {figure(cost)} USD"),
        assumptions=(Text("The GPU is busy at this speed the whole time.", "GPU 一直以这个速度工作。"),))


TOOLS = (cloud_break_even, token_cost)
