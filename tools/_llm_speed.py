"""How fast a language model writes (decode) and reads (prefill) on a card, on several, or on mixed ones."""

from __future__ import annotations

from collections.abc import Callable

from tools._errors import choice, count
from tools._hints import GPU_COUNT_HINT
from tools._llm_rates import Engine, Job, LlmRate, decode, prefill
from tools._models import find_model
from tools._result import Text
from tools._sheet import card_or_sheet
from tools.memory import WeightFormat, inference_memory

MIXED = Text(
    "Of different cards the slowest decides; all are taken to be like it.",
    "不同型号混插时由最慢的卡决定，按全部与它相同计。",
)


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
