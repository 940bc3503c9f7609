"""Set two runs side by side: which questions got better, which worse."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tools.api import Json

_WORTH = {"right": 2, "partly": 1, "asked back": 0, "refused": 0, "wrong": -1}


def compare(one: Path, other: Path) -> str:
    """Return the comparison of two `results.json`, or of the folders that hold them."""
    first, second = _read(one), _read(other)
    before, after = _verdicts(first), _verdicts(second)
    lines = [f"| | {first['model']} | {second['model']} |", "|---|---|---|"]
    for name in ("right_share", "right", "partly", "asked back", "refused", "wrong"):
        a, b = first["scores"]["all"][name], second["scores"]["all"][name]
        lines.append(f"| {name} | {_figure(a)} | {_figure(b)} |")
    changed = [key for key in before if key in after and before[key] != after[key]]
    for title, sign in (("Better", 1), ("Worse", -1)):
        found = [key for key in changed if sign * (_WORTH[after[key]] - _WORTH[before[key]]) > 0]
        lines += ["", f"{title} ({len(found)}):", *(f"- {key[0]}: {before[key]} -> {after[key]}" for key in found)]
    only = sorted({key[0] for key in before.keys() ^ after.keys()})
    if only:
        lines += ["", f"Asked in one run only: {len(only)}"]
    return "\n".join(lines)


def _figure(value: float) -> str:
    return f"{value:.1%}" if isinstance(value, float) else str(value)


def _read(place: Path) -> dict[str, Json]:
    file = place / "results.json" if place.is_dir() else place
    return json.loads(file.read_text("utf-8"))


def _verdicts(read: Mapping[str, Json]) -> dict[tuple[str, int], str]:
    return {(item["row"]["id"], item["epoch"]): item["judgement"]["verdict"] for item in read["outcomes"]}
