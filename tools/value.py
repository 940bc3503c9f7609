"""What a card gives per dollar, and what owning it costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tools._currency import convert_currency
from tools._errors import choice, count, number
from tools._flips import flip_of
from tools._hints import GPU_COUNT_HINT
from tools._ownership import OwnershipCost, ownership_cost
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
from tools._tables import own_prices, price_of, price_sources
from tools._terms import ELECTRICITY_USD_PER_KWH, UTILIZATION, YEARS, running
from tools._usage import Usage, read_tariff, read_usage

__all__ = ["TOOLS", "OwnershipCost", "ValueRanking", "convert_currency", "ownership_cost", "rank_by_value"]

GUIDE = Source(
    "Which GPU(s) to Get for Deep Learning, section 7 (Tim Dettmers)",
    "https://timdettmers.com/2023/01/30/which-gpu-for-deep-learning/",
    "2023-01-30",
)

PRICE_HINT = Text("Give US dollars, e.g. 1600.", "请给出美元，例如 1600。")
MEMORY_HINT = Text("Give GB, e.g. 24.", "请给出 GB，例如 24。")


@dataclass(frozen=True, kw_only=True)
class ValueRanking(Result):
    """Cards by speed per dollar.

    Attributes:
        use: What the cards are used for.
        rows: Cards with a price, most speed per dollar first.
        best_gpu: First of them; null if none is left.
        unpriced: Cards that were left out because no price is known.
        flips_if: What would flip the first place; null with fewer than two cards.
        flip_gpu: The card that would lead then.
        flip_usd_per_kwh: Price of electricity from which it leads; null if none up to 5 USD does. [USD/kWh]
        flip_utilization: Utilization from which it leads; null if none does. [1]
        flip_price_usd: Price of the first card at which the second gives as much. [USD]
    """

    use: Use
    rows: tuple[ValueRow, ...]
    best_gpu: str | None
    unpriced: tuple[str, ...]
    flips_if: Text | None
    flip_gpu: str | None
    flip_usd_per_kwh: float | None
    flip_utilization: float | None
    flip_price_usd: float | None


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
    machine_cards: int = 1,
    usage: Usage | None = None,
    country: str | None = None,
) -> ValueRanking:
    """Rank cards by speed per dollar of price and electricity.

    Use it for "best value card with 24 GB?", "what should I buy for 800 dollars?", "is the 4070 Ti
    better value than the 3090?". First settle the memory: a card that is too small has no value.

    Args:
        use: inference_8bit, inference_16bit, training_16bit, or llm_decode (writing tokens for one user).
        min_memory_gb: Least memory of one card. [GB]
        budget_usd: Highest price of a card. [USD]
        years: Years of use. [years]
        utilization: Share of the time the card is busy. [1]
        electricity_usd_per_kwh: Price of electricity. [USD/kWh]
        prices_usd: Your own prices by card; they replace the packaged ones. [USD]
        gpus: Only these cards.
        machine_usd: Rest of the machine, counted once per card, as the guide does. [USD]
        machine_cards: Cards that share that machine. [1]
        usage: Kind of owner instead of a utilization.
        country: Country, for its household price of electricity.

    Returns:
        Rows with price, date of the price, electricity, total and speed per 1000 USD, and what would flip them.

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
    busy, busy_notes = read_usage(usage, utilization, UTILIZATION)
    per_kwh, tariff_notes, tariff_sources = read_tariff(country, electricity_usd_per_kwh, ELECTRICITY_USD_PER_KWH)
    terms = running(years, busy, per_kwh)
    least = number("min_memory_gb", min_memory_gb, "GB", high=10_000, may_equal_low=True, hint=MEMORY_HINT)
    most = None if budget_usd is None else number("budget_usd", budget_usd, "USD", high=1e8, hint=PRICE_HINT)
    machine = number("machine_usd", machine_usd, "USD", high=1e7, may_equal_low=True, hint=PRICE_HINT)
    machine /= count("machine_cards", machine_cards, high=16, hint=GPU_COUNT_HINT)
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
    flip = flip_of(rows, terms)
    return ValueRanking(
        use=kind,
        rows=tuple(rows),
        best_gpu=rows[0].gpu if rows else None,
        unpriced=unpriced,
        flips_if=flip.said,
        flip_gpu=flip.gpu,
        flip_usd_per_kwh=flip.usd_per_kwh,
        flip_utilization=flip.utilization,
        flip_price_usd=flip.price_usd,
        steps=tuple(value_step(line, machine) for line in rows[:3]) or ("rows = 0",),
        assumptions=(*rank_notes(rows, unpriced, dropped, machine), *busy_notes, *tariff_notes),
        warnings=(*rank_warnings(rows), *fast.warnings),
        sources=(*price_sources([price for _, price in kept]), *tariff_sources, *fast.sources, GUIDE),
    )


TOOLS = (ownership_cost, rank_by_value, convert_currency)
