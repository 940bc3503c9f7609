"""Conversations of the golden set: what a second or third message changes, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Row = dict[str, Any]
Turns = tuple[str, ...]


def value(figure: float, unit: str = "", rel: float = 0.01) -> Row:
    """Return an expected figure."""
    return {"value": round(figure, 6), "unit": unit, "rel_tolerance": rel}


# name, category, English turns, Chinese turns, what the last answer states
CHAINS: list[tuple[str, str, Turns, Turns, list[Row]]] = [
    (
        "cap",
        "power",
        ("How much do four RTX 3090s draw?", "And limited to 280 W each?"),
        ("四张 RTX 3090 一共多少瓦？", "那每张限到 280W 呢？"),
        [value(1120, "W")],
    ),
    (
        "psu",
        "power",
        ("What power supply do two RTX 4090s need?", "No, three of them: 3 x RTX 4090"),
        ("两张 RTX 4090 要多大电源？", "不对，是 3 张 RTX 4090"),
        [value(1350, "W")],
    ),
    (
        "cpu",
        "power",
        ("Is 1300 W enough for two RTX 4090s?", "what if the CPU takes 300 W"),
        ("两张 RTX 4090 用 1300W 电源够吗？", "如果 CPU 是 300W 呢"),
        [value(1200, "W")],
    ),
    (
        "supply",
        "power",
        ("Is a 1000 W supply enough for two RTX 3090s?", "and with a 1500 W supply?"),
        ("两张 RTX 3090 用 1000W 电源够吗？", "换成 1500W 电源呢？"),
        [value(600, "W")],
    ),
    (
        "other-card",
        "power",
        ("How much do two RTX 4090s draw?", "and two RTX 5090s?"),
        ("两张 RTX 4090 一共多少瓦？", "那两张 RTX 5090 呢？"),
        [value(1150, "W")],
    ),
    (
        "price",
        "cost",
        ("Yearly electricity of an RTX 4090 at 20% load and $0.2/kWh?", "and at $0.35/kWh?"),
        ("RTX 4090 利用率 20%，0.2 美元/度，一年电费多少？", "换成 0.35 美元/度呢？"),
        [value(0.45 * 0.2 * 8760 * 0.35, "USD/year")],
    ),
    (
        "busy",
        "cost",
        ("Yearly electricity of an RTX 3090 at $0.2/kWh and 15% utilisation?", "what about 60%?"),
        ("RTX 3090 电价 0.2 美元/度、利用率 15%，一年电费多少？", "那 60% 呢？"),
        [value(0.35 * 0.6 * 8760 * 0.2, "USD/year")],
    ),
    (
        "card-cost",
        "cost",
        ("What does the electricity of an RTX 3090 cost per year at 25% and $0.16/kWh?", "And of an RTX 5090?"),
        ("RTX 3090 利用率 25%、0.16 美元/度，每年电费多少？", "RTX 5090 呢？"),
        [value(0.575 * 0.25 * 8760 * 0.16, "USD/year")],
    ),
    (
        "even",
        "rent",
        (
            "After how many days does a $3000 machine beat a $1.5/h cloud GPU at 20% load (500 W, $0.15/kWh)?",
            "and at 40%?",
        ),
        ("3000 美元的机器（500W、0.15 美元/度）对 1.5 美元/小时的云，利用率 20%，多少天回本？", "那 40% 呢？"),
        [value(3000 / ((1.5 - 0.075) * 0.4 * 24), "days")],
    ),
    (
        "rate",
        "rent",
        (
            "When does a $4000 desktop pay off against $2/h at 30%, 450 W and $0.12/kWh?",
            "what if the cloud costs $1.2/h",
        ),
        ("4000 美元的台式机对 2 美元/小时的云，利用率 30%、450W、0.12 美元/度，多久回本？", "如果云是 1.2 美元/小时呢"),
        [value(4000 / ((1.2 - 0.054) * 0.3 * 24), "days")],
    ),
    (
        "kv-len",
        "memory",
        ("KV cache of llama-3-8b at 8192 tokens?", "and at 32768 tokens?"),
        ("llama-3-8b 在 8192 个 token 时 KV 缓存多大？", "那 32768 个 token 呢？"),
        [value(4.0, "GiB")],
    ),
    (
        "kv-model",
        "memory",
        ("KV cache of llama-3-8b at 4096 tokens?", "and for llama-3-70b?"),
        ("llama-3-8b 4096 个 token 的 KV 缓存多大？", "换成 llama-3-70b 呢？"),
        [value(1.25, "GiB")],
    ),
    (
        "kv-users",
        "memory",
        ("What is the KV cache of llama-3-8b at 8192 tokens?", "and with 4 users?"),
        ("llama-3-8b 在 8192 个 token 时 KV 缓存多大？", "那 4 路并发呢？"),
        [value(4.0, "GiB")],
    ),
    (
        "fmt",
        "memory",
        ("How much VRAM to run a 30B in INT8?", "and in INT4?"),
        ("跑 30B 的 INT8 要多少显存？", "换成 INT4 呢？"),
        [value(15, "GB", 0.02)],
    ),
    (
        "size",
        "memory",
        ("Can I run a 70B in INT4 on an RTX 4090?", "and a 20B?"),
        ("RTX 4090 能跑 70B 的 INT4 吗？", "那 20B 呢？"),
        [value(10, "GB", 0.02)],
    ),
    (
        "method",
        "memory",
        ("How much memory does full fine-tuning of a 7B take?", "and with QLoRA?"),
        ("全参微调 7B 要多少显存？", "用 QLoRA 呢？"),
        [{"low": 4, "high": 8, "unit": "GB"}],
    ),
    (
        "zero",
        "memory",
        ("Full fine-tuning of an 8B on 4 GPUs with ZeRO-2: memory?", "and with ZeRO-3?"),
        ("8B 全参微调，4 张卡用 ZeRO-2，要多少显存？", "换成 ZeRO-3 呢？"),
        [{"low": 32, "high": 38, "unit": "GB"}],
    ),
    (
        "seq",
        "memory",
        ("LoRA on llama-3-8b with sequence length 1024: how much memory?", "and 8192 tokens?"),
        ("lora 微调 llama-3-8b，序列长度 1024，要多少显存？", "那 8192 个 token 呢？"),
        [{"low": 26, "high": 34, "unit": "GB"}],
    ),
    (
        "co2-hours",
        "carbon",
        ("CO2 of eight A100 80GB for 100 hours in France?", "and for 400 hours?"),
        ("8 张 A100 80GB 在法国跑 100 小时排放多少碳？", "那 400 小时呢？"),
        [value(8 * 0.4 * 400 * 0.056, "kg", 0.02)],
    ),
    (
        "co2-land",
        "carbon",
        ("How much CO2 do four RTX 4090s emit in 100 hours in Poland?", "and in Norway?"),
        ("四张 RTX 4090 在波兰跑 100 小时排放多少碳？", "那在挪威呢？"),
        [value(1.8 * 100 * 0.030, "kg", 0.02)],
    ),
    (
        "grid",
        "carbon",
        ("Emissions of a 2 kW server over 300 h at 400 g/kWh?", "and at 90 g/kWh?"),
        ("2kW 的服务器跑 300 小时，电网 400 克/度，排放多少？", "那 90 克/度呢？"),
        [value(54, "kg")],
    ),
    (
        "slots",
        "cooling",
        ("Do two RTX 3090s fit on a board with 7 slots?", "and three RTX 3090s?"),
        ("两张 RTX 3090 插得下 7 槽的主板吗？", "那三张 RTX 3090 呢？"),
        [value(9, "slots")],
    ),
    (
        "gap",
        "cooling",
        ("Do two RTX 4090s fit my board with 8 slots?", "and with one free slot as a gap between them, 1 slot gap?"),
        ("两张 RTX 4090 插得下 8 槽主板吗？", "如果中间空 1 槽呢？"),
        [value(10, "°C"), value(30, "°C")],
    ),
    (
        "tok",
        "speed",
        ("Tokens per second of an RTX 3090 with llama-3-8b in Q4_K_M?", "and of an RTX 5090?"),
        ("RTX 3090 跑 llama-3-8b 的 Q4_K_M 每秒多少 token？", "那 RTX 5090 呢？"),
        [{"low": 150, "high": 250, "unit": "tokens/s"}],
    ),
    (
        "rate-fmt",
        "speed",
        ("How many tokens per second does an RTX 4090 reach with an 8B in Q8_0?", "and in Q4_0?"),
        ("RTX 4090 跑 8B 的 Q8_0 每秒多少 token？", "换成 Q4_0 呢？"),
        [{"low": 115, "high": 175, "unit": "tokens/s"}],
    ),
    (
        "million",
        "cost",
        ("Cost per million tokens at 500 tokens/s and $1/h?", "and at 1500 tokens/s?"),
        ("每秒 500 token、1 美元/小时，百万 token 成本多少？", "那每秒 1500 token 呢？"),
        [value(1 / 1500 / 3600 * 1e6, "USD/1M tokens")],
    ),
    (
        "spec",
        "specs",
        ("How much memory has the RTX 4090?", "and the RTX 5090?"),
        ("RTX 4090 显存多大？", "那 RTX 5090 呢？"),
        [value(32, "GB")],
    ),
    (
        "limit",
        "speed",
        ("How much slower is an RTX 4090 in training at 350 W?", "and at 250 W?"),
        ("RTX 4090 训练限到 350W 慢多少？", "那限到 250W 呢？"),
        [value(200, "W")],
    ),
    (
        "three",
        "power",
        ("How much do three RTX 4090s draw?", "limit them to 350 W each", "and 300 W each?"),
        ("三张 RTX 4090 一共多少瓦？", "每张限到 350W 呢？", "那 300W 呢？"),
        [value(900, "W")],
    ),
    (
        "new-topic",
        "memory",
        ("How much do four RTX 3090s draw?", "How much VRAM do I need to run a 13B in INT8?"),
        ("四张 RTX 3090 一共多少瓦？", "跑 13B 的 INT8 要多少显存？"),
        [value(13, "GB", 0.02)],
    ),
    (
        "asked-back",
        "carbon",
        ("How much CO2 do eight RTX 3090s emit in China?", "for 50 hours"),
        ("8 张 RTX 3090 在国内跑，碳排放多少？", "跑 50 小时"),
        [value(2.8 * 50 * 0.582, "kg", 0.02)],
    ),
]


def multi_turn() -> Iterator[Row]:
    """Yield every conversation in both languages."""
    for name, category, english, chinese, state in CHAINS:
        for lang, turns in (("en", english), ("zh", chinese)):
            yield {
                "id": f"own-turn-{name}-{lang}",
                "lang": lang,
                "category": category,
                "turns": list(turns),
                "must_state": state,
                "expect": "answered",
            }
