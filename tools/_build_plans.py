"""Whole plans built from the other tools, and why there is only one where there is only one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tools._cards import Card, read_cards
from tools._decision import BUDGET_HINT, DAYS_PER_MONTH, USUAL_MONTHS, Wish, payable, read_wish
from tools._errors import number
from tools._flowchart import (
    MOST_PICKS,
    Candidate,
    Need,
    Rental,
    Use,
    candidates,
    flowchart,
    needs,
    read_model,
    read_use,
    rentals,
)
from tools._picks import assumptions, pick_sources, price_notes, rent_notes, vendor_notes
from tools._plan import Plan, PlanNeed, build_plan, owned_plan, rent_plan
from tools._result import Result, Source, Text
from tools._tables import grid_of, own_prices, own_rents, tariff_of
from tools._terms import ELECTRICITY_HINT, ELECTRICITY_USD_PER_KWH
from tools._units import figure

# A person who plans wants something to compare with.
LEAST_PLANS = 2
NO_PLAN = Text(
    "No cards with a known price hold that within the budget.",
    "预算内没有已知价格的卡放得下。",
)


@dataclass(frozen=True, kw_only=True)
class BuildPlans(Result):
    """One to three plans, each with the results of the tools it rests on.

    Attributes:
        plans: Owned cards first if there are any, renting first where it is cheaper, then the recommended cards.
        fewer_because: Why there is no second plan; null if there is one.
        country: Country whose electricity was counted; null for the guide's price.
        electricity_usd_per_kwh: Price of electricity. [USD/kWh]
        hours_per_week: Hours of use that were counted. [h/week]
    """

    plans: tuple[Plan, ...]
    fewer_because: Text | None
    country: str | None
    electricity_usd_per_kwh: float
    hours_per_week: float


def plan_build(
    *,
    use: Use = "inference",
    model: str | None = None,
    budget_usd: float | None = None,
    hours_per_week: float | None = None,
    country: str | None = None,
    cards: Mapping[str, int] | None = None,
    months: float | None = None,
    prices_usd: Mapping[str, float] | None = None,
    rents_usd_per_h: Mapping[str, float] | None = None,
    machine_usd: float = 0.0,
    electricity_usd_per_kwh: float | None = None,
) -> BuildPlans:
    """Plan whole machines: cards, memory, speed, power, cooling, cost, rent and carbon together.

    Use it for "plan me a machine for a 70B model under 3000 dollars in Germany", or "what can my
    two 3090s do and cost?" with `cards`.

    Args:
        use: train, finetune, inference or images.
        model: Largest model, name or size.
        budget_usd: Money for the cards. [USD]
        hours_per_week: Hours of use; 25.2 (15 %) if left out. [h/week]
        country: Country, for the price and the carbon of its electricity.
        cards: Cards you already have, e.g. {"RTX 3090": 2}.
        months: How long you will use it; 36 if left out. [months]
        prices_usd: Your own prices by card. [USD]
        rents_usd_per_h: Your own rents by card. [USD/h]
        machine_usd: Price of the computer around the cards. [USD]
        electricity_usd_per_kwh: Your own price of electricity; it comes before that of the country. [USD/kWh]

    Returns:
        Plans with the plain results of every tool they called, those calls, what would flip each, and why there is no
        second one.

    Raises:
        ToolInputError: If a card, a model or a country is unknown, or a number is out of range.

    Notes:
        Nothing is computed here: each figure is the field of the tool named in the plan's `calls`. Renting stands
        first where buying has not paid for itself in the months planned, and fills up to two plans otherwise.
    """
    kind, name = read_use(use), read_model(model)
    have = () if cards is None else read_cards(cards)
    place = _place(country, electricity_usd_per_kwh)
    wish = read_wish(budget_usd, hours_per_week, months, place.usd_per_kwh)
    own, rents = own_prices(prices_usd), own_rents(rents_usd_per_h)
    machine = number("machine_usd", machine_usd, "USD", high=1e7, may_equal_low=True, hint=BUDGET_HINT)
    wanted = needs(kind, name)
    found, _ = candidates(kind, wanted, wish.budget_usd, None, own)
    hired = rentals(kind, wanted, None, found[0] if found else None, rents)
    rent = hired[0] if hired else None
    need = PlanNeed(kind, name, wish, place.code, machine)
    owned: list[Plan] = [] if cards is None else [owned_plan(cards, need, rent)]
    shown = (_better(found, have) if have else found)[: MOST_PICKS - len(owned)]
    bought = [build_plan(item, need, rent) for item in shown]
    paid = [item for item in hired if payable(item, wish)]
    # Renting stands first where it is cheaper at this use; otherwise it fills up to two plans.
    first = [rent_plan(item, need) for item in paid[:1] if not owned and bought and _late(bought[0], wish)]
    plans = [*owned, *first, *bought][:MOST_PICKS]
    plans += [rent_plan(item, need) for item in paid[len(first) :][: max(LEAST_PLANS - len(plans), 0)]]
    return BuildPlans(
        plans=tuple(plans),
        fewer_because=_few(found, _next(kind, wanted, own, found), rent, wish) if len(plans) < LEAST_PLANS else None,
        country=place.name,
        electricity_usd_per_kwh=place.usd_per_kwh,
        hours_per_week=wish.hours_per_week,
        steps=(f"plans = {len(plans)}",),
        assumptions=(
            *assumptions(kind, name, hours_per_week, USUAL_MONTHS, priced=machine > 0),
            *vendor_notes(shown),
            *price_notes(shown),
            *rent_notes(rent),
        ),
        warnings=() if plans else (NO_PLAN,),
        sources=(flowchart()[1], *place.sources, *pick_sources(shown, rent)),
    )


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the machine stands: the price of its electricity, and the code of its grid."""

    usd_per_kwh: float
    code: str | None = None
    name: str | None = None
    sources: tuple[Source, ...] = ()


def _place(country: object, usd_per_kwh: float | None) -> _Place:
    """Return the place; a price that the person gave comes before that of the country."""
    if usd_per_kwh is not None:
        price = number(
            "electricity_usd_per_kwh", usd_per_kwh, "USD/kWh", high=5, may_equal_low=True, hint=ELECTRICITY_HINT
        )
        if country is None:
            return _Place(price)
        grid = grid_of(country, "country")
        return _Place(price, grid.code, grid.name.en, (grid.source,))
    if country is None:
        return _Place(ELECTRICITY_USD_PER_KWH)
    tariff = tariff_of(country)
    return _Place(tariff.value, tariff.code, tariff.name.en, (tariff.source,))


def _late(plan: Plan, wish: Wish) -> bool:
    """Whether buying has not paid for itself by the end of the time planned."""
    even = plan.break_even
    return even is not None and (even.break_even_days is None or even.break_even_days > wish.months * DAYS_PER_MONTH)


def _better(found: list[Candidate], have: tuple[Card, ...]) -> list[Candidate]:
    """Leave out what is no step up from the cards one has: neither more memory together nor more bandwidth."""
    memory = sum(card.gpu.memory_gb * card.count for card in have)
    bandwidth = max(card.gpu.memory_bandwidth_gb_s for card in have)
    return [
        item
        for item in found
        if item.count * item.card.gpu.memory_gb > memory or item.card.gpu.memory_bandwidth_gb_s > bandwidth
    ]


def _next(use: Use, wanted: tuple[Need, ...], own: Mapping[str, float], found: list[Candidate]) -> Candidate | None:
    """Return the cheapest cards beyond those found, whatever the budget."""
    everything, _ = candidates(use, wanted, None, None, own)
    names = {item.card.gpu.name for item in found}
    rest = [item for item in everything if item.card.gpu.name not in names]
    return min(rest, key=lambda item: item.total_usd, default=None)


def _few(found: list[Candidate], beyond: Candidate | None, rent: Rental | None, wish: Wish) -> Text:
    """Say why there is nothing else to buy, and why renting is no second plan."""
    if beyond is None:
        buying = (
            (
                "No other card of the flowchart has a known price and the memory.",
                "流程图里没有别的卡既有报价、显存又够。",
            )
            if found
            else ("No card of the flowchart with a known price has the memory.", "流程图里有报价的卡显存都不够。")
        )
    else:
        name, cost = f"{beyond.count} x {beyond.card.gpu.name}", figure(round(beyond.total_usd))
        buying = (
            f"The next cards that hold it cost more than the budget: {name}, {cost} USD.",
            f"其他放得下的卡超出预算：最便宜的是 {beyond.count} 张 {beyond.card.gpu.name}，{cost} 美元。",
        )
    if rent is None:
        renting = ("Nobody in the list of rents has cards that hold it.", "租价表里也没有放得下的卡。")
    elif not payable(rent, wish):
        month = figure(round(wish.rent_usd_per_month(rent.usd_per_h)))
        renting = (
            f"The budget does not pay a month of rent ({month} USD).",
            f"预算也不够一个月的租金（{month} 美元）。",
        )
    else:
        renting = ("Only one kind of them can be rented within the budget.", "预算内能租到的也只有一种。")
    return Text(f"{buying[0]} {renting[0]}", f"{buying[1]}{renting[1]}")
