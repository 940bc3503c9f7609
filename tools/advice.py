"""What to get: the recommendation flowchart, and whole plans built from the other tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tools._decision import HOURS_PER_WEEK, Verdict, Wish, decide, flip_hours, flips_if, short_rent
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
from tools._picks import Pick, assumptions, path, pick_sources, picks, price_notes, rent_notes, vendor_notes
from tools._plan import Plan, build_plan, owned_plan
from tools._ranking import unpriced_note
from tools._result import Result, Text
from tools._tables import tariff_of
from tools._terms import ELECTRICITY_USD_PER_KWH, UTILIZATION

# The guide's 15 % of the week, and the three years over which hardware is usually written off.
USUAL_HOURS_PER_WEEK = UTILIZATION * HOURS_PER_WEEK
USUAL_MONTHS = 36.0

NO_PLAN = Text("No cards with a known price hold that within the budget: `recommend` says more.",
               "预算内没有已知价格的卡放得下：请看 `recommend`。")
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


def recommend(
    *,
    use: Use,
    model: str | None = None,
    budget_usd: float | None = None,
    hours_per_week: float | None = None,
    months: float | None = None,
    vendor: Vendor | None = None,
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
        vendor: Only NVIDIA or only AMD.

    Returns:
        Verdict, picks, the path through the flowchart and what would flip it.

    Raises:
        ToolInputError: If the model is unknown or a number is outside its range.

    Notes:
        Cards of the flowchart that hold the work (one, two or four of them) are ranked by
        `rank_by_value`; the first is compared by `cloud_break_even` with renting the same card, or else the
        cheapest one that holds the work. NVIDIA stands before AMD, the cheapest card second. The
        computer around the cards is not counted on the side of buying.

    References:
        Tim Dettmers, Which GPU(s) to Get for Deep Learning (2023), sections 7 and 8; his flowchart
        with the cards and prices of 2024 to 2026.
    """
    kind, name = read_use(use), read_model(model)
    maker = _vendor(vendor)
    wish = _wish(budget_usd, hours_per_week, months, ELECTRICITY_USD_PER_KWH)
    wanted = needs(kind, name)
    found, ranking = candidates(kind, wanted, wish.budget_usd, maker)
    rent = rental(kind, wanted, maker, found[0] if found else None)
    made = decide(found[0] if found else None, rent, wish)
    cheapest = _cheapest(kind, wanted, maker)
    results = [item for item in (wanted[0].result, made.power, made.break_even) if item is not None]
    return Recommendation(
        verdict=made.verdict, use=kind, model=name, needed_gb=wanted[0].per_gpu_gb,
        picks=picks(made.verdict, found, rent), path=path(kind, name, wanted, found, made.verdict, wish),
        flips_if=flips_if(made, rent, cheapest, wish), hours_per_week=wish.hours_per_week, months=wish.months,
        break_even_days=None if made.break_even is None else made.break_even.break_even_days,
        flip_hours_per_week=flip_hours(made.break_even), rent_total_usd=made.rent_total_usd,
        rent_months=made.rent_months,
        steps=tuple(step for item in (*results, ranking) for step in item.steps),
        assumptions=(*assumptions(kind, name, hours_per_week, months), *vendor_notes(found),
                     *rent_notes(rent), *unpriced_note(ranking.unpriced)),
        warnings=ranking.warnings if found else short_rent(made, wish),
        sources=tuple(dict.fromkeys((flowchart()[1], *pick_sources(found, rent),
                                     *(source for item in (*results, ranking) for source in item.sources)))))


def _vendor(vendor: str | None) -> Vendor | None:
    return None if vendor is None else VENDORS[VENDORS.index(choice("vendor", vendor, VENDORS))]


def _wish(budget_usd: float | None, hours: float | None, months: float | None, usd_per_kwh: float) -> Wish:
    return Wish(
        USUAL_HOURS_PER_WEEK if hours is None else number(
            "hours_per_week", hours, "h", high=HOURS_PER_WEEK, hint=HOURS_HINT),
        USUAL_MONTHS if months is None else number("months", months, "months", high=240, hint=MONTHS_HINT),
        None if budget_usd is None else number("budget_usd", budget_usd, "USD", high=1e8, hint=BUDGET_HINT),
        usd_per_kwh)


def _cheapest(use: Use, wanted: tuple[Need, ...], vendor: Vendor | None) -> Candidate | None:
    everything, _ = candidates(use, wanted, None, vendor)
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

    Returns:
        Plans with the plain results of every tool they called and what would flip each.

    Raises:
        ToolInputError: If a card, a model or a country is unknown, or a number is out of range.

    Notes:
        Nothing is computed here: each figure is the field of the tool named in the plan.
    """
    kind, name = read_use(use), read_model(model)
    tariff = None if country is None else tariff_of(country)
    usd_per_kwh = ELECTRICITY_USD_PER_KWH if tariff is None else tariff.value
    wish = _wish(budget_usd, hours_per_week, None, usd_per_kwh)
    wanted = needs(kind, name)
    found, _ = candidates(kind, wanted, wish.budget_usd, None)
    rent = rental(kind, wanted, None, found[0] if found else None)
    region = None if tariff is None else tariff.code
    plans: list[Plan] = [] if cards is None else [owned_plan(cards, kind, name, wish, region, rent)]
    plans += [build_plan(item, kind, name, wish, region, rent) for item in found[:MOST_PICKS - len(plans)]]
    return BuildPlans(
        plans=tuple(plans), country=None if tariff is None else tariff.name.en, electricity_usd_per_kwh=usd_per_kwh,
        hours_per_week=wish.hours_per_week, steps=(f"plans = {len(plans)}",),
        assumptions=(*assumptions(kind, name, hours_per_week, USUAL_MONTHS), *vendor_notes(found),
                     *price_notes(found), *rent_notes(rent)),
        warnings=() if plans else (NO_PLAN,),
        sources=(flowchart()[1], *(() if tariff is None else (tariff.source,)), *pick_sources(found, rent)))


TOOLS = (recommend, plan_build)
