"""The cards and the models the tools know, read once from `data/`."""

from __future__ import annotations

import dataclasses
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from tools._result import is_array


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpu:
    """One card as its data sheet describes it; None where the card or the figure does not exist.

    Tensor rates are dense. GeForce cards run FP32 accumulation at half the FP16-accumulation rate,
    so `tensor_fp16_dense_tflops` names its accumulation. `checked` names the figures that were
    read in the vendor's document at `source`, `read_in` how: on the vendor's own page, in a file
    of its own repository, or in what somebody else copied from it (then `verified` is false).
    """

    name: str
    vendor: str
    architecture: str
    segment: str
    memory_gb: float
    memory_bandwidth_gb_s: float
    verified: bool
    source: str
    as_of: str
    read_in: Literal["page", "repository", "transcription"] | None = None
    checked: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    memory_type: str | None = None
    l2_cache_mb: float | None = None
    sm_count: int | None = None
    boost_clock_mhz: float | None = None
    fp32_tflops: float | None = None
    tensor_fp16_dense_tflops: float | None = None
    tensor_fp16_accumulation: str | None = None
    tensor_fp16_fp16acc_dense_tflops: float | None = None
    tensor_bf16_dense_tflops: float | None = None
    tensor_tf32_dense_tflops: float | None = None
    tensor_int8_dense_tops: float | None = None
    tensor_int4_dense_tops: float | None = None
    tensor_fp8_dense_tflops: float | None = None
    tensor_fp8_accumulation: str | None = None
    tensor_fp4_dense_tflops: float | None = None
    sparsity: bool = False
    compute_capability: str | None = None
    board_power_w: float | None = None
    recommended_psu_w: float | None = None
    slots: float | None = None
    length_mm: float | None = None
    power_connectors: tuple[str, ...] = ()
    cooler: str | None = None
    nvlink_gb_s: float = 0.0
    pcie_generation: int | None = None
    pcie_lanes: int | None = None
    launch_price_usd: float | None = None
    launch_date: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """The shape of one open model, as its `config.json` or paper gives it."""

    name: str
    parameters_b: float
    source: str
    as_of: str
    verified: bool = False
    aliases: tuple[str, ...] = ()
    family: str = ""
    kind: str = "language"
    active_parameters_b: float | None = None
    layers: int | None = None
    hidden_size: int | None = None
    heads: int | None = None
    kv_heads: int | None = None
    head_dim: int | None = None
    vocab_size: int | None = None
    intermediate_size: int | None = None
    context_tokens: int | None = None
    sliding_window_tokens: int | None = None
    sliding_window_layers: int | None = None
    kv_lora_rank: int | None = None
    qk_rope_head_dim: int | None = None
    kv_layers: int | None = None
    measured_memory_gb: float | None = None
    measured_note: str = ""
    measured_note_zh: str = ""
    license: str = ""
    note: str = ""


def read_rows(file: str, key: str, kind: type[Any]) -> tuple[Any, ...]:
    """Read `[[key]]` tables of a packaged TOML file into dataclasses of `kind`."""
    rows = tomllib.loads((files("tools") / "data" / file).read_text("utf-8"))[key]
    known = {field.name for field in dataclasses.fields(kind)}
    loaded: list[Any] = []
    for row in rows:
        strange = set(row) - known
        if strange:
            raise ValueError(f"{file}: {row.get('name')} has unknown keys {sorted(strange)}")
        loaded.append(kind(**{key: tuple(value) if is_array(value) else value for key, value in row.items()}))
    return tuple(loaded)


@cache
def gpus() -> tuple[Gpu, ...]:
    """Return every card of the catalogue, in the order in which an unclear name prefers them."""
    return read_rows("gpus.toml", "gpu", Gpu)


@cache
def models() -> tuple[Model, ...]:
    """Return every model of the catalogue."""
    return read_rows("models.toml", "model", Model)
