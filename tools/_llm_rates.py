"""How fast a card writes tokens and reads prompts: bytes over bandwidth, operations over tensor rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tools._cards import source_of
from tools._catalog import Gpu, Model
from tools._efficiency import LLAMA_CPP, boost_ghz, coefficient, of_generation, shader_tflops, tensor_16bit_tflops
from tools._formats import WEIGHT_BITS, embedding_parameters_b, weights_of
from tools._kv import kv_cache_of
from tools._models import FoundModel
from tools._result import Result, Text
from tools._units import figure

Engine = Literal["llama.cpp", "vllm"]
Bound = Literal["memory_bandwidth", "compute", "fixed_cost"]


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
        basis: "modelled": fitted on public measurements.
        bound: What takes most of the time.
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


def decode(job: Job) -> LlmRate:
    """Compute the speed of writing."""
    card, model, n, batch = job.card, job.found.model, job.gpu_count, job.batch_size
    read, read_step = _read_gb(model, job.weight_format, batch)
    cache = kv_cache_of(model, tokens=job.tokens, kv_format="FP16", batch_size=batch).bytes_total / 1e9
    share, bandwidth = coefficient("decode.bandwidth_share"), card.memory_bandwidth_gb_s
    slow = _nf4_factor(job.weight_format)
    memory_ms = (read * slow + cache) / (share * bandwidth) * 1000
    cycles, known = of_generation("decode.fixed_mcycles", card)
    layers = (model.layers or 32) / coefficient("decode.layers")
    fixed_ms = cycles / boost_ghz(card) * layers
    energy_ms = _energy_ms(card, (read + cache) * coefficient("decode.joule_per_gb"))
    tensor = tensor_16bit_tflops(card) * (coefficient("prefill.utilization_vllm") if job.engine == "vllm"
                                          else coefficient("prefill.utilization_16bit"))
    compute_ms = 2e-3 * _active_b(model) * batch / tensor * 1000
    link_ms = _link_ms(card, model, n) if job.engine == "vllm" and n > 1 else 0.0
    if job.engine == "vllm":
        memory_ms, energy_ms, compute_ms = memory_ms / n, energy_ms / n, compute_ms / n
        split = 1.0
    else:
        split = 1 + coefficient("decode.layer_split_loss") * (n - 1)
    time_ms = (max(memory_ms, compute_ms) + fixed_ms + energy_ms) * split + link_ms
    rate = batch / time_ms * 1000
    wide = batch > 1 or n > 1 or not known or job.engine == "vllm" or _is_mixture(model)
    spread = coefficient("decode.wide_error") if wide else coefficient("decode.error")
    parallel = n if job.engine == "vllm" else 1
    ceiling = batch * bandwidth * parallel / (read + cache)
    steps = (
        read_step, f"kv_cache = {figure(cache)} GB at {job.tokens} tokens x {batch}",
        f"memory = ({figure(read * slow)} + {figure(cache)}) GB / ({figure(share)} x {figure(bandwidth)} GB/s"
        f" x {parallel})"
        f" = {figure(memory_ms)} ms",
        f"fixed = {figure(cycles)} x 10^6 cycles / {figure(boost_ghz(card))} GHz x {figure(layers)}"
        f" = {figure(fixed_ms)} ms",
        f"power = {figure(energy_ms)} ms, compute = {figure(compute_ms)} ms, links = {figure(link_ms)} ms",
        f"tokens_per_s = {batch} / ((max({figure(memory_ms)}, {figure(compute_ms)}) + {figure(fixed_ms)}"
        f" + {figure(energy_ms)}) x {figure(split)} + {figure(link_ms)}) ms = {figure(rate)} tokens/s",
        f"ceiling_tokens_per_s = {batch} x {figure(bandwidth)} GB/s x {parallel} / {figure(read + cache)} GB"
        f" = {figure(ceiling)} tokens/s")
    parts: dict[Bound, float] = {"memory_bandwidth": memory_ms, "compute": compute_ms,
                                 "fixed_cost": fixed_ms + link_ms}
    return _result(job, rate, spread, ceiling, time_ms / 1000, _largest(parts), steps, _decode_warnings(job))


def prefill(job: Job) -> LlmRate:
    """Compute the speed of reading a prompt."""
    card, model, n, batch = job.card, job.found.model, job.gpu_count, job.batch_size
    matrix = 2e-3 * _active_b(model) * job.tokens * batch
    attention = 2e-12 * (model.layers or 0) * (model.hidden_size or 0) * job.tokens**2 * batch
    work = matrix + attention
    tensor, usable, known = _prompt_rate(job)
    split = "tensor" if job.engine == "vllm" else "layer"
    gain = 1 + (n - 1) * coefficient(f"prefill.{split}_split_gain")
    compute_s = work / (tensor * usable)
    eight_bit = card.tensor_int8_dense_tops is not None and tensor == card.tensor_int8_dense_tops
    energy_s = _energy_ms(card, work * coefficient("prefill.joule_per_tflop")) / 1000 if eight_bit else 0.0
    read, _ = _read_gb(model, job.weight_format, job.tokens * batch)
    memory_s = read / (coefficient("decode.bandwidth_share") * card.memory_bandwidth_gb_s)
    time_s = max(compute_s + energy_s, memory_s) / gain
    rate, ceiling = job.tokens * batch / time_s, job.tokens * batch / (work / (tensor * gain))
    wide = n > 1 or not known or job.engine == "vllm" or _is_mixture(model)
    spread = coefficient("decode.wide_error") if wide else coefficient("prefill.error")
    steps = (
        f"operations = 2 x {figure(_active_b(model))} x 10^9 x {job.tokens} x {batch}"
        f" + attention {figure(attention)} x 10^12 = {figure(work)} x 10^12",
        f"compute = {figure(work)} / ({figure(tensor)} TFLOPS x {figure(usable)}) = {figure(compute_s)} s",
        f"power = {figure(energy_s)} s, reading the weights once = {figure(memory_s)} s",
        f"time_s = max({figure(compute_s + energy_s)}, {figure(memory_s)}) / {figure(gain)} = {figure(time_s)} s",
        f"tokens_per_s = {job.tokens * batch} / {figure(time_s)} s = {figure(rate)} tokens/s")
    bound: Bound = "compute" if compute_s + energy_s >= memory_s else "memory_bandwidth"
    return _result(job, rate, spread, ceiling, time_s, bound, steps, ())


def _active_b(model: Model) -> float:
    return model.active_parameters_b or model.parameters_b


def _is_mixture(model: Model) -> bool:
    return _active_b(model) < model.parameters_b


def _nf4_factor(weight_format: str) -> float:
    if weight_format != "NF4":
        return 1.0
    return coefficient("decode.nf4_slowdown") * 16 / WEIGHT_BITS["NF4"]


def _read_gb(model: Model, weight_format: str, sequences: int) -> tuple[float, str]:
    """Return the weights that one step reads, and the step: a mixture reads the experts it uses.

    The input embedding is looked up, not read.
    """
    whole, _ = weights_of(model, weight_format)
    if _is_mixture(model):
        share = _active_b(model) / model.parameters_b * coefficient("decode.moe_read_factor")
        read = min(whole, whole * share * sequences)
        return read, (f"weights read = {figure(whole)} GB x {figure(_active_b(model))} / {figure(model.parameters_b)} x"
                      f" {figure(coefficient('decode.moe_read_factor'))}, at most all = {figure(read)} GB")
    one = (model.vocab_size or 0) * (model.hidden_size or 0) / 1e9
    looked_up = max(0.0, embedding_parameters_b(model) - one)
    read = whole * (1 - looked_up / model.parameters_b)
    return read, f"weights read = {figure(whole)} GB - embedding = {figure(read)} GB"


def _energy_ms(card: Gpu, joule: float) -> float:
    if card.vendor != "NVIDIA" or not card.board_power_w:
        return 0.0
    return joule / card.board_power_w * 1000


def _link_ms(card: Gpu, model: Model, gpu_count: int) -> float:
    name = "decode.all_reduce_nvlink_ms" if card.nvlink_gb_s else "decode.all_reduce_pcie_ms"
    return 2 * (model.layers or 32) * coefficient(name) * (1 if gpu_count <= 2 else 1.5)


def _prompt_rate(job: Job) -> tuple[float, float, bool]:
    """Return the peak rate that counts for a prompt, the share reached, and whether it was measured."""
    card = job.card
    half = tensor_16bit_tflops(card)
    if job.engine == "vllm":
        return half, coefficient("prefill.utilization_vllm"), False
    share, known = of_generation("prefill.utilization", card)
    if WEIGHT_BITS[job.weight_format] >= 16 and card.tensor_fp16_dense_tflops:
        fast = card.tensor_fp16_fp16acc_dense_tflops or half
        return fast, coefficient("prefill.utilization_16bit"), known
    if card.vendor == "NVIDIA" and card.tensor_int8_dense_tops:
        return card.tensor_int8_dense_tops, share, known
    if card.tensor_fp16_dense_tflops:
        return card.tensor_fp16_dense_tflops, share, known
    return shader_tflops(card), share, known


def _largest(parts: dict[Bound, float]) -> Bound:
    return max(parts, key=lambda name: parts[name])


def _result(job: Job, rate: float, spread: float, ceiling: float, time_s: float, bound: Bound,
            steps: tuple[str, ...], warnings: tuple[Text, ...]) -> LlmRate:
    card = job.card
    fits = job.needed_per_gpu_gb <= card.memory_gb
    return LlmRate(
        gpu=card.name, model_name=job.found.model.name, weight_format=job.weight_format, gpu_count=job.gpu_count,
        batch_size=job.batch_size, engine=job.engine, tokens_per_s=rate, low_tokens_per_s=rate * (1 - spread),
        high_tokens_per_s=rate * (1 + spread), per_user_tokens_per_s=rate / job.batch_size,
        ceiling_tokens_per_s=ceiling,
        time_s=time_s, basis="modelled", bound=bound, needed_per_gpu_gb=job.needed_per_gpu_gb,
        gpu_memory_gb=card.memory_gb, fits=fits, steps=steps,
        assumptions=(*job.card_notes, *job.found.assumptions, *_assumptions(job)),
        warnings=(*(() if fits else (_too_large(job),)), *warnings),
        sources=((source_of(card),) if card.as_of else ()) + (*job.found.sources, LLAMA_CPP))


def _assumptions(job: Job) -> tuple[Text, ...]:
    notes = [Text("Everything lies in GPU memory; software of 2025 and 2026.",
                  "全部放在显存里；软件按 2025 至 2026 年计。")]
    if job.gpu_count > 1:
        notes.append(Text("vLLM splits every matrix over the cards." if job.engine == "vllm"
                          else "llama.cpp gives each card some layers: they take turns on one user's token.",
                          "vLLM 把每个矩阵切到各卡上。" if job.engine == "vllm"
                          else "llama.cpp 按层分到各卡：单个用户的一个 token 要各卡轮流算。"))
    return tuple(notes)


def _too_large(job: Job) -> Text:
    need, has = figure(round(job.needed_per_gpu_gb, 1)), figure(job.card.memory_gb)
    return Text(f"It does not fit: a card needs {need} GB and has {has} GB. With layers in main memory it is many times"
                " slower.",
                f"放不下：每张卡需要 {need} GB，只有 {has} GB。把部分层放到内存会慢很多倍。")


def _decode_warnings(job: Job) -> tuple[Text, ...]:
    notes: list[Text] = []
    if job.gpu_count > 1 and job.engine == "llama.cpp":
        notes.append(Text("A layer split holds larger models; it does not speed up a single user.",
                          "按层切分能装下更大的模型，但不会让单个用户变快。"))
    if job.weight_format == "NF4":
        notes.append(Text("bitsandbytes NF4 saves memory, not time; AWQ, GPTQ or GGUF are faster.",
                          "bitsandbytes 的 NF4 省显存，不省时间；AWQ、GPTQ 或 GGUF 更快。"))
    return tuple(notes)
