"""Carbon: published footprints, relations, and messages that say the way out."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools._errors import ToolInputError
from tools.carbon import carbon_footprint


def test_llama_2_model_card():
    # Model card: 184,320 A100 hours at 400 W, 31.22 t; 0.423 kg/kWh is implied, in three digits.
    result = carbon_footprint(hours=184_320, power_w=400, intensity_g_per_kwh=423)
    assert result.emissions_t == pytest.approx(31.22, rel=0.002)
    assert result.emissions_kg == pytest.approx(1000 * result.emissions_t)


def test_256_a100_for_300_hours():
    # Question co2-010: 33,792 kWh and 13.52 t at PUE 1.1 and 400 g, 1.69 t at 50 g.
    grid = carbon_footprint(hours=300, cards={"A100 SXM 40GB": 256}, pue=1.1, intensity_g_per_kwh=400)
    clean = carbon_footprint(hours=300, power_w=256 * 400, pue=1.1, intensity_g_per_kwh=50)
    assert grid.energy_kwh == pytest.approx(33_792)
    assert grid.emissions_t == pytest.approx(13.52, rel=0.001)
    assert clean.emissions_t == pytest.approx(1.69, rel=0.001)


@pytest.mark.parametrize(
    ("power_w", "hours", "pue", "grams", "kg"),
    [
        (5600, 5, 1, 269.8, 7.55),  # question co2-004
        (300, 2_788_000, 1.3, 536.6, 583_500),  # question co2-003
        (700, 2_788_000, 1.3, 536.6, 1_361_400),  # question co2-003, 700 W
        (300, 24, 1, 536.6, 3.86),  # question co2-009
    ],
)
def test_questions_that_people_asked(power_w: float, hours: float, pue: float, grams: float, kg: float):
    result = carbon_footprint(power_w=power_w, hours=hours, pue=pue, intensity_g_per_kwh=grams)
    assert result.emissions_kg == pytest.approx(kg, rel=0.002)


@pytest.mark.parametrize(
    ("region", "grams"),
    [
        ("France", 56),
        ("法国", 56),
        ("fr", 56),
        ("中国", 582),
        ("USA", 369),
        ("Norway", 30),
        ("世界", 475),
        ("europe-north1", 39.32),
        ("Iowa", 412.72),
        ("eu-west-3", 41.5),
    ],
)
def test_regions_by_code_and_by_name_in_both_languages(region: str, grams: float):
    assert carbon_footprint(hours=1, power_w=1000, region=region).intensity_g_per_kwh == grams


def test_without_a_region_the_world_is_taken_and_said():
    result = carbon_footprint(hours=1, power_w=1000)
    assert result.intensity_g_per_kwh == 475
    assert result.assumptions[0].en == "Grid: World, 475 g/kWh, average of 2023."
    assert result.assumptions[0].zh == "电网：世界，475 克/度，2023 年平均值。"


def test_km_by_car_follows_from_the_epa_factor():
    # EPA-420-F-23-014: 400 g per mile, so 0.2485 kg/km.
    result = carbon_footprint(hours=1000, power_w=1000, intensity_g_per_kwh=400)
    assert result.car_kg_per_km == pytest.approx(0.2485, rel=0.001)
    assert result.km_by_car == pytest.approx(1000 * 1.609344)


def test_energy_grows_with_every_factor():
    base = carbon_footprint(hours=10, power_w=400, utilization=0.5, pue=1.1, region="DE")
    for more in (
        carbon_footprint(hours=11, power_w=400, utilization=0.5, pue=1.1, region="DE"),
        carbon_footprint(hours=10, power_w=401, utilization=0.5, pue=1.1, region="DE"),
        carbon_footprint(hours=10, power_w=400, utilization=0.6, pue=1.1, region="DE"),
        carbon_footprint(hours=10, power_w=400, utilization=0.5, pue=1.2, region="DE"),
        carbon_footprint(hours=10, power_w=400, utilization=0.5, pue=1.1, region="PL"),
    ):
        assert more.emissions_kg > base.emissions_kg


def test_bloom_and_the_making_of_its_cards():
    # BLOOM: 1,082,990 hours of A100 at 400 W and 57 g/kWh emit 24.7 t; making one A100 150 kg (Luccioni and others).
    result = carbon_footprint(hours=1_082_990, power_w=400, intensity_g_per_kwh=57)
    assert result.emissions_t == pytest.approx(24.7, abs=0.05)
    assert result.embodied_kg_low is None
    eight = carbon_footprint(hours=8760, cards={"A100 SXM 80GB": 8}, region="FR")
    # By hand: 8 x 150 to 8 x 318 kg, a fifth of it in one year of five.
    assert (eight.embodied_kg_low, eight.embodied_kg_high) == (1200, 2544)
    assert (eight.embodied_part_kg_low, eight.embodied_part_kg_high) == (pytest.approx(240), pytest.approx(508.8))


def test_planned_before_the_purchase():
    # By hand: 20 h x 52.142857 x 3 = 3128.57 h; a longer plan is spread over at most the whole card.
    plan = carbon_footprint(cards={"RTX 3090": 1}, hours_per_week=20, years=3, region="DE")
    assert plan.hours == pytest.approx(3128.57, abs=0.005)
    assert plan.emissions_kg == pytest.approx(0.35 * 3128.571 * 0.381, rel=1e-6)
    ran = carbon_footprint(cards={"RTX 3090": 1}, hours=plan.hours, region="DE")
    assert (ran.emissions_kg, ran.offset_usd_high) == (plan.emissions_kg, plan.offset_usd_high)
    always = carbon_footprint(cards={"RTX 3090": 1}, hours_per_week=168, years=10)
    assert always.embodied_part_kg_high == always.embodied_kg_high == 150


def test_offsets():
    # By hand: 1 t at 4 to 11 USD/t (World Federation of Exchanges, 2024), or at the person's own price.
    result = carbon_footprint(hours=1000, power_w=1000, intensity_g_per_kwh=1000)
    assert (result.offset_usd_low, result.offset_usd_high) == (pytest.approx(4), pytest.approx(11))
    own = carbon_footprint(hours=1000, power_w=1000, intensity_g_per_kwh=1000, offset_usd_per_t=30)
    assert own.offset_usd_low == own.offset_usd_high == pytest.approx(30)


@settings(deadline=None, max_examples=40)
@given(
    hours=st.floats(0.1, 1e5),
    pue=st.floats(1, 3),
    share=st.floats(0.01, 1),
    first=st.integers(1, 8),
    second=st.integers(1, 8),
)
def test_cards_together_emit_the_sum_of_each(hours: float, pue: float, share: float, first: int, second: int):
    both = carbon_footprint(hours=hours, cards={"RTX 3090": first, "A100 SXM 80GB": second}, pue=pue, utilization=share)
    each = [
        carbon_footprint(hours=hours, cards=cards, pue=pue, utilization=share)
        for cards in ({"RTX 3090": first}, {"A100 SXM 80GB": second})
    ]
    assert both.emissions_kg == pytest.approx(sum(one.emissions_kg for one in each))
    assert both.embodied_kg_high == pytest.approx(sum(one.embodied_kg_high or 0 for one in each))


def test_order_of_cards_changes_nothing():
    one = carbon_footprint(hours=5, cards={"RTX 3090": 2, "RTX 4090": 1}, region="US")
    two = carbon_footprint(hours=5, cards={"RTX 4090": 1, "RTX 3090": 2}, region="US")
    assert one.emissions_kg == pytest.approx(two.emissions_kg)
    assert one.power_w == 2 * 350 + 450


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hours": 5}, 'Give either `power_w` (e.g. 400) or `cards` (e.g. {"A100 SXM 80GB": 8}).'),
        ({"power_w": 400}, "Give either `hours` (e.g. 300) or `hours_per_week` (e.g. 20) with `years` (e.g. 3)."),
        (
            {"power_w": 400, "hours": 5, "years": 3},
            "Give either `hours` (e.g. 300) or `hours_per_week` (e.g. 20) with `years` (e.g. 3).",
        ),
        ({"hours": 0, "power_w": 5600}, "`hours` must be above 0 h, got 0. Give hours of running time, e.g. 300."),
        ({"hours": -3, "power_w": 5600}, "`hours` must be above 0 h, got -3. Give hours of running time, e.g. 300."),
        (
            {"hours": 5, "power_w": -250},
            "`power_w` must be above 0 W, got -250. Give watts, e.g. 400; use the card's board"
            " power if nothing was measured.",
        ),
        ({"hours": 5, "power_w": 0.4}, "`power_w` is 0.4 W: are these kilowatts? Give watts, e.g. 400."),
        (
            {"hours": 5, "power_w": math.nan},
            "`power_w` must be a finite number, got nan. Give watts, e.g. 400; use the"
            " card's board power if nothing was measured.",
        ),
        (
            {"hours": 5, "power_w": 400, "pue": 0.9},
            "`pue` must be at least 1, got 0.9. Data centres have 1.1 to 1.6, a home 1.",
        ),
        (
            {"hours": 5, "power_w": 400, "utilization": 80},
            "`utilization` must be at most 1, got 80. Give a share such as 0.8.",
        ),
        (
            {"hours": 5, "power_w": 400, "intensity_g_per_kwh": 0.423},
            "`intensity_g_per_kwh` must be at least 1 g/kWh, got 0.423. Give grams per kWh: 0.423 kg is 423.",
        ),
        (
            {"hours": 5, "power_w": 400, "region": "FR", "intensity_g_per_kwh": 50},
            "Give either `region` or `intensity_g_per_kwh`, not both.",
        ),
        (
            {"hours": 5, "power_w": 400, "region": "Germny"},
            "`region` 'Germny' is not known. Did you mean 'Germany'? Countries: US, DE, FR, GB, CN, IN, PL, NO, SE, JP, AU,"
            " CA, BR, NL, SG, ES, IT, KR, TW, CH, AT, BE, DK, FI, IE, PT, CZ, RU, TR, ZA, MX, TH, VN, NZ, IL, AE, SA, CL, RO, SK, UA, EG, WORLD."
            " Or give `intensity_g_per_kwh` yourself.",
        ),
    ],
)
def test_messages(arguments: dict[str, object], message: str):
    with pytest.raises(ToolInputError) as error:
        carbon_footprint(**arguments)  # pyright: ignore[reportArgumentType]
    assert error.value.text.en == message
    assert any("一" <= sign <= "鿿" for sign in error.value.text.zh)


def test_the_grid_has_a_name():
    grid = carbon_footprint(hours=10, power_w=400, region="波兰").grid
    assert grid is not None
    assert (grid.en, grid.zh) == ("Poland", "波兰")
    assert carbon_footprint(hours=10, power_w=400, intensity_g_per_kwh=300).grid is None
