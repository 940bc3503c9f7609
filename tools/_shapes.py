"""Shapes for a model of which only the size is known, after published models of that size."""

from __future__ import annotations

from dataclasses import dataclass

from tools._catalog import Model
from tools._result import Source, Text
from tools._units import figure


@dataclass(frozen=True, slots=True)
class Shape:
    """A published dense model that stands for its size."""

    like: str
    parameters_b: float
    layers: int
    hidden_size: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate_size: int
    vocab_size: int


# From each model's config.json. Up to 13B the older models without grouped queries stand for the
# size, so a guess errs towards too much memory, except 8B, which names one family in practice.
SHAPES = (
    Shape("Qwen2.5 0.5B", 0.494, 24, 896, 14, 2, 64, 4864, 151936),
    Shape("TinyLlama 1.1B", 1.1, 22, 2048, 32, 4, 64, 5632, 32000),
    Shape("OpenLLaMA 3B", 3.43, 26, 3200, 32, 32, 100, 8640, 32000),
    Shape("Llama 2 7B", 6.74, 32, 4096, 32, 32, 128, 11008, 32000),
    Shape("Llama 3 8B", 8.03, 32, 4096, 32, 8, 128, 14336, 128256),
    Shape("Llama 2 13B", 13.02, 40, 5120, 40, 40, 128, 13824, 32000),
    Shape("Qwen2.5 32B", 32.8, 64, 5120, 40, 8, 128, 27648, 152064),
    Shape("Llama 2 70B", 69.0, 80, 8192, 64, 8, 128, 28672, 32000),
    Shape("GPT-3 175B", 175.0, 96, 12288, 96, 96, 128, 49152, 50257),
    Shape("Llama 3.1 405B", 406.0, 126, 16384, 128, 8, 128, 53248, 128256),
)
# Within this ratio a size is the row's own; beyond it depth and width are scaled.
_SAME_SIZE = 1.12
SHAPE_SOURCE = Source("config.json of the named models", "https://huggingface.co/models", "2026-11-30")


def generic_model(parameters_b: float) -> tuple[Model, Text]:
    """Return a dense model of a size, shaped like the published one nearest to it.

    Notes:
        Parameters go with layers x hidden^2, so a size between two rows scales layers and heads
        by the cube root of the ratio.
    """
    row = min(SHAPES, key=lambda shape: max(shape.parameters_b, parameters_b) / min(shape.parameters_b, parameters_b))
    ratio = parameters_b / row.parameters_b
    scale = 1.0 if 1 / _SAME_SIZE <= ratio <= _SAME_SIZE else ratio ** (1 / 3)
    layers, heads = max(1, round(row.layers * scale)), max(1, round(row.heads * scale))
    kv_heads = heads if row.kv_heads == row.heads else min(row.kv_heads, heads)
    size = figure(parameters_b)
    model = Model(
        name=f"{size}B dense model",
        parameters_b=parameters_b,
        source="",
        as_of=SHAPE_SOURCE.date,
        layers=layers,
        hidden_size=heads * row.head_dim,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=row.head_dim,
        vocab_size=row.vocab_size,
        intermediate_size=round(row.intermediate_size * scale),
    )
    return model, Text(
        f"A {size}B model without a name is taken as dense and shaped like {row.like}: {layers} layers, "
        f"{kv_heads} KV heads of {row.head_dim}. Name the model for its own shape.",
        f"只说 {size}B 的模型按稠密模型、参照 {row.like} 的结构计：{layers} 层，"
        f"{kv_heads} 个 KV 头，每个 {row.head_dim} 维。说出模型名就用它自己的结构。",
    )
