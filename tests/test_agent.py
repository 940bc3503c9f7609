"""Any model in the loop: what it may say, what happens when it lies, fails, loops or cannot call tools."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from contextlib import suppress
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from assistant.agent import build_agent
from assistant.article_search import article_search
from assistant.cli import print_answer
from assistant.context import MOST, MOST_AFTER_OVERFLOW, shorter, size
from assistant.conversation import Answer, CallFinished, Conversation
from assistant.evidence import GUARD
from assistant.figures import show_usage
from assistant.settings import Settings
from assistant.toolbox import toolbox
from tests.scripted import Busy, Refused, Scripted, call, talk

QUESTION = "Is a 1600 W supply enough for four RTX 3090?"
CHECK = call("power_check", {"cards": {"RTX 3090": 4}, "psu_w": 1600})
TRUE = "The machine takes {{r1.system_w}} and the supply gives {{r1.psu_w}}."


async def one(model: Scripted, question: str = QUESTION, **more: Any) -> Answer:
    _, answers = await talk(model, question, **more)
    return answers[-1]


def shows_no_lie(answer: Answer) -> None:
    assert answer.answer
    assert "4096" not in answer.answer
    assert all(number["ref"] for number in answer.numbers)


async def test_a_true_draft_is_shown_as_it_is() -> None:
    answer = await one(Scripted(steps=[CHECK, TRUE]))
    assert answer.answer == "The machine takes 1,600 W and the supply gives 1,600 W."
    assert [number["kind"] for number in answer.numbers] == ["tool", "user"]
    assert not answer.warnings


async def test_a_lie_goes_back_once_and_may_be_mended() -> None:
    model = Scripted(steps=[CHECK, "It takes 4096 W.", TRUE])
    answer = await one(model)
    assert "1,600 W" in answer.answer
    assert not answer.warnings
    complaint = str(model.seen[-1][-1].text)
    assert "4096 W: no tool, no passage and nobody in the conversation gave this number" in complaint


LIES = [
    "It takes 4096 W.",
    "It takes {{r7.system_w}} and 4096 W.",
    "About 1650 W, which is within a tolerance of 5 %; 4096 W at most.",
    "{{r1.no_such_field}}",
    "The RTX 6090 needs 4096 W.",
    "",
]


@pytest.mark.parametrize("lie", LIES)
async def test_a_model_that_keeps_lying_is_replaced_by_the_tools_wording(lie: str) -> None:
    answer = await one(Scripted(steps=[CHECK, lie]))
    shows_no_lie(answer)
    assert "Not comfortably" in answer.answer
    assert "The model's own wording was not shown" in " ".join(answer.warnings) or not lie


async def test_the_replaced_draft_is_gone_from_memory_too() -> None:
    model = Scripted(steps=[CHECK, "It takes 4096 W.", "It takes 4096 W.", "Fine."])
    await talk(model, QUESTION, "thanks")
    assert not any("4096" in str(message.text) for message in model.seen[-1])


async def test_an_endless_loop_of_calls_ends_in_the_tools_wording() -> None:
    answer = await one(Scripted(steps=[CHECK]))
    shows_no_lie(answer)
    assert answer.warnings == [
        "The model kept calling tools without answering; the built-in wording of their results is shown."
    ]
    assert len(answer.calls) <= 4


async def test_a_loop_of_ever_new_calls_is_bounded_too() -> None:
    steps = [call("power_check", {"cards": {"RTX 3090": count}}, f"c{count}") for count in range(1, 40)]
    answer = await one(Scripted(steps=steps))
    assert answer.answer
    assert len(answer.calls) <= 12


async def test_a_model_that_does_not_reply_in_time_is_replaced() -> None:
    start = time.monotonic()
    answer = await one(Scripted(steps=["never"], delay_s=30), reply_s=0.2)
    assert time.monotonic() - start < 10
    assert "Not comfortably" in answer.answer
    assert answer.warnings == [
        "The model did not reply in time; the built-in wording of the computed results is shown."
    ]


async def test_a_time_out_after_a_call_keeps_that_call_s_result() -> None:
    answer = await one(Scripted(steps=[CHECK, TimeoutError()]))
    assert "1,600 W" in answer.answer
    assert len(answer.calls) == 1


async def test_a_busy_provider_is_asked_again_after_the_time_it_names() -> None:
    answer = await one(Scripted(steps=[Busy("0.01"), CHECK, TRUE]))
    assert "1,600 W" in answer.answer
    assert not answer.warnings


@pytest.mark.parametrize("retry_after", ["0", "86400"])
async def test_a_provider_that_stays_busy_is_replaced_and_its_words_are_not_logged(
    retry_after: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "assistant"):
        answer = await one(Scripted(steps=[Busy(retry_after)]))
    assert "too many requests" in " ".join(answer.warnings)
    assert "Not comfortably" in answer.answer
    assert "sk-secret" not in caplog.text + json.dumps(answer.to_dict())


GARBAGE: list[dict[str, Any]] = [
    {},
    {"cards": "four"},
    {"cards": {"RTX 3090": "many"}},
    {"cards": {"RTX 9999": 4}},
    {"cards": None, "x": [1]},
    {"cards": {"RTX 3090": -1}},
    {"cards": {"RTX 3090": 4}, "psu_w": "big"},
]


@pytest.mark.parametrize("arguments", GARBAGE)
async def test_garbage_arguments_come_back_as_an_error_that_the_model_can_repair(arguments: dict[str, Any]) -> None:
    events, answers = await talk(
        Scripted(
            steps=[
                call("power_check", arguments),
                call("power_check", {"cards": {"RTX 3090": 4}, "psu_w": 1600}, "c2"),
                "The machine takes {{r2.system_w}}.",
            ]
        ),
        QUESTION,
    )
    finished = [event for event in events if isinstance(event, CallFinished)]
    assert "error" in finished[0].outcome
    assert answers[-1].answer == "The machine takes 1,600 W."


async def test_a_tool_that_does_not_exist_and_a_search_with_garbage_do_not_break_the_turn() -> None:
    steps = [
        call("no_such_tool", {"x": 1}),
        call("search_articles", {"query": "power", "k": "many"}, "c2"),
        "I do not know.",
    ]
    assert (await one(Scripted(steps=steps))).answer


async def test_a_model_without_tool_calling_only_phrases() -> None:
    model = Scripted(steps=["In short: the machine takes {{r1.system_w}}."], tools_bound=False)
    events, answers = await talk(model, QUESTION)
    assert answers[-1].answer == "In short: the machine takes 1,600 W."
    assert next(event.outcome["tool"] for event in events if isinstance(event, CallFinished)) == "power_check"
    assert "the model only worded the answer" in answers[-1].warnings[0]
    assert not any(isinstance(message, ToolMessage) for message in model.seen[-1])


async def test_a_server_that_refuses_tools_is_asked_to_phrase() -> None:
    answer = await one(Scripted(steps=[Refused("this model does not support tools"), "It takes {{r1.system_w}}."]))
    assert answer.answer == "It takes 1,600 W."


async def test_a_model_that_ignores_its_tools_gets_the_plan_s_results() -> None:
    answer = await one(Scripted(steps=["A 4096 W supply.", "The machine takes {{r1.system_w}}."]))
    assert answer.answer == "The machine takes 1,600 W."
    answer = await one(Scripted(steps=["A 4096 W supply."]))
    shows_no_lie(answer)
    assert "Not comfortably" in answer.answer


async def test_a_full_context_is_shortened_and_asked_again() -> None:
    model = Scripted(steps=[CHECK, Refused("maximum context length is 4096 tokens"), TRUE])
    answer = await one(model)
    assert "1,600 W" in answer.answer
    assert size(model.seen[-1][1:]) <= MOST_AFTER_OVERFLOW


async def test_a_context_that_stays_full_is_replaced_by_the_tools_wording() -> None:
    answer = await one(Scripted(steps=[CHECK, Refused("maximum context length exceeded")]))
    assert "Not comfortably" in answer.answer
    assert "longer than the model can read" in answer.warnings[0]


def test_a_long_conversation_loses_its_oldest_turns_and_never_the_question() -> None:
    from langchain_core.messages import HumanMessage

    messages = [
        message for at in range(60) for message in (HumanMessage(f"q{at} " + "x" * 3000), AIMessage("a" * 3000))
    ]
    kept = shorter([*messages, HumanMessage("the last one")])
    assert size(kept) <= MOST
    assert kept[-1].text == "the last one"
    assert isinstance(kept[0], HumanMessage)


async def test_tokens_and_cost_are_added_up_over_the_drafts_of_a_turn() -> None:
    used = {
        "usage_metadata": {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110},
        "response_metadata": {"token_usage": {"cost": 0.002}},
    }
    steps = [CHECK.model_copy(update=used), AIMessage("It takes 4096 W.", **used), AIMessage(TRUE, **used)]
    answer = await one(Scripted(steps=steps))
    assert answer.usage == {"input_tokens": 300, "output_tokens": 30, "cost_usd": pytest.approx(0.006)}


async def test_after_a_cancelled_turn_the_conversation_goes_on() -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    model = Scripted(steps=[CHECK, TRUE])
    agent = build_agent(model, toolbox(article_search(Settings())), InMemorySaver())
    conversation = Conversation(agent, "scripted", "cut")
    half = [HumanMessage(QUESTION), HumanMessage("It takes 4096 W.", name=GUARD), CHECK.model_copy(update={"id": "m1"})]
    await agent.aupdate_state({"configurable": {"thread_id": "cut"}}, {"messages": half}, as_node="model")
    answers = [event async for event in conversation.ask("So is it enough?") if isinstance(event, Answer)]
    assert answers[-1].answer.startswith("The machine takes")
    for seen in [*model.seen, await conversation.messages()]:
        called = [call["id"] for message in seen if isinstance(message, AIMessage) for call in message.tool_calls]
        assert called == [message.tool_call_id for message in seen if isinstance(message, ToolMessage)]
        assert not any("4096" in str(message.text) for message in seen)
    assert QUESTION in [str(message.text) for message in await conversation.messages()]


async def test_a_turn_cancelled_while_its_tool_runs_can_be_followed_up() -> None:
    from langgraph.checkpoint.memory import InMemorySaver

    model = Scripted(steps=[CHECK, TRUE], delay_s=0.1)
    agent = build_agent(model, toolbox(article_search(Settings())), InMemorySaver())
    conversation = Conversation(agent, "scripted", "cut")

    async def run() -> None:
        async for event in conversation.ask(QUESTION):
            assert not isinstance(event, Answer)

    turn = asyncio.create_task(run())
    while len(model.seen) < 1:
        await asyncio.sleep(0.01)
    turn.cancel()
    with suppress(asyncio.CancelledError):
        await turn
    model.steps, model.seen = [CHECK, TRUE], []
    answers = [event async for event in conversation.ask("So is it enough?") if isinstance(event, Answer)]
    assert answers[-1].answer.startswith("The machine takes")


async def test_two_sessions_never_see_each_other() -> None:
    model = Scripted(steps=["Fine."])
    await talk(model, "my secret is 4321 W")
    await talk(model, "thanks")
    assert not any("4321" in str(message.text) for message in model.seen[-1])


async def test_the_raw_event_stream_holds_no_draft() -> None:
    events, _ = await talk(Scripted(steps=[CHECK, "It takes 4096 W.", "It takes 4096 W."]), QUESTION)
    assert "4096" not in repr([event for event in events if not isinstance(event, Answer)])
    assert "4096" not in events[-1].answer  # type: ignore[union-attr]  # the last event is the answer


USED: dict[str, float] = {"input_tokens": 12_345, "output_tokens": 67, "cost_usd": 0.0021}
LINES: list[tuple[dict[str, float], str, str]] = [
    (USED, "en", "12,345 tokens read, 67 written · $0.0021"),
    (USED, "zh", "读入 12,345、生成 67 token · 0.0021 美元"),
    ({"input_tokens": 9, "output_tokens": 0}, "en", "9 tokens read, 0 written"),
    ({}, "zh", ""),
]


@pytest.mark.parametrize(("usage", "language", "line"), LINES)
def test_the_terminal_says_what_an_answer_took(usage: dict[str, float], language: Any, line: str) -> None:
    assert show_usage(usage, language) == line


def test_the_line_goes_beside_the_answer_not_into_it(capsys: pytest.CaptureFixture[str]) -> None:
    print_answer(Answer("Fine.", "en", "answered", "openai:x", usage=USED))
    told = capsys.readouterr()
    assert told.out == "Fine.\n"
    assert told.err.strip() == LINES[0][2]
    print_answer(Answer("Fine.", "en", "answered", "built-in"))
    assert capsys.readouterr().err == ""
