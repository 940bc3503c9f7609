"""What owning a card or a machine costs over the years."""

from __future__ import annotations

from dataclasses import dataclass

from tools._cards import source_of
from tools._catalog import Gpu
from tools._errors import ToolInputError, count, fraction, number
from tools._hints import GPU_COUNT_HINT
from tools._names import find
from tools._result import Result, Source, Text
from tools._tables import KIND_ZH, Price, price_of, price_sources
from tools._terms import ELECTRICITY_USD_PER_KWH, HOURS_PER_YEAR, UTILIZATION, YEARS, read_watts, running, watts_of
from tools._units import figure
from tools._usage import Usage, read_tariff, read_usage

GUIDE = Source(
    "Which GPU(s) to Get for Deep Learning, section 7 (Tim Dettmers)",
    "https://timdettmers.com/2023/01/30/which-gpu-for-deep-learning/",
    "2023-01-30",
)

PRICE_HINT = Text("Give US dollars, e.g. 1600.", "请给出美元，例如 1600。")
POWER_HINT = Text(
    "Give watts, e.g. 450; without a reading take the card's board power.",
    "请给出瓦数，例如 450；没有读数就用整卡功耗。",
)
SHARE_HINT = Text("Give the share of the price that comes back, e.g. 0.4.", "请给出能收回的价格比例，例如 0.4。")


@dataclass(frozen=True, kw_only=True)
class OwnershipCost(Result):
    """What a card or a machine costs over the years.

    Attributes:
        power_w: Power while busy. [W]
        years: Years of use. [years]
        utilization: Share of the time it is busy. [1]
        electricity_usd_per_kwh: Price of electricity. [USD/kWh]
        energy_kwh_per_year: Electricity of a year. [kWh/year]
        electricity_usd_per_year: Its cost. [USD/year]
        electricity_usd: Electricity of all years. [USD]
        price_usd: Price of the hardware, of all cards together; null if none is known. [USD]
        price_kind: "own", "street", "used" or "launch"; null without a price.
        price_as_of: Day of that price; null for the person's own.
        machine_usd: The rest of the machine. [USD]
        resale_usd: What comes back in the end. [USD]
        total_usd: Price, machine and electricity less resale; electricity alone if no price is known. [USD]
        card_total_usd: The share of one card. [USD]
        total_usd_per_month: The total per month. [USD/month]
        busy_usd_per_h: The total per busy hour. [USD/h]
    """

    power_w: float
    years: float
    utilization: float
    electricity_usd_per_kwh: float
    energy_kwh_per_year: float
    electricity_usd_per_year: float
    electricity_usd: float
    price_usd: float | None
    price_kind: str | None
    price_as_of: str | None
    machine_usd: float
    resale_usd: float
    total_usd: float
    card_total_usd: float
    total_usd_per_month: float
    busy_usd_per_h: float


def ownership_cost(
    *,
    gpu: str | None = None,
    power_w: float | None = None,
    years: float = YEARS,
    utilization: float = UTILIZATION,
    electricity_usd_per_kwh: float = ELECTRICITY_USD_PER_KWH,
    price_usd: float | None = None,
    card_count: int = 1,
    machine_usd: float = 0.0,
    resale_share: float = 0.0,
    usage: Usage | None = None,
    country: str | None = None,
) -> OwnershipCost:
    """Add up price and electricity of a card or a machine over the years.

    Use it for "what does the electricity of a 4090 cost per year?", "what does owning it for five
    years cost?". Give either `gpu` or `power_w`.

    Args:
        gpu: Card; its board power counts, and its newest known price unless one is given.
        power_w: Power while busy, for a whole machine or a measured one. [W]
        years: Years of use. [years]
        utilization: Share of the time it is busy. [1]
        electricity_usd_per_kwh: Price of electricity. [USD/kWh]
        price_usd: Price paid for it; of one card if `gpu` is given. [USD]
        card_count: Cards in the machine, which share its cost. [1]
        machine_usd: Price of the rest of the machine. [USD]
        resale_share: Share of price and machine that comes back in the end. [1]
        usage: Kind of owner instead of a utilization.
        country: Country, for its household price of electricity.

    Returns:
        Energy, electricity, total, and the share of one card.

    Raises:
        ToolInputError: If neither or both of `gpu` and `power_w` are given, or a number is out of range.

    Notes:
        energy = power x utilization x 8760 h; total = (price + machine) x (1 - resale) + energy x years x price of a
        kWh.
        Idle power, repairs and interest are left out.

    References:
        Tim Dettmers, Which GPU(s) to Get for Deep Learning (2023), section 7: about 100 USD a year
        for an RTX 4090; 9.14 for the kinds of owner.
    """
    if (gpu is None) == (power_w is None):
        raise ToolInputError(
            "Give either `gpu` (e.g. 'RTX 4090') or `power_w` (e.g. 450).",
            "请给出 `gpu`（例如 'RTX 4090'）或 `power_w`（例如 450），二者选一。",
        )
    busy, busy_notes = read_usage(usage, utilization, UTILIZATION)
    per_kwh, tariff_notes, tariff_sources = read_tariff(country, electricity_usd_per_kwh, ELECTRICITY_USD_PER_KWH)
    use, cards = running(years, busy, per_kwh), count("card_count", card_count, high=1024, hint=GPU_COUNT_HINT)
    card = None if gpu is None else find(gpu).gpu
    watts = read_watts("power_w", power_w, high=1e7, hint=POWER_HINT) if card is None else watts_of(card) * cards
    price = _price(card, price_usd)
    paid = 0.0 if price is None else price.price_usd * (1 if card is None else cards)
    machine = number("machine_usd", machine_usd, "USD", high=1e8, may_equal_low=True, hint=PRICE_HINT)
    back = fraction("resale_share", resale_share, hint=SHARE_HINT, may_be_zero=True) * (paid + machine)
    yearly, energy = use.kwh_per_year(watts) * use.usd_per_kwh, use.kwh_per_year(watts)
    electricity = use.electricity_usd(watts)
    total = paid + machine - back + electricity
    rest = (f" + {figure(machine)} USD" if machine else "") + (f" - {figure(back)} USD" if back else "")
    return OwnershipCost(
        power_w=watts,
        years=use.years,
        utilization=use.utilization,
        electricity_usd_per_kwh=use.usd_per_kwh,
        energy_kwh_per_year=energy,
        electricity_usd_per_year=yearly,
        electricity_usd=electricity,
        price_usd=None if price is None else paid,
        price_kind=None if price is None else price.kind,
        price_as_of=None if price is None else price.as_of,
        machine_usd=machine,
        resale_usd=back,
        total_usd=total,
        card_total_usd=total / cards,
        total_usd_per_month=total / use.years / 12,
        busy_usd_per_h=total / (use.years * HOURS_PER_YEAR * use.utilization),
        steps=(
            f"energy_kwh_per_year = {figure(watts / 1000)} kW x {figure(use.utilization)} x 8760 h"
            f" = {figure(energy)} kWh",
            f"electricity_usd_per_year = {figure(energy)} kWh x {figure(use.usd_per_kwh)} USD/kWh"
            f" = {figure(yearly)} USD",
            f"electricity_usd = {figure(yearly)} USD x {figure(use.years)} = {figure(electricity)} USD",
            f"total_usd = {figure(paid)} USD{rest} + {figure(electricity)} USD = {figure(total)} USD",
        ),
        assumptions=(*_notes(card, price, price_usd, back), *busy_notes, *tariff_notes),
        warnings=_warnings(price),
        sources=(*(() if card is None else (source_of(card),)), *price_sources([price]), *tariff_sources, GUIDE),
    )


def _price(card: Gpu | None, price_usd: float | None) -> Price | None:
    if price_usd is not None:
        return Price(number("price_usd", price_usd, "USD", high=1e8, hint=PRICE_HINT), "own", None, None)
    return None if card is None else price_of(card, {})


def _notes(card: Gpu | None, price: Price | None, given: float | None, back: float) -> tuple[Text, ...]:
    sold = ("", "") if back else ("; it is not sold again", "；不计转卖")
    notes = [Text(f"Electricity counts while the hardware is busy{sold[0]}.", f"只计忙碌时的电费{sold[1]}。")]
    if card is not None:
        notes.append(
            Text("The card at its board power, without the rest of the machine.", "显卡按整卡功耗计，不含整机。")
        )
    if price is not None and given is None:
        notes.append(
            Text(
                f"Price: {figure(price.price_usd)} USD, {price.kind} price of {price.as_of}.",
                f"价格：{figure(price.price_usd)} 美元，{price.as_of} 的{KIND_ZH[price.kind]}。",
            )
        )
    return tuple(notes)


def _warnings(price: Price | None) -> tuple[Text, ...]:
    if price is not None:
        return ()
    return (
        Text(
            "No price is known: the total is electricity alone. Give `price_usd`.",
            "没有价格：合计只含电费。请给出 `price_usd`。",
        ),
    )
