"""Rent or buy: when a desktop becomes cheaper than a cloud GPU, and what a token costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, cast

from tools._break_even import DAYS_PER_MONTH, Deal, Sensitivity, sensitivity, steps
from tools._errors import ToolInputError, choice, count, fraction, number
from tools._hints import GPU_COUNT_HINT
from tools._result import Result, Text
from tools._terms import read_watts
from tools._token_cost import TokenCost, token_cost
from tools._units import figure
from tools._usage import GUIDE, Usage, read_tariff, read_usage

__all__ = ["TOOLS", "BreakEven", "TokenCost", "cloud_break_even", "token_cost"]

# The guide's worked example (section 9.14): RTX 3090 desktop, 350 W card + 100 W CPU.
UTILIZATION = 0.15
DESKTOP_W = 450.0
ELECTRICITY_USD_PER_KWH = 0.12
# Without a horizon the break-even utilization is given for three years, a common write-off time.
DEFAULT_HORIZON_DAYS = 1095.0
HOURS_PER_MONTH = 730.0

UTILIZATION_HINT = Text(
    "Give the share of the day that the GPU is busy, e.g. 0.15 for 15 %.",
    "请给出 GPU 忙碌时间的比例，例如 15 % 写 0.15。",
)
POWER_HINT = Text("Give watts at the wall, e.g. 450.", "请给出墙上功率（瓦），例如 450。")
PRICE_HINT = Text("Give US dollars, e.g. 2200.", "请给出美元，例如 2200。")
RATE_HINT = Text("Give US dollars per hour, e.g. 2.14.", "请给出每小时美元，例如 2.14。")
ELECTRICITY_HINT = Text("Give US dollars per kWh, e.g. 0.12.", "请给出每度电美元，例如 0.12。")
HORIZON_HINT = Text("Give days, e.g. 1095.", "请给出天数，例如 1095。")
HOURS_HINT = Text("Give busy hours a month, 730 at most, e.g. 400.", "请给出每月忙碌小时数，最多 730，例如 400。")
MONTHLY_HINT = Text("Give US dollars a month, e.g. 3000.", "请给出每月美元，例如 3000。")
STORAGE_HINT = Text("Give GB, e.g. 500.", "请给出 GB，例如 500。")
PER_GB_HINT = Text("Give US dollars per GB, e.g. 0.09.", "请给出每 GB 美元，例如 0.09。")
REPEAT_HINT = Text(
    "Give the share of work done twice after interruptions, e.g. 0.1.", "请给出中断后重做的比例，例如 0.1。"
)

Billing = Literal["on_demand", "spot", "reserved"]
RatePer = Literal["instance", "gpu"]


@dataclass(frozen=True, kw_only=True)
class BreakEven(Result):
    """When buying has paid for itself.

    Attributes:
        break_even_days: Days until both have cost the same; null if the cloud stays cheaper. [days]
        break_even_months: The same. [months]
        break_even_usd: What both have cost by then. [USD]
        break_even_utilization: Least utilization at which buying pays within the horizon. [1]
        desktop_usd: Price of the machine. [USD]
        resale_usd: What it sells for in the end. [USD]
        cloud_usd_per_h: Rent as it was given. [USD/h]
        rent_usd_per_h: Rent of all cards together. [USD/h]
        utilization: Share of the time the GPU is busy. [1]
        cloud_usd_per_day: Rent per calendar day, with storage and egress. [USD]
        desktop_usd_per_day: Electricity per calendar day, with the data centre. [USD]
        cloud_usd_per_month: The rent side per month. [USD/month]
        desktop_usd_per_month: The owned side per month. [USD/month]
        storage_usd_per_month: Storage and egress. [USD/month]
        datacenter_usd_per_month: Place in a data centre. [USD/month]
        horizon_days: Day of the comparison, null if none was asked. [days]
        cloud_usd_at_horizon: Rent paid by that day. [USD]
        desktop_usd_at_horizon: Price and electricity paid by that day. [USD]
        energy_kwh_per_year: Electricity of the desktop. [kWh/year]
        electricity_usd_per_year: Its cost. [USD/year]
        sensitivity: The break-even with each figure a fifth lower and higher.
    """

    break_even_days: float | None
    break_even_months: float | None
    break_even_usd: float | None
    break_even_utilization: float | None
    desktop_usd: float
    resale_usd: float
    cloud_usd_per_h: float
    rent_usd_per_h: float
    utilization: float
    power_w: float
    electricity_usd_per_kwh: float
    cloud_usd_per_day: float
    desktop_usd_per_day: float
    cloud_usd_per_month: float
    desktop_usd_per_month: float
    storage_usd_per_month: float
    datacenter_usd_per_month: float
    horizon_days: float | None
    cloud_usd_at_horizon: float | None
    desktop_usd_at_horizon: float | None
    energy_kwh_per_year: float
    electricity_usd_per_year: float
    sensitivity: tuple[Sensitivity, ...]


def cloud_break_even(
    *,
    desktop_usd: float,
    cloud_usd_per_h: float,
    utilization: float = UTILIZATION,
    power_w: float = DESKTOP_W,
    electricity_usd_per_kwh: float = ELECTRICITY_USD_PER_KWH,
    horizon_days: float | None = None,
    gpu_count: int = 1,
    rate_per: RatePer = "instance",
    instance_gpus: int | None = None,
    billing: Billing = "on_demand",
    repeated_share: float = 0.0,
    hours_per_month: float | None = None,
    usage: Usage | None = None,
    country: str | None = None,
    storage_gb: float = 0.0,
    storage_usd_per_gb_month: float = 0.0,
    egress_gb_per_month: float = 0.0,
    egress_usd_per_gb: float = 0.0,
    datacenter_usd_per_month: float = 0.0,
    resale_usd: float = 0.0,
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
        gpu_count: Cards that are needed. [1]
        rate_per: Whether the rent is for the whole instance or for each GPU.
        instance_gpus: GPUs of one instance, if several instances are needed. [1]
        billing: on_demand, spot, or reserved (paid around the clock).
        repeated_share: Share of the work done twice because spot GPUs are taken away. [1]
        hours_per_month: Busy hours a month instead of a utilization. [h/month]
        usage: Kind of owner instead of a utilization.
        country: Country, for its household price of electricity.
        storage_gb: Cloud storage that is kept. [GB]
        storage_usd_per_gb_month: Its price. [USD/GB/month]
        egress_gb_per_month: Data taken out of the cloud. [GB/month]
        egress_usd_per_gb: Its price. [USD/GB]
        datacenter_usd_per_month: Cost of a place for the own machine. [USD/month]
        resale_usd: What the machine sells for in the end. [USD]

    Returns:
        Break-even day, totals, the break-even utilization, and how sensitive they are.

    Raises:
        ToolInputError: If a number is outside its range.

    Notes:
        days = (price - resale) / (24 h x utilization x (rent - power x electricity) + fixed costs per day). The price
        counts once: it is paid on day 0 and not written off. Idle power is left out. Reserved rent runs for 24 h a day.

    References:
        Tim Dettmers, Which GPU(s) to Get for Deep Learning (2023), section 9.14: its "300 days"
        is 292.96 rounded, and its sentence swaps the two totals.
    """
    price = number("desktop_usd", desktop_usd, "USD", high=1e8, hint=PRICE_HINT)
    listed = number("cloud_usd_per_h", cloud_usd_per_h, "USD/h", high=10_000, hint=RATE_HINT)
    busy, busy_notes = _busy(utilization, hours_per_month, usage)
    power = read_watts("power_w", power_w, high=1e6, hint=POWER_HINT)
    tariff, tariff_notes, tariff_sources = read_tariff(country, electricity_usd_per_kwh, ELECTRICITY_USD_PER_KWH)
    per_kwh = number("electricity_usd_per_kwh", tariff, "USD/kWh", high=5, hint=ELECTRICITY_HINT, may_equal_low=True)
    horizon = (
        None if horizon_days is None else number("horizon_days", horizon_days, "days", high=36_500, hint=HORIZON_HINT)
    )
    resale = number("resale_usd", resale_usd, "USD", high=price, hint=PRICE_HINT, may_equal_low=True)
    kind = cast(Billing, choice("billing", billing, ("on_demand", "spot", "reserved")))
    rent, rent_notes = _rent(listed, gpu_count, rate_per, instance_gpus, repeated_share)
    stored = _stored(storage_gb, storage_usd_per_gb_month, egress_gb_per_month, egress_usd_per_gb)
    place = number(
        "datacenter_usd_per_month",
        datacenter_usd_per_month,
        "USD/month",
        high=1e7,
        hint=MONTHLY_HINT,
        may_equal_low=True,
    )

    deal = Deal(price - resale, rent, busy, power, per_kwh, stored, place, kind == "reserved")
    days, span = deal.days, horizon or DEFAULT_HORIZON_DAYS
    cloud_day, desktop_day, energy = deal.cloud_usd_per_day, deal.desktop_usd_per_day, deal.energy_kwh_per_year()
    return BreakEven(
        break_even_days=days,
        break_even_months=None if days is None else days / DAYS_PER_MONTH,
        break_even_usd=None if days is None else cloud_day * days,
        break_even_utilization=deal.least_utilization(span),
        desktop_usd=price,
        resale_usd=resale,
        cloud_usd_per_h=listed,
        rent_usd_per_h=rent,
        utilization=busy,
        power_w=power,
        electricity_usd_per_kwh=per_kwh,
        cloud_usd_per_day=cloud_day,
        desktop_usd_per_day=desktop_day,
        cloud_usd_per_month=cloud_day * DAYS_PER_MONTH,
        desktop_usd_per_month=desktop_day * DAYS_PER_MONTH,
        storage_usd_per_month=stored,
        datacenter_usd_per_month=place,
        horizon_days=horizon,
        cloud_usd_at_horizon=None if horizon is None else cloud_day * horizon,
        desktop_usd_at_horizon=None if horizon is None else price - resale + desktop_day * horizon,
        energy_kwh_per_year=energy,
        electricity_usd_per_year=energy * per_kwh,
        sensitivity=sensitivity(deal),
        steps=steps(deal, span, horizon),
        assumptions=(*_assumptions(horizon, kind, resale), *busy_notes, *tariff_notes, *rent_notes),
        warnings=_warnings(deal),
        sources=(*tariff_sources, GUIDE),
    )


def _busy(utilization: float, hours_per_month: float | None, usage: Usage | None) -> tuple[float, tuple[Text, ...]]:
    if hours_per_month is None:
        share, notes = read_usage(usage, utilization, UTILIZATION)
        return fraction("utilization", share, hint=UTILIZATION_HINT), notes
    if utilization != UTILIZATION or usage is not None:
        raise ToolInputError(
            "Give one of `utilization`, `hours_per_month` and `usage`.",
            "`utilization`、`hours_per_month`、`usage` 只能给一个。",
        )
    hours = number("hours_per_month", hours_per_month, "h/month", high=HOURS_PER_MONTH, hint=HOURS_HINT)
    return hours / HOURS_PER_MONTH, ()


def _rent(
    listed: float, gpu_count: int, rate_per: RatePer, instance_gpus: int | None, repeated_share: float
) -> tuple[float, tuple[Text, ...]]:
    """Return the rent of all cards, and how it was multiplied."""
    cards = count("gpu_count", gpu_count, high=1024, hint=GPU_COUNT_HINT)
    each = choice("rate_per", rate_per, ("instance", "gpu"))
    inside = cards if instance_gpus is None else count("instance_gpus", instance_gpus, high=64, hint=GPU_COUNT_HINT)
    repeated = fraction("repeated_share", repeated_share, hint=REPEAT_HINT, may_be_zero=True)
    times = cards if each == "gpu" else math.ceil(cards / inside)
    rent = listed * times * (1 + repeated)
    if times == 1 and not repeated:
        return rent, ()
    unit = ("GPUs", "张 GPU") if each == "gpu" else ("instances", "台实例")
    again = f" x {figure(1 + repeated)}" if repeated else ""
    return rent, (
        Text(
            f"Rent: {times} {unit[0]} x {figure(listed)} USD/h{again} = {figure(rent)} USD/h.",
            f"租价：{times} {unit[1]} x 每小时 {figure(listed)} 美元{again} = {figure(rent)} 美元。",
        ),
    )


def _stored(gigabytes: float, per_month: float, egress: float, per_gb: float) -> float:
    kept = number("storage_gb", gigabytes, "GB", high=1e9, hint=STORAGE_HINT, may_equal_low=True)
    price = number(
        "storage_usd_per_gb_month", per_month, "USD/GB/month", high=100, hint=PER_GB_HINT, may_equal_low=True
    )
    taken = number("egress_gb_per_month", egress, "GB/month", high=1e9, hint=STORAGE_HINT, may_equal_low=True)
    fee = number("egress_usd_per_gb", per_gb, "USD/GB", high=100, hint=PER_GB_HINT, may_equal_low=True)
    return kept * price + taken * fee


def _assumptions(horizon: float | None, billing: Billing, resale: float) -> tuple[Text, ...]:
    sold = ("", "") if resale else ("; the machine is not sold again", "；整机不再转卖")
    when = (
        ("around the clock", "租金全天候支付")
        if billing == "reserved"
        else ("only while the GPU is busy", "只在 GPU 忙碌时付租金")
    )
    notes = [Text(f"Rent is paid {when[0]}{sold[0]}.", f"{when[1]}{sold[1]}。")]
    if horizon is None:
        notes.append(Text("The break-even utilization is for three years.", "盈亏平衡利用率按三年计。"))
    if billing == "spot":
        notes.append(
            Text(
                "Spot GPUs can be taken away at any time; prices change by the hour.",
                "竞价实例随时可能被收回，价格随时变动。",
            )
        )
    return tuple(notes)


def _warnings(deal: Deal) -> tuple[Text, ...]:
    if deal.saved_usd_per_day > 0:
        return ()
    running, rent = figure(deal.running_usd_per_h), figure(deal.rent_usd_per_h)
    if deal.rent_usd_per_h <= deal.running_usd_per_h:
        return (
            Text(
                f"Electricity alone costs {running} USD/h, the rent is {rent} USD/h: buying never pays.",
                f"光电费每小时就要 {running} 美元，租金是 {rent} 美元：买机器永远不划算。",
            ),
        )
    cloud, desktop = figure(deal.cloud_usd_per_day), figure(deal.desktop_usd_per_day)
    return (
        Text(
            f"Owning costs {desktop} USD a day without the price, renting {cloud} USD: buying never pays.",
            f"自有机器不算购置费每天就要 {desktop} 美元，租只要 {cloud} 美元：买机器永远不划算。",
        ),
    )


TOOLS = (cloud_break_even, token_cost)
