"""Leave one card out: fit without it, predict it from its data sheet."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scripts._fitting import Row, fit
from scripts._models import Group
from tools._timing import timing

# Share of unseen cards that a stated range shall hold.
COVERAGE = 0.87
FEWEST_FOR_A_QUANTILE = 4


@dataclass(frozen=True, slots=True)
class Prediction:
    """A measured time and what was predicted for it without its card."""

    row: Row
    time: float

    @property
    def error(self) -> float:
        """Predicted over measured rate, less one."""
        return self.row.time / self.time - 1


def left_out(group: Group, family: Callable[[str], str] = str) -> list[Prediction]:
    """Return the predictions for every card of a group, each by a fit that saw no card of its family.

    Args:
        group: The rows.
        family: What is left out together with a card; usually the card alone.
    """
    full = fit(group.rows, group.prior, group.exponent)
    starts = {name: group.prior(name).start for row in group.rows for part in row.parts for name in part.factors}
    found: list[Prediction] = []
    for out in sorted({family(row.card) for row in group.rows}):
        rest = [row for row in group.rows if family(row.card) != out]
        factors = starts | fit(rest, group.prior, group.exponent, full)
        found += [
            Prediction(row, timing(row.parts, group.exponent, factors).total)
            for row in group.rows
            if family(row.card) == out
        ]
    return found


def half_width(predictions: Sequence[Prediction], without: str = "") -> float:
    """Return the error that most cards stay within, one card set aside.

    The quantile is taken at (n + 1) x coverage, as for a prediction of one more case.
    """
    errors = sorted(abs(1 / (1 + each.error) - 1) for each in predictions if each.row.card != without)
    if len(errors) < FEWEST_FOR_A_QUANTILE:
        return 0.35
    at = min(len(errors), math.ceil((len(errors) + 1) * COVERAGE)) - 1
    return errors[at]


def split(predictions: Sequence[Prediction], inside: Callable[[Row], bool]) -> tuple[list[Prediction], ...]:
    """Return the predictions that fulfil a condition, and the others."""
    return ([each for each in predictions if inside(each.row)], [each for each in predictions if not inside(each.row)])
