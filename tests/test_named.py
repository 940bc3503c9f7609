"""What a question names beside quantities, and how the answers of the build tools are said with it."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.builtin.decide import decide
from assistant.builtin.fallback import say_outcome
from assistant.builtin.frames import frames
from assistant.builtin.named import added_cards, card_prices, names, owned_cards, plugs
from assistant.builtin.reading import read
from assistant.figures import Language
from assistant.grounding import Evidence, verify
from assistant.toolbox import outcome
from tools.api import get_tool, named_in


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a Ryzen 9 7950X and an RTX 5090", "Ryzen 9 7950X"),
        ("i9 14900KF", "i9-14900K"),
        ("CPU 是 13700K", "i7-13700K"),
        ("Core Ultra 9 285K", "Core Ultra 9 285K"),
        ("Threadripper PRO 5965WX", "Threadripper PRO 5965WX"),
        ("dual EPYC 9654", "EPYC 9654"),
        ("it costs 14900 dollars", None),
        ("an RX 7900 XTX", None),
        ("9654 hours", None),
    ],
)
def test_processors_as_people_type_them(text: str, name: str | None):
    assert [found.name for found in named_in("cpu", text)] == ([] if name is None else [name])


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("in the US", ["US"]),
        ("tell us the price", []),
        ("German electricity", ["DE"]),
        ("法国和波兰", ["FR", "PL"]),
        ("印度尼西亚", []),
        ("England", ["GB"]),
        ("us-central1 or europe-north1", ["us-central1", "europe-north1"]),
        ("a data centre in Virginia, PUE 1.2", ["us-east4"]),
        ("I live in Paris", []),
    ],
)
def test_places(text: str, codes: list[str]):
    assert names("region", read(text)) == codes


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("I have a 3090 and a 2080 Ti", {"RTX 3090": 1, "RTX 2080 Ti": 1}),
        ("I have two 3090s and want to buy a 4090", {"RTX 3090": 2}),
        ("我手上有两张 3090，要不要换 4090", {"RTX 3090": 2}),
        ("Should I buy a 3090 or a 4090?", {}),
        ("有没有便宜的 3090？", {}),
        ("My budget is $800, is a 3090 good?", {}),
    ],
)
def test_owned_cards(text: str, cards: dict[str, int]):
    assert owned_cards(read(text)) == cards


@pytest.mark.parametrize(
    ("text", "prices"),
    [
        ("a used 3090 for $700 or a 4070 Ti at $750", {"RTX 3090": 700, "RTX 4070 Ti": 750}),
        ("$550 for a used 3090", {"RTX 3090": 550}),
        ("two 3090s for $1400", {"RTX 3090": 700}),
        ("a 4090 under $1500", {}),
    ],
)
def test_prices_that_a_person_names_are_of_one_card(text: str, prices: dict[str, float]):
    assert card_prices(read(text))[0] == prices


def test_the_price_of_a_card_is_no_budget():
    (call,) = decide(["Which is better value, a 3080 Ti for $500 or a 4070 Super for $560?"], {}).stages[0]
    assert call.arguments["prices_usd"] == {"RTX 3080 Ti": 500, "RTX 4070 Super": 560}
    assert "budget_usd" not in call.arguments


def test_plugs_belong_to_a_supply():
    assert plugs(read("My supply has four 8-pin cables and one 12VHPWR")) == {"8-pin": 4, "12VHPWR": 1}
    assert plugs(read("电源有 4 个 8pin 和两个 6pin")) == {"8-pin": 4, "6-pin": 2}
    assert plugs(read("the card has three 8-pin sockets")) == {}


def test_a_card_that_is_to_be_added_counts():
    assert added_cards(read("I have two 3080s, can I add a third one?")) == {"RTX 3080 10GB": 3}
    assert added_cards(read("机器里有两张 3080，再插一张行吗")) == {"RTX 3080 10GB": 3}
    assert added_cards(read("a 3080 with another 3080 below it")) == {"RTX 3080 10GB": 2}
    assert added_cards(read("two 3080s")) == {}


@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        ("i5-13600K with an RTX 4080, is 750 W enough?", "power_check", {"cpu": "i5-13600K"}),
        ("英国插座上能跑 5 张 4080 吗，电源够不够？", "power_check", {"outlet_v": 230, "outlet_a": 13}),
        ("三张 4080 插在 16A 插座上，插座够吗？", "power_check", {"outlet_v": 220, "outlet_a": 16}),
        ("Can two 850 W power supplies run four RTX 4080?", "power_check", {"psu_count": 2, "psu_w": 850}),
        ("Which UPS size for a box with three RTX 4080?", "power_check", {"cards": {"RTX 4080": 3}}),
        ("Do four liquid-cooled RTX 4080 fit on a board with 7 slots?", "cooling_check", {"cooler": "water", "cards": {"RTX 4080": 4}}),
        ("My RTX 4080 runs at 84 °C, is that too hot?", "cooling_check", {"temperature_c": 84}),
        ("Three RTX 4080 on 64 PCIe lanes: how many lanes does each get?", "cooling_check", {"cpu_lanes": 64}),
        ("When does my $4,100 box with two 4080s beat a cloud at $0.9/h in Poland?", "cloud_break_even", {"country": "PL", "gpu": "RTX 4080", "gpu_count": 2}),
        ("Cloud at $1.3/h and 800 GB of storage at $0.08 per GB a month, desktop $3,100: when is buying cheaper?", "cloud_break_even", {"storage_gb": 800, "storage_usd_per_gb_month": 0.08}),
        ("A $5,200 server that I can sell for $2,000 later against $1.4/h at 35%: when does buying pay off?", "cloud_break_even", {"resale_usd": 2000, "desktop_usd": 5200}),
        ("我像博士生那样用，台式机 2600 美元，云每小时 0.8 美元，多久回本？", "cloud_break_even", {"usage": "phd_desktop"}),
        ("瑞典电价下 4080 一年电费多少？", "ownership_cost", {"country": "SE"}),
        ("At 55 tok/s and 310 W in Italy, what does a million tokens cost?", "token_cost", {"country": "IT"}),
        ("I own a 4080. Should I add a second 4080 to run a 40B model?", "recommend", {"cards": {"RTX 4080": 1}}),
        ("Plan me a machine for a 14B model under 1800 dollars in Australia", "plan_build", {"country": "AU"}),
    ],
)  # fmt: skip
def test_a_question_names_its_arguments(question: str, tool: str, arguments: dict[str, Any]):
    calls = [call for stage in decide([question], {}).stages for call in stage]
    call = next(call for call in calls if call.tool == tool)
    assert {name: call.arguments.get(name) for name in arguments} == arguments


def test_several_grids_are_held_side_by_side():
    (stage,) = decide(["CO2 of six RTX 4080 for 90 hours in Norway compared with India?"], {}).stages
    assert [call.arguments["region"] for call in stage] == ["NO", "IN"]


LANGUAGES: tuple[Language, ...] = ("en", "zh")
CASES: list[tuple[str, dict[str, Any]]] = [
    ("power_check", {"cards": {"RTX 4090": 2}, "cpu": "i9-14900K", "psu_w": 1000}),
    ("power_check", {"cards": {"RTX 3090": 5}, "psu_w": 1000, "psu_count": 2}),
    ("power_check", {"cards": {"RTX 3090": 2}, "psu_w": 1200, "psu_count": 2}),
    ("power_check", {"cards": {"RTX 3090": 2}, "psu_w": 1000, "psu_connectors": {"8-pin": 3}}),
    ("power_check", {"cards": {"RTX 3090": 2}, "psu_w": 600, "psu_connectors": {"8-pin": 1}}),
    ("power_check", {"cards": {"RTX 3090": 6}, "outlet": "uk_13a"}),
    ("power_check", {"cards": {"RTX 3090": 1}, "outlet": "cn_10a"}),
    ("power_check", {"cards": {"RTX 5090": 8}, "outlet": "us_15a", "psu_w": 3000, "psu_count": 2}),
    ("power_check", {"cards": {"RTX 3090": 1}, "pigtails": True}),
    ("cooling_check", {"cards": {"RTX 4090": 2}, "cpu_lanes": 24, "temperature_c": 88}),
    ("cooling_check", {"cards": {"RTX 4090": 1}, "case_length_mm": 250}),
    ("cooling_check", {"cards": {"RTX 4090": 4}, "case_length_mm": 330, "temperature_c": 70}),
    ("cloud_break_even", {"desktop_usd": 5000, "cloud_usd_per_h": 0.7, "gpu": "RTX 4090", "gpu_count": 2, "rate_per": "gpu", "country": "ES", "usage": "company"}),
    ("cloud_break_even", {"desktop_usd": 9000, "cloud_usd_per_h": 1.1, "billing": "reserved", "resale_usd": 900, "storage_gb": 100, "storage_usd_per_gb_month": 0.1}),
    ("cloud_break_even", {"desktop_usd": 9000, "cloud_usd_per_h": 1.1, "utilization": 0.4, "electricity_usd_per_kwh": 0.2}),
    ("ownership_cost", {"gpu": "RTX 4090", "country": "FR", "usage": "personal"}),
    ("token_cost", {"tokens_per_s": 40, "power_w": 400, "country": "DE", "price_usd": 2000}),
    ("rank_by_value", {"use": "training_16bit", "gpus": ["RTX 3090", "RTX 4090"], "prices_usd": {"RTX 3090": 500}}),
    ("recommend", {"use": "inference", "model": "70B", "cards": {"RTX 3090": 1}}),
    ("recommend", {"use": "inference", "model": "32B", "cards": {"RTX 2080 Ti": 2}, "hours_per_week": 5}),
    ("recommend", {"use": "inference", "model": "13B", "form": "laptop"}),
    ("recommend", {"use": "inference", "model": "30B", "hours_per_week": 2}),
    ("recommend", {"use": "inference", "model": "32B", "prices_usd": {"RTX 3090": 500}}),
    ("plan_build", {"use": "inference", "model": "70B", "budget_usd": 60}),
    ("plan_build", {"use": "train", "model": "30B"}),
    ("plan_build", {"use": "train", "model": "30B", "budget_usd": 400}),
    ("plan_build", {"cards": {"RTX 4090": 1}, "model": "13B", "country": "CA", "hours_per_week": 15}),
    ("carbon_footprint", {"cards": {"RTX 4090": 1}, "hours": 100, "region": "us-central1", "utilization": 0.3}),
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("tool", "arguments"), CASES)
def test_what_is_said_is_proved(tool: str, arguments: dict[str, Any], language: Language):
    found = {"r1": outcome(get_tool(tool), arguments)}
    assert "result" in found["r1"], found["r1"].get("error")
    for focus in ("", *frames()[tool].focus):
        for given in ((), tuple(arguments)):
            text = say_outcome("r1", found["r1"], language, focus, given)
            said = verify(text, Evidence(found, {}, ("?",)), language)
            assert said.ok, (focus, said.unbound, text)
            assert "None" not in said.text, said.text
            assert "\n\n\n" not in said.text
