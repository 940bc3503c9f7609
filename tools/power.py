"""Will the power supply and the outlet hold: watts of cards, machine and wall."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tools._cards import Card, board_power_w, read_cards, source_of
from tools._errors import ToolInputError, fraction, number
from tools._power_limit import power_limit_effect
from tools._result import Result, Source, Text
from tools._units import figure

# The guide leaves this much of a 1600 W supply for CPU and board beside four RTX 3090s.
PLATFORM_W = 200.0
# Platinum-class supply near full load; Puget Systems measured 92 % (1580 W DC, 1717 W at the wall).
PSU_EFFICIENCY = 0.92
# A continuous load may use 80 % of a circuit (NEC 210.20); web calculators plan supplies alike.
CONTINUOUS_SHARE = 0.8
# With a power limit the cards are steadier, so a tenth of the supply is kept for the rest.
LIMITED_SHARE = 0.9
# People set limits in round numbers; 300 W for an RTX 3090 is the guide's own.
LIMIT_STEP_W = 25.0
# nvidia-smi refuses limits far below the board power; about half is the lowest seen.
LOWEST_LIMIT_SHARE = 0.5
# Sizes that shops sell, ATX and, above 1600 W, workstation supplies for 200 V and more.
PSU_SIZES_W = (450, 550, 650, 750, 850, 1000, 1200, 1300, 1500, 1600, 1800, 2000, 2200, 2500, 3000)

GUIDE = Source("Which GPU(s) to Get for Deep Learning, section 5.4 (Tim Dettmers)",
               "https://timdettmers.com/2023/01/30/which-gpu-for-deep-learning/", "2023-01-30")
NEC = Source("NEC 210.20: continuous load at most 80 % of the circuit",
             "https://www.nfpa.org/codes-and-standards/nfpa-70-standard-development/70", "2023-01-01")

Verdict = Literal["fits", "tight", "does_not_fit", "no_supply_given"]


@dataclass(frozen=True, kw_only=True)
class PowerCheck(Result):
    """Power of a machine against its supply and its outlet.

    Attributes:
        gpu_w: All cards at their board power or limit. [W]
        board_power_w: All cards without a limit. [W]
        saved_w: What the limit saves. [W]
        platform_w: CPU, board, drives and fans. [W]
        system_w: Cards and platform on the supply. [W]
        psu_w: The supply asked about. [W]
        left_for_platform_w: What the supply has left beside the cards. [W]
        headroom_w: What it has left beside the whole machine. [W]
        recommended_psu_w: Smallest common supply loaded to 80 % at most; null above all of them. [W]
        wall_w: Drawn from the outlet. [W]
        outlet_limit_w: What the outlet may give continuously. [W]
        verdict: "fits", "tight", "does_not_fit" or "no_supply_given".
        suggested_power_limit_w: Limit per card that leaves a tenth of the supply free. [W]
        limited_system_w: The machine with that limit. [W]
    """

    gpu_w: float
    board_power_w: float
    saved_w: float
    platform_w: float
    system_w: float
    psu_w: float | None
    left_for_platform_w: float | None
    headroom_w: float | None
    recommended_psu_w: float | None
    wall_w: float
    outlet_limit_w: float | None
    verdict: Verdict
    suggested_power_limit_w: float | None
    limited_system_w: float | None


def power_check(
    *,
    cards: Mapping[str, int],
    platform_w: float = PLATFORM_W,
    psu_w: float | None = None,
    power_limit_w: float | None = None,
    psu_efficiency: float = PSU_EFFICIENCY,
    outlet_v: float | None = None,
    outlet_a: float | None = None,
) -> PowerCheck:
    """Add up a machine's watts and check power supply and outlet.

    Use it for "is a 1600 W supply enough for four 3090s?", "what PSU do I need?", "how much does
    a power limit save?", "will the outlet hold?".

    Args:
        cards: Cards by name and number, e.g. {"RTX 3090": 4}.
        platform_w: CPU, board, drives and fans under load. [W]
        psu_w: Rating of the power supply. [W]
        power_limit_w: Limit set per card; a card below it keeps its board power. [W]
        psu_efficiency: Output over input of the supply. [1]
        outlet_v: Voltage of the outlet. [V]
        outlet_a: Breaker or plug rating of the outlet. [A]

    Returns:
        Watts of cards, machine and wall, headroom and a verdict.

    Raises:
        ToolInputError: If a card is unknown or a number is outside its physical range.

    Notes:
        system = sum(board power or limit) + platform; wall = system / efficiency;
        headroom = psu - system; outlet limit = 0.8 x V x A. "fits" means a load of at most 80 %
        of the supply, "tight" at most 100 %. Excursions of microseconds are not summed here.

    References:
        NEC 210.20 (80 % continuous load); Puget Systems, four RTX 3090 at 1717 W from the wall.
    """
    chosen = read_cards(cards)
    platform = number("platform_w", platform_w, "W", high=3000, may_equal_low=True,
                      hint=Text("A desktop without cards takes 100 to 400 W.", "不含显卡的台式机约 100 到 400 W。"))
    efficiency = fraction("psu_efficiency", psu_efficiency,
                          hint=Text("Give a share such as 0.92 for 92 %.", "请给出比例，例如 92 % 写 0.92。"))
    supply = None if psu_w is None else number(
        "psu_w", psu_w, "W", low=50, high=20_000, may_equal_low=True,
        hint=Text("Give watts: 1.6 kW is 1600.", "请用瓦：1.6 kW 写 1600。"))
    limit = None if power_limit_w is None else number(
        "power_limit_w", power_limit_w, "W", low=30, high=2000, may_equal_low=True,
        hint=Text("Give watts per card, e.g. 300.", "请给出每张卡的瓦数，例如 300。"))
    outlet = _outlet(outlet_v, outlet_a)

    full_w = sum(board_power_w(card.gpu) * card.count for card in chosen)
    gpu_w = sum(_drawn(card, limit) * card.count for card in chosen)
    system_w = gpu_w + platform
    wall_w = system_w / efficiency
    suggestion = None if supply is None or system_w <= CONTINUOUS_SHARE * supply else _limit_for(
        chosen, platform, supply, limit)
    limited = None if suggestion is None else platform + sum(
        _drawn(card, suggestion) * card.count for card in chosen)
    return PowerCheck(
        gpu_w=gpu_w, board_power_w=full_w, saved_w=full_w - gpu_w, platform_w=platform,
        system_w=system_w, psu_w=supply,
        left_for_platform_w=None if supply is None else supply - gpu_w,
        headroom_w=None if supply is None else supply - system_w,
        recommended_psu_w=_recommended(chosen, system_w, limit), wall_w=wall_w, outlet_limit_w=outlet,
        verdict=_verdict(system_w, supply, wall_w, outlet), suggested_power_limit_w=suggestion,
        limited_system_w=limited,
        steps=_steps(chosen, limit, gpu_w, platform, system_w, supply, efficiency, wall_w, outlet_v, outlet_a),
        assumptions=_assumptions(platform_w, psu_efficiency), warnings=_warnings(wall_w, outlet, limit),
        sources=(*(source_of(card.gpu) for card in chosen), GUIDE, NEC),
    )


def _drawn(card: Card, limit_w: float | None) -> float:
    full = board_power_w(card.gpu)
    return full if limit_w is None else min(full, limit_w)


def _outlet(volts: float | None, amps: float | None) -> float | None:
    if volts is None and amps is None:
        return None
    hint = Text("Give both, e.g. `outlet_v` 120 and `outlet_a` 15 (US) or 220 and 10 (China).",
                "请两个都给，例如 `outlet_v` 220、`outlet_a` 10（中国），或 120 和 15（美国）。")
    if volts is None or amps is None:
        raise ToolInputError(f"An outlet needs `outlet_v` and `outlet_a`. {hint.en}",
                             f"插座需要 `outlet_v` 和 `outlet_a`。{hint.zh}")
    volts = number("outlet_v", volts, "V", low=90, high=480, may_equal_low=True, hint=hint)
    amps = number("outlet_a", amps, "A", high=200, hint=hint)
    return CONTINUOUS_SHARE * volts * amps


def _verdict(system_w: float, supply: float | None, wall_w: float, outlet: float | None) -> Verdict:
    if outlet is not None and wall_w > outlet:
        return "does_not_fit"
    if supply is None:
        return "no_supply_given"
    if system_w > supply:
        return "does_not_fit"
    return "fits" if system_w <= CONTINUOUS_SHARE * supply else "tight"


def _recommended(chosen: tuple[Card, ...], system_w: float, limit_w: float | None) -> float | None:
    need = system_w / CONTINUOUS_SHARE
    if limit_w is None and len(chosen) == 1 and chosen[0].count == 1:
        need = max(need, chosen[0].gpu.recommended_psu_w or 0.0)
    return next((float(size) for size in PSU_SIZES_W if size >= need - 1e-9), None)


def _limit_for(chosen: tuple[Card, ...], platform: float, supply: float, set_w: float | None) -> float | None:
    room = LIMITED_SHARE * supply - platform
    start = max(_drawn(card, set_w) for card in chosen)
    limit = math.floor(start / LIMIT_STEP_W) * LIMIT_STEP_W
    lowest = LOWEST_LIMIT_SHARE * max(board_power_w(card.gpu) for card in chosen)
    while limit >= lowest:
        if sum(_drawn(card, limit) * card.count for card in chosen) <= room:
            return limit if limit < start else None
        limit -= LIMIT_STEP_W
    return None


def _steps(chosen: tuple[Card, ...], limit: float | None, gpu_w: float, platform: float, system_w: float,
           supply: float | None, efficiency: float, wall_w: float, volts: float | None,
           amps: float | None) -> tuple[str, ...]:
    terms = " + ".join(f"{card.count} x {figure(_drawn(card, limit))} W ({card.gpu.name})" for card in chosen)
    steps = [f"gpu_w = {terms} = {figure(gpu_w)} W",
             f"system_w = {figure(gpu_w)} W + {figure(platform)} W = {figure(system_w)} W",
             f"wall_w = {figure(system_w)} W / {figure(efficiency)} = {figure(wall_w)} W",
             f"recommended_psu_w >= {figure(system_w)} W / {CONTINUOUS_SHARE} = {figure(system_w / CONTINUOUS_SHARE)} W"]
    if supply is not None:
        steps.append(f"headroom_w = {figure(supply)} W - {figure(system_w)} W = {figure(supply - system_w)} W")
    if volts is not None and amps is not None:
        limit_w = CONTINUOUS_SHARE * volts * amps
        steps.append(f"outlet_limit_w = {CONTINUOUS_SHARE} x {figure(volts)} V x {figure(amps)} A = {figure(limit_w)} W")
    return tuple(steps)


def _assumptions(platform_w: float, efficiency: float) -> tuple[Text, ...]:
    notes: list[Text] = []
    if platform_w == PLATFORM_W:
        notes.append(Text(f"CPU, board, drives and fans take {PLATFORM_W:.0f} W.",
                          f"CPU、主板、硬盘和风扇按 {PLATFORM_W:.0f} W 计。"))
    if efficiency == PSU_EFFICIENCY:
        notes.append(Text(f"The supply is {PSU_EFFICIENCY:.0%} efficient.", f"电源效率按 {PSU_EFFICIENCY:.0%} 计。"))
    notes.append(Text("A supply is planned for a load of at most 80 %: a convention, not a vendor's rule.",
                      "电源按负载不超过 80 % 来选：这是惯例，不是厂商规定。"))
    return tuple(notes)


def _warnings(wall_w: float, outlet: float | None, limit: float | None) -> tuple[Text, ...]:
    notes: list[Text] = []
    if outlet is not None and wall_w > outlet:
        notes.append(Text(f"The outlet may give {figure(outlet)} W continuously; the machine draws {figure(wall_w)} W.",
                          f"插座可持续供 {figure(outlet)} W，整机要从墙上取 {figure(wall_w)} W。"))
    if limit is not None:
        notes.append(Text("A power limit is an average over about 1 ms: it does not stop spikes.",
                          "功率上限约束的是约 1 ms 的平均值，挡不住瞬时尖峰。"))
    return tuple(notes)


TOOLS = (power_check, power_limit_effect)
