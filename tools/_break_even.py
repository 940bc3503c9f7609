"""The sums behind rent or buy: what each side costs per day, and when they have cost the same."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tools._result import Text
from tools._units import figure

HOURS_PER_DAY = 24.0
DAYS_PER_YEAR = 365.0
MONTHS_PER_YEAR = 12.0
DAYS_PER_MONTH = DAYS_PER_YEAR / MONTHS_PER_YEAR
# How far prices move within a year or two: the sensitivity shows what such a step does.
SENSITIVITY_STEP = 0.2


@dataclass(frozen=True, slots=True)
class Deal:
    """Checked terms of renting and of buying.

    Attributes:
        price_usd: Price of the machine less what it sells for in the end. [USD]
        rent_usd_per_h: Rent of all cards together. [USD/h]
        utilization: Share of the time the cards are busy. [1]
        power_w: Power while busy. [W]
        usd_per_kwh: Price of electricity. [USD/kWh]
        cloud_fixed_usd_per_month: Storage and egress. [USD/month]
        desktop_fixed_usd_per_month: Data centre. [USD/month]
        reserved: Whether rent is paid around the clock.
    """

    price_usd: float
    rent_usd_per_h: float
    utilization: float
    power_w: float
    usd_per_kwh: float
    cloud_fixed_usd_per_month: float = 0.0
    desktop_fixed_usd_per_month: float = 0.0
    reserved: bool = False

    @property
    def running_usd_per_h(self) -> float:
        """Return the electricity of a busy hour."""
        return self.power_w / 1000 * self.usd_per_kwh

    @property
    def cloud_usd_per_day(self) -> float:
        """Return what renting costs per calendar day."""
        paid = HOURS_PER_DAY if self.reserved else self.utilization * HOURS_PER_DAY
        return self.rent_usd_per_h * paid + self.cloud_fixed_usd_per_month / DAYS_PER_MONTH

    @property
    def desktop_usd_per_day(self) -> float:
        """Return what the own machine costs per calendar day once it is paid."""
        return (
            self.running_usd_per_h * self.utilization * HOURS_PER_DAY
            + self.desktop_fixed_usd_per_month / DAYS_PER_MONTH
        )

    @property
    def saved_usd_per_day(self) -> float:
        """Return what owning saves per calendar day."""
        return self.cloud_usd_per_day - self.desktop_usd_per_day

    @property
    def days(self) -> float | None:
        """Return the day on which both have cost the same, None if renting stays cheaper."""
        return self.price_usd / self.saved_usd_per_day if self.saved_usd_per_day > 0 else None

    def least_utilization(self, span_days: float) -> float | None:
        """Return the utilization at which buying pays within a span, None if none does.

        Reserved rent is paid whether the cards are busy or not, so no utilization decides there.
        """
        margin = self.rent_usd_per_h - self.running_usd_per_h
        if self.reserved or margin <= 0:
            return None
        fixed = (self.desktop_fixed_usd_per_month - self.cloud_fixed_usd_per_month) / DAYS_PER_MONTH
        share = (self.price_usd / span_days + fixed) / (margin * HOURS_PER_DAY)
        return share if 0 < share <= 1 else None

    def energy_kwh_per_year(self) -> float:
        """Return the electricity of the own machine."""
        return self.power_w / 1000 * self.utilization * HOURS_PER_DAY * DAYS_PER_YEAR


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The break-even if one figure is a fifth lower or higher; null if buying then never pays."""

    what: Text
    break_even_days_low: float | None
    break_even_days_high: float | None


def sensitivity(deal: Deal) -> tuple[Sensitivity, ...]:
    """Move price, rent, utilization and electricity by a fifth each."""
    less, more = 1 - SENSITIVITY_STEP, 1 + SENSITIVITY_STEP

    def days(**changed: float) -> float | None:
        return replace(deal, **changed).days

    def row(what: Text, name: str, value: float, most: float = float("inf")) -> Sensitivity:
        return Sensitivity(what, days(**{name: value * less}), days(**{name: min(value * more, most)}))

    return (
        row(Text("price of the machine", "整机价格"), "price_usd", deal.price_usd),
        row(Text("rent", "租价"), "rent_usd_per_h", deal.rent_usd_per_h),
        row(Text("utilization", "利用率"), "utilization", deal.utilization, 1.0),
        row(Text("price of electricity", "电价"), "usd_per_kwh", deal.usd_per_kwh),
    )


def steps(deal: Deal, span: float, horizon: float | None) -> tuple[str, ...]:
    """Write the formulas with their figures."""
    rent, busy, running = deal.rent_usd_per_h, deal.utilization, deal.running_usd_per_h
    cloud, desktop, days = deal.cloud_usd_per_day, deal.desktop_usd_per_day, deal.days
    paid = "24 h" if deal.reserved else f"{figure(busy)} x 24 h"
    lines = [
        f"cloud_usd_per_day = {figure(rent)} USD/h x {paid}{_fixed(deal.cloud_fixed_usd_per_month)}"
        f" = {figure(cloud)} USD",
        f"desktop_usd_per_day = {figure(deal.power_w / 1000)} kW x {figure(deal.usd_per_kwh)} USD/kWh"
        f" x {figure(busy)} x 24 h{_fixed(deal.desktop_fixed_usd_per_month)} = {figure(desktop)} USD",
    ]
    if days is not None:
        lines.append(
            f"break_even_days = {figure(deal.price_usd)} USD / ({figure(cloud)} - {figure(desktop)}) USD"
            f" = {figure(days)} days"
        )
    threshold = deal.least_utilization(span)
    if threshold is not None:
        fixed = deal.desktop_fixed_usd_per_month - deal.cloud_fixed_usd_per_month
        more = f" + {figure(fixed * span / DAYS_PER_MONTH)} USD" if fixed else ""
        paid = f"({figure(deal.price_usd)} USD{more})" if more else f"{figure(deal.price_usd)} USD"
        lines.append(
            f"break_even_utilization = {paid} / (({figure(rent)} - {figure(running)}) USD/h"
            f" x 24 h x {figure(span)} days) = {figure(threshold)}"
        )
    if horizon is not None:
        lines += [
            f"cloud_usd_at_horizon = {figure(cloud)} USD x {figure(horizon)} = {figure(cloud * horizon)} USD",
            f"desktop_usd_at_horizon = {figure(deal.price_usd)} USD + {figure(desktop)} USD x {figure(horizon)}"
            f" = {figure(deal.price_usd + desktop * horizon)} USD",
        ]
    lines.append(
        f"energy_kwh_per_year = {figure(deal.power_w / 1000)} kW x {figure(busy)} x 8760 h"
        f" = {figure(deal.energy_kwh_per_year())} kWh"
    )
    return tuple(lines)


def _fixed(usd_per_month: float) -> str:
    return f" + {figure(usd_per_month)} USD/month / {figure(DAYS_PER_MONTH)}" if usd_per_month else ""
