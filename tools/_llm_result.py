"""The result of the speed tools for language models, with what has to be said about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tools._cards import source_of
from tools._catalog import Gpu
from tools._efficiency import LLAMA_CPP
from tools._measured import Fact, stands_for
from tools._models import FoundModel
from tools._physical import GPUS_ON_BOARD
from tools._result import Result, Text
from tools._units import figure

Bound = Literal["memory_bandwidth", "compute", "fixed_cost", "network"]
# One host predicts another with the same card to a few percent only.
MEASURED_ERROR = 0.05


@dataclass(frozen=True, kw_only=True)
class LlmRate(Result):
    """Speed of a language model.

    Attributes:
        tokens_per_s: Over all sequences together. [tokens/s]
        low_tokens_per_s: Lower end of the range. [tokens/s]
        high_tokens_per_s: Upper end of the range. [tokens/s]
        per_user_tokens_per_s: For one sequence. [tokens/s]
        ceiling_tokens_per_s: What no software can pass on this data sheet. [tokens/s]
        time_s: A token (writing), or the whole prompts (reading). [s]
        basis: "measured" (this card and workload), or "modelled" (fitted on public measurements).
        bound: What takes most of the time.
        modelled_tokens_per_s: What the model says, beside a measured rate. [tokens/s]
        measured_tokens_per_s: What was measured on one such card with this model and format, perhaps at another
            length or with older software; null where nothing was. [tokens/s]
        needed_per_gpu_gb: Memory that one card needs. [GB]
        gpu_memory_gb: Memory that it has. [GB]
        fits: Whether it holds.
    """

    gpu: str
    model_name: str
    weight_format: str
    gpu_count: int
    batch_size: int
    engine: str
    tokens_per_s: float
    low_tokens_per_s: float
    high_tokens_per_s: float
    per_user_tokens_per_s: float
    ceiling_tokens_per_s: float
    time_s: float
    basis: str
    bound: Bound
    modelled_tokens_per_s: float
    measured_tokens_per_s: float | None
    needed_per_gpu_gb: float
    gpu_memory_gb: float
    fits: bool


@dataclass(frozen=True, slots=True)
class Job:
    """What is asked: the card, the model and how it is run."""

    card: Gpu
    card_notes: tuple[Text, ...]
    found: FoundModel
    weight_format: str
    tokens: int
    batch_size: int
    gpu_count: int
    engine: str
    needed_per_gpu_gb: float
    own_figures: bool = False


@dataclass(frozen=True, slots=True)
class Speed:
    """What the model says."""

    rate: float
    low: float
    high: float
    ceiling: float
    time_s: float
    bound: Bound
    steps: tuple[str, ...]


def rate_result(job: Job, speed: Speed, fact: Fact | None) -> LlmRate:
    """Put the result together; a measured rate goes before the model's."""
    card = job.card
    fits = job.needed_per_gpu_gb <= card.memory_gb
    rate, low, high, steps = speed.rate, speed.low, speed.high, speed.steps
    exact = fact is not None and job.batch_size == 1 and job.gpu_count == 1 and stands_for(fact, job.tokens)
    if fact and exact:
        rate, low, high = fact.value, fact.value * (1 - MEASURED_ERROR), fact.value * (1 + MEASURED_ERROR)
        steps = (
            f"measured: {fact.amount} tokens at {figure(fact.value)} tokens/s, median of {fact.count}"
            f" ({fact.source.date})",
            *steps,
        )
    elif fact and job.batch_size == 1 and job.gpu_count == 1 and job.tokens <= 2 * fact.amount:
        # The measurement with older software stays inside the range.
        low = min(low, fact.value)
    return LlmRate(
        gpu=card.name,
        model_name=job.found.model.name,
        weight_format=job.weight_format,
        gpu_count=job.gpu_count,
        batch_size=job.batch_size,
        engine=job.engine,
        tokens_per_s=rate,
        low_tokens_per_s=low,
        high_tokens_per_s=high,
        per_user_tokens_per_s=rate / job.batch_size,
        ceiling_tokens_per_s=max(speed.ceiling, rate),
        time_s=speed.time_s * speed.rate / rate,
        basis="measured" if exact else "modelled",
        bound=speed.bound,
        modelled_tokens_per_s=speed.rate,
        measured_tokens_per_s=fact.value if fact else None,
        needed_per_gpu_gb=job.needed_per_gpu_gb,
        gpu_memory_gb=card.memory_gb,
        fits=fits,
        steps=steps,
        assumptions=(*job.card_notes, *job.found.assumptions, *_assumptions(job, fact)),
        warnings=(*(() if fits else (_too_large(job),)), *_warnings(job)),
        sources=((fact.source,) if fact else ())
        + ((source_of(card),) if card.as_of else ())
        + (*job.found.sources, LLAMA_CPP),
    )


def _assumptions(job: Job, fact: Fact | None) -> tuple[Text, ...]:
    notes = [
        Text("Everything lies in GPU memory; software of 2025 and 2026.", "全部放在显存里；软件按 2025 至 2026 年计。")
    ]
    if fact and fact.software != "2025":
        value = figure(fact.value)
        notes.append(
            Text(
                f"Measured in May 2024 over {fact.amount} tokens: {value} tokens/s; it has become faster.",
                f"2024 年 5 月实测（{fact.amount} 个 token）：{value} token/s；llama.cpp 此后更快了。",
            )
        )
    if job.gpu_count > 1:
        notes.append(
            Text(
                "vLLM splits every matrix over the cards."
                if job.engine == "vllm"
                else "llama.cpp gives each card some layers: they take turns on one user's token.",
                "vLLM 把每个矩阵切到各卡上。"
                if job.engine == "vllm"
                else "llama.cpp 按层分到各卡：单个用户的一个 token 要各卡轮流算。",
            )
        )
    return tuple(notes)


def _too_large(job: Job) -> Text:
    need, has = figure(round(job.needed_per_gpu_gb, 1)), figure(job.card.memory_gb)
    return Text(
        f"It does not fit: a card needs {need} GB and has {has} GB. With layers in main memory it is many times"
        " slower.",
        f"放不下：每张卡需要 {need} GB，只有 {has} GB。把部分层放到内存会慢很多倍。",
    )


def _warnings(job: Job) -> tuple[Text, ...]:
    notes: list[Text] = []
    if job.gpu_count > 1 and job.engine == "llama.cpp":
        notes.append(
            Text(
                "A layer split holds larger models; it does not speed up a single user.",
                "按层切分能装下更大的模型，但不会让单个用户变快。",
            )
        )
    if job.weight_format == "NF4":
        notes.append(
            Text(
                "bitsandbytes NF4 saves memory, not time; AWQ, GPTQ or GGUF are faster.",
                "bitsandbytes 的 NF4 省显存，不省时间；AWQ、GPTQ 或 GGUF 更快。",
            )
        )
    several = GPUS_ON_BOARD.get(job.card.name)
    if several:
        notes.append(
            Text(
                f"{job.card.name} is a board of {several} GPUs: a model sees one of them unless it is split,"
                " and layers take turns on them.",
                f"{job.card.name} 是一块板上 {several} 个 GPU：不切分只能用其中一个，按层切分时轮流计算。",
            )
        )
    missing = {"FP8": job.card.tensor_fp8_dense_tflops, "FP4": job.card.tensor_fp4_dense_tflops}
    if job.weight_format in missing and not missing[job.weight_format]:
        bits = job.weight_format
        notes.append(
            Text(
                f"{job.card.name} has no {bits} units that are known: such weights save memory and bandwidth,"
                " but are unpacked to 16 bit for computing.",
                f"{job.card.name} 没有已知的 {bits} 运算单元：这种权重省显存和带宽，计算时仍展开成 16 位。",
            )
        )
    return tuple(notes)
