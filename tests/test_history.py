"""Conversations that are found again: who sees them, what a search finds, what is forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.history import History


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "folder" / "history.sqlite")


def test_turns_come_back_in_order_and_a_retry_replaces(history: History) -> None:
    name = history.keep("me", "s1", 1, "First  question?", {"answer": "one"})
    assert history.keep("me", "s1", 2, "Second?", {"answer": "two"}) == name
    history.keep("me", "s1", 2, "Second, again?", {"answer": "zwei"})
    assert [(past.question, past.answer["answer"]) for past in history.turns("me", name)] == [
        ("First  question?", "one"),
        ("Second, again?", "zwei"),
    ]
    assert history.listed("me")[0].title == "First question?"


def test_nobody_sees_reads_renames_judges_or_deletes_what_is_another_persons(history: History) -> None:
    name = history.keep("me", "s1", 1, "Mine?", {"answer": "x"})
    assert history.listed("you") == [] and history.turns("you", name) == [] and history.find("you", name) is None
    assert not history.rename("you", name, "Yours") and history.delete("you", name) is None
    assert not history.judge("you", name, 1, good=True, reason="")
    history.cut("you", name, 1)
    assert len(history.turns("me", name)) == 1
    assert history.keep("you", "s1", 1, "Same session?", {"answer": "y"}) != name


@pytest.mark.parametrize(
    ("search", "found"),
    [("电源", 1), ("POWER", 1), ("1,600 W", 1), ("100%", 0), ("_", 0), ("", 2), ("'; DROP TABLE turns", 0)],
)
def test_a_search_looks_into_questions_and_answers(history: History, search: str, found: int) -> None:
    history.keep("me", "s1", 1, "4 张 3090 用什么电源？", {"answer": "整机 1,600 W"})
    history.keep("me", "s2", 1, "Power limit?", {"answer": "none"})
    assert len(history.listed("me", search)) == found


def test_rename_delete_and_opinion(history: History) -> None:
    name = history.keep("me", "s1", 1, "Q?", {"answer": "x"})
    assert history.rename("me", name, "  My  build ") and history.listed("me")[0].title == "My build"
    assert not history.rename("me", name, "   ")
    assert history.judge("me", name, 1, good=False, reason="电价不对") and not history.judge(
        "me", name, 9, good=True, reason=""
    )
    assert history.opinions("me", name) == {1: (False, "电价不对")}
    assert history.delete("me", name) == "s1" and history.listed("me") == []


def test_signs_that_a_database_refuses_do_not_lose_a_turn(history: History) -> None:
    name = history.keep("me", "s1", 1, "a\0b \ud83d?", {"answer": "4 \0 cards", "numbers": ["\udc00"]})
    assert history.turns("me", name)[0].question == "ab ??"
    assert [kept.id for kept in history.listed("me", "4  cards\0")] == [name]
    assert history.rename("me", name, "x\0y") and history.listed("me")[0].title == "xy"
    assert history.find("me", "\0") is None


def test_it_survives_a_restart(tmp_path: Path) -> None:
    first = History(tmp_path / "h.sqlite")
    name = first.keep("me", "s1", 1, "Q?", {"answer": "x"})
    first.close()
    assert History(tmp_path / "h.sqlite").turns("me", name)[0].answer == {"answer": "x"}


def test_a_place_that_cannot_be_written_still_works_in_this_process(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    history = History(tmp_path / "file" / "history.sqlite")
    history.keep("me", "s1", 1, "Q?", {"answer": "x"})
    assert len(history.listed("me")) == 1
