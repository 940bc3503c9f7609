"""Fit the factors of a sum of parts to measured times: robust least squares on the logarithm, a little regularised."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools._timing import Part

Array = NDArray[np.float64]
# Errors beyond this (in the logarithm) count linearly: a wrong row must not pull the fit.
HUBER = 0.11


@dataclass(frozen=True, slots=True)
class Row:
    """One measured time and the parts it is made of."""

    card: str
    time: float
    parts: tuple[Part, ...]
    seen: Any = None


@dataclass(frozen=True, slots=True)
class Prior:
    """Where a factor starts, and how strongly it is held there (spread of its logarithm)."""

    start: float
    spread: float


@dataclass(frozen=True, slots=True)
class _Problem:
    names: list[str]
    amounts: Array
    design: Array
    overlap: NDArray[np.bool_]
    target: Array
    start: Array
    strength: Array
    exponent: float

    def weights(self, point: Array) -> tuple[Array, Array]:
        """Return the share of each part in the derivative of the total, and the logarithm of the total."""
        times = self.amounts * np.exp(np.clip(self.design @ point, -40, 40))
        inside = np.where(self.overlap, times, 0.0)
        joint = (inside**self.exponent).sum(1) ** (1 / self.exponent)
        total = np.where(self.overlap, 0.0, times).sum(1) + joint
        slope = np.where(
            self.overlap, times * (inside / np.maximum(joint, 1e-30)[:, None]) ** (self.exponent - 1), times
        )
        return slope / total[:, None], np.log(total)

    def cost(self, point: Array) -> float:
        """Return what is minimised."""
        gap = np.abs(self.weights(point)[1] - self.target)
        loss = np.where(gap < HUBER, 0.5 * gap**2, HUBER * (gap - 0.5 * HUBER))
        return float(loss.sum() + 0.5 * (self.strength * (point - self.start) ** 2).sum())


# Spread of one measurement around a perfect model, in the logarithm; only its ratio to the priors matters.
NOISE = 0.05


def fit(
    rows: Sequence[Row], prior: Callable[[str], Prior], exponent: float, guess: dict[str, float] | None = None
) -> dict[str, float]:
    """Return the factors, by Levenberg and Marquardt's method with Huber's loss."""
    problem = _problem(rows, prior, exponent)
    point: Array = problem.start.copy()
    if guess:
        point = np.array([np.log(guess[name]) if name in guess else point[at] for at, name in enumerate(problem.names)])
    damping, cost = 1e-2, problem.cost(point)
    for _ in range(80):
        share, total = problem.weights(point)
        gap = total - problem.target
        slope: Array = np.einsum("nk,nkp->np", share, problem.design)
        trust = np.minimum(1.0, HUBER / np.maximum(np.abs(gap), 1e-9))
        gradient: Array = slope.T @ (trust * gap) + problem.strength * (point - problem.start)
        curve: Array = (slope * trust[:, None]).T @ slope + np.diag(problem.strength)
        better = cost
        for _ in range(8):
            solved: NDArray[Any] = np.linalg.solve(curve + damping * np.diag(np.diag(curve) + 1e-9), -gradient)
            step: Array = np.clip(solved, -1, 1)
            better = problem.cost(point + step)
            if better < cost:
                point, damping = point + step, max(damping / 5, 1e-7)
                break
            damping *= 5
        if cost - better < 1e-9:
            break
        cost = better
    return {name: float(value) for name, value in zip(problem.names, np.exp(point), strict=True)}


def _problem(rows: Sequence[Row], prior: Callable[[str], Prior], exponent: float) -> _Problem:
    names = sorted({name for row in rows for part in row.parts for name in part.factors})
    index = {name: at for at, name in enumerate(names)}
    widest = max(len(row.parts) for row in rows)
    amounts, overlap = np.zeros((len(rows), widest)), np.zeros((len(rows), widest), dtype=bool)
    design = np.zeros((len(rows), widest, len(names)))
    for at, row in enumerate(rows):
        for slot, part in enumerate(row.parts):
            amounts[at, slot], overlap[at, slot] = part.amount, part.overlaps
            for name in part.factors:
                design[at, slot, index[name]] += 1
    priors = [prior(name) for name in names]
    return _Problem(
        names,
        amounts,
        design,
        overlap,
        np.log([row.time for row in rows]),
        np.log([each.start for each in priors]),
        np.array([(NOISE / each.spread) ** 2 for each in priors]),
        exponent,
    )
