"""Relations that hold whatever the numbers: more of a good thing never hurts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools._catalog import gpus
from tools._power_limit import power_limit_effect
from tools.memory import inference_memory, kv_cache, training_memory
from tools.performance import decode_rate, multi_gpu_speedup, prefill_rate, training_rate

CARDS = st.sampled_from([gpu.name for gpu in gpus()])
NVIDIA = st.sampled_from([gpu.name for gpu in gpus() if gpu.vendor == "NVIDIA" and gpu.board_power_w])
MODELS = st.sampled_from(
    [
        "llama-2-7b",
        "llama-2-7b",
        "llama-3-8b",
        "llama-3-8b",
        "llama-3-70b",
        "deepseek-v3",
        "gemma-3-27b",
        "gpt-oss-120b",
        "mistral-7b-v0.1",
        "qwen3-30b-a3b",
    ]
)
FORMATS = st.sampled_from(["Q4_0", "FP16", "FP8", "INT4", "AWQ", "Q4_K_M", "Q8_0", "Q2_K"])
ENGINES = st.sampled_from(["llama.cpp", "vllm"])
FEW = settings(max_examples=60, deadline=None)


@FEW
@given(card=CARDS, bandwidth=st.floats(50, 8000), more=st.floats(1.0, 3.0), stored=FORMATS)
def test_more_bandwidth_never_slows_decode(card: str, bandwidth: float, more: float, stored: str):
    slow, fast = (
        decode_rate(gpu=card, model="llama-3-8b", weight_format=stored, memory_bandwidth_gb_s=value)
        for value in (bandwidth, bandwidth * more)
    )
    assert fast.tokens_per_s >= slow.tokens_per_s * (1 - 1e-9)


@FEW
@given(card=CARDS, model=MODELS, stored=FORMATS, tokens=st.integers(1, 100_000), more=st.integers(1, 100_000))
def test_a_longer_context_never_speeds_decode(card: str, model: str, stored: str, tokens: int, more: int):
    short, long = (
        decode_rate(gpu=card, model=model, weight_format=stored, context_tokens=count).tokens_per_s
        for count in (tokens, tokens + more)
    )
    assert long <= short * (1 + 1e-9)


@FEW
@given(model=MODELS, tokens=st.integers(1, 200_000), more=st.integers(1, 100_000), stored=FORMATS)
def test_a_longer_context_never_needs_less(model: str, tokens: int, more: int, stored: str):
    short, long = (
        inference_memory(model=model, weight_format=stored, context_tokens=count) for count in (tokens, tokens + more)
    )
    assert long.total_gb >= short.total_gb
    assert kv_cache(model=model, tokens=tokens + more).kv_cache_gb >= kv_cache(model=model, tokens=tokens).kv_cache_gb


@FEW
@given(
    model=MODELS,
    stage=st.integers(0, 2),
    cards=st.integers(1, 64),
    tokens=st.integers(1, 8192),
    method=st.sampled_from(["full", "lora", "qlora"]),
)
def test_zero_never_needs_more(model: str, stage: int, cards: int, tokens: int, method: str):
    base = {"model": model, "gpu_count": cards, "sequence_tokens": tokens, "method": method}
    lower, higher = (training_memory(**base, zero_stage=each) for each in (stage, stage + 1))
    assert higher.per_gpu_gb <= lower.per_gpu_gb * (1 + 1e-9)


@FEW
@given(
    card=NVIDIA,
    use=st.sampled_from(["decode", "prefill", "training"]),
    share=st.floats(0.31, 1.0),
    less=st.floats(0.31, 1.0),
)
def test_a_lower_power_limit_is_never_faster(card: str, use: str, share: float, less: float):
    watts = power_limit_effect(gpu=card, power_limit_w=5000, use=use).board_power_w
    low, high = sorted((share, less))
    speeds = [power_limit_effect(gpu=card, power_limit_w=watts * each, use=use).relative_speed for each in (low, high)]
    assert 0 < speeds[0] <= speeds[1] <= 1


@FEW
@given(card=CARDS, model=MODELS, stored=FORMATS, engine=ENGINES, batch=st.integers(1, 64), tokens=st.integers(1, 4096))
def test_twice_the_batch_is_at_most_twice_as_fast_and_never_slower(
    card: str, model: str, stored: str, engine: str, batch: int, tokens: int
):
    one, two = (
        decode_rate(
            gpu=card, model=model, weight_format=stored, engine=engine, batch_size=size, context_tokens=tokens
        ).tokens_per_s
        for size in (batch, 2 * batch)
    )
    assert one * (1 - 1e-9) <= two <= 2 * one * (1 + 1e-9)


@FEW
@given(card=CARDS, model=MODELS, stored=FORMATS, tokens=st.integers(1, 65_536))
def test_ranges_hold_their_value_and_the_ceiling_is_above(card: str, model: str, stored: str, tokens: int):
    for tool, name in ((decode_rate, "context_tokens"), (prefill_rate, "prompt_tokens")):
        result = tool(gpu=card, model=model, weight_format=stored, **{name: tokens})
        assert 0 < result.low_tokens_per_s <= result.tokens_per_s <= result.high_tokens_per_s
        assert result.tokens_per_s <= result.ceiling_tokens_per_s * (1 + 1e-9)


@FEW
@given(card=CARDS, cards=st.integers(1, 8), network=st.sampled_from(["resnet50", "bert_large", "gnmt", "cnn"]))
def test_more_cards_never_train_slower_nor_more_than_as_many_times(card: str, cards: int, network: str):
    few, more = (multi_gpu_speedup(gpu=card, gpu_count=count, network=network) for count in (cards, cards + 1))
    assert few.speedup <= more.speedup * (1 + 1e-9)
    assert few.low_speedup <= few.speedup <= few.high_speedup <= cards + 1e-9 or cards == 1


@FEW
@given(card=NVIDIA, network=st.sampled_from(["resnet50", "gnmt", "tacotron2"]), batch=st.integers(1, 512))
def test_a_larger_batch_never_trains_slower(card: str, network: str, batch: int):
    small, large = (
        training_rate(gpu=card, network=network, batch_size=size, software="v0").samples_per_s
        for size in (batch, 2 * batch)
    )
    assert small <= large <= 2 * small * (1 + 1e-9)


@FEW
@given(card=CARDS, model=MODELS, stored=FORMATS, batch=st.integers(1, 16))
def test_what_a_card_has_room_for_fits_and_one_more_does_not(card: str, model: str, stored: str, batch: int):
    asked = {"model": model, "weight_format": stored, "batch_size": batch}
    room = inference_memory(**asked, gpu=card)
    most = room.max_context_tokens or 0
    if 0 < most < 100_000_000:
        assert inference_memory(**asked, context_tokens=most).per_gpu_gb <= (room.gpu_memory_gb or 0)
        more = inference_memory(**asked, context_tokens=most + 1).per_gpu_gb
        assert more > (room.gpu_memory_gb or 0) or "mistral" in model


@pytest.mark.parametrize("split", ["layer", "tensor"])
def test_a_split_never_raises_the_need_of_one_card(split: str):
    needs = [
        inference_memory(
            model="deepseek-v3", weight_format="FP8", gpu_count=count, split=split, context_tokens=65_536
        ).per_gpu_gb
        for count in (1, 2, 4, 8, 16)
    ]
    assert needs == sorted(needs, reverse=True)
