"""Rent or buy: the guide's worked example, relations, and messages."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools._errors import ToolInputError
from tools.cloud import cloud_break_even, token_cost

GUIDE: dict[str, Any] = {"desktop_usd": 2200, "cloud_usd_per_h": 2.14}


def test_break_even_of_the_guide():
    # The guide, section 9.14: 2200 USD desktop, 450 W, 0.12 USD/kWh, 15 %, V100 at 2.14 USD/h. By hand:
    # 2200 / (24 x 0.15 x (2.14 - 0.45 x 0.12)) = 2200 / 7.5096 = 292.958; the guide rounds it to 300.
    result = cloud_break_even(**GUIDE)
    assert result.break_even_days == pytest.approx(292.96, abs=0.005)
    assert result.break_even_usd == pytest.approx(2256.95, abs=0.005)  # 292.958 x 7.704
    # By hand: 0.45 kW x 0.15 x 8760 h = 591.3 kWh, x 0.12 = 70.956 USD.
    assert result.energy_kwh_per_year == pytest.approx(591.3, abs=0.05)
    assert result.electricity_usd_per_year == pytest.approx(70.96, abs=0.005)


def test_totals_at_day_300():
    # Section 9.14 swaps the two: desktop 2258.3 = 2200 + 300 x 0.1944, cloud 2311.2 = 300 x 7.704.
    result = cloud_break_even(**GUIDE, horizon_days=300)
    assert result.desktop_usd_at_horizon == pytest.approx(2258.32, abs=0.005)
    assert result.cloud_usd_at_horizon == pytest.approx(2311.2, abs=0.05)


def test_break_even_utilization():
    # By hand: 2200 / (2.086 x 24 x 1095) = 0.04013 over three years, 2200 / (2.086 x 24 x 300) = 0.1465.
    three_years = cloud_break_even(**GUIDE)
    assert three_years.break_even_utilization == pytest.approx(0.0401, abs=5e-5)
    assert "The break-even utilization is for three years." in [note.en for note in three_years.assumptions]
    assert cloud_break_even(**GUIDE, horizon_days=300).break_even_utilization == pytest.approx(0.1465, abs=5e-5)


def test_at_the_break_even_utilization_both_cost_the_same():
    share = cloud_break_even(**GUIDE, horizon_days=300).break_even_utilization
    assert share is not None
    result = cloud_break_even(**GUIDE, horizon_days=300, utilization=share)
    assert result.cloud_usd_at_horizon == pytest.approx(result.desktop_usd_at_horizon)


def test_a_rent_below_the_electricity_never_breaks_even():
    result = cloud_break_even(desktop_usd=2200, cloud_usd_per_h=0.05)
    assert (result.break_even_days, result.break_even_usd, result.break_even_utilization) == (None, None, None)
    assert result.warnings[0].en == "Electricity alone costs 0.054 USD/h, the rent is 0.05 USD/h: buying never pays."
    assert result.warnings[0].zh == "光电费每小时就要 0.054 美元，租金是 0.05 美元：买机器永远不划算。"


def test_without_a_horizon_its_fields_are_empty():
    result = cloud_break_even(**GUIDE)
    assert (result.horizon_days, result.cloud_usd_at_horizon, result.desktop_usd_at_horizon) == (None, None, None)


def test_steps_carry_the_figures():
    steps = cloud_break_even(**GUIDE, horizon_days=300).steps
    assert steps[0] == "cloud_usd_per_day = 2.14 USD/h x 0.15 x 24 h = 7.704 USD"
    assert steps[2] == "break_even_days = 2200 USD / (7.704 - 0.1944) USD = 292.958 days"
    assert steps[-1] == "energy_kwh_per_year = 0.45 kW x 0.15 x 8760 h = 591.3 kWh"


@settings(deadline=None, max_examples=50)
@given(low=st.floats(0.01, 1), high=st.floats(0.01, 1), rent=st.floats(0.01, 50), price=st.floats(1, 50_000))
def test_more_utilization_never_delays_the_break_even(low: float, high: float, rent: float, price: float):
    low, high = sorted((low, high))
    seldom = cloud_break_even(desktop_usd=price, cloud_usd_per_h=rent, utilization=low)
    often = cloud_break_even(desktop_usd=price, cloud_usd_per_h=rent, utilization=high)
    assert (seldom.break_even_days is None) == (often.break_even_days is None)
    if seldom.break_even_days is not None and often.break_even_days is not None:
        assert often.break_even_days <= seldom.break_even_days * (1 + 1e-12)


@settings(deadline=None, max_examples=50)
@given(price=st.floats(1, 50_000), rent=st.floats(0.2, 50), days=st.floats(1, 3650), share=st.floats(0.01, 1))
def test_after_the_break_even_the_desktop_is_cheaper(price: float, rent: float, days: float, share: float):
    result = cloud_break_even(desktop_usd=price, cloud_usd_per_h=rent, utilization=share, horizon_days=days)
    assert result.break_even_days is not None
    assert result.cloud_usd_at_horizon is not None
    assert result.desktop_usd_at_horizon is not None
    difference = result.cloud_usd_at_horizon - result.desktop_usd_at_horizon
    tolerance = 1e-9 * result.cloud_usd_at_horizon
    assert difference >= -tolerance if days > result.break_even_days else difference <= tolerance


EIGHT = {
    "desktop_usd": 392_000,
    "cloud_usd_per_h": 4.5,
    "gpu_count": 8,
    "rate_per": "gpu",
    "hours_per_month": 400,
    "power_w": 7840,
    "electricity_usd_per_kwh": 0.12,
}


def test_eight_gpus_against_a_server():
    # Published case: 392000 / (400 x (36 - 7.84 x 0.12)) = 27.95 months, 35.56 with 3000 USD a month for the place.
    alone = cloud_break_even(**EIGHT)  # pyright: ignore[reportArgumentType]
    placed = cloud_break_even(**EIGHT, datacenter_usd_per_month=3000)  # pyright: ignore[reportArgumentType]
    assert alone.break_even_months == pytest.approx(27.9, abs=0.06)
    assert placed.break_even_months == pytest.approx(35.6, abs=0.06)
    assert (alone.rent_usd_per_h, placed.datacenter_usd_per_month) == (36, 3000)


def test_several_cards_against_one_instance():
    # By hand: 8 cards in instances of 4 at 10 USD/h: 2 x 10; one card of a per-GPU rate of 2.5 is a quarter of that.
    two = cloud_break_even(desktop_usd=20_000, cloud_usd_per_h=10, gpu_count=8, instance_gpus=4)
    assert two.rent_usd_per_h == 20
    assert cloud_break_even(desktop_usd=20_000, cloud_usd_per_h=2.5, gpu_count=8, rate_per="gpu").rent_usd_per_h == 20
    assert cloud_break_even(desktop_usd=20_000, cloud_usd_per_h=10, gpu_count=5, instance_gpus=4).rent_usd_per_h == 20


def test_reserved_is_paid_around_the_clock_and_spot_repeats():
    # By hand: 2.14 x 24 = 51.36 USD a day; 2.14 x 1.1 = 2.354 USD/h.
    reserved = cloud_break_even(**GUIDE, billing="reserved")
    assert reserved.cloud_usd_per_day == pytest.approx(51.36)
    assert reserved.break_even_utilization is None
    assert reserved.assumptions[0].en == "Rent is paid around the clock; the machine is not sold again."
    assert cloud_break_even(**GUIDE, billing="spot", repeated_share=0.1).rent_usd_per_h == pytest.approx(2.354)


def test_storage_egress_and_resale():
    # By hand: 500 GB x 0.1 + 100 GB x 0.09 = 59 USD a month; 2200 - 700 = 1500 USD to earn back.
    result = cloud_break_even(
        **GUIDE,
        storage_gb=500,
        storage_usd_per_gb_month=0.1,
        egress_gb_per_month=100,
        egress_usd_per_gb=0.09,
        resale_usd=700,
    )
    assert result.storage_usd_per_month == pytest.approx(59)
    assert result.break_even_days == pytest.approx(1500 / (7.704 - 0.1944 + 59 / (365 / 12)))


def test_a_data_centre_dearer_than_the_rent_never_pays():
    result = cloud_break_even(**GUIDE, datacenter_usd_per_month=3000)
    assert (result.break_even_days, result.break_even_months) == (None, None)
    assert result.warnings[0].en == (
        "Owning costs 98.8245 USD a day without the price, renting 7.704 USD: buying never pays."
    )


def test_usage_and_country_presets():
    # The guide, 9.14: a company's cluster above 60 %; GlobalPetrolPrices, table of Q3 2026: 0.409 USD/kWh in Germany.
    result = cloud_break_even(**GUIDE, usage="company", country="DE")
    assert (result.utilization, result.electricity_usd_per_kwh) == (0.6, 0.409)
    assert "company's Slurm cluster" in result.assumptions[2].en
    assert "Germany, households" in result.assumptions[3].en


def test_sensitivity_is_the_tools_own():
    result = cloud_break_even(**GUIDE)
    price, rent, busy, kwh = result.sensitivity
    assert price.break_even_days_low == pytest.approx(0.8 * 292.958, abs=0.01)
    dearer = cloud_break_even(desktop_usd=2200, cloud_usd_per_h=2.14 * 1.2)
    assert rent.break_even_days_high == pytest.approx(dearer.break_even_days)
    assert busy.break_even_days_low == pytest.approx(cloud_break_even(**GUIDE, utilization=0.12).break_even_days)
    assert kwh.break_even_days_high == pytest.approx(
        cloud_break_even(**GUIDE, electricity_usd_per_kwh=0.144).break_even_days
    )


@settings(deadline=None, max_examples=60)
@given(
    price=st.floats(1, 50_000),
    rent=st.floats(0.05, 20),
    share=st.floats(0.01, 1),
    fixed=st.floats(0, 2000),
    stored=st.floats(0, 500),
    days=st.floats(1, 3650),
    resale=st.floats(0, 1),
)
def test_totals_are_the_sums_of_their_parts_to_the_cent(
    price: float, rent: float, share: float, fixed: float, stored: float, days: float, resale: float
):
    result = cloud_break_even(
        desktop_usd=price,
        cloud_usd_per_h=rent,
        utilization=share,
        horizon_days=days,
        storage_gb=stored,
        storage_usd_per_gb_month=0.1,
        datacenter_usd_per_month=fixed,
        resale_usd=price * resale,
    )
    assert result.cloud_usd_at_horizon == pytest.approx(
        (rent * share * 24 + stored * 0.1 * 12 / 365) * days, abs=0.005, rel=1e-9
    )
    owned = price - price * resale + result.electricity_usd_per_year / 365 * days + fixed * 12 / 365 * days
    assert result.desktop_usd_at_horizon == pytest.approx(owned, abs=0.005, rel=1e-9)


@settings(deadline=None, max_examples=60)
@given(low=st.floats(0.01, 1), high=st.floats(0.01, 1), rent=st.floats(0.3, 20), fixed=st.floats(0, 300))
def test_more_utilization_never_delays_with_fixed_costs(low: float, high: float, rent: float, fixed: float):
    low, high = sorted((low, high))
    seldom, often = (
        cloud_break_even(
            desktop_usd=5000, cloud_usd_per_h=rent, utilization=share, datacenter_usd_per_month=fixed
        ).break_even_days
        for share in (low, high)
    )
    if seldom is not None:
        assert often is not None
        assert often <= seldom * (1 + 1e-9)


def test_token_cost_with_the_machine():
    # By hand: 2200 USD / (5 x 8760 h x 0.15) = 0.33486 USD per busy hour, + 0.054 = 0.38886, x 5.5556 h = 2.16 USD.
    result = token_cost(tokens_per_s=50, power_w=450, electricity_usd_per_kwh=0.12, price_usd=2200)
    assert result.capital_usd_per_h == pytest.approx(0.33486, abs=5e-6)
    assert result.usd_per_million_tokens == pytest.approx(2.1603, abs=5e-4)
    assert result.electricity_usd_per_million_tokens == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("arguments", "en"),
    [
        ({"hours_per_month": 400, "utilization": 0.5}, "Give one of `utilization`, `hours_per_month` and `usage`."),
        ({"power_w": 0.45}, "`power_w` is 0.45 W: are these kilowatts? Give watts, e.g. 450."),
        ({"usage": "phd"}, "`usage` must be one of personal, phd_desktop, slurm, company, got 'phd'."),
        (
            {"country": "US", "electricity_usd_per_kwh": 0.2},
            "Give either `country` or `electricity_usd_per_kwh`, not both.",
        ),
        ({"resale_usd": 3000}, "`resale_usd` must be at most 2200 USD, got 3000. Give US dollars, e.g. 2200."),
        ({"billing": "monthly"}, "`billing` must be one of on_demand, spot, reserved, got 'monthly'."),
        (
            {"hours_per_month": 800},
            "`hours_per_month` must be at most 730 h/month, got 800. Give busy hours a month, 730 at most, e.g. 400.",
        ),
    ],
)
def test_messages_of_the_terms(arguments: dict[str, object], en: str):
    with pytest.raises(ToolInputError) as error:
        cloud_break_even(**GUIDE, **arguments)  # pyright: ignore[reportArgumentType]
    assert error.value.text.en == en
    assert any("一" <= sign <= "鿿" for sign in error.value.text.zh)


def test_token_cost_of_a_rented_gpu():
    # By hand: 1e6 / 50 / 3600 = 5.556 h, x 2 USD/h = 11.11 USD.
    result = token_cost(tokens_per_s=50, usd_per_h=2)
    assert result.usd_per_million_tokens == pytest.approx(11.11, abs=0.005)
    assert result.hours == pytest.approx(5.556, abs=0.0005)
    assert result.energy_kwh is None


def test_token_cost_of_an_own_machine():
    # By hand: 0.45 kW x 5.5556 h = 2.5 kWh, x 0.12 = 0.30 USD.
    result = token_cost(tokens_per_s=50, power_w=450, electricity_usd_per_kwh=0.12)
    assert result.energy_kwh == pytest.approx(2.5)
    assert result.usd_per_million_tokens == pytest.approx(0.3)
    assert result.usd_per_h == pytest.approx(0.054)


@settings(deadline=None, max_examples=50)
@given(speed=st.floats(0.1, 1e6), factor=st.floats(1, 100))
def test_faster_is_never_dearer(speed: float, factor: float):
    slow, fast = (token_cost(tokens_per_s=rate, usd_per_h=2) for rate in (speed, speed * factor))
    assert fast.usd_per_million_tokens <= slow.usd_per_million_tokens
    assert fast.usd_per_million_tokens * factor == pytest.approx(slow.usd_per_million_tokens)


@pytest.mark.parametrize(
    ("changed", "en", "zh"),
    [
        (
            {"utilization": 15},
            "`utilization` must be at most 1, got 15. Give the share of the day"
            " that the GPU is busy, e.g. 0.15 for 15 %.",
            "`utilization` 不能超过 1，收到的是 15。请给出 GPU 忙碌时间的比例，例如 15 % 写 0.15。",
        ),
        (
            {"utilization": 0},
            "`utilization` must be above 0, got 0. Give the share of the day that the GPU is busy, e.g. 0.15 for 15 %.",
            "`utilization` 必须大于 0，收到的是 0。请给出 GPU 忙碌时间的比例，例如 15 % 写 0.15。",
        ),
        (
            {"utilization": 5e-324},  # once gave an infinite break-even day, which is no JSON
            "`utilization` must be above 0, got 0. Give the share of the day that the GPU is busy, e.g. 0.15 for 15 %.",
            "`utilization` 必须大于 0，收到的是 0。请给出 GPU 忙碌时间的比例，例如 15 % 写 0.15。",
        ),
        (
            {"cloud_usd_per_h": 5e-324, "electricity_usd_per_kwh": 0},  # once divided by zero
            "`cloud_usd_per_h` must be above 0 USD/h, got 0. Give US dollars per hour, e.g. 2.14.",
            "`cloud_usd_per_h` 必须大于 0 USD/h，收到的是 0。请给出每小时美元，例如 2.14。",
        ),
        (
            {"desktop_usd": -2200},
            "`desktop_usd` must be above 0 USD, got -2200. Give US dollars, e.g. 2200.",
            "`desktop_usd` 必须大于 0 USD，收到的是 -2200。请给出美元，例如 2200。",
        ),
        (
            {"desktop_usd": "2200"},
            "`desktop_usd` must be a number, got '2200'. Give US dollars, e.g. 2200.",
            "`desktop_usd` 必须是数字，收到的是 '2200'。请给出美元，例如 2200。",
        ),
        (
            {"power_w": math.inf},
            "`power_w` must be a finite number, got inf. Give watts at the wall, e.g. 450.",
            "`power_w` 必须是有限的数，收到的是 inf。请给出墙上功率（瓦），例如 450。",
        ),
        (
            {"electricity_usd_per_kwh": 12},  # cents
            "`electricity_usd_per_kwh` must be at most 5 USD/kWh, got 12. Give US dollars per kWh, e.g. 0.12.",
            "`electricity_usd_per_kwh` 不能超过 5 USD/kWh，收到的是 12。请给出每度电美元，例如 0.12。",
        ),
        (
            {"horizon_days": 0},
            "`horizon_days` must be above 0 days, got 0. Give days, e.g. 1095.",
            "`horizon_days` 必须大于 0 days，收到的是 0。请给出天数，例如 1095。",
        ),
    ],
)
def test_messages_of_break_even(changed: dict[str, object], en: str, zh: str):
    with pytest.raises(ToolInputError) as error:
        cloud_break_even(**{**GUIDE, **changed})  # pyright: ignore[reportArgumentType]
    assert (error.value.text.en, error.value.text.zh) == (en, zh)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"power_w": 450},
        {"electricity_usd_per_kwh": 0.12},
        {"usd_per_h": 2, "power_w": 450, "electricity_usd_per_kwh": 0.12},
    ],
)
def test_a_token_is_rented_or_owned(arguments: dict[str, Any]):
    with pytest.raises(ToolInputError) as error:
        token_cost(tokens_per_s=50, **arguments)
    assert error.value.text.en == (
        "Give either `usd_per_h` (rented) or `power_w` with `electricity_usd_per_kwh` (owned)."
    )
    assert error.value.text.zh == "请给出 `usd_per_h`（租用），或者 `power_w` 加 `electricity_usd_per_kwh`（自有）。"


def test_message_of_a_speed_of_zero():
    for speed in (0, 5e-324):
        with pytest.raises(ToolInputError) as error:
            token_cost(tokens_per_s=speed, usd_per_h=2)
        assert error.value.text.en == "`tokens_per_s` must be above 0 tokens/s, got 0. Give tokens per second, e.g. 50."
        assert error.value.text.zh == "`tokens_per_s` 必须大于 0 tokens/s，收到的是 0。请给出每秒 token 数，例如 50。"


def test_a_card_stands_for_the_power_of_the_machine():
    # The guide, 9.14: a 350 W RTX 3090 and 100 W beside it are its 450 W; two cards of 450 W take 1000 W.
    assert cloud_break_even(**GUIDE, power_w=450).break_even_days == pytest.approx(
        cloud_break_even(desktop_usd=2200, cloud_usd_per_h=2.14, gpu="RTX 3090").break_even_days
    )
    two = cloud_break_even(desktop_usd=5000, cloud_usd_per_h=1.4, gpu="RTX 4090", gpu_count=2)
    assert two.power_w == 1000
    assert two.assumptions[2].en.startswith("The machine: 2 x 450 W (RTX 4090) + 100 W beside the cards")
    with pytest.raises(ToolInputError) as error:
        cloud_break_even(desktop_usd=5000, cloud_usd_per_h=1.4, gpu="RTX 4090", power_w=600)
    assert error.value.text.en == "Give either `gpu` (e.g. 'RTX 4090') or `power_w` (e.g. 450), not both."


def test_a_token_at_the_price_of_a_country():
    # GlobalPetrolPrices, table of Q3 2026: 0.409 USD/kWh; by hand 0.35 kW x 0.409 / (90 x 3600) x 1e6 = 0.44182 USD.
    result = token_cost(tokens_per_s=90, power_w=350, country="Germany")
    assert result.usd_per_million_tokens == pytest.approx(0.44182, abs=5e-6)
    assert result.sources
    with pytest.raises(ToolInputError) as error:
        token_cost(tokens_per_s=90, power_w=350, country="DE", electricity_usd_per_kwh=0.2)
    assert error.value.text.en == "Give either `country` or `electricity_usd_per_kwh`, not both."
