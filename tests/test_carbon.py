"""Carbon: published footprints, relations, and messages that say the way out."""

import math

import pytest

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


@pytest.mark.parametrize(("power_w", "hours", "pue", "grams", "kg"), [
    (5600, 5, 1, 269.8, 7.55),  # question co2-004
    (300, 2_788_000, 1.3, 536.6, 583_500),  # question co2-003
    (700, 2_788_000, 1.3, 536.6, 1_361_400),  # question co2-003, 700 W
    (300, 24, 1, 536.6, 3.86),  # question co2-009
])
def test_questions_that_people_asked(power_w: float, hours: float, pue: float, grams: float, kg: float):
    result = carbon_footprint(power_w=power_w, hours=hours, pue=pue, intensity_g_per_kwh=grams)
    assert result.emissions_kg == pytest.approx(kg, rel=0.002)


@pytest.mark.parametrize(("region", "grams"), [
    ("France", 56), ("法国", 56), ("fr", 56), ("中国", 582), ("USA", 369), ("Norway", 30), ("世界", 475),
    ("europe-north1", 39.32), ("Iowa", 412.72), ("eu-west-3", 41.5)])
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
    for more in (carbon_footprint(hours=11, power_w=400, utilization=0.5, pue=1.1, region="DE"),
                 carbon_footprint(hours=10, power_w=401, utilization=0.5, pue=1.1, region="DE"),
                 carbon_footprint(hours=10, power_w=400, utilization=0.6, pue=1.1, region="DE"),
                 carbon_footprint(hours=10, power_w=400, utilization=0.5, pue=1.2, region="DE"),
                 carbon_footprint(hours=10, power_w=400, utilization=0.5, pue=1.1, region="PL")):
        assert more.emissions_kg > base.emissions_kg


def test_order_of_cards_changes_nothing():
    one = carbon_footprint(hours=5, cards={"RTX 3090": 2, "RTX 4090": 1}, region="US")
    two = carbon_footprint(hours=5, cards={"RTX 4090": 1, "RTX 3090": 2}, region="US")
    assert one.emissions_kg == pytest.approx(two.emissions_kg)
    assert one.power_w == 2 * 350 + 450


@pytest.mark.parametrize(("arguments", "message"), [
    ({"hours": 5}, "Give either `power_w` (e.g. 400) or `cards` (e.g. {\"A100 SXM 80GB\": 8})."),
    ({"hours": 0, "power_w": 5600}, "`hours` must be above 0 h, got 0. Give hours of running time, e.g. 300."),
    ({"hours": -3, "power_w": 5600}, "`hours` must be above 0 h, got -3. Give hours of running time, e.g. 300."),
    ({"hours": 5, "power_w": -250}, "`power_w` must be above 0 W, got -250. Give watts, e.g. 400; use the card's board"
                                    " power if nothing was measured."),
    ({"hours": 5, "power_w": math.nan}, "`power_w` must be a finite number, got nan. Give watts, e.g. 400; use the"
                                        " card's board power if nothing was measured."),
    ({"hours": 5, "power_w": 400, "pue": 0.9},
     "`pue` must be at least 1, got 0.9. Data centres have 1.1 to 1.6, a home 1."),
    ({"hours": 5, "power_w": 400, "utilization": 80},
     "`utilization` must be at most 1, got 80. Give a share such as 0.8."),
    ({"hours": 5, "power_w": 400, "intensity_g_per_kwh": 0.423},
     "`intensity_g_per_kwh` must be at least 1 g/kWh, got 0.423. Give grams per kWh: 0.423 kg is 423."),
    ({"hours": 5, "power_w": 400, "region": "FR", "intensity_g_per_kwh": 50},
     "Give either `region` or `intensity_g_per_kwh`, not both."),
    ({"hours": 5, "power_w": 400, "region": "Germny"},
     "`region` 'Germny' is not known. Did you mean 'Germany'? Countries: US, DE, FR, GB, CN, IN, PL, NO, SE, JP, AU,"
     " CA, BR, WORLD. Or give `intensity_g_per_kwh` yourself."),
])
def test_messages(arguments: dict[str, object], message: str):
    with pytest.raises(ToolInputError) as error:
        carbon_footprint(**arguments)  # pyright: ignore[reportArgumentType]
    assert error.value.text.en == message
    assert any("一" <= sign <= "鿿" for sign in error.value.text.zh)
