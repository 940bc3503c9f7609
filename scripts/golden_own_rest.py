"""Our own golden questions about data sheets, cooling, carbon, advice and the articles."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.golden_rows import Row, call, pair, value


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
