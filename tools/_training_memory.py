"""How much memory training and fine-tuning a model takes."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, get_args

from tools._catalog import Gpu, Model
from tools._errors import ToolInputError, choice, count
from tools._fit import fitting_gpus, largest_that_fits, no_card
from tools._hints import GPU_COUNT_HINT, SEQUENCES_HINT, TOKENS_HINT
from tools._models import find_model
from tools._result import Result, Text
from tools._sheet import find_card
from tools._training_parts import Options, parts_of
from tools._training_states import (
    Checkpointing,
    LoraTargets,
    Method,
    Optimizer,
    Precision,
)
from tools._training_story import assumptions_of, sources_of, warnings_of
from tools._units import figure

Offload = Literal["none", "optimizer", "all"]
# Numbers of cards that people build: singly to eight, then whole machines.
_COUNTS = (*range(1, 9), *range(16, 1025, 8))
# What other sources count per parameter for AdamW in mixed precision.
HUGGING_FACE_BYTES, EXTRA_GRADIENT_BYTES = 18.0, 20.0


@dataclass(frozen=True, kw_only=True)
class TrainingMemory(Result):
    """Memory to train a model.

    Weights, gradients and optimizer are those of the whole model before ZeRO divides them;
    activations, logits and overhead are those of one card.

    Attributes:
        trained_parameters_b: Parameters that get gradients. [1e9]
        lora_parameters: Trained adapter parameters; null for full training.
        bytes_per_parameter: Weights, gradient and optimizer of one trained parameter. [B]
        weights_gb: Weights, frozen and trained. [GB]
        gradients_gb: Gradients. [GB]
        optimizer_gb: Optimizer states with the FP32 master copy. [GB]
        states_gb: These three together. [GB]
        states_hugging_face_gb: The same at 18 B a parameter; null unless full mixed AdamW. [GB]
        high_states_gb: The same at 20 B (an extra FP32 gradient); null unless full mixed AdamW. [GB]
        activations_gb: Kept activations of one card. [GB]
        logits_gb: Logits of one card while the loss is computed. [GB]
        overhead_gb: Context, the layer being recomputed, and under QLoRA the embedding that
            stays in 16 bit, on one card. [GB]
        per_gpu_gb: Need of one card. [GB]
        total_gb: Need of all cards. [GB]
        cpu_gb: Planned in main memory when offloading. [GB]
        fitting_gpus: Cards whose memory holds `per_gpu_gb`, smallest first, at most twelve.
        gpu: The card asked about, null without one; so are the fields below.
        gpu_memory_gb: Its memory. [GB]
        fits: Whether it holds `per_gpu_gb`.
        max_batch_size: Most sequences at this length, 0 if not even one fits. [1]
        max_sequence_tokens: Longest sequence at this batch size. [tokens]
        min_gpu_count: Fewest cards that hold it at this ZeRO stage, null if more cards do not help. [1]
    """

    model_name: str
    parameters_b: float
    method: str
    optimizer: str
    precision: str
    batch_size: int
    sequence_tokens: int
    zero_stage: int
    gpu_count: int
    checkpointing: str
    trained_parameters_b: float
    lora_parameters: int | None
    bytes_per_parameter: float
    weights_gb: float
    gradients_gb: float
    optimizer_gb: float
    states_gb: float
    states_hugging_face_gb: float | None
    high_states_gb: float | None
    activations_gb: float
    logits_gb: float
    overhead_gb: float
    per_gpu_gb: float
    total_gb: float
    cpu_gb: float
    fitting_gpus: tuple[str, ...]
    gpu: str | None = None
    gpu_memory_gb: float | None = None
    fits: bool | None = None
    max_batch_size: int | None = None
    max_sequence_tokens: int | None = None
    min_gpu_count: int | None = None


def training_memory(
    *,
    model: str,
    method: Method = "full",
    optimizer: Optimizer = "adamw",
    precision: Precision = "mixed_bf16",
    batch_size: int = 1,
    sequence_tokens: int = 512,
    zero_stage: int = 0,
    gpu_count: int = 1,
    gpu: str | None = None,
    checkpointing: Checkpointing = "full",
    lora_rank: int = 8,
    lora_targets: LoraTargets = "qv",
    offload: Offload = "none",
    flash_attention: bool = True,
    layers: int | None = None,
    kv_heads: int | None = None,
    head_dim: int | None = None,
    hidden_size: int | None = None,
    parameters_b: float | None = None,
) -> TrainingMemory:
    """Say how much GPU memory training or fine-tuning a model takes, and which cards hold it.

    Use it for "can I fine-tune a 7B on a 3090?", "LoRA or QLoRA on 24 GB?", "full fine-tuning of
    13B on how many A100s?", "what does ZeRO-3 save?". For running a model use `inference_memory`.

    Args:
        model: Model or size as people type it, e.g. "llama-3-8b", "Qwen2.5-72B", "13B", "130亿".
        method: All weights, 16-bit LoRA, or LoRA on a 4-bit base.
        optimizer: Optimizer; adamw_8bit keeps its two moments in 8 bit.
        precision: mixed (FP32 master copy), pure BF16, or FP32.
        batch_size: Sequences at once on each card. [1]
        sequence_tokens: Length of a sequence. [tokens]
        zero_stage: 0 to 3; FSDP full sharding is 3. [1]
        gpu_count: Data-parallel cards. [1]
        gpu: Card to answer for: whether it fits, the largest batch and length, how many it takes.
        checkpointing: Activations kept: none recomputed, attention only, or all (gradient checkpointing).
        lora_rank: Rank of the adapters. [1]
        lora_targets: Matrices with adapters: queries and values, all of attention, or all linear ones.
        offload: Optimizer states and gradients, or the weights too, in main memory (DeepSpeed).
        flash_attention: Whether attention scores are never stored.
        layers: Layers, instead of the catalogue's. [1]
        kv_heads: Key and value heads, instead of the catalogue's. [1]
        head_dim: Width of one head, instead of the catalogue's. [1]
        hidden_size: Width of the model, instead of the catalogue's. [1]
        parameters_b: Parameters, instead of the catalogue's. [1e9]

    Returns:
        Weights, gradients, optimizer, activations, the need per card and cards that hold it.

    Raises:
        ToolInputError: If the model is unknown, a number is absurd, or offloading lacks ZeRO.

    Notes:
        Mixed AdamW: 2 + 2 + 12 B a parameter. ZeRO 1, 2, 3 divide optimizer, + gradients,
        + weights by the number of cards. Activations of a layer: s b h (34 + 5 a s / h), without
        the last term under flash attention; 34 s b h selective; 2 s b h full. Logits: 10 B each.

    References:
        arXiv:1910.02054 (ZeRO), arXiv:2205.05198 (activations), arXiv:2106.09685 (LoRA),
        arXiv:2305.14314 (QLoRA), arXiv:2110.02861 (8-bit Adam).
    """
    options = Options(
        choice("method", method, get_args(Method)),
        choice("optimizer", optimizer, get_args(Optimizer)),
        choice("precision", precision, get_args(Precision)),
        choice("checkpointing", checkpointing, get_args(Checkpointing)),
        choice("lora_targets", lora_targets, get_args(LoraTargets)),
        choice("offload", offload, get_args(Offload)),
        count("batch_size", batch_size, high=65_536, hint=SEQUENCES_HINT),
        count("sequence_tokens", sequence_tokens, high=10_000_000, hint=TOKENS_HINT),
        count("zero_stage", zero_stage, low=0, high=3, hint=Text("Give 0, 1, 2 or 3.", "请给 0、1、2 或 3。")),
        count("gpu_count", gpu_count, high=100_000, hint=GPU_COUNT_HINT),
        count(
            "lora_rank",
            lora_rank,
            high=16_384,
            hint=Text("Give the rank, usually 8 to 64.", "请给出秩，通常 8 到 64。"),
        ),
        bool(flash_attention),
    )
    if options.offload != "none" and options.zero_stage < (3 if options.offload == "all" else 1):
        raise ToolInputError(
            f"`offload` '{options.offload}' needs ZeRO. Give `zero_stage` 2 for 'optimizer', 3 for 'all'.",
            f"`offload` '{options.offload}' 需要 ZeRO。'optimizer' 请给 `zero_stage` 2，'all' 请给 3。",
        )
    found = find_model(
        model, layers=layers, kv_heads=kv_heads, head_dim=head_dim, hidden_size=hidden_size, parameters_b=parameters_b
    )
    parts = parts_of(found.model, options)
    room = {} if gpu is None else _room(find_card(gpu).gpu, found.model, options, parts.per_gpu)
    fitting = fitting_gpus(parts.per_gpu, options.gpu_count, training=True)
    mixed_adam = options.method == "full" and options.optimizer == "adamw" and options.precision.startswith("mixed")
    whole = found.model.parameters_b
    return TrainingMemory(
        model_name=found.model.name,
        parameters_b=whole,
        method=options.method,
        optimizer=options.optimizer,
        precision=options.precision,
        batch_size=options.batch,
        sequence_tokens=options.tokens,
        zero_stage=options.zero_stage,
        gpu_count=options.gpu_count,
        checkpointing=options.checkpointing,
        trained_parameters_b=parts.trained / 1e9,
        lora_parameters=parts.lora,
        bytes_per_parameter=parts.each,
        weights_gb=parts.weights,
        gradients_gb=parts.gradients,
        optimizer_gb=parts.optimizer,
        states_gb=parts.weights + parts.gradients + parts.optimizer,
        states_hugging_face_gb=whole * HUGGING_FACE_BYTES if mixed_adam else None,
        high_states_gb=whole * EXTRA_GRADIENT_BYTES if mixed_adam else None,
        activations_gb=parts.activations,
        logits_gb=parts.logits,
        overhead_gb=parts.overhead,
        per_gpu_gb=parts.per_gpu,
        total_gb=parts.per_gpu * options.gpu_count,
        cpu_gb=parts.cpu,
        fitting_gpus=fitting,
        **room,
        steps=(*parts.steps, *_room_steps(room)),
        assumptions=(*found.assumptions, *assumptions_of(options, mixed_adam)),
        warnings=(*warnings_of(found.model, options), *no_card(parts.per_gpu, fitting)),
        sources=(*found.sources, *sources_of(options, mixed_adam)),
    )


def _room(card: Gpu, model: Model, options: Options, need: float) -> dict[str, Any]:
    """Return what a card has room for, as fields of the result."""
    memory = card.memory_gb

    def with_(**change: int) -> float:
        return parts_of(model, dataclasses.replace(options, **change)).per_gpu

    cards = next((count for count in _COUNTS if with_(gpu_count=count) <= memory), None)
    return {
        "gpu": card.name,
        "gpu_memory_gb": memory,
        "fits": need <= memory,
        "max_batch_size": largest_that_fits(lambda batch: with_(batch=batch), memory, 65_536),
        "max_sequence_tokens": largest_that_fits(lambda tokens: with_(tokens=tokens), memory, 10_000_000),
        "min_gpu_count": cards,
    }


def _room_steps(room: dict[str, Any]) -> tuple[str, ...]:
    if not room:
        return ()
    shown = ", ".join(f"{name} = {room[name]}" for name in ("max_batch_size", "max_sequence_tokens", "min_gpu_count"))
    return (f"for which per_gpu_gb stays within {figure(room['gpu_memory_gb'])} GB of {room['gpu']}: {shown}",)
