"""The page with two models: one that says what it took, and the built-in one."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import InMemorySaver

from app import create_app
from assistant.agent import build_agent
from assistant.article_search import article_search
from assistant.desk import Desk
from assistant.models import chat_model
from assistant.settings import BUILT_IN, Settings
from assistant.toolbox import toolbox

SAID = "Tell me which model you want to run."
TOOK = {"input_tokens": 1200, "output_tokens": 34, "total_tokens": 1234}


class Counting(BaseChatModel):
    """Says one sentence without a number, and what it cost."""

    @property
    def _llm_type(self) -> str:
        return "counting"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kwargs: Any) -> ChatResult:
        metadata = {"token_usage": {"cost": 0.0042}}
        said = AIMessage(SAID, usage_metadata=TOOK, response_metadata=metadata)  # pyright: ignore[reportArgumentType]
        return ChatResult(generations=[ChatGeneration(message=said)])


@asynccontextmanager
async def opener(settings: Settings) -> AsyncGenerator[Desk]:
    tools = toolbox(article_search(settings), settings.data_dir)
    saver = InMemorySaver()
    built_in = build_agent(chat_model(settings), tools, saver)
    yield Desk(build_agent(Counting(), tools, saver), "lab:counting-model-of-a-long-name", {BUILT_IN: built_in})


if __name__ == "__main__":
    chosen = Settings()
    uvicorn.run(create_app(chosen, opener, warm=False), host=chosen.host, port=chosen.port, log_level="warning")
