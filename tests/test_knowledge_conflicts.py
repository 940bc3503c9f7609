"""Where a source and a tool differ the answer shows both, with section and date, and says which is used and why."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from assistant.builtin.fallback import further_call, say_conflicts
from assistant.desk import open_desk
from assistant.figures import Language
from assistant.grounding import Evidence, verify
from assistant.settings import Settings
from assistant.toolbox import SEARCH, outcome
from knowledge.search import Searcher
from tools.api import Json, get_tool

Outcomes = dict[str, dict[str, Json]]

A100, NVLINK = ("gpu_specs", {"gpu": "A100"}), ("gpu_specs", {"gpu": "RTX 3090"})
DAYS = ("cloud_break_even", {"desktop_usd": 2200, "cloud_usd_per_h": 2.14, "power_w": 450})
VALUE = ("rank_by_value", {"use": "training_16bit"})


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    return Searcher(tmp_path_factory.mktemp("data"))


def _asked(searcher: Searcher, question: str, language: Language, *calls: tuple[str, Any]) -> tuple[Outcomes, str]:
    """Make calls and those that follow from them; return the outcomes and the proved sentence on the conflict."""
    found: Outcomes = {}
    for name, arguments in calls:
        found[f"r{len(found) + 1}"] = _called(searcher, name, arguments)
    further = further_call(found, question, language)
    if further:
        found[f"r{len(found) + 1}"] = _called(searcher, *further)
    said = say_conflicts(found, question, language, "")
    proved = verify(said, _evidence(found, question), language) if said else None
    assert proved is None or proved.ok, proved.unbound
    return found, proved.text if proved else ""


def _called(searcher: Searcher, name: str, arguments: dict[str, Json]) -> dict[str, Json]:
    if name != SEARCH:
        return outcome(get_tool(name), arguments)
    cited: list[Any] = [dict(one) for one in searcher.search(arguments["query"], arguments["k"])]
    for place, one in enumerate(cited, 1):
        one["id"] = f"c{place}"
    return {"tool": SEARCH, "arguments": arguments, "citations": cited}


def _evidence(found: Outcomes, question: str) -> Evidence:
    cited = {one["id"]: one for each in found.values() for one in each.get("citations", [])}
    return Evidence({ref: each for ref, each in found.items() if "result" in each}, cited, (question,), {})


@pytest.mark.parametrize(
    ("question", "language", "call", "told"),
    [
        ("Tensor rate of an A100 in half precision?", "en", A100, ("624", "3.1", "2024", "312 TFLOPS", "data sheet")),
        ("A100 半精度跑多快，张量核心的峰值？", "zh", A100, ("624", "3.1", "2024", "312 TFLOPS", "规格书优先")),
        ("Can two 3090s be joined by an NVLink bridge?", "en", NVLINK, ("lacks NVLink", "3.5", "2024", "112 GB/s", "data sheet")),
        ("两张 3090 能插 NVLink 桥吗？", "zh", NVLINK, ("没有 NVLink", "3.5", "2024", "112 GB/s", "规格书优先")),
        ("How long until my machine has paid off?", "en", DAYS, ("about 300 days", "9.14", "2023-01-30", "293 days", "every step")),
        ("这台机器要用多久才划得来？", "zh", DAYS, ("约在 300 天", "9.14", "2023-01-30", "293", "每一步")),
        ("Best value for training in 16 bit?", "en", VALUE, ("RTX 3080", "2023-", "prices of 202", "newer prices")),
        ("16 位训练买哪张卡划算？", "zh", VALUE, ("RTX 3080", "2023-", "的价格", "新价格优先")),
    ],
)  # fmt: skip
def test_both_sides_are_shown_with_their_dates_and_the_reason(
    searcher: Searcher, question: str, language: Language, call: tuple[str, Any], told: tuple[str, ...]
) -> None:
    found, said = _asked(searcher, question, language, call)
    assert [one["tool"] for one in found.values()] == [call[0], SEARCH]
    assert [part for part in told if part not in said] == []


@pytest.mark.parametrize(
    ("question", "language", "tool", "told"),
    [
        ("A100 tensor TFLOPS, says the survey?", "en", "gpu_specs", "312 TFLOPS"),
        ("综述里 A100 的张量算力？", "zh", "gpu_specs", "312 TFLOPS"),
        ("break-even of cloud and desktop in the guide", "en", "cloud_break_even", "293 days"),
        ("指南里云和台式机的盈亏平衡", "zh", "cloud_break_even", "293"),
    ],
)
def test_a_passage_that_is_quoted_is_held_against_the_tool(
    searcher: Searcher, question: str, language: Language, tool: str, told: str
) -> None:
    found, said = _asked(searcher, question, language, (SEARCH, {"query": question, "k": 8}))
    assert [one["tool"] for one in found.values()] == [SEARCH, tool]
    assert told in said


@pytest.mark.parametrize(
    ("question", "call"),
    [
        ("How much memory does the A100 have?", A100),
        ("Tensor TFLOPS of the RTX 4090?", ("gpu_specs", {"gpu": "RTX 4090"})),
        ("How long until it has paid off?", ("cloud_break_even", {**DAYS[1], "cloud_usd_per_h": 1.1})),
        ("How much power do two cards draw?", ("power_check", {"cards": {"A100": 2}})),
    ],
)
def test_where_nothing_differs_nothing_is_searched_or_said(
    searcher: Searcher, question: str, call: tuple[str, Any]
) -> None:
    found, said = _asked(searcher, question, "en", call)
    assert (len(found), said) == (1, "")


def _note(name: str, text: str, date: str) -> dict[str, Json]:
    fields = {"article": name, "title": name, "section": "1", "url": "", "language": "en"}
    return {"id": name, "text": text, "date": date, "score": 0.99, **fields}


def test_a_newer_price_goes_before_an_older_one_and_a_persons_note_behind_a_data_sheet(searcher: Searcher) -> None:
    notes = [
        _note("c1", "The RTX 4090 costs $1,599 at launch.", "2022-10"),
        _note("c2", "A used RTX 4090 sells for $1,900; the RTX 4090 has 32 GB of memory.", "2026-02"),
    ]
    found: Outcomes = {"r1": {"tool": SEARCH, "arguments": {}, "citations": notes}}
    said = say_conflicts(found, "What does an RTX 4090 cost?", "en", "{{c1}}")
    assert said.startswith(
        "That passage (section {{c1.section}}, {{c1.date}}) differs. Used here: the prices of {{c2.date}}"
    )
    assert verify(said, _evidence(found, "?"), "en").ok
    memory = "How much memory has the RTX 4090?"
    assert further_call(found, memory, "en") == ("gpu_specs", {"gpu": "RTX 4090"})
    found["r2"] = _called(searcher, "gpu_specs", {"gpu": "RTX 4090"})
    assert "{{r2.memory_gb}}, because a data sheet" in say_conflicts(found, memory, "en", "")
    assert "32" not in json.dumps(found["r2"]["result"]["memory_gb"])


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many FP16 tensor TFLOPS does the A100 have?", ("312 TFLOPS", "624", "2024", "Used here")),
        ("A100 的 FP16 张量算力是多少 TFLOPS？", ("312 TFLOPS", "624", "2024", "这里采用")),
        ("Does the RTX 3090 have NVLink?", ("112 GB/s", "lacks NVLink", "2024", "Used here")),
        ("RTX 3090 支持 NVLink 吗？", ("112 GB/s", "没有 NVLink", "2024", "这里采用")),
        ("When does the guide say the cloud and the desktop break even?", ("293 days", "300 days", "2023-01-30", "Used here")),
        ("指南说云和台式机多少天盈亏平衡？", ("293", "300 天", "2023-01-30", "这里采用")),
        ("Which card gives the best value for 8-bit inference?", ("2023", "Used here: the prices of 202")),
        ("8 位推理哪张卡性价比最高？", ("2023", "这里采用 202")),
    ],
)  # fmt: skip
def test_the_built_in_model_shows_both_sides(tmp_path_factory, question: str, told: tuple[str, ...]) -> None:
    async def run() -> dict:
        async with open_desk(Settings(data_dir=Path(tmp_path_factory.getbasetemp()) / "asked")) as desk:
            return (await desk.answer(question)).to_dict()

    answer = asyncio.run(run())
    assert [part for part in told if part not in answer["answer"]] == []
    assert answer["citations"] and not answer["warnings"]


def test_advice_is_not_held_against_old_prices(searcher: Searcher) -> None:
    question = "Which card for LoRA fine-tuning under $1,900?"
    found, said = _asked(searcher, question, "en", ("recommend", {"use": "finetune", "budget_usd": 1900}))
    found["r2"] = _called(searcher, SEARCH, {"query": "RTX 4090 or RTX 3090, which is worth its price", "k": 4})
    assert said == ""
    assert say_conflicts(found, question, "en", "") == ""
