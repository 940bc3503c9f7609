"""The guard alone, over a file: what another program wrote is held against the results that it names."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from assistant.evidence import language_of
from assistant.grounding import Evidence, Verified
from assistant.grounding import verify as prove
from tools.api import Json, is_array, is_object

_FORM = '{"id", "question", "results": [{"id", "tool", "arguments", "result"}], "citations": [...], "draft"}'


class LineError(ValueError):
    """A line is not of the form that `verify` reads."""


def verify(
    drafts: Annotated[Path, typer.Argument(metavar="IN.jsonl")],
    verdicts: Annotated[Path, typer.Argument(metavar="OUT.jsonl")],
) -> None:
    """Hold a file of drafts against their results, one JSON object a line; nothing is recomputed."""
    with verdicts.open("w", encoding="utf-8") as out:
        for number, line in enumerate(drafts.read_text("utf-8").splitlines(), 1):
            if not line.strip():
                continue
            try:
                row = verdict(line, number)
            except LineError as error:
                print(f"Line {number} {error}", file=sys.stderr)
                raise typer.Exit(2) from error
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def verdict(line: str, number: int) -> dict[str, Json]:
    """Return the verdict on one line: `{"id", "ok", "unbound", "numbers"}`.

    Raises:
        LineError: If the line is not of the form above.
    """
    try:
        row: Json = json.loads(line)
    except json.JSONDecodeError as error:
        raise LineError(f"is no JSON: {error}") from error
    if not is_object(row) or not isinstance(row.get("draft"), str):
        raise LineError(f"must be {_FORM}.")
    question = row.get("question") or ""
    if not isinstance(question, str):
        raise LineError("has a `question` that is no text.")
    evidence = Evidence(_by_id(row, "results"), _by_id(row, "citations"), (question,) if question else ())
    language = language_of(
        row["draft"] if any("一" <= sign <= "鿿" for sign in row["draft"]) else question or row["draft"]
    )
    return {"id": row.get("id", number), **_plain(prove(row["draft"], evidence, language))}


def _by_id(row: Mapping[str, Json], name: str) -> dict[str, dict[str, Any]]:
    items: Json = row.get(name) or []
    if not is_array(items) or not all(is_object(item) and isinstance(item.get("id"), str) for item in items):
        raise LineError(f'has `{name}` that are no list of objects with an "id".')
    return {item["id"]: item for item in items if name == "citations" or is_object(item.get("result"))}


def _plain(verified: Verified) -> dict[str, Json]:
    return {
        "ok": verified.ok,
        "unbound": [asdict(item) for item in verified.unbound],
        "numbers": [asdict(number) for number in verified.numbers],
    }
