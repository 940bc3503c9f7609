"""How much memory a model takes: its KV cache, serving it, training it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from tools._catalog import Model
from tools._errors import choice, count
from tools._fit import NOMINAL, fitting_gpus, no_card
from tools._formats import KvFormat, WeightFormat, source_of_format, weights_of
from tools._hints import GPU_COUNT_HINT, SEQUENCES_HINT, TOKENS_HINT
from tools._kv import KvCache, kv_cache_of
from tools._models import FoundModel, find_model
from tools._result import Result, Source, Text
from tools._training_memory import TrainingMemory, training_memory
from tools._units import figure

GB, GIB = 1e9, 2.0**30
# CUDA context, kernels and workspaces of one process on one card; vLLM and PyTorch take 0.5 to 1.2 GB.
CONTEXT_GB = 1.0
# Activations and unusable remainders grow with what is loaded. Qwen-7B in BF16 with 2048 tokens
# takes 16.99 GB (its README): 0.5 GB above weights and KV cache, so this errs on the safe side.
SLACK_SHARE = 0.05

GQA = Source("Ainslie et al., GQA: Training Generalized Multi-Query Transformer Models (2023)",
             "https://arxiv.org/abs/2305.13245", "2023-05-22")
MLA = Source("DeepSeek-AI, DeepSeek-V3 Technical Report (2024), section 2.1",
             "https://arxiv.org/abs/2412.19437", "2024-12-27")
MOST_TOKENS, MOST_SEQUENCES, MOST_GPUS = 100_000_000, 65_536, 4096


@dataclass(frozen=True, kw_only=True)
class KvCacheMemory(Result):
    """Memory of a key-value cache.

    Attributes:
        bytes_per_token: One more token in every cached layer. [B/token]
        kv_cache_gib: The whole cache in units of 2^30 bytes. [GiB]
        kv_cache_gb: The whole cache in units of 10^9 bytes. [GB]
        cache_kind: "multi-head", "grouped-query" or "compressed" (MLA).
    """

    model_name: str
    tokens: int
    batch_size: int
    kv_format: str
    bytes_per_token: float
    kv_cache_gib: float
    kv_cache_gb: float
    cache_kind: str


def kv_cache(
    *,
    model: str,
    tokens: int,
    kv_format: KvFormat = "FP16",
    batch_size: int = 1,
    layers: int | None = None,
    kv_heads: int | None = None,
    head_dim: int | None = None,
) -> KvCacheMemory:
    """Say how much memory the key-value cache of a model takes at a context length.

    Use it for "how much does 32k context cost in memory?", "KV cache per token of Llama 3 8B?",
    "does an 8-bit KV cache help?". Weights are not in it: `inference_memory` has both.

    Args:
        model: Model or size as people type it, e.g. "llama-3-8b", "Qwen2.5-72B", "13B", "130亿".
        tokens: Tokens kept per sequence, prompt and answer together. [tokens]
        kv_format: Number format of the cache; quantised weights do not change it.
        batch_size: Sequences at once. [1]
        layers: Layers with a cache, instead of the catalogue's. [1]
        kv_heads: Key and value heads, instead of the catalogue's. [1]
        head_dim: Width of one head, instead of the catalogue's. [1]

    Returns:
        Bytes per token and the whole cache in GiB and GB.

    Raises:
        ToolInputError: If the model is unknown, has no cache, or a number is absurd.

    Notes:
        bytes per token = 2 x layers x kv_heads x head_dim x bytes; compressed caches (MLA) hold
        (kv_lora_rank + qk_rope_head_dim) per layer once; layers with a sliding window hold at
        most the window; hybrid models cache in their attention layers only.

    References:
        Ainslie et al., GQA (2023), arXiv:2305.13245. DeepSeek-V3 (2024), arXiv:2412.19437.
    """
    length = count("tokens", tokens, high=MOST_TOKENS, hint=TOKENS_HINT)
    sequences = count("batch_size", batch_size, high=MOST_SEQUENCES, hint=SEQUENCES_HINT)
    stored = choice("kv_format", kv_format, get_args(KvFormat))
    found = find_model(model, layers=layers, kv_heads=kv_heads, head_dim=head_dim)
    cache = kv_cache_of(found.model, tokens=length, kv_format=stored, batch_size=sequences)
    gib, gb = cache.bytes_total / GIB, cache.bytes_total / GB
    return KvCacheMemory(
        model_name=found.model.name, tokens=length, batch_size=sequences, kv_format=stored,
        bytes_per_token=cache.bytes_per_token, kv_cache_gib=gib, kv_cache_gb=gb, cache_kind=cache.kind,
        steps=(*cache.steps, f"kv_cache_gib = {figure(cache.bytes_total)} B / 2^30 = {figure(gib)} GiB",
               f"kv_cache_gb = {figure(cache.bytes_total)} B / 10^9 = {figure(gb)} GB"),
        assumptions=(*found.assumptions, *_cache_assumptions(found.model, cache)),
        warnings=_length_warnings(found.model, length), sources=_kv_sources(found, cache))


def _cache_assumptions(model: Model, cache: KvCache) -> tuple[Text, ...]:
    notes: list[Text] = []
    if model.sliding_window_tokens:
        notes.append(Text("The engine frees what lies outside a sliding window; else the full length counts.",
                          "引擎会释放滑动窗口之外的缓存；不支持的引擎要按全长计算。"))
    if cache.kind == "compressed":
        notes.append(Text("The engine stores the compressed cache of MLA; one that expands it needs many times more.",
                          "引擎按 MLA 压缩形式存缓存；展开存放的引擎要多出许多倍。"))
    return tuple(notes)


def _length_warnings(model: Model, tokens: int) -> tuple[Text, ...]:
    if model.context_tokens is None or tokens <= model.context_tokens:
        return ()
    return (Text(f"{model.name} is made for {model.context_tokens} tokens; {tokens} is beyond that.",
                 f"{model.name} 的上下文上限是 {model.context_tokens} 个 token，{tokens} 已超出。"),)


def _kv_sources(found: FoundModel, cache: KvCache) -> tuple[Source, ...]:
    return (*found.sources, MLA if cache.kind == "compressed" else GQA)


@dataclass(frozen=True, kw_only=True)
class InferenceMemory(Result):
    """Memory to serve a model.

    Attributes:
        parameters_b: Parameters that must lie in memory, all experts of a mixture included. [1e9]
        bits_per_weight: Mean bits of one weight in this format.
        weights_gb: The weights. [GB]
        kv_cache_gb: The key-value cache of all sequences. [GB]
        kv_cache_gib: The same in units of 2^30 bytes. [GiB]
        floor_gb: Weights and cache: below this nothing runs. [GB]
        overhead_gb: Context, workspace and slack of all cards. [GB]
        total_gb: The comfortable need: floor and overhead. [GB]
        total_gib: The same in units of 2^30 bytes. [GiB]
        floor_per_gpu_gb: The floor on each card, split evenly. [GB]
        per_gpu_gb: The comfortable need on each card. [GB]
        fitting_gpus: Cards whose memory holds `per_gpu_gb`, smallest first, at most twelve.
        tight_gpus: Cards that hold the floor only.
    """

    model_name: str
    parameters_b: float
    weight_format: str
    bits_per_weight: float
    context_tokens: int
    batch_size: int
    kv_format: str
    gpu_count: int
    weights_gb: float
    kv_cache_gb: float
    kv_cache_gib: float
    floor_gb: float
    overhead_gb: float
    total_gb: float
    total_gib: float
    floor_per_gpu_gb: float
    per_gpu_gb: float
    fitting_gpus: tuple[str, ...]
    tight_gpus: tuple[str, ...]


def inference_memory(
    *,
    model: str,
    weight_format: WeightFormat = "FP16",
    context_tokens: int = 4096,
    batch_size: int = 1,
    kv_format: KvFormat = "FP16",
    gpu_count: int = 1,
    layers: int | None = None,
    kv_heads: int | None = None,
    head_dim: int | None = None,
    parameters_b: float | None = None,
) -> InferenceMemory:
    """Say how much GPU memory it takes to run (serve, chat with) a model, and which cards hold it.

    Use it for "does a 70B model in 4 bit fit on two 3090s?", "how much VRAM for Llama 3 8B?",
    "which card for Mixtral?". For fine-tuning use `training_memory`.

    Args:
        model: Model or size as people type it, e.g. "llama-3-8b", "Qwen2.5-72B", "13B", "130亿".
        weight_format: Number format of the weights; GGUF names such as Q4_K_M too.
        context_tokens: Tokens kept per sequence, prompt and answer together. [tokens]
        batch_size: Sequences at once. [1]
        kv_format: Number format of the KV cache; quantised weights do not change it.
        gpu_count: Cards over which the model is split evenly. [1]
        layers: Layers, instead of the catalogue's. [1]
        kv_heads: Key and value heads, instead of the catalogue's. [1]
        head_dim: Width of one head, instead of the catalogue's. [1]
        parameters_b: Parameters, instead of the catalogue's. [1e9]

    Returns:
        Weights, cache, overhead, the need per card, and cards that hold it.

    Raises:
        ToolInputError: If the model or a format is unknown, or a number is absurd.

    Notes:
        weights = parameters x bits / 8; floor = weights + KV cache; total = floor x 1.05 + 1 GB
        a card. AWQ and GPTQ keep embedding and output matrix in 16 bit. Engines that reserve a
        fixed share of the card (vLLM: 90 %) show more than the model needs.
    """
    sequences = count("batch_size", batch_size, high=MOST_SEQUENCES, hint=SEQUENCES_HINT)
    length = count("context_tokens", context_tokens, high=MOST_TOKENS, hint=TOKENS_HINT)
    cards = count("gpu_count", gpu_count, high=MOST_GPUS, hint=GPU_COUNT_HINT)
    packed = choice("weight_format", weight_format, get_args(WeightFormat))
    stored = choice("kv_format", kv_format, get_args(KvFormat))
    found = find_model(model, layers=layers, kv_heads=kv_heads, head_dim=head_dim, parameters_b=parameters_b)
    shape = found.model

    weights, weight_step = weights_of(shape, packed)
    cache = kv_cache_of(shape, tokens=length, kv_format=stored, batch_size=sequences) if _has_cache(shape) else None
    kv_gb = 0.0 if cache is None else cache.bytes_total / GB
    floor = weights + kv_gb
    overhead = CONTEXT_GB * cards + SLACK_SHARE * floor
    total = floor + overhead
    fitting = fitting_gpus(total / cards, cards)
    tight = tuple(name for name in fitting_gpus(floor / cards, cards) if name not in fitting)
    steps = (weight_step, *(() if cache is None else cache.steps),
             f"floor_gb = {figure(weights)} GB + {figure(kv_gb)} GB = {figure(floor)} GB",
             f"overhead_gb = {cards} x {figure(CONTEXT_GB)} GB + {SLACK_SHARE} x {figure(floor)} GB"
             f" = {figure(overhead)} GB",
             f"total_gb = {figure(floor)} GB + {figure(overhead)} GB = {figure(total)} GB",
             f"per_gpu_gb = {figure(total)} GB / {cards} = {figure(total / cards)} GB")
    return InferenceMemory(
        model_name=shape.name, parameters_b=shape.parameters_b, weight_format=packed,
        bits_per_weight=weights * 8 / shape.parameters_b, context_tokens=length, batch_size=sequences,
        kv_format=stored, gpu_count=cards, weights_gb=weights, kv_cache_gb=kv_gb, kv_cache_gib=kv_gb * GB / GIB,
        floor_gb=floor, overhead_gb=overhead, total_gb=total, total_gib=total * GB / GIB,
        floor_per_gpu_gb=floor / cards, per_gpu_gb=total / cards, fitting_gpus=fitting, tight_gpus=tight,
        steps=steps, assumptions=(*found.assumptions, *_serving_assumptions(shape, packed, cache)),
        warnings=(*_length_warnings(shape, length), *_serving_warnings(shape, cards, cache),
                  *no_card(total / cards, fitting)),
        sources=(*(found.sources if cache is None else _kv_sources(found, cache)), *source_of_format(packed)))


def _has_cache(model: Model) -> bool:
    return model.kind == "language" and bool(model.layers or model.kv_layers)


def _serving_assumptions(model: Model, weight_format: str, cache: KvCache | None) -> tuple[Text, ...]:
    notes = [Text("`floor_gb` is weights and KV cache; `total_gb` adds 1 GB a card and 5 % for workspace and slack.",
                  "`floor_gb` 是权重加 KV 缓存；`total_gb` 另加每卡 1 GB 和 5 %，供上下文、工作区和碎片。"), NOMINAL]
    if cache is None:
        notes.append(Text("No KV cache is counted for this model.", "这个模型不计 KV 缓存。"))
    else:
        notes += _cache_assumptions(model, cache)
    if weight_format in ("INT4", "FP8", "INT8"):
        notes.append(Text("Bare bits: scales and layers kept in 16 bit come on top (a few percent, a tenth in 4 bit).",
                          "只算纯位数：缩放系数和保留 16 位的层另计（几个百分点，4 位时可达一成）。"))
    return tuple(notes)


def _serving_warnings(model: Model, cards: int, cache: KvCache | None) -> tuple[Text, ...]:
    notes: list[Text] = []
    if model.active_parameters_b and model.active_parameters_b < model.parameters_b:
        notes.append(Text(f"All experts must lie in memory; only {figure(model.active_parameters_b)}B of"
                          f" {figure(model.parameters_b)}B parameters work on a token.",
                          f"所有专家都要放进显存；每个 token 只用到 {figure(model.parameters_b)}B 中的"
                          f" {figure(model.active_parameters_b)}B 参数。"))
    if cards > 1:
        notes.append(Text("The split is taken as even; a real one runs out on its busiest card, not on the sum.",
                          "这里按均分计；实际上最满的那张卡先爆，而不是看总和。"))
        if cache is not None and cache.kind == "compressed":
            notes.append(Text("Under tensor parallelism each card holds the whole compressed cache.",
                              "张量并行时每张卡都存一份完整的压缩缓存。"))
    if model.measured_memory_gb:
        notes.append(Text(f"Measured: {figure(model.measured_memory_gb)} GB. {model.measured_note}".strip(),
                          f"实测：{figure(model.measured_memory_gb)} GB。{model.measured_note}".strip()))
    return tuple(notes)


TOOLS = (kv_cache, inference_memory, training_memory)

__all__ = ["TOOLS", "InferenceMemory", "KvCacheMemory", "TrainingMemory", "inference_memory", "kv_cache",
           "training_memory"]
