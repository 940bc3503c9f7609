"""How much a larger batch brings, by the guide's rule."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from tools._efficiency import GUIDE, coefficient
from tools._errors import choice, count
from tools._result import Result, Text
from tools._units import figure


@dataclass(frozen=True, kw_only=True)
class BatchSpeedup(Result):
    """Effect of the batch size on throughput.

    Attributes:
        doublings: Doublings from one batch size to the other.
        speedup: Throughput over that at `from_batch`. [1]
        gain_share: speedup - 1. [1]
    """

    from_batch: int
    to_batch: int
    network: str
    doublings: float
    speedup: float
    gain_share: float


def batch_speedup(*, from_batch: int, to_batch: int, network: Literal["cnn", "transformer"] = "cnn") -> BatchSpeedup:
    """Say how much training throughput rises with the batch size, by the guide's rule.

    Use it for "what does batch 64 instead of 8 bring?". It holds for batches that fit.

    Args:
        from_batch: Batch size now. [1]
        to_batch: Batch size then. [1]
        network: cnn (13.6 % per doubling) or transformer (13.5 %).

    Returns:
        The speed-up and the gain.

    Raises:
        ToolInputError: If a batch size is no whole number above 0.

    Notes:
        speedup = 1.136 ^ log2(to / from). Measured on one card; it flattens at very large batches.

    References:
        Tim Dettmers (2023), section 4.1 (RTX Titan).
    """
    hint = Text("Give a batch size, e.g. 32.", "请给出批量大小，例如 32。")
    start = count("from_batch", from_batch, high=10_000_000, hint=hint)
    end = count("to_batch", to_batch, high=10_000_000, hint=hint)
    kind = choice("network", network, ("cnn", "transformer"))
    gain, doublings = coefficient(f"batch.gain_{kind}"), math.log2(end / start)
    speedup = gain**doublings
    return BatchSpeedup(
        from_batch=start,
        to_batch=end,
        network=kind,
        doublings=doublings,
        speedup=speedup,
        gain_share=speedup - 1,
        steps=(
            f"doublings = log2({end} / {start}) = {figure(doublings)}",
            f"speedup = {figure(gain)}^{figure(doublings)} = {figure(speedup)}",
            f"gain_share = {figure(speedup)} - 1 = {figure(speedup - 1)}",
        ),
        assumptions=(
            Text(
                "Measured on an RTX Titan; the gain flattens at very large batches.",
                "在 RTX Titan 上测得；批量很大时增益会变小。",
            ),
        ),
        sources=(GUIDE,),
    )
