"""What training keeps: weights, gradients, optimizer states, activations, adapters. Bytes each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tools._catalog import Model
from tools._errors import ToolInputError
from tools._formats import WEIGHT_BITS
from tools._kv import head_dim_of, kv_heads_of
from tools._result import Source
from tools._units import figure

Method = Literal["full", "lora", "qlora"]
Optimizer = Literal["adamw", "adamw_8bit", "sgd", "adafactor"]
Precision = Literal["mixed_bf16", "mixed_fp16", "pure_bf16", "fp32"]
Checkpointing = Literal["none", "selective", "full"]
LoraTargets = Literal["qv", "attention", "all_linear"]

ZERO = Source(
    "Rajbhandari et al., ZeRO: Memory Optimizations Toward Training Trillion Parameter Models (2019)",
    "https://arxiv.org/abs/1910.02054",
    "2019-10-04",
)
ACTIVATIONS = Source(
    "Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models (2022)",
    "https://arxiv.org/abs/2205.05198",
    "2022-05-10",
)
LORA = Source(
    "Hu et al., LoRA: Low-Rank Adaptation of Large Language Models (2021)",
    "https://arxiv.org/abs/2106.09685",
    "2021-06-17",
)
EIGHT_BIT = Source(
    "Dettmers et al., 8-bit Optimizers via Block-wise Quantization (2021)",
    "https://arxiv.org/abs/2110.02861",
    "2021-10-06",
)

# Bytes of one value in the working copy and its gradient, and of the FP32 master copy (ZeRO, section 3.1).
_WORK = {"mixed_bf16": 2.0, "mixed_fp16": 2.0, "pure_bf16": 2.0, "fp32": 4.0}
_MASTER = {"mixed_bf16": 4.0, "mixed_fp16": 4.0, "pure_bf16": 0.0, "fp32": 0.0}
# Bytes of one optimizer moment: FP32, or the working precision in pure BF16.
_MOMENT = {"mixed_bf16": 4.0, "mixed_fp16": 4.0, "pure_bf16": 2.0, "fp32": 4.0}
# Adam keeps two moments, SGD its momentum, Adafactor only row and column sums (taken as nothing).
_MOMENTS = {"adamw": 2, "adamw_8bit": 2, "sgd": 1, "adafactor": 0}
# s*b*h bytes of one layer in 16 bit (Korthikanti et al., equation 2 and section 5), twice that in FP32.
LAYER_BYTES, SCORE_BYTES, CHECKPOINT_BYTES = 34, 5, 2
# One logit while the loss is computed: BF16 value, FP32 copy, FP32 gradient. Qwen-7B's own table
# (README: LoRA 21.5 GB at 1024 tokens, 36.6 GB at 8192) implies 1.5 MB a token for 151,936 words.
LOGIT_BYTES = 10


@dataclass(frozen=True, slots=True)
class BytesPerParameter:
    """Bytes of one trained parameter."""

    weights: float
    gradients: float
    optimizer: float

    @property
    def total(self) -> float:
        """All three together, in bytes."""
        return self.weights + self.gradients + self.optimizer


def bytes_per_parameter(precision: str, optimizer: str) -> BytesPerParameter:
    """Return what one trained parameter takes; 2 + 2 + 12 for AdamW in mixed precision."""
    work = _WORK[precision]
    moment = 1.0 if optimizer == "adamw_8bit" else _MOMENT[precision]
    return BytesPerParameter(work, work, _MASTER[precision] + _MOMENTS[optimizer] * moment)


def base_bits(method: str, precision: str) -> float:
    """Return bits of one frozen weight under an adapter."""
    return WEIGHT_BITS["NF4"] if method == "qlora" else _WORK[precision] * 8


def lora_parameters(model: Model, rank: int, targets: str) -> tuple[int, str]:
    """Return the trained parameters of LoRA, r x (d_in + d_out) per matrix, and their step."""
    hidden, layers = hidden_of(model), layers_of(model)
    kv_width = kv_heads_of(model) * head_dim_of(model)
    q_width = (model.heads or hidden // head_dim_of(model)) * head_dim_of(model)
    sides = [(hidden, q_width), (hidden, kv_width)]
    if targets != "qv":
        sides += [(hidden, kv_width), (q_width, hidden)]
    if targets == "all_linear":
        inner = model.intermediate_size or 4 * hidden
        sides += [(hidden, inner), (hidden, inner), (inner, hidden)]
    total = layers * rank * sum(a + b for a, b in sides)
    terms = " + ".join(f"({a} + {b})" for a, b in sides)
    return total, f"lora_parameters = {layers} layers x {rank} x ({terms}) = {total}"


def activation_bytes(
    model: Model, *, batch: int, tokens: int, checkpointing: str, precision: str, flash_attention: bool
) -> tuple[float, float, str]:
    """Return bytes of kept activations, of the layer at work during recomputation, and the step."""
    hidden, layers = hidden_of(model), layers_of(model)
    wide = 2 if precision == "fp32" else 1
    unit = tokens * batch * hidden * wide
    heads = model.heads or hidden // head_dim_of(model)
    scores = 0.0 if flash_attention else SCORE_BYTES * heads * tokens / hidden
    per_layer = {"none": LAYER_BYTES + scores, "selective": float(LAYER_BYTES), "full": float(CHECKPOINT_BYTES)}
    kept = layers * unit * per_layer[checkpointing]
    working = (
        unit * (LAYER_BYTES + scores)
        if checkpointing == "full"
        else (unit * scores if checkpointing == "selective" else 0.0)
    )
    times = " x 2 (FP32)" if wide == 2 else ""
    step = (
        f"activations = {layers} layers x {tokens} x {batch} x {hidden} x {figure(per_layer[checkpointing])} B"
        f"{times} = {figure(kept)} B"
    )
    return kept, working, step


def layers_of(model: Model) -> int:
    """Return the number of layers."""
    if model.layers:
        return model.layers
    raise _no_shape(model, "layers", "32")


def hidden_of(model: Model) -> int:
    """Return the width of the model."""
    if model.hidden_size:
        return model.hidden_size
    raise _no_shape(model, "hidden_size", "4096")


def _no_shape(model: Model, name: str, example: str) -> ToolInputError:
    return ToolInputError(
        f"The catalogue does not know {name} of {model.name!r}; activations need it. Give `{name}`, e.g. {example}.",
        f"目录里没有 {model.name!r} 的 {name}，计算激活需要它。请给出 `{name}`，例如 {example}。",
    )
