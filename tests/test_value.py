"""Value: the guide's electricity, totals that are sums, ranking relations, dated prices, messages."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools._catalog import gpus
from tools._errors import ToolInputError
from tools._names import find
from tools._tables import prices_of, read_csv, rent_of, rented_gpus
from tools.value import convert_currency, ownership_cost, rank_by_value


def test_electricity_of_an_rtx_4090():
    # The guide, section 7: about 100 USD a year at 15 % and 0.175 USD/kWh; 0.45 x 0.15 x 8760 x 0.175.
    result = ownership_cost(gpu="4090")
    assert result.electricity_usd_per_year == pytest.approx(103.5, abs=0.05)
    assert result.electricity_usd == pytest.approx(517.4, abs=0.05)


def test_the_guides_desktop():
    # Section 9.14: 350 W + 100 W, 15 %, 0.12 USD/kWh: 591 kWh and 71 USD a year.
    result = ownership_cost(power_w=450, electricity_usd_per_kwh=0.12, price_usd=2200)
    assert result.energy_kwh_per_year == pytest.approx(591.3)
    assert result.electricity_usd_per_year == pytest.approx(70.96, abs=0.005)
    assert result.total_usd == pytest.approx(2200 + 5 * 70.956)


def test_eight_h100s_for_a_month():
    # Question ppd-007: 8 x 0.7 kW x 720 h = 4032 kWh.
    result = ownership_cost(power_w=5600, utilization=1, years=720 / 8760, electricity_usd_per_kwh=0.3)
    assert result.electricity_usd == pytest.approx(4032 * 0.3)


def test_total_is_the_sum_and_a_missing_price_is_said():
    with_price = ownership_cost(gpu="RTX 3090", price_usd=750)
    assert with_price.total_usd == pytest.approx(750 + with_price.electricity_usd)
    assert (with_price.price_kind, with_price.price_as_of) == ("own", None)
    without = ownership_cost(power_w=500)
    assert without.price_usd is None
    assert without.total_usd == without.electricity_usd
    assert without.warnings[0].en == "No price is known: the total is electricity alone. Give `price_usd`."


def test_a_packaged_price_comes_with_its_kind_and_day():
    result = ownership_cost(gpu="RTX 4090")
    assert (result.price_usd, result.price_kind, result.price_as_of) == (1900, "street", "2026-05-01")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "Give either `gpu` (e.g. 'RTX 4090') or `power_w` (e.g. 450)."),
        ({"gpu": "RTX 4090", "power_w": 450}, "Give either `gpu` (e.g. 'RTX 4090') or `power_w` (e.g. 450)."),
        (
            {"power_w": -250},
            "`power_w` must be above 0 W, got -250. Give watts, e.g. 450; without a reading take the card's board power.",
        ),
        (
            {"power_w": 0},
            "`power_w` must be above 0 W, got 0. Give watts, e.g. 450; without a reading take the card's board power.",
        ),
        ({"power_w": 0.45}, "`power_w` is 0.45 W: are these kilowatts? Give watts, e.g. 450."),
        (
            {"gpu": "RTX 4090", "utilization": 15},
            "`utilization` must be at most 1, got 15. Give the share of the day that the GPU is busy, e.g. 0.15 for 15 %.",
        ),
        (
            {"gpu": "RTX 4090", "years": math.inf},
            "`years` must be a finite number, got inf. Give years of use, e.g. 5.",
        ),
        (
            {"gpu": "RTX 4090", "electricity_usd_per_kwh": 17.5},
            "`electricity_usd_per_kwh` must be at most 5 USD/kWh, got 17.5. Give US dollars per kWh, e.g. 0.175.",
        ),
        ({"gpu": "M4 Max"}, "No board power is known for 'M4 Max'. Give `power_w` instead."),
        ({"gpu": "RTX 4090", "price_usd": 0}, "`price_usd` must be above 0 USD, got 0. Give US dollars, e.g. 1600."),
    ],
)
def test_ownership_messages(arguments: dict[str, object], message: str):
    with pytest.raises(ToolInputError) as error:
        ownership_cost(**arguments)  # pyright: ignore[reportArgumentType]
    assert error.value.text.en == message
    assert any("一" <= sign <= "鿿" for sign in error.value.text.zh)


def test_every_row_is_its_own_arithmetic():
    result = rank_by_value(use="inference_16bit", min_memory_gb=24, machine_usd=1000)
    assert result.rows
    for row in result.rows:
        assert row.memory_gb >= 24
        assert row.total_usd == pytest.approx(row.price_usd + 1000 + row.electricity_usd)
        assert row.relative_per_1000_usd == pytest.approx(1000 * row.relative / row.total_usd)
        assert row.electricity_usd == pytest.approx(ownership_cost(gpu=row.gpu).electricity_usd)


def test_rows_are_sorted_and_within_the_budget():
    for use in ("inference_8bit", "inference_16bit", "training_16bit", "llm_decode"):
        rows = rank_by_value(use=use, budget_usd=800).rows
        values = [row.relative_per_1000_usd for row in rows]
        assert values == sorted(values, reverse=True)
        assert all(row.price_usd <= 800 for row in rows)


def test_own_prices_come_first_and_a_cheaper_card_has_more_value():
    dear = rank_by_value(use="training_16bit", gpus=["RTX 3090"], prices_usd={"3090": 1000}).rows[0]
    cheap = rank_by_value(use="training_16bit", gpus=["RTX 3090"], prices_usd={"3090": 500}).rows[0]
    assert (cheap.price_usd, cheap.price_kind, cheap.price_as_of) == (500, "own", None)
    assert cheap.relative_per_1000_usd > dear.relative_per_1000_usd


def test_order_of_cards_changes_nothing():
    names = ["RTX 4090", "RTX 3090", "RTX 5090", "RTX 4070 Ti"]
    one = rank_by_value(use="inference_16bit", gpus=names)
    two = rank_by_value(use="inference_16bit", gpus=names[::-1])
    assert one.rows == two.rows


def test_the_guides_ratio_of_4070_ti_and_3090():
    # Section 7, a chart: a desktop with a 4070 Ti gives about twice the 8-bit inference per dollar of one
    # with a 3090. Its prices are of early 2023: 799 USD (launch) and, by its 2200 USD desktop, 1100 for each half.
    rows = {
        row.gpu: row
        for row in rank_by_value(
            use="inference_8bit",
            gpus=["RTX 4070 Ti", "RTX 3090"],
            prices_usd={"RTX 4070 Ti": 799, "RTX 3090": 1100},
            machine_usd=1100,
        ).rows
    }
    ratio = rows["RTX 4070 Ti"].relative_per_1000_usd / rows["RTX 3090"].relative_per_1000_usd
    assert 1.4 < ratio < 2.4


def test_a_card_without_a_price_is_asked_for_and_never_guessed():
    result = rank_by_value(use="inference_16bit", gpus=["RTX A5000", "RTX 4090"])
    assert result.unpriced == ("RTX A5000",)
    assert [row.gpu for row in result.rows] == ["RTX 4090"]
    assert result.assumptions[0].en == "Left out for want of a price: RTX A5000. Give it in `prices_usd`."
    priced = rank_by_value(use="inference_16bit", gpus=["RTX A5000"], prices_usd={"RTX A5000": 1500})
    assert [row.gpu for row in priced.rows] == ["RTX A5000"]


def test_a_named_card_that_is_not_ranked_is_said():
    result = rank_by_value(use="inference_16bit", gpus=["RTX 4090", "RTX 3090"], budget_usd=1000)
    assert [row.gpu for row in result.rows] == ["RTX 3090"]
    assert result.assumptions[0].en.startswith("Left out: RTX 4090. Over budget")


def test_an_empty_ranking_says_why():
    result = rank_by_value(use="inference_16bit", min_memory_gb=80, budget_usd=100)
    assert (result.rows, result.best_gpu) == ((), None)
    assert result.warnings[0].en.startswith("No card with a known price meets these wishes")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"use": "gaming"},
            "`use` must be one of inference_8bit, inference_16bit, training_16bit, llm_decode, got 'gaming'.",
        ),
        (
            {"use": "training_16bit", "budget_usd": 0},
            "`budget_usd` must be above 0 USD, got 0. Give US dollars, e.g. 1600.",
        ),
        (
            {"use": "training_16bit", "min_memory_gb": -1},
            "`min_memory_gb` must be at least 0 GB, got -1. Give GB, e.g. 24.",
        ),
        (
            {"use": "training_16bit", "gpus": 5},
            "`gpus` is no list of cards. Give one such as ['RTX 3090', 'RTX 4090'].",
        ),
        (
            {"use": "training_16bit", "prices_usd": [700]},
            '`prices_usd` must name cards. Give US dollars per card, e.g. {"RTX 3090": 750}.',
        ),
        (
            {"use": "training_16bit", "prices_usd": {"RTX 3090": -5}},
            '`prices_usd` must be above 0 USD, got -5. Give US dollars per card, e.g. {"RTX 3090": 750}.',
        ),
    ],
)
def test_rank_messages(arguments: dict[str, object], message: str):
    with pytest.raises(ToolInputError) as error:
        rank_by_value(**arguments)  # pyright: ignore[reportArgumentType]
    assert error.value.text.en == message
    assert any("一" <= sign <= "鿿" for sign in error.value.text.zh)


def test_the_flip_is_where_the_second_card_overtakes():
    # By hand: the A100 (300 W) and the 4090 (450 W); a dearer kWh hurts the card that draws more per speed.
    asked: dict[str, Any] = {
        "use": "training_16bit",
        "gpus": ["RTX 4090", "RTX 3060 12GB", "RTX 3090"],
        "prices_usd": {"RTX 4090": 1300, "RTX 3060 12GB": 400, "RTX 3090": 560},
    }
    found = 0
    for price in (400, 480, 560, 640, 720):
        asked["prices_usd"]["RTX 3090"] = price
        result = rank_by_value(**asked)
        flip = result.flip_usd_per_kwh
        if flip is None:
            continue
        found += 1
        below, above = (rank_by_value(**asked, electricity_usd_per_kwh=flip * step) for step in (0.999, 1.001))
        assert (below.best_gpu, above.best_gpu) == (result.best_gpu, result.flip_gpu)
        assert result.flips_if is not None
        assert f"until electricity costs {round(flip, 3):g} USD/kWh" in result.flips_if.en
        if result.flip_utilization is not None:
            busier = rank_by_value(**asked, utilization=min(1, result.flip_utilization * 1.001))
            assert busier.best_gpu == result.flip_gpu
    assert found


def test_the_price_at_which_the_first_card_gives_no_more():
    # Question ppd-003: without electricity the price ratio that pays equals the ratio of the speeds.
    result = rank_by_value(
        use="training_16bit",
        gpus=["H100 SXM", "A100 SXM 80GB"],
        electricity_usd_per_kwh=0,
        prices_usd={"H100 SXM": 20_000, "A100 SXM 80GB": 12_000},
    )
    first, second = result.rows
    assert result.flip_price_usd == pytest.approx(second.price_usd * first.relative / second.relative)
    dearer = rank_by_value(
        use="training_16bit",
        gpus=[first.gpu, second.gpu],
        electricity_usd_per_kwh=0,
        prices_usd={first.gpu: (result.flip_price_usd or 0) * 1.001, second.gpu: second.price_usd},
    )
    assert dearer.best_gpu == second.gpu


@settings(deadline=None, max_examples=25)
@given(low=st.floats(0, 2), high=st.floats(0, 2), price=st.floats(300, 3000))
def test_a_dearer_kwh_never_improves_a_card_that_draws_more(low: float, high: float, price: float):
    low, high = sorted((low, high))
    ratios: list[float] = []
    for kwh in (low, high):
        rows = {
            row.gpu: row
            for row in rank_by_value(
                use="training_16bit",
                gpus=["RTX 5090", "RTX 3060 12GB"],
                electricity_usd_per_kwh=kwh,
                prices_usd={"RTX 5090": price, "RTX 3060 12GB": price},
            ).rows
        }
        ratios.append(rows["RTX 5090"].relative_per_1000_usd / rows["RTX 3060 12GB"].relative_per_1000_usd)
    assert ratios[1] <= ratios[0] * (1 + 1e-9)


@settings(deadline=None, max_examples=60)
@given(
    price=st.floats(1, 1e5),
    machine=st.floats(0, 1e4),
    resale=st.floats(0, 1),
    years=st.floats(0.1, 10),
    cards=st.integers(1, 8),
)
def test_the_total_is_the_sum_of_its_parts_to_the_cent(
    price: float, machine: float, resale: float, years: float, cards: int
):
    result = ownership_cost(
        gpu="RTX 3090", price_usd=price, machine_usd=machine, resale_share=resale, years=years, card_count=cards
    )
    assert result.price_usd == pytest.approx(price * cards)
    assert result.total_usd == pytest.approx(
        (result.price_usd or 0) + result.machine_usd - result.resale_usd + result.electricity_usd, abs=0.005
    )
    assert result.card_total_usd * cards == pytest.approx(result.total_usd, abs=0.005)
    assert result.total_usd_per_month * years * 12 == pytest.approx(result.total_usd, abs=0.005)


def test_a_machine_is_shared_over_its_cards():
    # By hand: 4 x 800 + 2000 = 5200 USD, less 40 % = 3120; 4 x 350 W x 15 % x 5 years x 0.175 = 1609.65; / 4 = 1182.41.
    result = ownership_cost(gpu="RTX 3090", price_usd=800, card_count=4, machine_usd=2000, resale_share=0.4)
    assert result.resale_usd == pytest.approx(2080)
    assert result.card_total_usd == pytest.approx(1182.41, abs=0.005)
    shared = rank_by_value(use="training_16bit", gpus=["RTX 3090"], machine_usd=2000, machine_cards=4).rows[0]
    assert shared.total_usd == pytest.approx(shared.price_usd + 500 + shared.electricity_usd)


def test_usage_and_country_presets():
    # The guide, 9.14: personal machines are busy 5 to 10 % of the time.
    result = ownership_cost(gpu="RTX 4090", usage="personal", country="中国")
    assert (result.utilization, result.electricity_usd_per_kwh) == (0.075, 0.076)
    assert "5 to 10 %" in result.assumptions[3].en
    ranked = rank_by_value(use="training_16bit", gpus=["RTX 3090"], usage="slurm", country="US")
    assert ranked.rows[0].electricity_usd == pytest.approx(0.35 * 8760 * 5 * 0.35 * 0.19)


def test_currency_at_a_dated_rate_and_at_the_persons_own():
    # Xinhua, 2025-02-25: 100 USD = 717.26 yuan. Question ppd-009: 0.6 yuan x 591.3 kWh x 5 years = 1773.9 yuan.
    kwh = convert_currency(amount=0.6, currency="CNY")
    assert (kwh.rate_as_of, kwh.units_per_dollar) == ("2025-02-25", 7.1726)
    five_years = ownership_cost(gpu="RTX 4090", electricity_usd_per_kwh=kwh.amount_usd).electricity_usd
    assert five_years * kwh.units_per_dollar == pytest.approx(1773.9, rel=0.001)
    own = convert_currency(amount=30_000, currency="rmb", units_per_dollar=7.5)
    assert (own.amount_usd, own.rate_as_of) == (4000, None)
    assert convert_currency(amount=12, currency="$").amount_usd == 12


@pytest.mark.parametrize(
    ("arguments", "en"),
    [
        ({"amount": 100, "currency": "¥"}, "`currency` '¥' is yuan or yen. Write 'CNY' or 'JPY'."),
        (
            {"amount": 100, "currency": "INR"},
            "No dated rate is known for INR (only CNY, EUR, GBP, JPY, KRW, HKD, SGD, CAD, AUD, CHF)."
            " Give `units_per_dollar`.",
        ),
        ({"amount": 100, "currency": "bucks"}, "`currency` must be three letters such as 'CNY', got 'bucks'."),
        (
            {"amount": math.nan, "currency": "CNY"},
            "`amount` must be a finite number, got nan. Give an amount of money, e.g. 30000.",
        ),
        (
            {"amount": 5, "currency": "USD", "units_per_dollar": 2},
            "`units_per_dollar` must be 1 for USD, got 2. Leave it out.",
        ),
    ],
)
def test_currency_messages(arguments: dict[str, Any], en: str):
    with pytest.raises(ToolInputError) as error:
        convert_currency(**arguments)
    assert error.value.text.en == en
    assert any("一" <= sign <= "鿿" for sign in error.value.text.zh)


def test_every_dated_row_names_a_card_a_source_and_a_day():
    names = {gpu.name for gpu in gpus()}
    for row in read_csv("prices.csv"):
        assert row["card"] in names
        assert row["kind"] in ("street", "used")
        assert row["source"]
        assert len(row["as_of"]) == 10
        assert float(row["price_usd"]) > 0
    for row in read_csv("cloud_prices.csv"):
        assert row["gpu"] in names
        assert row["kind"] in ("on_demand", "spot", "reserved")
        assert row["source"]
        assert len(row["as_of"]) == 10
        assert 0.05 < float(row["usd_per_h"]) / int(row["gpu_count"]) < 15
    for file, column in (("grid.csv", "g_per_kwh"), ("electricity.csv", "usd_per_kwh")):
        codes = [row["code"] for row in read_csv(file)]
        assert len(codes) == len(set(codes))
        assert all(float(row[column]) > 0 and row["source"] and row["name_zh"] for row in read_csv(file))


def test_rents_are_per_gpu_and_the_guides_row_is_there():
    # Question cld-003: a machine of eight costs eight times one GPU; here rents are per GPU.
    assert all(rent_of(find(name).gpu) is not None for name in rented_gpus())
    guide = rent_of(find("V100 SXM2 16GB").gpu)
    assert guide is not None
    assert (guide.usd_per_h, guide.as_of) == (2.14, "2023-01-30")
    aws = next(row for row in read_csv("cloud_prices.csv") if row["note"] == "p5.48xlarge")
    assert float(aws["usd_per_h"]) / int(aws["gpu_count"]) == pytest.approx(6.88)


def test_a_card_keeps_all_its_prices():
    kinds = {price.kind for price in prices_of(find("RTX 4090").gpu)}
    assert kinds == {"launch", "street", "used"}
