"""Speed, comparison, serving and the cost of a run: what is called, what the first sentence rests on, in both languages."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from assistant.builtin.decide import decide
from assistant.builtin.reading import read
from assistant.conversation import Answer
from assistant.desk import open_desk
from assistant.settings import Settings
from tools.api import get_tool, usual_format


def calls(question: str) -> list[tuple[str, dict[str, Any]]]:
    return [(call.tool, dict(call.arguments)) for stage in decide([question], {}).stages for call in stage]


def tools_of(question: str) -> list[str]:
    return [tool for tool, _ in calls(question)]


FORMATS = [
    ("F16", "FP16"),
    ("f32", "FP32"),
    ("8bit", "INT8"),
    ("8-bit", "INT8"),
    ("4 bits", "INT4"),
    ("8位", "INT8"),
    ("bfloat16", "BF16"),
    ("Q4", "Q4_K_M"),
    ("Q5_K", "Q5_K_M"),
    ("Q4_0", "Q4_0"),
    ("FP8", "FP8"),
]


@pytest.mark.parametrize(("said", "format_name"), FORMATS)
def test_a_format_is_known_however_it_is_spelt(said: str, format_name: str) -> None:
    assert usual_format(said) == format_name
    given = {"model": "8B", "gpu": "RTX 3090", "weight_format": said}
    assert get_tool("decode_rate").call(given).to_dict()["weight_format"] == format_name


def test_a_cache_takes_the_same_spellings() -> None:
    cache = get_tool("kv_cache")
    one = cache.call({"model": "llama-3-8b", "tokens": 1024, "kv_format": "8-bit"}).to_dict()
    assert one["kv_format"] == "INT8"
    assert cache.call({"model": "llama-3-8b", "tokens": 1024, "kv_format": "q4"}).to_dict()["kv_format"] == "Q4_0"


LENGTHS = [
    ("13B with a 64k context window", 65_536),
    ("8B，上下文 16k", 16_384),
    ("8B with 5k context", 5000),
    ("context of 4000 for an 8B", 4000),
    ("on 32k samples of a 7B", 32_000),
]


@pytest.mark.parametrize(("text", "value"), LENGTHS)
def test_a_k_of_context_is_1024_tokens(text: str, value: float) -> None:
    assert [item.value for item in read(text).quantities] == [pytest.approx(value)]


def test_a_size_lends_no_unit_to_a_number_of_people() -> None:
    assert [(item.value, item.unit) for item in read("offer a 14B to 50 clients").quantities] == [(50, "")]


FIELDS = [
    ("What is the dense half precision tensor rate of an L40?", "tensor_fp16_dense_tflops"),
    ("how many SMs are on the 4070 Ti?", "sm_count"),
    ("RTX 3080 Ti 的 L2 有多大", "l2_cache_mb"),
    ("Which TDP has the A30?", "board_power_w"),
    ("A5000 是几槽的卡", "slots"),
]


@pytest.mark.parametrize(("question", "field"), FIELDS)
def test_a_line_of_one_cards_sheet_comes_from_the_sheet(question: str, field: str) -> None:
    plan = decide([question], {})
    assert (tools_of(question), plan.focus) == (["gpu_specs"], field)


COMPARED = [
    ("Which writes quicker on a 14B in Q5, a 4080 or two 4070s?", ["decode_rate", "decode_rate", "calculate"]),
    ("A6000 和 L40S 跑 32B Q8 谁更快", ["decode_rate", "decode_rate", "calculate"]),
    (
        "A5000 vs A4000: which digests a 6000 token prompt of an 8B sooner, which is faster?",
        ["prefill_rate", "prefill_rate", "calculate"],
    ),
    ("训练 SSD300，V100 和 3080 哪个快", ["training_rate", "training_rate", "calculate"]),
    ("Is the 4080 or the 3090 better for local LLMs?", ["relative_performance"]),
    (
        "4080 和 3090 微调 3B 选哪个",
        ["relative_performance", "training_memory", "gpu_specs", "gpu_specs"],
    ),
]


@pytest.mark.parametrize(("question", "tools"), COMPARED)
def test_two_cards_are_held_against_each_other(question: str, tools: list[str]) -> None:
    assert tools_of(question) == tools


def test_the_faster_card_comes_first_and_one_that_is_too_small_last() -> None:
    fast = calls("Which writes quicker on a 14B in Q5, a 3060 12GB or a 4090?")
    assert fast[0][1]["gpu"] == "RTX 4090"
    small = calls("3080 10G 和 M2 Ultra 跑 34B Q4 哪个快")
    assert [tool for tool, _ in small] == ["decode_rate", "decode_rate"]
    assert small[0][1]["gpu"].startswith("M2 Ultra")


def test_a_persons_own_figure_is_scaled_by_the_ratio() -> None:
    found = calls("My 3080 reaches 60 t/s with a 7B in Q4; what should I expect from a 4080?")
    assert [tool for tool, _ in found] == ["decode_rate", "decode_rate", "calculate", "calculate"]
    assert found[0][1]["gpu"].startswith("RTX 3080")
    assert found[2][1]["expression"] == "60 tokens/s * {{@2.tokens_per_s}} / {{@1.tokens_per_s}}"


@pytest.mark.parametrize(
    "question",
    [
        "How many people can an L40S serve with Qwen 14B in FP8 at 25 tokens/s each?",
        "L40S 跑 Qwen 14B FP8，每人 25 token/s，最多多少人同时用？",
    ],
)
def test_the_most_users_are_found_on_both_sides_of_the_change(question: str) -> None:
    most, beyond = (given for _, given in calls(question))
    assert beyond["batch_size"] == most["batch_size"] + 1
    rate = get_tool("decode_rate")
    enough, less = rate.call(most).to_dict(), rate.call(beyond).to_dict()
    assert enough["fits"] and enough["per_user_tokens_per_s"] >= 25
    assert not (less["fits"] and less["per_user_tokens_per_s"] >= 25)


def test_an_argument_that_another_tool_gives_is_worked_out_first() -> None:
    found = calls("Price per million tokens of an 8B in FP8 on a rented L40S at $0.9/h with 16 users at once?")
    assert [tool for tool, _ in found] == ["decode_rate", "token_cost"]
    assert (found[0][1]["batch_size"], found[0][1]["engine"]) == (16, "vllm")
    assert found[1][1]["tokens_per_s"] == "{{@1.tokens_per_s}}"
    found = calls("How much CO2 does it cause to train a 1B on 30B tokens with 4 H100 in Norway?")
    assert [tool for tool, _ in found] == ["training_time", "carbon_footprint"]
    assert found[1][1]["hours"] == "{{@1.hours}}"
    # What the question gives is not worked out again.
    assert tools_of("A million tokens at 80 tokens/s and $1.5/h: what do they cost?") == ["token_cost"]


COSTS = [
    ("Cost of training a 3B on 40B tokens with 16 rented H100 at $2.2 per GPU hour?", "{{@1.gpu_hours}} * 2.2 USD"),
    ("用 4 张 A100 训练 1B，20B token，整机每小时 30 元，要多少钱", "{{@1.hours}} * 30 CNY"),
]


@pytest.mark.parametrize(("question", "expression"), COSTS)
def test_a_training_run_is_priced_by_its_hours(question: str, expression: str) -> None:
    found = calls(question)
    # Where it is said whose price it is, nothing else is offered.
    assert [tool for tool, _ in found] == ["training_time", *["calculate"] * (1 if "per GPU" in question else 2)]
    assert found[1][1]["expression"] == expression


LINKS = [
    ("Does PCIe 3.0 x8 hurt four A5000 when they train?", "PCIe 3.0 x8", "PCIe 3.0 x16"),
    ("两张 A6000 不接 NVLink，训练影响大吗", "PCIe 4.0 x16", "NVLink"),
    ("4090 双卡训练，x4 和 x16 差多少", "PCIe 4.0 x4", "PCIe 4.0 x16"),
]


@pytest.mark.parametrize(("question", "narrow", "wide"), LINKS)
def test_both_links_are_worked_out(question: str, narrow: str, wide: str) -> None:
    found = [given["interconnect"] for tool, given in calls(question) if tool == "multi_gpu_speedup"]
    assert found == [narrow, wide, narrow, wide]


def test_value_is_ranked_by_writing_where_tokens_are_asked_for() -> None:
    assert calls("most tokens for the dollar, which card?") == [("rank_by_value", {"use": "llm_decode"})]
    assert calls("哪张卡每块钱的 token 最多")[0][1]["use"] == "llm_decode"


def test_writing_compares_as_the_rates_do() -> None:
    rate = get_tool("decode_rate")
    own, other = (
        rate.call({"gpu": name, "model": "llama-3-8b", "weight_format": "Q4_K_M"}).to_dict()["modelled_tokens_per_s"]
        for name in ("RTX 4080", "L4")
    )
    row = get_tool("relative_performance").call({"gpus": ["RTX 4080"], "use": "llm_decode", "reference": "L4"})
    assert row.to_dict()["rows"][0]["relative"] == pytest.approx(own / other, rel=0.1)


# The guard lets these sentences through as they are, so that nothing but the answer is shown.
SAID = [
    "Which is quicker with a 30B in Q4, one 4090 or two 3090?",
    "3060 12G 和 4060 跑 13B Q4 谁更快",
    "My 3080 reaches 60 t/s with a 7B in Q4; what should I expect from a 4080?",
    "How many people can an L40S serve with Qwen 14B in FP8 at 25 tokens/s each?",
    "Would one L40S give 12 users of an 8B 30 tokens/s each?",
    "4080 和 3090 微调 3B 选哪个",
    "Is a 4090 or an A100 80GB better for a LoRA of an 8B?",
    "两张 3090 不接 NVLink，训练影响大吗",
    "Does PCIe 3.0 x8 hurt four A5000 when they train?",
    "Cost of training a 3B on 40B tokens with 16 rented H100 at $2.2 per GPU hour?",
    "租 4090 每小时 2 元，跑 14B Q4，一百万 token 多少钱？",
    "训练 1.5B 模型 30B token，2 张 4090，电费 0.6 元，电费一共多少？",
]


def test_the_answers_are_shown_in_their_own_words(tmp_path: Path) -> None:
    async def run() -> list[Answer]:
        async with open_desk(Settings(data_dir=tmp_path)) as desk:
            return [await desk.answer(question, desk.conversation().session) for question in SAID]

    answers = asyncio.run(run())
    assert [(question, one.warnings) for question, one in zip(SAID, answers, strict=True) if one.warnings] == []
    assert {one.status for one in answers} == {"answered"}
