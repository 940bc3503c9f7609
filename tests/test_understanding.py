"""What a question is read as: the tool and its arguments, without the agent, in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.builtin.calls import Plan
from assistant.builtin.decide import decide
from assistant.toolbox import SEARCH

Expected = tuple[str, dict[str, Any]]

# A question and the calls it must lead to, in order; a look into the articles beside them does not count.
QUESTIONS: list[tuple[Any, ...]] = [
    ("Is there NVLink on the RTX 3090?", ("gpu_specs", {"gpu": "RTX 3090"})),
    ("4090 的显存带宽有多大？", ("gpu_specs", {"gpu": "RTX 4090"})),
    ("V100能算BF16吗", ("gpu_specs", {"gpu": "V100 SXM2 16GB"})),
    ("What's the dense FP8 rate of an H100 SXM?", ("gpu_specs", {"gpu": "H100 SXM"})),
    ("A100 80G 有多少个 SM", ("gpu_specs", {"gpu": "A100 SXM 80GB"})),
    ("How long is an RTX 4090 in mm and does it take three slots?", ("gpu_specs", {"gpu": "RTX 4090"})),
    ("3080 首发价多少", ("gpu_specs", {"gpu": "RTX 3080 10GB"})),
    ("When did the RTX 2080 Ti launch?", ("gpu_specs", {"gpu": "RTX 2080 Ti"})),
    ("7900 XTX 显存多大", ("gpu_specs", {"gpu": "RX 7900 XTX"})),
    ("RTX 4090 的 L2缓存", ("gpu_specs", {"gpu": "RTX 4090"})),
    ("Which cards have at least 48 GB?", ("find_gpus", {"min_memory_gb": 48.0})),
    (
        "哪些卡显存在 32G 以上、首发价不超过 2500 美元？",
        ("find_gpus", {"min_memory_gb": 32.0, "max_price_usd": 2500.0}),
    ),
    ("KV cache of Qwen2.5-72B at 32768 tokens, please", ("kv_cache", {"tokens": 32768, "model": "Qwen2.5-72B"})),
    ("llama-3-8b 放 16000 个 token 的 KV 缓存占多大", ("kv_cache", {"tokens": 16000, "model": "llama-3-8b"})),
    (
        "How large is the kv cache for Llama-2-13B with 4096 tokens and 8 users in 8-bit KV?",
        ("kv_cache", {"tokens": 4096, "batch_size": 8, "kv_format": "Q8_0", "model": "Llama-2-13B"}),
    ),
    (
        "Does a 34B in 4-bit fit on one 3090?",
        ("inference_memory", {"model": "34B", "weight_format": "INT4"}),
        ("gpu_specs", {"gpu": "RTX 3090"}),
    ),
    (
        "能在两张 4090 上跑 70B 的 Q4 吗？",
        ("inference_memory", {"gpu_count": 2, "model": "70B", "weight_format": "Q4_K_M"}),
        ("gpu_specs", {"gpu": "RTX 4090"}),
    ),
    (
        "13B 8bit 的模型 16G 显存够吗",
        ("inference_memory", {"model": "13B", "weight_format": "INT8"}),
        ("calculate", {"expression": "16 GB", "unit": "GB"}),
    ),
    (
        "How much VRAM do I need to serve Mixtral 8x7B in AWQ with 8192 tokens of context?",
        ("inference_memory", {"context_tokens": 8192, "model": "Mixtral 8x7B", "weight_format": "AWQ"}),
    ),
    (
        "Can I QLoRA a 13B on a 16 GB card?",
        ("training_memory", {"method": "qlora", "model": "13B"}),
        ("calculate", {"expression": "16 GB", "unit": "GB"}),
    ),
    ("全参微调 13B 需要多少显存", ("training_memory", {"method": "full", "model": "13B"})),
    (
        "Full fine-tuning of an 8B on four A100 80GB with ZeRO-3, sequence length 2048 and batch 2?",
        (
            "training_memory",
            {
                "sequence_tokens": 2048,
                "batch_size": 2,
                "method": "full",
                "zero_stage": 3,
                "gpu_count": 4,
                "model": "8B",
            },
        ),
        ("gpu_specs", {"gpu": "A100 SXM 80GB"}),
    ),
    (
        "lora 微调 Qwen2.5-7B 长度 1024 批量 4，3090 够吗",
        ("training_memory", {"sequence_tokens": 1024, "batch_size": 4, "method": "lora", "model": "Qwen2.5-7B"}),
        ("gpu_specs", {"gpu": "RTX 3090"}),
    ),
    (
        "yearly electricity for a 3080, 30% busy, at $0.25/kWh",
        ("ownership_cost", {"electricity_usd_per_kwh": 0.25, "utilization": 0.3, "gpu": "RTX 3080 10GB"}),
    ),
    (
        "3090 Ti 按 20% 利用率、0.1 美元一度电，三年电费要多少",
        ("ownership_cost", {"electricity_usd_per_kwh": 0.1, "utilization": 0.2, "years": 3.0, "gpu": "RTX 3090 Ti"}),
    ),
    (
        "A box drawing 1.2 kW, busy 8 h/day, 0.2 USD/kWh: yearly bill?",
        ("ownership_cost", {"power_w": 1200.0, "electricity_usd_per_kwh": 0.2, "utilization": 0.333333333333}),
    ),
    (
        "(450 W GPU + 150 W CPU) at 25%: how many kWh a year?",
        ("ownership_cost", {"power_w": 600.0, "utilization": 0.25}),
    ),
    (
        "300瓦显卡加120瓦平台，利用率10%，一年几度电",
        ("ownership_cost", {"power_w": 420.0, "utilization": 0.1, "years": 1.0}),
    ),
    (
        "By day 200, what has a $3,000 workstation (600 W, 20 % utilisation, $0.15/kWh) cost in total?",
        (
            "ownership_cost",
            {
                "power_w": 600.0,
                "electricity_usd_per_kwh": 0.15,
                "price_usd": 3000.0,
                "utilization": 0.2,
                "years": 0.547945205479,
            },
        ),
    ),
    (
        "三千美元的主机（500瓦、利用率20%、0.1美元/度）用两年一共花多少",
        (
            "ownership_cost",
            {"power_w": 500.0, "electricity_usd_per_kwh": 0.1, "price_usd": 3000.0, "utilization": 0.2, "years": 2.0},
        ),
    ),
    (
        "Best value card with 24 GB for training under $1,500?",
        ("rank_by_value", {"use": "training_16bit", "min_memory_gb": 24.0, "budget_usd": 1500.0}),
    ),
    ("8位推理，预算 900 美元，性价比最高的卡是哪张", ("rank_by_value", {"use": "inference_8bit", "budget_usd": 900.0})),
    ("Do three RTX 3080s fit side by side on a 7-slot board?", ("cooling_check", {"cards": {"RTX 3080 10GB": 3}})),
    ("两张4090插在主板上，中间空 1 槽，散热行吗", ("cooling_check", {"gap_slots": 1, "cards": {"RTX 4090": 2}})),
    ("How many air cooled 4080s fit on an ATX motherboard?", ("cooling_check", {"cards": {"RTX 4080": 1}})),
    ("How hot: does spacing between my two 3090 help the temperature?", ("cooling_check", {"cards": {"RTX 3090": 2}})),
    (
        "8 A100s for 240 hours in Germany: how much CO2?",
        ("carbon_footprint", {"hours": 240.0, "region": "DE", "cards": {"A100 SXM 40GB": 8}}),
    ),
    (
        "400瓦的机器跑 1000 小时，国内电网排放多少碳",
        ("carbon_footprint", {"hours": 1000.0, "power_w": 400.0, "region": "CN"}),
    ),
    (
        "Emissions of 5.6 kW over 10 h at 300 g/kWh, PUE 1.2?",
        ("carbon_footprint", {"pue": 1.2, "hours": 10.0, "power_w": 5600.0, "intensity_g_per_kwh": 300.0}),
    ),
    (
        "50,000 A100 hours at 400 W in France, what is the carbon footprint?",
        ("carbon_footprint", {"hours": 50000.0, "power_w": 400.0, "region": "FR"}),
    ),
    (
        "At 80 tok/s on a GPU rented for $0.60/h, what do a million tokens cost?",
        ("token_cost", {"tokens_per_s": 80.0, "usd_per_h": 0.6}),
    ),
    (
        "自己的机器 500 瓦，每秒 40 个 token，0.12 美元/度，百万 token 成本多少",
        ("token_cost", {"tokens_per_s": 40.0, "electricity_usd_per_kwh": 0.12, "power_w": 500.0}),
    ),
    (
        "the guide's little 32x32 product on plain cores, no tensor cores: cycles?",
        ("matmul_cycles", {"matrix_size": 32, "tensor_cores": False}),
    ),
    ("64x64 的矩阵乘法用张量核要几个周期", ("matmul_cycles", {"matrix_size": 64})),
    ("用 TMA 之后 32×32 的例子每块多少周期", ("matmul_cycles", {"matrix_size": 32, "async_copy": True})),
    (
        "If I go from batch 16 to batch 128, how much faster is a transformer?",
        ("batch_speedup", {"from_batch": 16, "to_batch": 128, "network": "transformer"}),
    ),
    (
        "CNN 的批量从 32 提到 256，吞吐提高多少",
        ("batch_speedup", {"from_batch": 32, "to_batch": 256, "network": "cnn"}),
    ),
    (
        "By how much does throughput rise when I double the batch size of a CNN?",
        ("batch_speedup", {"from_batch": 1, "to_batch": 2, "network": "cnn"}),
    ),
    (
        "How well do eight A100s scale on BERT over NVLink?",
        (
            "multi_gpu_speedup",
            {"network": "bert_large", "interconnect": "NVLink", "gpu_count": 8, "gpu": "A100 SXM 40GB"},
        ),
    ),
    (
        "四张 3090 数据并行训练 ResNet50 是单卡的几倍速度",
        ("multi_gpu_speedup", {"network": "resnet50", "gpu_count": 4, "gpu": "RTX 3090"}),
    ),
    (
        "How many tokens per second does a 4090 reach with llama-3-8b Q4_K_M?",
        ("decode_rate", {"gpu": "RTX 4090", "model": "llama-3-8b", "weight_format": "Q4_K_M"}),
    ),
    (
        "两张3090跑70B Q4每秒出多少字",
        ("decode_rate", {"gpu_count": 2, "gpu": "RTX 3090", "model": "70B", "weight_format": "Q4_K_M"}),
    ),
    (
        "How long until the first token with a 16000 token prompt, Qwen2.5-32B in Q4 on a 4090?",
        (
            "prefill_rate",
            {"prompt_tokens": 16000, "gpu": "RTX 4090", "model": "Qwen2.5-32B", "weight_format": "Q4_K_M"},
        ),
    ),
    ("ResNet50 on a 3090: images per second?", ("training_rate", {"network": "resnet50", "gpu": "RTX 3090"})),
    ("A6000 训练 BERT-large 每秒多少样本", ("training_rate", {"network": "bert_large", "gpu": "RTX A6000"})),
    (
        "How long does it take to fine-tune a 7B with LoRA on 50M tokens on one 4090?",
        ("training_time", {"tokens": 50000000.0, "method": "lora", "gpu": "RTX 4090", "model": "7B"}),
    ),
    (
        "八张 H100 预训练 1.5B 模型 30B token 要多少天",
        (
            "training_time",
            {"tokens": 30000000000.0, "method": "full", "gpu_count": 8, "gpu": "H100 SXM", "model": "1.5B"},
        ),
    ),
    (
        "How fast is a 4070 Ti compared to a 3090 for inference?",
        ("relative_performance", {"use": "inference_16bit", "gpus": ["RTX 4070 Ti"], "reference": "RTX 3090"}),
    ),
    (
        "A100 训练比 V100 快多少",
        ("relative_performance", {"use": "training_16bit", "gpus": ["A100 SXM 40GB"], "reference": "V100 SXM2 16GB"}),
    ),
    (
        "推荐一张跑 32B 大模型的显卡，预算 2000 美元",
        ("recommend", {"budget_usd": 2000.0, "use": "inference", "model": "32B"}),
    ),
    (
        "What card should I buy to fine-tune a 7B for under $1000, 15 h/week?",
        ("recommend", {"budget_usd": 1000.0, "hours_per_week": 15.0, "use": "finetune", "model": "7B"}),
    ),
    (
        "Build me a machine for running 70B, budget $4000, in Germany",
        ("plan_build", {"budget_usd": 4000.0, "use": "inference", "country": "DE", "model": "70B"}),
    ),
    (
        "帮我配一台跑 13B 的机器，预算1500美元，在国内用",
        ("plan_build", {"budget_usd": 1500.0, "use": "inference", "country": "CN", "model": "13B"}),
    ),
    (
        "4 张 3090 一年电费多少，利用率 30%",
        ("gpu_specs", {"gpu": "RTX 3090"}),
        ("calculate", {"expression": "4 * {{@1.board_power_w}} W", "unit": "W"}),
        ("ownership_cost", {"utilization": 0.3, "years": 1.0, "power_w": "{{@2.value}}"}),
    ),
    (
        "8 × RTX 3090 in Poland for 100 h: carbon in kg?",
        ("carbon_footprint", {"hours": 100.0, "region": "PL", "cards": {"RTX 3090": 8}}),
    ),
    (
        "Qwen2.5-7B 量化到 4 位能在 8G 显存上部署吗",
        ("inference_memory", {"model": "Qwen2.5-7B", "weight_format": "INT4"}),
        ("calculate", {"expression": "8 GB", "unit": "GB"}),
    ),
    (
        "Is a 4090 24 GB enough for fine-tuning llama-3-8b fully?",
        ("training_memory", {"method": "full", "model": "llama-3-8b"}),
        ("gpu_specs", {"gpu": "RTX 4090"}),
    ),
    ("TDP of the RTX A6000?", ("gpu_specs", {"gpu": "RTX A6000"})),
    (
        "八张 4090，平台 300W，按 50% 利用率每年几度电",
        ("gpu_specs", {"gpu": "RTX 4090"}),
        ("calculate", {"expression": "8 * {{@1.board_power_w}} W + 300 W", "unit": "W"}),
        ("ownership_cost", {"power_w": "{{@2.value}}", "utilization": 0.5}),
    ),
    (
        "6 × RTX 3080 plus CPU 150 W for 100 h in France: emissions?",
        ("gpu_specs", {"gpu": "RTX 3080 10GB"}),
        ("calculate", {"expression": "6 * {{@1.board_power_w}} W + 150 W", "unit": "W"}),
        ("carbon_footprint", {"hours": 100.0, "power_w": "{{@2.value}}", "region": "FR"}),
    ),
    (
        "256 A100s at 400 W for 100 h, PUE 1.1, 50 g/kWh: CO2?",
        ("carbon_footprint", {"hours": 100.0, "pue": 1.1, "power_w": 102400.0, "intensity_g_per_kwh": 50.0}),
    ),
    ("四张 3090 每张 250 瓦，跑 24 小时排放多少", ("carbon_footprint", {"hours": 24.0, "power_w": 1000.0})),
    (
        "320 瓦显卡加 90 瓦 CPU，利用率 20%，一年下来多少度",
        ("ownership_cost", {"power_w": 410.0, "utilization": 0.2, "years": 1.0}),
    ),
    ("RTX A6000 的位宽不问，显存带宽多少", ("gpu_specs", {"gpu": "RTX A6000"})),
    ("does teh 3080 ti have nvlink", ("gpu_specs", {"gpu": "RTX 3080 Ti"})),
    ("H200 显存多大？", ("gpu_specs", {"gpu": "H200 SXM"})),
    ("What is the L2 cache of a 4080?", ("gpu_specs", {"gpu": "RTX 4080"})),
    ("Titan V 是哪年发布的", ("gpu_specs", {"gpu": "Titan V"})),
    ("Launch price of the RTX 4070 Super?", ("gpu_specs", {"gpu": "RTX 4070 Super"})),
    ("2080ti 能算 FP8 吗", ("gpu_specs", {"gpu": "RTX 2080 Ti"})),
    (
        "List cards with 16 GB or more for less than $700",
        ("find_gpus", {"min_memory_gb": 16.0, "max_price_usd": 700.0}),
    ),
    ("有哪些 AMD 的卡显存至少 24G", ("find_gpus", {"min_memory_gb": 24.0, "vendor": "AMD"})),
    ("kv cache llama-3-70b 100k tokens", ("kv_cache", {"tokens": 100000, "model": "llama-3-70b"})),
    ("Qwen2.5-32B 上下文 65536 的 KV缓存要多少显存", ("kv_cache", {"tokens": 65536, "model": "Qwen2.5-32B"})),
    (
        "Can I run a 32B Q5 on a 24 GB card?",
        ("inference_memory", {"model": "32B", "weight_format": "Q5_K_M"}),
        ("calculate", {"expression": "24 GB", "unit": "GB"}),
    ),
    ("70 亿参数的模型 INT8 部署要多少显存", ("inference_memory", {"model": "7B", "weight_format": "INT8"})),
    (
        "does Qwen2.5-14B in FP8 with 16384 tokens and 4 users fit on an L40S?",
        (
            "inference_memory",
            {"context_tokens": 16384, "batch_size": 4, "model": "Qwen2.5-14B", "weight_format": "FP8"},
        ),
        ("gpu_specs", {"gpu": "L40S"}),
    ),
    (
        "4张3090能跑 120B 的 4bit 吗",
        ("inference_memory", {"gpu_count": 4, "model": "120B", "weight_format": "INT4"}),
        ("gpu_specs", {"gpu": "RTX 3090"}),
    ),
    (
        "LoRA a 7B on a 3060, batch 2, 1k tokens each: enough memory?",
        ("training_memory", {"sequence_tokens": 1000, "batch_size": 2, "method": "lora", "model": "7B"}),
        ("gpu_specs", {"gpu": "RTX 3060 12GB"}),
    ),
    (
        "65B QLoRA 微调在 48G 显卡上可以吗",
        ("training_memory", {"method": "qlora", "model": "65B"}),
        ("calculate", {"expression": "48 GB", "unit": "GB"}),
    ),
    (
        "全参训练 3B，优化器用 8bit Adam，要多大显存",
        ("training_memory", {"method": "full", "optimizer": "adamw_8bit", "model": "3B"}),
    ),
    (
        "fully finetuning a 1.5B in fp32 with 2 GPUs and ZeRO-2, how much memory",
        ("training_memory", {"gpu_count": 2, "method": "full", "precision": "fp32", "zero_stage": 2, "model": "1.5B"}),
    ),
    (
        "5090 一年电费，每天开 6 小时，电价 0.13 美元/度",
        ("ownership_cost", {"electricity_usd_per_kwh": 0.13, "utilization": 0.25, "years": 1.0, "gpu": "RTX 5090"}),
    ),
    (
        "annual power bill of a 4060 Ti 16GB at 40 percent and 18 cents... say $0.18 per kWh",
        ("ownership_cost", {"electricity_usd_per_kwh": 0.18, "utilization": 0.4, "gpu": "RTX 4060 Ti 16GB"}),
    ),
    (
        "1.6kW 的机器 25% 利用率一年用电多少度",
        ("ownership_cost", {"power_w": 1600.0, "utilization": 0.25, "years": 1.0}),
    ),
    (
        "(300 W + 80 W) machine, half busy? say 50% utilisation: kWh per year",
        ("ownership_cost", {"power_w": 380.0, "utilization": 0.5}),
    ),
    (
        "两千二美元的整机，450 瓦，0.12 美元/度，利用率 15%，到第 100 天一共花了多少",
        (
            "ownership_cost",
            {
                "power_w": 450.0,
                "electricity_usd_per_kwh": 0.12,
                "price_usd": 2200.0,
                "utilization": 0.15,
                "years": 0.27397260274,
            },
        ),
    ),
    (
        "Total cost of owning a 4080 for 4 years at $0.3/kWh",
        ("ownership_cost", {"electricity_usd_per_kwh": 0.3, "years": 4.0, "gpu": "RTX 4080"}),
    ),
    ("养一张 5090 三个月要多少电费", ("ownership_cost", {"years": 0.25, "gpu": "RTX 5090"})),
    ("性价比最高的 16G 显卡，用来微调", ("rank_by_value", {"use": "training_16bit", "min_memory_gb": 16.0})),
    (
        "bang for the buck: 3090 vs 4090 vs 5090, training",
        ("rank_by_value", {"use": "training_16bit", "gpus": ["RTX 3090", "RTX 4090", "RTX 5090"]}),
    ),
    (
        "do 2 blower 3090s fit my board with 4 slots",
        ("cooling_check", {"board_slots": 4, "cooler": "blower", "cards": {"RTX 3090": 2}}),
    ),
    ("四张 A6000 涡轮版插得下吗", ("cooling_check", {"cooler": "blower", "cards": {"RTX A6000": 4}})),
    ("How much heat do three 4090s put into the room?", ("cooling_check", {"cards": {"RTX 4090": 3}})),
    ("水冷的 3 张 4090 插普通主板行不行", ("cooling_check", {"cooler": "water", "cards": {"RTX 4090": 3}})),
    (
        "carbon of 16 H100 for 30 days in Sweden",
        ("carbon_footprint", {"hours": 720.0, "region": "SE", "cards": {"H100 SXM": 16}}),
    ),
    (
        "一台 2kW 服务器跑 500 小时，电网 0.45 kg/度，PUE 1.3，排放？",
        ("carbon_footprint", {"hours": 500.0, "pue": 1.3, "power_w": 2000.0, "intensity_g_per_kwh": 450.0}),
    ),
    (
        "RTX 4090 训练 72 小时，相当于开车多少公里的碳排放",
        ("carbon_footprint", {"hours": 72.0, "cards": {"RTX 4090": 1}}),
    ),
    ("$2.5/h at 900 tokens/s: price per million tokens?", ("token_cost", {"tokens_per_s": 900.0, "usd_per_h": 2.5})),
    (
        "租卡每小时 1.2 美元、每秒 300 token，百万 token 多少钱",
        ("token_cost", {"tokens_per_s": 300.0, "usd_per_h": 1.2}),
    ),
    ("cycles for a 32x32 matmul with tensor cores and TMA", ("matmul_cycles", {"matrix_size": 32, "async_copy": True})),
    (
        "16 个 SM、每个 4 个 Tensor Core，32×32 矩阵乘法要几个周期",
        ("matmul_cycles", {"matrix_size": 32, "tensor_cores_per_sm": 4, "sm_count": 16}),
    ),
    (
        "batch size quadrupled, say from 64 to 256, for BERT: speed gain?",
        ("batch_speedup", {"from_batch": 64, "to_batch": 256, "network": "transformer"}),
    ),
    ("批量翻倍，Transformer 快多少", ("batch_speedup", {"from_batch": 1, "to_batch": 2, "network": "transformer"})),
    (
        "Do two 4090s on PCIe 4.0 x8 train twice as fast as one?",
        ("multi_gpu_speedup", {"interconnect": "PCIe 4.0 x8", "gpu_count": 2, "gpu": "RTX 4090"}),
    ),
    (
        "8 张 V100 用 NVLink 训练 Transformer 是单卡几倍速度",
        (
            "multi_gpu_speedup",
            {"network": "transformer", "interconnect": "NVLink", "gpu_count": 8, "gpu": "V100 SXM2 16GB"},
        ),
    ),
    (
        "tok/s of a 3090 with Qwen2.5-32B Q4?",
        ("decode_rate", {"gpu": "RTX 3090", "model": "Qwen2.5-32B", "weight_format": "Q4_K_M"}),
    ),
    (
        "8B FP16 在 A100 80G 上用 vllm、32 人同时用，每秒出多少 token",
        (
            "decode_rate",
            {"batch_size": 32, "engine": "vllm", "gpu": "A100 SXM 80GB", "model": "8B", "weight_format": "FP16"},
        ),
    ),
    (
        "70B q4 on 2x 3090, tokens per second please",
        ("decode_rate", {"gpu_count": 2, "gpu": "RTX 3090", "model": "70B", "weight_format": "Q4_K_M"}),
    ),
    (
        "prompt of 8000 tokens on a 3090 with 8B Q8: how long before the answer starts",
        ("prefill_rate", {"prompt_tokens": 8000, "gpu": "RTX 3090", "model": "8B", "weight_format": "Q8_0"}),
    ),
    (
        "4090 跑 14B 的 Q4，读完 3000 token 的提示词要多久",
        ("prefill_rate", {"prompt_tokens": 3000, "gpu": "RTX 4090", "model": "14B", "weight_format": "Q4_K_M"}),
    ),
    ("SSD300 throughput on a V100", ("training_rate", {"network": "ssd300", "gpu": "V100 SXM2 16GB"})),
    (
        "两张 3090 训练 ResNet50 每秒多少张图",
        ("training_rate", {"network": "resnet50", "gpu_count": 2, "gpu": "RTX 3090"}),
    ),
    (
        "how many hours to fine-tune 13B fully on 2B tokens with 8 A100 80GB",
        (
            "training_time",
            {"tokens": 2000000000.0, "method": "full", "gpu_count": 8, "gpu": "A100 SXM 80GB", "model": "13B"},
        ),
    ),
    (
        "一张 4090 用 QLoRA 微调 8B，1亿 token 要多久",
        ("training_time", {"tokens": 100000000.0, "method": "qlora", "gpu": "RTX 4090", "model": "8B"}),
    ),
    (
        "4090 vs 3090, which is faster for training?",
        ("relative_performance", {"use": "training_16bit", "gpus": ["RTX 4090"], "reference": "RTX 3090"}),
    ),
    (
        "A6000 和 3090 推理谁快",
        ("relative_performance", {"use": "inference_16bit", "gpus": ["RTX A6000"], "reference": "RTX 3090"}),
    ),
    (
        "How much faster is an H100 than an A100 at 8-bit inference?",
        ("relative_performance", {"use": "inference_8bit", "gpus": ["H100 SXM"], "reference": "A100 SXM 40GB"}),
    ),
    (
        "which card should i buy for stable diffusion, $600 budget",
        ("recommend", {"budget_usd": 600.0, "use": "images"}),
    ),
    ("预算 800 美元，想微调 7B，该买什么卡", ("recommend", {"budget_usd": 800.0, "use": "finetune", "model": "7B"})),
    (
        "Should I rent or buy for running a 70B, 10 hours a week?",
        ("recommend", {"hours_per_week": 10.0, "use": "inference", "model": "70B"}),
    ),
    ("AMD 显卡里推荐一张跑 13B 的", ("recommend", {"use": "inference", "vendor": "AMD", "model": "13B"})),
    (
        "put together a workstation for finetuning 13B under $2500, 30 h/week",
        ("plan_build", {"budget_usd": 2500.0, "hours_per_week": 30.0, "use": "finetune", "model": "13B"}),
    ),
    ("我手上有 2 张 3090，能做什么", ("plan_build", {"cards": {"RTX 3090": 2}})),
    ("How much psu for two 4090s and a 250 W cpu?", ("power_check", {"platform_w": 250.0, "cards": {"RTX 4090": 2}})),
    (
        "3 张 4080 用 1200W 电源，CPU 150W，够吗",
        ("power_check", {"platform_w": 150.0, "psu_w": 1200.0, "cards": {"RTX 4080": 3}}),
    ),
    (
        "2x3090 limited to 280 W on an 850W supply",
        ("power_check", {"psu_w": 850.0, "power_limit_w": 280.0, "cards": {"RTX 3090": 2}}),
    ),
    (
        "$2,600 box against a cloud GPU at $1.10/h, 30% busy, 500 W, $0.2/kWh: when does it pay off?",
        (
            "cloud_break_even",
            {
                "cloud_usd_per_h": 1.1,
                "electricity_usd_per_kwh": 0.2,
                "desktop_usd": 2600.0,
                "utilization": 0.3,
                "power_w": 500.0,
            },
        ),
    ),
    (
        "三千美元的主机和每小时 0.9 美元的云，利用率 40%，多久回本",
        ("cloud_break_even", {"cloud_usd_per_h": 0.9, "desktop_usd": 3000.0, "utilization": 0.4}),
    ),
    (
        "3 张 3090 每天跑 8 小时，跑 60 天，德国电网排放多少",
        (
            "carbon_footprint",
            {"hours": 1440.0, "utilization": 0.333333333333, "region": "DE", "cards": {"RTX 3090": 3}},
        ),
    ),
    (
        "预算 1500 美元，每周用 20 小时，想跑 32B，推荐哪张卡",
        ("recommend", {"budget_usd": 1500.0, "hours_per_week": 20.0, "use": "inference", "model": "32B"}),
    ),
    (
        "4090 at 6 hours daily, $0.2/kWh: electricity per year?",
        ("ownership_cost", {"electricity_usd_per_kwh": 0.2, "utilization": 0.25, "gpu": "RTX 4090"}),
    ),
    (
        "一台 300 瓦的机器跑 24 小时，按国内 0.55 kg/度算碳排放",
        ("carbon_footprint", {"hours": 24.0, "power_w": 300.0, "intensity_g_per_kwh": 550.0}),
    ),
    (
        "At 60 tok/s for $0.5/h on a 400 W box with $0.2/kWh, cost per million tokens?",
        ("token_cost", {"tokens_per_s": 60.0, "usd_per_h": 0.5}),
    ),
    (
        "If I limit my 4080 to 250 W, how many tokens per second do I lose in chat",
        ("power_limit_effect", {"power_limit_w": 250.0, "use": "decode", "gpu": "RTX 4080"}),
    ),
]

LIMITS: list[tuple[Any, ...]] = [
    (
        "How much slower is a 3090 when I cap it at 280 W in training?",
        ("power_limit_effect", {"power_limit_w": 280.0, "use": "training", "gpu": "RTX 3090"}),
    ),
    (
        "4090 限到 300 瓦，聊天速度会慢多少",
        ("power_limit_effect", {"power_limit_w": 300.0, "use": "decode", "gpu": "RTX 4090"}),
    ),
    ("四张 3080 限到 250 瓦能省多少", ("power_check", {"power_limit_w": 250.0, "cards": {"RTX 3080 10GB": 4}})),
    (
        "does capping a 5090 to 450 W hurt prompt speed",
        ("power_limit_effect", {"power_limit_w": 450.0, "use": "prefill", "gpu": "RTX 5090"}),
    ),
]

# What is decisive and missing is asked for.
ASKED = [
    ("Which GPU should I get?", "One question first"),
    ("该买什么显卡好", "先问一个决定性的问题"),
    ("What do a million tokens cost at $1.50/h?", "How many tokens per second"),
    ("碳排放怎么算，4 张 A100", "一共跑多少小时"),
    ("我的机器一年电费多少", "是哪张卡？或者整机功耗"),
    ("KV cache of Qwen2.5-7B?", "how many tokens"),
    ("3 万元的整机和每小时 2 美元的云，利用率 30%，多久回本", "汇率"),
]


def _calls(plan: Plan) -> list[Expected]:
    return [(call.tool, call.arguments) for stage in plan.stages for call in stage if call.tool != SEARCH]


@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: row[0][:40])
def test_a_question_becomes_these_calls(row: tuple[Any, ...]):
    question, *expected = row
    assert _calls(decide([question], {})) == expected


@pytest.mark.parametrize("row", LIMITS, ids=lambda row: row[0][:40])
def test_a_power_limit_is_asked_about_as_speed_not_as_supply(row: tuple[Any, ...]):
    question, *expected = row
    assert _calls(decide([question], {})) == expected


@pytest.mark.parametrize(("question", "part"), ASKED)
def test_what_is_missing_is_asked_for(question: str, part: str):
    plan = decide([question], {})
    assert plan.status == "clarify"
    assert part in plan.reply


def test_a_made_up_card_is_refused_even_beside_a_real_one():
    plan = decide(["What does the RTX 6100 cost next to a 4090?"], {})
    assert (plan.status, _calls(plan)) == ("refused", [("gpu_specs", {"gpu": "RTX 6100"})])


def test_given_holds_what_was_said_and_not_the_defaults():
    plan = decide(["价格 900 美元以内，哪张卡性价比最高"], {})
    assert plan.given == ("budget_usd",)
    assert plan.stages[0][0].arguments["use"] == "inference_16bit"


def test_a_follow_up_changes_the_memory_question_not_the_card_it_was_held_against():
    before = {
        "r1": {"tool": "inference_memory", "arguments": {"model": "32B", "weight_format": "Q8_0"}, "result": {}},
        "r2": {"tool": "gpu_specs", "arguments": {"gpu": "RTX 3090"}, "result": {}},
    }
    plan = decide(["Does a 32B in Q8 fit on a 3090?", "and in Q4?"], before)
    assert _calls(plan)[0] == ("inference_memory", {"model": "32B", "weight_format": "Q4_K_M"})


def test_what_is_left_beside_weights_is_no_answer_about_training():
    plan = decide(["Full fine-tuning of a 20B on two 4090s: is there anything left for a larger batch?"], {})
    assert all(tool != "inference_memory" for tool, _ in _calls(plan))


def test_an_outlet_is_not_the_answer_where_cards_are_counted():
    plan = decide(["三张卡每张 300W，CPU 150，电源 1.2kW，插座 16A，够不够？"], {})
    assert _calls(plan)[0] == ("calculate", {"expression": "3 * 300 W + 150 W", "unit": "W"})
