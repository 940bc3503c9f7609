"""How fast: cards next to each other, tokens per second, training, batches, several cards."""

from __future__ import annotations

from collections.abc import Callable

from tools._batch import BatchSpeedup, batch_speedup
from tools._errors import choice, count
from tools._hints import GPU_COUNT_HINT
from tools._llm_rates import Engine, Job, LlmRate, decode, prefill
from tools._matmul import MatmulCycles, matmul_cycles
from tools._models import find_model
from tools._relative import RelativePerformance, Use, compare
from tools._result import Text
from tools._scaling import Scaling, ScalingNetwork, scale
from tools._sheet import card_or_sheet, find_card
from tools._training_rates import Network, Software, TrainingPrecision, TrainingRate, rate
from tools._training_time import TrainingTime, training_time
from tools.memory import WeightFormat, inference_memory

MIXED = Text(
    "Of different cards the slowest decides; all are taken to be like it.",
    "不同型号混插时由最慢的卡决定，按全部与它相同计。",
)


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
    other_gpus: list[str] | None = None,
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
        gpu_count: Cards of that kind. [1]
        other_gpus: Further cards of other kinds beside them; the slowest decides.
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
        time per token = smooth maximum of bytes / bandwidth and bytes / (SM x clock), + cache, + fixed
        cycles of the generation / clock x layers / 32, + unpacking / (SM x clock), + bytes / board power;
        factors fitted, see docs/how-it-computes.md. A mixture of experts reads 1.8 times its active
        parameters. The KV cache is in FP16. Offloading to main memory is left out.

    References:
        Fitted on llama.cpp scoreboards (github.com/ggml-org/llama.cpp/discussions/15013).
    """
    return _slowest(
        decode,
        other_gpus,
        gpu,
        model,
        weight_format,
        context_tokens,
        batch_size,
        gpu_count,
        engine,
        memory_gb=memory_gb,
        memory_bandwidth_gb_s=memory_bandwidth_gb_s,
        board_power_w=board_power_w,
        tensor_fp16_dense_tflops=tensor_fp16_dense_tflops,
    )


def prefill_rate(
    *,
    gpu: str,
    model: str,
    weight_format: WeightFormat = "FP16",
    prompt_tokens: int = 512,
    batch_size: int = 1,
    gpu_count: int = 1,
    other_gpus: list[str] | None = None,
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
        gpu_count: Cards of that kind. [1]
        other_gpus: Further cards of other kinds beside them; the slowest decides.
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
        time = smooth maximum of operations / (SM x clock) and the same under the power limit, where the
        clock falls with (SM x clock / board power)^0.5, + moved bytes / bandwidth + fixed cycles; factors
        fitted by generation. At least the time to read the weights once.

    References:
        Fitted on llama.cpp scoreboards (github.com/ggml-org/llama.cpp/discussions/15013).
    """
    return _slowest(
        prefill,
        other_gpus,
        gpu,
        model,
        weight_format,
        prompt_tokens,
        batch_size,
        gpu_count,
        engine,
        memory_gb=memory_gb,
        memory_bandwidth_gb_s=memory_bandwidth_gb_s,
        board_power_w=board_power_w,
        tensor_fp16_dense_tflops=tensor_fp16_dense_tflops,
    )


def _slowest(
    rate: Callable[[Job], LlmRate],
    others: list[str] | None,
    gpu: str,
    model: str,
    weight_format: WeightFormat,
    tokens: int,
    batch_size: int,
    gpu_count: int,
    engine: str,
    **sheet: float | None,
) -> LlmRate:
    """Compute the rate; of different cards that of the slowest, as if all were like it."""
    further = [] if others is None else list(others)
    cards = count("gpu_count", gpu_count, high=64, hint=GPU_COUNT_HINT) + len(further)
    need = inference_memory(
        model=model, weight_format=weight_format, context_tokens=tokens, batch_size=batch_size, gpu_count=cards
    )
    way, found = choice("engine", engine, ("llama.cpp", "vllm")), find_model(model)
    results: list[LlmRate] = []
    for name, given in ((gpu, sheet), *((each, dict[str, float | None]()) for each in further)):
        card, notes = card_or_sheet(name, **given)
        if further:
            notes = (*notes, MIXED)
        own = any(value is not None for value in given.values())
        results.append(
            rate(
                Job(
                    card,
                    notes,
                    found,
                    need.weight_format,
                    need.context_tokens,
                    need.batch_size,
                    cards,
                    way,
                    need.per_gpu_gb,
                    own,
                )
            )
        )
    return min(results, key=lambda result: (result.fits, result.tokens_per_s))


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
