"""How long one card takes for a training sample of six known networks, as parts with fitted factors.

`scripts/calibrate.py` fits the factors on Lambda's benchmark with these same functions.
"""

from __future__ import annotations

from tools._catalog import Gpu
from tools._physical import Physical, physical
from tools._timing import Part

NETWORKS: tuple[str, ...] = ("resnet50", "ssd300", "bert_large", "gnmt", "tacotron2", "transformer_xl")
# What a step costs whatever its batch: reading weights and optimizer states (large networks), or launching kernels.
STEP_COST = {
    "resnet50": "launches",
    "ssd300": "launches",
    "bert_large": "weights",
    "gnmt": "weights",
    "tacotron2": "launches",
    "transformer_xl": "weights",
}
# Batch of an RTX 3090 in FP16; only a unit, the factor is fitted.
USUAL_BATCH = {"resnet50": 448, "ssd300": 140, "bert_large": 28, "gnmt": 464, "tacotron2": 88, "transformer_xl": 24}
# Batches of the benchmark by memory: (GB, batch) in FP16 with v1 software; FP32 takes about half.
_BATCH_BY_MEMORY = {
    "resnet50": ((8, 120), (16, 256), (24, 448), (40, 720), (48, 928), (80, 1280)),
    "ssd300": ((8, 24), (16, 96), (24, 140), (40, 224), (48, 256), (80, 448)),
    "bert_large": ((8, 4), (16, 16), (24, 28), (40, 48), (48, 64), (80, 112)),
    "gnmt": ((8, 80), (16, 256), (24, 464), (40, 800), (48, 968), (80, 1520)),
    "tacotron2": ((8, 32), (16, 48), (24, 88), (40, 144), (48, 148), (80, 256)),
    "transformer_xl": ((8, 4), (16, 12), (24, 24), (40, 52), (48, 64), (80, 104)),
}
_UNIT_TFLOPS, _UNIT_SM_GHZ, _UNIT_GB_S, _UNIT_W, _UNIT_GHZ = 100.0, 150.0, 1000.0, 300.0, 1.6
_OLD_DESIGNS = frozenset({"Pascal", "Volta", "Turing"})


def matrix_tflops(gpu: Gpu, precision: str) -> float:
    """Return the rate that training uses: FP16 with FP32 accumulation, TF32, or the shaders."""
    body = physical(gpu)
    shader = gpu.fp32_tflops or 0.256 * body.sm_ghz
    if precision == "fp32":
        return gpu.tensor_tf32_dense_tflops or shader
    return gpu.tensor_fp16_dense_tflops or gpu.tensor_bf16_dense_tflops or shader


def largest_batch(gpu: Gpu, network: str, precision: str) -> int:
    """Return the batch that the benchmark gives a card of this memory, between its sizes by a straight line."""
    points = _BATCH_BY_MEMORY[network]
    memory = gpu.memory_gb
    if memory <= points[0][0]:
        batch = points[0][1] * memory / points[0][0]
    elif memory >= points[-1][0]:
        batch = points[-1][1] * memory / points[-1][0]
    else:
        at = next(index for index, (size, _) in enumerate(points) if size >= memory)
        (low, small), (high, big) = points[at - 1], points[at]
        batch = small + (big - small) * (memory - low) / (high - low)
    return max(1, round(batch / (2 if precision == "fp32" else 1)))


def training_parts(gpu: Gpu, network: str, precision: str, software: str, batch_size: float) -> tuple[Part, ...]:
    """Return what one sample takes, in seconds.

    Args:
        gpu: The card.
        network: One of `NETWORKS`.
        precision: "fp16" or "fp32".
        software: "v0", "v0_old" (the older half of v0), "v1" or "v2".
        batch_size: Samples a step. [1]
    """
    card = physical(gpu)
    stem = f"training.{network}" if precision == "fp16" else f"training.{network}_fp32"
    common = (f"{stem}.software_{software}", *((f"{stem}.old_design",) if gpu.architecture in _OLD_DESIGNS else ()))
    ecc = (f"{stem}.ecc",) if card.ecc else ()
    steps = USUAL_BATCH[network] / batch_size
    return (
        Part("tensor", _UNIT_TFLOPS / matrix_tflops(gpu, precision), (f"{stem}.tensor", *common), overlaps=True),
        Part("shader", _UNIT_SM_GHZ / card.sm_ghz, (f"{stem}.shader", *common), overlaps=True),
        Part("memory", _UNIT_GB_S / card.bandwidth_gb_s, (f"{stem}.memory", *ecc, *common), overlaps=True),
        Part("power", _UNIT_W / card.power_w, (f"{stem}.power", *common), overlaps=True),
        Part("step", steps * _step_cost(network, card), (f"{stem}.step", *common)),
    )


def _step_cost(network: str, card: Physical) -> float:
    return _UNIT_GB_S / card.bandwidth_gb_s if STEP_COST[network] == "weights" else _UNIT_GHZ / card.clock_ghz
