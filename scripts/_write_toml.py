"""Write `efficiency.toml`: coefficients, factors of generations, errors, tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HEAD = """\
# How much of its data sheet a card delivers: every coefficient of the speed tools, with meaning, unit, n and source.
# Written by scripts/calibrate.py. n is the number of measurements behind a value; rows with n = 0 are no fit: the
# source says where they come from, and the script keeps them. The measurements are public and stay outside.
"""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One number."""

    name: str
    value: float
    unit: str
    meaning: str
    source: str
    n: int = 0


@dataclass(frozen=True, slots=True)
class Factor:
    """One number for each generation, with its observations."""

    name: str
    meaning: str
    values: dict[str, tuple[float, int]]
    source: str


@dataclass(frozen=True, slots=True)
class Error:
    """Half width of a range."""

    name: str
    half_width: float
    n: int
    source: str


def write(
    path: Path,
    single: Sequence[Coefficient],
    factors: Sequence[Factor],
    errors: Sequence[Error],
    tables: Sequence[Mapping[str, Any]],
) -> None:
    """Write the file."""
    lines = [HEAD]
    for each in sorted(single, key=lambda row: row.name):
        lines += [
            "[[coefficient]]",
            f"name = {json.dumps(each.name)}",
            f"value = {_number(each.value)}",
            f"unit = {json.dumps(each.unit)}",
            f"meaning = {_text(each.meaning)}",
            f"n = {each.n}",
            f"source = {_text(each.source)}",
            "",
        ]
    for each in sorted(factors, key=lambda row: row.name):
        lines += [
            "[[factor]]",
            f"name = {json.dumps(each.name)}",
            'unit = "1"',
            f"meaning = {_text(each.meaning)}",
            f"source = {_text(each.source)}",
            "[factor.values]",
            *(
                f"{json.dumps(key)} = {_number(value)} # n = {count}"
                for key, (value, count) in sorted(each.values.items())
            ),
            "",
        ]
    for each in sorted(errors, key=lambda row: row.name):
        lines += [
            "[[error]]",
            f"name = {json.dumps(each.name)}",
            f"half_width = {_number(each.half_width)}",
            'unit = "1"',
            'meaning = "Error that about seven of eight cards left out of the fit stayed within."',
            f"n = {each.n}",
            f"source = {_text(each.source)}",
            "",
        ]
    for table in tables:
        lines += [
            "[[table]]",
            *(f"{key} = {_text(str(table[key]))}" for key in ("name", "unit", "meaning", "source")),
            "[table.values]",
            *(f"{json.dumps(key)} = {_number(value)}" for key, value in table["values"].items()),
            "",
        ]
    path.write_text("\n".join(lines), "utf-8")


def _number(value: float) -> str:
    return f"{value:.5g}" if abs(value) < 1e4 else f"{value:.0f}"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
