"""Value: the guide's electricity, totals that are sums, ranking relations, dated prices, messages."""

import math

import pytest

from tools._catalog import gpus
from tools._errors import ToolInputError
from tools._names import find
from tools._tables import prices_of, read_csv, rent_of, rented_gpus
from tools.value import ownership_cost, rank_by_value


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


@pytest.mark.parametrize(("arguments", "message"), [
    ({}, "Give either `gpu` (e.g. 'RTX 4090') or `power_w` (e.g. 450)."),
    ({"gpu": "RTX 4090", "power_w": 450}, "Give either `gpu` (e.g. 'RTX 4090') or `power_w` (e.g. 450)."),
    ({"power_w": -250},
     "`power_w` must be above 0 W, got -250. Give watts, e.g. 450; without a reading take the card's board power."),
    ({"power_w": 0},
     "`power_w` must be above 0 W, got 0. Give watts, e.g. 450; without a reading take the card's board power."),
    ({"gpu": "RTX 4090", "utilization": 15},
     "`utilization` must be at most 1, got 15. Give the share of the day that the GPU is busy, e.g. 0.15 for 15 %."),
    ({"gpu": "RTX 4090", "years": math.inf}, "`years` must be a finite number, got inf. Give years of use, e.g. 5."),
    ({"gpu": "RTX 4090", "electricity_usd_per_kwh": 17.5},
     "`electricity_usd_per_kwh` must be at most 5 USD/kWh, got 17.5. Give US dollars per kWh, e.g. 0.175."),
    ({"gpu": "M4 Max"}, "No board power is known for 'M4 Max'. Give `power_w` instead."),
    ({"gpu": "RTX 4090", "price_usd": 0}, "`price_usd` must be above 0 USD, got 0. Give US dollars, e.g. 1600."),
])
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
    for use in ("inference_8bit", "inference_16bit", "training_16bit"):
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
    rows = {row.gpu: row for row in rank_by_value(
        use="inference_8bit", gpus=["RTX 4070 Ti", "RTX 3090"], prices_usd={"RTX 4070 Ti": 799, "RTX 3090": 1100},
        machine_usd=1100).rows}
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


@pytest.mark.parametrize(("arguments", "message"), [
    ({"use": "gaming"}, "`use` must be one of inference_8bit, inference_16bit, training_16bit, got 'gaming'."),
    ({"use": "training_16bit", "budget_usd": 0},
     "`budget_usd` must be above 0 USD, got 0. Give US dollars, e.g. 1600."),
    ({"use": "training_16bit", "min_memory_gb": -1},
     "`min_memory_gb` must be at least 0 GB, got -1. Give GB, e.g. 24."),
    ({"use": "training_16bit", "gpus": 5}, "`gpus` is no list of cards. Give one such as ['RTX 3090', 'RTX 4090']."),
    ({"use": "training_16bit", "prices_usd": [700]},
     "`prices_usd` must name cards. Give US dollars per card, e.g. {\"RTX 3090\": 750}."),
    ({"use": "training_16bit", "prices_usd": {"RTX 3090": -5}},
     "`prices_usd` must be above 0 USD, got -5. Give US dollars per card, e.g. {\"RTX 3090\": 750}."),
])
def test_rank_messages(arguments: dict[str, object], message: str):
    with pytest.raises(ToolInputError) as error:
        rank_by_value(**arguments)  # pyright: ignore[reportArgumentType]
    assert error.value.text.en == message
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
