"""What every tool returns: its numbers, and how they came about."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeGuard

# JSON is recursive and comes out of `json`; spelling the recursion out adds casts, not safety.
Json: TypeAlias = Any


def is_object(value: object) -> TypeGuard[dict[str, Json]]:
    """Whether a value is a JSON object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Json]]:
    """Whether a value is a JSON array (a tuple before it is written)."""
    return isinstance(value, (list, tuple))


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence in the product's two languages."""

    en: str
    zh: str

    def __str__(self) -> str:
        return self.en


@dataclass(frozen=True, slots=True)
class Source:
    """Where a figure comes from, and when somebody last looked."""

    title: str
    url: str
    date: str


@dataclass(frozen=True, kw_only=True)
class Result:
    """Numbers plus the story behind them.

    Attributes:
        steps: Formulas with the figures filled in, in the order they were computed.
        assumptions: What was taken as given because nobody said otherwise.
        warnings: What a careful friend would add.
        sources: Where constants and data come from.
    """

    steps: tuple[str, ...]
    assumptions: tuple[Text, ...] = ()
    warnings: tuple[Text, ...] = ()
    sources: tuple[Source, ...] = ()

    def to_dict(self) -> dict[str, Json]:
        """Return plain JSON; a `Text` field `x` becomes `x` (English) and `x_zh`."""
        story = [field.name for field in dataclasses.fields(Result)]
        own = [field.name for field in dataclasses.fields(self) if field.name not in story]
        plain: dict[str, Json] = {}
        for name in own + story:
            _put(plain, name, getattr(self, name))
        plain.setdefault("assumptions_zh", [])
        plain.setdefault("warnings_zh", [])
        return plain


def _put(plain: dict[str, Json], name: str, value: Json) -> None:
    if isinstance(value, Text):
        plain[name], plain[f"{name}_zh"] = value.en, value.zh
    elif is_array(value) and value and all(isinstance(item, Text) for item in value):
        plain[name] = [item.en for item in value]
        plain[f"{name}_zh"] = [item.zh for item in value]
    else:
        plain[name] = _plain(value)


def _plain(value: Json) -> Json:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        if isinstance(value, Result):
            return value.to_dict()
        row: dict[str, Json] = {}
        for field in dataclasses.fields(value):
            _put(row, field.name, getattr(value, field.name))
        return row
    if is_object(value):
        return {str(key): _plain(item) for key, item in value.items()}
    if is_array(value):
        return [_plain(item) for item in value]
    return value
