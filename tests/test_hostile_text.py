"""Text that is made to keep a worker busy: each question is answered or refused within 2 s of computing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from assistant.desk import Desk, open_desk
from assistant.serving.history import Said, continued
from tests.serving import settings_for

LENGTH = 100_000
SECONDS = 2.0
PIECES = [
    "9",
    "1,",
    "1e",
    "-1",
    "~1~",
    "(",
    "{{r1.x}}",
    "[c1]",
    "|1|",
    "> a\n",
    "*a",
    "4x3090,",
    "4张3090和",
    "A A ",
    "llama-3-8b ",
    "70B ",
    "$1,000 ",
    "2023年",
    "显",
    "１，",
    "💥",
    "e\u0301",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose index is built once."""
    return tmp_path_factory.mktemp("data")


async def used_s(desk: Desk, text: str) -> float:
    """Return the time that one answer keeps the processor busy."""
    start = time.process_time()
    answer = await desk.answer(text)
    assert answer.answer and answer.status in ("answered", "clarify", "refused")
    return time.process_time() - start


@pytest.mark.parametrize("piece", PIECES)
async def test_a_repeated_piece_keeps_nobody_waiting(folder: Path, piece: str) -> None:
    text = f"power supply? {(piece * LENGTH)[:LENGTH]}"
    async with open_desk(settings_for(folder)) as desk:
        await desk.answer("4 x RTX 3090: power supply?")  # tables are read once
        assert await used_s(desk, text) < SECONDS or await used_s(desk, text + ".") < SECONDS


async def test_a_long_talk_that_we_never_saw_is_read_from_its_end(tmp_path: Path) -> None:
    talk = [Said("user" if number % 2 == 0 else "assistant", f"{number} " + "x" * 150_000) for number in range(21)]
    async with open_desk(settings_for(tmp_path)) as desk:
        _, before = await continued(desk, "me", [*talk, Said("user", "power?")])
    assert [str(message.text).split()[0] for message in before] == ["19", "20"]
