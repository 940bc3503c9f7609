"""Answers of a run on disk, so that a run that was cut short goes on where it stopped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tools.api import Json

Key = tuple[str, int]


class Store:
    """One JSON object a line: `{"id", "epoch", "model", "turns", "answer", "seconds", …}`."""

    def __init__(self, file: Path, model: str, *, fresh: bool = False) -> None:
        """Read what is there; answers of another model or to other words are not taken."""
        self._file = file
        self._model = model
        file.parent.mkdir(parents=True, exist_ok=True)
        if fresh:
            file.unlink(missing_ok=True)
        self._kept = {(row["id"], row["epoch"]): row for row in _lines(file) if row.get("model") == model}

    def get(self, key: Key, turns: list[str]) -> Mapping[str, Json] | None:
        """Return the kept answer to these turns."""
        kept = self._kept.get(key)
        return kept if kept is not None and kept["turns"] == turns else None

    def put(self, key: Key, turns: list[str], row: Mapping[str, Json]) -> None:
        """Keep an answer at once."""
        line = {"id": key[0], "epoch": key[1], "model": self._model, "turns": turns, **row}
        self._kept[key] = line
        with self._file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


def _lines(file: Path) -> list[dict[str, Json]]:
    found: list[dict[str, Json]] = []
    for line in file.read_text("utf-8").splitlines() if file.is_file() else ():
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            continue  # the run was cut short while it wrote this line
    return found
