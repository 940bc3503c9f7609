"""One plan: the results of the tools for a set of cards, side by side, each with the call that gives it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tools._cards import read_cards
from tools._decision import DAYS_PER_MONTH, Wish, flip_hours
from tools._errors import ToolInputError
from tools._flowchart import HOME_FORMAT, VALUE_USE, Candidate, Rental, Use
from tools._result import Result, Text
from tools._units import figure
from tools.carbon import CarbonFootprint, carbon_footprint
from tools.cloud import BreakEven, cloud_break_even
from tools.cooling import CoolingCheck, cooling_check
from tools.memory import inference_memory, training_memory
from tools.performance import decode_rate, relative_performance
from tools.power import PowerCheck, power_check
from tools.value import OwnershipCost, ownership_cost

WEEKS_PER_YEAR = 365.0 / 7
Outcome = TypeVar("Outcome", bound=Result)


@dataclass(frozen=True, slots=True)
class PlanCall:
    """The tool behind a part of a plan, and the arguments that give the same result."""

    part: str
    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """Cards with what each tool says about them; null where a tool has no answer.

    Attributes:
        title: What the plan is.
        cards: Cards by name and number.
        memory: `inference_memory` or `training_memory`, null without a model.
        speed: `decode_rate` for a language model that is served, else `relative_performance`.
        power: `power_check` with the usual platform; null for rented cards.
        cooling: `cooling_check` on an ATX board.
        ownership: `ownership_cost` of the whole machine at the wall with the price of the cards; null if rented.
        break_even: `cloud_break_even` against the rent; null for owned cards.
        carbon: `carbon_footprint` of a year.
        rent_usd_per_h: Rent of all cards, if the plan is to rent. [USD/h]
        rent_usd_per_month: The same at the hours planned. [USD/month]
        flips_if: What would turn the plan down.
        calls: The tool behind each part with its arguments.
    """

    title: Text
    cards: dict[str, int]
    memory: Result | None
    speed: Result | None
    power: PowerCheck | None
    cooling: CoolingCheck | None
    ownership: OwnershipCost | None
    break_even: BreakEven | None
    carbon: CarbonFootprint
    rent_usd_per_h: float | None
    rent_usd_per_month: float | None
    flips_if: Text
    calls: tuple[PlanCall, ...]


@dataclass(frozen=True, slots=True)
class PlanNeed:
    """What a plan is for."""

    use: Use
    model: str | None
    wish: Wish
    region: str | None
    machine_usd: float = 0.0


@dataclass(slots=True)
class _Desk:
    """Asks the tools and keeps what was asked."""

    calls: list[PlanCall] = field(default_factory=list[PlanCall])

    def ask(self, part: str, tool: Callable[..., Outcome], **arguments: Any) -> Outcome:
        """Return what a tool says."""
        result = tool(**arguments)
        self.calls.append(PlanCall(part, tool.__name__, arguments))
        return result

    def try_(self, part: str, tool: Callable[..., Outcome], **arguments: Any) -> Outcome | None:
        """Return what a tool says, or None where it has no answer for these cards."""
        try:
            return self.ask(part, tool, **arguments)
        except ToolInputError:
            return None


def build_plan(item: Candidate, need: PlanNeed, rent: Rental | None) -> Plan:
    """Plan a machine around cards to buy."""
    name = item.card.gpu.name
    title = Text(f"Buy {item.count} x {name} ({item.price_kind} price)", f"买 {item.count} 张 {name}")
    return _plan(title, {name: item.count}, item.total_usd, need, rent)


def owned_plan(cards: Mapping[str, int], need: PlanNeed, rent: Rental | None) -> Plan:
    """Plan a machine around cards the person already has."""
    chosen = {card.gpu.name: card.count for card in read_cards(cards)}
    listed = ", ".join(f"{number} x {name}" for name, number in chosen.items())
    return _plan(Text(f"Use your {listed}", f"用你现有的 {listed}"), chosen, None, need, rent)


def rent_plan(rent: Rental, need: PlanNeed) -> Plan:
    """Plan to rent: nothing to power or to cool."""
    desk, cards, wish = _Desk(), {rent.gpu.name: rent.count}, need.wish
    monthly = wish.rent_usd_per_month(rent.usd_per_h)
    hours = wish.hours_per_week * WEEKS_PER_YEAR
    return Plan(
        title=Text(f"Rent {rent.count} x {rent.gpu.name}", f"租 {rent.count} 张 {rent.gpu.name}"),
        cards=cards,
        memory=_memory(desk, cards, need),
        speed=_speed(desk, cards, need),
        power=None,
        cooling=None,
        ownership=None,
        break_even=None,
        carbon=desk.ask("carbon", carbon_footprint, cards=cards, hours=hours),
        rent_usd_per_h=rent.usd_per_h,
        rent_usd_per_month=monthly,
        flips_if=Text(
            "It flips to buying with more hours a week or more money for cards.",
            "每周用得更多，或买卡的预算更高，就该买。",
        ),
        calls=tuple(desk.calls),
    )


def _plan(title: Text, cards: dict[str, int], price: float | None, need: PlanNeed, rent: Rental | None) -> Plan:
    desk, wish = _Desk(), need.wish
    power = desk.ask("power", power_check, cards=cards)
    paid = None if price is None else price + need.machine_usd
    even = (
        None
        if paid is None or rent is None
        else desk.ask(
            "break_even",
            cloud_break_even,
            desktop_usd=paid,
            cloud_usd_per_h=rent.usd_per_h,
            utilization=wish.utilization,
            power_w=power.wall_w,
            electricity_usd_per_kwh=wish.usd_per_kwh,
            horizon_days=wish.months * DAYS_PER_MONTH,
        )
    )
    spent = {} if price is None else {"price_usd": price}
    machine = {"machine_usd": need.machine_usd} if need.machine_usd else {}
    return Plan(
        title=title,
        cards=cards,
        memory=_memory(desk, cards, need),
        speed=_speed(desk, cards, need),
        power=power,
        cooling=desk.try_("cooling", cooling_check, cards=cards),
        ownership=desk.ask(
            "ownership",
            ownership_cost,
            power_w=power.wall_w,
            utilization=wish.utilization,
            electricity_usd_per_kwh=wish.usd_per_kwh,
            **spent,
            **machine,
        ),
        break_even=even,
        carbon=_carbon(desk, power.wall_w, need),
        rent_usd_per_h=None,
        rent_usd_per_month=None,
        flips_if=_flips(even, wish),
        calls=tuple(desk.calls),
    )


def _memory(desk: _Desk, cards: dict[str, int], need: PlanNeed) -> Result | None:
    total = sum(cards.values())
    if need.model is None:
        return None
    if need.use in ("inference", "images"):
        return desk.ask(
            "memory",
            inference_memory,
            model=need.model,
            gpu_count=total,
            weight_format="FP16" if need.use == "images" else HOME_FORMAT,
        )
    return desk.ask(
        "memory",
        training_memory,
        model=need.model,
        method="full" if need.use == "train" else "qlora",
        gpu_count=total,
        zero_stage=3 if total > 1 else 0,
    )


def _speed(desk: _Desk, cards: dict[str, int], need: PlanNeed) -> Result | None:
    if need.use == "inference" and need.model is not None and len(cards) == 1:
        ((name, number),) = cards.items()
        rate = desk.try_("speed", decode_rate, gpu=name, model=need.model, weight_format=HOME_FORMAT, gpu_count=number)
        if rate is not None:
            return rate
    return desk.try_("speed", relative_performance, gpus=list(cards), use=VALUE_USE[need.use])


def _carbon(desk: _Desk, wall_w: float, need: PlanNeed) -> CarbonFootprint:
    hours = need.wish.hours_per_week * WEEKS_PER_YEAR
    here = (
        None
        if need.region is None
        else desk.try_("carbon", carbon_footprint, power_w=wall_w, hours=hours, region=need.region)
    )
    return desk.ask("carbon", carbon_footprint, power_w=wall_w, hours=hours) if here is None else here


def _flips(even: BreakEven | None, wish: Wish) -> Text:
    hours, months = flip_hours(even), figure(wish.months)
    if even is None:
        return Text(
            "It flips if the model outgrows the memory of these cards.", "模型超出这些卡的显存时，方案就不成立。"
        )
    if hours is None:
        return Text(
            f"Renting is cheaper for all of {months} months, at any use.", f"{months} 个月内无论用多少，租都更便宜。"
        )
    shown = figure(round(hours, 1))
    return Text(
        f"Below {shown} hours a week over {months} months renting is cheaper.",
        f"{months} 个月里每周少于 {shown} 小时，租更便宜。",
    )
