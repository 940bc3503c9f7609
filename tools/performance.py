"""How fast: cards next to each other, tokens per second, training, batches, several cards."""

from __future__ import annotations

from tools._batch import BatchSpeedup, batch_speedup
from tools._llm_rates import LlmRate
from tools._llm_speed import decode_rate, prefill_rate
from tools._matmul import MatmulCycles, matmul_cycles
from tools._relative import RelativePerformance, Use, compare
from tools._scaling import Scaling, ScalingNetwork, scale
from tools._sheet import card_or_sheet, find_card
from tools._training_rates import Network, Software, TrainingPrecision, TrainingRate, rate
from tools._training_time import TrainingTime, training_time


def relative_performance(
    *,
    gpus: list[str],
    use: Use = "inference_16bit",
    reference: str = "H100 SXM",
) -> RelativePerformance:
    """Compare how fast cards are in deep learning, next to a reference card.

    Use it for "how fast is a 4090 next to an H100?", "3090 or 4070 Ti for inference?", "A100 over
    V100 in training", "which one for local LLMs?". Tokens per second are for `decode_rate`.

    Args:
        gpus: Cards as people type them.
        use: 8-bit inference, 16-bit inference, 16-bit training, or writing tokens for one user (llm_decode).
        reference: The card that counts as 1.

    Returns:
        Rows with the relative speed and its range, fastest first.

    Raises:
        ToolInputError: If a card is unknown or the list is empty.

    Notes:
        time = sum(share x an RTX 3090's feature / own feature) over tensor rate, bandwidth times the
        gain of a large L2 cache, and for training SM x clock and board power; relative = the reference's
        time / own time. Without FP8 half of the INT8 rate counts. Shares were set on the guide's figures. Writing is the ratio of
        two rates of `decode_rate` with Llama 3 8B in Q4_K_M, wherever that fits.

    References:
        Tim Dettmers, Which GPU(s) to Get for Deep Learning (2023), sections 3 to 6.
    """
    return compare(gpus, use, reference)


def training_rate(
    *,
    gpu: str,
    network: Network,
    precision: TrainingPrecision = "fp16",
    gpu_count: int = 1,
    batch_size: int | None = None,
    software: Software = "v1",
    memory_gb: float | None = None,
    memory_bandwidth_gb_s: float | None = None,
    tensor_fp16_dense_tflops: float | None = None,
    board_power_w: float | None = None,
) -> TrainingRate:
    """Estimate how many images, sequences or tokens per second a card trains on a known network.

    Use it for "ResNet50 images/s on a 4090?", "BERT-large on 4 A6000?". Language models by tokens
    are for `training_time`.

    Args:
        gpu: Card as people type it.
        network: One of six networks of the Lambda benchmark.
        precision: fp16 (automatic mixed precision) or fp32 (TF32 where the card has it).
        gpu_count: Equal cards in one machine. [1]
        batch_size: Samples per card; without it the largest that fits. [1]
        software: v0 (2020 to 2022), v1 (2022) or v2 (2024); never compare across them.
        memory_gb: Memory of an own data sheet. [GB]
        memory_bandwidth_gb_s: Bandwidth of an own data sheet. [GB/s]
        tensor_fp16_dense_tflops: Dense FP16 rate of an own data sheet. [TFLOPS]
        board_power_w: Board power of an own data sheet. [W]

    Returns:
        Samples per second with a range; `basis` says whether this card was measured.

    Raises:
        ToolInputError: If card or network is unknown or a number is absurd.

    Notes:
        time of a sample = (tensor^1.2 + shader^1.2 + memory^1.2 + power^1.2)^(1/1.2) + step / batch: weights
        over tensor rate, SM x clock, bandwidth and board power, fitted for each network; the step costs
        weights over bandwidth (large networks) or launches over clock. Several cards as in
        `multi_gpu_speedup`.

    References:
        Lambda deep-learning benchmark (github.com/lambdal/deeplearning-benchmark).
    """
    sheet = {
        "memory_gb": memory_gb,
        "memory_bandwidth_gb_s": memory_bandwidth_gb_s,
        "board_power_w": board_power_w,
        "tensor_fp16_dense_tflops": tensor_fp16_dense_tflops,
    }
    card, notes = card_or_sheet(gpu, **sheet)
    return rate(
        card,
        notes,
        network,
        precision,
        gpu_count,
        batch_size,
        software,
        any(value is not None for value in sheet.values()),
    )


def multi_gpu_speedup(
    *,
    gpu: str,
    gpu_count: int,
    network: ScalingNetwork = "resnet50",
    interconnect: str | None = None,
) -> Scaling:
    """Estimate how much faster several equal cards train than one (data parallel).

    Use it for "are four 3090s four times as fast?", "does NVLink help?", "PCIe 3.0 or 4.0?", "two
    machines over 10 Gbit/s".

    Args:
        gpu: Card as people type it.
        gpu_count: Cards. [1]
        network: What is trained; "cnn" or "transformer" in general.
        interconnect: "NVLink", "PCIe 4.0 x16", "PCIe 3.0 x8", "100 Gbit/s"; without it the card's own.

    Returns:
        Speed-up with its range, and the efficiency.

    Raises:
        ToolInputError: If the card is unknown, has no NVLink, or the link cannot be read.

    Notes:
        speedup = n / (1 + waiting x (n - 1)^1.5 + exchange x 2 (n - 1) / n x steps per second x
        (31.5 GB/s / link)^0.4); a quarter of it with direct transfers, nothing over NVLink switches. Eight
        A100 give the guide's 7.00; eight V100 take 5 % (CNN) or 7 % (transformer) more time.

    References:
        Tim Dettmers (2023), sections 4.1 and 9; Lambda deep-learning benchmark.
    """
    return scale(find_card(gpu).gpu, gpu_count, network, interconnect)


TOOLS = (
    relative_performance,
    decode_rate,
    prefill_rate,
    training_rate,
    training_time,
    matmul_cycles,
    batch_speedup,
    multi_gpu_speedup,
)

__all__ = [
    "TOOLS",
    "BatchSpeedup",
    "LlmRate",
    "MatmulCycles",
    "RelativePerformance",
    "Scaling",
    "TrainingRate",
    "TrainingTime",
    "batch_speedup",
    "decode_rate",
    "matmul_cycles",
    "multi_gpu_speedup",
    "prefill_rate",
    "relative_performance",
    "training_rate",
    "training_time",
]
