"""Thirty ways to say each of twenty questions, made by rule: the same call with the same arguments."""

from __future__ import annotations

import itertools
import random
import re
from typing import Any

import pytest

from assistant.builtin.decide import decide
from assistant.toolbox import SEARCH

LEAST_SAME = 0.95
EACH = 30

# Templates in both languages and in a mixture; the words in braces stand for each other.
QUESTIONS: dict[str, tuple[tuple[str, ...], list[tuple[str, dict[str, Any]]]]] = {
    "draw": (
        (
            "{How much power do|How many watts do} {four RTX 3090s|4 RTX 3090s|4x RTX 3090|four 3090s} {draw|use|consume}?",
            "{四张|4 张|4张} {RTX 3090|3090} {一共多少瓦|总共多少瓦|功耗一共多少}？",
            "{4 张 3090|four 3090} 一共 {draw 多少瓦|多少 watt}？",
        ),
        [("power_check", {"cards": {"RTX 3090": 4}})],
    ),
    "supply": (
        (
            "{Is|Would} a {1600 W|1.6 kW|1600W} {power supply|PSU} {enough|sufficient} for {three|3} RTX 4090s?",
            "{1600W|1600 瓦|1.6kW} {电源|的电源} {够|够不够|带得动} {三张|3 张} RTX 4090 {吗|}？",
            "{3 张|三张} 4090 用 {1600W|1.6 kW} {PSU|电源} {够吗|行吗}？",
        ),
        [("power_check", {"cards": {"RTX 4090": 3}, "psu_w": 1600.0})],
    ),
    "cap": (
        (
            "{four|4} RTX 3080s {limited|capped} to {250 W|250W}: {how many watts do I save|what does that save}?",
            "{四张|4 张} RTX 3080 {限到|限制到} {250W|250 瓦} {省多少|能省多少瓦|节省多少}？",
            "4 张 3080 {cap|limit} 到 250W {省多少瓦|能省多少}？",
        ),
        [("power_check", {"cards": {"RTX 3080 10GB": 4}, "power_limit_w": 250.0})],
    ),
    "kv": (
        (
            "{How large is|What is the size of|How much memory takes} the KV cache of llama-3-8b at {16384|16,384} tokens?",
            "llama-3-8b {在|放} {16384 个 token|16384 token} {时|的} KV {缓存|cache} {多大|占多少显存}？",
            "llama-3-8b {16384 tokens|16384 个 token} 的 KV cache {多大|占多少}？",
        ),
        [("kv_cache", {"model": "llama-3-8b", "tokens": 16384})],
    ),
    "run": (
        (
            "{Can I|Is it possible to} {run|serve|host} a 70B in {INT4|4-bit|4 bit} on {two|2} RTX 4090s?",
            "{两张|2 张} RTX 4090 {能跑|能不能跑|能部署} 70B 的 {INT4|4bit|4 位} {吗|}？",
            "{2 张|两张} 4090 {能 run|可以跑} 70B {INT4|4bit} 吗？",
        ),
        [("inference_memory", {"model": "70B", "weight_format": "INT4", "gpu_count": 2})],
    ),
    "need": (
        (
            "{How much|What} {VRAM|GPU memory} {does it take|do I need} to run a 13B in {FP16|16-bit}?",
            "{跑|部署} 13B 的 FP16 {要多少显存|需要多少显存|要多大显存}？",
            "{跑|run} 13B FP16 {要多少 VRAM|需要多少显存}？",
        ),
        [("inference_memory", {"model": "13B", "weight_format": "FP16"})],
    ),
    "full": (
        (
            "{How much|What} memory does {full fine-tuning|full finetuning} of a 7B {take|need}?",
            "{全参微调|全量微调} 7B {要多少显存|需要多大显存|需要多少显存}？",
            "7B {full fine-tune|全参微调} {要多少显存|需要多少 VRAM}？",
        ),
        [("training_memory", {"model": "7B", "method": "full"})],
    ),
    "qlora": (
        (
            "{Can I|Could I} QLoRA a 13B on {an RTX 3090|one RTX 3090|a 3090}?",
            "{RTX 3090|3090} {能|可以} QLoRA 微调 13B 吗？",
            "3090 上 {QLoRA fine-tune|QLoRA 微调} 13B {够吗|行不行}？",
        ),
        [("training_memory", {"model": "13B", "method": "qlora"})],
    ),
    "decode": (
        (
            "{How many tokens per second|How many tok/s} does {an RTX 4090|a 4090|the RTX 4090} {reach|do|get} with llama-3-8b in Q4_K_M?",
            "{RTX 4090|4090} 跑 llama-3-8b 的 Q4_K_M {每秒多少 token|每秒能出多少 token|每秒出多少字}？",
            "4090 {run|跑} llama-3-8b Q4_K_M {每秒多少 token|多少 tok/s}？",
        ),
        [("decode_rate", {"gpu": "RTX 4090", "model": "llama-3-8b", "weight_format": "Q4_K_M"})],
    ),
    "bill": (
        (
            "{What is|How high is} the {yearly|annual} {electricity|power} {bill|cost} of an RTX 4080 at {25%|25 percent} and {$0.2/kWh|0.2 USD/kWh}?",
            "RTX 4080 利用率 {25%|百分之二十五}、{0.2 美元/度|每度 0.2 美元}，{一年电费多少|每年电费多少|每年电费是多少}？",
            "RTX 4080 {25%|利用率 25%}、0.2 {USD/kWh|美元/度}，{每年电费多少|一年电费多少}？",
        ),
        [("ownership_cost", {"gpu": "RTX 4080", "utilization": 0.25, "electricity_usd_per_kwh": 0.2})],
    ),
    "even": (
        (
            "{When does|After how many days does} a {$3,000|3000 dollar} {machine|desktop} {pay off against|beat} a $1.5/h cloud GPU at {20%|20 %} {load|utilisation}?",
            "{3000 美元|三千美元} 的 {机器|主机} 对 {1.5 美元/小时|每小时 1.5 美元} 的云，利用率 20%，{多久回本|多少天回本}？",
            "3000 美元的 {machine|主机} vs 1.5 美元/小时的 {cloud|云}，20%，多久回本？",
        ),
        [("cloud_break_even", {"desktop_usd": 3000.0, "cloud_usd_per_h": 1.5, "utilization": 0.2})],
    ),
    "million": (
        (
            "{What does|How much does} a million tokens cost at {80 tok/s|80 tokens/s|80 tokens per second} and {$0.6/h|0.6 USD/h}?",
            "{每秒 80 个 token|每秒 80 token}、{0.6 美元/小时|每小时 0.6 美元}，{百万 token 成本多少|百万 token 多少钱}？",
            "80 tok/s、0.6 美元/小时，{百万 token|1M tokens} {成本|要} 多少钱？",
        ),
        [("token_cost", {"tokens_per_s": 80.0, "usd_per_h": 0.6})],
    ),
    "slots": (
        (
            "Do {two|2} RTX 3090s fit on a {board|motherboard} with {7|seven} slots?",
            "{两张|2 张} RTX 3090 {插得下|放得下} 7 槽的主板 {吗|}？",
            "{2 张|两张} 3090 {fit|插得下} 7 槽 {主板|motherboard} 吗？",
        ),
        [("cooling_check", {"cards": {"RTX 3090": 2}, "board_slots": 7})],
    ),
    "carbon": (
        (
            "{How much CO2 do|What are the emissions of} {eight|8} H100s {emit|} in {100 hours|100 h} in Germany?",
            "{8 张|八张} H100 在德国跑 {100 小时|100 个小时} {排放多少碳|碳排放多少|排放多少二氧化碳}？",
            "8 张 H100 在德国 {run|跑} 100 小时 {CO2 排放多少|碳排放多少}？",
        ),
        [("carbon_footprint", {"cards": {"H100 SXM": 8}, "hours": 100.0, "region": "DE"})],
    ),
    "nvlink": (
        (
            "{Does|Has} {the RTX 3090|an RTX 3090|the 3090} {have|got|support} NVLink?",
            "{RTX 3090|3090} {有没有|支持} NVLink {吗|}？",
            "3090 {support|有} NVLink {吗|么}？",
        ),
        [("gpu_specs", {"gpu": "RTX 3090"})],
    ),
    "bandwidth": (
        (
            "{What is|How high is} the memory bandwidth of {an RTX 5090|the RTX 5090|a 5090}?",
            "{RTX 5090|5090} 的显存带宽 {是多少|有多大|多少}？",
            "5090 的 {memory bandwidth|显存带宽} {多少|是多少}？",
        ),
        [("gpu_specs", {"gpu": "RTX 5090"})],
    ),
    "list": (
        (
            "{Which cards have|List the cards with} at least {48 GB|48GB}?",
            "{哪些卡|有哪些卡} 显存 {至少 48G|在 48G 以上|不低于 48G}？",
            "{哪些卡|有哪些 GPU} 有 48GB {以上|or more}？",
        ),
        [("find_gpus", {"min_memory_gb": 48.0})],
    ),
    "buy": (
        (
            "{Which card should I buy|What card should I get|Which GPU do you recommend} {to run|for running} a 32B with {a budget of $2,000|$2,000}?",
            "预算 {2000 美元|两千美元}，{想跑|要跑} 32B，{推荐哪张卡|该买什么卡|买哪张卡好}？",
            "预算 2000 美元，{想 run|想跑} 32B，{推荐哪张卡|该买什么 GPU}？",
        ),
        [("recommend", {"use": "inference", "model": "32B", "budget_usd": 2000.0})],
    ),
    "value": (
        (
            "{Best value|Most cost-effective} card {with|with at least} {16 GB|16GB} for {training|fine-tuning}?",
            "{性价比最高的|性价比最好的} 16G 显卡，{用来训练|用来微调}？",
            "16G {性价比|value for money} 最高的卡，{用来训练|用来 train}？",
        ),
        [("rank_by_value", {"use": "training_16bit", "min_memory_gb": 16.0})],
    ),
    "limit": (
        (
            "{How much slower is|How much speed loses} {an RTX 3090|a 3090} in training {limited|capped} to 280 W?",
            "{RTX 3090|3090} 训练时{限到|限制到} {280W|280 瓦} {慢多少|会慢多少|速度损失多少}？",
            "3090 {training|训练} {限到|limit 到} 280W {慢多少|会慢多少}？",
        ),
        [("power_limit_effect", {"gpu": "RTX 3090", "power_limit_w": 280.0, "use": "training"})],
    ),
}
_BRACES = re.compile(r"\{([^{}]*)\}")


def sayings(templates: tuple[str, ...], seed: str) -> list[str]:
    """Return thirty sayings: ten of each template, every third without punctuation, every fourth with a slip of the finger."""
    chance = random.Random(seed)
    found: list[str] = []
    for template in templates:
        options = [part.split("|") for part in _BRACES.findall(template)]
        all_of_them = list(itertools.product(*options)) or [()]
        for index in range(EACH // len(templates)):
            words = iter(all_of_them[chance.randrange(len(all_of_them))])
            text = _BRACES.sub(lambda _, words=words: next(words), template)
            text = re.sub(r"[?？，、:]|,(?!\d)", " ", text).lower() if index % 3 == 2 else text
            found.append(_slip(text, chance) if index % 4 == 3 else text)
    return found


def _slip(text: str, chance: random.Random) -> str:
    """Swap two neighbours inside one longer English word."""
    longer = [
        hit for hit in re.finditer(r"(?<![\w-])[a-z]{6,}(?![\w-])", text) if hit[0] not in ("running", "emissions")
    ]
    if not longer:
        return text
    hit = chance.choice(longer)
    place = hit.start() + 1 + chance.randrange(len(hit[0]) - 3)
    return text[:place] + text[place + 1] + text[place] + text[place + 2 :]


def _same(text: str, expected: list[tuple[str, dict[str, Any]]]) -> bool:
    calls = [
        (call.tool, call.arguments) for stage in decide([text], {}).stages for call in stage if call.tool != SEARCH
    ]
    return all(
        any(tool == made and arguments.items() <= given.items() for made, given in calls)
        for tool, arguments in expected
    )


def test_there_are_twenty_questions_in_thirty_ways() -> None:
    assert len(QUESTIONS) == 20
    assert all(len(sayings(templates, name)) == EACH for name, (templates, _) in QUESTIONS.items())


def test_nearly_all_of_them_lead_to_the_same_call() -> None:
    failed = [
        (name, text)
        for name, (templates, expected) in QUESTIONS.items()
        for text in sayings(templates, name)
        if not _same(text, expected)
    ]
    total = EACH * len(QUESTIONS)
    print(f"{total - len(failed)} of {total} the same")
    for name, text in failed:
        print(name, "|", text)
    assert len(failed) <= (1 - LEAST_SAME) * total


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_question_is_understood_in_one_wording_only(name: str) -> None:
    templates, expected = QUESTIONS[name]
    right = sum(_same(text, expected) for text in sayings(templates, name))
    assert right >= 0.7 * EACH
