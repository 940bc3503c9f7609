"""Put the parts together for one process: model, tools, article search, memory."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from assistant.agent import build_agent
from assistant.article_search import article_search
from assistant.conversation import Answer, Conversation
from assistant.memory import open_memory
from assistant.models import chat_model
from assistant.settings import Settings
from assistant.toolbox import toolbox


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
        remember: Keep conversations in the database or the data folder; otherwise in this process only.
    """
    chosen = settings or Settings()
    if model:
        chosen = chosen.model_copy(update={"model": model})
    tools = toolbox(article_search(chosen))
    if not remember:
        from langgraph.checkpoint.memory import InMemorySaver

        yield Desk(build_agent(chat_model(chosen), tools, InMemorySaver()), chosen.model)
        return
    async with open_memory(chosen) as saver:
        yield Desk(build_agent(chat_model(chosen), tools, saver), chosen.model)
