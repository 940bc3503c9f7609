"""Coefficients of the speed tools, read once from `data/efficiency.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tools._catalog import Gpu
from tools._result import Source

GUIDE = Source("Which GPU(s) to Get for Deep Learning (Tim Dettmers)",
               "https://timdettmers.com/2023/01/30/which-gpu-for-deep-learning/", "2023-01-30")
LLAMA_CPP = Source("llama.cpp, performance of CUDA, ROCm, Vulkan and Metal (llama-bench, Llama 2 7B)",
                   "https://github.com/ggml-org/llama.cpp/discussions/15013", "2026-04-05")
LAMBDA = Source("Lambda deep-learning benchmark, v0 to v2", "https://github.com/lambdal/deeplearning-benchmark",
                "2024-10-01")


@dataclass(frozen=True, slots=True)
class Anchor:
    """One measured training rate."""

    software: str
    gpu: str
    network: str
    precision: str
    samples_per_s: float
    batch_size: int


@cache
def _data() -> tuple[dict[str, float], dict[str, dict[str, float]], tuple[Anchor, ...]]:
    read = tomllib.loads((files("tools") / "data" / "efficiency.toml").read_text("utf-8"))
    return ({row["name"]: float(row["value"]) for row in read["coefficient"]},
            {row["name"]: {key: float(value) for key, value in row["values"].items()} for row in read["table"]},
            tuple(Anchor(**row) for row in read["anchor"]))


def coefficient(name: str) -> float:
    """Return one coefficient."""
    return _data()[0][name]


def table(name: str) -> dict[str, float]:
    """Return one table of coefficients."""
    return _data()[1][name]


def anchors() -> tuple[Anchor, ...]:
    """Return every measured training rate, the one to scale from first."""
    return _data()[2]


def of_generation(name: str, gpu: Gpu) -> tuple[float, bool]:
    """Return a card's value in a table by generation, and whether that generation was measured.

    A line with the compute capability ("Ampere 8.0" is the A100) goes before that of the architecture.
    """
    values = table(name)
    for key in (f"{gpu.architecture} {gpu.compute_capability}", gpu.architecture):
        if key in values:
            return values[key], True
    return values["default"], False


def boost_ghz(gpu: Gpu) -> float:
    """Return the boost clock, or 1.4 GHz where none is known (Apple's chips run at 1.3 to 1.6)."""
    return (gpu.boost_clock_mhz or 1400.0) / 1000


def shader_tflops(gpu: Gpu) -> float:
    """Return the FP32 rate; without one 128 lanes per core or SM at the boost clock, or a guess from the bandwidth.

    An RTX 3090 has 0.038 TFLOPS per GB/s, a GTX 1080 Ti 0.024, an RTX 4090 0.082.
    """
    if gpu.fp32_tflops:
        return gpu.fp32_tflops
    if gpu.sm_count:
        return 2 * 128 * gpu.sm_count * boost_ghz(gpu) / 1000
    return 0.04 * gpu.memory_bandwidth_gb_s


def tensor_16bit_tflops(gpu: Gpu) -> float:
    """Return the dense 16-bit matrix rate with FP32 accumulation, or the shader rate without matrix units."""
    return gpu.tensor_fp16_dense_tflops or gpu.tensor_bf16_dense_tflops or shader_tflops(gpu)
