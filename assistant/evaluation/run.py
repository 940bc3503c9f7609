"""Ask every golden question through the same desk that people use, as a task of inspect-ai."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from langchain_core.callbacks import get_usage_metadata_callback

from assistant.desk import Desk, open_desk
from assistant.evaluation.golden import Row
from assistant.evaluation.judge import VERDICTS, judge
from assistant.evaluation.scores import Outcome
from assistant.evaluation.store import Store
from assistant.settings import Settings
from tools.api import Json

# Two at once keep two cores busy; an LLM behind a network waits more than it works.
_AT_ONCE, _AT_ONCE_REMOTE = 2, 8
Progress = Callable[[int, int], None]


async def collect(
    settings: Settings, rows: Sequence[Row], store: Store, *, epochs: int = 1, progress: Progress | None = None
) -> list[Outcome]:
    """Ask every question in every epoch and judge the answers.

    Args:
        settings: Model and data folder.
        rows: Golden questions.
        store: Answers that are there already, and where new ones go.
        epochs: How many times each question is asked. [1]
        progress: Called with how many answers are there and how many there will be.
    """
    wanted = [(row, epoch) for epoch in range(1, epochs + 1) for row in rows]
    seats = asyncio.Semaphore(_AT_ONCE if settings.model == "built-in" else _AT_ONCE_REMOTE)
    done = 0

    async with open_desk(settings) as desk:

        async def one(row: Row, epoch: int) -> Outcome:
            nonlocal done
            async with seats:
                outcome = await _outcome(desk, row, epoch, store)
            done += 1
            if progress:
                progress(done, len(wanted))
            return outcome

        return await asyncio.gather(*(one(row, epoch) for row, epoch in wanted))


async def _outcome(desk: Desk, row: Row, epoch: int, store: Store) -> Outcome:
    turns = list(row.turns)
    kept = store.get((row.id, epoch), turns)
    if kept is None:
        kept = await _asked(desk, turns)
        store.put((row.id, epoch), turns, kept)
    return Outcome(
        row,
        epoch,
        kept["answer"],
        judge(row, kept["answer"]),
        kept["seconds"],
        kept["input_tokens"],
        kept["output_tokens"],
    )


async def _asked(desk: Desk, turns: Sequence[str]) -> dict[str, Json]:
    conversation = desk.conversation()
    answer: dict[str, Json] = {}
    seconds = 0.0
    with get_usage_metadata_callback() as usage:
        for turn in turns:
            start = time.perf_counter()
            answer = (await desk.answer(turn, conversation.session)).to_dict()
            seconds = time.perf_counter() - start
    used = usage.usage_metadata.values()
    return {
        "answer": answer,
        "seconds": round(seconds, 4),
        "input_tokens": sum(item["input_tokens"] for item in used),
        "output_tokens": sum(item["output_tokens"] for item in used),
    }


def write_inspect_log(outcomes: Sequence[Outcome], model: str, folder: Path) -> None:
    """Write a run as a log that `inspect view` opens, with the judge as its scorer."""
    # inspect-ai takes seconds to import and belongs to the `eval` extra.
    from inspect_ai import Epochs, Task
    from inspect_ai import eval as evaluate  # pyright: ignore[reportUnknownVariableType]  # some of its options are untyped
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import Score, accuracy, scorer, stderr
    from inspect_ai.solver import solver

    found = {(item.row.id, item.epoch): item for item in outcomes}

    def of(state: Any) -> Outcome:
        return found[str(state.sample_id), int(state.epoch)]

    @solver
    def ask() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            item = of(state)
            state.output = ModelOutput.from_content(model, item.answer["answer"])
            state.metadata["answer"] = dict(item.answer)
            return state

        return solve

    @scorer(metrics=[accuracy(), stderr()])
    def verdict() -> Any:
        async def score(state: Any, target: Any) -> Any:
            judgement = of(state).judgement
            worth = {"right": 1.0, "partly": 0.5}.get(judgement.verdict, 0.0)
            return Score(value=worth, answer=judgement.verdict, explanation="; ".join(judgement.missing))

        return score

    epochs = max((item.epoch for item in outcomes), default=1)
    samples = [
        Sample(
            input=item.row.turns[-1][:4000],
            id=item.row.id,
            target=item.row.expect[0],
            metadata={"group": item.row.group, "lang": item.row.lang, "category": item.row.category},
        )
        for item in outcomes
        if item.epoch == 1
    ]
    task = Task(
        dataset=MemoryDataset(samples),
        solver=ask(),
        scorer=verdict(),
        epochs=Epochs(epochs),
        name="gpu_advisor",
        metadata={"model": model, "verdicts": list(VERDICTS)},
    )
    with contextlib.redirect_stdout(None):
        evaluate(task, model="mockllm/model", log_dir=str(folder), display="none", log_realtime=False, max_samples=32)
