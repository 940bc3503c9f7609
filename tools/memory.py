"""How much memory a model takes: its KV cache, serving it, training it."""

from __future__ import annotations

from dataclasses import dataclass

from tools._errors import count, number
from tools._fit import largest_that_fits
from tools._formats import KvFormat, WeightFormat, read_kv_format
from tools._hints import SEQUENCES_HINT, TOKENS_HINT
from tools._inference_memory import GB, GIB, MOST_SEQUENCES, MOST_TOKENS, InferenceMemory, inference_memory
from tools._kv import cache_assumptions, kv_cache_of, kv_sources, length_warnings
from tools._models import find_model
from tools._result import Result, Text
from tools._training_memory import TrainingMemory, training_memory
from tools._units import figure


@dataclass(frozen=True, kw_only=True)
class KvCacheMemory(Result):
    """Memory of a key-value cache.

    Attributes:
        bytes_per_token: One more token in every cached layer. [B/token]
        kv_cache_gib: The whole cache in units of 2^30 bytes. [GiB]
        kv_cache_gb: The whole cache in units of 10^9 bytes. [GB]
        cache_kind: "multi-head", "grouped-query" or "compressed" (MLA).
        max_tokens: Tokens of one sequence that `available_gib` holds, null without it. [tokens]
    """

    model_name: str
    tokens: int
    batch_size: int
    kv_format: str
    bytes_per_token: float
    kv_cache_gib: float
    kv_cache_gb: float
    cache_kind: str
    max_tokens: int | None


def kv_cache(
    *,
    model: str,
    tokens: int,
    kv_format: KvFormat = "FP16",
    batch_size: int = 1,
    available_gib: float | None = None,
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
        available_gib: Memory left for the cache, to learn how many tokens it holds. [GiB]
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
    stored = read_kv_format(kv_format)
    room = (
        None
        if available_gib is None
        else number(
            "available_gib",
            available_gib,
            "GiB",
            high=1e6,
            hint=Text("Give GiB, e.g. 3.81.", "请给出 GiB，例如 3.81。"),
        )
    )
    found = find_model(model, layers=layers, kv_heads=kv_heads, head_dim=head_dim)
    cache = kv_cache_of(found.model, tokens=length, kv_format=stored, batch_size=sequences)
    gib, gb = cache.bytes_total / GIB, cache.bytes_total / GB
    held = (
        None
        if room is None
        else largest_that_fits(
            lambda each: (
                kv_cache_of(found.model, tokens=each, kv_format=stored, batch_size=sequences).bytes_total / GIB
            ),
            room,
            MOST_TOKENS,
        )
    )
    return KvCacheMemory(
        model_name=found.model.name,
        tokens=length,
        batch_size=sequences,
        kv_format=stored,
        bytes_per_token=cache.bytes_per_token,
        kv_cache_gib=gib,
        kv_cache_gb=gb,
        cache_kind=cache.kind,
        max_tokens=held,
        steps=(
            *cache.steps,
            f"kv_cache_gib = {figure(cache.bytes_total)} B / 2^30 = {figure(gib)} GiB",
            f"kv_cache_gb = {figure(cache.bytes_total)} B / 10^9 = {figure(gb)} GB",
            *(
                ()
                if held is None
                else (f"max_tokens = {figure(room or 0)} GiB / {figure(gib)} GiB x {length} = {held}",)
            ),
        ),
        assumptions=(*found.assumptions, *cache_assumptions(found.model, cache)),
        warnings=length_warnings(found.model, length),
        sources=(*found.sources, *kv_sources(cache)),
    )


TOOLS = (kv_cache, inference_memory, training_memory)

__all__ = [
    "TOOLS",
    "InferenceMemory",
    "KvCacheMemory",
    "TrainingMemory",
    "WeightFormat",
    "inference_memory",
    "kv_cache",
    "training_memory",
]
