"""The page with a model that thinks for half a minute, for the test of the stop button."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from langchain_core.language_models import BaseChatModel
from langchain_core.outputs import ChatResult

from app import create_app
from assistant.agent import build_agent
from assistant.desk import Desk
from assistant.settings import Settings


class Slow(BaseChatModel):
    """Never answers, and writes down that it was stopped."""

    marker: str

    @property
    def _llm_type(self) -> str:
        return "slow"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        raise NotImplementedError

    async def _agenerate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            await asyncio.to_thread(_note, self.marker)
            raise
        raise RuntimeError("nobody stopped it")


def _note(marker: str) -> None:
    with open(marker, "w") as out:  # noqa: PTH123
        out.write("stopped")


@asynccontextmanager
async def opener(settings: Settings) -> AsyncGenerator[Desk]:
    yield Desk(build_agent(Slow(marker=str(settings.data_dir / "stopped")), []), "slow")


if __name__ == "__main__":
    chosen = Settings()
    uvicorn.run(create_app(chosen, opener, warm=False), host=chosen.host, port=chosen.port, log_level="warning")
