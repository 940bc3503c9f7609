"""How fast cards write tokens and read prompts: the fitted times of one card, then batches, engines and splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tools._catalog import Gpu
from tools._efficiency import coefficient, coefficients, error_of, tensor_16bit_tflops
from tools._formats import WEIGHT_BITS
from tools._kv import kv_cache_of
from tools._llm_model import Load, decode_parts, kind_of, prefill_parts
from tools._llm_result import Bound, Job, LlmRate, Speed, rate_result
from tools._measured import Fact, language_fact
from tools._physical import Physical, generation_of, physical
from tools._scaling_model import link_kind
from tools._timing import Timing, timing
from tools._units import figure
from tools._work import active_parameters_b, is_mixture, prompt_operations, weights_read_gb

Engine = Literal["llama.cpp", "vllm"]
NEWER = ("Ampere", "Ada", "Hopper", "Blackwell")
_PARTS_OF_BANDWIDTH = ("memory", "requests", "cache")

__all__ = ["Bound", "Engine", "Job", "LlmRate", "decode", "prefill"]


@dataclass(frozen=True, slots=True)
class _Token:
    """One token's time [ms]: in all, its parts, and attention without flash kernels, as taken, and at best."""

    total: float
    times: Timing
    unfused: float
    attention: float
    fused: float


def decode(job: Job) -> LlmRate:
    """Compute the speed of writing."""
    model, batch, card = job.found.model, job.batch_size, physical(job.card)
    read = weights_read_gb(model, job.weight_format, batch) * _nf4_factor(job.weight_format)
    cache = kv_cache_of(model, tokens=job.tokens, kv_format="FP16", batch_size=batch).bytes_total / 1e9
    split = job.gpu_count if job.engine == "vllm" else 1
    token = _token(card, Load(read / split, cache / split, model.layers or 32, kind_of(job.weight_format)))
    compute_ms = 2 * active_parameters_b(model) * batch / (_batch_tflops(job) * split)
    link_ms = _link_ms(job) if split > 1 else 0.0
    turns = 1.0 if split > 1 else 1 + coefficient("decode.layer_split_loss") * (job.gpu_count - 1)
    fixed_ms = token.times.parts["fixed"]
    model_ms = (max(token.total - fixed_ms, compute_ms) + fixed_ms) * turns + link_ms
    known = _fact(job, "decode")
    own = 1.0 if known is None else known.value * _fact_seconds(job, card, known)
    time_ms = model_ms / own
    rate = batch / time_ms * 1000
    ceiling = batch * card.bandwidth_gb_s * split / (read + cache)
    steps = (
        f"weights read = {figure(read)} GB, kv_cache = {figure(cache)} GB at {job.tokens} tokens x {batch}",
        *_part_steps(token.times, "ms", token.attention),
        *_overlap_step(token.times),
        f"compute = {figure(compute_ms)} ms, links = {figure(link_ms)} ms",
        *_own_step(own),
        f"tokens_per_s = {batch} / (((max({figure(token.total - fixed_ms)}, {figure(compute_ms)})"
        f" + {figure(fixed_ms)}) x {figure(turns)} + {figure(link_ms)}) / {figure(own)}) ms"
        f" = {figure(rate)} tokens/s",
        f"ceiling_tokens_per_s = {batch} x {figure(card.bandwidth_gb_s)} GB/s x {split} / {figure(read + cache)}"
        f" GB = {figure(ceiling)} tokens/s",
    )
    bound = _bound(
        {
            "memory_bandwidth": sum(token.times.parts.get(name, 0.0) for name in _PARTS_OF_BANDWIDTH),
            "compute": compute_ms + token.times.parts.get("unpack", 0.0),
            "fixed_cost": fixed_ms,
            "network": link_ms,
        }
    )
    low, high = _range(job, "decode", rate)
    # Either end of the attention: as measured without flash kernels, or the cache read just once.
    low /= 1 + (token.unfused - token.attention) / model_ms
    high *= 1 + (token.attention - token.fused) / model_ms
    return rate_result(job, Speed(rate, low, high, ceiling, time_ms / 1000, bound, steps), known)


def _token(card: Physical, load: Load) -> _Token:
    times = timing(decode_parts(card, load), coefficient("decode.overlap_exponent"), coefficients())
    unfused = times.parts.get("cache", 0.0)
    fused = min(unfused, load.cache_gb * 1000 / card.bandwidth_gb_s)
    # Attention without flash kernels was measured; today's read the cache about once. The truth lies between.
    attention = unfused if load.old else (unfused * fused) ** 0.5
    return _Token(times.total - unfused + attention, times, unfused, attention, fused)


def _fact_seconds(job: Job, card: Physical, fact: Fact) -> float:
    """Return what the model says for the conditions of a measurement: seconds for a token."""
    model, old = job.found.model, fact.software != "2025"
    if fact.workload == "prefill":
        work = prompt_operations(model, fact.amount, 1)
        load = Load(0.0, 0.0, model.layers or 32, kind_of(job.weight_format), work, old=old)
        return (
            timing(prefill_parts(card, load), coefficient("prefill.overlap_exponent"), coefficients()).total
            / fact.amount
        )
    cache = kv_cache_of(model, tokens=max(1, fact.amount // 2), kv_format="FP16", batch_size=1).bytes_total / 1e9
    read = weights_read_gb(model, job.weight_format, 1)
    return _token(card, Load(read, cache, model.layers or 32, kind_of(job.weight_format), old=old)).total / 1000


def prefill(job: Job) -> LlmRate:
    """Compute the speed of reading a prompt."""
    model, batch, card = job.found.model, job.batch_size, physical(job.card)
    work = prompt_operations(model, job.tokens, batch)
    read = weights_read_gb(model, job.weight_format, job.tokens * batch)
    memory_s = read / card.bandwidth_gb_s
    if job.engine == "vllm":
        compute_s = work / (tensor_16bit_tflops(job.card) * coefficient("prefill.utilization_vllm"))
        gain = 1 + (job.gpu_count - 1) * coefficient("prefill.tensor_split_gain")
        detail: tuple[str, ...] = (
            f"compute = {figure(work)} x 10^12 operations / ({figure(tensor_16bit_tflops(job.card))} TFLOPS"
            f" x {figure(coefficient('prefill.utilization_vllm'))}) = {figure(compute_s)} s",
        )
        fixed_s = 0.0
    else:
        compute_s, fixed_s, detail = _prompt_seconds(job, card, work)
        gain = _layer_split_gain(job)
    known = _fact(job, "prefill")
    own = 1.0 if known is None else known.value * _fact_seconds(job, card, known)
    time_s = (max(compute_s, memory_s) / gain + fixed_s) / own
    tokens = job.tokens * batch
    rate = tokens / time_s
    ceiling = tokens / max(work / (_peak_tflops(job.card, job.weight_format) * job.gpu_count), memory_s / job.gpu_count)
    steps = (
        f"operations = 2 x {figure(active_parameters_b(model))} x 10^9 x {tokens} + attention = {figure(work)} x 10^12",
        *detail,
        f"reading the weights once = {figure(memory_s)} s",
        *_own_step(own),
        f"time_s = (max({figure(compute_s)}, {figure(memory_s)}) / {figure(gain)} + {figure(fixed_s)})"
        f" / {figure(own)} = {figure(time_s)} s",
        f"tokens_per_s = {tokens} / {figure(time_s)} s = {figure(rate)} tokens/s",
    )
    bound = _bound({"compute": compute_s, "memory_bandwidth": memory_s, "fixed_cost": fixed_s})
    low, high = _range(job, "prefill", rate)
    return rate_result(job, Speed(rate, low, high, max(ceiling, rate), time_s, bound, steps), known)


def _prompt_seconds(job: Job, card: Physical, work: float) -> tuple[float, float, tuple[str, ...]]:
    """Return the time that grows with the prompt, the time a run of 512 tokens costs anyway, and the steps."""
    model = job.found.model
    load = Load(0.0, 0.0, model.layers or 32, kind_of(job.weight_format), work)
    times = timing(prefill_parts(card, load), coefficient("prefill.overlap_exponent"), coefficients())
    once = times.parts.get("fixed", 0.0)
    slowdown = coefficient("prefill.moe_slowdown") if is_mixture(model) else 1.0
    runs = max(1.0, job.tokens * job.batch_size / 512)
    return (times.total - once) * slowdown, once * runs, _part_steps(times, "s", None)


def _part_steps(times: Timing, unit: str, attention: float | None) -> tuple[str, ...]:
    """Write what each part takes alone; `attention` replaces the time of the cache."""
    shown = times.parts | ({} if attention is None or "cache" not in times.parts else {"cache": attention})
    return (", ".join(f"{name} = {figure(value)} {unit}" for name, value in shown.items()),)


def _range(job: Job, workload: str, rate: float) -> tuple[float, float]:
    spread = _spread(job, workload)
    return rate * (1 - min(spread, 0.9)), rate * (1 + spread)


def _spread(job: Job, workload: str) -> float:
    card, wide = physical(job.card), coefficient("decode.wide_error")
    if not card.known or job.engine == "vllm" or job.batch_size > 1 or is_mixture(job.found.model):
        return wide
    if card.vendor != "nvidia":
        own = error_of(f"{workload}.{card.vendor}")
    elif workload == "decode":
        own = error_of(f"decode.nvidia.{'newer' if generation_of(job.card).startswith(NEWER) else 'older'}")
    else:
        own = error_of("prefill.nvidia")
    named = f"{workload}.{card.vendor}.{'fixed' if workload == 'decode' else 'matrix'}/{card.generation}"
    seen = named in coefficients() or f"{workload}.{card.vendor}.memory/{card.generation}" in coefficients()
    shader = workload == "prefill" and not card.matrix_units
    volta = workload == "prefill" and card.generation == "Volta"
    # A split of layers adds an error of its own; a generation never measured may lie a fifth away.
    return own + (0.08 if job.gpu_count > 1 else 0.0) + (0.0 if seen or shader or volta else 0.2)


def _own_step(own: float) -> tuple[str, ...]:
    return () if own == 1 else (f"this card, measured over modelled = {figure(own)}",)


def _overlap_step(times: Timing) -> tuple[str, ...]:
    if "requests" not in times.parts:
        return ()
    exponent = figure(coefficient("decode.overlap_exponent"))
    return (f"step = (memory^{exponent} + requests^{exponent})^(1/{exponent}) + the other parts",)


def _fact(job: Job, workload: str) -> Fact | None:
    """Return a measurement of this card with this model and format, whatever its length."""
    if job.engine != "llama.cpp" or job.own_figures:
        return None
    return language_fact(job.card.name, workload, job.found.model.name, job.weight_format)


def _nf4_factor(weight_format: str) -> float:
    if weight_format != "NF4":
        return 1.0
    return coefficient("decode.nf4_slowdown") * 16 / WEIGHT_BITS["NF4"]


def _batch_tflops(job: Job) -> float:
    """Return the rate that many users at once reach: FP8 and FP4 weights only speed cards that have such units."""
    share = coefficient("prefill.utilization_vllm") if job.engine == "vllm" else 0.45
    return _peak_tflops(job.card, job.weight_format) * share


def _peak_tflops(gpu: Gpu, weight_format: str) -> float:
    half = tensor_16bit_tflops(gpu)
    fast = {"FP8": gpu.tensor_fp8_dense_tflops, "FP4": gpu.tensor_fp4_dense_tflops}.get(weight_format)
    eight_bit = gpu.tensor_int8_dense_tops if weight_format.startswith("Q") or weight_format == "INT8" else None
    return max(half, fast or 0.0, eight_bit or 0.0, gpu.tensor_fp16_fp16acc_dense_tflops or 0.0)


def _layer_split_gain(job: Job) -> float:
    """Return the gain of a layer split: chunks of 512 tokens follow each other through the cards."""
    chunks = max(1.0, job.tokens * job.batch_size / 512)
    ideal = chunks * job.gpu_count / (chunks + job.gpu_count - 1)
    return 1 + coefficient("prefill.layer_split_share") * (ideal - 1)


def _link_ms(job: Job) -> float:
    """Return the time of a tensor split's exchange: two all-reduces a layer, each with its latency and its bytes."""
    card, model, others = job.card, job.found.model, job.gpu_count - 1
    # A bridge between two cards is rare; only server boards are joined by NVLink without being asked.
    fast = link_kind(card) == "sxm"
    latency = coefficient(f"decode.all_reduce_{'nvlink' if fast else 'pcie'}_ms") * (1 if others <= 1 else 1.5)
    bus = card.nvlink_gb_s * coefficient("decode.nvlink_share") if fast else coefficient("decode.pcie_gb_s")
    moved = job.batch_size * (model.hidden_size or 4096) * 2 * 2 * others / job.gpu_count / 1e9
    return 2 * (model.layers or 32) * (latency + moved / bus * 1000)


def _bound(parts: dict[Bound, float]) -> Bound:
    return max(parts, key=lambda name: parts[name])
