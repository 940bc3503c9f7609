import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.grounding.claim_words import WORDS as CLAIMS
from assistant.grounding.claim_words import signs_in
from assistant.letters import by_first_sign, narrow, small

WORDS = ["seven", "seventeen", "six", "a dozen", "dozen", "半", "百分之", r"\.5"]


@given(st.text())
def test_folding_keeps_every_position(text: str) -> None:
    assert len(small(text)) == len(narrow(text)) == len(text)


def test_a_sign_that_becomes_two_is_left_alone() -> None:
    assert small("İ TDP 350 W") == "İ tdp 350 w"


def test_full_width_signs_become_narrow_and_the_comma_stays() -> None:
    assert narrow("１，６００Ｗ ￥5") == "1，600W ¥5"


@given(st.lists(st.sampled_from(["seven", "teen", "six", " ", "a dozen", "半", "百分之", ".5"])).map("".join))
def test_words_sorted_by_their_first_sign_match_as_before(text: str) -> None:
    assert re.findall(by_first_sign(WORDS), text) == re.findall("|".join(WORDS), text)


@pytest.mark.parametrize(("signs", "pattern"), [(set(signs.split()), pattern) for _, _, signs, pattern in CLAIMS])
def test_no_claim_is_without_a_sign_of_it(signs: set[str], pattern: re.Pattern[str]) -> None:
    @given(st.from_regex(pattern))
    def every_match_has_one(text: str) -> None:
        if pattern.search(small(text)):
            assert signs & signs_in(small(text))

    every_match_has_one()
