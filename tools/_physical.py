"""The physical figures of a card that the speed models use, with stand-ins where a data sheet is silent."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tools._catalog import Gpu

# Apple's chips run at 1.3 to 1.6 GHz; TPUs and unknown cards in that range too.
USUAL_CLOCK_GHZ = 1.4
# A card of which only a data sheet is given counts as one of this generation, with its usual clock (RTX 3090: 1.7 GHz).
STAND_IN, STAND_IN_CLOCK_GHZ = "Ampere", 1.7
# Designs of which no public measurement of a language model is at hand.
_UNMEASURED = ("10.0", "10.3")
# SM x GHz for each GB/s of a card that states neither SMs nor a tensor rate: RTX 3090 0.15, 2080 Ti 0.18, 4090 0.32.
SM_GHZ_PER_GB_S = 0.18
# TFLOPS of dense FP16 with FP32 accumulation for each SM x GHz of GeForce cards since Turing (2 x 256 operations).
TENSOR_TFLOPS_PER_SM_GHZ = 0.512
# GeForce: RTX 3090 0.08, 4090 0.16, 5090 0.12; workstation and server: RTX A6000 0.20, L40S 0.42, A100 0.15, H100 0.30.
_HALVED_TFLOPS_PER_GB_S = 0.17
# Multiply-add units for whole numbers in one SM (compute capability tables of the CUDA programming guide).
_INTEGER_LANES = {"Pascal": 128, "Maxwell": 128, "Kepler": 192}
# Pascal's large die is built like Volta: 64 lanes, and no instruction for four 8-bit products (dp4a).
_WITHOUT_DP4A = ("6.0", "5.2", "3.7", "3.5", "5.0")
# Boards of several GPUs, listed as a whole: software sees each by itself, and layers take turns on them.
GPUS_ON_BOARD = {"K80": 2, "A16": 4, "MI250": 2, "MI250X": 2}
# One dp4a replaced by four unpacked products: byte extractions and multiply-adds as llama.cpp writes them out.
_UNPACKED_INSTRUCTIONS = 6.0


@dataclass(frozen=True, slots=True)
class Physical:
    """What decides the speed of a card.

    Attributes:
        vendor: "nvidia" (also for the unknown), "amd", "apple" or "intel".
        generation: Architecture; with the compute capability where one architecture has two designs.
        clock_ghz: Boost clock. [GHz]
        sm_ghz: Multiprocessors (compute units, cores) times boost clock. [GHz]
        lane_ghz: The same in units of 64 integer lanes. [GHz]
        tensor_width: 16-bit operations of one SM in a cycle next to a GeForce SM since Turing: GA100 2, Hopper 4.
        unpacking: Instructions for a product of quantised weights, 1 with dp4a.
        bandwidth_gb_s: Memory bandwidth. [GB/s]
        power_w: Board power. [W]
        power_known: Whether the data sheet states it.
        ecc: GDDR memory with error correction in the data stream (server cards): it costs bandwidth.
        matrix_units: Whether it has tensor cores or their like.
        known: Whether cards of its maker and design were measured.
    """

    vendor: str
    generation: str
    clock_ghz: float
    sm_ghz: float
    lane_ghz: float
    tensor_width: float
    unpacking: float
    bandwidth_gb_s: float
    power_w: float
    power_known: bool
    ecc: bool
    matrix_units: bool
    known: bool


@lru_cache(maxsize=4096)
def physical(gpu: Gpu) -> Physical:
    """Return the physical figures of a card."""
    clock = (gpu.boost_clock_mhz or (USUAL_CLOCK_GHZ if gpu.vendor else STAND_IN_CLOCK_GHZ) * 1000) / 1000
    several = GPUS_ON_BOARD.get(gpu.name, 1)
    sm_ghz = _sm_ghz(gpu, clock) / several
    generation = generation_of(gpu)
    lanes = 64 if generation == "Pascal 6.0" else _INTEGER_LANES.get(gpu.architecture, 64)
    familiar = gpu.vendor in ("NVIDIA", "AMD", "Apple", "Intel") and not gpu.architecture.startswith("Gaudi")
    return Physical(
        vendor=gpu.vendor.lower() if familiar and gpu.vendor != "NVIDIA" else "nvidia",
        generation=generation,
        clock_ghz=clock,
        sm_ghz=sm_ghz,
        lane_ghz=sm_ghz * lanes / 64,
        tensor_width=_tensor_width(gpu, sm_ghz * several),
        unpacking=_UNPACKED_INSTRUCTIONS if gpu.compute_capability in _WITHOUT_DP4A else 1.0,
        bandwidth_gb_s=gpu.memory_bandwidth_gb_s / several,
        power_w=(gpu.board_power_w or max(60.0, sm_ghz * 2.2 * several)) / several,
        power_known=gpu.board_power_w is not None,
        ecc=gpu.segment == "datacenter" and (gpu.memory_type or "").startswith("GDDR"),
        matrix_units=bool(gpu.tensor_fp16_dense_tflops or gpu.tensor_bf16_dense_tflops)
        or generation in ("Blackwell 12.1", STAND_IN),
        known=familiar and gpu.compute_capability not in _UNMEASURED,
    )


def generation_of(gpu: Gpu) -> str:
    """Return the architecture, with the compute capability for the odd design out of a family.

    GA100, GP100 and the small Blackwell chip are not built like their siblings; a Turing card without
    tensor cores (GTX 16) runs other code than one with them. Of a card of which only a data sheet is given
    the middling modern generation is assumed.
    """
    if not gpu.vendor:
        return STAND_IN
    if gpu.compute_capability in ("6.0", "8.0", "12.1"):
        return f"{gpu.architecture} {gpu.compute_capability}"
    if gpu.architecture == "Turing" and not gpu.tensor_fp16_dense_tflops:
        return "Turing without tensor cores"
    return gpu.architecture


def _tensor_width(gpu: Gpu, sm_ghz: float) -> float:
    tensor = gpu.tensor_fp16_fp16acc_dense_tflops or gpu.tensor_fp16_dense_tflops
    return tensor / (2 * TENSOR_TFLOPS_PER_SM_GHZ * sm_ghz) if tensor and gpu.sm_count else 1.0


def _sm_ghz(gpu: Gpu, clock: float) -> float:
    # A core of a TPU or of Gaudi is not to be compared with an SM.
    if gpu.sm_count and gpu.segment != "tpu" and not gpu.architecture.startswith("Gaudi"):
        return gpu.sm_count * clock
    tensor = gpu.tensor_fp16_dense_tflops or gpu.tensor_bf16_dense_tflops
    if tensor:
        # GeForce cards state half the rate of workstation cards for the same SMs; they have fewer TFLOPS a GB/s.
        halved = tensor < _HALVED_TFLOPS_PER_GB_S * gpu.memory_bandwidth_gb_s
        return tensor / (TENSOR_TFLOPS_PER_SM_GHZ * (1 if halved else 2))
    return SM_GHZ_PER_GB_S * gpu.memory_bandwidth_gb_s
