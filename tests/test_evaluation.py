"""The evaluation itself: the golden set, its judge, its scores and its report; and that the built-in model passes it."""

from __future__ import annotations

import asyncio
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assistant.cli import app
from assistant.evaluation.compare import compare
from assistant.evaluation.golden import Row, chosen, load
from assistant.evaluation.judge import judge
from assistant.evaluation.report import text, write
from assistant.evaluation.run import collect, write_inspect_log
from assistant.evaluation.scores import Outcome, pass_hat_k, summary
from assistant.evaluation.store import Store
from assistant.settings import Settings
from tools.api import all_tools

ROW = Row("r", "own", "en", ("How many watts?",), must_state=({"value": 700, "unit": "W", "rel_tolerance": 0.01},))


def answer(
    said: str, *numbers: tuple[str, float, str], status: str = "answered", kind: str = "tool", **more: Any
) -> dict[str, Any]:
    listed = [
        {"text": shown, "start": said.index(shown), "value": value, "unit": unit, "kind": kind, "ref": "r1.x"}
        for shown, value, unit in numbers
    ]
    return {"answer": said, "status": status, "calls": [], "numbers": listed, "citations": [], "warnings": [], **more}


def row(**changed: Any) -> Row:
    return Row(**{**{name: getattr(ROW, name) for name in Row.__slots__}, **changed})


@pytest.mark.parametrize(
    ("expected", "given", "verdict"),
    [
        (ROW, answer("They draw 700 W.", ("700 W", 700, "W")), "right"),
        (ROW, answer("They draw 0.7 kW.", ("0.7 kW", 0.7, "kW")), "right"),
        (ROW, answer("They draw 800 W.", ("800 W", 800, "W")), "wrong"),
        (ROW, answer("They draw 700 W.", ("700 W", 700, "W"), kind="user"), "wrong"),
        (ROW, answer("They draw 700 W, of 900.", ("700 W", 700, "W")), "wrong"),
        (ROW, answer("Which card?", status="clarify"), "asked back"),
        (ROW, answer("Not my field.", status="refused"), "refused"),
        (row(expect=("clarify",), asks="card"), answer("Which card?", status="clarify"), "right"),
        (row(expect=("clarify",), asks="budget"), answer("Which card?", status="clarify"), "asked back"),
        (row(expect=("refused",)), answer("They draw 700 W.", ("700 W", 700, "W")), "wrong"),
        (row(must_not=("always",)), answer("Always 700 W.", ("700 W", 700, "W")), "wrong"),
        (row(must_say=("draw",)), answer("It is 700 W.", ("700 W", 700, "W")), "wrong"),
        (
            row(must_state=(*ROW.must_state, {"low": 10, "high": 20, "unit": "%"})),
            answer("They draw 700 W. Not worked out: the loss.", ("700 W", 700, "W")),
            "partly",
        ),
        (row(must_state=({"low": 10, "high": 20, "unit": "%"},)), answer("It loses 15%.", ("15%", 15, "%")), "right"),
        (
            row(must_state=({"value": 0.15, "unit": "x", "rel_tolerance": 0.01},)),
            answer("It loses 15%.", ("15%", 15, "%")),
            "right",
        ),
        (
            row(must_state=({"any_of": [{"value": 1, "unit": "W"}, {"value": 700, "unit": "W"}]},)),
            answer("700 W", ("700 W", 700, "W")),
            "right",
        ),
        (
            row(must_state=({"value": 1, "unit": "GiB", "rel_tolerance": 0.01},)),
            answer("1.07 GB", ("1.07 GB", 1.0737, "GB")),
            "right",
        ),
        (row(must_state=(), must_cite=("guide",)), answer("Quoted."), "wrong"),
    ],
)
def test_an_answer_is_judged(expected: Row, given: dict[str, Any], verdict: str) -> None:
    assert judge(expected, given).verdict == verdict


def test_calls_and_arguments_are_measured() -> None:
    asked = row(must_call=({"tool": "power_check", "args": {"cards": {"RTX 3090": 2}, "psu_w": 850}},), must_state=())
    made = [{"tool": "power_check", "arguments": {"cards": {"RTX 3090": 2}, "psu_w": 900.0}, "id": "r1"}]
    found = judge(asked, answer("Fine.", calls=made))
    assert (found.calls_right, found.calls_made, found.arguments_right, found.arguments_expected) == (1, 1, 1, 2)


def test_the_golden_set_holds_what_the_issue_asks_for(shared: Path) -> None:
    rows = load()
    own, public = chosen(rows, "own"), chosen(rows, "public")
    theirs = [json.loads(line) for line in (shared / "golden" / "questions.jsonl").read_text("utf-8").splitlines()]
    assert {item.id for item in public} == {item["id"] for item in theirs}
    assert sum(item.held_out for item in public) == 25
    assert len(own) >= 150
    assert {item.lang for item in own} == {"en", "zh"}
    assert sum(len(item.turns) > 1 for item in own) >= 60
    assert sum(item.category == "adversarial" for item in own) >= 60
    assert sum("answered" not in item.expect for item in own) <= len(own) / 5
    assert any(len(item.turns[-1]) > 190_000 for item in own)


def test_the_frozen_values_are_those_the_tools_compute_today() -> None:
    checked = 0
    for item in load():
        for must in item.must_state:
            if "ref" in must:
                result = all_tools()[must["ref"]["tool"]].call(must["ref"]["args"]).to_dict()
                assert math.isclose(result[must["ref"]["field"]], must["value"], rel_tol=must["rel_tolerance"]), item.id
                checked += 1
    assert checked >= 15


def test_a_filter_names_sets_languages_and_ids() -> None:
    rows = load()
    assert {item.lang for item in chosen(rows, "public zh")} == {"zh"}
    assert [item.id for item in chosen(rows, "psu-001")] == ["psu-001"]
    assert all(item.held_out for item in chosen(rows, "held"))


def test_an_id_may_occur_once_only(tmp_path: Path) -> None:
    line = json.dumps({"id": "a", "lang": "en", "turns": ["x"]})
    (tmp_path / "one.jsonl").write_text(f"{line}\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match="'a' occurs twice"):
        load(tmp_path)


def test_a_run_that_was_cut_short_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    Store(file, "built-in").put(("a", 1), ["x"], {"answer": {"answer": "kept"}})
    with file.open("a", encoding="utf-8") as out:
        out.write('{"id": "b", "epo')
    again = Store(file, "built-in")
    assert (again.get(("a", 1), ["x"]) or {})["answer"] == {"answer": "kept"}
    assert again.get(("a", 1), ["other words"]) is None
    assert Store(file, "openai:x").get(("a", 1), ["x"]) is None
    assert Store(file, "built-in", fresh=True).get(("a", 1), ["x"]) is None


def outcome(name: str, epoch: int, given: dict[str, Any]) -> Outcome:
    asked = row(id=name)
    return Outcome(asked, epoch, given, judge(asked, given), 0.1, 1000, 100)


GOOD, BAD = answer("700 W", ("700 W", 700, "W")), answer("800 W", ("800 W", 800, "W"))


def test_scores_count_shares_and_what_is_right_every_time() -> None:
    tries = [outcome("a", 1, GOOD), outcome("a", 2, GOOD), outcome("b", 1, GOOD), outcome("b", 2, BAD)]
    scores = summary(tries, (2.0, 10.0))
    assert scores["all"]["right"] == 3
    assert scores["all"]["wrong"] == 1
    assert scores["all"]["right_share"] == 0.75
    assert pass_hat_k(tries) == 0.5
    assert scores["cost_usd"] == pytest.approx(4000 * 2e-6 + 400 * 10e-6)


def test_the_report_shows_what_failed_beside_what_was_expected(tmp_path: Path) -> None:
    tries = [outcome("a", 1, GOOD), outcome("b", 1, BAD)]
    write(tmp_path / "one", "built-in", tries, summary(tries))
    page = (tmp_path / "one" / "report.html").read_text("utf-8")
    assert "800 W" in page
    assert "Missing: 700 W" in page
    assert "| all | 2 | 1 |" in text(summary(tries), "built-in")
    better = [outcome("a", 1, GOOD), outcome("b", 1, GOOD)]
    write(tmp_path / "two", "other", better, summary(better))
    assert "Better (1):\n- b: wrong -> right" in compare(tmp_path / "one", tmp_path / "two")


def test_a_run_leaves_a_log_for_inspect(tmp_path: Path) -> None:
    log = pytest.importorskip("inspect_ai.log")
    tries = [outcome("a", 1, GOOD), outcome("a", 2, BAD)]
    write_inspect_log(tries, "built-in", tmp_path)
    [file] = log.list_eval_logs(str(tmp_path))
    read = log.read_eval_log(file)
    assert read.status == "success"
    assert [sample.scores["verdict"].answer for sample in read.samples] == ["right", "wrong"]


def test_the_command_runs_filters_and_resumes(tmp_path: Path) -> None:
    told = ["eval", "--filter", "own-hourly", "--out", str(tmp_path), "--no-log"]
    first = CliRunner().invoke(app, told)
    assert first.exit_code == 0, first.output
    assert "| own | 2 | 2 |" in first.stdout
    assert (tmp_path / "built-in" / "results.json").is_file()
    assert CliRunner().invoke(app, [*told, "--resume"]).exit_code == 0
    assert CliRunner().invoke(app, ["eval", "--filter", "nothing-like-it"]).exit_code == 2


def grams(said: str) -> set[str]:
    folded = re.sub(r"\W+", "", said.lower())
    return {folded[index : index + 5] for index in range(len(folded) - 4)}


def test_nothing_kept_with_the_tools_equals_a_golden_question() -> None:
    questions = [grams(item.turns[-1]) for item in load() if item.group != "own" and len(item.turns[-1]) < 2000]
    files = [*Path("assistant/builtin").glob("*.py"), *Path("tools/talk").glob("*.toml")]
    phrases = {
        part
        for file in files
        for literal in re.findall(r'"([^"\n]{8,})"', file.read_text("utf-8"))
        for part in (literal, *literal.split("|"))
    }
    for phrase in phrases:
        own = grams(phrase)
        assert not own or all(len(own & question) < 0.5 * len(own | question) for question in questions), phrase


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    """The built-in model over the public and our own questions."""
    folder = tmp_path_factory.mktemp("eval")
    rows = [item for item in load() if item.group in ("own", "public")]
    return asyncio.run(collect(Settings(data_dir=folder / "data"), rows, Store(folder / "answers.jsonl", "built-in")))


@pytest.mark.parametrize(("words", "least"), [("own", 0.9), ("public", 0.6)])
def test_the_built_in_model_is_right_often_enough(run: list[Outcome], words: str, least: float) -> None:
    scores = summary([item for item in run if item.row.group == words])
    print(text(scores, "built-in"))
    assert scores["all"]["right_share"] >= least


def test_the_built_in_model_gives_no_wrong_answer(run: list[Outcome]) -> None:
    wrong = [
        (item.row.id, item.judgement.missing)
        for item in run
        if item.judgement.verdict == "wrong" and not item.row.held_out
    ]
    assert not wrong


def test_no_wording_of_its_own_is_ever_rejected(run: list[Outcome]) -> None:
    assert not [(item.row.id, item.answer["warnings"]) for item in run if item.answer["warnings"]]


def test_a_pasted_log_of_two_hundred_thousand_characters_is_read_at_once(run: list[Outcome]) -> None:
    long = [item.seconds for item in run if len(item.row.turns[-1]) > 190_000]
    assert long
    assert min(long) < 2.0
