"""From the cards one has: keep them, add one more, or sell them for another card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools._cards import Card, board_power_w
from tools._errors import ToolInputError
from tools._flowchart import VALUE_USE, Candidate, Need, Use, memory_of
from tools._result import Text
from tools._tables import KIND_ZH, price_of, prices_of
from tools._training_states import Method
from tools._units import figure
from tools.performance import relative_performance

MOST_SWAPS = 2


@dataclass(frozen=True, slots=True)
class Upgrade:
    """One way on from the cards one has.

    Attributes:
        title: What to do.
        cards: Cards one has then.
        total_memory_gb: Memory of all of them together. [GB]
        fits: Whether the work fits.
        cost_usd: Price of the new cards less what the old ones sell for; null if a price is not known. [USD]
        price_usd: Price of the new cards alone; null if not known or if none are bought. [USD]
        price_kind: "own", "used", "street" or "launch": the kind of that price; null without one.
        price_as_of: Day of that price; null for the person's own.
        card_speed_ratio: Speed of one card over that of one card now. [1]
        power_w: Board power of all cards. [W]
    """

    title: Text
    cards: dict[str, int]
    total_memory_gb: float
    fits: bool
    cost_usd: float | None
    price_usd: float | None
    price_kind: str | None
    price_as_of: str | None
    card_speed_ratio: float
    power_w: float


def upgrades(
    have: tuple[Card, ...],
    use: Use,
    model: str | None,
    wanted: Sequence[Need],
    found: Sequence[Candidate],
    prices: Mapping[str, float],
    method: Method | None = None,
) -> tuple[Upgrade, ...]:
    """List the ways on from what one has; empty if nothing was said about it."""
    if not have:
        return ()
    first = max(have, key=lambda card: (card.gpu.memory_gb, card.gpu.memory_bandwidth_gb_s, card.gpu.name))
    more = tuple(Card(card.gpu, card.count + (card.gpu.name == first.gpu.name)) for card in have)
    added = price_of(first.gpu, prices)
    ways = [
        _way(
            Text(f"Keep your {_named(have)}", f"保留 {_named(have)}"), have, _Deal(0.0), 1.0, use, model, wanted, method
        ),
        _way(
            Text(f"Add one {first.gpu.name}", f"再加一张 {first.gpu.name}"),
            more,
            _Deal() if added is None else _Deal(added.price_usd, added.price_usd, added.kind, added.as_of),
            1.0,
            use,
            model,
            wanted,
            method,
        ),
    ]
    sold = [_sold(card, prices) for card in have]
    back = None if None in sold else sum(value for value in sold if value is not None)
    swaps = [(item, ratio) for item in found if (ratio := _speed_ratio(item.card.gpu.name, first.gpu.name, use)) > 1]
    for item, ratio in swaps[:MOST_SWAPS]:
        cards = (Card(item.card.gpu, item.count),)
        deal = _Deal(None if back is None else item.total_usd - back, item.total_usd, item.price_kind, item.price_as_of)
        name = f"{item.count} x {item.card.gpu.name}"
        ways.append(
            _way(Text(f"Sell them and buy {name}", f"卖掉换 {name}"), cards, deal, ratio, use, model, wanted, method)
        )
    return tuple(ways)


@dataclass(frozen=True, slots=True)
class _Deal:
    """What a way costs, and the price of its new cards with kind and day."""

    cost_usd: float | None = None
    price_usd: float | None = None
    kind: str | None = None
    as_of: str | None = None


def _named(cards: Sequence[Card]) -> str:
    return ", ".join(f"{card.count} x {card.gpu.name}" for card in cards)


def _sold(card: Card, prices: Mapping[str, float]) -> float | None:
    """Return what these cards sell for: the person's price or the newest used one, never a launch price."""
    if card.gpu.name in prices:
        return prices[card.gpu.name] * card.count
    used = [price for price in prices_of(card.gpu) if price.kind == "used"]
    return max(used, key=lambda price: price.as_of or "").price_usd * card.count if used else None


def _way(
    title: Text,
    cards: tuple[Card, ...],
    deal: _Deal,
    ratio: float,
    use: Use,
    model: str | None,
    wanted: Sequence[Need],
    method: Method | None,
) -> Upgrade:
    total = sum(card.count for card in cards)
    smallest = min(card.gpu.memory_gb for card in cards)
    need = wanted[0].per_gpu_gb if model is None else memory_of(use, model, 1 if use == "images" else total, method)[1]
    return Upgrade(
        title,
        {card.gpu.name: card.count for card in cards},
        sum(card.gpu.memory_gb * card.count for card in cards),
        smallest >= need,
        deal.cost_usd,
        deal.price_usd,
        deal.kind,
        deal.as_of,
        ratio,
        sum(board_power_w(card.gpu) * card.count for card in cards),
    )


def _speed_ratio(new: str, old: str, use: Use) -> float:
    """Return the speed of one card over that of one card now; 0 if they cannot be compared."""
    if new == old:
        return 1.0
    try:
        rows = {row.gpu: row.relative for row in relative_performance(gpus=[new, old], use=VALUE_USE[use]).rows}
    except ToolInputError:
        return 0.0
    return rows[new] / rows[old]


def upgrade_advice(ways: Sequence[Upgrade]) -> Text | None:
    """Say the cheapest way that holds the work; None if nothing is owned."""
    if not ways:
        return None
    if ways[0].fits:
        return Text(
            "What you have holds the work: spend only if you need more speed or memory.",
            "现有的卡放得下：除非要更快或更大显存，不必花钱。",
        )
    fitting = [way for way in ways if way.fits and way.cost_usd is not None]
    if not fitting:
        return Text(
            "None of these holds the work at a known price: take a smaller model, fewer bits, or rent.",
            "这几条路都放不下（或没有价格）：换小模型、降低位数，或者租。",
        )
    best = min(fitting, key=lambda way: way.cost_usd or 0)
    cost, total = figure(round(best.cost_usd or 0)), figure(best.total_memory_gb)
    kind, zh_kind = "", ""
    if best.price_kind is not None and best.price_as_of is not None:
        kind = f" ({best.price_kind} price of {best.price_as_of})"
        zh_kind = f"（{best.price_as_of} 的{KIND_ZH[best.price_kind]}）"
    return Text(
        f"{best.title.en}: about {cost} USD{kind} for {total} GB in all. Cards together hold more; a single answer is"
        " written no faster.",
        f"{best.title.zh}：约 {cost} 美元{zh_kind}，显存合计 {total} GB。多卡能放更大的模型，单个回答不会更快。",
    )
