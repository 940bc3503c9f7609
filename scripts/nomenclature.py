"""Write docs/nomenclature.md: every quantity once, with its unit and the tools that take or return it."""

from __future__ import annotations

import dataclasses
import sys
import typing
from collections import defaultdict
from pathlib import Path

from tools.api import Result, all_tools, unit_of

TARGET = Path(__file__).parent.parent / "docs" / "nomenclature.md"
_HEAD = """# Nomenclature

Every quantity of the tools once: arguments and result fields end in their unit. GB is 10^9 bytes, GiB 2^30 bytes;
a fraction runs from 0 to 1 and is shown as a percentage; `low_`/`_low` and `high_`/`_high` are bounds of the same
quantity. Written by `python scripts/nomenclature.py`; a test holds it to the code.

| quantity | unit | taken by | returned by |
|---|---|---|---|
"""


def main() -> int:
    """Write the file; with `--check` only say whether it is up to date."""
    text = nomenclature()
    if "--check" in sys.argv:
        return 0 if TARGET.read_text("utf-8") == text else 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


def nomenclature() -> str:
    """Return the whole document."""
    taken: dict[str, set[str]] = defaultdict(set)
    returned: dict[str, set[str]] = defaultdict(set)
    for tool in all_tools().values():
        for name in tool.parameters["properties"]:
            if unit_of(name):
                taken[name].add(tool.name)
        for name in _fields(typing.get_type_hints(tool.function)["return"]):
            returned[name].add(tool.name)
    rows = [
        f"| `{name}` | {unit_of(name)} | {_list(taken[name])} | {_list(returned[name])} |"
        for name in sorted({*taken, *returned})
    ]
    return _HEAD + "\n".join(rows) + "\n"


def _fields(kind: type[Result]) -> list[str]:
    """Return the result's own fields that have a unit, those of its rows included."""
    names: list[str] = []
    story = {field.name for field in dataclasses.fields(Result)}
    for field in dataclasses.fields(kind):
        if field.name in story:
            continue
        if unit_of(field.name):
            names.append(field.name)
        for inner in typing.get_args(typing.get_type_hints(kind)[field.name]):
            if dataclasses.is_dataclass(inner):
                names += [item.name for item in dataclasses.fields(inner) if unit_of(item.name)]
    return names


def _list(names: set[str]) -> str:
    return ", ".join(sorted(names))


if __name__ == "__main__":
    sys.exit(main())
