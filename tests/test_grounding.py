"""The guard: what passes, what does not, and where every number comes from."""

from __future__ import annotations

import pytest

from assistant.grounding import Evidence, verify
from assistant.toolbox import outcome
from tools.api import get_tool


def evidence(*, user: tuple[str, ...] = ("4 张 3090 用 1600W 电源够吗？",)) -> Evidence:
    result = outcome(get_tool("power_check"), {"cards": {"RTX 3090": 4}, "psu_w": 1600})
    passage = {
        "id": "c1",
        "title": "Guide",
        "section": "5.4",
        "date": "2023-01-30",
        "url": "",
        "text": "The guide asks for more than 1700 W for four RTX 3090.",
    }
    return Evidence({"r1": result}, {"c1": passage}, user)


def test_a_reference_is_filled_in_with_value_unit_and_origin() -> None:
    verified = verify("The machine takes {{r1.system_w}}.", evidence(), "en")
    assert verified.ok
    assert verified.text == "The machine takes 1,600 W."
    (number,) = verified.numbers
    assert (number.text, number.value, number.unit, number.kind, number.ref) == (
        "1,600 W",
        1600.0,
        "W",
        "tool",
        "r1.system_w",
    )
    assert verified.text[number.start : number.start + len(number.text)] == number.text


def test_the_local_form_follows_the_language() -> None:
    result = outcome(get_tool("cloud_break_even"), {"desktop_usd": 2200, "cloud_usd_per_h": 2.14})
    proof = Evidence({"r1": result})
    assert (
        verify("{{r1.break_even_days}} {{r1.break_even_usd}} {{r1.utilization}}", proof, "en").text
        == "293 days $2,257 15%"
    )
    assert (
        verify("{{r1.break_even_days}} {{r1.break_even_usd}} {{r1.utilization}}", proof, "zh").text
        == "293天 2,257 美元 15%"
    )


BOUND = [
    ("It draws 1600 W.", "tool"),
    ("It draws 1.6 kW.", "tool"),
    ("At the wall 1739 W.", "tool"),
    ("整机 1600 瓦。", "tool"),
    ("The guide wants 1700 W [c1].", "article"),
    ("Four RTX 3090s.", "name"),
    ("PCIe 4.0 and FP16 are fine.", "name"),
]


@pytest.mark.parametrize(("draft", "kind"), BOUND)
def test_literals_pass_when_something_vouches_for_them(draft: str, kind: str) -> None:
    verified = verify(draft, evidence(), "en")
    assert verified.ok, verified.unbound
    assert kind in {number.kind for number in verified.numbers}


UNBOUND = [
    "It draws 1650 W.",
    "It draws 1600 GB.",
    "It draws 16 kW.",
    "It costs $1,600.",
    "The RTX 6090 is fine.",
    "The RTX 5050 Ti has 4096 cores.",
    "整机一千七百瓦。",
    "The guide wants 1700 W.",
    "{{r1.no_such_field}} W",
    "{{r9.system_w}}",
    "{{r1.steps}}",
    "It is three times too small.",
]


@pytest.mark.parametrize("draft", UNBOUND)
def test_everything_else_is_held_back(draft: str) -> None:
    assert not verify(draft, evidence(), "en").ok


def test_without_any_result_no_number_passes() -> None:
    assert not verify("Take 850 W.", Evidence(user=("Which supply?",)), "en").ok


def test_the_person_own_words_may_be_repeated() -> None:
    verified = verify("You said 850 W and the RTX 6090.", Evidence(user=("850 W for an RTX 6090?",)), "en")
    assert verified.ok
    assert [number.kind for number in verified.numbers] == ["user", "name"]


def test_a_passage_is_quoted_word_for_word_and_counts_as_the_article() -> None:
    verified = verify("{{c1.title}} ({{c1.date}}): {{c1}}", evidence(), "en")
    assert verified.ok
    assert verified.cited == ("c1",)
    assert {number.ref for number in verified.numbers if number.kind == "article"} == {"c1"}


def test_a_list_number_is_no_quantity_but_a_line_s_first_figure_is() -> None:
    assert verify("1. Take the larger one.\n2. Limit the cards.", Evidence(user=("?",)), "en").ok
    assert not verify("850 W is enough.", Evidence(user=("?",)), "en").ok
