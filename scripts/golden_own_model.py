"""Our own golden questions about memory and speed."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.golden_rows import Row, call, kv_gib, pair, ref, value


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
