"""The guide's example: cycles of a small matrix multiply, with and without tensor cores."""

from __future__ import annotations

from dataclasses import dataclass

from tools._efficiency import GUIDE
from tools._errors import ToolInputError, count
from tools._result import Result, Text
from tools._units import figure

# Cycles on Ampere (Dettmers 2023, section 3.1). The example fetches from L2 (200), not from global memory (380).
FETCH_CYCLES, SHARED_CYCLES, FFMA_CYCLES, TENSOR_CYCLES = 200, 34, 4, 1
# Eight SMs share the example's 32 x 32 tile: each reads shared memory eight times and multiplies eight times.
PLAIN_ACCESSES = 8
EXAMPLE_SIZE = 32
# One operation of a tensor core is a 4 x 4 multiply.
TENSOR_TILE = 4


@dataclass(frozen=True, kw_only=True)
class MatmulCycles(Result):
    """Cycles of one tile.

    Attributes:
        cycles: With the units asked for. [cycles]
        plain_cycles: Without tensor cores. [cycles]
        tensor_core_cycles: With tensor cores and waiting loads. [cycles]
        async_cycles: With tensor cores and overlapped loads, mean of a tile. [cycles]
        speedup_over_plain: plain_cycles / cycles. [1]
        share_of_plain: cycles / plain_cycles. [1]
        saved_share: 1 - cycles / the next slower way. [1]
        tensor_core_operations: 4 x 4 multiplies of the tile.
        tensor_cores_available: Tensor cores of the SMs.
        tensor_rounds: How often the tensor cores must run.
        threads_per_sm: Threads that one SM holds: 32 warps of 32. [threads]
    """

    cycles: float
    plain_cycles: float
    tensor_core_cycles: float
    async_cycles: float
    speedup_over_plain: float
    share_of_plain: float
    saved_share: float
    tensor_core_operations: int
    tensor_cores_available: int
    tensor_rounds: int
    covered_at_once: bool
    threads_per_sm: int


def matmul_cycles(
    *,
    tensor_cores: bool = True,
    async_copy: bool = False,
    matrix_size: int = EXAMPLE_SIZE,
    sm_count: int = 8,
    tensor_cores_per_sm: int = 8,
) -> MatmulCycles:
    """Count the cycles of the guide's small matrix multiply, with or without tensor cores and async copies.

    Use it for "why are tensor cores faster?", "what does a matrix multiply cost in cycles?", "what do tensor
    cores or TMA bring?", "how many 4x4 operations are that?".

    Args:
        tensor_cores: Whether tensor cores multiply.
        async_copy: Whether TMA or asynchronous copies overlap the loads; needs tensor cores.
        matrix_size: Side of the square matrices, a multiple of 4. [1]
        sm_count: Multiprocessors at work. [1]
        tensor_cores_per_sm: Tensor cores of each. [1]

    Returns:
        Cycles of this way and the others, speed-up and tensor-core operations.

    Raises:
        ToolInputError: If the size is no multiple of 4, or async_copy is asked without tensor cores.

    Notes:
        plain = 200 + 8 x 34 + 8 x 4; tensor = 200 + 34 + 1; overlapped = (200 - 34 - 1) + 34 + 1,
        because the next tile is fetched meanwhile. Larger tiles repeat the on-chip work (rounds),
        not the fetch: a rough extension of the example.

    References:
        Tim Dettmers, Which GPU(s) to Get for Deep Learning (2023), section 3.1. The Chinese
        translation lost its multiplication signs: "834" is 8 x 34.
    """
    size = count(
        "matrix_size",
        matrix_size,
        low=4,
        high=4096,
        hint=Text("Give the side of the matrix, e.g. 32.", "请给出矩阵边长，例如 32。"),
    )
    if size % TENSOR_TILE:
        raise ToolInputError(
            f"`matrix_size` must be a multiple of 4, got {size}. Give e.g. 32.",
            f"`matrix_size` 必须是 4 的倍数，收到的是 {size}。例如 32。",
        )
    if async_copy and not tensor_cores:
        raise ToolInputError(
            "`async_copy` needs `tensor_cores`: the example overlaps loads with tensor cores only.",
            "`async_copy` 需要 `tensor_cores`：示例只在 Tensor Core 上重叠加载。",
        )
    sms = count(
        "sm_count", sm_count, high=1000, hint=Text("Give the number of SMs, e.g. 8.", "请给出 SM 数量，例如 8。")
    )
    each = count(
        "tensor_cores_per_sm",
        tensor_cores_per_sm,
        high=64,
        hint=Text("Ampere has 4, the example takes 8.", "Ampere 为 4，示例取 8。"),
    )
    operations, available = (size // TENSOR_TILE) ** 2, sms * each
    rounds = _ceil(operations, available)
    accesses = _ceil(PLAIN_ACCESSES * size * size * 8, EXAMPLE_SIZE * EXAMPLE_SIZE * sms)
    plain = FETCH_CYCLES + accesses * SHARED_CYCLES + accesses * FFMA_CYCLES
    tensor = FETCH_CYCLES + rounds * (SHARED_CYCLES + TENSOR_CYCLES)
    overlapped = max(FETCH_CYCLES, rounds * (SHARED_CYCLES + TENSOR_CYCLES))
    cycles = overlapped if async_copy else tensor if tensor_cores else plain
    slower = tensor if async_copy else plain
    return MatmulCycles(
        cycles=cycles,
        plain_cycles=plain,
        tensor_core_cycles=tensor,
        async_cycles=overlapped,
        speedup_over_plain=plain / cycles,
        share_of_plain=cycles / plain,
        saved_share=1 - cycles / slower,
        tensor_core_operations=operations,
        tensor_cores_available=available,
        tensor_rounds=rounds,
        covered_at_once=rounds == 1,
        threads_per_sm=32 * 32,
        steps=_steps(tensor_cores, async_copy, accesses, rounds, plain, tensor, overlapped, size, sms, each),
        assumptions=(
            Text(
                "Latencies of Ampere as the guide gives them; its example fetches from L2 (200), not from"
                " global memory (380).",
                "采用指南给出的 Ampere 延迟；示例从 L2 取数（200），不是全局内存（380）。",
            ),
        ),
        sources=(GUIDE,),
    )


def _ceil(numerator: int, denominator: int) -> int:
    """Return the quotient rounded up."""
    return -(-numerator // denominator)


def _steps(
    tensor_cores: bool,
    async_copy: bool,
    accesses: int,
    rounds: int,
    plain: int,
    tensor: int,
    overlapped: int,
    size: int,
    sms: int,
    each: int,
) -> tuple[str, ...]:
    side = size // TENSOR_TILE
    times = "" if rounds == 1 else f"{rounds} x "
    chip = f"{times}{SHARED_CYCLES} + {times}{TENSOR_CYCLES}"
    steps = [f"plain_cycles = {FETCH_CYCLES} + {accesses} x {SHARED_CYCLES} + {accesses} x {FFMA_CYCLES} = {plain}"]
    if tensor_cores:
        steps += [
            f"tensor_core_cycles = {FETCH_CYCLES} + {chip} = {tensor}",
            f"tensor_core_operations = ({size} / {TENSOR_TILE})^2 = {side} x {side} = {side * side}",
            f"tensor_cores_available = {sms} x {each} = {sms * each}",
        ]
    if async_copy:
        waiting = (
            f"({FETCH_CYCLES} - {SHARED_CYCLES} - {TENSOR_CYCLES})"
            if rounds == 1
            else (f"max({FETCH_CYCLES} - {rounds} x {SHARED_CYCLES + TENSOR_CYCLES}, 0)")
        )
        steps.append(f"async_cycles = {waiting} + {chip} = {overlapped}")
    cycles = overlapped if async_copy else tensor if tensor_cores else plain
    steps.append(f"speedup_over_plain = {plain} / {cycles} = {figure(plain / cycles)}")
    return tuple(steps)
