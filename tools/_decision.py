"""Buy, rent or wait: the last questions of the flowchart, settled by the break-even."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tools._errors import number
from tools._flowchart import Candidate, Rental
from tools._result import Text
from tools._terms import ELECTRICITY_USD_PER_KWH, UTILIZATION
from tools._units import figure
from tools.cloud import BreakEven, cloud_break_even
from tools.power import PowerCheck, power_check

HOURS_PER_WEEK = 168.0
DAYS_PER_MONTH = 365.0 / 12
WEEKS_PER_MONTH = DAYS_PER_MONTH / 7
# The guide's 15 % of the week, and the three years over which hardware is usually written off.
USUAL_HOURS_PER_WEEK = UTILIZATION * HOURS_PER_WEEK
USUAL_MONTHS = 36.0

BUDGET_HINT = Text("Give US dollars for the cards, e.g. 1500.", "请给出买卡的美元预算，例如 1500。")
HOURS_HINT = Text("Give hours of use per week, 168 at most, e.g. 20.", "请给出每周使用小时数，最多 168，例如 20。")
MONTHS_HINT = Text("Give months, e.g. 24.", "请给出月数，例如 24。")

Verdict = Literal["buy", "rent", "used", "wait"]


@dataclass(frozen=True, slots=True)
class Wish:
    """How much the cards are used, for how long, and what there is to spend."""

    hours_per_week: float
    months: float
    budget_usd: float | None
    usd_per_kwh: float = ELECTRICITY_USD_PER_KWH

    @property
    def utilization(self) -> float:
        """Return the share of the week that the cards are busy."""
        return self.hours_per_week / HOURS_PER_WEEK

    def rent_usd_per_month(self, usd_per_h: float) -> float:
        """Return the rent of a month in USD."""
        return usd_per_h * self.hours_per_week * WEEKS_PER_MONTH


def read_wish(budget_usd: float | None, hours: float | None, months: float | None, usd_per_kwh: float) -> Wish:
    """Check what a person wants to spend and how long; what was left out takes its usual value."""
    return Wish(
        USUAL_HOURS_PER_WEEK
        if hours is None
        else number("hours_per_week", hours, "h", high=HOURS_PER_WEEK, hint=HOURS_HINT),
        USUAL_MONTHS if months is None else number("months", months, "months", high=240, hint=MONTHS_HINT),
        None if budget_usd is None else number("budget_usd", budget_usd, "USD", high=1e8, hint=BUDGET_HINT),
        usd_per_kwh,
    )


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict with the results it rests on."""

    verdict: Verdict
    power: PowerCheck | None
    break_even: BreakEven | None
    rent_total_usd: float | None
    rent_months: float | None


def decide(best: Candidate | None, rent: Rental | None, wish: Wish) -> Decision:
    """Choose between buying, buying used, renting and waiting; a budget must pay a month of rent at least."""
    monthly = None if rent is None else wish.rent_usd_per_month(rent.usd_per_h)
    total = None if monthly is None else monthly * wish.months
    lasts = None if monthly is None or wish.budget_usd is None else wish.budget_usd / monthly
    if best is None:
        return Decision("rent" if rent is not None and payable(rent, wish) else "wait", None, None, total, lasts)
    power = power_check(cards={best.card.gpu.name: best.count})
    bought: Verdict = "used" if best.price_kind == "used" else "buy"
    if rent is None:
        return Decision(bought, power, None, None, None)
    even = compare(best.total_usd, rent.usd_per_h, power, wish)
    days = even.break_even_days
    late = days is None or days > wish.months * DAYS_PER_MONTH
    return Decision("rent" if late else bought, power, even, total, lasts)


def payable(rent: Rental, wish: Wish) -> bool:
    """Return whether the budget pays a month of the rent at least."""
    return wish.budget_usd is None or wish.budget_usd >= wish.rent_usd_per_month(rent.usd_per_h)


def compare(price_usd: float, rent_usd_per_h: float, power: PowerCheck, wish: Wish) -> BreakEven:
    """Ask when buying has paid for itself at this use."""
    return cloud_break_even(
        desktop_usd=price_usd,
        cloud_usd_per_h=rent_usd_per_h,
        utilization=wish.utilization,
        power_w=power.wall_w,
        electricity_usd_per_kwh=wish.usd_per_kwh,
        horizon_days=wish.months * DAYS_PER_MONTH,
    )


def flip_hours(even: BreakEven | None) -> float | None:
    """Return the hours per week at which buying and renting cost the same in the time planned."""
    return None if even is None or even.break_even_utilization is None else even.break_even_utilization * HOURS_PER_WEEK


def flips_if(made: Decision, rent: Rental | None, cheapest: Candidate | None, wish: Wish) -> Text:
    """Say what would turn the verdict around."""
    hours, months = flip_hours(made.break_even), figure(wish.months)
    if made.verdict == "wait":
        if cheapest is None:
            return Text(
                "It flips with a smaller model, fewer bits, or more money for renting.",
                "换小一些的模型、降低位数，或者增加租用预算，结论就会变。",
            )
        need = figure(cheapest.total_usd)
        name = f"{cheapest.count} x {cheapest.card.gpu.name}"
        return Text(f"It flips to buying from {need} USD ({name}).", f"预算达到 {need} 美元（{name}）就可以买。")
    if made.break_even is None and made.verdict == "rent":
        if cheapest is None:
            return Text(
                "It flips with a smaller model or fewer bits: no desktop of the flowchart holds this one.",
                "换小一些的模型或降低位数，结论才会变：流程图里的台式机都放不下。",
            )
        need, name = figure(cheapest.total_usd), f"{cheapest.count} x {cheapest.card.gpu.name}"
        return Text(
            f"Buying comes into question from {need} USD ({name}).", f"预算达到 {need} 美元（{name}）时可以考虑买。"
        )
    if made.break_even is None:
        return Text(
            "It flips if somebody rents out such a card for little: name its rent per hour.",
            "如果能低价租到这种卡，结论会变：请给出每小时租价。",
        )
    if hours is None:
        return Text(
            f"It does not flip within {months} months: even at full use buying never pays.",
            f"{months} 个月内不会变：即使满负荷，买也回不了本。",
        )
    shown = figure(round(hours, 1))
    if made.verdict == "rent":
        return Text(
            f"It flips to buying above {shown} hours a week over {months} months.",
            f"{months} 个月里每周超过 {shown} 小时，就该买。",
        )
    return Text(
        f"It flips to renting below {shown} hours a week over {months} months.",
        f"{months} 个月里每周少于 {shown} 小时，就该租。",
    )


def short_rent(made: Decision, wish: Wish) -> tuple[Text, ...]:
    """Warn if the budget pays the rent for a part of the time only."""
    if made.verdict != "rent" or made.rent_months is None or made.rent_months >= wish.months:
        return ()
    lasts = figure(round(made.rent_months, 1))
    return (Text(f"The budget pays for {lasts} months of that rent.", f"预算够付 {lasts} 个月的租金。"),)
