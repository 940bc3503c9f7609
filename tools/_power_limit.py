"""What a power limit costs in speed and saves in watts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tools._cards import board_power_w, source_of
from tools._efficiency import GUIDE, coefficient, error_of
from tools._errors import choice, number
from tools._power_model import relative_speed
from tools._result import Result, Source, Text
from tools._sheet import find_card
from tools._units import figure

LimitUse = Literal["decode", "prefill", "training"]
# nvidia-smi refuses limits far below the board power; no card is known to take less than this.
LOWEST_SHARE = 0.3
PUGET = Source(
    'Puget Systems, Quad RTX 3090 GPU Wattage Limited "MaxQ" TensorFlow Performance',
    "https://www.pugetsystems.com/labs/hpc/quad-rtx3090-gpu-wattage-limited-maxq-tensorflow-performance-1974/",
    "2020-11-13",
)
SWEET_SPOT = Source(
    "RTX 3090 power limit sweet spot (jeanfbrito)",
    "https://jeanfbrito.github.io/posts/rtx-3090-power-limit-sweet-spot/",
    "2026-01-01",
)
# Prompts and training both work on matrix units.
_WORK = {"decode": "decode", "prefill": "matrix", "training": "matrix"}
_SOURCES = {"decode": SWEET_SPOT, "prefill": GUIDE, "training": PUGET}


@dataclass(frozen=True, kw_only=True)
class PowerLimitEffect(Result):
    """Speed under a power limit.

    Attributes:
        board_power_w: Power without a limit. [W]
        power_limit_w: The limit. [W]
        limit_share: Limit over board power. [1]
        relative_speed: Speed over that without a limit. [1]
        low: Lower end of the range. [1]
        high: Upper end of the range. [1]
        loss_share: 1 - relative_speed. [1]
        saved_w: Watts saved under full load. [W]
        relative_speed_per_watt: Work per joule over that without a limit. [1]
    """

    gpu: str
    use: str
    board_power_w: float
    power_limit_w: float
    limit_share: float
    relative_speed: float
    low: float
    high: float
    loss_share: float
    saved_w: float
    relative_speed_per_watt: float
    basis: str


def power_limit_effect(*, gpu: str, power_limit_w: float, use: LimitUse = "training") -> PowerLimitEffect:
    """Say how much speed a card keeps under a power limit, and how many watts that saves.

    Use it for "how much slower is a 3090 at 280 W?", "does a power limit hurt inference?". Whether
    a power supply holds is for `power_check`.

    Args:
        gpu: Card as people type it, e.g. "RTX 3090".
        power_limit_w: Limit of one card. [W]
        use: Writing tokens, reading prompts (or other compute-bound inference), or training.

    Returns:
        Relative speed with its range, and the watts saved.

    Raises:
        ToolInputError: If the card is unknown or the limit is below 30 % of its board power.

    Notes:
        time = (1 + (bound / power left)^4)^(1/4), power left = (limit share - idle) / (1 - idle): a part of
        the work waits for clocks, which follow the power that is left after memory and fans. Fitted on
        rows of RTX 2080 Ti, 3090, 4090 and 5060 Ti. Burn tests lose more than training: an RTX 3090 loses
        27 % from 300 to 250 W; so does plain FP32 (an RTX 3090 keeps 80 % at 280 of 480 W).

    References:
        Puget Systems (2020), four RTX 3090; Tim Dettmers (2023), section 5.5, RTX 2080 Ti.
    """
    card = find_card(gpu).gpu
    kind = choice("use", use, ("decode", "prefill", "training"))
    full = board_power_w(card)
    lowest = LOWEST_SHARE * full
    limit = number(
        "power_limit_w",
        power_limit_w,
        "W",
        low=lowest,
        high=5000,
        may_equal_low=True,
        hint=Text(
            f"The board power of {card.name} is {figure(full)} W.", f"{card.name} 的整卡功耗是 {figure(full)} W。"
        ),
    )
    share = min(limit / full, 1.0)
    bound, idle = coefficient(f"power_limit.{_WORK[kind]}"), coefficient("power_limit.idle")
    speed = relative_speed(share, bound, idle) / relative_speed(1.0, bound, idle)
    loss, spread = 1 - speed, error_of("power_limit") if share < 1 else 0.0
    return PowerLimitEffect(
        gpu=card.name,
        use=kind,
        board_power_w=full,
        power_limit_w=limit,
        limit_share=share,
        relative_speed=speed,
        low=max(0.0, speed - spread - 0.4 * loss),
        high=min(1.0, speed + spread + 0.4 * loss),
        loss_share=loss,
        saved_w=full - share * full,
        relative_speed_per_watt=speed / share,
        basis="modelled",
        steps=(
            f"limit_share = min({figure(limit)} W / {figure(full)} W, 1) = {figure(share)}",
            f"power left = ({figure(share)} - {figure(idle)}) / (1 - {figure(idle)})"
            f" = {figure((share - idle) / (1 - idle))}",
            f"relative_speed = ((1 + {figure(bound)}^4) / (1 + ({figure(bound)} / power left)^4))^(1/4)"
            f" = {figure(speed)}",
            f"saved_w = {figure(full)} W - {figure(share * full)} W = {figure(full - share * full)} W",
        ),
        assumptions=(
            Text(
                "Measured on RTX 2080 Ti, 3090, 4090 and 5060 Ti; other cards are taken to behave alike.",
                "依据 RTX 2080 Ti、3090、4090、5060 Ti 的实测；其他显卡按相同规律计。",
            ),
        ),
        warnings=(
            Text(
                "A power limit is an average over about 1 ms: it does not stop spikes.",
                "功率上限约束的是约 1 ms 的平均值，挡不住瞬时尖峰。",
            ),
        ),
        sources=(source_of(card), _SOURCES[kind]),
    )
