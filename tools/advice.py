"""What to get: the recommendation flowchart, and whole plans built from the other tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tools._build_plans import BuildPlans, plan_build
from tools._cards import read_cards
from tools._decision import Decision, Verdict, decide, flip_hours, flips_if, read_wish, short_rent
from tools._errors import choice
from tools._flowchart import (
    HOME_METHOD,
    VENDORS,
    Use,
    Vendor,
    candidates,
    cheapest,
    flowchart,
    needs,
    read_method,
    read_model,
    read_use,
    rentals,
)
from tools._makers import FORMS, Form, Sides, listed, listed_flip, listed_notes, sides_of
from tools._picks import Pick, assumptions, path, pick_sources, picks, rent_notes, vendor_notes
from tools._ranking import unpriced_note
from tools._result import Result, Text
from tools._tables import own_prices, own_rents
from tools._terms import ELECTRICITY_USD_PER_KWH
from tools._training_states import Method
from tools._upgrade import Upgrade, upgrade_advice, upgrades

__all__ = ["TOOLS", "BuildPlans", "Recommendation", "plan_build", "recommend"]


@dataclass(frozen=True, kw_only=True)
class Recommendation(Result):
    """A verdict, the cards, and the way through the flowchart.

    Attributes:
        verdict: "buy", "used" (buy second-hand), "rent" or "wait".
        use: Kind of work.
        model: Model asked about, null for the guide's rule.
        needed_gb: Memory needed on one card. [GB]
        method: How a model is fine-tuned; null for other work.
        budget_usd: Money there is for the cards; null if none was named. [USD]
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
    method: Method | None
    budget_usd: float | None
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
    method: Method | None = None,
) -> Recommendation:
    """Recommend to buy, buy used, rent or wait, and name the cards.

    Use it for "which GPU should I get for fine-tuning a 7B?", "what is the best card for 800
    dollars?", "should I rent or buy for 10 hours a week?". It asks for memory first.

    Args:
        use: train (from scratch or all weights), finetune (by `method`), inference (about 4 bit) or images.
        model: Largest model, name or size; without it the guide's rule of 12 GB (images) or 24 GB holds.
        budget_usd: Money for the cards. [USD]
        hours_per_week: Hours of use; 25.2 (15 %) if left out. [h/week]
        months: How long you will use it; 36 if left out. [months]
        vendor: Only NVIDIA, AMD, Apple or Google (TPU).
        cards: Cards you have, e.g. {"RTX 3090": 1}, to add to or to sell.
        prices_usd: Your own prices by card; they come first. [USD]
        rents_usd_per_h: Your own rents by card. [USD/h]
        form: Cards for a desktop or chips of a laptop.
        method: How to fine-tune: qlora (4-bit base weights, if left out), lora (16-bit ones) or full.

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
    wish = read_wish(budget_usd, hours_per_week, months, ELECTRICITY_USD_PER_KWH)
    own, rents = own_prices(prices_usd), own_rents(rents_usd_per_h)
    have = () if cards is None else read_cards(cards)
    shape = FORMS[FORMS.index(choice("form", form, FORMS))]
    tuned = read_method(kind, method)
    wanted = needs(kind, name, tuned)
    chips = listed(maker, shape, wanted[0].per_gpu_gb, own, wish.budget_usd)
    found, ranking = candidates(kind, wanted, wish.budget_usd, maker, own)
    found = found if chips is None else []
    hired = rentals(kind, wanted, maker, found[0] if found else None, rents) if chips is None else ()
    rent = hired[0] if hired else None
    made = decide(found[0] if found else None, rent, wish) if chips is None else _listed_verdict(chips)
    least = cheapest(kind, wanted, maker, own) if chips is None else None
    sides, side_sources = sides_of(maker, found)
    ways = upgrades(have, kind, name, wanted, found, own, tuned)
    said = flips_if(made, rent, least, wish) if chips is None else listed_flip(maker, chips)
    results = [item for item in (wanted[0].result, made.power, made.break_even) if item is not None]
    return Recommendation(
        verdict=made.verdict,
        use=kind,
        model=name,
        method=tuned,
        budget_usd=wish.budget_usd,
        needed_gb=wanted[0].per_gpu_gb,
        picks=picks(made.verdict, found, hired) if chips is None else chips,
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
            *assumptions(kind, name, hours_per_week, months, tuned or HOME_METHOD),
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


def _listed_verdict(chips: tuple[Pick, ...]) -> Decision:
    """Buy what the person named a price for, rent what can be rented only, else wait for a price."""
    first = next((chip for chip in chips if chip.price_kind in ("own", "rent")), None)
    verdict: Verdict = "wait" if first is None else "buy" if first.price_kind == "own" else "rent"
    return Decision(verdict, None, None, None, None)


TOOLS = (recommend, plan_build)
