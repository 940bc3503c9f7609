"""Terms, whether one card is worth it, laptops, waiting, system memory, figures put right: what each leads to."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from assistant.builtin.decide import decide
from assistant.builtin.reading import read
from assistant.builtin.single import is_a_term
from assistant.conversation import Answer
from assistant.desk import open_desk
from assistant.settings import Settings
from assistant.toolbox import SEARCH

ASKED = {
    "term": ["what are optimizer states?"],
    "two terms": ["FP16 和 BF16 有什么不同"],
    "term and sum": ["What is LoRA, and how much memory does it take for an 8B model?"],
    "worth it": ["Is a second-hand RTX 3080 10GB a sensible choice for running 8B models?"],
    "worth at a price": ["二手 3090 卖 650 美元，用来跑 32B，值得入手吗"],
    "too small": ["RTX 4070 拿来从头训练 7B 合适吗"],
    "laptop": ["Which notebook would you suggest for AI?"],
    "waiting": ["5080 现在入手还是等下一代？"],
    "system memory": ["I have three 24 GB cards; is 96 GB of DDR5 enough?"],
    "how much system memory": ["两张 4090 的机器配多大内存合适"],
    "term and more": ["What is MIG and does it cost anything?"],
    "LoRA": ["Which GPU should I get for LoRA on a 13B, budget 2500 dollars?"],
    "budget": ["Which card for running a 30B?", "at most 900 dollars", "sorry, 1900"],
    "each": ["Will an 850 W supply do for two RTX 3090?", "no, 250 W each"],
    "count": ["一张 4080 每天开 5 小时，一年电费多少？", "三张呢"],
    "new card with a count": ["How long to train 1B on 10B tokens with two 4090?", "actually four H100"],
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    return asyncio.run(_answers(tmp_path_factory.mktemp("wide")))


async def _answers(folder: Path) -> dict[str, Answer]:
    found: dict[str, Answer] = {}
    async with open_desk(Settings(data_dir=folder)) as desk:
        for name, turns in ASKED.items():
            session = desk.conversation().session
            for turn in turns:
                found[name] = await desk.answer(turn, session)
    return found


def _arguments(answer: Answer, tool: str) -> dict[str, object]:
    return next(dict(call["arguments"]) for call in answer.calls if call["tool"] == tool)


def test_a_term_is_quoted_from_the_glossary_with_its_date(said: dict[str, Answer]) -> None:
    assert said["term"].status == "answered"
    assert said["term"].answer.startswith("GPU Advisor glossary (2026-11-30) says:")
    assert [cited["section"] for cited in said["term"].citations] == ["optimizer"]


def test_a_difference_quotes_both_in_the_order_of_the_question(said: dict[str, Answer]) -> None:
    text = said["two terms"].answer
    assert text.count("术语表") == 1
    assert 0 < text.index("> FP16") < text.index("> BF16")


def test_a_term_and_a_sum_are_answered_one_after_the_other(said: dict[str, Answer]) -> None:
    answer = said["term and sum"]
    assert answer.answer.startswith("GPU Advisor glossary")
    assert _arguments(answer, "training_memory") == {"method": "lora", "model": "8B"}


def test_what_is_asked_beside_a_term_is_named_as_open(said: dict[str, Answer]) -> None:
    assert said["term and more"].answer.startswith("GPU Advisor glossary")
    assert "Not worked out: “and does it cost anything”" in said["term and more"].answer


def test_a_card_that_is_named_is_judged_itself(said: dict[str, Answer]) -> None:
    assert "the RTX 3080 10GB" in said["worth it"].answer.split("\n")[0]
    assert "tokens/s" in said["worth it"].answer
    assert said["worth at a price"].answer.startswith("值得：RTX 3090 放得下")
    assert "650 美元（你给的价）" in said["worth at a price"].answer
    assert said["too small"].answer.startswith("不值得：RTX 4070 只有 12 GB")


def test_a_wide_question_says_what_is_known_before_it_asks(said: dict[str, Answer]) -> None:
    assert said["laptop"].status == said["waiting"].status == "clarify"
    assert "24 GB" in said["laptop"].answer and said["laptop"].answer.endswith("only use it?")
    assert "RTX 5080 有 16 GB" in said["waiting"].answer and said["waiting"].answer.endswith("推理？")


def test_system_memory_is_held_against_all_cards_together(said: dict[str, Answer]) -> None:
    assert said["system memory"].answer.startswith(
        "That meets the rule of thumb: 96 GB of system RAM, 133% of the 72 GB that the cards hold together."
    )
    assert said["how much system memory"].answer.startswith("系统内存按 48 GB 配")


def test_lora_needs_its_16_bit_weights_and_the_budget_is_named(said: dict[str, Answer]) -> None:
    answer = said["LoRA"]
    assert _arguments(answer, "recommend") == {
        "use": "finetune", "model": "13B", "method": "lora", "budget_usd": 2500.0
    }  # fmt: skip
    assert "by LoRA, whose base weights stay in 16 bits" in answer.answer
    assert "$2,500" in answer.answer


def test_a_bare_figure_puts_right_the_one_before(said: dict[str, Answer]) -> None:
    assert _arguments(said["budget"], "recommend")["budget_usd"] == 1900
    each = _arguments(said["each"], "power_check")
    assert (each["psu_w"], each["power_limit_w"]) == (850, 250)
    assert _arguments(said["count"], "ownership_cost")["power_w"] == 3 * 320
    assert said["count"].language == "zh" and "电费" in said["count"].answer
    assert _arguments(said["new card with a count"], "training_time")["gpu_count"] == 4


@pytest.mark.parametrize(
    "text", ["What is FP8 on a 4090?", "what is the KV cache of llama 3 8B at 8k", "为什么 3090 没有 FP8"]
)
def test_a_card_a_model_or_a_figure_makes_it_no_question_about_a_term(text: str) -> None:
    assert not is_a_term(read(text))


def test_coolers_set_against_each_other_are_looked_up() -> None:
    plan = decide(["水冷还是涡轮，四卡机器选哪个？"], {})
    assert [call.tool for stage in plan.stages for call in stage] == [SEARCH]
