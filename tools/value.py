"""What a card gives per dollar, and what owning it costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tools._cards import source_of
from tools._catalog import Gpu
from tools._errors import ToolInputError, choice, number
from tools._names import find
from tools._ranking import (
    USES,
    Use,
    ValueRow,
    asked,
    rank_notes,
    rank_warnings,
    read_names,
    row,
    speeds,
    value_step,
)
from tools._result import Result, Source, Text
from tools._tables import KIND_ZH, Price, own_prices, price_of, price_sources
from tools._terms import ELECTRICITY_USD_PER_KWH, UTILIZATION, YEARS, running, watts_of
from tools._units import figure

GUIDE = Source("Which GPU(s) to Get for Deep Learning, section 7 (Tim Dettmers)",
               "https://timdettmers.com/2023/01/30/which-gpu-for-deep-learning/", "2023-01-30")

PRICE_HINT = Text("Give US dollars, e.g. 1600.", "请给出美元，例如 1600。")
POWER_HINT = Text("Give watts, e.g. 450; without a reading take the card's board power.",
                  "请给出瓦数，例如 450；没有读数就用整卡功耗。")
MEMORY_HINT = Text("Give GB, e.g. 24.", "请给出 GB，例如 24。")


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
        price_usd: Price of the hardware; null if none is known. [USD]
        price_kind: "own", "street", "used" or "launch"; null without a price.
        price_as_of: Day of that price; null for the person's own.
        total_usd: Price and electricity; electricity alone if no price is known. [USD]
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
    total_usd: float


def ownership_cost(
    *,
    gpu: str | None = None,
    power_w: float | None = None,
    years: float = YEARS,
    utilization: float = UTILIZATION,
    electricity_usd_per_kwh: float = ELECTRICITY_USD_PER_KWH,
    price_usd: float | None = None,
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
        price_usd: Price paid for it. [USD]

    Returns:
        Energy, electricity and total.

    Raises:
        ToolInputError: If neither or both of `gpu` and `power_w` are given, or a number is out of range.

    Notes:
        energy = power x utilization x 8760 h; total = price + energy x years x price per kWh.
        Idle power, repairs, interest and resale are left out.

    References:
        Tim Dettmers, Which GPU(s) to Get for Deep Learning (2023), section 7: about 100 USD a year
        for an RTX 4090.
    """
    if (gpu is None) == (power_w is None):
        raise ToolInputError("Give either `gpu` (e.g. 'RTX 4090') or `power_w` (e.g. 450).",
                             "请给出 `gpu`（例如 'RTX 4090'）或 `power_w`（例如 450），二者选一。")
    use = running(years, utilization, electricity_usd_per_kwh)
    card = None if gpu is None else find(gpu).gpu
    watts = number("power_w", power_w, "W", high=1e7, hint=POWER_HINT) if card is None else watts_of(card)
    price = _price(card, price_usd)
    paid = 0.0 if price is None else price.price_usd
    yearly, energy = use.kwh_per_year(watts) * use.usd_per_kwh, use.kwh_per_year(watts)
    electricity = use.electricity_usd(watts)
    return OwnershipCost(
        power_w=watts, years=use.years, utilization=use.utilization, electricity_usd_per_kwh=use.usd_per_kwh,
        energy_kwh_per_year=energy, electricity_usd_per_year=yearly, electricity_usd=electricity,
        price_usd=None if price is None else paid, price_kind=None if price is None else price.kind,
        price_as_of=None if price is None else price.as_of, total_usd=paid + electricity,
        steps=(f"energy_kwh_per_year = {figure(watts / 1000)} kW x {figure(use.utilization)} x 8760 h"
               f" = {figure(energy)} kWh",
               f"electricity_usd_per_year = {figure(energy)} kWh x {figure(use.usd_per_kwh)} USD/kWh"
               f" = {figure(yearly)} USD",
               f"electricity_usd = {figure(yearly)} USD x {figure(use.years)} = {figure(electricity)} USD",
               f"total_usd = {figure(paid)} USD + {figure(electricity)} USD = {figure(paid + electricity)} USD"),
        assumptions=_cost_notes(card, price, price_usd), warnings=_cost_warnings(price),
        sources=(*(() if card is None else (source_of(card),)), *price_sources([price]), GUIDE))


def _price(card: Gpu | None, price_usd: float | None) -> Price | None:
    if price_usd is not None:
        return Price(number("price_usd", price_usd, "USD", high=1e8, hint=PRICE_HINT), "own", None, None)
    return None if card is None else price_of(card, {})


def _cost_notes(card: Gpu | None, price: Price | None, given: float | None) -> tuple[Text, ...]:
    notes = [Text("Electricity counts while the hardware is busy; it is not sold again.",
                  "只计忙碌时的电费；不计转卖。")]
    if card is not None:
        notes.append(Text("The card at its board power, without the rest of the machine.",
                          "显卡按整卡功耗计，不含整机。"))
    if price is not None and given is None:
        notes.append(Text(f"Price: {figure(price.price_usd)} USD, {price.kind} price of {price.as_of}.",
                          f"价格：{figure(price.price_usd)} 美元，{price.as_of} 的{KIND_ZH[price.kind]}。"))
    return tuple(notes)


def _cost_warnings(price: Price | None) -> tuple[Text, ...]:
    if price is not None:
        return ()
    return (Text("No price is known: the total is electricity alone. Give `price_usd`.",
                 "没有价格：合计只含电费。请给出 `price_usd`。"),)


@dataclass(frozen=True, kw_only=True)
class ValueRanking(Result):
    """Cards by speed per dollar.

    Attributes:
        use: What the cards are used for.
        rows: Cards with a price, most speed per dollar first.
        best_gpu: First of them; null if none is left.
        unpriced: Cards that were left out because no price is known.
    """

    use: Use
    rows: tuple[ValueRow, ...]
    best_gpu: str | None
    unpriced: tuple[str, ...]


def rank_by_value(
    *,
    use: Use,
    min_memory_gb: float = 0.0,
    budget_usd: float | None = None,
    years: float = YEARS,
    utilization: float = UTILIZATION,
    electricity_usd_per_kwh: float = ELECTRICITY_USD_PER_KWH,
    prices_usd: Mapping[str, float] | None = None,
    gpus: list[str] | None = None,
    machine_usd: float = 0.0,
) -> ValueRanking:
    """Rank cards by speed per dollar of price and electricity.

    Use it for "best value card with 24 GB?", "what should I buy for 800 dollars?", "is the 4070 Ti
    better value than the 3090?". First settle the memory: a card that is too small has no value.

    Args:
        use: inference_8bit, inference_16bit or training_16bit.
        min_memory_gb: Least memory of one card. [GB]
        budget_usd: Highest price of a card. [USD]
        years: Years of use. [years]
        utilization: Share of the time the card is busy. [1]
        electricity_usd_per_kwh: Price of electricity. [USD/kWh]
        prices_usd: Your own prices by card; they replace the packaged ones. [USD]
        gpus: Only these cards.
        machine_usd: Rest of the machine, counted once per card, as the guide does. [USD]

    Returns:
        Rows with price, date of the price, electricity, total and speed per 1000 USD.

    Raises:
        ToolInputError: If a card is unknown or a number is outside its range.

    Notes:
        value = relative speed / (price + machine + electricity over the years) x 1000. A card's price
        is the person's own, or else the newest dated one; a launch price may be years old.
        The guide counts a desktop too but does not state its price, so `machine_usd` is 0 unless
        given; counting it favours faster cards.

    References:
        Tim Dettmers, Which GPU(s) to Get for Deep Learning (2023), section 7.
    """
    kind = USES[[*USES].index(choice("use", use, USES))]
    terms = running(years, utilization, electricity_usd_per_kwh)
    least = number("min_memory_gb", min_memory_gb, "GB", high=10_000, may_equal_low=True, hint=MEMORY_HINT)
    most = None if budget_usd is None else number("budget_usd", budget_usd, "USD", high=1e8, hint=PRICE_HINT)
    machine = number("machine_usd", machine_usd, "USD", high=1e7, may_equal_low=True, hint=PRICE_HINT)
    own, named = own_prices(prices_usd), read_names(gpus)
    cards = asked(named, own, least)
    priced = [(card, price) for card in cards if (price := price_of(card, own)) is not None]
    kept = [(card, price) for card, price in priced if most is None or price.price_usd <= most]
    fast = speeds([card.name for card, _ in kept], kind)
    rows = [row(card, price, terms, machine, fast.of[card.name]) for card, price in kept if card.name in fast.of]
    rows.sort(key=lambda line: (-line.relative_per_1000_usd, line.gpu))
    unpriced = tuple(card.name for card in cards if price_of(card, own) is None)
    shown = {*unpriced, *(line.gpu for line in rows)}
    dropped = tuple(name for name in dict.fromkeys(named or [card.name for card, _ in kept]) if name not in shown)
    return ValueRanking(
        use=kind, rows=tuple(rows), best_gpu=rows[0].gpu if rows else None, unpriced=unpriced,
        steps=tuple(value_step(line, machine) for line in rows[:3]) or ("rows = 0",),
        assumptions=rank_notes(rows, unpriced, dropped, machine), warnings=(*rank_warnings(rows), *fast.warnings),
        sources=(*price_sources([price for _, price in kept]), *fast.sources, GUIDE))


TOOLS = (ownership_cost, rank_by_value)
