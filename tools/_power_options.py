"""What would make a machine fit its supply and outlet, and what a limit costs in speed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tools._cards import Card, board_power_w
from tools._errors import ToolInputError
from tools._outlet import CONTINUOUS_SHARE, Outlet, stronger
from tools._power_limit import LimitUse, power_limit_effect
from tools._result import Text
from tools._supply import largest_load_w, smallest_psu_w
from tools._units import figure

# With a power limit the cards are steadier, so a tenth of the supply is kept for the rest.
LIMITED_SHARE = 0.9
# People set limits in round numbers; 300 W for an RTX 3090 is the guide's own.
LIMIT_STEP_W = 25.0
# nvidia-smi refuses limits far below the board power; about half is the lowest seen.
LOWEST_LIMIT_SHARE = 0.5
# Above this, supplies want a 200 to 240 V outlet.
BIGGEST_AT_120_V = 1600.0


@dataclass(frozen=True, slots=True)
class SpeedCost:
    """Share of the speed that a limit costs the hardest hit card; null where the limit is out of range."""

    training: float | None = None
    training_low: float | None = None
    training_high: float | None = None
    decode: float | None = None


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine on its supply and outlet, as far as the options depend on it."""

    chosen: tuple[Card, ...]
    limit_w: float | None
    platform_w: float
    supply_w: float | None
    psu_count: int
    efficiency: float
    outlet: Outlet | None


def drawn(card: Card, limit_w: float | None) -> float:
    """Return what a card takes: its board power, or the limit if that is lower, in W."""
    full = board_power_w(card.gpu)
    return full if limit_w is None else min(full, limit_w)


def each(chosen: tuple[Card, ...], limit_w: float | None) -> list[float]:
    """Return the watts of every single card."""
    return [drawn(card, limit_w) for card in chosen for _ in range(card.count)]


def load_w(machine: Machine, limit_w: float | None) -> float:
    """Return the load of the busiest supply, in W."""
    return largest_load_w(each(machine.chosen, limit_w), machine.platform_w, machine.psu_count)


def suggested_limit_w(machine: Machine) -> float | None:
    """Return the highest round limit, in W, that leaves a tenth of each supply free and lets the outlet hold."""
    start = max(drawn(card, machine.limit_w) for card in machine.chosen)
    if machine.limit_w is not None and _holds(machine, start):
        return None  # the limit that is set leaves that tenth already
    limit = math.floor(start / LIMIT_STEP_W) * LIMIT_STEP_W
    lowest = LOWEST_LIMIT_SHARE * max(board_power_w(card.gpu) for card in machine.chosen)
    while limit >= lowest:
        if _holds(machine, limit):
            return limit if limit < start else None
        limit -= LIMIT_STEP_W
    return None


def _holds(machine: Machine, limit_w: float) -> bool:
    total = machine.platform_w + sum(each(machine.chosen, limit_w))
    supplied = machine.supply_w is None or load_w(machine, limit_w) <= LIMITED_SHARE * machine.supply_w
    return supplied and (machine.outlet is None or total / machine.efficiency <= machine.outlet.limit_w)


def speed_cost(chosen: tuple[Card, ...], limit_w: float | None) -> SpeedCost:
    """Ask what the limit costs in training and in writing tokens."""
    if limit_w is None or all(board_power_w(card.gpu) <= limit_w for card in chosen):
        return SpeedCost()
    try:
        training = [_effect(card, limit_w, "training") for card in chosen]
        decode = [_effect(card, limit_w, "decode") for card in chosen]
    except ToolInputError:  # a limit below what any card takes
        return SpeedCost()
    worst = max(training)
    return SpeedCost(worst[0], worst[1], worst[2], max(decode)[0])


def _effect(card: Card, limit_w: float, use: LimitUse) -> tuple[float, float, float]:
    effect = power_limit_effect(gpu=card.gpu.name, power_limit_w=limit_w, use=use)
    return round(effect.loss_share, 3), round(1 - effect.high, 3), round(1 - effect.low, 3)


def options(machine: Machine, suggestion: float | None, cost: SpeedCost, recommended: float | None) -> tuple[Text, ...]:
    """List what would make the machine fit."""
    return (*_limit(machine, suggestion, cost), *_supplies(machine, recommended), *_circuits(machine), *_fewer(machine))


def _limit(machine: Machine, suggestion: float | None, cost: SpeedCost) -> Sequence[Text]:
    if suggestion is None:
        return ()
    total = figure(machine.platform_w + sum(each(machine.chosen, suggestion)))
    loss, verlust = "", ""
    if cost.training is not None and cost.decode is not None:
        loss = f", training loses about {cost.training:.0%}, decoding {cost.decode:.0%}"
        verlust = f"，训练约慢 {cost.training:.0%}，生成约慢 {cost.decode:.0%}"
    return (
        Text(
            f"Limit every card to {figure(suggestion)} W: the machine takes {total} W{loss}.",
            f"每张卡限到 {figure(suggestion)} W：整机 {total} W{verlust}。",
        ),
    )


def _supplies(machine: Machine, recommended: float | None) -> Sequence[Text]:
    if machine.supply_w is None:
        return ()
    found: list[Text] = []
    if recommended is not None and recommended > machine.supply_w * machine.psu_count:
        high = recommended > BIGGEST_AT_120_V
        found.append(
            Text(
                f"Take one supply of {figure(recommended)} W{' on 200 to 240 V' if high else ''}.",
                f"换一个 {figure(recommended)} W 的电源{'，接 200 至 240 V' if high else ''}。",
            )
        )
    if machine.psu_count == 1 and sum(card.count for card in machine.chosen) > 1:
        share = largest_load_w(each(machine.chosen, machine.limit_w), machine.platform_w, 2)
        size = smallest_psu_w(share / CONTINUOUS_SHARE)
        if size is not None:
            found.append(
                Text(
                    f"Share the cards between two supplies of {figure(size)} W, started together.",
                    f"把卡分给两个 {figure(size)} W 的电源，并让它们同时启动。",
                )
            )
    return found


def _circuits(machine: Machine) -> Sequence[Text]:
    outlet = machine.outlet
    if outlet is None:
        return ()
    wall = (machine.platform_w + sum(each(machine.chosen, machine.limit_w))) / machine.efficiency
    if wall <= outlet.limit_w:
        return ()
    better, circuits = stronger(outlet, wall), math.ceil(wall / outlet.limit_w)
    found = [
        Text(
            f"Spread {figure(wall)} W over {circuits} circuits, with a supply on each.",
            f"把 {figure(wall)} W 分到 {circuits} 路插座回路上，每路接一个电源。",
        )
    ]
    if better is not None and better.name is not None:
        carries = figure(better.limit_w)
        found.insert(
            0,
            Text(
                f"Use a stronger circuit ({better.name.en}): it carries {carries} W continuously.",
                f"改用更大的回路（{better.name.zh}）：可持续供 {carries} W。",
            ),
        )
    return found


def _fewer(machine: Machine) -> Sequence[Text]:
    (card, *others) = machine.chosen
    if others or machine.supply_w is None or card.count == 1 or machine.psu_count > 1:
        return ()
    room = CONTINUOUS_SHARE * machine.supply_w - machine.platform_w
    if machine.outlet is not None:
        room = min(room, machine.outlet.limit_w * machine.efficiency - machine.platform_w)
    fitting = math.floor(room / drawn(card, machine.limit_w))
    if not 0 < fitting < card.count:
        return ()
    noun = "card" if fitting == 1 else "cards"
    return (Text(f"Or keep only {fitting} {noun} ({card.gpu.name}).", f"或者只留 {fitting} 张 {card.gpu.name}。"),)
