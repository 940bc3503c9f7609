"""What a question is read as: the tool and its arguments, without the agent, in both languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.builtin.calls import Plan
from assistant.builtin.decide import decide
from assistant.toolbox import SEARCH

Expected = tuple[str, dict[str, Any]]

# A question and the calls it must lead to, in order; a look into the articles beside them does not count.
QUESTIONS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "golden" / "understanding.jsonl").read_text("utf-8").splitlines()
]

LIMITS: list[tuple[Any, ...]] = [
    (
        "How much slower is a 3090 when I cap it at 280 W in training?",
        ("power_limit_effect", {"power_limit_w": 280.0, "use": "training", "gpu": "RTX 3090"}),
    ),
    (
        "4090 限到 300 瓦，聊天速度会慢多少",
        ("power_limit_effect", {"power_limit_w": 300.0, "use": "decode", "gpu": "RTX 4090"}),
    ),
    ("四张 3080 限到 250 瓦能省多少", ("power_check", {"power_limit_w": 250.0, "cards": {"RTX 3080 10GB": 4}})),
    (
        "does capping a 5090 to 450 W hurt prompt speed",
        ("power_limit_effect", {"power_limit_w": 450.0, "use": "prefill", "gpu": "RTX 5090"}),
    ),
]

# What is decisive and missing is asked for.
ASKED = [
    ("Which GPU should I get?", "One question first"),
    ("该买什么显卡好", "先问一个决定性的问题"),
    ("What do a million tokens cost at $1.50/h?", "How many tokens per second"),
    ("碳排放怎么算，4 张 A100", "一共跑多少小时"),
    ("我的机器一年电费多少", "是哪张卡？或者整机功耗"),
    ("KV cache of Qwen2.5-7B?", "how many tokens"),
    ("3 万元的整机和每小时 2 美元的云，利用率 30%，多久回本", "汇率"),
]


def _calls(plan: Plan) -> list[Expected]:
    return [(call.tool, call.arguments) for stage in plan.stages for call in stage if call.tool != SEARCH]


@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row["question"][:40])
def test_a_question_becomes_these_calls(row: dict[str, Any]):
    assert _calls(decide([row["question"]], {})) == [(tool, arguments) for tool, arguments in row["calls"]]


@pytest.mark.parametrize("row", LIMITS, ids=lambda row: row[0][:40])
def test_a_power_limit_is_asked_about_as_speed_not_as_supply(row: tuple[Any, ...]):
    question, *expected = row
    assert _calls(decide([question], {})) == expected


@pytest.mark.parametrize(("question", "part"), ASKED)
def test_what_is_missing_is_asked_for(question: str, part: str):
    plan = decide([question], {})
    assert plan.status == "clarify"
    assert part in plan.reply


def test_a_made_up_card_is_refused_even_beside_a_real_one():
    plan = decide(["What does the RTX 6100 cost next to a 4090?"], {})
    assert (plan.status, _calls(plan)) == ("refused", [("gpu_specs", {"gpu": "RTX 6100"})])


def test_given_holds_what_was_said_and_not_the_defaults():
    plan = decide(["价格 900 美元以内，哪张卡性价比最高"], {})
    assert plan.given == ("budget_usd",)
    assert plan.stages[0][0].arguments["use"] == "inference_16bit"


def test_a_follow_up_changes_the_memory_question_not_the_card_it_was_held_against():
    before = {
        "r1": {"tool": "inference_memory", "arguments": {"model": "32B", "weight_format": "Q8_0"}, "result": {}},
        "r2": {"tool": "gpu_specs", "arguments": {"gpu": "RTX 3090"}, "result": {}},
    }
    plan = decide(["Does a 32B in Q8 fit on a 3090?", "and in Q4?"], before)
    assert _calls(plan)[0] == ("inference_memory", {"model": "32B", "weight_format": "Q4_K_M"})


def test_what_is_left_beside_weights_is_no_answer_about_training():
    plan = decide(["Full fine-tuning of a 20B on two 4090s: is there anything left for a larger batch?"], {})
    assert all(tool != "inference_memory" for tool, _ in _calls(plan))


def test_an_outlet_is_not_the_answer_where_cards_are_counted():
    plan = decide(["三张卡每张 300W，CPU 150，电源 1.2kW，插座 16A，够不够？"], {})
    assert _calls(plan)[0] == ("calculate", {"expression": "3 * 300 W + 150 W", "unit": "W"})
