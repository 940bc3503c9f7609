"""A server for tests, without the page, and a chat model that takes its time."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import InMemorySaver

from assistant.agent import build_agent
from assistant.desk import Desk, open_desk
from assistant.http_api import plain_app
from assistant.serving.limits import KEEP_ALIVE_S
from assistant.settings import Settings
from assistant.toolbox import toolbox

SAID = "Nothing to compute here."
JSON = {"content-type": "application/json"}


class SlowModel(BaseChatModel):
    """Answers after a while; counts what was started, finished and cut short."""

    seconds: float = 0.2
    counts: dict[str, int] = {"started": 0, "finished": 0, "cut": 0}  # noqa: RUF012  # pydantic copies it

    @property
    def _llm_type(self) -> str:
        return "slow"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kw: Any
    ) -> ChatResult:
        raise NotImplementedError

    async def _agenerate(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **kw: Any
    ) -> ChatResult:
        self.counts["started"] += 1
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.counts["cut"] += 1
            raise
        self.counts["finished"] += 1
        return ChatResult(generations=[ChatGeneration(message=AIMessage(SAID))])


def with_model(model: BaseChatModel) -> Callable[[Settings], Any]:
    """Return an opener of a desk with this model."""

    @asynccontextmanager
    async def opener(settings: Settings) -> AsyncGenerator[Desk]:
        yield Desk(build_agent(model, toolbox(), InMemorySaver()), "slow")

    return opener


def remembering(settings: Settings) -> Any:
    """Open a desk that keeps conversations where the settings say."""
    return open_desk(settings, remember=True)


def settings_for(folder: Path, **changes: Any) -> Settings:
    """Return settings that no environment changes."""
    return Settings(data_dir=folder, **changes)


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def running(
    settings: Settings,
    opener: Callable[[Settings], Any] = remembering,
    build: Callable[[Settings, Callable[[Settings], Any]], Any] = plain_app,
) -> Iterator[str]:
    """Serve in a thread; gives the base address. `build` may be the whole app's."""
    port = free_port()
    config = uvicorn.Config(
        build(settings, opener),
        host="127.0.0.1",
        port=port,
        log_level="error",
        log_config=None,
        timeout_graceful_shutdown=5,
        timeout_keep_alive=KEEP_ALIVE_S,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 30
    while not server.started and time.monotonic() < until:
        time.sleep(0.02)
    assert server.started
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(15)


def question(text: str, *, stream: bool = False, before: list[dict[str, str]] | None = None) -> dict[str, Any]:
    """Return the body of a chat completion."""
    return {"model": "gpu-advisor", "stream": stream, "messages": [*(before or []), {"role": "user", "content": text}]}
