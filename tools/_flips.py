"""What would turn a ranking by value around: electricity, use, or a price."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools._ranking import ValueRow
from tools._result import Text
from tools._terms import Running
from tools._units import figure

# A kWh above this is no household price anywhere.
HIGHEST_USD_PER_KWH = 5.0


@dataclass(frozen=True, slots=True)
class Flip:
    """Where the first card loses its place; null where nothing in sight does it."""

    gpu: str | None = None
    usd_per_kwh: float | None = None
    utilization: float | None = None
    price_usd: float | None = None
    said: Text | None = None


def flip_of(rows: Sequence[ValueRow], terms: Running) -> Flip:
    """Return what would flip the first place of a ranking."""
    if len(rows) < 2:
        return Flip()
    first, second = rows[0], rows[1]
    # At this price of the first card both give the same speed per dollar.
    price = first.relative / second.relative * second.total_usd - (first.total_usd - first.price_usd)
    overtaking = [(at, row) for row in rows[1:] if (at := _dearer_kwh(first, row, terms)) is not None]
    at, row = min(overtaking, key=lambda pair: (pair[0], pair[1].gpu), default=(None, None))
    busy = None if at is None or terms.usd_per_kwh == 0 else terms.utilization * at / terms.usd_per_kwh
    busy = busy if busy is not None and busy <= 1 else None
    return Flip(second.gpu if row is None else row.gpu, at, busy, price, _said(first, second, row, at, busy, price))


def _dearer_kwh(first: ValueRow, other: ValueRow, terms: Running) -> float | None:
    """Return the price of a kWh from which `other` gives more speed per dollar, None if none does.

    r1 / (a1 + k1 e) = r2 / (a2 + k2 e), with a the cost without electricity and k the kWh of all years.
    """
    if terms.usd_per_kwh == 0:
        return None
    kwh_first, kwh_other = first.electricity_usd / terms.usd_per_kwh, other.electricity_usd / terms.usd_per_kwh
    fixed_first, fixed_other = first.total_usd - first.electricity_usd, other.total_usd - other.electricity_usd
    slope = other.relative * kwh_first - first.relative * kwh_other
    if slope <= 0:
        return None
    at = (first.relative * fixed_other - other.relative * fixed_first) / slope
    return at if terms.usd_per_kwh < at <= HIGHEST_USD_PER_KWH else None


def _said(
    first: ValueRow, second: ValueRow, row: ValueRow | None, at: float | None, busy: float | None, price: float
) -> Text:
    cost = figure(round(price, 2))
    if row is None or at is None:
        return Text(
            f"The {first.gpu} leads at any price of electricity, until it costs {cost} USD itself; then the"
            f" {second.gpu} does.",
            f"不管电价多少都是 {first.gpu} 领先，除非它涨到 {cost} 美元，那时换成 {second.gpu}。",
        )
    kwh = figure(round(at, 3))
    use, use_zh = ("", "") if busy is None else (f" or is busy {busy:.0%} of the time", f"，或利用率到 {busy:.0%}")
    return Text(
        f"The {first.gpu} leads until electricity costs {kwh} USD/kWh{use}; then the {row.gpu} does. At"
        f" {cost} USD the {first.gpu} gives no more than the {second.gpu}.",
        f"{first.gpu} 领先，直到电价涨到每度 {kwh} 美元{use_zh}，之后换成 {row.gpu}；{first.gpu} 涨到 {cost} 美元时，"
        f"性价比就和 {second.gpu} 一样。",
    )
