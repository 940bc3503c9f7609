"""Bytes of the key-value cache: grouped queries, compressed (MLA) caches, windows, hybrids."""

from __future__ import annotations

from dataclasses import dataclass

from tools._catalog import Model
from tools._errors import ToolInputError
from tools._formats import KV_BITS
from tools._result import Source, Text
from tools._units import figure

GQA = Source(
    "Ainslie et al., GQA: Training Generalized Multi-Query Transformer Models (2023)",
    "https://arxiv.org/abs/2305.13245",
    "2023-05-22",
)
MLA = Source(
    "DeepSeek-AI, DeepSeek-V3 Technical Report (2024), section 2.1", "https://arxiv.org/abs/2412.19437", "2024-12-27"
)


@dataclass(frozen=True, slots=True)
class KvCache:
    """Size of a cache and how it came about.

    Attributes:
        bytes_per_token: One more token in every cached layer. [B/token]
        bytes_total: The whole cache. [B]
        steps: The formulas with their figures.
        kind: "grouped-query", "multi-head" or "compressed".
    """

    bytes_per_token: float
    bytes_total: float
    steps: tuple[str, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class _Layout:
    layers: int
    window_layers: int
    window_tokens: int
    width: int
    width_text: str
    kind: str


def kv_cache_of(model: Model, *, tokens: int, kv_format: str, batch_size: int) -> KvCache:
    """Compute the cache of `batch_size` sequences of `tokens` tokens each.

    Raises:
        ToolInputError: If the model has no key-value cache or its shape is not known.
    """
    layout = _layout(model)
    bits = KV_BITS[kv_format]
    per_layer = layout.width * bits / 8
    per_token = per_layer * layout.layers
    full = layout.layers - layout.window_layers
    kept = min(tokens, layout.window_tokens) if layout.window_layers else 0
    cells = full * tokens + layout.window_layers * kept
    total = per_layer * cells * batch_size
    steps = [
        f"bytes_per_token = {layout.width_text} x {layout.layers} layers x {figure(bits)} bit / 8"
        f" = {figure(per_token)} B"
    ]
    if layout.window_layers and kept < tokens:
        steps.append(
            f"kv_cache = {batch_size} x ({full} layers x {tokens} tokens + {layout.window_layers} layers x"
            f" {kept} tokens) x {figure(per_layer)} B = {figure(total)} B"
        )
    else:
        steps.append(f"kv_cache = {batch_size} x {tokens} tokens x {figure(per_token)} B = {figure(total)} B")
    return KvCache(per_token, total, tuple(steps), layout.kind)


def _layout(model: Model) -> _Layout:
    layers = model.kv_layers or model.layers
    if model.kind != "language" or not layers:
        raise ToolInputError(
            f"`model` {model.name!r} has no key-value cache that is known. Name a language model, "
            "or give `layers`, `kv_heads` and `head_dim`.",
            f"`model` {model.name!r} 没有已知的 KV 缓存。请给语言模型，或给出 `layers`、`kv_heads`、`head_dim`。",
        )
    windows = (
        0
        if model.sliding_window_tokens is None
        else min(layers, layers if model.sliding_window_layers is None else model.sliding_window_layers)
    )
    window_tokens = model.sliding_window_tokens or 0
    if model.kv_lora_rank:
        rope = model.qk_rope_head_dim or 0
        return _Layout(
            layers, windows, window_tokens, model.kv_lora_rank + rope, f"({model.kv_lora_rank} + {rope})", "compressed"
        )
    heads, dim = kv_heads_of(model), head_dim_of(model)
    kind = "multi-head" if model.heads == heads else "grouped-query"
    return _Layout(layers, windows, window_tokens, 2 * heads * dim, f"2 x {heads} x {dim}", kind)


def kv_heads_of(model: Model) -> int:
    """Return the number of key and value heads; without grouped queries it is that of all heads."""
    heads = model.kv_heads or model.heads
    if heads:
        return heads
    raise _missing(model, "kv_heads", "8")


def head_dim_of(model: Model) -> int:
    """Return the width of one head."""
    if model.head_dim:
        return model.head_dim
    if model.hidden_size and model.heads:
        return model.hidden_size // model.heads
    raise _missing(model, "head_dim", "128")


def _missing(model: Model, name: str, example: str) -> ToolInputError:
    return ToolInputError(
        f"The catalogue does not know {name} of {model.name!r}. Give `{name}`, e.g. {example}.",
        f"目录里没有 {model.name!r} 的 {name}。请给出 `{name}`，例如 {example}。",
    )


def cache_assumptions(model: Model, cache: KvCache) -> tuple[Text, ...]:
    """Say what is assumed about the engine."""
    notes: list[Text] = []
    if model.sliding_window_tokens:
        notes.append(
            Text(
                "The engine frees what lies outside a sliding window; else the full length counts.",
                "引擎会释放滑动窗口之外的缓存；不支持的引擎要按全长计算。",
            )
        )
    if cache.kind == "compressed":
        notes.append(
            Text(
                "The engine stores the compressed cache of MLA; one that expands it needs many times more.",
                "引擎按 MLA 压缩形式存缓存；展开存放的引擎要多出许多倍。",
            )
        )
    return tuple(notes)


def length_warnings(model: Model, tokens: int) -> tuple[Text, ...]:
    """Warn of a context beyond what the model was made for."""
    if model.context_tokens is None or tokens <= model.context_tokens:
        return ()
    return (
        Text(
            f"{model.name} is made for {model.context_tokens} tokens; {tokens} is beyond that.",
            f"{model.name} 的上下文上限是 {model.context_tokens} 个 token，{tokens} 已超出。",
        ),
    )


def kv_sources(cache: KvCache) -> tuple[Source, ...]:
    """Return the paper behind the cache's formula."""
    return (MLA if cache.kind == "compressed" else GQA,)
