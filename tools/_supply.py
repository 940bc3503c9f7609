"""Power supplies: efficiency by class, what they ride through, and how two share the cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from tools._errors import choice, fraction
from tools._result import Source, Text

# Platinum-class supply near full load; Puget Systems measured 92 % (1580 W DC, 1717 W at the wall).
PSU_EFFICIENCY = 0.92
# Sizes that shops sell, ATX and, above 1600 W, workstation supplies for 200 V and more.
PSU_SIZES_W = (450, 550, 650, 750, 850, 1000, 1200, 1300, 1500, 1600, 1800, 2000, 2200, 2500, 3000)

PsuClass = Literal["standard", "bronze", "silver", "gold", "platinum", "titanium"]
Atx = Literal["atx_2", "atx_3"]
# Least efficiency at 50 and 100 % of the rating, for 115 V and for 230 V (internal, non-redundant). Below half load
# the value at half load stands: the classes allow up to 3 points less there, and supplies are that idle only when the
# outlet is not at stake.
_LOADS = (0.5, 1.0)
_EFFICIENCY: dict[PsuClass, tuple[tuple[float, float], tuple[float, float]]] = {
    "standard": ((0.80, 0.80), (0.85, 0.82)),
    "bronze": ((0.85, 0.82), (0.88, 0.85)),
    "silver": ((0.88, 0.85), (0.90, 0.87)),
    "gold": ((0.90, 0.87), (0.92, 0.89)),
    "platinum": ((0.92, 0.89), (0.94, 0.90)),
    "titanium": ((0.94, 0.90), (0.96, 0.94)),
}
_HIGH_VOLTAGE = 200.0
# What a supply rides through, over its rating, by duration [ms] (Intel 613768); what a card may take, over its board
# power: 3 x for 100 us is the limit of PCIe CEM 5.0, 1.8 x for 1 ms what builders plan with; an RTX 5090 measured
# 1.57 x below 1 ms, 1.28 x for 10 ms (Igor's Lab) and 1.15 x for 100 ms.
_DURATIONS_MS = (0.1, 1.0, 10.0, 100.0)
_RIDE_THROUGH: dict[Atx, tuple[float, ...]] = {"atx_3": (2.0, 1.8, 1.6, 1.2), "atx_2": (1.5, 1.45, 1.35, 1.1)}
_CARD_RATIOS = (3.0, 1.8, 1.3, 1.15)
SPIKE_RATIO = 1.8
EFFICIENCY_HINT = Text("Give a share such as 0.92 for 92 %.", "请给出比例，例如 92 % 写 0.92。")

EIGHTY_PLUS = Source(
    "80 PLUS efficiency levels, as listed by Tom's Hardware",
    "https://www.tomshardware.com/uk/reviews/80-plus-psu-efficiency,4848-2.html",
    "2016-12-16",
)
EXCURSIONS = Source(
    "Intel 613768, ATX12VO design guide, power excursions of PCIe add-in cards",
    "https://www.easymanua.ls/intel/atx12vo/manual?p=24",
    "2022-02-01",
)
MEASURED_SPIKES = Source(
    "Igor's Lab, RTX 5090: 901 W below 1 ms, 738 W up to 10 ms, as reported by SlashGear",
    "https://www.slashgear.com/1902896/rtx-5090-how-much-power-can-pull-nvidia-geforce-gpu/",
    "2025-07-07",
)


@dataclass(frozen=True, slots=True)
class Excursion:
    """A spike of all cards at once; `supply_limit_w` and `holds` are null without `psu_w` and `atx`."""

    duration_ms: float
    cards_w: float
    system_w: float
    supply_limit_w: float | None
    holds: bool | None


def excursions(cards_w: float, platform_w: float, supply_w: float | None, atx: Atx | None) -> tuple[Excursion, ...]:
    """Set the spikes of cards, counted from their power without a limit, against what the supply rides through."""
    rows: list[Excursion] = []
    for at, (duration, ratio) in enumerate(zip(_DURATIONS_MS, _CARD_RATIOS, strict=True)):
        total = cards_w * ratio + platform_w
        limit = None if supply_w is None or atx is None else supply_w * _RIDE_THROUGH[atx][at]
        rows.append(Excursion(duration, cards_w * ratio, total, limit, None if limit is None else total <= limit))
    return tuple(rows)


def read_atx(atx: object) -> Atx | None:
    """Return the generation of the supply, or None if it was not given."""
    return None if atx is None else cast(Atx, choice("atx", atx, _RIDE_THROUGH))


def read_efficiency(
    given: object, psu_class: object, load_share: float, volts: float | None
) -> tuple[float, Text | None]:
    """Return output over input of the supply, and what was assumed for it."""
    share = fraction("psu_efficiency", given, hint=EFFICIENCY_HINT)
    if psu_class is None:
        usual = share == PSU_EFFICIENCY
        return share, Text(f"The supply is {share:.0%} efficient.", f"电源效率按 {share:.0%} 计。") if usual else None
    kind = cast(PsuClass, choice("psu_class", psu_class, _EFFICIENCY))
    if share != PSU_EFFICIENCY:
        return share, Text("The efficiency you gave counts, not that of the class.", "按你给的效率算，不按等级。")
    high = volts is not None and volts >= _HIGH_VOLTAGE
    least = class_efficiency(kind, load_share, high_voltage=high)
    at = "230 V" if high else "115 V"
    return least, Text(
        f"80 PLUS {kind} at {at}: at least {least:.1%} efficient at this load.",
        f"80 PLUS {kind}（{at}）：此负载下效率至少 {least:.1%}。",
    )


def class_efficiency(psu_class: PsuClass, load_share: float, *, high_voltage: bool) -> float:
    """Return the least efficiency of an 80 PLUS class at a load, from half to full load by a straight line."""
    half, full = _EFFICIENCY[psu_class][int(high_voltage)]
    share = min(max(load_share, _LOADS[0]), _LOADS[1])
    return half + (full - half) * (share - _LOADS[0]) / (_LOADS[1] - _LOADS[0])


def largest_load_w(watts: Sequence[float], platform_w: float, supplies: int) -> float:
    """Return the load of the busiest supply, in W: heaviest card to the least loaded; the first feeds the platform."""
    loads = [platform_w] + [0.0] * (supplies - 1)
    for card in sorted(watts, reverse=True):
        at = loads.index(min(loads))
        loads[at] += card
    return max(loads)


def smallest_psu_w(need_w: float) -> float | None:
    """Return the smallest common supply of at least this size, in W, or None above all of them."""
    return next((float(size) for size in PSU_SIZES_W if size >= need_w - 1e-9), None)
