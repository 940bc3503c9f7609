"""How results are said: every template, in both languages, over real results, with every number bound."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.builtin.fallback import say_outcome
from assistant.builtin.frames import frames
from assistant.builtin.phrase import render
from assistant.figures import Language
from assistant.grounding import Evidence, verify
from assistant.toolbox import outcome
from tools.api import all_tools, get_tool

LANGUAGES: tuple[Language, ...] = ("en", "zh")

# Arguments that lead every tool through its different sentences.
CASES: list[tuple[str, dict[str, Any]]] = [
    ("gpu_specs", {"gpu": "RTX 3090"}),
    ("gpu_specs", {"gpu": "V100"}),
    ("gpu_specs", {"gpu": "P100"}),
    ("gpu_specs", {"gpu": "RX 7900 XTX"}),
    ("gpu_specs", {"gpu": "B200"}),
    ("find_gpus", {"min_memory_gb": 48, "max_price_usd": 8000}),
    ("find_gpus", {"min_memory_gb": 900}),
    ("kv_cache", {"model": "llama-3-8b", "tokens": 8192}),
    ("kv_cache", {"model": "deepseek-v3", "tokens": 500_000, "batch_size": 3, "kv_format": "FP8"}),
    ("inference_memory", {"model": "70B", "weight_format": "Q4_K_M", "gpu_count": 2}),
    ("inference_memory", {"model": "mixtral-8x7b", "weight_format": "AWQ", "context_tokens": 30_000}),
    ("inference_memory", {"model": "deepseek-v3"}),
    ("training_memory", {"model": "7B"}),
    ("training_memory", {"model": "70B", "method": "qlora"}),
    ("training_memory", {"model": "405B", "zero_stage": 3, "gpu_count": 8, "checkpointing": "none"}),
    ("ownership_cost", {"gpu": "RTX 4090"}),
    ("ownership_cost", {"power_w": 450, "price_usd": 2200, "years": 300 / 365, "electricity_usd_per_kwh": 0.12}),
    ("rank_by_value", {"use": "training_16bit", "min_memory_gb": 24}),
    ("rank_by_value", {"use": "inference_8bit", "budget_usd": 1}),
    ("rank_by_value", {"use": "inference_16bit", "gpus": ["RTX 3090"], "prices_usd": {"RTX 3090": 700}}),
    ("cooling_check", {"cards": {"RTX 3090": 4}}),
    ("cooling_check", {"cards": {"RTX 3090": 2}}),
    ("cooling_check", {"cards": {"RTX 4090": 1}, "cooler": "water", "risers": True}),
    ("carbon_footprint", {"cards": {"A100": 8}, "hours": 100}),
    ("carbon_footprint", {"power_w": 400, "hours": 50_000, "region": "FR", "pue": 1.2, "utilization": 0.5}),
    ("token_cost", {"tokens_per_s": 50, "usd_per_h": 2}),
    ("token_cost", {"tokens_per_s": 40, "power_w": 500, "electricity_usd_per_kwh": 0.12}),
    ("calculate", {"expression": "8 / 82", "unit": "%"}),
    ("matmul_cycles", {}),
    ("matmul_cycles", {"tensor_cores": False}),
    ("matmul_cycles", {"async_copy": True, "matrix_size": 128, "sm_count": 4}),
    ("batch_speedup", {"from_batch": 1, "to_batch": 2}),
    ("batch_speedup", {"from_batch": 16, "to_batch": 128, "network": "transformer"}),
    ("multi_gpu_speedup", {"gpu": "RTX 3090", "gpu_count": 4}),
    ("multi_gpu_speedup", {"gpu": "A100", "gpu_count": 8, "network": "transformer", "interconnect": "NVLink"}),
    ("decode_rate", {"gpu": "RTX 4090", "model": "llama-3-8b", "weight_format": "Q4_K_M"}),
    ("decode_rate", {"gpu": "RTX 3090", "model": "70B", "gpu_count": 2, "batch_size": 8, "engine": "vllm"}),
    ("prefill_rate", {"gpu": "RTX 3090", "model": "8B", "prompt_tokens": 8000}),
    ("prefill_rate", {"gpu": "RTX 3060 12GB", "model": "70B"}),
    ("training_rate", {"gpu": "RTX 3090", "network": "resnet50"}),
    ("training_rate", {"gpu": "RTX A6000", "network": "bert_large", "gpu_count": 4, "precision": "fp32"}),
    ("training_time", {"model": "7B", "tokens": 1e9, "gpu": "RTX 4090", "gpu_count": 4}),
    ("training_time", {"model": "8B", "tokens": 1e8, "gpu": "RTX 3090", "method": "qlora"}),
    ("relative_performance", {"gpus": ["RTX 4090", "RTX 3090"]}),
    ("relative_performance", {"gpus": ["A100"], "reference": "V100", "use": "training_16bit"}),
    ("power_limit_effect", {"gpu": "RTX 3090", "power_limit_w": 280}),
    ("power_limit_effect", {"gpu": "RTX 4090", "power_limit_w": 300, "use": "decode"}),
    ("power_check", {"cards": {"RTX 3090": 4}, "psu_w": 1600}),
    ("power_check", {"cards": {"RTX 4090": 2}, "outlet_v": 120, "outlet_a": 10, "psu_w": 2000}),
    ("cloud_break_even", {"desktop_usd": 2200, "cloud_usd_per_h": 2.14, "horizon_days": 300}),
    ("cloud_break_even", {"desktop_usd": 2200, "cloud_usd_per_h": 0.01}),
    ("recommend", {"use": "inference", "model": "70B", "budget_usd": 3000}),
    ("recommend", {"use": "train", "model": "7B", "budget_usd": 500}),
    ("recommend", {"use": "train", "model": "405B"}),
    ("recommend", {"use": "images", "vendor": "AMD", "hours_per_week": 60}),
    ("recommend", {"use": "finetune", "model": "7B", "hours_per_week": 3, "months": 6}),
    ("plan_build", {"use": "inference", "model": "13B", "budget_usd": 1500}),
    ("plan_build", {"cards": {"RTX 3090": 4}, "model": "70B", "country": "DE"}),
    ("plan_build", {"use": "train", "model": "405B", "budget_usd": 5000}),
    ("plan_build", {"use": "images"}),
]
FITS: dict[Language, tuple[str, ...]] = {
    "en": ("Yes:", "Only just:", "No:"),
    "zh": ("放得下", "很勉强", "放不下", "可以", "刚刚够", "不行"),
}
# What the person asked in a test has no figures that could vouch for the template's own.
NOBODY = ("?",)


def _check(text: str, found: dict[str, Any], language: Language) -> str:
    verified = verify(text, Evidence(found, {}, NOBODY), language)
    assert verified.ok, verified.unbound
    for wrong in ("none", "{", "}", "undefined", "_gb", "_usd"):
        assert wrong not in verified.text.lower().replace("none with a known price", ""), verified.text
    return verified.text


def test_every_tool_has_a_talk_file_with_both_languages():
    for name in all_tools():
        assert set(frames()[name].say) == {"en", "zh"}, name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("tool", "arguments"), CASES)
def test_every_number_of_a_template_is_bound(tool: str, arguments: dict[str, Any], language: Language):
    found = {"r1": outcome(get_tool(tool), arguments)}
    assert "result" in found["r1"], found["r1"].get("error")
    for given in ((), tuple(arguments)):
        for focus in ("", *frames()[tool].focus):
            text = _check(say_outcome("r1", found["r1"], language, focus, given), found, language)
            assert len(text) > 5
            assert "  " not in text.replace("|  |", ""), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("inference_memory", {"model": "70B", "weight_format": "Q4_K_M", "gpu_count": 2}),
        ("inference_memory", {"model": "32B", "weight_format": "Q4_K_M"}),
        ("inference_memory", {"model": "13B"}),
        ("training_memory", {"model": "7B", "method": "lora"}),
        ("training_memory", {"model": "7B"}),
    ],
)
def test_a_need_is_held_against_the_memory_that_is_there(tool: str, arguments: dict[str, Any], language: Language):
    for beside in (("gpu_specs", {"gpu": "RTX 3090"}), ("calculate", {"expression": "16 GB", "unit": "GB"})):
        found = {"r1": outcome(get_tool(tool), arguments), "r2": outcome(get_tool(beside[0]), beside[1])}
        draft = render(frames()[tool].say[language], found, focus="", given=(), language=language)
        text = _check(draft, found, language)
        assert text.startswith(FITS[language]), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("ownership_cost", {"utilization": 0.3}), ("carbon_footprint", {"hours": 24, "region": "DE"})],
)
def test_several_cards_are_a_power(tool: str, arguments: dict[str, Any], language: Language):
    found = {
        "r1": outcome(get_tool("gpu_specs"), {"gpu": "RTX 3090"}),
        "r2": outcome(get_tool("calculate"), {"expression": "4 * 350 W", "unit": "W"}),
        "r3": outcome(get_tool(tool), {**arguments, "power_w": 1400}),
    }
    for focus in ("", *frames()[tool].focus):
        text = _check(
            render(frames()[tool].say[language], found, focus=focus, given=tuple(arguments), language=language),
            found,
            language,
        )
        assert "1,400 W" in text


def _said(tool: str, arguments: dict[str, Any], language: Language, focus: str = "") -> str:
    found = {"r1": outcome(get_tool(tool), arguments)}
    draft = say_outcome("r1", found["r1"], language, focus, tuple(arguments))
    return _check(draft, found, language).splitlines()[0]


def test_the_first_line_says_what_was_asked():
    assert _said("gpu_specs", {"gpu": "RTX 4090"}, "en", "nvlink_gb_s").startswith("No, the RTX 4090 has no NVLink.")
    assert _said("gpu_specs", {"gpu": "RTX 3090"}, "zh", "memory_bandwidth_gb_s") == "RTX 3090 的显存带宽是 936 GB/s。"
    assert _said("ownership_cost", {"power_w": 450, "utilization": 0.15}, "zh", "energy").startswith("用电 591 度/年")
    assert _said("matmul_cycles", {}, "en") == "It takes 235 cycles."
    assert _said("batch_speedup", {"from_batch": 8, "to_batch": 64}, "en").startswith("About 46.6% more throughput")
    assert _said("cooling_check", {"cards": {"RTX 3090": 4}}, "zh") == "插不下：要 12 个槽位，主板只有 7 个槽位。"


def test_a_rate_comes_with_its_range_and_its_basis():
    line = _said("decode_rate", {"gpu": "RTX 4090", "model": "llama-3-8b", "weight_format": "Q4_K_M"}, "zh")
    assert "区间" in line
    assert "模型估计" in line


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_model_of_images_has_no_cache_and_no_context(language: Language):
    found = {"r1": outcome(get_tool("inference_memory"), {"model": "sdxl"})}
    text = _check(say_outcome("r1", found["r1"], language, "", ("model",)), found, language)
    assert not any(word in text for word in ("KV", "context", "上下文", "token")), text
