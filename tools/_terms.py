"""For how long, how busy and at which price of electricity a card is used."""

from __future__ import annotations

from dataclasses import dataclass

from tools._catalog import Gpu
from tools._errors import ToolInputError, fraction, number
from tools._result import Text
from tools._units import figure

HOURS_PER_YEAR = 8760.0
# The guide's cost of ownership (section 7): 5 years, 15 % utilization, 0.175 USD/kWh.
YEARS = 5.0
UTILIZATION = 0.15
ELECTRICITY_USD_PER_KWH = 0.175

# No machine that computes takes less; smaller figures are kilowatts.
LEAST_W = 5.0

YEARS_HINT = Text("Give years of use, e.g. 5.", "请给出使用年数，例如 5。")
UTILIZATION_HINT = Text(
    "Give the share of the day that the GPU is busy, e.g. 0.15 for 15 %.",
    "请给出 GPU 忙碌时间的比例，例如 15 % 写 0.15。",
)
ELECTRICITY_HINT = Text("Give US dollars per kWh, e.g. 0.175.", "请给出每度电美元，例如 0.175。")


@dataclass(frozen=True, slots=True)
class Running:
    """Checked terms of use: how long, how busy, what a kWh costs."""

    years: float
    utilization: float
    usd_per_kwh: float

    def kwh_per_year(self, power_w: float) -> float:
        """Return the electricity of a year in kWh."""
        return power_w / 1000 * self.utilization * HOURS_PER_YEAR

    def electricity_usd(self, power_w: float) -> float:
        """Return what the electricity of all years costs in USD."""
        return self.kwh_per_year(power_w) * self.years * self.usd_per_kwh


def running(years: float, utilization: float, usd_per_kwh: float) -> Running:
    """Check the terms a person gave."""
    return Running(
        number("years", years, "years", high=50, hint=YEARS_HINT),
        fraction("utilization", utilization, hint=UTILIZATION_HINT),
        number("electricity_usd_per_kwh", usd_per_kwh, "USD/kWh", high=5, may_equal_low=True, hint=ELECTRICITY_HINT),
    )


def read_watts(name: str, value: object, *, high: float, hint: Text, may_be_zero: bool = False) -> float:
    """Return a power in W; a few watts are kilowatts that somebody forgot to convert."""
    watts = number(name, value, "W", high=high, hint=hint, may_equal_low=may_be_zero)
    if 0 < watts < LEAST_W:
        likely, shown = figure(watts * 1000), figure(watts)
        raise ToolInputError(
            f"`{name}` is {shown} W: are these kilowatts? Give watts, e.g. {likely}.",
            f"`{name}` 是 {shown} W：是不是千瓦？请用瓦，例如 {likely}。",
        )
    return watts


def watts_of(gpu: Gpu) -> float:
    """Return the board power of a card, or ask for the power itself."""
    if gpu.board_power_w is None:
        raise ToolInputError(
            f"No board power is known for '{gpu.name}'. Give `power_w` instead.",
            f"目录里没有 '{gpu.name}' 的整卡功耗，请改为给出 `power_w`。",
        )
    return gpu.board_power_w
