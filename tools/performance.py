"""How fast: cards next to each other, tokens per second, training, batches, several cards."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from tools._efficiency import GUIDE, coefficient
from tools._errors import choice, count
from tools._hints import GPU_COUNT_HINT
from tools._llm_rates import Engine, Job, LlmRate, decode, prefill
from tools._matmul import MatmulCycles, matmul_cycles
from tools._models import find_model
from tools._relative import RelativePerformance, Use, compare
from tools._result import Result, Text
from tools._scaling import Scaling, ScalingNetwork, scale
from tools._sheet import card_or_sheet
from tools._training_rates import Network, Software, TrainingPrecision, TrainingRate, rate
from tools._training_time import TrainingTime, training_time
from tools._units import figure
from tools.memory import WeightFormat, inference_memory


def relative_performance(
    *,
    gpus: list[str],
    use: Use = "inference_16bit",
    reference: str = "H100 SXM",
) -> RelativePerformance:
    """Compare how fast cards are in deep learning, next to a reference card.

    Use it for "how fast is a 4090 next to an H100?", "3090 or 4070 Ti for inference?", "A100 over
    V100 in training". Tokens per second are for `decode_rate`.

    Args:
        gpus: Cards as people type them.
        use: 8-bit inference, 16-bit inference, or 16-bit training.
        reference: The card that counts as 1.

    Returns:
        Rows with the relative speed and its range, fastest first.

    Raises:
        ToolInputError: If a card is unknown or the list is empty.

    Notes:
        relative = 1 / sum(share x reference feature / own feature) over tensor rate, bandwidth
        times the gain of a large L2 cache, and for training SM x clock and board power. Without
        FP8 half of the INT8 rate counts. Shares were set on the guide's figures.

    References:
        Tim Dettmers, Which GPU(s) to Get for Deep Learning (2023), sections 3 to 6.
    """
    return compare(gpus, use, reference)


def decode_rate(
    *,
    gpu: str,
    model: str,
    weight_format: WeightFormat = "FP16",
    context_tokens: int = 1024,
    batch_size: int = 1,
    gpu_count: int = 1,
    engine: Engine = "llama.cpp",
    memory_gb: float | None = None,
    memory_bandwidth_gb_s: float | None = None,
    tensor_fp16_dense_tflops: float | None = None,
    board_power_w: float | None = None,
) -> LlmRate:
    """Estimate how fast a card writes tokens (chat, generation) with a language model.

    Use it for "how many tokens/s will a 4090 do with Llama 3 8B in Q4?", "do two 3090s chat
    faster?". Reading a long prompt is for `prefill_rate`.

    Args:
        gpu: Card as people type it; an unknown one needs `memory_gb` and `memory_bandwidth_gb_s`.
        model: Model or size as people type it, e.g. "llama-3-8b", "13B".
        weight_format: Number format of the weights.
        context_tokens: Tokens already in the context. [tokens]
        batch_size: Users at once. [1]
        gpu_count: Equal cards. [1]
        engine: llama.cpp splits layers over cards, vllm every matrix.
        memory_gb: Memory of an own data sheet. [GB]
        memory_bandwidth_gb_s: Bandwidth of an own data sheet. [GB/s]
        tensor_fp16_dense_tflops: Dense FP16 rate of an own data sheet. [TFLOPS]
        board_power_w: Board power of an own data sheet. [W]

    Returns:
        Tokens per second with a range, what bounds it, and whether the model fits.

    Raises:
        ToolInputError: If card, model or format is unknown or a number is absurd.

    Notes:
        time per token = bytes read / (0.93 x bandwidth) + a fixed cost of the generation / clock x
        layers / 32 + 0.056 J/GB x bytes / board power. A mixture of experts reads its active
        parameters, times 1.75. The KV cache is in FP16. Offloading to main memory is left out.

    References:
        Fitted on llama.cpp scoreboards (github.com/ggml-org/llama.cpp/discussions/15013).
    """
    return decode(_job(gpu, model, weight_format, context_tokens, batch_size, gpu_count, engine, memory_gb=memory_gb,
                       memory_bandwidth_gb_s=memory_bandwidth_gb_s, board_power_w=board_power_w,
                       tensor_fp16_dense_tflops=tensor_fp16_dense_tflops))


def prefill_rate(
    *,
    gpu: str,
    model: str,
    weight_format: WeightFormat = "FP16",
    prompt_tokens: int = 512,
    batch_size: int = 1,
    gpu_count: int = 1,
    engine: Engine = "llama.cpp",
    memory_gb: float | None = None,
    memory_bandwidth_gb_s: float | None = None,
    tensor_fp16_dense_tflops: float | None = None,
    board_power_w: float | None = None,
) -> LlmRate:
    """Estimate how fast a card reads a prompt (prefill, prompt processing), so when the answer begins.

    Use it for "how long until the first token with a 32k prompt?", "prompt speed of a 3090".

    Args:
        gpu: Card as people type it; an unknown one needs `memory_gb` and `memory_bandwidth_gb_s`.
        model: Model or size as people type it, e.g. "llama-3-8b", "13B".
        weight_format: Number format of the weights.
        prompt_tokens: Length of the prompt. [tokens]
        batch_size: Prompts at once. [1]
        gpu_count: Equal cards. [1]
        engine: llama.cpp splits layers over cards, vllm every matrix.
        memory_gb: Memory of an own data sheet. [GB]
        memory_bandwidth_gb_s: Bandwidth of an own data sheet. [GB/s]
        tensor_fp16_dense_tflops: Dense FP16 rate of an own data sheet. [TFLOPS]
        board_power_w: Board power of an own data sheet. [W]

    Returns:
        Tokens per second with a range, and `time_s` until the prompt is read.

    Raises:
        ToolInputError: If card, model or format is unknown or a number is absurd.

    Notes:
        time = operations / (utilization of the generation x tensor rate) + 1.49 J/TFLOP x operations /
        board power, at least the time to read the weights once. Operations = 2 x active parameters x
        tokens plus attention.

    References:
        Fitted on llama.cpp scoreboards (github.com/ggml-org/llama.cpp/discussions/15013).
    """
    return prefill(_job(gpu, model, weight_format, prompt_tokens, batch_size, gpu_count, engine, memory_gb=memory_gb,
                        memory_bandwidth_gb_s=memory_bandwidth_gb_s, board_power_w=board_power_w,
                        tensor_fp16_dense_tflops=tensor_fp16_dense_tflops))


def _job(gpu: str, model: str, weight_format: WeightFormat, tokens: int, batch_size: int, gpu_count: int, engine: str,
         **sheet: float | None) -> Job:
    card, notes = card_or_sheet(gpu, **sheet)
    count("gpu_count", gpu_count, high=64, hint=GPU_COUNT_HINT)
    need = inference_memory(model=model, weight_format=weight_format, context_tokens=tokens, batch_size=batch_size,
                            gpu_count=gpu_count)
    return Job(card, notes, find_model(model), need.weight_format, need.context_tokens, need.batch_size, need.gpu_count,
               choice("engine", engine, ("llama.cpp", "vllm")), need.per_gpu_gb)


def training_rate(
    *,
    gpu: str,
    network: Network,
    precision: TrainingPrecision = "fp16",
    gpu_count: int = 1,
    batch_size: int | None = None,
    software: Software = "v1",
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

    Returns:
        Samples per second with a range; `basis` says whether this card was measured.

    Raises:
        ToolInputError: If card or network is unknown or a number is absurd.

    Notes:
        A measured rate times 1 / sum(share x feature ratio) over tensor rate, SM x clock, bandwidth
        and board power, times a power of the memory ratio (larger batches); smaller batches lose
        13.6 % per halving; several cards as in `multi_gpu_speedup`.

    References:
        Lambda deep-learning benchmark (github.com/lambdal/deeplearning-benchmark).
    """
    return rate(gpu, network, precision, gpu_count, batch_size, software)


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
        speedup = n / (1 + waiting x (n - 1)^1.5 + exchange x 2 (n - 1) / n x (reference bus / bus)^0.4
        x pace); the exchange is hidden from 100 GB/s on. Eight A100 give the guide's 7.00; eight
        V100 take 5 % (CNN) or 7 % (transformer) more time.

    References:
        Tim Dettmers (2023), sections 4.1 and 9; Lambda deep-learning benchmark.
    """
    return scale(gpu, gpu_count, network, interconnect)


@dataclass(frozen=True, kw_only=True)
class BatchSpeedup(Result):
    """Effect of the batch size on throughput.

    Attributes:
        doublings: Doublings from one batch size to the other.
        speedup: Throughput over that at `from_batch`. [1]
        gain_share: speedup - 1. [1]
    """

    from_batch: int
    to_batch: int
    network: str
    doublings: float
    speedup: float
    gain_share: float


def batch_speedup(*, from_batch: int, to_batch: int, network: Literal["cnn", "transformer"] = "cnn") -> BatchSpeedup:
    """Say how much training throughput rises with the batch size, by the guide's rule.

    Use it for "what does batch 64 instead of 8 bring?". It holds for batches that fit.

    Args:
        from_batch: Batch size now. [1]
        to_batch: Batch size then. [1]
        network: cnn (13.6 % per doubling) or transformer (13.5 %).

    Returns:
        The speed-up and the gain.

    Raises:
        ToolInputError: If a batch size is no whole number above 0.

    Notes:
        speedup = 1.136 ^ log2(to / from). Measured on one card; it flattens at very large batches.

    References:
        Tim Dettmers (2023), section 4.1 (RTX Titan).
    """
    hint = Text("Give a batch size, e.g. 32.", "请给出批量大小，例如 32。")
    start = count("from_batch", from_batch, high=10_000_000, hint=hint)
    end = count("to_batch", to_batch, high=10_000_000, hint=hint)
    kind = choice("network", network, ("cnn", "transformer"))
    gain, doublings = coefficient(f"batch.gain_{kind}"), math.log2(end / start)
    speedup = gain**doublings
    return BatchSpeedup(
        from_batch=start, to_batch=end, network=kind, doublings=doublings, speedup=speedup, gain_share=speedup - 1,
        steps=(f"doublings = log2({end} / {start}) = {figure(doublings)}",
               f"speedup = {figure(gain)}^{figure(doublings)} = {figure(speedup)}",
               f"gain_share = {figure(speedup)} - 1 = {figure(speedup - 1)}"),
        assumptions=(Text("Measured on an RTX Titan; the gain flattens at very large batches.",
                          "在 RTX Titan 上测得；批量很大时增益会变小。"),),
        sources=(GUIDE,))


TOOLS = (relative_performance, decode_rate, prefill_rate, training_rate, training_time, matmul_cycles, batch_speedup,
         multi_gpu_speedup)

__all__ = ["TOOLS", "BatchSpeedup", "LlmRate", "MatmulCycles", "RelativePerformance", "Scaling", "TrainingRate",
           "TrainingTime", "batch_speedup", "decode_rate", "matmul_cycles", "multi_gpu_speedup", "prefill_rate",
           "relative_performance", "training_rate", "training_time"]
