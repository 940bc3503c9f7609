"""Print how long people wait: one process per question, and a running page's conversation.

`make bench`. Medians of 20; the machine is noisy, so each figure stands beside what it is compared with.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from assistant.conversation import Answer
from assistant.desk import open_desk
from assistant.settings import Settings
from tests.test_guard import When, three_hundred_words, verify_ms
from tools.api import get_tool, gpus

ROUNDS = 20
QUESTIONS = ("4 张 3090 需要多大的电源？", "When is my $2,200 desktop cheaper than a $2.14/h cloud GPU?")


def main() -> None:
    """Print the table."""
    print(f"{'what':58} {'median':>9} {'limit':>9}")
    _row("ask, one process, start to exit", [_process(QUESTIONS[index % 2]) for index in range(ROUNDS)], 3.0)
    _row("python -c pass, for comparison", [_bare() for _ in range(ROUNDS)], None)
    first, whole = asyncio.run(_conversation())
    _row("running page: first event of a computed answer", first, 0.3)
    _row("running page: whole computed answer", whole, 1.0)
    card = gpus()[0].name
    predict = get_tool("decode_rate")
    predict.call({"gpu": card, "model": "llama-3-8b"})
    _row(
        "one prediction (decode_rate)",
        [_timed(lambda: predict.call({"gpu": card, "model": "llama-3-8b"})) for _ in range(200)],
        0.001,
    )
    rank = get_tool("rank_by_value")
    rank.call({"use": "inference_8bit"})
    _row(
        "ranking the cards (rank_by_value)",
        [_timed(lambda: rank.call({"use": "inference_8bit"})) for _ in range(ROUNDS)],
        0.05,
    )
    text, evidence = three_hundred_words()
    guarded: tuple[tuple[str, When, int, float | None], ...] = (
        ("20 results known", "known", 200, 0.005),
        ("20 read as they came", "read ahead", ROUNDS, 0.005),
        ("all 20 new at once", "new", ROUNDS, None),
    )
    for what, results, rounds, limit in guarded:
        took = [ms / 1000 for ms in verify_ms(text, evidence, rounds, results)]
        _row(f"guard: 300 new words, {what} (best {min(took) * 1000:.1f} ms)", took, limit)


def _row(what: str, seconds: list[float], limit: float | None) -> None:
    bound = "" if limit is None else f"{limit * 1000:7.0f} ms"
    print(f"{what:58} {statistics.median(seconds) * 1000:6.1f} ms {bound:>9}")


def _timed(run: object) -> float:
    start = time.perf_counter()
    run()  # type: ignore[operator]
    return time.perf_counter() - start


def _process(question: str) -> float:
    start = time.perf_counter()
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import runpy, sys; sys.argv = ['assistant', 'ask', sys.argv[1]]\n"
            "try: runpy.run_module('assistant', run_name='__main__')\n"
            "finally: assert 'torch' not in sys.modules",
            question,
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip()
    return time.perf_counter() - start


def _bare() -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - start


async def _conversation() -> tuple[list[float], list[float]]:
    first: list[float] = []
    whole: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        async with open_desk(Settings(data_dir=Path(folder)), remember=True) as desk:
            for index in range(ROUNDS):
                start, seen = time.perf_counter(), False
                async for event in desk.conversation().ask(QUESTIONS[index % 2]):
                    if not seen:
                        first.append(time.perf_counter() - start)
                        seen = True
                    if isinstance(event, Answer):
                        whole.append(time.perf_counter() - start)
    return first, whole


if __name__ == "__main__":
    main()
