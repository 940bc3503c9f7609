"""Golden follow-ups: what was said stays, what the new message changes is changed, and nothing finished is ever lost."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from assistant.conversation import Answer
from assistant.desk import open_desk
from assistant.settings import Settings
from tests.e2e.services import postgres

DIALOGUES = [
    json.loads(line) for line in (Path(__file__).parent / "golden" / "dialogues.jsonl").read_text("utf-8").splitlines()
]


@pytest.fixture(scope="module")
def replies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Answer]]:
    """Every dialogue's answers by the built-in model."""

    async def run() -> dict[str, list[Answer]]:
        async with open_desk(Settings(data_dir=tmp_path_factory.mktemp("dialogues"))) as desk:
            found: dict[str, list[Answer]] = {}
            for dialogue in DIALOGUES:
                session = desk.conversation().session
                found[dialogue["id"]] = [await desk.answer(turn["say"], session) for turn in dialogue["turns"]]
            return found

    return asyncio.run(run())


def test_there_are_forty_of_two_to_five_turns_in_both_languages() -> None:
    assert len(DIALOGUES) >= 40
    assert all(2 <= len(dialogue["turns"]) <= 5 for dialogue in DIALOGUES)
    assert sum(dialogue["language"] == "zh" for dialogue in DIALOGUES) == 20


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=[dialogue["id"] for dialogue in DIALOGUES])
def test_a_dialogue_keeps_what_was_said(dialogue: dict[str, Any], replies: dict[str, list[Answer]]) -> None:
    for turn, answer in zip(dialogue["turns"], replies[dialogue["id"]], strict=True):
        assert answer.language == dialogue["language"]
        assert answer.status == turn.get("status", "answered"), (turn["say"], answer.answer)
        if "tool" in turn:
            _computed(turn, answer)
        elif answer.status == "answered":
            assert any(number["kind"] == "tool" for number in answer.numbers), (turn["say"], answer.answer)


def _computed(turn: dict[str, Any], answer: Answer) -> None:
    """The turn called the tool with these arguments among others, and its answer states the figures."""
    calls = [
        call
        for call in answer.calls
        if call["tool"] == turn["tool"]
        and all(_same(call["arguments"].get(name), value) for name, value in turn["arguments"].items())
    ]
    assert calls, (turn["say"], [(call["tool"], call["arguments"]) for call in answer.calls])
    for name in turn["states"]:
        assert any(str(number["ref"]) == f"{call['id']}.{name}" for number in answer.numbers for call in calls), (
            turn["say"],
            name,
            answer.answer,
        )


def _same(given: Any, wanted: Any) -> bool:
    return (
        given == pytest.approx(wanted)
        if isinstance(wanted, (int, float)) and isinstance(given, (int, float))
        else given == wanted
    )


def test_both_languages_compute_the_same_in_the_dialogues_they_share(replies: dict[str, list[Answer]]) -> None:
    english, chinese = replies["en-12"], replies["zh-12"]
    for one, other in zip(english, chinese, strict=True):
        assert [call["result"]["relative_speed"] for call in one.calls] == [
            call["result"]["relative_speed"] for call in other.calls
        ]


# Speaks two turns and is killed in the middle of a third: the model never replies there.
TALKER = """
import asyncio, os, sys
from langchain_core.messages import AIMessage
import assistant.builtin.model as built_in
from assistant.desk import open_desk
from assistant.settings import Settings

true_reply = built_in.reply
def reply(messages):
    if str(messages[-1].text) == "and the third":
        print("in the third", flush=True)
        import time; time.sleep(60)
    return true_reply(messages)
built_in.reply = reply

async def run():
    async with open_desk(Settings(), remember=True) as desk:
        for question in ("Is a 1600 W supply enough for four RTX 3090?", "And a 2000 W supply?", "and the third"):
            await desk.answer(question, "kept")
asyncio.run(run())
"""


def _killed_in_the_third_turn(environment: dict[str, str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", TALKER], env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout and process.stdout.readline().strip() == "in the third"
    time.sleep(0.2)
    process.send_signal(signal.SIGKILL)
    process.wait()


async def _goes_on(settings: Settings) -> Answer:
    async with open_desk(settings, remember=True) as desk:
        return await desk.answer("And if I limit them to 300 W each?", "kept")


async def test_a_kill_in_the_middle_of_a_turn_loses_no_finished_turn(tmp_path: Path) -> None:
    _killed_in_the_third_turn({"GPU_ADVISOR_DATA_DIR": str(tmp_path)})
    answer = await _goes_on(Settings(data_dir=tmp_path))
    assert answer.calls[0]["arguments"] == {"cards": {"RTX 3090": 4}, "psu_w": 2000, "power_limit_w": 300}


@pytest.mark.system
async def test_nor_with_postgresql(tmp_path: Path) -> None:
    with postgres() as server:
        _killed_in_the_third_turn({"GPU_ADVISOR_DATA_DIR": str(tmp_path), "GPU_ADVISOR_DATABASE_URL": server.url})
        answer = await _goes_on(Settings(data_dir=tmp_path, database_url=server.url))  # pyright: ignore[reportArgumentType]
    assert answer.calls[0]["arguments"] == {"cards": {"RTX 3090": 4}, "psu_w": 2000, "power_limit_w": 300}
