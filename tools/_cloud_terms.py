"""The terms of rent or buy, checked: how busy, how much rent, how much power, what is stored."""

from __future__ import annotations

import math
from typing import Literal

from tools._break_even import Deal
from tools._errors import ToolInputError, choice, count, fraction, number
from tools._hints import GPU_COUNT_HINT
from tools._names import find
from tools._result import Text
from tools._terms import read_watts, watts_of
from tools._units import figure
from tools._usage import Usage, read_usage

# The guide's worked example (section 9.14): RTX 3090 desktop, 350 W card + 100 W CPU.
UTILIZATION = 0.15
DESKTOP_W = 450.0
BESIDE_W = 100.0
ELECTRICITY_USD_PER_KWH = 0.12
# Without a horizon the break-even utilization is given for three years, a common write-off time.
DEFAULT_HORIZON_DAYS = 1095.0
HOURS_PER_MONTH = 730.0

UTILIZATION_HINT = Text(
    "Give the share of the day that the GPU is busy, e.g. 0.15 for 15 %.",
    "请给出 GPU 忙碌时间的比例，例如 15 % 写 0.15。",
)
POWER_HINT = Text("Give watts at the wall, e.g. 450.", "请给出墙上功率（瓦），例如 450。")
PRICE_HINT = Text("Give US dollars, e.g. 2200.", "请给出美元，例如 2200。")
RATE_HINT = Text("Give US dollars per hour, e.g. 2.14.", "请给出每小时美元，例如 2.14。")
ELECTRICITY_HINT = Text("Give US dollars per kWh, e.g. 0.12.", "请给出每度电美元，例如 0.12。")
HORIZON_HINT = Text("Give days, e.g. 1095.", "请给出天数，例如 1095。")
HOURS_HINT = Text("Give busy hours a month, 730 at most, e.g. 400.", "请给出每月忙碌小时数，最多 730，例如 400。")
MONTHLY_HINT = Text("Give US dollars a month, e.g. 3000.", "请给出每月美元，例如 3000。")
STORAGE_HINT = Text("Give GB, e.g. 500.", "请给出 GB，例如 500。")
PER_GB_HINT = Text("Give US dollars per GB, e.g. 0.09.", "请给出每 GB 美元，例如 0.09。")
REPEAT_HINT = Text(
    "Give the share of work done twice after interruptions, e.g. 0.1.", "请给出中断后重做的比例，例如 0.1。"
)

Billing = Literal["on_demand", "spot", "reserved"]
RatePer = Literal["instance", "gpu"]


def busy_share(
    utilization: float, hours_per_month: float | None, usage: Usage | None
) -> tuple[float, tuple[Text, ...]]:
    """Return the share of the time that the cards are busy, and what was assumed for it."""
    if hours_per_month is None:
        share, notes = read_usage(usage, utilization, UTILIZATION)
        return fraction("utilization", share, hint=UTILIZATION_HINT), notes
    if utilization != UTILIZATION or usage is not None:
        raise ToolInputError(
            "Give one of `utilization`, `hours_per_month` and `usage`.",
            "`utilization`、`hours_per_month`、`usage` 只能给一个。",
        )
    hours = number("hours_per_month", hours_per_month, "h/month", high=HOURS_PER_MONTH, hint=HOURS_HINT)
    return hours / HOURS_PER_MONTH, ()


def rent_of_all(
    listed: float, gpu_count: int, rate_per: RatePer, instance_gpus: int | None, repeated_share: float
) -> tuple[float, tuple[Text, ...]]:
    """Return the rent of all cards, and how it was multiplied."""
    cards = count("gpu_count", gpu_count, high=1024, hint=GPU_COUNT_HINT)
    each = choice("rate_per", rate_per, ("instance", "gpu"))
    inside = cards if instance_gpus is None else count("instance_gpus", instance_gpus, high=64, hint=GPU_COUNT_HINT)
    repeated = fraction("repeated_share", repeated_share, hint=REPEAT_HINT, may_be_zero=True)
    times = cards if each == "gpu" else math.ceil(cards / inside)
    rent = listed * times * (1 + repeated)
    if times == 1 and not repeated:
        return rent, ()
    word = "GPU" if each == "gpu" else "instance"
    unit = (word if times == 1 else f"{word}s", "张 GPU" if each == "gpu" else "台实例")
    again = f" x {figure(1 + repeated)}" if repeated else ""
    return rent, (
        Text(
            f"Rent: {times} {unit[0]} x {figure(listed)} USD/h{again} = {figure(rent)} USD/h.",
            f"租价：{times} {unit[1]} x 每小时 {figure(listed)} 美元{again} = {figure(rent)} 美元。",
        ),
    )


def stored_usd(gigabytes: float, per_month: float, egress: float, per_gb: float) -> float:
    """Return storage and egress, in USD/month."""
    kept = number("storage_gb", gigabytes, "GB", high=1e9, hint=STORAGE_HINT, may_equal_low=True)
    price = number(
        "storage_usd_per_gb_month", per_month, "USD/GB/month", high=100, hint=PER_GB_HINT, may_equal_low=True
    )
    taken = number("egress_gb_per_month", egress, "GB/month", high=1e9, hint=STORAGE_HINT, may_equal_low=True)
    fee = number("egress_usd_per_gb", per_gb, "USD/GB", high=100, hint=PER_GB_HINT, may_equal_low=True)
    return kept * price + taken * fee


def assumptions(horizon: float | None, billing: Billing, resale: float) -> tuple[Text, ...]:
    """Say what was taken as given."""
    sold = ("", "") if resale else ("; the machine is not sold again", "；整机不再转卖")
    when = (
        ("around the clock", "租金全天候支付")
        if billing == "reserved"
        else ("only while the GPU is busy", "只在 GPU 忙碌时付租金")
    )
    notes = [Text(f"Rent is paid {when[0]}{sold[0]}.", f"{when[1]}{sold[1]}。")]
    if horizon is None:
        notes.append(Text("The break-even utilization is for three years.", "盈亏平衡利用率按三年计。"))
    if billing == "spot":
        notes.append(
            Text(
                "Spot GPUs can be taken away at any time; prices change by the hour.",
                "竞价实例随时可能被收回，价格随时变动。",
            )
        )
    return tuple(notes)


def warnings(deal: Deal) -> tuple[Text, ...]:
    """Say why buying never pays, if it does not."""
    if deal.saved_usd_per_day > 0:
        return ()
    running, rent = figure(deal.running_usd_per_h), figure(deal.rent_usd_per_h)
    if deal.rent_usd_per_h <= deal.running_usd_per_h:
        return (
            Text(
                f"Electricity alone costs {running} USD/h, the rent is {rent} USD/h: buying never pays.",
                f"光电费每小时就要 {running} 美元，租金是 {rent} 美元：买机器永远不划算。",
            ),
        )
    cloud, desktop = figure(deal.cloud_usd_per_day), figure(deal.desktop_usd_per_day)
    return (
        Text(
            f"Owning costs {desktop} USD a day without the price, renting {cloud} USD: buying never pays.",
            f"自有机器不算购置费每天就要 {desktop} 美元，租只要 {cloud} 美元：买机器永远不划算。",
        ),
    )


def machine_w(power_w: float, gpu: str | None, gpu_count: int) -> tuple[float, tuple[Text, ...]]:
    """Return the power of the own machine: as given, or its cards and the guide's 100 W beside them."""
    if gpu is None:
        return read_watts("power_w", power_w, high=1e6, hint=POWER_HINT), ()
    if power_w != DESKTOP_W:
        raise ToolInputError(
            "Give either `gpu` (e.g. 'RTX 4090') or `power_w` (e.g. 450), not both.",
            "`gpu`（例如 'RTX 4090'）和 `power_w`（例如 450）只能给一个。",
        )
    card, cards = find(gpu).gpu, count("gpu_count", gpu_count, high=1024, hint=GPU_COUNT_HINT)
    watts = cards * watts_of(card) + BESIDE_W
    one, beside, total = figure(watts_of(card)), figure(BESIDE_W), figure(watts)
    return watts, (
        Text(
            f"The machine: {cards} x {one} W ({card.name}) + {beside} W beside the cards (the guide's figure) = {total} W.",
            f"整机：{cards} x {one} W（{card.name}）+ 显卡以外 {beside} W（《指南》的数）= {total} W。",
        ),
    )
