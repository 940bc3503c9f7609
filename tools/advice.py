"""What to get: the recommendation flowchart, and whole plans built from the other tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tools._decision import HOURS_PER_WEEK, Decision, Verdict, Wish, decide, flip_hours, flips_if, payable, short_rent
from tools._errors import choice, number
from tools._flowchart import (
    MOST_PICKS,
    VENDORS,
    Candidate,
    Need,
    Use,
    Vendor,
    candidates,
    flowchart,
    needs,
    read_model,
    read_use,
    rental,
)
from tools._makers import FORMS, Form, Sides, listed, listed_flip, listed_notes, sides_of
from tools._picks import Pick, assumptions, path, pick_sources, picks, price_notes, rent_notes, vendor_notes
from tools._plan import Plan, PlanNeed, build_plan, owned_plan, rent_plan
from tools._ranking import unpriced_note
from tools._result import Result, Text
from tools._tables import own_prices, own_rents, tariff_of
from tools._terms import ELECTRICITY_USD_PER_KWH, UTILIZATION
from tools._upgrade import Upgrade, upgrade_advice, upgrades

# The guide's 15 % of the week, and the three years over which hardware is usually written off.
USUAL_HOURS_PER_WEEK = UTILIZATION * HOURS_PER_WEEK
USUAL_MONTHS = 36.0
LEAST_PLANS = 2

NO_PLAN = Text(
    "No cards with a known price hold that within the budget: `recommend` says more.",
    "预算内没有已知价格的卡放得下：请看 `recommend`。",
)
BUDGET_HINT = Text("Give US dollars for the cards, e.g. 1500.", "请给出买卡的美元预算，例如 1500。")
HOURS_HINT = Text("Give hours of use per week, 168 at most, e.g. 20.", "请给出每周使用小时数，最多 168，例如 20。")
MONTHS_HINT = Text("Give months, e.g. 24.", "请给出月数，例如 24。")


@dataclass(frozen=True, kw_only=True)
class Recommendation(Result):
    """A verdict, the cards, and the way through the flowchart.

    Attributes:
        verdict: "buy", "used" (buy second-hand), "rent" or "wait".
        use: Kind of work.
        model: Model asked about, null for the guide's rule.
        needed_gb: Memory needed on one card. [GB]
        picks: Up to three choices, the recommended one first; empty if the verdict is "wait".
        path: Questions of the flowchart with their answers.
        flips_if: What would turn the verdict around.
        hours_per_week: Hours of use that were counted. [h/week]
        months: Months that were counted. [months]
        break_even_days: Days until buying the first card has paid for itself; null if it never does. [days]
        flip_hours_per_week: Hours at which buying and renting cost the same. [h/week]
        rent_total_usd: Rent of all months; null if nobody rents out such cards. [USD]
        rent_months: Months of that rent which the budget pays; null without a budget. [months]
        upgrades: Ways on from the cards one has: keep, add one, sell and buy; empty if none were named.
        upgrade_advice: The cheapest of them that holds the work; null without cards.
        for_and_against: What speaks for and against chips that are not NVIDIA's.
    """

    verdict: Verdict
    use: Use
    model: str | None
    needed_gb: float
    picks: tuple[Pick, ...]
    path: tuple[Text, ...]
    flips_if: Text
    hours_per_week: float
    months: float
    break_even_days: float | None
    flip_hours_per_week: float | None
    rent_total_usd: float | None
    rent_months: float | None
    upgrades: tuple[Upgrade, ...]
    upgrade_advice: Text | None
    for_and_against: tuple[Sides, ...]


def recommend(
    *,
    use: Use,
    model: str | None = None,
    budget_usd: float | None = None,
    hours_per_week: float | None = None,
    months: float | None = None,
    vendor: Vendor | None = None,
    cards: Mapping[str, int] | None = None,
    prices_usd: Mapping[str, float] | None = None,
    rents_usd_per_h: Mapping[str, float] | None = None,
    form: Form = "desktop",
) -> Recommendation:
    """Recommend to buy, buy used, rent or wait, and name the cards.

    Use it for "which GPU should I get for fine-tuning a 7B?", "what is the best card for 800
    dollars?", "should I rent or buy for 10 hours a week?". It asks for memory first.

    Args:
        use: train (from scratch or all weights), finetune (QLoRA), inference (about 4 bit) or images.
        model: Largest model, name or size; without it the guide's rule of 12 GB (images) or 24 GB holds.
        budget_usd: Money for the cards. [USD]
        hours_per_week: Hours of use; 25.2 (15 %) if left out. [h/week]
        months: How long you will use it; 36 if left out. [months]
        vendor: Only NVIDIA, AMD, Apple or Google (TPU).
        cards: Cards you have, e.g. {"RTX 3090": 1}, to add to or to sell.
        prices_usd: Your own prices by card; they come first. [USD]
        rents_usd_per_h: Your own rents by card. [USD/h]
        form: Cards for a desktop or chips of a laptop.

    Returns:
        Verdict, picks, the path through the flowchart, what would flip it, and ways on from owned cards.

    Raises:
        ToolInputError: If the model is unknown or a number is outside its range.

    Notes:
        Cards of the flowchart that hold the work (one, two or four of them) are ranked by
        `rank_by_value`; the first is compared by `cloud_break_even` with renting the same card, or else the
        cheapest one that holds the work. NVIDIA stands before AMD, the cheapest card second. The
        computer around the cards is not counted on the side of buying. Apple's chips, TPUs and laptops have no price
        here: those that hold the work are listed, and the verdict is "wait" until one is given.

    References:
        Tim Dettmers, Which GPU(s) to Get for Deep Learning (2023), sections 7 and 8; his flowchart
        with the cards and prices of 2024 to 2026.
    """
    kind, name = read_use(use), read_model(model)
    maker = _vendor(vendor)
    wish = _wish(budget_usd, hours_per_week, months, ELECTRICITY_USD_PER_KWH)
    own, rents = own_prices(prices_usd), own_rents(rents_usd_per_h)
    shape = FORMS[FORMS.index(choice("form", form, FORMS))]
    wanted = needs(kind, name)
    chips = listed(maker, shape, wanted[0].per_gpu_gb, own, wish.budget_usd)
    found, ranking = candidates(kind, wanted, wish.budget_usd, maker, own)
    found = found if chips is None else []
    rent = rental(kind, wanted, maker, found[0] if found else None, rents) if chips is None else None
    made = decide(found[0] if found else None, rent, wish) if chips is None else _listed_verdict(chips)
    cheapest = _cheapest(kind, wanted, maker, own) if chips is None else None
    sides, side_sources = sides_of(maker, found)
    ways = upgrades(cards, kind, name, wanted, found, own)
    said = flips_if(made, rent, cheapest, wish) if chips is None else listed_flip(maker, chips)
    results = [item for item in (wanted[0].result, made.power, made.break_even) if item is not None]
    return Recommendation(
        verdict=made.verdict,
        use=kind,
        model=name,
        needed_gb=wanted[0].per_gpu_gb,
        picks=picks(made.verdict, found, rent) if chips is None else chips,
        path=path(kind, name, wanted, found, made.verdict, wish),
        flips_if=said,
        hours_per_week=wish.hours_per_week,
        months=wish.months,
        break_even_days=None if made.break_even is None else made.break_even.break_even_days,
        flip_hours_per_week=flip_hours(made.break_even),
        rent_total_usd=made.rent_total_usd,
        rent_months=made.rent_months,
        upgrades=ways,
        upgrade_advice=upgrade_advice(ways),
        for_and_against=sides,
        steps=tuple(step for item in (*results, ranking) for step in item.steps),
        assumptions=(
            *assumptions(kind, name, hours_per_week, months),
            *vendor_notes(found),
            *rent_notes(rent),
            *(unpriced_note(ranking.unpriced) if chips is None else ()),
        ),
        warnings=(
            *(() if chips is None else listed_notes(maker, shape, chips)),
            *(ranking.warnings if found else short_rent(made, wish)),
        ),
        sources=tuple(
            dict.fromkeys(
                (
                    flowchart()[1],
                    *pick_sources(found, rent),
                    *side_sources,
                    *(source for item in (*results, ranking) for source in item.sources),
                )
            )
        ),
    )


def _vendor(vendor: str | None) -> Vendor | None:
    return None if vendor is None else VENDORS[VENDORS.index(choice("vendor", vendor, VENDORS))]


def _wish(budget_usd: float | None, hours: float | None, months: float | None, usd_per_kwh: float) -> Wish:
    return Wish(
        USUAL_HOURS_PER_WEEK
        if hours is None
        else number("hours_per_week", hours, "h", high=HOURS_PER_WEEK, hint=HOURS_HINT),
        USUAL_MONTHS if months is None else number("months", months, "months", high=240, hint=MONTHS_HINT),
        None if budget_usd is None else number("budget_usd", budget_usd, "USD", high=1e8, hint=BUDGET_HINT),
        usd_per_kwh,
    )


def _listed_verdict(chips: tuple[Pick, ...]) -> Decision:
    """Buy what the person named a price for, rent what can be rented only, else wait for a price."""
    first = next((chip for chip in chips if chip.price_kind in ("own", "rent")), None)
    verdict: Verdict = "wait" if first is None else "buy" if first.price_kind == "own" else "rent"
    return Decision(verdict, None, None, None, None)


def _cheapest(use: Use, wanted: tuple[Need, ...], vendor: Vendor | None, own: Mapping[str, float]) -> Candidate | None:
    everything, _ = candidates(use, wanted, None, vendor, own)
    return min(everything, key=lambda item: item.total_usd) if everything else None


@dataclass(frozen=True, kw_only=True)
class BuildPlans(Result):
    """One to three plans, each with the results of the tools it rests on.

    Attributes:
        plans: Owned cards first if there are any, then the recommended ones.
        country: Country whose electricity was counted; null for the guide's price.
        electricity_usd_per_kwh: Price of electricity. [USD/kWh]
        hours_per_week: Hours of use that were counted. [h/week]
    """

    plans: tuple[Plan, ...]
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

    Returns:
        Plans with the plain results of every tool they called, those calls, and what would flip each.

    Raises:
        ToolInputError: If a card, a model or a country is unknown, or a number is out of range.

    Notes:
        Nothing is computed here: each figure is the field of the tool named in the plan's `calls`. With a single plan
        to buy, renting is the second one if the budget pays a month of it.
    """
    kind, name = read_use(use), read_model(model)
    tariff = None if country is None else tariff_of(country)
    usd_per_kwh = ELECTRICITY_USD_PER_KWH if tariff is None else tariff.value
    wish = _wish(budget_usd, hours_per_week, months, usd_per_kwh)
    own, rents = own_prices(prices_usd), own_rents(rents_usd_per_h)
    machine = number("machine_usd", machine_usd, "USD", high=1e7, may_equal_low=True, hint=BUDGET_HINT)
    wanted = needs(kind, name)
    found, _ = candidates(kind, wanted, wish.budget_usd, None, own)
    rent = rental(kind, wanted, None, found[0] if found else None, rents)
    need = PlanNeed(kind, name, wish, None if tariff is None else tariff.code, machine)
    plans: list[Plan] = [] if cards is None else [owned_plan(cards, need, rent)]
    plans += [build_plan(item, need, rent) for item in found[: MOST_PICKS - len(plans)]]
    if len(plans) < LEAST_PLANS and rent is not None and payable(rent, wish):
        plans.append(rent_plan(rent, need))
    return BuildPlans(
        plans=tuple(plans),
        country=None if tariff is None else tariff.name.en,
        electricity_usd_per_kwh=usd_per_kwh,
        hours_per_week=wish.hours_per_week,
        steps=(f"plans = {len(plans)}",),
        assumptions=(
            *assumptions(kind, name, hours_per_week, USUAL_MONTHS, priced=machine > 0),
            *vendor_notes(found),
            *price_notes(found),
            *rent_notes(rent),
        ),
        warnings=() if plans else (NO_PLAN,),
        sources=(flowchart()[1], *(() if tariff is None else (tariff.source,)), *pick_sources(found, rent)),
    )


TOOLS = (recommend, plan_build)
