"""What the guard takes and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from assistant.grounding.facts import Index, index_of
from tools.api import Json

Kind = Literal["tool", "user", "article", "name"]


@dataclass(frozen=True)
class Evidence:
    """What an answer may rest on.

    Attributes:
        results: Tool calls by id, each {"tool", "arguments", "result"}.
        citations: Passages by id, each {"id", "title", "date", "text", ...}.
        user: What the person said, oldest first.
    """

    results: Mapping[str, Mapping[str, Json]] = field(default_factory=dict[str, Mapping[str, Json]])
    citations: Mapping[str, Mapping[str, Json]] = field(default_factory=dict[str, Mapping[str, Json]])
    user: tuple[str, ...] = ()
    # What tools said about input that they cannot compute with, by result id.
    errors: Mapping[str, str] = field(default_factory=dict[str, str])

    @cached_property
    def index(self) -> Index:
        """Every number of the results and of the person's words, made once."""
        return index_of(self.results, self.user)


@dataclass(frozen=True, slots=True)
class Number:
    """One number of a verified answer and its origin."""

    text: str
    start: int
    value: float
    unit: str
    kind: Kind
    ref: str


@dataclass(frozen=True, slots=True)
class Unbound:
    """A number or a claim that nothing vouches for."""

    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Verified:
    """The answer with its references filled in; to be shown only if `ok`."""

    text: str
    numbers: tuple[Number, ...]
    cited: tuple[str, ...]
    unbound: tuple[Unbound, ...]

    @property
    def ok(self) -> bool:
        """Whether every number and every claim is bound."""
        return not self.unbound
