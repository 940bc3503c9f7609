"""The registry: schemas read off the functions, messages, purity, and the command line."""

import ast
import inspect
import json
from pathlib import Path
from typing import Any

import docstring_parser
import pytest

import tools
from tools.__main__ import main
from tools._errors import ToolInputError
from tools._registry import Tool, all_tools, get_tool
from tools._result import Result
from tools._units import UNIT_OF_ENDING, figure, unit_of

TOOLS = pytest.mark.parametrize("tool", all_tools().values(), ids=list(all_tools()))
# Of design.md, which programs outside rely on.
NAMES = {
    "gpu_specs",
    "find_gpus",
    "kv_cache",
    "inference_memory",
    "training_memory",
    "rank_by_value",
    "ownership_cost",
    "power_check",
    "cooling_check",
    "cloud_break_even",
    "token_cost",
    "carbon_footprint",
    "plan_build",
    "recommend",
    "calculate",
}
FORBIDDEN = {
    "os",
    "time",
    "datetime",
    "random",
    "socket",
    "urllib",
    "http",
    "httpx",
    "requests",
    "logging",
    "subprocess",
    "sqlite3",
    "locale",
    "secrets",
    "uuid",
}


def test_the_names_of_the_contract_stay():
    assert set(all_tools()) >= NAMES


@TOOLS
def test_every_argument_has_a_docstring_line_and_its_unit(tool: Tool):
    doc = docstring_parser.parse(inspect.getdoc(tool.function) or "", docstring_parser.DocstringStyle.GOOGLE)
    signature = inspect.signature(tool.function)
    assert [item.arg_name for item in doc.params] == list(signature.parameters)
    for parameter in signature.parameters.values():
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
    for name, schema in tool.parameters["properties"].items():
        assert schema["description"].strip(), name
        assert schema.get("unit", "") == unit_of(name)
        if schema.get("type") == "number":
            assert "[" in schema["description"], f"{name}: the unit ends its line of the docstring"


@TOOLS
def test_the_description_says_when_to_use_it(tool: Tool):
    assert tool.summary.endswith(".")
    assert tool.description.startswith(tool.summary)
    assert "Use it" in tool.description
    assert "Args:" not in tool.description
    assert "Raises:" not in tool.description


@TOOLS
def test_schemas_are_json_and_closed(tool: Tool):
    assert json.loads(json.dumps(tool.parameters)) == tool.parameters
    assert tool.parameters["additionalProperties"] is False
    assert set(tool.parameters["required"]) <= set(tool.parameters["properties"])


@TOOLS
def test_results_extend_result(tool: Tool):
    returned = inspect.get_annotations(tool.function, eval_str=True)["return"]
    assert issubclass(returned, Result)


def test_a_schema_in_full():
    assert get_tool("gpu_specs").parameters == {
        "type": "object",
        "required": ["gpu"],
        "additionalProperties": False,
        "properties": {
            "gpu": {"type": "string", "description": 'Card as people type it, e.g. "4090", "A100 80G", "泰坦V".'}
        },
    }
    supply = get_tool("power_check").parameters["properties"]["psu_w"]
    assert supply == {"type": "number", "description": "Rating of the power supply. [W]", "unit": "W"}


@pytest.mark.parametrize(
    ("field", "unit"),
    [
        ("psu_w", "W"),
        ("energy_kwh_per_year", "kWh/year"),
        ("usd_per_million_tokens", "USD/1M tokens"),
        ("memory_bandwidth_gb_s", "GB/s"),
        ("temperature_change_c_low", "°C"),
        ("break_even_days", "days"),
        ("utilization", "fraction"),
        ("name", ""),
        ("w", ""),
        ("verdict", ""),
    ],
)
def test_units_of_names(field: str, unit: str):
    assert unit_of(field) == unit


def test_a_longer_ending_wins_over_a_shorter_one():
    for ending, unit in UNIT_OF_ENDING.items():
        assert unit_of(f"some_{ending}") == unit


@pytest.mark.parametrize(
    ("value", "text"),
    [(1600.0, "1600"), (0.15, "0.15"), (292.9583466, "292.958"), (1234567.8, "1,234,568"), (0, "0"), (-25.5, "-25.5")],
)
def test_figures_of_steps(value: float, text: str):
    assert figure(value) == text


@pytest.mark.parametrize(
    ("name", "arguments", "en", "zh"),
    [
        (
            "gpu_specs",
            {"gpus": "4090"},
            "`gpus` is not an argument of gpu_specs. Did you mean `gpu`? It takes: gpu.",
            "gpu_specs 没有参数 `gpus`。是不是 `gpu`？它的参数是：gpu。",
        ),
        (
            "find_gpus",
            {"zzz": 1},
            "`zzz` is not an argument of find_gpus. It takes: min_memory_gb, max_price_usd, vendor.",
            "find_gpus 没有参数 `zzz`。它的参数是：min_memory_gb, max_price_usd, vendor。",
        ),
        ("gpu_specs", {}, "gpu_specs needs `gpu`.", "gpu_specs 还需要 `gpu`。"),
        ("gpu_specs", {"gpu": None}, "gpu_specs needs `gpu`.", "gpu_specs 还需要 `gpu`。"),
        (
            "cloud_break_even",
            {},
            "cloud_break_even needs `desktop_usd`, `cloud_usd_per_h`.",
            "cloud_break_even 还需要 `desktop_usd`, `cloud_usd_per_h`。",
        ),
        (
            "gpu_specs",
            {"gpu": 4090},
            '`gpu` must be text, got 4090. Card as people type it, e.g. "4090", "A100 80G", "泰坦V".',
            '`gpu` 应当是文字，收到的是 4090。Card as people type it, e.g. "4090", "A100 80G", "泰坦V".',
        ),
        (
            "find_gpus",
            {"x" * 10_000: 1},
            f"`{'x' * 60}` is not an argument of find_gpus. It takes: min_memory_gb, max_price_usd, vendor.",
            f"find_gpus 没有参数 `{'x' * 60}`。它的参数是：min_memory_gb, max_price_usd, vendor。",
        ),
    ],
)
def test_messages_of_arguments(name: str, arguments: dict[str, Any], en: str, zh: str):
    with pytest.raises(ToolInputError) as error:
        get_tool(name).call(arguments)
    assert (error.value.text.en, error.value.text.zh) == (en, zh)


def test_an_optional_argument_of_none_is_left_out():
    assert get_tool("find_gpus").call({"vendor": None}) == get_tool("find_gpus").call({})


@pytest.mark.parametrize(
    ("name", "en", "zh"),
    [
        (
            "power_chek",
            "There is no tool 'power_chek'. Did you mean 'power_check'? `python -m tools` lists all.",
            "没有名为 'power_chek' 的工具。是不是“power_check”？`python -m tools` 列出全部工具。",
        ),
        (
            "zzz",
            "There is no tool 'zzz'. `python -m tools` lists all.",
            "没有名为 'zzz' 的工具。`python -m tools` 列出全部工具。",
        ),
        (
            "x" * 10_000,
            f"There is no tool '{'x' * 60}'. `python -m tools` lists all.",
            f"没有名为 '{'x' * 60}' 的工具。`python -m tools` 列出全部工具。",
        ),
    ],
)
def test_messages_of_tools(name: str, en: str, zh: str):
    with pytest.raises(ToolInputError) as error:
        get_tool(name)
    assert (error.value.text.en, error.value.text.zh) == (en, zh)


@pytest.mark.parametrize("name", ["cloud_break_even", "gpu_specs", "power_check", "calculate"])
def test_the_same_arguments_give_the_same_answer(name: str):
    arguments: dict[str, dict[str, Any]] = {
        "cloud_break_even": {"desktop_usd": 2200, "cloud_usd_per_h": 2.14},
        "gpu_specs": {"gpu": "GTX 980"},
        "power_check": {"cards": {"RTX 3090": 4}},
        "calculate": {"expression": "1 kW + 1 W"},
    }
    given = json.dumps(arguments[name])
    assert get_tool(name).call(arguments[name]) == get_tool(name).call(arguments[name])
    assert json.dumps(arguments[name]) == given


@pytest.mark.parametrize("path", sorted(Path(tools.__path__[0]).glob("*.py")), ids=lambda path: path.name)
def test_tools_know_no_clock_network_or_environment(path: Path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        assert not {name.split(".")[0] for name in names} & FORBIDDEN, path.name


def test_the_command_line_lists_the_tools(capsys: pytest.CaptureFixture[str]):
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(all_tools())
    assert f"{'power_check':22} Add up a machine's watts and check power supply and outlet." in lines


def test_the_command_line_prints_json(capsys: pytest.CaptureFixture[str]):
    assert main(["power_check", '{"cards": {"RTX 3090": 4}, "psu_w": 1600}']) == 0
    shown = capsys.readouterr()
    result = json.loads(shown.out)
    assert (result["gpu_w"], result["left_for_platform_w"], shown.err) == (1400, 200, "")
    assert {"steps", "assumptions", "assumptions_zh", "sources"} <= set(result)


def test_the_command_line_shows_a_schema(capsys: pytest.CaptureFixture[str]):
    assert main(["gpu_specs", "--help"]) == 0
    assert json.loads(capsys.readouterr().out) == get_tool("gpu_specs").parameters


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gpu_specs"], "gpu_specs needs `gpu`."),
        (["gpu_spec"], "There is no tool 'gpu_spec'. Did you mean 'gpu_specs'? `python -m tools` lists all."),
        (
            ["gpu_specs", '{"gpu": "RTX 6090"}'],
            "`gpu` 'RTX 6090' is not in the catalogue. Did you mean 'RTX 4090' or 'RTX 5090'?",
        ),
        (
            ["cloud_break_even", '{"desktop_usd": NaN, "cloud_usd_per_h": 2.14}'],
            "`desktop_usd` must be a finite number, got nan. Give US dollars, e.g. 2200.",
        ),
        *[
            (["gpu_specs", text], 'The arguments must be one JSON object, e.g. \'{"gpu": "RTX 4090"}\'.')
            for text in ("", "{", "[]", "4090", "null", '"RTX 4090"', "[" * 100_000, '{"gpu": ' + "1" * 5000 + "}")
        ],
    ],
)
def test_the_command_line_refuses_with_2(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]):
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert (shown.err, shown.out) == (f"{message}\n", "")
