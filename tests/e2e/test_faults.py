"""What happens when a worker, the database or the disk goes away."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph.checkpoint.base import empty_checkpoint

from assistant.memory import MemoryDown, open_memory
from assistant.serving.history import PREFIX
from assistant.serving.retention import sweep
from tests.e2e.server import ROOT, Server, served
from tests.e2e.services import chroma, nginx, postgres
from tests.serving import settings_for

pytestmark = pytest.mark.system
CHAT = "/v1/chat/completions"
WATTS = {count: f"{count * 350 + 200:,} W" for count in (1, 2, 3, 4)}
LIMITED = {count: f"{count * 280 + 200:,} W" for count in (1, 2, 3, 4)}


class Talk:
    """A conversation as an OpenAI client holds it."""

    def __init__(self, base: str, number: int) -> None:
        self.base = base
        self.count = number % 4 + 1
        self.messages: list[dict[str, str]] = []
        self.first = f"{self.count} x RTX 3090: power supply? (talk {chr(97 + number)})"

    def say(self, text: str) -> httpx.Response:
        """Send one question with everything said before."""
        self.messages.append({"role": "user", "content": text})
        body = {"model": "gpu-advisor", "messages": self.messages}
        reply = httpx.post(self.base + CHAT, json=body, timeout=40)
        if reply.status_code == 200:
            self.messages.append(reply.json()["choices"][0]["message"])
        else:
            self.messages.pop()
        return reply


def test_a_killed_worker_loses_no_finished_turn(tmp_path: Path) -> None:
    with postgres() as database:
        settings = {
            "GPU_ADVISOR_DATABASE_URL": database.url,
            "GPU_ADVISOR_TRUSTED_PROXY": "127.0.0.1",
            "GPU_ADVISOR_RATE_PER_MINUTE": "100000",
        }
        workers = [Server(tmp_path / name, **settings) for name in ("one", "two")]
        try:
            for worker in workers:
                worker.wait()
            with nginx(tmp_path, [worker.port for worker in workers]) as base:
                begun = threading.Barrier(21)

                def talk(number: int) -> list[int]:
                    person = Talk(base, number)
                    codes = [person.say(person.first).status_code]
                    assert WATTS[person.count] in person.messages[-1]["content"]
                    begun.wait(120)
                    for _ in range(3):
                        reply = person.say("and at 280 W each?")
                        codes.append(reply.status_code)
                        assert reply.status_code == 200, reply.text
                        assert LIMITED[person.count] in person.messages[-1]["content"], person.messages
                        person.messages[-2:] = []
                    return codes

                with ThreadPoolExecutor(20) as people:
                    talks = [people.submit(talk, number) for number in range(20)]
                    begun.wait(120)
                    time.sleep(0.3)
                    workers[0].kill()
                    codes = [code for finished in talks for code in finished.result(120)]
                assert codes == [200] * 80
                workers[0].restart()
                workers[0].wait()
        finally:
            for worker in workers:
                worker.stop()


def test_the_database_goes_and_comes_back(tmp_path: Path) -> None:
    with postgres() as database, served(tmp_path, GPU_ADVISOR_DATABASE_URL=database.url) as server:
        talk = Talk(server.base, 3)
        assert talk.say(talk.first).status_code == 200
        database.stop()
        start = time.monotonic()
        down = talk.say("and at 280 W each?")
        assert down.status_code == 503 and "database" in down.json()["error"]["message"]
        assert "对话" in down.json()["error"]["message"] and time.monotonic() - start < 15
        fresh = Talk(server.base, 5)
        reply = fresh.say(fresh.first)
        assert reply.status_code in (200, 503)
        assert httpx.post(f"{server.base}/tools/gpu_specs", json={"gpu": "RTX 4090"}).status_code == 200
        database.start()
        until = time.monotonic() + 30
        while (reply := talk.say("and at 280 W each?")).status_code != 200 and time.monotonic() < until:
            time.sleep(0.5)
        assert reply.status_code == 200 and LIMITED[talk.count] in reply.text
        assert "s3cr3t-db" not in server.log.read_text("utf-8")


def test_a_database_that_comes_late_is_found(tmp_path: Path) -> None:
    with postgres() as database:
        database.stop()
        with served(tmp_path, GPU_ADVISOR_DATABASE_URL=database.url) as server:
            talk = Talk(server.base, 3)
            assert talk.say(talk.first).status_code == 503
            database.start()
            until = time.monotonic() + 30
            while (reply := talk.say(talk.first)).status_code != 200 and time.monotonic() < until:
                time.sleep(0.5)
            assert reply.status_code == 200


async def test_old_talks_are_forgotten_in_the_database_too(tmp_path: Path) -> None:
    names = ["mine", *(f"{PREFIX}{number}" for number in range(4))]
    with postgres() as database:
        async with open_memory(settings_for(tmp_path, database_url=database.url)) as saver:
            for name in names:
                config: Any = {"configurable": {"thread_id": name, "checkpoint_ns": ""}}
                await saver.aput(config, empty_checkpoint(), {}, {})
            assert await sweep(saver, kept=2, days=30) == 2
            assert {name for name, _ in await saver.latest("")} == {"mine", *names[-2:]}
            assert await sweep(saver, kept=2, days=30, now_s=time.time() + 31 * 86_400) == 2
            database.stop()
            with pytest.raises(MemoryDown):
                await sweep(saver, kept=2, days=30)


def test_the_chroma_server_goes_and_comes_back(tmp_path: Path) -> None:
    data, note = tmp_path / "data", tmp_path / "own.md"
    note.write_text(
        "# Fans of the Fnord rack\n\nThe Fnord rack holds four blower cards when its fans run at 2400 rpm.\n"
    )
    with chroma(tmp_path / "chroma") as store:
        settings = {"GPU_ADVISOR_CHROMA": store.address, "GPU_ADVISOR_DATA_DIR": str(data)}
        ingest = [sys.executable, "-m", "knowledge", "ingest", str(note)]
        subprocess.run(ingest, cwd=ROOT, check=True, capture_output=True, env={**os.environ, **settings}, timeout=240)
        with served(tmp_path, **settings) as server:

            def found() -> dict[str, Any]:
                reply = httpx.post(
                    f"{server.base}/tools/search_articles", json={"query": "fans of the Fnord rack"}, timeout=60
                )
                assert reply.status_code == 200, reply.text
                return reply.json()

            assert "2400 rpm" in str(found()) and "warning" not in found()
            store.stop()
            assert "2400 rpm" in str(found()), "what was read once does not need the server"
            # Another process has built the index anew, and the copy beside the server is lost.
            knowledge = data / "knowledge"
            for copy in knowledge.glob("passages-*.npz"):
                copy.unlink()
            os.utime(knowledge / "current.json")
            start = time.monotonic()
            down = found()
            assert "added texts" in down["warning"] and down["citations"] is not None and "2400 rpm" not in str(down)
            assert time.monotonic() - start < 15
            answered = Talk(server.base, 3)
            assert WATTS[4] in answered.say(answered.first).text
            concept = Talk(server.base, 0).say("What is a Tensor Core?").json()["gpu_advisor"]
            assert concept["citations"] and "added texts" in str(concept["warnings"])
            store.start()
            until = time.monotonic() + 60
            while "warning" in (back := found()) and time.monotonic() < until:
                time.sleep(0.5)
            assert "2400 rpm" in str(back) and "warning" not in back
            assert "mistake of ours" not in server.log.read_text("utf-8")


@contextmanager
def small_disk(folder: Path, options: str) -> Iterator[Path]:
    """Mount a small disk; only root can."""
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=False, capture_output=True
    )
    if done.returncode:
        pytest.skip("needs the right to mount")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


def ask_on(server: Server) -> tuple[dict[str, Any], str]:
    talk = Talk(server.base, 3)
    first, follow = talk.say(talk.first), talk.say("and at 280 W each?")
    assert first.status_code == 200 and WATTS[4] in first.text, first.text
    assert follow.status_code == 200
    concept = Talk(server.base, 0).say("What is a Tensor Core?")
    assert concept.status_code == 200 and concept.json()["gpu_advisor"]["citations"], concept.text
    return follow.json()["gpu_advisor"], server.log.read_text("utf-8")


def test_a_disk_that_fills_up(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "size=6m") as disk:
        with served(tmp_path, GPU_ADVISOR_DATA_DIR=str(disk)) as server:
            ask_on(server)
            with (disk / "filler").open("wb") as filler:
                try:
                    while True:
                        filler.write(b"\0" * 65536)
                        filler.flush()
                except OSError:
                    pass
            assert os.statvfs(disk).f_bavail == 0
            warned = [ask_on(server) for _ in range(8)]
        assert any("could not be kept" in warning for extra, _ in warned for warning in extra["warnings"])
        assert "a turn cannot be kept" in warned[-1][1]


@pytest.mark.parametrize("options", ["ro", "size=64k"])
def test_a_data_folder_that_cannot_be_written(tmp_path: Path, options: str) -> None:
    with small_disk(tmp_path / "disk", options) as disk, served(tmp_path, GPU_ADVISOR_DATA_DIR=str(disk)) as server:
        _, log = ask_on(server)
    assert "GPU_ADVISOR_DATA_DIR" in log or "cannot be kept" in log
