"""Judge an answer against a golden claim: right, wrong, or not answered."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

CLAIMS = Path(__file__).parent / "claims.jsonl"
# A claim may be in another unit of the same quantity than the answer: 0.466 is 46.6 %, 0.66 PFLOPS 660 TFLOPS.
_SCALES = {
    "%": (1.0, 0.01),
    "x": (1.0, 100.0),
    "GB/s": (1.0, 0.001),
    "TFLOPS": (1.0, 0.001),
    "PFLOPS": (1.0,),
    "GB": (1.0, 0.001),
    "fraction": (1.0, 100.0),
}


def claims() -> list[dict[str, Any]]:
    """Return the claims that can be asked."""
    rows = [json.loads(line) for line in CLAIMS.read_text("utf-8").splitlines()]
    return [row for row in rows if row["asked"]]


def judge(claim: dict[str, Any], language: str, answer: dict[str, Any]) -> tuple[str, list[str]]:
    """Return "right", "wrong" or "not answered", and what is missing.

    An answer is right if it states every expected number (bound, inside the claim's tolerance) and every
    expected word; a shown answer that misses one is wrong.
    """
    if answer["status"] != "answered":
        return "not answered", [answer["status"]]
    missing = [str(must["value"]) for must in claim["must_state"] if not _states(answer, must)]
    missing += [
        word for word in claim["must_say"].get(language, []) if not re.search(word, answer["answer"], re.IGNORECASE)
    ]
    missing += [f"unbound {number['text']}" for number in answer["numbers"] if not number["ref"]]
    return ("wrong" if missing else "right"), missing


def _states(answer: dict[str, Any], must: dict[str, Any]) -> bool:
    expected, tolerance = must["value"], max(must["rel_tolerance"], 1e-9)
    return any(
        abs(number["value"] * scale - expected) <= tolerance * abs(expected)
        for number in answer["numbers"]
        for scale in _SCALES.get(number["unit"], (1.0,))
    )
