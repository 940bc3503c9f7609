"""One plan: the results of the tools for a set of cards, side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from tools._cards import read_cards
from tools._decision import Wish, compare, flip_hours
from tools._errors import ToolInputError
from tools._flowchart import HOME_FORMAT, VALUE_USE, Candidate, Rental, Use, memory_of
from tools._result import Result, Text
from tools._units import figure
from tools.carbon import CarbonFootprint, carbon_footprint
from tools.cloud import BreakEven
from tools.cooling import CoolingCheck, cooling_check
from tools.performance import decode_rate, relative_performance
from tools.power import PowerCheck, power_check
from tools.value import OwnershipCost, ownership_cost

WEEKS_PER_YEAR = 365.0 / 7
Outcome = TypeVar("Outcome")


@dataclass(frozen=True, slots=True)
class Plan:
    """Cards with what each tool says about them; null where a tool has no answer.

    Attributes:
        title: What the plan is.
        cards: Cards by name and number.
        memory: `inference_memory` or `training_memory`, null without a model.
        speed: `decode_rate` for a language model that is served, else `relative_performance`.
        power: `power_check` with the usual platform.
        cooling: `cooling_check` on an ATX board.
        ownership: `ownership_cost` of the whole machine at the wall with the price of the cards.
        break_even: `cloud_break_even` against the rent; null for owned cards.
        carbon: `carbon_footprint` of a year.
        flips_if: What would turn the plan down.
    """

    title: Text
    cards: dict[str, int]
    memory: Result | None
    speed: Result | None
    power: PowerCheck
    cooling: CoolingCheck | None
    ownership: OwnershipCost
    break_even: BreakEven | None
    carbon: CarbonFootprint
    flips_if: Text


def build_plan(item: Candidate, use: Use, model: str | None, wish: Wish, region: str | None,
               rent: Rental | None) -> Plan:
    """Plan a machine around cards to buy."""
    name, price = item.card.gpu.name, item.total_usd
    title = Text(f"Buy {item.count} x {name} ({item.price_kind})", f"买 {item.count} 张 {name}")
    return _plan(title, {name: item.count}, price, use, model, wish, region, rent)


def owned_plan(cards: Mapping[str, int], use: Use, model: str | None, wish: Wish, region: str | None,
               rent: Rental | None) -> Plan:
    """Plan a machine around cards the person already has."""
    chosen = {card.gpu.name: card.count for card in read_cards(cards)}
    listed = ", ".join(f"{number} x {name}" for name, number in chosen.items())
    return _plan(Text(f"Use your {listed}", f"用您现有的 {listed}"), chosen, None, use, model, wish, region, rent)


def _plan(title: Text, cards: dict[str, int], price: float | None, use: Use, model: str | None, wish: Wish,
          region: str | None, rent: Rental | None) -> Plan:
    power = power_check(cards=cards)
    even = None if price is None or rent is None else compare(price, rent.usd_per_h, power, wish)
    return Plan(
        title=title, cards=cards, memory=_memory(cards, use, model), speed=_speed(cards, use, model), power=power,
        cooling=_or_none(lambda: cooling_check(cards=cards)),
        ownership=ownership_cost(power_w=power.wall_w, utilization=wish.utilization,
                                 electricity_usd_per_kwh=wish.usd_per_kwh, price_usd=price),
        break_even=even,
        carbon=_carbon(power.wall_w, wish, region), flips_if=_flips(even, wish))


def _memory(cards: dict[str, int], use: Use, model: str | None) -> Result | None:
    return None if model is None else memory_of(use, model, sum(cards.values()))[0]


def _speed(cards: dict[str, int], use: Use, model: str | None) -> Result | None:
    if use == "inference" and model is not None and len(cards) == 1:
        (name, number), = cards.items()
        rate = _or_none(lambda: decode_rate(gpu=name, model=model, weight_format=HOME_FORMAT, gpu_count=number))
        if rate is not None:
            return rate
    return _or_none(lambda: relative_performance(gpus=list(cards), use=VALUE_USE[use]))


def _carbon(wall_w: float, wish: Wish, region: str | None) -> CarbonFootprint:
    hours = wish.hours_per_week * WEEKS_PER_YEAR
    here = _or_none(lambda: carbon_footprint(power_w=wall_w, hours=hours, region=region))
    return carbon_footprint(power_w=wall_w, hours=hours) if here is None else here


def _or_none(ask: Callable[[], Outcome]) -> Outcome | None:
    """Return what a tool says, or None where it has no answer for these cards."""
    try:
        return ask()
    except ToolInputError:
        return None


def _flips(even: BreakEven | None, wish: Wish) -> Text:
    hours, months = flip_hours(even), figure(wish.months)
    if even is None:
        return Text("It flips if the model outgrows the memory of these cards.",
                    "模型超出这些卡的显存时，方案就不成立。")
    if hours is None:
        return Text(f"Renting is cheaper for all of {months} months, at any use.",
                    f"{months} 个月内无论用多少，租都更便宜。")
    shown = figure(round(hours, 1))
    return Text(f"Below {shown} hours a week over {months} months renting is cheaper.",
                f"{months} 个月里每周少于 {shown} 小时，租更便宜。")
