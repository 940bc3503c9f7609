"""Times as sums of parts: an amount of work times fitted factors; parts that overlap count as a smooth maximum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a time.

    Attributes:
        name: What takes the time: "memory", "fixed", "compute", …
        amount: What the data sheet and the job say, e.g. GB over GB/s.
        factors: Names of the coefficients that multiply it; one with "/" ("decode.nvidia.fixed/Ampere") is how far
            a generation lies from the mean, and 1 where that generation was never measured.
        overlaps: Whether it runs at the same time as the other overlapping parts.
    """

    name: str
    amount: float
    factors: tuple[str, ...]
    overlaps: bool = False


@dataclass(frozen=True, slots=True)
class Timing:
    """A time, and what each part would take alone."""

    total: float
    parts: dict[str, float]

    @property
    def largest(self) -> str:
        """Name of the part that takes most."""
        return max(self.parts, key=lambda name: self.parts[name])


def factor_of(factors: Sequence[str], coefficients: Mapping[str, float]) -> float:
    """Multiply coefficients; only one of a generation may be missing."""
    product = 1.0
    for name in factors:
        product *= coefficients.get(name, 1.0) if "/" in name else coefficients[name]
    return product


def timing(parts: Sequence[Part], exponent: float, coefficients: Mapping[str, float]) -> Timing:
    """Add up parts.

    total = sum of the serial parts + (sum of overlapping parts ^ exponent) ^ (1 / exponent): with a large exponent
    the slowest of the overlapping parts decides, with 1 they do not overlap at all.
    """
    times: dict[str, float] = {}
    serial = overlapping = 0.0
    for part in parts:
        time = part.amount * factor_of(part.factors, coefficients)
        times[part.name] = times.get(part.name, 0.0) + time
        if part.overlaps:
            overlapping += time**exponent
        else:
            serial += time
    return Timing(serial + overlapping ** (1 / exponent), times)
