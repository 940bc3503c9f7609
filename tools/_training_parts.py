"""The parts of training memory: what the whole model takes, and what ZeRO leaves on one card."""

from __future__ import annotations

from dataclasses import dataclass

from tools._catalog import Model
from tools._formats import embedding_parameters_b
from tools._training_states import (
    LOGIT_BYTES,
    activation_bytes,
    base_bits,
    bytes_per_parameter,
    layers_of,
    lora_parameters,
)
from tools._units import figure

GB = 1e9
# CUDA context, communication buckets and remainders of one process.
CONTEXT_GB = 1.0
# Bytes a parameter that DeepSpeed's estimator plans on the CPU: max(4 x cards, 16) x 1.5.
_CPU_BYTES, _CPU_BYTES_PER_GPU, _CPU_FACTOR = 16.0, 4.0, 1.5


@dataclass(frozen=True, slots=True)
class Options:
    """What is trained and how, checked."""

    method: str
    optimizer: str
    precision: str
    checkpointing: str
    lora_targets: str
    offload: str
    batch: int
    tokens: int
    zero_stage: int
    gpu_count: int
    lora_rank: int
    flash_attention: bool


@dataclass(frozen=True, slots=True)
class Parts:
    """Gigabytes of each part, and the trained parameters as a number."""

    trained: float
    lora: int | None
    each: float
    weights: float
    gradients: float
    optimizer: float
    activations: float
    logits: float
    overhead: float
    per_gpu: float
    cpu: float
    steps: tuple[str, ...]


def parts_of(model: Model, options: Options) -> Parts:
    """Compute every part and what one card holds of them."""
    each = bytes_per_parameter(options.precision, options.optimizer)
    whole = model.parameters_b * 1e9
    steps: list[str] = []
    lora = None
    if options.method == "full":
        trained, frozen_gb = whole, 0.0
    else:
        lora, step = lora_parameters(model, options.lora_rank, options.lora_targets)
        bits = base_bits(options.method, options.precision)
        trained, frozen_gb = float(lora), whole * bits / 8 / GB
        steps += [
            step,
            f"frozen weights = {figure(model.parameters_b)} x 10^9 x {figure(bits)} bit / 8 = {figure(frozen_gb)} GB",
        ]
    weights, gradients, states = (
        frozen_gb + trained * each.weights / GB,
        trained * each.gradients / GB,
        trained * each.optimizer / GB,
    )
    steps += [
        f"bytes_per_parameter = {figure(each.weights)} + {figure(each.gradients)} + {figure(each.optimizer)}"
        f" = {figure(each.total)} B",
        f"states_gb = {figure(weights)} + {figure(gradients)} + {figure(states)}"
        f" = {figure(weights + gradients + states)} GB",
    ]
    kept, working, step = activation_bytes(
        model,
        batch=options.batch,
        tokens=options.tokens,
        checkpointing=options.checkpointing,
        precision=options.precision,
        flash_attention=options.flash_attention,
    )
    words = model.vocab_size or 0
    logits = options.tokens * options.batch * words * LOGIT_BYTES / GB
    steps += [step, f"logits_gb = {options.tokens} x {options.batch} x {words} x {LOGIT_BYTES} B = {figure(logits)} GB"]
    wide_embedding = 0.0
    if options.method == "qlora":
        apart = embedding_parameters_b(model)
        wide_embedding = apart * (16 - base_bits("qlora", options.precision)) / 8
        steps.append(
            f"embedding in 16 bit = {figure(apart)} x 10^9 x (16 - 4.127) bit / 8 = {figure(wide_embedding)} GB"
        )
    overhead = CONTEXT_GB + working / GB + wide_embedding
    steps.append(
        f"overhead_gb = {figure(CONTEXT_GB)} + {figure(working / GB)} + {figure(wide_embedding)}"
        f" = {figure(overhead)} GB"
    )
    kept_states, cpu, zero_step = _on_card(model, options, weights, gradients, states)
    per_gpu = kept_states + kept / GB + logits + overhead
    steps += [
        zero_step,
        f"per_gpu_gb = {figure(kept_states)} + {figure(kept / GB)} + {figure(logits)}"
        f" + {figure(overhead)} = {figure(per_gpu)} GB",
    ]
    return Parts(
        trained, lora, each.total, weights, gradients, states, kept / GB, logits, overhead, per_gpu, cpu, tuple(steps)
    )


def _on_card(
    model: Model, options: Options, weights: float, gradients: float, states: float
) -> tuple[float, float, str]:
    """Return what ZeRO and offloading leave on one card, what goes to main memory (GB), and the step."""
    cards, stage = options.gpu_count, options.zero_stage
    w = weights / cards if stage >= 3 else weights
    g = gradients / cards if stage >= 2 else gradients
    o = states / cards if stage >= 1 else states
    if options.offload == "none":
        return (
            w + g + o,
            0.0,
            (f"states on a card (ZeRO {stage}, {cards} cards) = {figure(w)} + {figure(g)} + {figure(o)} GB"),
        )
    cpu = model.parameters_b * max(_CPU_BYTES_PER_GPU * cards, _CPU_BYTES) * _CPU_FACTOR
    if options.offload == "optimizer":
        return w, cpu, f"states on a card (ZeRO {stage}, optimizer and gradients offloaded) = {figure(w)} GB"
    # Only the layer at work is on the card: its weights and gradients, or the embedding if that is larger.
    largest = max(model.parameters_b / layers_of(model), (model.vocab_size or 0) * (model.hidden_size or 0) / 1e9)
    return (
        4 * largest,
        cpu,
        (f"states on a card (all offloaded) = 4 B x {figure(largest)} x 10^9 = {figure(4 * largest)} GB"),
    )
