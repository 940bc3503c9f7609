"""Pictures: what they show, in words too, and that nothing in them can act."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from assistant.web.charts import charts_of
from assistant.web.charts.svg import WIDTH, breadth
from tests.arguments import ARGUMENTS
from tools.api import get_tool

DRAWN = [
    "rank_by_value",
    "cloud_break_even",
    "ownership_cost",
    "plan_build",
    "recommend",
    "power_check",
    "inference_memory",
    "training_memory",
    "decode_rate",
    "prefill_rate",
    "training_rate",
    "multi_gpu_speedup",
    "power_limit_effect",
    "relative_performance",
]


def result(tool: str, **more: Any) -> dict[str, Any]:
    return get_tool(tool).call({**ARGUMENTS[tool], **more}).to_dict()


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("tool", DRAWN)
def test_every_picture_is_whole_says_itself_in_words_and_has_a_table(tool: str, language: Any) -> None:
    charts = charts_of(tool, result(tool), language)
    assert charts
    for chart in charts:
        root = ET.fromstring(chart.svg(alone=True))
        assert chart.text and chart.title in root.attrib["aria-label"] and chart.text in root.attrib["aria-label"]
        assert chart.rows and all(len(row) == len(chart.head) for row in chart.rows)
        width, height = WIDTH, chart.height
        for node in root.iter():
            for name in ("x", "cx", "x1", "x2"):
                assert -1 <= float(node.attrib.get(name, 0)) <= width + 1, (tool, node.attrib)
            for name in ("y", "cy", "y1", "y2"):
                assert -1 <= float(node.attrib.get(name, 0)) <= height + 1, (tool, node.attrib)
        chinese = bool(re.search(r"[\u4e00-\u9fff]", chart.title + chart.text))
        assert chinese == (language == "zh")


def test_the_crossing_is_the_tools_own_day() -> None:
    chart = charts_of("cloud_break_even", result("cloud_break_even"), "en")[0]
    assert "293 days" in chart.svg() and "$2,257" in chart.text
    never = charts_of("cloud_break_even", result("cloud_break_even", cloud_usd_per_h=0.01), "zh")
    assert "不会打平" in never[0].text


def test_a_limit_that_is_broken_is_red() -> None:
    calm = charts_of("power_check", result("power_check", psu_w=2500), "en")[0].svg()
    broken = charts_of("power_check", result("power_check", psu_w=1000, outlet_v=110, outlet_a=10), "en")[0].svg()
    assert 'class="limit"' not in calm and broken.count('class="limit"') == 2


def test_the_frontier_leaves_out_what_is_dearer_and_slower() -> None:
    ranked = result("rank_by_value")
    chart = charts_of("rank_by_value", ranked, "en")[1]
    prices = {row["gpu"]: (row["price_usd"], row["relative"]) for row in ranked["rows"]}
    for name, *_ in chart.rows:
        price, speed = prices[name]
        assert not any(other <= price and faster > speed for other, faster in prices.values())


def test_a_recommendation_is_ringed_at_its_own_price() -> None:
    advised = result("recommend")
    chart = charts_of("recommend", advised, "en")[0]
    prices = {pick["gpu"]: f"${pick['price_usd']:,.0f}" for pick in advised["picks"] if pick["price_usd"]}
    assert prices and {row[0]: row[1] for row in chart.rows} == prices
    assert chart.svg().count('class="pick"') == len(prices) and all(name in chart.text for name in prices)
    assert charts_of("recommend", {**advised, "picks": []}, "zh") == []


def test_names_in_a_picture_do_not_cover_each_other() -> None:
    root = ET.fromstring(charts_of("rank_by_value", result("rank_by_value"), "en")[1].svg())
    written = [node for node in root.iter() if (node.text or "").startswith(("RTX", "RX")) and node.get("x")]
    spans = [(float(node.attrib["x"]), float(node.attrib["y"]), breadth(node.text or "")) for node in written]
    assert len(spans) > 2
    for index, (x, y, wide) in enumerate(spans):
        for other_x, other_y, other_wide in spans[:index]:
            assert abs(y - other_y) > 12 or x >= other_x + other_wide or other_x >= x + wide


def test_no_text_of_a_result_becomes_markup() -> None:
    row = {"gpu": "<script>alert(1)</script>\"'", "relative": 1.0, "low": 0.5, "high": 1.5, "basis": "<b>"}
    chart = charts_of("relative_performance", {"rows": [row], "reference": "<img src=x onerror=1>"}, "en")[0]
    for drawn in (chart.svg(), chart.svg(theme='"><script>', alone=True)):
        ET.fromstring(drawn)
        assert "<script" not in drawn and "<img" not in drawn


@pytest.mark.parametrize("tool", ["calculate", "gpu_specs", "search_articles", "nothing"])
def test_no_picture_where_it_says_nothing(tool: str) -> None:
    assert charts_of(tool, {}, "en") == []
