"""Will the power supply and the outlet hold: watts of cards, machine and wall."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tools._cards import Card, read_cards, source_of
from tools._connectors import CEM, Plug, compare_plugs, plug_warnings, read_plugs
from tools._errors import count, number
from tools._outlet import CONTINUOUS_SHARE, NEC, PLUGS, Outlet, OutletName, read_outlet, ups_va
from tools._platform import PLATFORM_W, read_platform
from tools._power_limit import power_limit_effect
from tools._power_options import Machine, drawn, each, load_w, options, speed_cost, suggested_limit_w
from tools._power_story import assumptions, steps, warnings
from tools._result import Result, Source, Text
from tools._supply import (
    EIGHTY_PLUS,
    EXCURSIONS,
    MEASURED_SPIKES,
    PSU_EFFICIENCY,
    PSU_SIZES_W,
    SPIKE_RATIO,
    Atx,
    Excursion,
    PsuClass,
    excursions,
    read_atx,
    read_efficiency,
    smallest_psu_w,
)

__all__ = ["PSU_SIZES_W", "TOOLS", "PowerCheck", "power_check", "power_limit_effect"]

GUIDE = Source(
    "Which GPU(s) to Get for Deep Learning, section 5.4 (Tim Dettmers)",
    "https://timdettmers.com/2023/01/30/which-gpu-for-deep-learning/",
    "2023-01-30",
)
PSU_HINT = Text("Give watts: 1.6 kW is 1600.", "请用瓦：1.6 kW 写 1600。")
LIMIT_HINT = Text("Give watts per card, e.g. 300.", "请给出每张卡的瓦数，例如 300。")
COUNT_HINT = Text("Give the number of equal supplies, 1 or 2.", "请给出相同电源的个数，1 或 2。")

Verdict = Literal["fits", "tight", "does_not_fit", "no_supply_given"]


@dataclass(frozen=True, kw_only=True)
class PowerCheck(Result):
    """Power of a machine against its supply and its outlet.

    Attributes:
        gpu_w: All cards at their board power or limit. [W]
        board_power_w: All cards without a limit. [W]
        saved_w: What the limit saves. [W]
        platform_w: CPU, board, drives and fans. [W]
        cpu_budget_w: What Intel keeps on a supply for such a processor; null for others. [W]
        system_w: Cards and platform on the supply. [W]
        psu_w: The supply asked about; of two, one of them. [W]
        psu_count: Equal supplies that share the cards. [1]
        busiest_psu_w: Load of the busiest supply. [W]
        load_share: That load over its rating. [1]
        left_for_platform_w: What the supplies have left beside the cards. [W]
        headroom_w: What they have left beside the whole machine. [W]
        recommended_psu_w: Smallest common supply loaded to 80 % at most; null above all of them. [W]
        psu_efficiency: Output over input of the supply. [1]
        wall_w: Drawn from the outlet. [W]
        wall_a: Current from the outlet; null without one. [A]
        outlet_limit_w: What the outlet may give continuously. [W]
        outlet_share: Drawn over that. [1]
        ups_va: Size of a UPS for the machine. [VA]
        spike_w: The machine for about a millisecond, all cards spiking at once. [W]
        excursions: Spikes by duration against what the supply rides through.
        connectors: Plugs needed, present and missing.
        missing_plug_count: Plugs that the supply lacks, all kinds together; 0 without `psu_connectors`. [1]
        verdict: "fits", "tight", "does_not_fit" or "no_supply_given".
        suggested_power_limit_w: Limit per card that leaves a tenth of the supply free. [W]
        limited_system_w: The machine with that limit. [W]
        training_loss_share: Training speed that the limit set, or else suggested, costs. [1]
        training_loss_share_low: Low end. [1]
        training_loss_share_high: High end. [1]
        decode_loss_share: The same for writing tokens. [1]
        options: What would make it fit; empty if it does.
    """

    gpu_w: float
    board_power_w: float
    saved_w: float
    platform_w: float
    cpu_budget_w: float | None
    system_w: float
    psu_w: float | None
    psu_count: int
    busiest_psu_w: float
    load_share: float | None
    left_for_platform_w: float | None
    headroom_w: float | None
    recommended_psu_w: float | None
    psu_efficiency: float
    wall_w: float
    wall_a: float | None
    outlet_limit_w: float | None
    outlet_share: float | None
    ups_va: float
    spike_w: float
    excursions: tuple[Excursion, ...]
    connectors: tuple[Plug, ...]
    missing_plug_count: int
    verdict: Verdict
    suggested_power_limit_w: float | None
    limited_system_w: float | None
    training_loss_share: float | None
    training_loss_share_low: float | None
    training_loss_share_high: float | None
    decode_loss_share: float | None
    options: tuple[Text, ...]


def power_check(
    *,
    cards: Mapping[str, int],
    platform_w: float = PLATFORM_W,
    psu_w: float | None = None,
    power_limit_w: float | None = None,
    psu_efficiency: float = PSU_EFFICIENCY,
    outlet_v: float | None = None,
    outlet_a: float | None = None,
    outlet: OutletName | None = None,
    cpu: str | None = None,
    cpu_w: float | None = None,
    drives: int | None = None,
    fans: int | None = None,
    psu_class: PsuClass | None = None,
    atx: Atx | None = None,
    psu_count: int = 1,
    psu_connectors: Mapping[str, int] | None = None,
    pigtails: bool = False,
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
        outlet: A usual outlet instead of volts and amperes.
        cpu: Processor, e.g. "i9-14900K"; with it the platform is added up from its parts.
        cpu_w: Power of the processor instead of its name. [W]
        drives: Drives. [1]
        fans: Case fans. [1]
        psu_class: 80 PLUS class instead of an efficiency.
        atx: Generation of the supply; its spikes are then checked too.
        psu_count: Equal supplies that share the cards. [1]
        psu_connectors: Plugs of all supplies by kind (6-pin, 8-pin, 8-pin EPS, 12VHPWR), e.g. {"8-pin": 6}.
        pigtails: Whether two plugs hang on one cable.

    Returns:
        Watts of cards, machine and wall, headroom, spikes, plugs, a verdict and what would make it fit.

    Raises:
        ToolInputError: If a card is unknown or a number is outside its physical range.

    Notes:
        system = sum(board power or limit) + platform; wall = system / efficiency; headroom = psu - system;
        outlet limit = 0.8 x V x A. "fits" means a load of at most 80 % of every supply, "tight" at most 100 %, or
        spikes beyond what its ATX generation rides through. Spikes count all cards at once, without the limit.

    References:
        NEC 210.20 (80 % continuous load); Intel 613768 (excursions); PCIe CEM 5.0 (plugs, 600 W a card); Puget Systems,
        four RTX 3090 at 1717 W from the wall.
    """
    chosen = read_cards(cards)
    beside = read_platform(platform_w, cpu, cpu_w, drives, fans)
    supply = (
        None if psu_w is None else number("psu_w", psu_w, "W", low=50, high=20_000, may_equal_low=True, hint=PSU_HINT)
    )
    limit = (
        None
        if power_limit_w is None
        else number("power_limit_w", power_limit_w, "W", low=30, high=2000, may_equal_low=True, hint=LIMIT_HINT)
    )
    supplies, generation = count("psu_count", psu_count, high=4, hint=COUNT_HINT), read_atx(atx)
    circuit, plugs_present = read_outlet(outlet, outlet_v, outlet_a), read_plugs(psu_connectors)

    gpu_w, full_w = sum(each(chosen, limit)), sum(each(chosen, None))
    system_w = gpu_w + beside.watts
    rated = None if supply is None else supply * supplies
    efficiency, efficiency_note = read_efficiency(
        psu_efficiency,
        psu_class,
        CONTINUOUS_SHARE if rated is None else system_w / rated,
        None if circuit is None else circuit.volts,
    )
    machine = Machine(chosen, limit, beside.watts, supply, supplies, efficiency, circuit)
    busiest, wall_w = load_w(machine, limit), system_w / efficiency
    spikes = excursions(full_w, beside.watts, rated, generation)
    plugs = compare_plugs(chosen, plugs_present)
    verdict = _verdict(busiest, supply, wall_w, circuit, spikes, plugs)
    suggestion = suggested_limit_w(machine) if _strained(busiest, supply, wall_w, circuit) else None
    cost = speed_cost(chosen, limit if limit is not None else suggestion)
    recommended = _recommended(chosen, system_w, limit)
    return PowerCheck(
        gpu_w=gpu_w,
        board_power_w=full_w,
        saved_w=full_w - gpu_w,
        platform_w=beside.watts,
        cpu_budget_w=beside.cpu_budget_w,
        system_w=system_w,
        psu_w=supply,
        psu_count=supplies,
        busiest_psu_w=busiest,
        load_share=None if supply is None else busiest / supply,
        left_for_platform_w=None if rated is None else rated - gpu_w,
        headroom_w=None if rated is None else rated - system_w,
        recommended_psu_w=recommended,
        psu_efficiency=efficiency,
        wall_w=wall_w,
        wall_a=None if circuit is None else wall_w / circuit.volts,
        outlet_limit_w=None if circuit is None else circuit.limit_w,
        outlet_share=None if circuit is None else wall_w / circuit.limit_w,
        ups_va=ups_va(wall_w),
        spike_w=full_w * SPIKE_RATIO + beside.watts,
        excursions=spikes,
        connectors=plugs,
        missing_plug_count=sum(plug.missing_count or 0 for plug in plugs),
        verdict=verdict,
        suggested_power_limit_w=suggestion,
        limited_system_w=None if suggestion is None else beside.watts + sum(each(chosen, suggestion)),
        training_loss_share=cost.training,
        training_loss_share_low=cost.training_low,
        training_loss_share_high=cost.training_high,
        decode_loss_share=cost.decode,
        options=options(machine, suggestion, cost, recommended) if verdict in ("tight", "does_not_fit") else (),
        steps=steps(machine, beside.steps, [drawn(card, limit) for card in chosen]),
        assumptions=assumptions(beside, efficiency_note, machine),
        warnings=(*warnings(machine, wall_w, full_w, spikes), *plug_warnings(chosen, plugs, pigtails=pigtails)),
        sources=(
            *(source_of(card.gpu) for card in chosen),
            *beside.sources,
            *((EIGHTY_PLUS,) if psu_class is not None else ()),
            *((PLUGS,) if outlet is not None else ()),
            EXCURSIONS,
            MEASURED_SPIKES,
            CEM,
            GUIDE,
            NEC,
        ),
    )


def _strained(busiest: float, supply: float | None, wall_w: float, circuit: Outlet | None) -> bool:
    return (supply is not None and busiest > CONTINUOUS_SHARE * supply) or (
        circuit is not None and wall_w > circuit.limit_w
    )


def _verdict(
    busiest: float,
    supply: float | None,
    wall_w: float,
    circuit: Outlet | None,
    spikes: tuple[Excursion, ...],
    plugs: tuple[Plug, ...],
) -> Verdict:
    if (circuit is not None and wall_w > circuit.limit_w) or any(plug.missing_count for plug in plugs):
        return "does_not_fit"
    if supply is None:
        return "no_supply_given"
    if busiest > supply:
        return "does_not_fit"
    calm = busiest <= CONTINUOUS_SHARE * supply and all(spike.holds is not False for spike in spikes)
    return "fits" if calm else "tight"


def _recommended(chosen: tuple[Card, ...], system_w: float, limit_w: float | None) -> float | None:
    need = system_w / CONTINUOUS_SHARE
    if limit_w is None and len(chosen) == 1 and chosen[0].count == 1:
        need = max(need, chosen[0].gpu.recommended_psu_w or 0.0)
    return smallest_psu_w(need)


TOOLS = (power_check, power_limit_effect)
