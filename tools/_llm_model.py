"""How long one card takes for a token (decode) and for a prompt (prefill), as parts with fitted factors.

`scripts/calibrate.py` fits the factors on public measurements with these same functions.
"""

from __future__ import annotations

from dataclasses import dataclass

from tools._physical import Physical
from tools._timing import Part

# Layers of Llama 2 7B: fixed costs grow with the number of layers.
USUAL_LAYERS = 32
# Bytes that one SM asks for in a cycle; a unit, the factor is fitted.
REQUEST_BYTES = 8.0
# Operations (10^12) of one SM x GHz and second that count as 1; a unit, the factor is fitted.
MATRIX_UNIT = 0.125
SHADER_UNIT = 0.0625
# Generations that ran prompts without tensor cores.
_SHADER_GENERATIONS = frozenset({"Pascal", "Pascal 6.0", "Maxwell", "Kepler", "Turing without tensor cores"})


@dataclass(frozen=True, slots=True)
class Load:
    """The work of one step.

    Attributes:
        weights_gb: Weights read. [GB]
        cache_gb: Key-value cache read. [GB]
        layers: Layers of the model.
        kind: "16bit", "8bit", "4bit" (one scale a block) or "k" (GGUF K formats).
        tera_operations: Operations. [1e12]
        backend: "cuda", "vulkan", "rocm", "metal"; what the measurement ran on.
        old: Whether the software is that of May 2024.
    """

    weights_gb: float
    cache_gb: float
    layers: int
    kind: str
    tera_operations: float = 0.0
    backend: str = ""
    old: bool = False


def kind_of(weight_format: str) -> str:
    """Return the group of formats whose kernels behave alike."""
    if weight_format in ("FP32", "FP16", "BF16", "FP8", "INT8"):
        return "16bit"
    if weight_format.endswith(("_K", "_K_M")):
        return "k"
    return "8bit" if weight_format == "Q8_0" else "4bit"


def decode_parts(card: Physical, load: Load) -> tuple[Part, ...]:
    """Return what writing one token takes on one card [ms]."""
    if card.vendor != "nvidia":
        return _other_decode(card, load)
    vulkan = ("decode.nvidia.vulkan",) if load.backend == "vulkan" else ()
    old = ("decode.nvidia.old_software",) if load.old else ()
    ecc = ("decode.nvidia.ecc",) if card.ecc else ()
    sixteen = ("decode.nvidia.requests_16bit",) if load.kind == "16bit" else ()
    unpack = {"16bit": ("decode.nvidia.unpack_16bit",), "k": ("decode.nvidia.unpack_k",)}.get(load.kind, ())
    moved = load.weights_gb * 1000
    parts = [
        Part("memory", moved / card.bandwidth_gb_s, ("decode.nvidia.memory", *ecc, *vulkan), overlaps=True),
        Part(
            "requests",
            moved / (card.sm_ghz * REQUEST_BYTES),
            ("decode.nvidia.requests", *sixteen, *vulkan),
            overlaps=True,
        ),
        Part("cache", load.cache_gb * 1000 / card.bandwidth_gb_s, ("decode.nvidia.cache", *ecc)),
        Part(
            "fixed",
            load.layers / USUAL_LAYERS / card.clock_ghz,
            ("decode.nvidia.fixed", f"decode.nvidia.fixed/{card.generation}", *old, *vulkan),
        ),
        Part("unpack", moved * card.unpacking / card.lane_ghz, ("decode.nvidia.unpack", *unpack, *vulkan)),
        Part("power", moved / card.power_w, ("decode.nvidia.power", *vulkan)),
    ]
    return tuple(parts)


def _other_decode(card: Physical, load: Load) -> tuple[Part, ...]:
    stem = f"decode.{card.vendor}"
    old = (f"{stem}.old_software",) if load.old and card.vendor == "apple" else ()
    kind = (f"{stem}.memory_{load.kind}",) if card.vendor == "apple" and load.kind != "4bit" else ()
    moved = load.weights_gb + load.cache_gb
    return (
        Part(
            "memory", moved * 1000 / card.bandwidth_gb_s, (f"{stem}.memory", f"{stem}.memory/{card.generation}", *kind)
        ),
        Part(
            "fixed",
            load.layers / USUAL_LAYERS / card.clock_ghz,
            (f"{stem}.fixed", *(() if card.vendor == "amd" else (f"{stem}.fixed/{card.generation}",)), *old),
        ),
    )


def prefill_parts(card: Physical, load: Load) -> tuple[Part, ...]:
    """Return what reading a prompt takes on one card [s]."""
    if card.vendor != "nvidia":
        return _other_prefill(card, load)
    work, factors = load.tera_operations, list[str]()
    if card.generation in _SHADER_GENERATIONS:
        work /= card.lane_ghz * SHADER_UNIT
        factors += ["prefill.nvidia.shader", f"prefill.nvidia.shader/{card.generation}"]
    elif card.generation == "Volta":
        work /= card.sm_ghz * MATRIX_UNIT
        factors += ["prefill.nvidia.volta"]
    else:
        name = "matrix_16bit" if load.kind == "16bit" else "matrix"
        # Wider tensor cores help the 16-bit library, though not in full: an SM's operands arrive no faster.
        # Kernels for quantised weights do not use the width.
        work /= card.sm_ghz * MATRIX_UNIT * (card.tensor_width**0.5 if load.kind == "16bit" else 1)
        factors += [f"prefill.nvidia.{name}", f"prefill.nvidia.{name}/{card.generation}"]
    vulkan = ("prefill.nvidia.vulkan",) if load.backend == "vulkan" else ()
    sixteen = ("prefill.nvidia.power_16bit",) if load.kind == "16bit" else ()
    return (
        Part("compute", work, (*factors, *vulkan), overlaps=True),
        # Under a power limit the clock falls with about the root of the power for each SM.
        Part(
            "power",
            work * (card.sm_ghz / card.power_w) ** 0.5,
            (*factors, "prefill.nvidia.power", *sixteen, *vulkan),
            overlaps=True,
        ),
        Part("memory", load.tera_operations / card.bandwidth_gb_s, ("prefill.nvidia.memory", *vulkan)),
        Part("fixed", load.layers / USUAL_LAYERS / card.clock_ghz / 1000, ("prefill.nvidia.fixed",)),
    )


def _other_prefill(card: Physical, load: Load) -> tuple[Part, ...]:
    stem = f"prefill.{card.vendor}"
    old = (f"{stem}.old_software",) if load.old and card.vendor == "apple" else ()
    sixteen = (f"{stem}.matrix_16bit",) if load.kind == "16bit" and card.vendor == "apple" else ()
    factors = (f"{stem}.matrix", f"{stem}.matrix/{card.generation}", *sixteen, *old)
    work = load.tera_operations / (card.sm_ghz * MATRIX_UNIT)
    if card.vendor == "apple" or not card.power_known:
        return (Part("compute", work, factors),)
    return (
        Part("compute", work, factors, overlaps=True),
        Part("power", work * (card.sm_ghz / card.power_w) ** 0.5, (*factors, f"{stem}.power"), overlaps=True),
    )
