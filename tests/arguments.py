"""One call of every tool, as the tests of the front ends make it."""

from __future__ import annotations

from typing import Any

ARGUMENTS: dict[str, dict[str, Any]] = {
    "recommend": {"use": "finetune", "model": "8B", "budget_usd": 2500},
    "plan_build": {"use": "inference", "model": "llama-3-70b", "budget_usd": 6000},
    "calculate": {"expression": "4 * 350 W + 200 W"},
    "carbon_footprint": {"hours": 100, "power_w": 350, "region": "Germany"},
    "cloud_break_even": {"desktop_usd": 2200, "cloud_usd_per_h": 2.14},
    "token_cost": {"tokens_per_s": 50, "usd_per_h": 0.8},
    "convert_currency": {"amount": 30_000, "currency": "CNY"},
    "cooling_check": {"cards": {"RTX 3090": 4}},
    "gpu_specs": {"gpu": "RTX 4090"},
    "find_gpus": {"min_memory_gb": 24},
    "kv_cache": {"model": "llama-3-8b", "tokens": 8192},
    "inference_memory": {"model": "llama-3-8b"},
    "training_memory": {"model": "7B", "method": "qlora"},
    "relative_performance": {"gpus": ["RTX 4090", "A100 80GB SXM"]},
    "decode_rate": {"gpu": "RTX 4090", "model": "llama-3-8b"},
    "prefill_rate": {"gpu": "RTX 4090", "model": "llama-3-8b"},
    "training_rate": {"gpu": "RTX 3090", "network": "resnet50"},
    "training_time": {"model": "7B", "tokens": 1e9, "gpu": "A100 80GB SXM"},
    "matmul_cycles": {},
    "batch_speedup": {"from_batch": 16, "to_batch": 32},
    "multi_gpu_speedup": {"gpu": "RTX 3090", "gpu_count": 4},
    "power_check": {"cards": {"RTX 3090": 4}, "psu_w": 1600},
    "power_limit_effect": {"gpu": "RTX 3090", "power_limit_w": 280},
    "ownership_cost": {"gpu": "RTX 4090"},
    "rank_by_value": {"use": "training_16bit"},
    "search_articles": {"query": "How do I cool four RTX 3090s?", "k": 3},
}
