"""Coefficients of the speed tools, read once from `data/efficiency.toml`; `scripts/calibrate.py` writes that file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tools._catalog import Gpu
from tools._physical import physical
from tools._result import Source

GUIDE = Source(
    "Which GPU(s) to Get for Deep Learning (Tim Dettmers)",
    "https://timdettmers.com/2023/01/30/which-gpu-for-deep-learning/",
    "2023-01-30",
)
LLAMA_CPP = Source(
    "llama.cpp, performance of CUDA, ROCm, Vulkan and Metal (llama-bench, Llama 2 7B)",
    "https://github.com/ggml-org/llama.cpp/discussions/15013",
    "2026-04-05",
)
LAMBDA = Source(
    "Lambda deep-learning benchmark, v0 to v2", "https://github.com/lambdal/deeplearning-benchmark", "2024-10-01"
)


@dataclass(frozen=True, slots=True)
class _Data:
    coefficients: dict[str, float]
    tables: dict[str, dict[str, float]]
    errors: dict[str, float]


@cache
def _data() -> _Data:
    read = tomllib.loads((files("tools") / "data" / "efficiency.toml").read_text("utf-8"))
    single = {row["name"]: float(row["value"]) for row in read["coefficient"]}
    by_generation = {
        f"{row['name']}/{key}": float(value) for row in read["factor"] for key, value in row["values"].items()
    }
    tables = {row["name"]: {key: float(value) for key, value in row["values"].items()} for row in read["table"]}
    return _Data(single | by_generation, tables, {row["name"]: float(row["half_width"]) for row in read["error"]})


def coefficients() -> Mapping[str, float]:
    """Return every coefficient by name; one of a generation as "name/generation"."""
    return _data().coefficients


def coefficient(name: str) -> float:
    """Return one coefficient."""
    return _data().coefficients[name]


def table(name: str) -> dict[str, float]:
    """Return one table of coefficients."""
    return _data().tables[name]


def error_of(name: str) -> float:
    """Return the half width of a range: the error that about seven of eight cards kept aside stayed within [1]."""
    return _data().errors[name]


def boost_ghz(gpu: Gpu) -> float:
    """Return the boost clock, or 1.4 GHz where none is known."""
    return physical(gpu).clock_ghz


def shader_tflops(gpu: Gpu) -> float:
    """Return the FP32 rate; without one 128 lanes per core or SM at the boost clock."""
    return gpu.fp32_tflops or 0.256 * physical(gpu).sm_ghz


def tensor_16bit_tflops(gpu: Gpu) -> float:
    """Return the dense 16-bit matrix rate with FP32 accumulation, or the shader rate without matrix units."""
    return gpu.tensor_fp16_dense_tflops or gpu.tensor_bf16_dense_tflops or shader_tflops(gpu)
