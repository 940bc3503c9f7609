"""A tool that somebody adds: one Python file and its golden file are enough for everything else."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tools
from assistant.builtin.decide import decide
from assistant.builtin.frames import frames
from assistant.desk import open_desk
from assistant.evaluation.golden import load
from assistant.evaluation.run import collect
from assistant.evaluation.store import Store
from assistant.settings import Settings
from tools.api import all_tools

SOURCE = '''
"""How long a battery carries a machine."""

from __future__ import annotations

from dataclasses import dataclass

from tools._errors import number
from tools._result import Result, Text

HINT = Text("Give a positive figure.", "请给出正数。")


@dataclass(frozen=True, kw_only=True)
class BatteryRuntime(Result):
    """How long it lasts.

    Attributes:
        hours: Time until the battery is empty.
        usable_kwh: Energy that reaches the machine.
    """

    hours: float
    usable_kwh: float


def battery_runtime(*, battery_kwh: float, load_w: float) -> BatteryRuntime:
    """Say how long a UPS battery carries a machine when the mains fail.

    Use it for "how long does my UPS last?".

    Args:
        battery_kwh: Capacity of the battery. [kWh]
        load_w: What the machine draws. [W]

    Returns:
        The runtime. [h]

    Raises:
        ToolInputError: If an argument is not positive.
    """
    capacity = number("battery_kwh", battery_kwh, "kWh", high=1000, hint=HINT)
    load = number("load_w", load_w, "W", high=1e6, hint=HINT)
    usable = 0.9 * capacity
    return BatteryRuntime(hours=usable * 1000 / load, usable_kwh=usable,
                          steps=(f"hours = 0.9 x {capacity:g} kWh x 1000 / {load:g} W",),
                          assumptions=(Text("The inverter is taken as 90% efficient.", "逆变器效率按 90% 计。"),))


TOOLS = (battery_runtime,)
'''
GOLDEN = [
    {
        "id": "ups-en",
        "lang": "en",
        "turns": ["How long does a UPS battery of 2 kWh carry a load of 600 W?"],
        "must_call": [{"tool": "battery_runtime", "args": {"battery_kwh": 2.0, "load_w": 600.0}}],
        "must_state": [{"value": 3.0, "unit": "h", "rel_tolerance": 0.01}],
        "expect": "answered",
    },
    {
        "id": "ups-zh",
        "lang": "zh",
        "turns": ["UPS 电池 3 kWh，负载 900 瓦，续航能撑多久？"],
        "must_call": [{"tool": "battery_runtime", "args": {"battery_kwh": 3.0, "load_w": 900.0}}],
        "must_state": [{"value": 3.0, "unit": "h", "rel_tolerance": 0.01}],
        "expect": "answered",
    },
]


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the tool's file, as if it lay in tools/, and its golden file."""
    (tmp_path / "battery.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "golden").mkdir()
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in GOLDEN)
    (tmp_path / "golden" / "battery.jsonl").write_text(lines, encoding="utf-8")
    monkeypatch.setattr(tools, "__path__", [*tools.__path__, str(tmp_path)])
    _forget()
    yield tmp_path
    monkeypatch.undo()
    sys.modules.pop("tools.battery", None)
    _forget()


def _forget() -> None:
    all_tools.cache_clear()
    frames.cache_clear()


def test_it_is_listed(added: Path) -> None:
    assert all_tools()["battery_runtime"].module == "battery"
    code = f"import tools; tools.__path__.append({str(added)!r}); import runpy, sys; sys.argv = ['tools']; runpy.run_module('tools', run_name='__main__')"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "battery_runtime" in shown


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row["lang"])
def test_it_is_understood_in_both_languages(added: Path, row: dict[str, Any]) -> None:
    plan = decide(row["turns"], {})
    assert [(call.tool, call.arguments) for stage in plan.stages for call in stage] == [
        (call["tool"], call["args"]) for call in row["must_call"]
    ]


def test_what_it_needs_is_asked_for(added: Path) -> None:
    plan = decide(["How long does the battery of my UPS last?"], {})
    assert plan.status == "clarify"
    assert "apacity of the battery" in plan.reply


async def test_it_is_phrased_with_every_number_bound(added: Path, tmp_path: Path) -> None:
    async with open_desk(Settings(data_dir=tmp_path / "data")) as desk:
        for row in GOLDEN:
            answer = (await desk.answer(row["turns"][0])).to_dict()
            assert answer["status"] == "answered"
            assert {number["ref"] for number in answer["numbers"] if number["kind"] == "tool"} >= {
                "r1.hours",
                "r1.usable_kwh",
            }
            assert ("90%" in answer["answer"]) and not answer["warnings"]


async def test_it_is_served_over_mcp(added: Path) -> None:
    from mcp.client import Client

    from assistant.mcp_server import build_server
    from assistant.serving.catalogue import catalogue

    async with Client(build_server(catalogue(lambda _query, _k: []))) as client:
        found = {tool.name for tool in (await client.list_tools()).tools}
    assert "battery_runtime" in found


async def test_it_is_evaluated(added: Path, tmp_path: Path) -> None:
    rows = load(added / "golden")
    outcomes = await collect(Settings(data_dir=tmp_path / "data"), rows, Store(tmp_path / "answers.jsonl", "built-in"))
    assert [(item.row.group, item.judgement.verdict) for item in outcomes] == [("battery", "right")] * 2
    assert all(item.judgement.arguments_right == 2 for item in outcomes)
