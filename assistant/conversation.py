"""One turn as a stream of events; page, command line and servers consume the same ones."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage, ToolMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES  # pyright: ignore[reportMissingTypeStubs]  # has none

from assistant.evidence import gather, language_of, outcomes, turn_start
from assistant.figures import Language
from assistant.memory import NOT_KEPT, MemoryDown, SteadySaver
from assistant.notes import warnings_of
from tools.api import Json, is_object

# What a person may type at once; a pasted log of this size still gets an answer.
LONGEST_QUESTION = 400_000


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A tool is about to run."""

    call_id: str
    tool: str
    arguments: dict[str, Json]


@dataclass(frozen=True, slots=True)
class CallFinished:
    """A tool has run; `outcome` holds "id" and "result", "citations" or "error"."""

    call_id: str
    outcome: dict[str, Json]


@dataclass(frozen=True, slots=True)
class Answer:
    """The verified answer of a turn, in the form of the public contract."""

    answer: str
    language: Language
    status: str
    model: str
    calls: list[dict[str, Json]] = field(default_factory=list[dict[str, Json]])
    numbers: list[dict[str, Json]] = field(default_factory=list[dict[str, Json]])
    citations: list[dict[str, Json]] = field(default_factory=list[dict[str, Json]])
    warnings: list[str] = field(default_factory=list[str])
    # Results of earlier turns that this answer's numbers refer to, for cards on the page.
    results: dict[str, Json] = field(default_factory=dict[str, Json])
    # Tokens and cost of a language model, where its provider reports them; no part of the public form.
    usage: dict[str, float] = field(default_factory=dict[str, float])

    def to_dict(self) -> dict[str, Json]:
        """Return the JSON of the public contract."""
        return {
            "answer": self.answer,
            "language": self.language,
            "status": self.status,
            "model": self.model,
            "calls": self.calls,
            "numbers": self.numbers,
            "citations": self.citations,
            "warnings": self.warnings,
        }


Event = CallStarted | CallFinished | Answer


class Conversation:
    """A person's conversation with one agent."""

    def __init__(self, agent: Any, model_name: str, session: str | None = None) -> None:
        """Keep the agent and the session under which its memory files the turns."""
        self._agent = agent
        self._model_name = model_name
        self.session = session or uuid.uuid4().hex

    async def messages(self) -> list[AnyMessage]:
        """Return what was said and computed so far.

        Raises:
            MemoryDown: If the place where it is kept does not answer.
        """
        state = await self._agent.aget_state({"configurable": {"thread_id": self.session}})
        return list(state.values.get("messages", []))

    async def ask(self, question: str, *, after: Sequence[AnyMessage] | None = None) -> AsyncIterator[Event]:
        """Run one turn.

        Args:
            question: What the person said.
            after: Messages that take the place of the conversation so far.

        Yields:
            `CallStarted` and `CallFinished` while tools run, then one `Answer`.
        """
        text = question[:LONGEST_QUESTION].encode("utf-8", "replace").decode().strip()  # no halves of characters
        language = language_of(text)
        if not text:
            yield Answer("", language, "clarify", self._model_name, warnings=["The question is empty."])
            return
        config = {"configurable": {"thread_id": self.session}, "recursion_limit": 80}
        final: dict[str, Json] = {}
        messages: list[Any] = []
        start = [] if after is None else [RemoveMessage(REMOVE_ALL_MESSAGES), *after]
        saver = self._agent.checkpointer
        # One write a turn, when it is finished: a turn that was cut short leaves nothing half said.
        options = {"durability": "exit"} if saver else {}
        try:
            async for mode, update in self._agent.astream(
                {"messages": [*start, HumanMessage(text)]}, config, stream_mode=["updates", "values"], **options
            ):
                if mode == "values":
                    messages, final = update["messages"], update.get("answer") or final
                    continue
                for event in _events(update):
                    yield event
        except MemoryDown as down:
            yield Answer(str(down), language, "refused", self._model_name, warnings=[str(down)])
            return
        answer = self._answer(final, messages, language)
        if isinstance(saver, SteadySaver) and saver.take_lost(self.session):
            answer.warnings.append(NOT_KEPT)
        yield answer

    def _answer(self, final: dict[str, Json], messages: list[Any], language: Language) -> Answer:
        """Put the turn's answer into the public form."""
        turn = messages[turn_start(messages) :]
        evidence = gather(messages)
        this_turn = outcomes(turn)
        if not final or not isinstance(messages[-1], AIMessage):
            return Answer(
                "",
                language,
                "refused",
                self._model_name,
                warnings=["The model stopped without an answer. Ask again, or choose the built-in model."],
            )
        calls = [
            {key: outcome[key] for key in ("id", "tool", "arguments", "result", "error") if key in outcome}
            for outcome in this_turn.values()
            if "citations" not in outcome
        ]
        keys = ("id", "article", "title", "section", "url", "date", "text")
        cited = [{key: evidence.citations[ref].get(key, "") for key in keys} for ref in final["cited"]]
        partial = ["articles"] if any(outcome.get("partial") for outcome in this_turn.values()) else []
        warnings = warnings_of(final["rejected"], [*final.get("notes", []), *partial], language)
        used = {str(number["ref"]).split(".")[0] for number in final["numbers"]}
        return Answer(
            final["answer"],
            language,
            final["status"],
            self._model_name,
            calls,
            final["numbers"],
            cited,
            warnings,
            {ref: outcome for ref, outcome in evidence.results.items() if ref in used or ref in this_turn},
            final.get("usage", {}),
        )


def _events(update: dict[str, Any]) -> list[Event]:
    """Turn one update of the graph into events."""
    found: list[Event] = []
    for node, change in update.items():
        messages: list[Any] = change.get("messages", []) if is_object(change) else []
        for message in messages:
            if node == "model" and isinstance(message, AIMessage):
                found += [CallStarted(str(call["id"]), call["name"], call["args"]) for call in message.tool_calls]
            elif isinstance(message, ToolMessage):
                read = next(iter(outcomes([message]).values()))
                found.append(CallFinished(str(message.tool_call_id), read))
    return found
