"""Wrong figures in every form that a model writes them in are held back, true ones pass: whose a figure is, how it is
rounded, and tables, code, formulas, HTML, links and invisible signs.
"""

from __future__ import annotations

from typing import Any

import pytest

from assistant.evidence import language_of
from assistant.grounding import Evidence, Verified, verify
from assistant.toolbox import outcome
from tests.test_truthful import result
from tools.api import get_tool

Call = str | tuple[str, dict[str, Any]]
EMITTED: Call = ("carbon_footprint", {"hours": 100, "power_w": 450, "region": "Germany"})
LIMITED: Call = ("power_check", {"cards": {"RTX 3090": 4}, "psu_w": 1600, "power_limit_w": 300})
FOUND: Call = ("find_gpus", {"min_memory_gb": 24})
SUPPLY = "Is 1600 W enough for four RTX 3090?"
SUPPLY_ZH = "4 张 3090 用 1600W 电源够吗？"
TWO = "4090 or 3090?"
HIDDEN = "\u200b"


def proved(calls: tuple[Call, ...], question: str, draft: str) -> Verified:
    results = {
        f"r{at}": result(name) if isinstance(name, str) else outcome(get_tool(name[0]), name[1])
        for at, name in enumerate(calls, 1)
    }
    return verify(draft, Evidence(results, {}, (question,)), language_of(question))


# A figure that is said of a card must be that card's.
WRONG_OWNER: list[tuple[tuple[Call, ...], str, str]] = [
    (("3090", EMITTED), "What does it emit?", "The RTX 3090 draws 450 W."),
    (("3090", EMITTED), "它排多少碳？", "RTX 3090 的功耗是 450 W。"),
    (("3090", EMITTED), "What does it emit?", "| card | power |\n|---|---|\n| RTX 3090 | 450 W |"),
    ((EMITTED,), "What does an RTX 3090 emit in 100 hours?", "The RTX 3090 draws 450 W."),
    ((EMITTED,), "What does an RTX 3090 emit in 100 hours?", "RTX 3090: **450 W**"),
    (("3090", EMITTED), "What does it emit?", "That is 450 W for the RTX 3090."),
    ((FOUND,), "Cards from 24 GB on?", "The RTX 3070 has 24 GB."),
    (("3090", "rent"), "Rent or buy?", "The RTX 3090 costs $2,200."),
    (("3090", "token"), "What do tokens cost?", "The RTX 3090 writes 50 tokens/s."),
    ((LIMITED,), SUPPLY, "The four RTX 3090 take 1,200 W each."),
    (("4090", "3090"), TWO, "The RTX 3090 has 1,008 GB/s against 936 GB/s."),
    (("4090", "3090"), TWO, "The RTX 4090 has 1,008 GB/s against 24 GB/s."),
]
RIGHT_OWNER: list[tuple[tuple[Call, ...], str, str]] = [
    ((EMITTED,), "What does a 450 W RTX 3090 emit?", "The RTX 3090 draws 450 W."),
    ((EMITTED,), "What does my RTX 3090 emit?", "It draws 450 W."),
    ((LIMITED,), SUPPLY, "With 300 W each the machine takes {{r1.system_w}}."),
    (("4090", "3090"), TWO, "The RTX 4090 has 1,008 GB/s against 936 GB/s."),
]
WRONG_ROUNDING: list[tuple[tuple[Call, ...], str, str]] = [
    (("rent",), "Rent or buy?", "It pays off in the 12th month."),
    (("rent",), "Rent or buy?", "It pays off in the twelfth month."),
    (("rent",), "租还是买？", "第 12 个月回本。"),
    (("psu",), SUPPLY, "The machine takes nearly two kilowatts."),
    (("psu",), SUPPLY, "The machine takes over two kilowatts."),
    (("psu",), SUPPLY, "At the wall it is about 1,750 W."),
    (("psu",), SUPPLY, "At the wall it is 1,740 W."),
    (("rent",), "Rent or buy?", "That is 15% of 15% of the time."),
    (("rank",), "哪张卡最划算？", "RTX 3090 是第二快的。"),
    (("rank",), "Which card is the best value?", "The RTX 3090 is the second fastest."),
    (("rank",), "Which card is the best value?", "The RTX 3090 ranks second."),
]
RIGHT_ROUNDING: list[tuple[tuple[Call, ...], str, str]] = [
    (("psu",), SUPPLY, "At the wall it is about 1,740 W."),
    (("psu",), SUPPLY_ZH, "墙上约 1740 W。"),
    (("rent",), "Rent or buy?", "Buying pays off in the 10th month."),
    (("rent",), "租还是买？", "第 10 个月回本。"),
]
WRONG_FORM: list[tuple[tuple[Call, ...], str, str]] = [
    (("psu",), SUPPLY, "| part | power |\n|---|---|\n| machine | 1,700 W |"),
    (("psu",), SUPPLY, "| part | power (W) |\n|---|---|\n| machine | 1700 |"),
    (("4090", "3090"), TWO, "| card | bandwidth (GB/s) |\n|---|---|\n| RTX 4090 | 936 |\n| RTX 3090 | 1008 |"),
    (("4090", "3090"), TWO, "| | RTX 4090 | RTX 3090 |\n|---|---|---|\n| bandwidth | 936 GB/s | 1,008 GB/s |"),
    (("psu",), SUPPLY_ZH, "| 项 | 功率 |\n|---|---|\n| 整机 | 1700 W |"),
    (("psu",), SUPPLY, "```\nmachine = 1700 W\n```"),
    (("psu",), SUPPLY, "`1700 W` for the machine."),
    (("psu",), SUPPLY, "The machine takes $1700\\,\\mathrm{W}$."),
    (("psu",), SUPPLY, "The machine takes \\(1{,}700\\ \\text{W}\\)."),
    (("psu",), SUPPLY, "$$P = 4 \\times 375\\,\\text{W} + 200\\,\\text{W} = 1700\\,\\text{W}$$"),
    (("psu",), SUPPLY, "The machine takes \\frac{3200}{2} W."),
    (("psu",), SUPPLY, "The machine takes <b>1,700</b> W."),
    (("psu",), SUPPLY, "The machine takes 1,<span>700</span> W."),
    (("psu",), SUPPLY, "The machine takes 1&#55;00 W."),
    (("psu",), SUPPLY, "See [1,700 W](https://example.org/a)."),
    (("psu",), SUPPLY, "![1700 W](https://example.org/a.png)"),
    (("psu",), SUPPLY, f"The machine takes 17{HIDDEN}00 W."),
    (("psu",), SUPPLY, f"The machine takes 1{HIDDEN}600 kW."),
    (("psu",), SUPPLY, "The machine takes 16**50** W."),
    (("psu",), SUPPLY_ZH, "整机 **1700** 瓦。"),
    (("psu",), SUPPLY, "The machine takes 1600×10^3 W."),
    (("psu",), SUPPLY, f"The R{HIDDEN}TX 6090 draws 350 W."),
    # A mark over the unit may make another one of it.
    (("psu",), SUPPLY, "The machine takes 1,600 W\u0335."),
    (("psu",), SUPPLY, "The machine takes 1,600 \u0338W."),
    (("psu",), SUPPLY, "The machine takes 1\u0336,6\u03360\u03360\u0336 W."),
]
RIGHT_FORM: list[tuple[tuple[Call, ...], str, str]] = [
    (("psu",), SUPPLY, "| part | power (W) |\n|---|---:|\n| cards | 1400 |\n| machine | 1600 |"),
    (("4090", "3090"), TWO, "| card | bandwidth (GB/s) |\n|---|---|\n| RTX 4090 | 1008 |\n| RTX 3090 | 936 |"),
    (("4090", "3090"), TWO, "| | RTX 4090 | RTX 3090 |\n|---|---|---|\n| bandwidth | 1,008 GB/s | 936 GB/s |"),
    (("psu",), SUPPLY_ZH, "| 项 | 功率 |\n|---|---|\n| 整机 | 1600 W |"),
    (("psu",), SUPPLY, "```\nmachine = 1600 W\n```"),
    (("psu",), SUPPLY, "The machine takes `1,600` W."),
    (("psu",), SUPPLY, "The machine takes $1600\\,\\mathrm{W}$."),
    (("psu",), SUPPLY, "The machine takes \\(1{,}600\\ \\text{W}\\)."),
    (("psu",), SUPPLY, "$$P = 4 \\times 350\\,\\text{W} + 200\\,\\text{W} = 1600\\,\\text{W}$$"),
    (("psu",), SUPPLY, "The machine takes <b>1,600</b> W."),
    (("psu",), SUPPLY_ZH, "整机 **1,600** 瓦。"),
]


def planned(budget_usd: float) -> tuple[Call, list[dict[str, Any]]]:
    arguments: dict[str, Any] = {"use": "inference", "model": "32B", "budget_usd": budget_usd}
    return ("plan_build", arguments), outcome(get_tool("plan_build"), arguments)["result"]["plans"]


def test_what_a_card_is_held_against_is_no_price_of_that_card() -> None:
    call, plans = planned(700)
    rented = next(plan for plan in plans if plan["rent_usd_per_h"])
    bought = next(plan for plan in plans if plan["break_even"] and plan["cards"] != rented["cards"])
    rate = f"${rented['rent_usd_per_h']:g}/h"
    assert bought["break_even"]["cloud_usd_per_h"] == rented["rent_usd_per_h"]
    for plan, is_true in ((rented, True), (bought, False)):
        (card,) = plan["cards"]
        assert proved((call,), "Rent or buy?", f"Rent 1 x {card}, {rate}.").ok == is_true
        assert proved((call,), "Rent or buy?", f"The {card} rents for {rate}.").ok == is_true


@pytest.mark.parametrize(("draft", "is_true"), [("Rent 1 x {}, ${}/h.", True), ("Buy 1 x {}, ${}/h.", False)])
def test_what_is_bought_has_no_price_per_hour(draft: str, is_true: bool) -> None:
    call, plans = planned(700)
    rented = next(plan for plan in plans if plan["rent_usd_per_h"])
    (card,) = rented["cards"]
    assert proved((call,), "Rent or buy?", draft.format(card, rented["rent_usd_per_h"])).ok == is_true


@pytest.mark.parametrize(("calls", "question", "draft"), [*WRONG_OWNER, *WRONG_ROUNDING, *WRONG_FORM])
def test_a_wrong_draft_is_held_back(calls: tuple[Call, ...], question: str, draft: str) -> None:
    assert not proved(calls, question, draft).ok


@pytest.mark.parametrize(("calls", "question", "draft"), [*RIGHT_OWNER, *RIGHT_ROUNDING, *RIGHT_FORM])
def test_a_true_draft_passes(calls: tuple[Call, ...], question: str, draft: str) -> None:
    verified = proved(calls, question, draft)
    assert verified.ok, verified.unbound
