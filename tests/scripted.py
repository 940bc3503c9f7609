"""Chat models that say what a test tells them to: the only thing of the agent that is ever faked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolCall
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

from assistant.agent import build_agent
from assistant.article_search import article_search
from assistant.conversation import Answer, Conversation, Event
from assistant.settings import Settings
from assistant.toolbox import toolbox

Step = str | AIMessage | Exception | Callable[[list[BaseMessage]], Any]


class Scripted(BaseChatModel):
    """Replies step by step; the last step is repeated."""

    steps: list[Any]
    seen: list[list[BaseMessage]] = Field(default_factory=list)
    tools_bound: bool = True
    delay_s: float = 0.0

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Sequence[Any], *, tool_choice: str | None = None, **kwargs: Any) -> Any:
        if not self.tools_bound:
            raise NotImplementedError
        return self

    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        step = self.steps[min(len(self.seen), len(self.steps) - 1)]
        self.seen.append(messages)
        if callable(step):
            step = step(messages)
        if isinstance(step, Exception):
            raise step
        message = step.model_copy(update={"id": None}) if isinstance(step, AIMessage) else AIMessage(step)
        return ChatResult(generations=[ChatGeneration(message=message)])

    async def _agenerate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        if self.delay_s:
            await asyncio.sleep(self.delay_s)
        return self._generate(messages)


class Busy(Exception):
    """What a provider's client raises on 429."""

    status_code = 429

    def __init__(self, retry_after: str = "0") -> None:
        super().__init__("Rate limit reached for sk-secret-key")
        self.response = type("Response", (), {"headers": {"retry-after": retry_after}})()


class Refused(Exception):
    """What a provider's client raises on 400."""

    status_code = 400


def call(tool: str, arguments: dict[str, Any], key: str = "c1") -> AIMessage:
    """A message that calls one tool."""
    return AIMessage("", tool_calls=[ToolCall(name=tool, args=arguments, id=key)])


async def talk(model: BaseChatModel, *questions: str, reply_s: float = 5.0) -> tuple[list[Event], list[Answer]]:
    """Ask questions in one conversation; return every event and the answers."""
    from langgraph.checkpoint.memory import InMemorySaver

    agent = build_agent(model, toolbox(article_search(Settings())), InMemorySaver(), reply_s)
    conversation = Conversation(agent, "scripted")
    events: list[Event] = []
    for question in questions:
        async for event in conversation.ask(question):
            events.append(event)
    return events, [event for event in events if isinstance(event, Answer)]
