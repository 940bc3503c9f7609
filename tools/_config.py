"""Read a model's shape off the text of its Hugging Face `config.json`."""

from __future__ import annotations

import contextlib
import json
from typing import Any

from tools._catalog import Model
from tools._errors import ToolInputError
from tools._result import is_array, is_object

_LONGEST = 200_000


def is_config(text: str) -> bool:
    """Whether a text looks like a configuration rather than a name."""
    return text.lstrip().startswith("{")


def model_of_config(text: str) -> Model:
    """Return the shape that a `config.json` gives; parameters are counted from it.

    Raises:
        ToolInputError: If it is no JSON object or lacks layers and width.
    """
    config = _read(text)
    # Models that also see keep the language model's shape in a part of its own.
    inside: dict[str, Any] | None = config.get("text_config")
    if is_object(inside):
        config = {**config, **inside}
    layers, hidden = _number(config, "num_hidden_layers", "n_layer"), _number(config, "hidden_size", "n_embd")
    if not layers or not hidden:
        raise _unreadable("has no num_hidden_layers or hidden_size", "缺少 num_hidden_layers 或 hidden_size")
    heads = _number(config, "num_attention_heads", "n_head") or 1
    kv_heads = _number(config, "num_key_value_heads") or heads
    dim = _number(config, "head_dim") or hidden // heads
    words = _number(config, "vocab_size") or 0
    whole, active = _parameters(config, layers, hidden, heads * dim, kv_heads * dim, words)
    kinds: Any = config.get("layer_types")
    attention = [str(kind) for kind in kinds if "linear" not in str(kind)] if is_array(kinds) else None
    sliding = sum("sliding" in kind for kind in attention) if attention else None
    window = _number(config, "sliding_window") if config.get("use_sliding_window", True) else None
    return Model(
        name=str(config.get("_name_or_path") or config.get("model_type") or "model of your config.json"),
        parameters_b=whole,
        active_parameters_b=active if active < whole else None,
        source="config.json given by you",
        as_of="",
        layers=layers,
        hidden_size=hidden,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=dim,
        vocab_size=words or None,
        intermediate_size=_number(config, "intermediate_size", "n_inner"),
        context_tokens=_number(config, "max_position_embeddings", "n_positions"),
        sliding_window_tokens=window if sliding != 0 else None,
        sliding_window_layers=sliding or None,
        kv_lora_rank=_number(config, "kv_lora_rank"),
        qk_rope_head_dim=_number(config, "qk_rope_head_dim"),
        kv_layers=len(attention) if attention and len(attention) < layers else None,
    )


def _parameters(
    config: dict[str, Any], layers: int, hidden: int, q_width: int, kv_width: int, words: int
) -> tuple[float, float]:
    """Return all and active parameters [1e9] from the shapes of the matrices."""
    attention = _compressed(config, hidden) or hidden * (2 * q_width + 2 * kv_width)
    inner = _number(config, "intermediate_size", "n_inner") or 4 * hidden
    gated = 2 if config.get("model_type") in ("gpt2", "opt", "gpt_neox", "falcon", "phi") else 3
    dense = gated * hidden * inner
    experts = _number(config, "num_local_experts", "num_experts", "n_routed_experts") or 0
    used = _number(config, "num_experts_per_tok") or 1
    width = _number(config, "moe_intermediate_size") or inner
    shared = (_number(config, "n_shared_experts") or 0) * width
    shared = _number(config, "shared_expert_intermediate_size") or shared
    plain = min(_number(config, "first_k_dense_replace") or 0, layers) if experts else layers
    one = 3 * hidden * width
    common = layers * attention + plain * dense + (layers - plain) * 3 * hidden * shared
    embedding = words * hidden * (1 if config.get("tie_word_embeddings") else 2)
    whole = common + (layers - plain) * experts * one + embedding
    active = common + (layers - plain) * min(used, experts) * one + embedding
    return whole / 1e9, active / 1e9


def _compressed(config: dict[str, Any], hidden: int) -> int:
    """Return the parameters of one layer of compressed attention (MLA), 0 for plain attention."""
    rank, heads = _number(config, "kv_lora_rank"), _number(config, "num_attention_heads") or 1
    if not rank:
        return 0
    nope, rope = _number(config, "qk_nope_head_dim") or 128, _number(config, "qk_rope_head_dim") or 64
    value, query = _number(config, "v_head_dim") or 128, _number(config, "q_lora_rank") or 0
    asked = hidden * query + query * heads * (nope + rope) if query else hidden * heads * (nope + rope)
    return asked + hidden * (rank + rope) + rank * heads * (nope + value) + heads * value * hidden


def _read(text: str) -> dict[str, Any]:
    config: Any = None
    if len(text) <= _LONGEST:
        with contextlib.suppress(ValueError):
            config = json.loads(text)
    if not is_object(config):
        raise _unreadable("is no JSON object", "不是 JSON 对象")
    return config


def _number(config: dict[str, Any], *names: str) -> int | None:
    for name in names:
        value = config.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9:
            return value
    return None


def _unreadable(why: str, reason: str) -> ToolInputError:
    return ToolInputError(
        f"`model` looks like a config.json but {why}. Give its whole text, or a name such as 'llama-3-8b'.",
        f"`model` 看起来是 config.json，但{reason}。请给出全文，或写 'llama-3-8b' 这样的名称。",
    )
