"""Rent or buy: when a desktop becomes cheaper than a cloud GPU, and what a token costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from tools._break_even import DAYS_PER_MONTH, SENSITIVITY_STEP, Deal, Sensitivity, sensitivity, steps
from tools._cards import source_of
from tools._cloud_terms import (
    DEFAULT_HORIZON_DAYS,
    DESKTOP_W,
    ELECTRICITY_HINT,
    ELECTRICITY_USD_PER_KWH,
    HORIZON_HINT,
    MONTHLY_HINT,
    PRICE_HINT,
    RATE_HINT,
    UTILIZATION,
    Billing,
    RatePer,
    assumptions,
    busy_share,
    machine_w,
    rent_of_all,
    stored_usd,
    warnings,
)
from tools._errors import choice, number
from tools._names import find
from tools._result import Result
from tools._token_cost import TokenCost, token_cost
from tools._usage import GUIDE, Usage, read_tariff

__all__ = ["TOOLS", "BreakEven", "TokenCost", "cloud_break_even", "token_cost"]


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
        sensitivity_share: By how much the sensitivity moves each figure. [1]
        sensitivity: The break-even with each figure that much lower and higher.
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
    sensitivity_share: float
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
    gpu: str | None = None,
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
        gpu: Card of the own machine instead of `power_w`: `gpu_count` board powers and 100 W beside them.

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
    busy, busy_notes = busy_share(utilization, hours_per_month, usage)
    power, power_notes = machine_w(power_w, gpu, gpu_count)
    tariff, tariff_notes, tariff_sources = read_tariff(country, electricity_usd_per_kwh, ELECTRICITY_USD_PER_KWH)
    per_kwh = number("electricity_usd_per_kwh", tariff, "USD/kWh", high=5, hint=ELECTRICITY_HINT, may_equal_low=True)
    horizon = (
        None if horizon_days is None else number("horizon_days", horizon_days, "days", high=36_500, hint=HORIZON_HINT)
    )
    resale = number("resale_usd", resale_usd, "USD", high=price, hint=PRICE_HINT, may_equal_low=True)
    kind = cast(Billing, choice("billing", billing, ("on_demand", "spot", "reserved")))
    rent, rent_notes = rent_of_all(listed, gpu_count, rate_per, instance_gpus, repeated_share)
    stored = stored_usd(storage_gb, storage_usd_per_gb_month, egress_gb_per_month, egress_usd_per_gb)
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
        sensitivity_share=SENSITIVITY_STEP,
        sensitivity=sensitivity(deal),
        steps=steps(deal, span, horizon),
        assumptions=(*assumptions(horizon, kind, resale), *power_notes, *busy_notes, *tariff_notes, *rent_notes),
        warnings=warnings(deal),
        sources=(*(() if gpu is None else (source_of(find(gpu).gpu),)), *tariff_sources, GUIDE),
    )


TOOLS = (cloud_break_even, token_cost)
