"""What fresh questions of people showed: money of other currencies, changes of a sum, techniques, and what nobody can know."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.builtin.again import changed, latest
from assistant.builtin.calls import Plan
from assistant.builtin.choose import is_about, is_loose
from assistant.builtin.decide import decide
from assistant.builtin.derive_currency import currency_said
from assistant.builtin.frames import frames
from assistant.builtin.reading import read
from assistant.builtin.topics import is_about as speaks_of
from assistant.builtin.trying import result_of
from assistant.names import cards_in
from assistant.toolbox import SEARCH
from tools.api import get_tool

Before = dict[str, dict[str, Any]]


def _calls(plan: Plan) -> list[tuple[str, dict[str, Any]]]:
    calls = (call for one in (plan, *plan.then) for stage in one.stages for call in stage)
    return [(call.tool, call.arguments) for call in calls if call.tool != SEARCH]


def _asked(plan: Plan) -> str:
    return next(call.arguments["query"] for stage in plan.stages for call in stage if call.tool == SEARCH)


def _done(tool: str, **arguments: Any) -> Before:
    return {"r1": {"tool": tool, "arguments": arguments, "result": {}}}


# Money in one other currency is converted at the dated rate, which the answer names; a second currency is asked about.


def test_a_budget_in_yuan_is_converted_and_the_rate_is_said() -> None:
    plan = decide(["预算 5000 元，本地跑 8B，买什么卡"], {})
    rate = result_of("convert_currency", {"amount": 5000.0, "currency": "CNY"})
    calls = _calls(plan)
    assert calls[0][0] == "recommend"
    assert calls[0][1]["budget_usd"] == pytest.approx(rate["amount_usd"])  # pyright: ignore[reportUnknownMemberType]
    assert calls[-1] == ("convert_currency", {"amount": 5000.0, "currency": "CNY"})
    assert "assumptions_zh[0]" in plan.then[-1].say


@pytest.mark.parametrize(
    "question",
    ["机器 3 万元，租一小时 2 美元，利用率 40%，多久回本", "¥20000 的机器对每小时 $1.5 的云，每天 8 小时，多久回本"],
)
def test_two_currencies_or_an_unclear_one_are_asked_about(question: str) -> None:
    assert decide([question], {}).status == "clarify"


def test_a_sum_that_stays_in_one_currency_needs_no_rate() -> None:
    plan = decide(["I pay 0.31 euro per kWh: what do two 3090s at 5 h a day cost me a month?"], {})
    assert "convert_currency" not in [tool for tool, _ in _calls(plan)]
    assert _calls(plan)[-1][1]["unit"] == "EUR"


def test_a_price_without_a_currency_is_asked_about_and_one_word_answers() -> None:
    question = "电价 0.62，一张 4080 每天跑 5 小时，一年电费多少"
    assert "0.62" in decide([question], {}).reply
    plan = decide([question, "人民币"], {})
    assert _calls(plan)[-1][1]["unit"] == "CNY"
    assert currency_said("美元吧") is None and currency_said("都是元") == "元" and currency_said("in euros") == "euros"


# A message that changes one thing keeps the rest.


@pytest.mark.parametrize(
    ("questions", "before", "expected"),
    [
        (
            ["Supply for three 4080s?", "no, 4070 Ti Supers"],
            _done("power_check", cards={"RTX 4080": 3}),
            {"cards": {"RTX 4070 Ti Super": 3}},
        ),
        (
            ["两张 4090 要多大电源", "错了，是 5080，三张"],
            _done("power_check", cards={"RTX 4090": 2}),
            {"cards": {"RTX 5080": 3}},
        ),
        (
            ["三张 3090 限 250W，1200W 电源够吗", "换 1600W 电源，不限了呢"],
            _done("power_check", cards={"RTX 3090": 3}, psu_w=1200.0, power_limit_w=250.0),
            {"cards": {"RTX 3090": 3}, "psu_w": 1600.0},
        ),
        (
            ["LoRA of a 14B?", "use batch 4 instead"],
            _done("training_memory", model="14B", method="lora"),
            {"model": "14B", "method": "lora", "batch_size": 4},
        ),
        (
            ["running cost of a 3090 at 4 h a day?", "and capped at 250 W?"],
            _done("ownership_cost", gpu="RTX 3090", utilization=1 / 6),
            {"utilization": 1 / 6, "power_w": 250.0},
        ),
        (
            ["running cost of a 3090 at 4 h a day?", "make it 12 hours"],
            _done("ownership_cost", gpu="RTX 3090", utilization=1 / 6),
            {"utilization": 0.5, "gpu": "RTX 3090"},
        ),
        (
            ["Memory of Mistral 7B with 64k of context?", "and with the KV cache in 8 bit?"],
            _done("inference_memory", model="Mistral 7B", context_tokens=65536),
            {"model": "Mistral 7B", "context_tokens": 65536, "kv_format": "Q8_0"},
        ),
    ],
)
def test_a_follow_up_changes_what_it_names(questions: list[str], before: Before, expected: dict[str, Any]) -> None:
    assert _calls(decide(questions, before))[0][1] == expected


def test_a_sum_is_asked_anew_with_what_the_message_changes() -> None:
    first = "A 3080 at 5 h a day and 0.9 yuan per kWh: electricity a year?"
    again = changed(read(first), read("make it 9 hours"))
    assert again is not None and "9 h a day" in again.text and "0.9 yuan" in again.text
    assert latest([first, "make it 9 hours", "and a 4070?"]).known_cards == {"RTX 4070": 1}
    before = _done("calculate", expression="1")
    assert "9 / 24" in _calls(decide([first, "make it 9 hours"], before))[-1][1]["expression"]


def test_a_question_of_its_own_is_not_mixed_into_the_one_before() -> None:
    assert (
        changed(read("A 3080 at 5 h a day: electricity?"), read("How much memory does a 7B take for 9 hours?")) is None
    )


# Techniques are explained, whatever cards stand beside them; figures are computed.


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("On my pair of 3090s, tensor parallelism or pipeline parallelism?", "Tensor parallelism versus Pipeline"),
        ("两张 4080 走 PCIe，张量并行还是流水线并行好", "张量并行和流水线并行"),
        ("Why is it slower with two cards than with one?", "Two GPUs slower"),
        ("双卡跑反而慢了，为什么", "双卡比单卡慢"),
        ("Do I need ECC for training?", "ECC"),
        ("纠错显存值得多花钱吗", "ECC 显存"),
        ("Can a 4080 and a 3080 be combined for one model?", "Mixed GPUs"),
        ("3080 跟 3090 混着用行吗", "混插显卡"),
        ("Will NVLink make my two 3090s appear as a single card?", "NVLink"),
        ("Does a bigger batch size affect memory?", "Batch size"),
    ],
)
def test_a_technique_is_explained(question: str, term: str) -> None:
    assert term in _asked(decide([question], {}))


@pytest.mark.parametrize(
    "question",
    [
        "How much faster is training at batch size 32 instead of 8?",
        "How many cycles does a tensor core take for the tile?",
        "By the guide, does NVLink matter?",
    ],
)
def test_a_figure_or_an_article_is_no_question_about_a_term(question: str) -> None:
    assert not decide([question], {}).extra.get("glossary")


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("How noisy is a 3080 with a blower?", "how loud a card is"),
        ("4070 三年后能卖多少钱，保值吗", "以后能卖多少钱"),
        ("Which of the 3090 and the 4080 has the lower failure rate?", "how often one fails"),
        ("Could a 4080 run fanless?", "without their fans"),
    ],
)
def test_what_nobody_has_figures_on_is_said_at_once(question: str, part: str) -> None:
    plan = decide([question], {})
    assert plan.status == "refused" and part in plan.reply and not _calls(plan)


# A tool that has nothing to say about the subject does not answer.


@pytest.mark.parametrize(
    ("question", "tool"),
    [
        ("夏天两张 4080 满载会不会过热", "power_check"),
        ("carbon of 90 hours of training on a 4090", "relative_performance"),
        ("M3 Max 跑 32B 快吗", "inference_memory"),
    ],
)
def test_a_tool_about_something_else_is_passed_over(question: str, tool: str) -> None:
    plan = Plan(stages=((decide(["四张 3090 一共多少瓦"], {}).stages[0][0].__class__(tool, {}),),))
    assert not speaks_of(plan, question)
    assert tool not in [name for name, _ in _calls(decide([question], {}))]


def test_a_tool_that_no_subject_knows_is_trusted_with_its_own_cues() -> None:
    call = decide(["四张 3090 一共多少瓦"], {}).stages[0][0].__class__("battery_runtime", {})
    assert speaks_of(Plan(stages=((call,),)), "how hot does it get?")


def test_a_passage_without_the_terms_of_a_question_is_no_answer() -> None:
    passage = {"article": "dettmers-2023", "text": "PCIe lanes matter little for two GPUs.", "score": 0.99}
    assert not is_about(read("How does SXM differ for GPUs with few lanes?"), passage)
    assert is_about(read("Do PCIe lanes matter for GPUs?"), passage)


def test_a_passage_with_few_of_the_words_is_offered_as_the_closest() -> None:
    passage = {"article": "dettmers-2023", "text": "Above 80 degrees a card slows itself down.", "score": 0.99}
    assert is_loose(read("Does mounting cards upright change airflow behaviour?"), passage)
    assert not is_loose(read("At how many degrees does a card slow down?"), passage)


# Reading.


@pytest.mark.parametrize(
    ("question", "cards"),
    [
        ("A100 40G 和 80G 哪里不同", {"A100 SXM 40GB": 1, "A100 SXM 80GB": 1}),
        ("is the 4060 16GB any good", {"RTX 4060 Ti 16GB": 1}),
        ("a 3080 next to another, no gap", {"RTX 3080 10GB": 2}),
        ("两台电脑各一张 3090", {"RTX 3090": 2}),
        ("其实是 4070，四张", {"RTX 4070": 4}),
    ],
)
def test_cards_are_counted_as_people_say_them(question: str, cards: dict[str, int]) -> None:
    assert read(question).known_cards == cards


def test_tpu_and_a_word_are_no_card() -> None:
    assert [mention.text for mention in cards_in("TPU or GPU for training?")] == []
    assert next(mention.name for mention in cards_in("TPU v4 or A100?")) == "TPU v4"


def test_a_distilled_model_is_not_the_whole_one() -> None:
    assert read("deepseek r1 7b on a laptop").models == ("7B",)
    assert read("满血 R1 要几张卡").models == ("DeepSeek-R1 671B",)


@pytest.mark.parametrize(
    ("question", "units"),
    [
        ("two 4080s, cap them at 240", ["W"]),
        ("选几千瓦的电源", []),
        ("读 3 万条评论", [""]),
        ("一天跑 6 小时", ["h/day"]),
        ("9 毛一度", ["CNY/kWh"]),
        ("租 A100 一小时 9 块，买一台要 80000", ["CNY/h", "CNY"]),
    ],
)
def test_bare_numbers_get_the_unit_of_their_place(question: str, units: list[str]) -> None:
    assert [item.unit for item in read(question).quantities] == units


def test_a_size_that_the_card_does_not_have_is_put_right_first() -> None:
    plan = decide(["两张 3080 20G 改装卡跑 32B 的 4bit 行吗"], {})
    assert "改装" in plan.say and "20 GB" in plan.say
    assert len(plan.then) == 1


def test_a_video_model_is_not_passed_off_as_a_language_model() -> None:
    plan = decide(["text-to-video model of 14B parameters on a 3090, does it fit?"], {})
    assert "no figures on video models" in plan.reply and _calls(plan)[0][0] == "inference_memory"


def test_cards_that_change_little_are_called_the_same() -> None:
    assert "About the same" in decide(["4080 vs 4080 Super for inference?"], {}).say or _calls(
        decide(["4080 vs 4080 Super for inference?"], {})
    )
    assert "差不多" in decide(["4080 升级 4080 Super 值吗"], {}).say


def test_figures_without_a_unit_are_named_when_they_go_unused() -> None:
    plan = decide(["给 300 人的公司部署 32B，要几张 A100 80G"], {})
    assert plan.unused == ("300 人",)


# What the tools themselves say.


def test_the_flip_names_the_card_whose_price_it_speaks_of() -> None:
    result = get_tool("rank_by_value").call({"use": "inference_16bit", "gpus": ["RTX 5090", "RTX 4090"]}).to_dict()
    assert result["best_gpu"] in result["flips_if"].rpartition(" USD ")[2] + result["flips_if"]
    several = get_tool("rank_by_value").call({"use": "inference_16bit", "budget_usd": 900}).to_dict()
    assert " it gives no more" not in several["flips_if"] and "；它涨到" not in several["flips_if_zh"]


def test_names_in_a_chinese_warning_are_joined_as_chinese_does() -> None:
    result = get_tool("relative_performance").call({"gpus": ["RX 7900 XTX", "Arc A770 16GB"]}).to_dict()
    assert "RX 7900 XTX、Arc A770 16GB" in result["warnings_zh"][0]


def test_deepseek_is_taken_in_the_format_it_is_published_in() -> None:
    assert _calls(decide(["How many H200s for DeepSeek-V3?"], {}))[0][1]["weight_format"] == "FP8"
    assert any("671" in pattern.pattern for pattern, _ in frames()["inference_memory"].implied)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("5080 笔记本版和台式 4070 哪个快？", ["RTX 5080 Laptop", "RTX 4070"]),
        ("A desktop with a 3070 and a laptop with a 4090: which is faster?", ["RTX 3070", "RTX 4090 Laptop"]),
        ("laptop 4070 vs desktop 4070", ["RTX 4070 Laptop", "RTX 4070"]),
        ("笔记本 4060 和 4070 哪个好", ["RTX 4060 Laptop", "RTX 4070 Laptop"]),
        ("my notebook's RTX 4080", ["RTX 4080 Laptop"]),
    ],
)
def test_each_card_sits_in_the_machine_that_is_nearest_to_it(text: str, cards: list[str]) -> None:
    assert [card.name for card in read(text).cards][: len(cards)] == cards


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("两张 4080 的供电和散热有问题吗？", ["power_check", "cooling_check"]),
        ("Is the wattage and the cooling of two 4080s all right?", ["power_check", "cooling_check"]),
        ("两张 4080 的散热够不够？", ["cooling_check"]),
    ],
)
def test_two_subjects_tied_by_a_word_are_both_answered(text: str, tools: list[str]) -> None:
    plan = decide([text], {})
    assert [call.tool for one in (plan, *plan.then) for stage in one.stages for call in stage] == tools


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("租 L40S，0.8 美元一小时，跑 60 小时花多少钱，排放多少二氧化碳？", ["calculate", "carbon_footprint"]),
        (
            "An L40S rented at $0.8/h for 60 hours costs how much, and how much CO2 is that?",
            ["calculate", "carbon_footprint"],
        ),
        ("UK 13A plug: will it carry five 3090s?", ["power_check"]),
    ],
)
def test_what_stands_before_a_second_want_serves_it_too(text: str, tools: list[str]) -> None:
    plan = decide([text], {})
    assert [call.tool for one in (plan, *plan.then) for stage in one.stages for call in stage] == tools
