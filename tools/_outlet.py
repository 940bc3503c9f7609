"""Outlets of the world, and what they may give for hours; a UPS for the machine behind one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from tools._errors import ToolInputError, choice, number
from tools._result import Source, Text

# A continuous load may use 80 % of a circuit (NEC 210.20); web calculators plan supplies alike.
CONTINUOUS_SHARE = 0.8
# A UPS is planned like a supply, and its output volt-amperes carry 0.9 as many watts (80 PLUS supplies reach that).
POWER_FACTOR = 0.9

OutletName = Literal["us_15a", "us_20a", "us_240v_20a", "eu_16a", "uk_13a", "cn_10a", "cn_16a", "jp_15a", "jp_200v_20a"]

NEC = Source(
    "NEC 210.20: continuous load at most 80 % of the circuit",
    "https://www.nfpa.org/codes-and-standards/nfpa-70-standard-development/70",
    "2023-01-01",
)
PLUGS = Source(
    "IEC World Plugs: nominal voltage and plug rating by country", "https://www.iec.ch/world-plugs", "2026-11-30"
)

OUTLET_HINT = Text(
    "Give both, e.g. `outlet_v` 120 and `outlet_a` 15 (US) or 220 and 10 (China).",
    "请两个都给，例如 `outlet_v` 220、`outlet_a` 10（中国），或 120 和 15（美国）。",
)


@dataclass(frozen=True, slots=True)
class Outlet:
    """A circuit: volts, amperes, and its name if it is one of the presets."""

    volts: float
    amps: float
    name: Text | None = None

    @property
    def limit_w(self) -> float:
        """Return what it may give for hours, in W."""
        return CONTINUOUS_SHARE * self.volts * self.amps


OUTLETS: dict[OutletName, Outlet] = {
    "us_15a": Outlet(120, 15, Text("US, 15 A", "美国 15 A")),
    "us_20a": Outlet(120, 20, Text("US, 20 A", "美国 20 A")),
    "us_240v_20a": Outlet(240, 20, Text("US, 240 V and 20 A", "美国 240 V、20 A")),
    "eu_16a": Outlet(230, 16, Text("EU, 16 A", "欧盟 16 A")),
    "uk_13a": Outlet(230, 13, Text("UK, 13 A", "英国 13 A")),
    "cn_10a": Outlet(220, 10, Text("China, 10 A", "中国 10 A")),
    "cn_16a": Outlet(220, 16, Text("China, 16 A", "中国 16 A")),
    "jp_15a": Outlet(100, 15, Text("Japan, 15 A", "日本 15 A")),
    "jp_200v_20a": Outlet(200, 20, Text("Japan, 200 V and 20 A", "日本 200 V、20 A")),
}
# Where a stronger circuit is asked for: same country first.
_STRONGER: dict[OutletName, tuple[OutletName, ...]] = {
    "us_15a": ("us_20a", "us_240v_20a"),
    "us_20a": ("us_240v_20a",),
    "cn_10a": ("cn_16a",),
    "jp_15a": ("jp_200v_20a",),
}


def read_outlet(outlet: object, volts: object, amps: object) -> Outlet | None:
    """Return the circuit a caller named or described, or None."""
    if outlet is not None:
        if volts is not None or amps is not None:
            raise ToolInputError(
                "Give either `outlet` (e.g. 'us_15a') or `outlet_v` with `outlet_a`.",
                "请给出 `outlet`（例如 'cn_10a'），或者 `outlet_v` 加 `outlet_a`，二者选一。",
            )
        return OUTLETS[cast(OutletName, choice("outlet", outlet, [*OUTLETS]))]
    if volts is None and amps is None:
        return None
    if volts is None or amps is None:
        raise ToolInputError(
            f"An outlet needs `outlet_v` and `outlet_a`. {OUTLET_HINT.en}",
            f"插座需要 `outlet_v` 和 `outlet_a`。{OUTLET_HINT.zh}",
        )
    return Outlet(
        number("outlet_v", volts, "V", low=90, high=480, may_equal_low=True, hint=OUTLET_HINT),
        number("outlet_a", amps, "A", high=200, hint=OUTLET_HINT),
    )


def stronger(outlet: Outlet, wall_w: float) -> Outlet | None:
    """Return a circuit of the same country that carries the load, or the US 240 V one, or None."""
    here: list[OutletName] = [
        name for name, known in OUTLETS.items() if (known.volts, known.amps) == (outlet.volts, outlet.amps)
    ]
    usual: OutletName = "us_15a" if outlet.volts < 130 else "eu_16a"
    better = (OUTLETS[name] for name in _STRONGER.get((*here, usual)[0], ()))
    return next((circuit for circuit in better if circuit.limit_w >= wall_w), None)


def ups_va(wall_w: float) -> float:
    """Return the size of a UPS, in VA, that carries the load at 80 % and a power factor of 0.9."""
    return wall_w / CONTINUOUS_SHARE / POWER_FACTOR
