"""What several cards lose against one: waiting for each other, and the exchange of gradients.

`scripts/calibrate.py` fits the factors on Lambda's benchmark with these same functions.
"""

from __future__ import annotations

from tools._catalog import Gpu
from tools._timing import Part

# GB/s of PCIe 4.0 x16 in one direction, after line coding: the link of most measured machines.
REFERENCE_GB_S = 31.5


def link_kind(gpu: Gpu) -> str:
    """Return how cards of this kind usually exchange data.

    "sxm": NVLink through switches; "peer": directly over PCIe; "host": through main memory (GeForce).
    """
    if gpu.segment in ("desktop", "laptop", "integrated"):
        return "host"
    return "sxm" if gpu.nvlink_gb_s >= 300 and "PCIe" not in gpu.name and "NVL" not in gpu.name else "peer"


def scaling_parts(
    network: str, gpu_count: int, steps_per_s: float, kind: str, bus_gb_s: float, bus_exponent: float
) -> tuple[Part, ...]:
    """Return the time of a step on several cards over that on one.

    Args:
        network: One of the networks of the training benchmark.
        gpu_count: Cards. [1]
        steps_per_s: Steps of one card: the faster, the less time to hide the exchange. [1/s]
        kind: As `link_kind` says.
        bus_gb_s: Rate of the link in one direction. [GB/s]
        bus_exponent: How the exchange shrinks with a faster link. [1]
    """
    others = gpu_count - 1
    parts = [Part("compute", 1.0, ()), Part("waiting", others**1.5, ("scaling.waiting",))]
    if others and kind != "sxm":
        slower = (REFERENCE_GB_S / bus_gb_s) ** bus_exponent
        parts.append(
            Part(
                "exchange",
                2 * others / gpu_count * steps_per_s * slower,
                (f"scaling.exchange.{network}", *(("scaling.peer",) if kind == "peer" else ())),
            )
        )
    return tuple(parts)
