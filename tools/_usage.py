"""How busy cards usually are, and what a kWh costs where."""

from __future__ import annotations

from typing import Literal, cast

from tools._errors import ToolInputError, choice
from tools._result import Source, Text
from tools._tables import tariff_of
from tools._units import figure

Usage = Literal["personal", "phd_desktop", "slurm", "company"]
GUIDE = Source(
    "Which GPU(s) to Get for Deep Learning, section 9.14 (Tim Dettmers)",
    "https://timdettmers.com/2023/01/30/which-gpu-for-deep-learning/",
    "2023-01-30",
)
# The guide, 9.14: personal machines 5 to 10 %, a PhD student's desktop below 15 %, a Slurm cluster above 35 %, a
# company's above 60 %.
SHARES: dict[Usage, tuple[float, Text]] = {
    "personal": (0.075, Text("a personal machine, 5 to 10 %", "个人机器，5–10 %")),
    "phd_desktop": (0.15, Text("a PhD student's desktop, below 15 %", "博士生台式机，低于 15 %")),
    "slurm": (0.35, Text("a university's Slurm cluster, above 35 %", "高校 Slurm 集群，高于 35 %")),
    "company": (0.60, Text("a company's Slurm cluster, above 60 %", "公司 Slurm 集群，高于 60 %")),
}


def read_usage(usage: object, utilization: float, usual: float) -> tuple[float, tuple[Text, ...]]:
    """Return the share of the time that the cards are busy, by kind of owner if one is named."""
    if usage is None:
        return utilization, ()
    if utilization != usual:
        raise ToolInputError("Give either `usage` or `utilization`, not both.", "`usage` 和 `utilization` 只能给一个。")
    share, what = SHARES[cast(Usage, choice("usage", usage, [*SHARES]))]
    return share, (
        Text(
            f"Utilization of {what.en} (the guide, 2023): {share:.1%}.",
            f"利用率按{what.zh}（指南，2023 年）取 {share:.1%}。",
        ),
    )


def read_tariff(
    country: object, usd_per_kwh: float, usual: float
) -> tuple[float, tuple[Text, ...], tuple[Source, ...]]:
    """Return the price of electricity, by country if one is named."""
    if country is None:
        return usd_per_kwh, (), ()
    if usd_per_kwh != usual:
        raise ToolInputError(
            "Give either `country` or `electricity_usd_per_kwh`, not both.",
            "`country` 和 `electricity_usd_per_kwh` 只能给一个。",
        )
    place = tariff_of(country)
    price = figure(place.value)
    note = Text(
        f"Electricity: {place.name.en}, households, {price} USD/kWh ({place.year}).",
        f"电价：{place.name.zh}居民，每度 {price} 美元（{place.year} 年）。",
    )
    return place.value, (note,), (place.source,)
