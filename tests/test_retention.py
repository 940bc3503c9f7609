"""Talks of programs are forgotten by number and by age; what people keep is not."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint

from assistant.memory import ProcessSaver, open_memory
from assistant.serving.history import PREFIX
from assistant.serving.retention import sweep, written_s
from tests.serving import settings_for

DAY_S = 86_400


@asynccontextmanager
async def kept(folder: Path, where: str, names: list[str]) -> AsyncGenerator[Any]:
    """Open a place for conversations that holds these, the first one written first."""

    async def fill(saver: Any) -> None:
        for name in names:
            config: Any = {"configurable": {"thread_id": name, "checkpoint_ns": ""}}
            await saver.aput(config, empty_checkpoint(), {}, {})

    if where == "process":
        saver = ProcessSaver()
        await fill(saver)
        yield saver
        return
    async with open_memory(settings_for(folder)) as opened:
        await fill(opened)
        yield opened


async def left(saver: Any) -> set[str]:
    return {name for name, _ in await saver.latest("")}


@pytest.mark.parametrize("where", ["file", "process"])
async def test_the_oldest_talks_go_first_and_people_keep_theirs(tmp_path: Path, where: str) -> None:
    talks = [f"{PREFIX}{number}" for number in range(5)]
    async with kept(tmp_path, where, ["mine", *talks, talks[0]]) as saver:  # the first one is continued at the end
        assert await sweep(saver, kept=3, days=30) == 2
        assert await left(saver) == {"mine", talks[0], talks[3], talks[4]}
        assert await sweep(saver, kept=3, days=30) == 0


@pytest.mark.parametrize("where", ["file", "process"])
async def test_a_talk_goes_when_nobody_continues_it(tmp_path: Path, where: str) -> None:
    async with kept(tmp_path, where, ["mine", f"{PREFIX}a"]) as saver:
        assert await sweep(saver, kept=10, days=30, now_s=time.time() + 29 * DAY_S) == 0
        assert await sweep(saver, kept=10, days=30, now_s=time.time() + 31 * DAY_S) == 1
        assert await left(saver) == {"mine"}


async def test_the_name_of_a_state_tells_its_time(tmp_path: Path) -> None:
    before_s = time.time()
    async with kept(tmp_path, "file", ["a"]) as saver:
        [(_, state)] = await saver.latest("a")
    assert before_s - 0.01 <= written_s(state) <= time.time() + 0.01
