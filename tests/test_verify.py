"""`python -m assistant verify`: the guard alone, as other programs call it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assistant.cli import app
from assistant.toolbox import outcome
from tools.api import get_tool

RESULT = {"id": "r1", **outcome(get_tool("power_check"), {"cards": {"RTX 3090": 4}, "psu_w": 1600})}


def run(folder: Path, *rows: Any) -> tuple[int, list[dict[str, Any]], str]:
    source, target = folder / "in.jsonl", folder / "out.jsonl"
    source.write_text(
        "\n".join(row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows), "utf-8"
    )
    done = CliRunner().invoke(app, ["verify", str(source), str(target)])
    lines = target.read_text("utf-8").splitlines() if target.is_file() else []
    return done.exit_code, [json.loads(line) for line in lines], done.output


def test_each_line_gets_its_verdict_in_order(tmp_path: Path) -> None:
    right = {
        "id": "a",
        "question": "4 张 3090 用 1600W 电源够吗？",
        "results": [RESULT],
        "citations": [],
        "draft": "整机 {{r1.system_w}}，墙上 1739 瓦。",
    }
    wrong = {"id": "b", "results": [RESULT], "draft": "The machine takes 1,650 W."}
    code, rows, _ = run(tmp_path, right, "", wrong)
    assert code == 0
    assert [row["id"] for row in rows] == ["a", "b"]
    assert rows[0]["ok"] and not rows[0]["unbound"]
    assert {number["ref"] for number in rows[0]["numbers"]} == {"r1.system_w", "r1.wall_w"}
    assert not rows[1]["ok"]
    assert rows[1]["unbound"][0] == {
        "text": "1,650 W",
        "why": "no tool, no passage and nobody in the conversation gave this number",
    }
    assert set(rows[1]) == {"id", "ok", "unbound", "numbers"}


def test_without_results_only_the_person_s_own_figures_pass(tmp_path: Path) -> None:
    _, rows, _ = run(tmp_path, {"question": "850 W?", "draft": "You said 850 W."}, {"draft": "Take 850 W."})
    assert [row["ok"] for row in rows] == [True, False]
    assert rows[0]["numbers"][0]["kind"] == "user"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("no json", "Line 1 is no JSON"),
        ({"id": 1}, 'Line 1 must be {"id", "question", "results"'),
        ({"draft": "x", "results": {"r1": {}}}, "Line 1 has `results` that are no list of objects"),
        ({"draft": "x", "question": 3}, "Line 1 has a `question` that is no text."),
    ],
)
def test_a_line_of_another_form_is_named(tmp_path: Path, line: Any, message: str) -> None:
    code, _, output = run(tmp_path, line)
    assert code == 2
    assert message in output
