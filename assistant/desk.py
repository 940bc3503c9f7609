"""Put the parts together for one process: model, tools, article search, memory."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from assistant.agent import build_agent
from assistant.conversation import Answer, Conversation
from assistant.models import chat_model
from assistant.settings import BUILT_IN, Settings
from assistant.toolbox import toolbox
from tools.api import Json


class Desk:
    """An agent and its conversations."""

    def __init__(self, agent: Any, model_name: str) -> None:
        """Keep a built agent."""
        self._agent = agent
        self.model_name = model_name

    def conversation(self, session: str | None = None) -> Conversation:
        """Return a new conversation, or the one of a session."""
        return Conversation(self._agent, self.model_name, session)

    async def answer(self, question: str, session: str | None = None) -> Answer:
        """Run one turn to its end."""
        async for event in self.conversation(session).ask(question):
            if isinstance(event, Answer):
                return event
        raise RuntimeError("a turn ended without an answer")


@asynccontextmanager
async def open_desk(settings: Settings | None = None, *, model: str | None = None,
                    remember: bool = False) -> AsyncGenerator[Desk]:
    """Open a desk.

    Args:
        settings: Read from the environment if left out.
        model: Model name that overrides the settings.
        remember: Keep conversations in the data folder; otherwise in this process only.
    """
    chosen = settings or Settings()
    if model:
        chosen = chosen.model_copy(update={"model": model})
    tools = toolbox(_search(chosen))
    if not remember:
        from langgraph.checkpoint.memory import InMemorySaver

        yield Desk(build_agent(chat_model(chosen), tools, InMemorySaver()), chosen.model)
        return
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    chosen.data_dir.mkdir(parents=True, exist_ok=True)
    async with AsyncSqliteSaver.from_conn_string(str(chosen.data_dir / "conversations.sqlite")) as saver:
        yield Desk(build_agent(chat_model(chosen), tools, saver), chosen.model)


def _search(settings: Settings) -> Any:
    """Return the article search; the index is opened by the first search, not before."""
    opened: list[Any] = []

    def search(query: str, k: int) -> list[dict[str, Json]]:
        if not opened:
            from knowledge.search import Searcher

            embedding = "" if settings.embedding == BUILT_IN else settings.embedding
            opened.append(Searcher(settings.data_dir, embedding=embedding))
        return [dict(citation) for citation in opened[0].search(query, k)]

    return search
