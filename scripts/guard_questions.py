"""Questions for measuring the guard: every tool, both languages, varied cards, models and figures."""

from __future__ import annotations

import random
from collections.abc import Iterator

CARDS = (
    "RTX 3090",
    "RTX 4090",
    "RTX 5090",
    "RTX 4060 Ti 16GB",
    "RTX 3060 12GB",
    "RTX 4080",
    "RTX 2080 Ti",
    "RTX A6000",
    "L40S",
    "A100 80GB SXM",
    "H100 PCIe",
    "RTX 6000 Ada",
)
MODELS = ("llama-3-8b", "llama-3-70b", "7B", "13B", "70B", "32B")
NUMBERS = {
    "count": (2, 3, 4, 8),
    "psu": (850, 1000, 1200, 1600, 2000),
    "limit": (220, 250, 280, 300),
    "price": (1800, 2200, 3500, 5200),
    "rate": (0.8, 1.2, 2.14, 3.5),
    "use": (10, 15, 25, 40),
    "power": (350, 450, 700),
    "hours": (100, 250, 800),
    "tokens": (4096, 8192, 32768),
    "speed": (30, 55, 120),
    "budget": (1500, 2500, 6000, 12000),
    "kwh": (0.12, 0.2, 0.35),
    "years": (2, 3, 5),
    "slots": (7, 8),
}

# tool -> (English, Chinese); {card}, {other}, {model} and the numbers above are filled in.
TEMPLATES: dict[str, tuple[tuple[str, str], ...]] = {
    "power_check": (
        ("Is a {psu} W power supply enough for {count} {card}?", "{count} 张 {card} 用 {psu}W 电源够吗？"),
        ("What power supply do {count} x {card} need?", "{count} 张 {card} 要配多大的电源？"),
        (
            "Is a {psu} W PSU enough for {count} {card} limited to {limit} W each?",
            "{count} 张 {card} 每张限到 {limit}W，{psu}W 电源够吗？",
        ),
    ),
    "cloud_break_even": (
        (
            "When is my ${price} desktop cheaper than a ${rate}/h cloud GPU at {use}% utilization?",
            "{price} 美元的台式机和 {rate} 美元/小时的云 GPU 比，利用率 {use}%，多少天回本？",
        ),
        (
            "When does a ${price} desktop pay off against ${rate} per hour in the cloud?",
            "台式机 {price} 美元，云每小时 {rate} 美元，多久回本？",
        ),
    ),
    "gpu_specs": (
        ("What are the specs of the {card}?", "{card} 的规格是什么？"),
        ("How much memory bandwidth does the {card} have?", "{card} 的显存带宽是多少？"),
    ),
    "find_gpus": (("Which GPUs have at least {gb} GB of memory?", "哪些显卡有至少 {gb} GB 显存？"),),
    "relative_performance": (
        (
            "How fast is the {card} compared with the {other} for inference in 16 bit?",
            "{card} 和 {other} 比，16 位推理性能如何？",
        ),
        ("Relative training performance of {card} and {other}?", "{card} 和 {other} 的训练性能相对谁快？"),
    ),
    "decode_rate": (
        (
            "How many tokens per second does the {card} write with {model} at 4 bit?",
            "{card} 跑 {model} 4bit 每秒多少 token？",
        ),
        ("How fast does {model} chat on one {card}?", "{model} 在一张 {card} 上对话多快？"),
    ),
    "prefill_rate": (
        (
            "How fast is prompt processing (prefill) of {model} on the {card}?",
            "{card} 上 {model} 的预填充（读提示词）速度多快？",
        ),
    ),
    "training_rate": (
        ("How many images per second does the {card} train on ResNet50?", "{card} 训练 ResNet50 每秒多少张图？"),
    ),
    "training_time": (
        (
            "How long does it take to train {model} on 1 billion tokens with one {card}?",
            "一张 {card} 用 10 亿 token 训练 {model} 要多久？",
        ),
    ),
    "matmul_cycles": (
        (
            "How many cycles does a 32x32 matrix multiplication take with tensor cores?",
            "用 Tensor Core 做 32x32 矩阵乘法要多少周期？",
        ),
    ),
    "batch_speedup": (
        ("What speedup does batch size 64 instead of {b} give for a CNN?", "CNN 批量从 {b} 提到 64 能快多少？"),
    ),
    "multi_gpu_speedup": (
        ("What speedup do {count} {card} give for training?", "{count} 张 {card} 训练能加速多少倍？"),
    ),
    "kv_cache": (
        ("How large is the KV cache of {model} at {tokens} tokens?", "{model} 在 {tokens} token 时 KV 缓存多大？"),
    ),
    "inference_memory": (
        ("How much memory does {model} need for inference at 4 bit?", "{model} 4bit 推理要多少显存？"),
        ("Does {model} in 4 bit fit on a {card}?", "{card} 放得下 4bit 的 {model} 吗？"),
    ),
    "training_memory": (
        ("How much memory does QLoRA fine-tuning of {model} need?", "QLoRA 微调 {model} 要多少显存？"),
        ("Can I fully fine-tune {model} on a {card}?", "{card} 能全参微调 {model} 吗？"),
    ),
    "rank_by_value": (
        (
            "Which GPU has the best performance per dollar for training with at least {gb} GB?",
            "训练用，至少 {gb} GB 显存，哪张卡性价比最高？",
        ),
    ),
    "ownership_cost": (
        (
            "How much electricity does a {card} cost per year at {kwh} $/kWh?",
            "{card} 一年电费多少，电价 {kwh} 美元/度？",
        ),
        ("What does owning a {card} for {years} years cost?", "{card} 用 {years} 年总共花多少钱？"),
    ),
    "power_limit_effect": (
        ("How much slower is the {card} in training if I limit it to {limit} W?", "{card} 限到 {limit}W，训练慢多少？"),
    ),
    "cooling_check": (
        (
            "Do {count} {card} fit on a board with {slots} slots, and how hot do they get?",
            "{count} 张 {card} 插在 {slots} 个槽位的主板上，散热行吗？",
        ),
    ),
    "carbon_footprint": (
        (
            "How much CO2 does a {power} W machine emit in {hours} hours in Germany?",
            "{power}W 的机器在德国跑 {hours} 小时排放多少二氧化碳？",
        ),
    ),
    "token_cost": (
        (
            "What do a million tokens cost at {speed} tokens/s on a ${rate}/h GPU?",
            "每小时 {rate} 美元的 GPU，每秒 {speed} token，一百万 token 多少钱？",
        ),
    ),
    "recommend": (
        (
            "Which GPU should I buy for fine-tuning {model} with a budget of ${budget}?",
            "预算 {budget} 美元，微调 {model} 买什么显卡？",
        ),
    ),
    "plan_build": (
        ("Plan a build for running {model} within ${budget}.", "预算 {budget} 美元，配一台跑 {model} 的机器。"),
    ),
    "calculate": (("What is {count} * {power} W + 200 W?", "{count} * {power} W + 200 W 等于多少？"),),
    "search_articles": (
        ("Why are tensor cores important for deep learning?", "为什么 Tensor Core 对深度学习重要？"),
        ("How do I keep several GPUs cool in one case?", "一个机箱里放多张显卡怎么散热？"),
    ),
}
_MORE: dict[str, tuple[float | int, ...]] = {**NUMBERS, "gb": (12, 16, 24, 48, 80), "b": (8, 16, 32)}


def questions(per_template: int, seed: int = 5) -> Iterator[tuple[str, str, str]]:
    """Yield (tool, language, question), the same figures in both languages."""
    for tool, pairs in TEMPLATES.items():
        for pair in pairs:
            chance = random.Random(f"{seed} {pair[0]}")
            seen: set[str] = set()
            for _ in range(per_template):
                card, other = chance.sample(CARDS, 2)
                words = {
                    "card": card,
                    "other": other,
                    "model": chance.choice(MODELS),
                    **{name: f"{chance.choice(values):g}" for name, values in _MORE.items()},
                }
                for language, template in zip(("en", "zh"), pair, strict=True):
                    text = template.format(**words)
                    if text not in seen:
                        seen.add(text)
                        yield tool, language, text
