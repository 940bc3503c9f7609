"""How many bits one number takes in each storage format: weights, KV cache, states of training."""

from __future__ import annotations

import re
from typing import Literal, get_args

from tools._catalog import Model
from tools._errors import choice
from tools._result import Source
from tools._units import figure

WeightFormat = Literal[
    "FP32",
    "BF16",
    "FP16",
    "FP8",
    "INT8",
    "INT4",
    "NF4",
    "AWQ",
    "GPTQ",
    "FP4",
    "MXFP4",
    "Q2_K",
    "Q3_K_M",
    "Q4_0",
    "Q4_K_M",
    "Q5_K_M",
    "Q6_K",
    "Q8_0",
]
KvFormat = Literal["FP32", "FP16", "BF16", "FP8", "INT8", "Q8_0", "Q4_0"]

# How people and file names spell a format. A bare "Q4" means the usual file of that size; "8 bit" the plain width.
_SPELLINGS: dict[str, str] = {
    **dict.fromkeys(("F32", "FLOAT32", "32BIT", "FULLPRECISION"), "FP32"),
    **dict.fromkeys(("F16", "FLOAT16", "16BIT", "HALF", "HALFPRECISION"), "FP16"),
    "BFLOAT16": "BF16",
    **dict.fromkeys(("F8", "FLOAT8", "FP8E4M3"), "FP8"),
    **dict.fromkeys(("8BIT", "I8"), "INT8"),
    **dict.fromkeys(("4BIT", "I4"), "INT4"),
    "NVFP4": "FP4",
    "Q2": "Q2_K",
    "Q3": "Q3_K_M",
    **dict.fromkeys(("Q4", "Q4K"), "Q4_K_M"),
    **dict.fromkeys(("Q5", "Q5K"), "Q5_K_M"),
    "Q6": "Q6_K",
    "Q8": "Q8_0",
}
_KV_SPELLINGS = {"Q4": "Q4_0"}
_BETWEEN = re.compile(r"[\s_\-]+")

LLAMA_CPP = Source(
    "llama.cpp, llama-quantize: bits per weight",
    "https://github.com/ggml-org/llama.cpp/blob/master/tools/quantize/README.md",
    "2026-11-30",
)
QLORA = Source(
    "Dettmers et al., QLoRA: Efficient Finetuning of Quantized LLMs (2023), section 3",
    "https://arxiv.org/abs/2305.14314",
    "2023-05-23",
)
MX = Source(
    "OCP Microscaling Formats (MX) Specification v1.0 (2023)",
    "https://www.opencompute.org/documents/ocp-microscaling-formats-mx-v1-0-spec-final-pdf",
    "2023-09-07",
)
NVFP4 = Source(
    "NVIDIA, Introducing NVFP4 for Efficient and Accurate Low-Precision Inference (2025)",
    "https://developer.nvidia.com/blog/introducing-nvfp4-for-efficient-and-accurate-low-precision-inference/",
    "2025-06-24",
)

# Bits per weight. GGUF "K" formats mix blocks, so theirs is the mean over Llama 2 7B; other models
# differ by up to 0.3 bit. INT4 is the bare floor; real 4-bit files also carry scales.
WEIGHT_BITS: dict[str, float] = {
    "FP32": 32,
    "BF16": 16,
    "FP16": 16,
    "FP8": 8,
    "INT8": 8,
    "INT4": 4,
    "NF4": 4.127,  # 4 + 0.127: one 8-bit scale per 64 weights, those in blocks of 256 (QLoRA)
    "AWQ": 4.156,
    "GPTQ": 4.156,  # 4 + (16-bit scale + 4-bit zero) / 128 weights; embeddings stay in 16 bit
    "FP4": 4.5,  # NVFP4: one FP8 scale per 16 weights
    "MXFP4": 4.25,  # one 8-bit scale per 32 weights
    "Q2_K": 3.35,
    "Q3_K_M": 3.91,
    "Q4_0": 4.5,
    "Q4_K_M": 4.85,
    "Q5_K_M": 5.68,
    "Q6_K": 6.56,
    "Q8_0": 8.5,
}
# Formats that quantise the layers only: embedding and output matrix stay in 16 bit.
LAYERS_ONLY = frozenset({"AWQ", "GPTQ"})
KV_BITS: dict[str, float] = {"FP32": 32, "FP16": 16, "BF16": 16, "FP8": 8, "INT8": 8, "Q8_0": 8.5, "Q4_0": 4.5}


def usual_format(name: str) -> str:
    """Return the format that a spelling such as "F16", "8-bit" or "Q4" stands for; another name stays as it is."""
    plain = _BETWEEN.sub("", name.strip().upper()).replace("位", "BIT")
    return _SPELLINGS.get(plain.removesuffix("S") if plain.endswith("BITS") else plain, name)


def read_weight_format(value: object) -> str:
    """Return the weight format of an argument.

    Raises:
        ToolInputError: If it is no format.
    """
    return choice("weight_format", usual_format(value) if isinstance(value, str) else value, get_args(WeightFormat))


def read_kv_format(value: object) -> str:
    """Return the format of a KV cache; a bare "Q4" is the plain one there.

    Raises:
        ToolInputError: If it is no format.
    """
    named = _KV_SPELLINGS.get(value.strip().upper(), usual_format(value)) if isinstance(value, str) else value
    return choice("kv_format", named, get_args(KvFormat))


_SOURCES = {"NF4": QLORA, "FP4": NVFP4, "MXFP4": MX}


def source_of_format(weight_format: str) -> tuple[Source, ...]:
    """Return where the bits per weight of a format come from; none for plain number formats."""
    if weight_format.startswith("Q"):
        return (LLAMA_CPP,)
    return (_SOURCES[weight_format],) if weight_format in _SOURCES else ()


def weights_of(model: Model, weight_format: str) -> tuple[float, str]:
    """Return the weights of a model in a format [GB] and the step that computes them."""
    bits = WEIGHT_BITS[weight_format]
    whole = model.parameters_b
    apart = embedding_parameters_b(model) if weight_format in LAYERS_ONLY else 0.0
    gb = ((whole - apart) * bits + apart * 16) / 8
    if apart:
        return gb, (
            f"weights_gb = ({figure(whole - apart)} x 10^9 x {figure(bits)} bit"
            f" + {figure(apart)} x 10^9 x 16 bit) / 8 = {figure(gb)} GB"
        )
    return gb, f"weights_gb = {figure(whole)} x 10^9 x {figure(bits)} bit / 8 = {figure(gb)} GB"


def embedding_parameters_b(model: Model) -> float:
    """Return parameters of embedding and output matrix [1e9]; small models and Gemma share one matrix."""
    if not model.vocab_size or not model.hidden_size:
        return 0.0
    shared = model.parameters_b < 4.5 or "gemma" in model.name.lower()
    return min((1 if shared else 2) * model.vocab_size * model.hidden_size / 1e9, model.parameters_b / 2)
