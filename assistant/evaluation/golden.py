"""The golden questions: what a person says, turn by turn, and what a right answer must hold.

A line of a golden file is `{"id", "lang", "category", "turns", "must_call", "must_state", "must_say", "must_cite",
"must_not", "expect", "asks", "as_of"}`; only `id`, `lang` and `turns` must be there. `must_state` holds
`{"value", "unit", "rel_tolerance"}`, `{"low", "high", "unit"}` or `{"any_of": […]}`, each with the `ref` of a
tool call that recomputes it where there is one. A turn is a text, or `{"repeat", "times", "insert", "at"}` for a
pasted log. `claims.jsonl` keeps a claim in both languages on one line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tools.api import Json, is_array

FOLDER = Path(__file__).parents[2] / "tests" / "golden"
LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Row:
    """One golden question.

    Attributes:
        id: Its name, unique over all sets.
        group: The set it belongs to: the stem of its file.
        lang: "zh" or "en".
        category: Subject, for the table.
        turns: What the person says, oldest first; the answer to the last one is judged.
        must_call: Tool calls that the answer rests on.
        must_state: Figures that the answer states.
        must_say: Patterns that the answer matches.
        must_cite: Articles that it cites.
        must_not: Patterns that it must not match.
        expect: How the turn may end: "answered", "clarify", "refused".
        asks: Pattern of what a question back must ask for.
        as_of: Day on which the expected values were worked out.
        held_out: Whether it is kept aside while the rules are tuned.
    """

    id: str
    group: str
    lang: str
    turns: tuple[str, ...]
    category: str = ""
    must_call: tuple[Mapping[str, Json], ...] = ()
    must_state: tuple[Mapping[str, Json], ...] = ()
    must_say: tuple[str, ...] = ()
    must_cite: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    expect: tuple[str, ...] = ("answered",)
    asks: str = ""
    as_of: str = ""
    held_out: bool = False

    def to_dict(self) -> dict[str, Json]:
        """Return plain JSON."""
        return {name: list(value) if is_array(value := getattr(self, name)) else value for name in self.__slots__}


def load(folder: Path = FOLDER) -> list[Row]:
    """Return the rows of every golden file of a folder, in the order of the files' names.

    Raises:
        ValueError: If an id occurs twice or a line cannot be read.
    """
    rows = [row for file in sorted(folder.glob("*.jsonl")) for row in _read(file)]
    seen: set[str] = set()
    for row in rows:
        if row.id in seen:
            raise ValueError(f"the golden id {row.id!r} occurs twice")
        seen.add(row.id)
    return rows


def chosen(rows: Iterable[Row], words: str | None) -> list[Row]:
    """Keep the rows that a filter names: words such as "public zh power" must all fit, "held" means kept aside."""
    wanted = (words or "").split()
    return [row for row in rows if all(_fits(row, word) for word in wanted)]


def _fits(row: Row, word: str) -> bool:
    if word in ("held", "tuned"):
        return row.held_out == (word == "held")
    return word in (row.group, row.lang, row.category) or bool(re.search(word, row.id))


def _read(file: Path) -> Iterable[Row]:
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if line.strip():
            try:
                yield from _rows(file.stem, json.loads(line))
            except (KeyError, TypeError, json.JSONDecodeError) as error:
                raise ValueError(f"line {number} of {file.name} is no golden row: {error!r}") from error


def _rows(group: str, read: Mapping[str, Json]) -> Iterable[Row]:
    if "lang" not in read or "turns" not in read:
        yield from _claim(group, read)
        return
    expect = read.get("expect", "answered")
    yield Row(
        id=read["id"],
        group=group,
        lang=read["lang"],
        category=read.get("category", ""),
        turns=tuple(_turn(turn) for turn in read["turns"]),
        must_call=tuple(read.get("must_call", ())),
        must_state=tuple(read.get("must_state", ())),
        must_say=tuple(read.get("must_say", ())),
        must_cite=tuple(read.get("must_cite", ())),
        must_not=tuple(read.get("must_not", ())),
        expect=tuple(expect.split("|")),
        asks=read.get("asks", ""),
        as_of=read.get("as_of", ""),
        held_out=bool(read.get("held_out")),
    )


def _claim(group: str, read: Mapping[str, Json]) -> Iterable[Row]:
    for lang in LANGUAGES if read.get("asked") else ():  # other golden files of the folder are no questions
        yield Row(
            id=f"{read['id']}-{lang}",
            group=group,
            lang=lang,
            category=read["kind"],
            turns=(read["question"][lang],),
            must_state=tuple({"unit": "", **must} for must in read["must_state"]),
            must_say=tuple(read["must_say"].get(lang, ())),
            as_of="2026-11-30",
        )


def _turn(turn: Json) -> str:
    """Return a turn's text; a pasted log is written as the line that repeats and what is hidden in it."""
    if isinstance(turn, str):
        return turn
    before = int(turn["times"] * turn.get("at", 1.0))
    log = [turn["repeat"]] * before + [turn["insert"]] + [turn["repeat"]] * (turn["times"] - before)
    return "\n".join((*log, turn.get("ask", "")))
