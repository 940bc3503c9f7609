"""The same questions with other numbers and other cards: the answer is recomputed, not remembered.

The expected value is worked out here, from the question's figures and the data sheet alone.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from typing import Any

import pytest

from assistant.desk import open_desk
from assistant.settings import Settings
from tools.api import find

Row = tuple[str, str, dict[str, Any], Callable[..., float]]


def watts(card: str) -> float:
    return find(card).gpu.board_power_w or math.nan


def bandwidth(card: str) -> float:
    return find(card).gpu.memory_bandwidth_gb_s


TEMPLATES: list[Row] = [
    (
        "If {a}% of memory operations hit registers at {b} TB/s and {c}% hit main memory at {d} TB/s, how much more time goes to"
        " main memory than to registers?",
        "{a}%的访存在寄存器({b}TB/s)，{c}%在主存({d}TB/s)，主存耗时是寄存器的几倍？",
        {"a": 90, "b": 60, "c": 10, "d": 1.2},
        lambda a, b, c, d: (c / d) / (a / b),
    ),
    (
        "If {a}% of memory operations hit registers at {b} TB/s and {c}% hit main memory at {d} TB/s, how much more time goes to"
        " main memory than to registers?",
        "{a}%的访存在寄存器({b}TB/s)，{c}%在主存({d}TB/s)，主存耗时是寄存器的几倍？",
        {"a": 97, "b": 120, "c": 3, "d": 3.35},
        lambda a, b, c, d: (c / d) / (a / b),
    ),
    (
        "How many threads can one SM hold with {a} warps of {b} threads?",
        "一个SM有{a}个warp、每个warp{b}线程，一共多少线程？",
        {"a": 48, "b": 32},
        lambda a, b: a * b,
    ),
    (
        "How many threads can one SM hold with {a} warps of {b} threads?",
        "一个SM有{a}个warp、每个warp{b}线程，一共多少线程？",
        {"a": 64, "b": 16},
        lambda a, b: a * b,
    ),
    (
        "What share of an {card} are {a} SMs?",
        "{a}个SM占{card}的百分之几？",
        {"a": 12, "card": "RTX 4090"},
        lambda a, card: 100 * a / (find(card).gpu.sm_count or 1),
    ),
    (
        "What share of an {card} are {a} SMs?",
        "{a}个SM占{card}的百分之几？",
        {"a": 20, "card": "RTX 3070"},
        lambda a, card: 100 * a / (find(card).gpu.sm_count or 1),
    ),
    (
        "How many 4x4 tensor-core operations does a {a}x{a} multiply need, and do {b} SMs with 8 tensor cores each cover them at once?",
        "{a}×{a}矩阵乘法需要多少次4×4的Tensor Core运算？{b}个SM各8个Tensor Core够一次做完吗？",
        {"a": 64, "b": 16},
        lambda a, b: (a / 4) ** 2,
    ),
    (
        "What speed-up of the {one} over the {other} follows from memory bandwidth?",
        "只看显存带宽，{one}比{other}快多少倍？",
        {"one": "RTX 4090", "other": "RTX 3080"},
        lambda one, other: bandwidth(one) / bandwidth(other),
    ),
    (
        "What speed-up of the {one} over the {other} follows from memory bandwidth?",
        "只看显存带宽，{one}比{other}快多少倍？",
        {"one": "H200", "other": "A100"},
        lambda one, other: bandwidth(one) / bandwidth(other),
    ),
    (
        "By the rule of +{a} % per doubling, how much faster is a CNN at {b} times the batch size?",
        "按批量每翻倍提高{a}%的规则，批量变为{b}倍时CNN快多少？",
        {"a": 10, "b": 16},
        lambda a, b: 100 * ((1 + a / 100) ** math.log2(b) - 1),
    ),
    (
        "By the rule of +{a} % per doubling, how much faster is a CNN at {b} times the batch size?",
        "按批量每翻倍提高{a}%的规则，批量变为{b}倍时CNN快多少？",
        {"a": 20.5, "b": 4},
        lambda a, b: 100 * ((1 + a / 100) ** math.log2(b) - 1),
    ),
    (
        "If 8 H100s scale to {a}x, what do 8 A100s reach on CNNs with {b}% more overhead?",
        "8张H100加速{a}倍，开销多{b}%的8张A100是多少？",
        {"a": 6.4, "b": 8},
        lambda a, b: a / (1 + b / 100),
    ),
    (
        "How much power do {n} {card}s draw?",
        "{n}张{card}一共多少瓦？",
        {"n": 3, "card": "RTX 3080"},
        lambda n, card: n * watts(card),
    ),
    (
        "How much power do {n} {card}s draw?",
        "{n}张{card}一共多少瓦？",
        {"n": 6, "card": "RTX A6000"},
        lambda n, card: n * watts(card),
    ),
    (
        "With {n} {card}s on a {psu} W PSU, how much is left for CPU and motherboard?",
        "{psu}W电源带{n}张{card}，给CPU和主板剩多少？",
        {"psu": 1200, "n": 2, "card": "RTX 4080"},
        lambda psu, n, card: psu - n * watts(card),
    ),
    (
        "With {n} {card}s on a {psu} W PSU, how much is left for CPU and motherboard?",
        "{psu}W电源带{n}张{card}，给CPU和主板剩多少？",
        {"psu": 2000, "n": 3, "card": "RTX 5090"},
        lambda psu, n, card: psu - n * watts(card),
    ),
    (
        "How much does limiting {n} {card}s to {cap} W save?",
        "{n}张{card}限到{cap}W省多少？",
        {"n": 2, "card": "RTX 4090", "cap": 350},
        lambda n, card, cap: n * (watts(card) - cap),
    ),
    (
        "What FP8 throughput do {n} {card}s reach together by the figure of the guide?",
        "按指南的数字，{n}张{card}合起来FP8算力是多少？",
        {"n": 8, "card": "RTX 4080"},
        lambda n, card: n * (find(card).gpu.tensor_fp8_dense_tflops or 0) / 1000,
    ),
    (
        "What does the electricity of an {card} cost per year at {u}% utilisation and ${p}/kWh?",
        "{card}在{u}%利用率、{p}美元/度时每年电费？",
        {"card": "RTX 3080", "u": 40, "p": 0.3},
        lambda card, u, p: watts(card) / 1000 * u / 100 * 8760 * p,
    ),
    (
        "What does the electricity of an {card} cost over {y} years at {u}% utilisation and ${p}/kWh?",
        "{card}在{u}%利用率、{p}美元/度时{y}年电费多少？",
        {"card": "RTX 5090", "u": 25, "p": 0.21, "y": 3},
        lambda card, u, p, y: watts(card) / 1000 * u / 100 * 8760 * p * y,
    ),
    (
        "How much energy does the {card} desktop use per year at {u}% utilisation ({g} W GPU + {c} W CPU)?",
        "{g}W GPU+{c}W CPU、{u}%利用率的台式机每年多少度电？",
        {"card": "RTX 4080", "g": 320, "c": 140, "u": 30},
        lambda card, g, c, u: (g + c) / 1000 * u / 100 * 8760,
    ),
    (
        "What does the electricity of a {w} W desktop at {u}% utilisation cost per year at ${p}/kWh?",
        "{w}W的台式机在{u}%利用率、{p}美元/度时每年电费多少？",
        {"w": 700, "u": 22, "p": 0.25},
        lambda w, u, p: w / 1000 * u / 100 * 8760 * p,
    ),
    (
        "What do {d} days of the cloud instance at ${r}/h and {u}% utilisation cost?",
        "{r}美元/小时、{u}%利用率{d}天云费用？",
        {"d": 120, "r": 3.3, "u": 45},
        lambda d, r, u: d * 24 * u / 100 * r,
    ),
    (
        "After how many days is the ${m} desktop cheaper than the ${r}/h cloud instance at {u}% utilisation?",
        "{u}%利用率下，{m}美元台式机多少天后比{r}美元/小时的云便宜？",
        {"m": 5100, "r": 1.8, "u": 50},
        lambda m, r, u: m / ((r - 0.45 * 0.12) * 24 * u / 100),
    ),
    (
        "What has a ${m} desktop ({w} W, {u}% utilisation, ${p}/kWh) cost in total by day {d}?",
        "{m}美元的台式机（{w}W、{u}%利用率、{p}美元/度）到第{d}天一共花了多少？",
        {"m": 4000, "w": 800, "u": 35, "p": 0.2, "d": 500},
        lambda m, w, u, p, d: m + w / 1000 * u / 100 * 24 * d * p,
    ),
]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("changed"))

    async def run() -> list[tuple[dict[str, Any], dict[str, Any]]]:
        async with open_desk(settings) as desk:
            return [
                ((await desk.answer(en.format(**values))).to_dict(), (await desk.answer(zh.format(**values))).to_dict())
                for en, zh, values, _ in TEMPLATES
            ]

    return asyncio.run(run())


def test_there_are_enough_of_them() -> None:
    assert 2 * len(TEMPLATES) >= 50


@pytest.mark.parametrize("index", range(len(TEMPLATES)), ids=[f"{number}" for number in range(len(TEMPLATES))])
def test_the_recomputed_value_is_stated(index: int, answers: list[tuple[dict[str, Any], dict[str, Any]]]) -> None:
    en, zh, values, formula = TEMPLATES[index]
    expected = formula(**values)
    for question, answer in zip((en, zh), answers[index], strict=True):
        stated = [number["value"] for number in answer["numbers"] if number["kind"] == "tool"]
        assert answer["status"] == "answered", (question.format(**values), answer["answer"])
        assert any(abs(value - expected) <= 0.006 * abs(expected) for value in stated), (
            question.format(**values),
            expected,
            answer["answer"],
        )
