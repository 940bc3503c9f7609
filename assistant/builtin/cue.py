"""The smallest parts of a frame: a cue that speaks for a tool, a slot that a quantity fills."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern that speaks for a tool (or, with a negative weight, against it)."""

    weight: float
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Slot:
    """One argument that a quantity can fill.

    Attributes:
        argument: Name of the tool's argument.
        unit: Canonical unit of the argument.
        cues: Words that stand near its quantity.
        need_cue: Whether a quantity without such a word is left alone.
        least: Smallest value that is taken without such a word. [unit]
        unless: Words that keep a quantity beside them from it, where it has no such word of its own.
        sums: Whether quantities joined by "+" or "plus" count as one ("350 W GPU + 100 W CPU").
    """

    argument: str
    unit: str
    cues: re.Pattern[str] | None
    need_cue: bool
    sums: bool = False
    least: float = 0.0
    unless: re.Pattern[str] | None = None
