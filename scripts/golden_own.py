"""Write tests/golden/own.jsonl: our own golden questions, each with a value worked out here by formula.

The figures of cards and models below are typed off data sheets and papers, not taken from the catalogue, so that the
expected values are independent of the tools. `python scripts/golden_own.py` writes the file anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scripts.golden_own_traps import adversarial
from scripts.golden_own_turns import multi_turn

TARGET = Path(__file__).parent.parent / "tests" / "golden" / "own.jsonl"
AS_OF = "2026-11-30"
Row = dict[str, Any]

# Board power in W, memory in GB, bandwidth in GB/s.
WATTS = {
    "RTX 3090": 350,
    "RTX 4090": 450,
    "RTX 5090": 575,
    "RTX 4080": 320,
    "RTX A6000": 300,
    "H100 SXM": 700,
    "A100 SXM 80GB": 400,
    "RTX 2080 Ti": 260,
}
BANDWIDTH = {"RTX 3090": 936, "RTX 4090": 1008, "RTX 5090": 1792, "H100 SXM": 3350, "V100": 900, "A100": 1555}


def value(figure: float, unit: str = "", rel: float = 0.01) -> dict[str, Any]:
    """Return an expected figure."""
    return {"value": round(figure, 6), "unit": unit, "rel_tolerance": rel}


def pair(name: str, category: str, en: str, zh: str, state: list[Mapping[str, Any]], **more: Any) -> Iterator[Row]:
    """Yield a question in both languages with the same expectations."""
    for lang, text in (("en", en), ("zh", zh)):
        yield {
            "id": f"own-{name}-{lang}",
            "lang": lang,
            "category": category,
            "turns": [text],
            "must_state": state,
            "expect": "answered",
            "as_of": AS_OF,
            **more,
        }


def call(tool: str, field: str = "", **args: Any) -> dict[str, Any]:
    """Return an expected call; with a field it also recomputes the figure it stands beside."""
    return {"tool": tool, "args": args} | ({"field": field} if field else {})


def ref(figure: dict[str, Any], tool: str, field: str, **args: Any) -> dict[str, Any]:
    """Attach the call that recomputes a figure."""
    return {**figure, "ref": {"tool": tool, "args": args, "field": field}}


def kv_gib(layers: int, heads: int, dim: int, tokens: int, bytes_each: float = 2) -> float:
    """Return the key-value cache in GiB by its definition, two tensors a layer."""
    return 2 * layers * heads * dim * bytes_each * tokens / 2**30


def power() -> Iterator[Row]:
    """Watts, supplies and outlets."""
    yield from pair(
        "psu-3x4080",
        "power",
        "How big a power supply do three RTX 4080s and a 180 W CPU want?",
        "三张 RTX 4080 配 180W 的 CPU，电源要多大？",
        [ref(value(3 * 320 + 180, "W"), "power_check", "system_w", cards={"RTX 4080": 3}, platform_w=180.0)],
        must_call=[call("power_check", cards={"RTX 4080": 3}, platform_w=180.0)],
    )
    yield from pair(
        "psu-2x5090",
        "power",
        "Would a 1500 W PSU carry two 5090s with 250 W for the rest?",
        "两张 5090，其余部件 250W，1500W 电源带得动吗？",
        [
            ref(
                value(1500 - 1150 - 250, "W"),
                "power_check",
                "headroom_w",
                cards={"RTX 5090": 2},
                platform_w=250.0,
                psu_w=1500.0,
            )
        ],
        must_call=[call("power_check", cards={"RTX 5090": 2}, psu_w=1500.0, platform_w=250.0)],
    )
    yield from pair(
        "psu-4xa6000",
        "power",
        "Is 1600 W enough for four RTX A6000s?",
        "1600W 的电源够四张 RTX A6000 用吗？",
        [ref(value(4 * 300 + 200, "W"), "power_check", "system_w", cards={"RTX A6000": 4}, psu_w=1600.0)],
    )
    yield from pair(
        "cap-6x3090",
        "power",
        "Six RTX 3090s limited to 250 W each on a 2000 W supply: does that work?",
        "6 张 RTX 3090 每张限到 250W，2000W 电源行吗？",
        [
            ref(
                value(6 * 250 + 200, "W"),
                "power_check",
                "system_w",
                cards={"RTX 3090": 6},
                power_limit_w=250.0,
                psu_w=2000.0,
            )
        ],
        must_call=[call("power_check", cards={"RTX 3090": 6}, power_limit_w=250.0, psu_w=2000.0)],
    )
    yield from pair(
        "watts-5x2080ti",
        "power",
        "What do five RTX 2080 Ti draw in total?",
        "5 张 RTX 2080 Ti 一共多少瓦？",
        [value(5 * 260, "W")],
    )
    yield from pair(
        "saved-3x5090",
        "power",
        "How many watts do I save if three RTX 5090s are capped at 400 W?",
        "三张 RTX 5090 限到 400W 能省多少瓦？",
        [value(3 * (575 - 400), "W")],
    )
    yield from pair(
        "amps",
        "power",
        "My wall meter shows 1150 W at 230 V. How many amps is that?",
        "墙上电表显示 1150W，电压 230V，电流是多少安？",
        [value(1150 / 230, "A")],
    )
    yield from pair(
        "behind",
        "power",
        "The meter at the wall reads 1320 W and the unit is 90% efficient: what does the supply deliver inside?",
        "墙插实测 1320W，电源效率 90%，电源内部输出多少？",
        [value(1320 * 0.9, "W")],
    )


def money() -> Iterator[Row]:
    """Electricity, rent, break-even, value."""
    yield from pair(
        "year-4080",
        "cost",
        "What is the yearly power bill of an RTX 4080 that is busy 30% of the time at $0.22/kWh?",
        "RTX 4080 利用率 30%，电价 0.22 美元/度，每年电费多少？",
        [
            ref(
                value(0.32 * 0.3 * 8760 * 0.22, "USD/year"),
                "ownership_cost",
                "electricity_usd_per_year",
                gpu="RTX 4080",
                utilization=0.3,
                electricity_usd_per_kwh=0.22,
            )
        ],
    )
    yield from pair(
        "kwh-650",
        "cost",
        "A 650 W workstation runs 10 hours daily. How many kWh per year is that?",
        "650 瓦的工作站每天开 10 小时，一年用多少度电？",
        [value(0.65 * 10 / 24 * 8760, "kWh/year")],
    )
    yield from pair(
        "month-8xh100",
        "cost",
        "How much electricity do eight H100s use per month, and what does it cost at $0.1/kWh?",
        "8 张 H100 每个月用电几度？电价 0.1 美元/度是多少钱？",
        [{"any_of": [value(8 * 0.7 * 720, "kWh", 0.02), value(8 * 0.7 * 720, "kWh/month", 0.02)]}],
    )
    yield from pair(
        "hourly",
        "cost",
        "My box draws 500 W and power is $0.28/kWh. What does it cost per hour?",
        "主机 500W，电价 0.28 美元/度，每小时电费多少？",
        [value(0.14, "USD/h")],
    )
    yield from pair(
        "even-1",
        "rent",
        "When does a $3,600 machine (600 W, $0.15/kWh) beat a $1.80/h cloud GPU if it is busy 25% of the time?",
        "3600 美元的机器（600W、0.15 美元/度），利用率 25%，和 1.8 美元/小时的云相比多少天回本？",
        [
            ref(
                value(3600 / ((1.8 - 0.6 * 0.15) * 0.25 * 24), "days"),
                "cloud_break_even",
                "break_even_days",
                desktop_usd=3600.0,
                cloud_usd_per_h=1.8,
                utilization=0.25,
                power_w=600.0,
                electricity_usd_per_kwh=0.15,
            )
        ],
    )
    yield from pair(
        "even-cny",
        "rent",
        "A ¥-free case: a machine for 24,000 yuan, rent of 3 yuan per hour, electricity 0.5 yuan/kWh, 700 W, 8 hours a day: when does it pay off?",
        "整机 2.4 万元，租卡每小时 3 元，电费 0.5 元/度，整机 700W，每天用 8 小时，多久回本？",
        [value(24000 / ((3 - 0.35) * 8), "days", 0.02)],
    )
    yield from pair(
        "rent-2",
        "rent",
        "A run takes 120 hours. What does it cost at $2.50/h and at $0.99/h?",
        "一次训练要 120 小时，按 2.5 美元/小时和 0.99 美元/小时各要多少钱？",
        [value(300, "USD"), value(118.8, "USD")],
    )
    yield from pair(
        "million",
        "cost",
        "A rented card at $1.35/h gives 750 tokens/s over all users. Price per million tokens?",
        "租的卡 1.35 美元/小时，合计每秒 750 个 token，百万 token 成本多少？",
        [
            ref(
                value(1.35 / 750 / 3600 * 1e6, "USD/1M tokens"),
                "token_cost",
                "usd_per_million_tokens",
                tokens_per_s=750.0,
                usd_per_h=1.35,
            )
        ],
    )
    yield from pair(
        "million-own",
        "cost",
        "My own 800 W server writes 200 tok/s at $0.2/kWh: what does a million tokens cost?",
        "自己的 800W 服务器每秒 200 个 token，0.2 美元/度，百万 token 要多少钱？",
        [value(0.8 * 0.2 / 200 / 3600 * 1e6, "USD/1M tokens")],
    )
    yield from pair(
        "rented-out",
        "rent",
        "If I rent out a $2,000 RTX 4090 at $0.5/h for 60% of the time, when has it paid for itself? Power is $0.2/kWh.",
        "花 2000 美元买的 RTX 4090 按 0.5 美元/小时出租，60% 的时间有人租，电价 0.2 美元/度，多久回本？",
        [value(2000 / (0.5 * 720 * 0.6 - 0.45 * 720 * 0.6 * 0.2), "months", 0.02)],
    )
    yield from pair(
        "cny-bill",
        "cost",
        "Electricity of an RTX 3090 over 3 years at 20% load and 0.8 yuan/kWh?",
        "RTX 3090 利用率 20%，电价 0.8 元/度，三年电费多少？",
        [value(0.35 * 0.2 * 8760 * 3 * 0.8, "CNY")],
    )


def memory() -> Iterator[Row]:
    """Weights, caches and training states."""
    yield from pair(
        "kv-llama3-8b",
        "memory",
        "What size is the KV cache of llama-3-8b at 24576 tokens?",
        "llama-3-8b 在 24576 个 token 时 KV 缓存多大？",
        [ref(value(kv_gib(32, 8, 128, 24576), "GiB"), "kv_cache", "kv_cache_gib", model="llama-3-8b", tokens=24576)],
        must_call=[call("kv_cache", model="llama-3-8b", tokens=24576)],
    )
    yield from pair(
        "kv-llama2-7b",
        "memory",
        "KV cache for Llama-2-7B with 6 concurrent users at 2048 tokens each?",
        "Llama-2-7B 2048 个 token、6 路并发，KV 缓存占多少？",
        [value(kv_gib(32, 32, 128, 2048 * 6), "GiB")],
    )
    yield from pair(
        "kv-q8",
        "memory",
        "How large is the KV cache of llama-3-70b at 16384 tokens with an 8-bit cache?",
        "llama-3-70b 上下文 16384，KV 缓存用 8 位，占多大？",
        [value(kv_gib(80, 8, 128, 16384, 1.0625), "GiB", 0.07)],
    )
    yield from pair(
        "tokens-held",
        "memory",
        "How many tokens of KV cache does llama-3-8b hold in 6 GiB?",
        "llama-3-8b 的 KV 缓存有 6 GiB，能放多少个 token？",
        [value(6 * 2**30 / 131072, "tokens")],
    )
    yield from pair(
        "weights-34b",
        "memory",
        "How much VRAM do the weights of a 34B in INT8 need to run?",
        "跑 34B 的 INT8 要多少显存？",
        [value(34, "GB", 0.02)],
        must_call=[call("inference_memory", model="34B", weight_format="INT8")],
    )
    yield from pair(
        "fit-13b-3060",
        "memory",
        "Does a 13B in 4-bit fit on an RTX 3060 12GB?",
        "RTX 3060 12GB 能跑 13B 的 4bit 吗？",
        [value(6.5, "GB", 0.12), value(12, "GB")],
    )
    yield from pair(
        "fit-70b-2x4090",
        "memory",
        "Can two 4090s run a 70B in INT4?",
        "两张 4090 能跑 70B 的 INT4 吗？",
        [value(35, "GB", 0.05)],
        must_call=[call("inference_memory", model="70B", weight_format="INT4", gpu_count=2)],
    )
    yield from pair(
        "full-3b",
        "memory",
        "How much memory does full fine-tuning of a 3B take in mixed precision?",
        "混合精度全参微调 3B 要多少显存？",
        [value(48, "GB", 0.08)],
        must_call=[call("training_memory", model="3B", method="full")],
    )
    yield from pair(
        "lora-or-qlora",
        "memory",
        "LoRA or QLoRA for a 13B on a 24 GB card: what does each take?",
        "24G 的卡微调 13B，LoRA 和 QLoRA 各要多少显存？",
        [value(27.5, "GB", 0.12), value(9, "GB", 0.25)],
        must_call=[
            call("training_memory", model="13B", method="lora"),
            call("training_memory", model="13B", method="qlora"),
        ],
    )
    yield from pair(
        "left-8xh200",
        "memory",
        "How much is left for cache when eight H200s hold a 405B in FP8?",
        "8 张 H200 放 FP8 的 405B，还剩多少给 KV？",
        [value(8 * 141 - 405, "GB", 0.03)],
    )
    yield from pair(
        "two-formats",
        "memory",
        "Mistral 7B in FP16 against INT4: how much VRAM does it need to run each?",
        "跑 Mistral 7B，FP16 和 INT4 各要多少显存？",
        [value(14.5, "GB", 0.03), value(3.62, "GB", 0.12)],
    )


def speed() -> Iterator[Row]:
    """Rates, ratios and data sheets."""
    yield from pair(
        "bw-ratio",
        "speed",
        "How many times the memory bandwidth of a 3090 does a 5090 have?",
        "5090 的显存带宽是 3090 的几倍？",
        [value(1792 / 936, "x")],
    )
    yield from pair(
        "bw-h100-4090",
        "speed",
        "By bandwidth alone, how much faster is an H100 SXM than a 4090?",
        "只看带宽，H100 SXM 比 4090 快多少倍？",
        [value(3350 / 1008, "x")],
    )
    yield from pair(
        "hours",
        "speed",
        "The old card needs 9 h per epoch, the new one 3.6 h. How many times faster is it?",
        "旧卡一轮 9 小时，新卡 3.6 小时，快几倍？",
        [value(2.5, "x")],
    )
    yield from pair(
        "from-to",
        "speed",
        "Throughput drops from 82 to 77.9 tok/s when it gets hot. How many percent do I lose?",
        "温度一高，速度从 82 tok/s 降到 77.9 tok/s，损失百分之几？",
        [value(5, "%", 0.02)],
    )
    yield from pair(
        "per-step",
        "speed",
        "One card needs 2.0 s/it, two cards 2.5 s/it with the same batch per card. Is that slower?",
        "单卡 2.0 s/it，双卡 2.5 s/it，每卡 batch 不变，双卡是变慢了吗？",
        [value(1.6, "x", 0.02)],
    )
    yield from pair(
        "pixels",
        "speed",
        "Images of 1536 pixels a side instead of 512: how many times the activations?",
        "图片边长从 512 提到 1536 像素，激活是原来的多少倍？",
        [value(9, "x")],
    )
    yield from pair(
        "decode",
        "speed",
        "How many tokens per second does an RTX 4090 write with llama-3-8b in Q4_K_M?",
        "RTX 4090 跑 llama-3-8b 的 Q4_K_M 每秒能出多少 token？",
        [{"low": 110, "high": 165, "unit": "tokens/s"}],
        must_call=[call("decode_rate", gpu="RTX 4090", model="llama-3-8b", weight_format="Q4_K_M")],
    )
    yield from pair(
        "decode-two",
        "speed",
        "Tokens per second of a 32B in Q4 on a 3090 and on a 5090?",
        "32B 的 Q4 在 3090 和 5090 上每秒各出多少 token？",
        [{"low": 25, "high": 45, "unit": "tokens/s"}, {"low": 45, "high": 80, "unit": "tokens/s"}],
    )
    yield from pair(
        "cap-speed",
        "speed",
        "How much slower is an RTX 3090 in training when limited to 280 W?",
        "RTX 3090 训练时限到 280W 会慢多少？",
        [{"low": 2, "high": 8, "unit": "%"}],
        must_call=[call("power_limit_effect", gpu="RTX 3090", power_limit_w=280.0, use="training")],
    )
    yield from pair(
        "batch",
        "speed",
        "By the guide's rule, how much faster is a CNN when the batch goes from 16 to 64?",
        "按指南的规律，CNN 的批量从 16 提到 64 快多少？",
        [value((1.136**2 - 1) * 100, "%")],
    )
    yield from pair(
        "nvlink-3090ti",
        "specs",
        "Is there NVLink on the RTX 3090 Ti?",
        "RTX 3090 Ti 支持 NVLink 吗？",
        [value(112.5, "GB/s", 0.02)],
    )
    yield from pair(
        "bf16-v100",
        "specs",
        "Can a V100 compute in BF16?",
        "V100 能算 BF16 吗？",
        [],
        must_say=["BF16"],
        must_not=["^Yes", "^支持", "支持 BF16，"],
    )
    yield from pair("mem-h200", "specs", "How much memory has the H200?", "H200 的显存是多少？", [value(141, "GB")])
    yield from pair(
        "tdp-l40s", "specs", "What is the board power of the L40S?", "L40S 的整卡功耗是多少？", [value(350, "W")]
    )
    yield from pair(
        "list-48",
        "specs",
        "Which cards have at least 80 GB?",
        "哪些卡的显存在 80G 以上？",
        [],
        must_call=[call("find_gpus", min_memory_gb=80.0)],
    )


def rest() -> Iterator[Row]:
    """Cooling, carbon, advice and the articles."""
    yield from pair(
        "slots-4x3slot",
        "cooling",
        "Do three RTX 3090s fit on a board with 8 slots?",
        "三张 RTX 3090 插得下 8 槽的主板吗？",
        [value(9, "slots")],
    )
    yield from pair(
        "most",
        "cooling",
        "How many RTX 3090s can a 7-slot ATX board take without risers?",
        "7 槽的 ATX 主板不用延长线最多插几张 RTX 3090？",
        [value(2, "cards")],
    )
    yield from pair(
        "heat",
        "cooling",
        "How much heat do four RTX 4080s give off?",
        "四张 RTX 4080 发热量多大？",
        [value(4 * 320, "W")],
    )
    yield from pair(
        "co2-de",
        "carbon",
        "CO2 of four A100 80GB for 200 hours in Germany?",
        "四张 A100 80GB 在德国跑 200 小时排放多少二氧化碳？",
        [value(4 * 0.4 * 200 * 0.381, "kg", 0.02)],
    )
    yield from pair(
        "co2-plain",
        "carbon",
        "A 900 W machine runs for 50 h at 420 g/kWh. How much does it emit?",
        "900W 的机器跑 50 小时，电网 420 克/度，排放多少？",
        [value(0.9 * 50 * 0.42, "kg")],
    )
    yield from pair(
        "co2-pue",
        "carbon",
        "Emissions of 64 H100s for 100 hours with PUE 1.2 at 350 g/kWh?",
        "64 张 H100 跑 100 小时，PUE 1.2，350 g/kWh，排放多少？",
        [value(64 * 0.7 * 100 * 1.2 * 0.35, "kg")],
    )
    yield from pair(
        "co2-grids",
        "carbon",
        "A job takes 250 kWh. How much CO2 is that at 30 g/kWh and at 700 g/kWh?",
        "一次任务用电 250 度电，电网 30 克/度和 700 克/度时排放各多少？",
        [value(7.5, "kg"), value(175, "kg")],
    )
    yield from pair(
        "joules",
        "carbon",
        "1440 J per 1k tokens: convert that to kWh per million tokens.",
        "每千个 token 1440 J，换算成百万 token 是多少度电？",
        [value(0.4, "kWh")],
    )
    yield from pair(
        "article-throttle",
        "articles",
        "By the 2023 guide, at what temperature do GPUs throttle?",
        "按 2023 年那篇指南，GPU 到多少度会降频？",
        [value(80, "°C")],
        must_cite=["dettmers-2023"],
    )
    yield from pair(
        "article-pcie",
        "articles",
        "What does the 2023 guide say about PCIe 4.0 for four GPUs?",
        "2023 年那篇指南怎么看四卡用 PCIe 4.0？",
        [value(7, "%")],
    )
    yield from pair(
        "recommend",
        "advice",
        "Which card should I buy to run a 32B, with a budget of $1,800?",
        "预算 1800 美元，想跑 32B，推荐买哪张卡？",
        [],
        must_call=[call("recommend", use="inference", model="32B", budget_usd=1800.0)],
    )
    yield from pair(
        "value",
        "advice",
        "Best value card with at least 16 GB for inference under $1,000?",
        "1000 美元以内、16G 以上，推理性价比最高的卡是哪张？",
        [],
        must_call=[call("rank_by_value", budget_usd=1000.0, min_memory_gb=16.0)],
    )
    yield from pair(
        "plan",
        "advice",
        "Put together a machine to run a 70B for $5,000 in Germany.",
        "帮我配一台跑 70B 的机器，预算 5000 美元，在德国用。",
        [],
        must_call=[call("plan_build", model="70B", budget_usd=5000.0, country="DE")],
    )
    yield from pair(
        "scaling",
        "speed",
        "How well do four A100s with NVLink scale on ResNet50?",
        "四张 A100 用 NVLink 训练 ResNet50 能到单卡的几倍？",
        [{"low": 3.2, "high": 4.0, "unit": "x"}],
    )
    yield from pair(
        "cycles",
        "speed",
        "Cycles of the 32x32 multiply with tensor cores in the guide's example?",
        "指南的例子里 32×32 矩阵乘法用 Tensor Core 要几个周期？",
        [value(235, "cycles")],
    )


def main() -> None:
    """Write the file."""
    rows = [*power(), *money(), *memory(), *speed(), *rest(), *multi_turn(), *adversarial()]
    for row in rows:
        row.setdefault("as_of", AS_OF)
    TARGET.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    print(len(rows), "rows")


if __name__ == "__main__":
    main()
