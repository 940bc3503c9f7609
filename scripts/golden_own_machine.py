"""Our own golden questions about power supplies, watts and money."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.golden_rows import Row, call, pair, ref, value


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
