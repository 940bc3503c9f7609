"""Cooling: slots and degrees of the guide, relations, and messages."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools._errors import ToolInputError
from tools.cooling import cooling_check
from tools.power import power_check


def test_four_three_slot_cards_need_twelve_slots():
    # The guide, section 5.4: four RTX 3090s or 4090s do not fit with their own coolers.
    for card in ("RTX 3090", "RTX 4090"):
        result = cooling_check(cards={card: 4})
        assert (result.slots_needed, result.fits, result.verdict) == (12, False, "does_not_fit")


def test_two_air_cooled_3090s_fit_an_atx_board():
    # Question cool-005: floor(7 / 3) = 2; a vendor's limit is two as well.
    result = cooling_check(cards={"RTX 3090": 2})
    assert result.fits
    assert result.most_cards == 2
    assert result.possible_gap_slots == 1
    assert not cooling_check(cards={"RTX 3090": 3}).fits


def test_three_3090s_fit_with_water_and_four_blowers_on_eight_slots():
    assert cooling_check(cards={"RTX 3090": 3}, cooler="water").fits  # question cool-005
    blowers = cooling_check(cards={"RTX 3090": 4}, cooler="blower", board_slots=8)
    assert (blowers.slots_needed, blowers.verdict) == (8, "fits")


def test_degrees_of_the_guide():
    # Section 9.12: 10 to 30 degC for spacing, 1 to 3 for the case; 5.3: throttling above 80.
    result = cooling_check(cards={"RTX 3090": 2})
    assert (result.temperature_change_c_low, result.temperature_change_c_high) == (10, 30)
    assert (result.case_change_c_low, result.case_change_c_high) == (1, 3)
    assert result.throttle_temperature_c == 80


def test_one_card_has_no_neighbour_to_heat_it():
    result = cooling_check(cards={"RTX 4090": 1})
    assert (result.temperature_change_c_low, result.temperature_change_c_high) == (0, 0)
    assert result.verdict == "fits"


def test_open_air_cards_side_by_side_are_hot_and_a_gap_helps():
    assert cooling_check(cards={"RTX 3090": 2}).verdict == "fits_but_hot"
    gap = cooling_check(cards={"RTX 3090": 2}, gap_slots=1)
    assert (gap.slots_needed, gap.verdict) == (7, "fits")


def test_risers_make_four_cards_fit():
    result = cooling_check(cards={"RTX 4090": 4}, risers=True)
    assert (result.fits, result.verdict) == (True, "fits")


def test_heat_is_the_power_drawn():
    result = cooling_check(cards={"RTX 3090": 4}, risers=True)
    assert result.heat_w == 1400
    assert result.heat_btu_per_h == pytest.approx(4777, abs=1)  # 1 W = 3.412142 BTU/h


def test_wider_gaps_never_need_fewer_slots_and_bigger_boards_never_hold_less():
    cards = {"RTX 3090": 2, "RTX A6000": 1}
    needed = [cooling_check(cards=cards, gap_slots=gap).slots_needed for gap in range(4)]
    assert needed == sorted(needed)
    fits = [cooling_check(cards=cards, board_slots=board).fits for board in range(1, 15)]
    assert fits == sorted(fits)


def test_order_of_cards_changes_nothing():
    one = cooling_check(cards={"RTX 3090": 1, "RTX 5090": 1})
    two = cooling_check(cards={"RTX 5090": 1, "RTX 3090": 1})
    assert (one.slots_needed, one.heat_w, one.verdict) == (two.slots_needed, two.heat_w, two.verdict)
    assert one.slots_needed == 5


@settings(deadline=None, max_examples=60)
@given(
    cards=st.dictionaries(
        st.sampled_from(["RTX 3090", "RTX 4090", "RTX A6000", "RTX 3060"]), st.integers(1, 4), min_size=1, max_size=3
    ),
    board=st.integers(1, 20),
    gap=st.integers(0, 3),
    long_slots=st.lists(st.integers(1, 20), min_size=1, max_size=7),
)
def test_relations(cards: dict[str, int], board: int, gap: int, long_slots: list[int]):
    result = cooling_check(cards=cards, board_slots=board, gap_slots=gap)
    assert result.slots_needed == result.card_slots + gap * (result.card_count - 1)
    assert result.free_slots == board - result.slots_needed
    assert result.heat_w == power_check(cards=cards).gpu_w
    assert result.room_heat_w == power_check(cards=cards).wall_w
    turned = cooling_check(cards=dict(reversed(cards.items())), board_slots=board, gap_slots=gap)
    assert (turned.slots_needed, turned.heat_w, turned.verdict) == (result.slots_needed, result.heat_w, result.verdict)
    wired = cooling_check(cards=cards, board_slots=20, gap_slots=gap, connector_slots=long_slots)
    assert wired.placed_cards is not None
    assert wired.placed_cards <= min(result.card_count, len(set(long_slots)))


def test_long_slots_decide_where_cards_sit():
    # By hand: three-slot cards in slots 1 and 4 leave slot 7 free; slot 2 is covered by the first card.
    wired = cooling_check(cards={"RTX 3090": 2}, connector_slots=[1, 4, 7])
    assert (wired.placed_cards, wired.fits) == (2, True)
    covered = cooling_check(cards={"RTX 3090": 2}, connector_slots=[1, 3])
    assert (covered.placed_cards, covered.verdict) == (1, "does_not_fit")
    assert covered.warnings[0].en == "Only 1 of 2 cards find a long slot that no other card covers."


def test_length_and_own_width():
    # Data sheet: an RTX 3090 is 313 mm long.
    short = cooling_check(cards={"RTX 3090": 1}, case_length_mm=300)
    assert (short.length_room_mm, short.verdict) == (-13, "does_not_fit")
    assert short.warnings[0].en == "The longest card is 13 mm too long for the case."
    long = cooling_check(cards={"RTX 3090": 1}, case_length_mm=330)
    assert long.fits
    assert long.assumptions[0].en.startswith("The length is that of the maker's own board")
    assert cooling_check(cards={"RTX 4090": 2}, width_slots=3.5).slots_needed == 8
    unknown = cooling_check(cards={"RTX 4070 Ti": 1}, case_length_mm=330)
    assert unknown.warnings[0].en == "The data sheet states no length for one of these cards: measure it."


def test_lanes_of_a_small_processor():
    # By hand: four cards and 4 lanes on 24: 4 x 4 + 4 = 20. The guide, 9.2: 5 to 10 % slower.
    result = cooling_check(cards={"RTX 3090": 4}, risers=True, cpu_lanes=24)
    assert (result.card_lanes, result.needed_lanes, result.free_lanes) == (4, 20, 4)
    assert "5 to 10 %" in result.warnings[-1].en
    assert cooling_check(cards={"RTX 3090": 4}, risers=True, cpu_lanes=4).card_lanes == 0


def test_heat_of_the_room_and_noise():
    # By hand: 4 x 300 W; (1200 + 200) / 0.92 = 1521.7 W, x 3.412142 = 5192 BTU/h.
    result = cooling_check(cards={"RTX 3090": 4}, cooler="blower", board_slots=8, power_limit_w=300)
    assert (result.heat_w, result.noise) == (1200, "loud")
    assert result.room_heat_btu_per_h == pytest.approx(5192, abs=1)
    assert cooling_check(cards={"RTX 3090": 2}, cooler="water").noise == "quiet"
    assert cooling_check(cards={"RTX 3090": 1}).noise == "moderate"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"cards": {"RTX 3090": 2}, "connector_slots": []},
            "`connector_slots` is no list of positions. Give the positions of the long slots counted from the CPU, e.g."
            " [1, 4, 7].",
        ),
        (
            {"cards": {"RTX 3090": 2}, "connector_slots": [9]},
            "`connector_slots` must be at most 7, got 9. Give the positions of the long slots counted from the CPU, e.g."
            " [1, 4, 7].",
        ),
        (
            {"cards": {"RTX 3090": 2}, "case_length_mm": 33},
            "`case_length_mm` must be at least 100 mm, got 33. Give the room for cards in the case, e.g. 330.",
        ),
        (
            {"cards": {"RTX 3090": 2}, "temperature_c": 360},
            "`temperature_c` must be at most 150 °C, got 360. Give degrees Celsius under load, e.g. 87.",
        ),
        ({"cards": {}}, '`cards` is empty or no list of cards. Give cards by name and number, e.g. {"RTX 3090": 4}.'),
        (
            {"cards": {"H100 SXM": 4}},
            "'H100 SXM' sits on no expansion slot. Ask about a PCIe card such as 'A100 PCIe 80GB'.",
        ),
        (
            {"cards": {"RTX 3090": 2}, "cooler": "watr"},
            "`cooler` must be one of open_air, blower, water, got 'watr'. Did you mean 'water'?",
        ),
        ({"cards": {"RTX 3090": 2}, "board_slots": 0}, "`board_slots` must be at least 1, got 0. ATX boards have 7."),
        (
            {"cards": {"RTX 3090": 2}, "gap_slots": -1},
            "`gap_slots` must be at least 0, got -1. Give free slots between two cards, e.g. 1.",
        ),
        (
            {"cards": {"RTX 3090": 2}, "gap_slots": 0.5},
            "`gap_slots` must be a whole number, got 0.5. Give free slots between two cards, e.g. 1.",
        ),
    ],
)
def test_messages(arguments: dict[str, object], message: str):
    with pytest.raises(ToolInputError) as error:
        cooling_check(**arguments)  # pyright: ignore[reportArgumentType]
    assert error.value.text.en == message
    assert any("一" <= sign <= "鿿" for sign in error.value.text.zh)
