"""Put the parts together for one process: model, tools, article search, memory."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES  # pyright: ignore[reportMissingTypeStubs]  # has none

from assistant.agent import build_agent
from assistant.article_search import article_search
from assistant.conversation import Answer, Conversation
from assistant.evidence import GUARD
from assistant.memory import open_memory
from assistant.models import chat_model
from assistant.settings import BUILT_IN, Settings
from assistant.toolbox import toolbox


class Desk:
    """An agent and its conversations."""

    def __init__(self, agent: Any, model_name: str, others: Mapping[str, Any] | None = None) -> None:
        """Keep a built agent, and further ones with the same memory by the name of their model."""
        self._agents: dict[str, Any] = {model_name: agent, **(others or {})}
        self._agent = agent
        self.model_name = model_name

    @property
    def models(self) -> list[str]:
        """Names of the models that can be chosen, the one of the settings first."""
        return list(self._agents)

    @property
    def keeps_nothing(self) -> bool:
        """Whether each question stands alone, because no memory was given."""
        return not self._agent.checkpointer

    @property
    def saver(self) -> Any:
        """Where conversations are kept; None if nowhere."""
        return self._agent.checkpointer

    def conversation(self, session: str | None = None, model: str = "") -> Conversation:
        """Return a new conversation, or the one of a session."""
        name = model if model in self._agents else self.model_name
        return Conversation(self._agents[name], name, session)

    async def answer(self, question: str, session: str | None = None) -> Answer:
        """Run one turn to its end."""
        async for event in self.conversation(session).ask(question):
            if isinstance(event, Answer):
                return event
        raise RuntimeError("a turn ended without an answer")

    async def earlier(self, session: str, questions: int) -> list[AnyMessage]:
        """Return the messages of a conversation's first questions, answers included."""
        return until(await self.conversation(session).messages(), questions)

    async def write(self, session: str, messages: Sequence[AnyMessage]) -> None:
        """Make these the messages of a conversation."""
        await self._agent.aupdate_state(
            {"configurable": {"thread_id": session}},
            {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *messages]},
            as_node="model",
        )

    async def forget(self, session: str) -> None:
        """Delete a conversation from the memory."""
        saver = self._agent.checkpointer
        if saver:
            await saver.adelete_thread(session)


def until(messages: Sequence[AnyMessage], questions: int) -> list[AnyMessage]:
    """Return the messages of the first questions, answers included."""
    seen = 0
    for index, message in enumerate(messages):
        seen += isinstance(message, HumanMessage) and message.name != GUARD
        if seen > questions:
            return list(messages[:index])
    return list(messages)


@asynccontextmanager
async def open_desk(
    settings: Settings | None = None, *, model: str | None = None, remember: bool = False
) -> AsyncGenerator[Desk]:
    """Open a desk.

    Args:
        settings: Read from the environment if left out.
        model: Model name that overrides the settings.
        remember: Keep conversations in the database or the data folder; otherwise in this process only.
    """
    chosen = settings or Settings()
    if model:
        chosen = chosen.model_copy(update={"model": model})
    tools = toolbox(article_search(chosen), chosen.data_dir)
    if not remember:
        from langgraph.checkpoint.memory import InMemorySaver

        yield _desk(chosen, tools, InMemorySaver())
        return
    async with open_memory(chosen) as saver:
        yield _desk(chosen, tools, saver)


def _desk(settings: Settings, tools: Any, saver: Any) -> Desk:
    """Build the agent of the settings, and the built-in one beside it."""
    others: dict[str, Any] = {}
    if settings.model != BUILT_IN:
        plain = settings.model_copy(update={"model": BUILT_IN})
        others[BUILT_IN] = build_agent(chat_model(plain), tools, saver)
    return Desk(build_agent(chat_model(settings), tools, saver), settings.model, others)
