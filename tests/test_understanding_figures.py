"""What becomes of the figures of a message: read in every spelling, used, or named as left out; never dropped silently."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.builtin.calls import Plan
from assistant.builtin.decide import decide
from assistant.builtin.leftover import decisive, leftover
from assistant.builtin.reading import read
from assistant.builtin.suggest import can_compute, offered
from assistant.toolbox import SEARCH

READ: list[tuple[str, list[tuple[float, str]]]] = [
    ("rent it for 2.75 $/h", [(2.75, "USD/h")]),
    ("power at 0.31 €/kWh", [(0.31, "EUR/kWh")]),
    ("I pay 19 cents per kWh", [(0.19, "USD/kWh")]),
    ("电费 7 毛一度", [(0.7, "CNY/kWh")]),
    ("每小时 9 块", [(9, "CNY/h")]),
    ("训练用了 640 GPU 小时", [(640, "h")]),
    ("for 4T tokens", [(4e12, "tokens")]),
    ("9 hours every day", [(9, "h/day")]),
    ("runs for a month", [(1, "months")]),
    ("running nonstop", [(1, "fraction")]),
    ("two of 12 gigs", [(2, ""), (12, "GB")]),
    ("核心温度 83 度", [(83, "°C")]),
    ("over a 200 Gbit link", [(200, "Gbit/s")]),
]


@pytest.mark.parametrize(("text", "expected"), READ)
def test_a_quantity_is_read_however_it_is_written(text: str, expected: list[tuple[float, str]]) -> None:
    assert [(pytest.approx(item.value), item.unit) for item in read(text).quantities] == expected


CARDS: list[tuple[str, dict[str, int]]] = [
    ("三台机器各 4 张 A100", {"A100 SXM 40GB": 12}),
    ("two nodes with 4 H100", {"H100 SXM": 8}),
    ("3 张两槽 A5000", {"RTX A5000": 3}),
    ("a 16 GB 4060 Ti", {"RTX 4060 Ti 16GB": 1}),
    ("my notebook's 4080", {"RTX 4080 Laptop": 1}),
    ("how long is a 4090, and will three fit?", {"RTX 4090": 3}),
    ("3 块 4090，一度电 5 块", {"RTX 4090": 3}),
]


@pytest.mark.parametrize(("text", "expected"), CARDS)
def test_cards_are_counted_wherever_the_count_stands(text: str, expected: dict[str, int]) -> None:
    assert read(text).known_cards == expected


def _calls(plan: Plan) -> list[tuple[str, dict[str, Any]]]:
    return [(call.tool, dict(call.arguments)) for stage in plan.stages for call in stage if call.tool != SEARCH]


FIRST: list[tuple[str, str, dict[str, Any]]] = [
    ("Largest model in 4 bit for a single 4070 Ti Super?", "inference_memory", {"model": "14B"}),
    ("几张 4090 才放得下 123B 的 Q4？", "inference_memory", {"model": "123B", "weight_format": "Q4_K_M"}),
    (
        "How many users with 2k context does a 4090 hold for an 8B in int8?",
        "inference_memory",
        {"context_tokens": 2000},
    ),
    ("longest context for an 8B in Q8 on a 16 GB card", "inference_memory", {"weight_format": "Q8_0"}),
    ("16A 的插座能带几张 5080", "power_check", {"outlet_a": 16.0, "outlet_v": 220.0}),
    ("LoRA of an 8B, 5000 samples of 400 tokens, 2 epochs on a 4090: hours?", "training_time", {"tokens": 4e6}),
    ("我的 3090 限到 80% 功率会慢多少", "power_limit_effect", {"power_limit_w": 280.0}),
    ("不用 NVLink，4 张 A100 训练加速比多少", "multi_gpu_speedup", {"interconnect": "PCIe 4.0 x16"}),
    ("8B Q4 在 3090 和 4080 上哪个快", "decode_rate", {"model": "8B"}),
    ("How long does a 3090 need to read in a 12k token document with a 7B?", "prefill_rate", {"prompt_tokens": 12000}),
    ("$0.9/h for 6 hours a day, 4 months in total?", "calculate", {"unit": "USD"}),
]


@pytest.mark.parametrize(("question", "tool", "arguments"), FIRST)
def test_the_tool_that_answers_gets_the_figures(question: str, tool: str, arguments: dict[str, Any]) -> None:
    plan = decide([question], {})
    first, made = _calls(plan)[0]
    assert first == tool
    assert made.items() >= arguments.items()
    assert not decisive(read(question), plan)


def test_the_largest_model_fits_and_the_next_size_does_not() -> None:
    from tools.api import get_tool

    plan = decide(["How big a model can two 3090s hold in 8 bit?"], {})
    fits, beyond = (get_tool(tool).call(made).to_dict()["per_gpu_gb"] for tool, made in _calls(plan)[:2])
    assert fits <= 24 < beyond


def test_a_figure_that_no_call_holds_is_left_over_in_whatever_unit() -> None:
    question = "Does a 7B in int8 fit on a 3060 12GB, with 96 GB of RAM and a 650 W supply?"
    plan = decide([question], {})
    assert {item.text.strip() for item in leftover(read(question), plan)} == {"96 GB", "650 W"}
    assert set(plan.unused) == {"96 GB", "650 W"}


def test_a_price_without_use_is_asked_about_not_dropped() -> None:
    plan = decide(
        ["A box costs 12000, the cloud 1.4 an hour. It draws 600 W, busy 5 hours a day. When does it win?"], {}
    )
    assert plan.status == "clarify"


def test_the_format_of_home_users_is_tried_where_the_full_width_does_not_fit() -> None:
    made = _calls(decide(["Can a 4090 run a 32B?"], {}))
    assert [one.get("weight_format") for tool, one in made if tool == "inference_memory"] == ["FP16", "Q4_K_M"]


SHEETS: list[tuple[str, str]] = [
    ("A 4080 has 24 GB, right?", "No"),
    ("听说 3090 的功耗是 350W，对吗？", "对"),
    ("Which has more memory, the 7900 XTX or the 4080?", "RX 7900 XTX"),
]


@pytest.mark.parametrize(("question", "part"), SHEETS)
def test_a_claim_about_a_card_is_held_against_its_sheet(question: str, part: str) -> None:
    plan = decide([question], {})
    assert all(tool == "gpu_specs" for tool, _ in _calls(plan))
    assert plan.say.startswith(part) or plan.stages[0][0].arguments["gpu"] == part


def test_a_model_partly_in_main_memory_gets_no_rate() -> None:
    plan = decide(["Half the layers of my 70B are offloaded to CPU, why is my 4090 no faster than the 3090?"], {})
    assert _calls(plan)[0][0] == "inference_memory"
    assert "main memory" in plan.say


def test_another_figure_of_the_last_result_is_read_off_it() -> None:
    before = {"r1": {"tool": "power_check", "arguments": {"cards": {"RTX 4080": 2}}, "result": {}}}
    plan = decide(["两张 4080 要多大电源", "那墙上取多少瓦"], before)
    assert _calls(plan) == [("power_check", {"cards": {"RTX 4080": 2}})]
    assert plan.focus == "wall"


def test_only_tools_with_enough_to_go_on_are_offered() -> None:
    reading = read("seasonic 1200W, two 4080s")
    assert {"power_check", "cooling_check"} <= {frame.tool for frame in offered(reading)}
    assert not {"inference_memory", "token_cost"} & {frame.tool for frame in offered(reading)}
    assert "From what you gave I can work out" in can_compute(reading)
    assert can_compute(read("and now?")).startswith("Tell me in one sentence")


WHAT = ["what is ZeRO", "什么是 KV cache", "explain roofline"]


@pytest.mark.parametrize("question", WHAT)
def test_a_passage_that_does_not_say_what_a_thing_is_does_not_answer(question: str) -> None:
    from assistant.builtin.choose import asks_what, is_about

    assert asks_what(question)
    assert not is_about(read(question), {"text": "ZeRO, the KV cache and a roofline come up here.", "score": 1.0})


def test_a_passage_must_name_the_cards_of_the_question() -> None:
    from assistant.builtin.choose import is_about

    reading = read("is an A100 twice as good as a 3090?")
    assert not is_about(reading, {"text": "The A100 has 80 GB.", "score": 1.0})


ASKED_BACK = [
    "LoRA on an 8B dies with out of memory at step 450 on my 24 GB card, the first steps were fine. Why?",
    "The hall takes 210 dollars per kW a month. What would three 5090s cost there?",
    "我的 T4 跑 8B 4bit 还没有 CPU 快，瓶颈在哪",
]


@pytest.mark.parametrize("question", ASKED_BACK)
def test_a_reason_or_a_strange_price_is_asked_about_not_computed_past(question: str) -> None:
    assert decide([question], {}).status == "clarify"


def test_a_step_is_no_number_of_cards() -> None:
    _, made = _calls(decide(["Does LoRA of an 8B fit on a 24 GB card at step 12?"], {}))[0]
    assert "gpu_count" not in made
