"""Questions that people asked about power, cooling, money, carbon and choice: the tools give their published values.

`golden/build.jsonl` holds one call a line; `checks` are values with their relative tolerance, `contains` what the
texts must say. A question without a value has texts only. `note` derives a value that differs from the question's.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tools.api import get_tool

ROWS = [json.loads(line) for line in (Path(__file__).parent / "golden" / "build.jsonl").read_text("utf-8").splitlines()]


def field_of(result: dict[str, Any], path: str) -> Any:
    """Return a field such as `rows.0.relative`."""
    value: Any = result
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['id']}-{at}" for at, row in enumerate(ROWS)])
def test_questions_that_people_asked(row: dict[str, Any]):
    result = get_tool(row["tool"]).call(row["arguments"]).to_dict()
    for path, wanted in row.get("checks", {}).items():
        value = field_of(result, path)
        if isinstance(wanted, list):
            assert value == pytest.approx(wanted[0], rel=wanted[1] or 1e-9), path
        else:
            assert value == wanted, path
    said = json.dumps(result, ensure_ascii=False)
    for text in row.get("contains", []):
        assert text in said, text
