"""Advice: memory first, the verdicts, what flips them, and plans whose numbers are the tools' own."""

import math

import pytest

from tools._errors import ToolInputError
from tools._names import find
from tools.advice import plan_build, recommend
from tools.carbon import carbon_footprint
from tools.cloud import cloud_break_even
from tools.cooling import cooling_check
from tools.memory import inference_memory, training_memory
from tools.power import power_check
from tools.value import ownership_cost

ALWAYS = 168.0


def test_memory_rule_of_the_guide():
    # Section 7: 12 GB for image generation, 24 GB for transformers.
    images, words = recommend(use="images"), recommend(use="finetune")
    assert (images.needed_gb, words.needed_gb) == (12, 24)
    assert all(pick.memory_gb >= 12 for pick in images.picks)
    assert all(pick.memory_gb >= 24 for pick in words.picks)
    assert images.path[0].en == "How much memory? 12 GB, the guide's rule for image generation (2023)."
    assert images.path[0].zh == "要多少显存？12 GB，指南对图像生成的要求（2023 年）。"


def test_with_a_model_the_memory_tool_decides():
    served = recommend(use="inference", model="llama-3-70b")
    assert served.needed_gb == inference_memory(model="llama-3-70b", weight_format="Q4_0").per_gpu_gb
    tuned = recommend(use="finetune", model="7B")
    assert tuned.needed_gb == training_memory(model="7B", method="qlora").per_gpu_gb
    for pick in served.picks:
        need = inference_memory(model="llama-3-70b", weight_format="Q4_0", gpu_count=pick.count)
        assert pick.memory_gb >= need.per_gpu_gb


@pytest.mark.parametrize("budget", [300, 600, 900, 2000, 10_000])
def test_picks_stay_within_the_budget(budget: float):
    result = recommend(use="images", budget_usd=budget, hours_per_week=ALWAYS)
    assert all(pick.total_price_usd is None or pick.total_price_usd <= budget for pick in result.picks)


def test_occasional_use_rents_and_constant_use_does_not():
    # Section 8: a few hours every few days is for the cloud, twelve hours a day is not.
    seldom = recommend(use="inference", hours_per_week=3, months=6)
    assert seldom.verdict == "rent"
    assert seldom.picks[0].rent_usd_per_h is not None
    assert recommend(use="inference", hours_per_week=84, months=36).verdict in ("buy", "used")


def test_more_hours_never_turn_buying_into_renting():
    order = {"rent": 0, "buy": 1, "used": 1}
    verdicts = [order[recommend(use="inference", hours_per_week=hours, months=24).verdict]
                for hours in (1, 5, 10, 20, 40, 80, 168)]
    assert verdicts == sorted(verdicts)


def test_the_flip_is_where_the_verdict_changes():
    result = recommend(use="inference", hours_per_week=40, months=36)
    flip = result.flip_hours_per_week
    assert flip is not None
    assert recommend(use="inference", hours_per_week=flip * 1.01, months=36).verdict != "rent"
    assert recommend(use="inference", hours_per_week=flip * 0.99, months=36).verdict == "rent"
    way = "buying above" if result.verdict == "rent" else "renting below"
    assert result.flips_if.en.startswith(f"It flips to {way} {round(flip, 1):g} hours a week")


def test_a_second_hand_pick_is_called_used():
    result = recommend(use="inference", hours_per_week=ALWAYS)
    first = result.picks[0]
    assert result.verdict == ("used" if first.price_kind == "used" else "buy")
    assert first.price_as_of


def test_too_little_money_for_anything_means_wait():
    result = recommend(use="inference", model="deepseek-v3", budget_usd=100)
    assert (result.verdict, result.picks) == ("wait", ())
    assert result.path[-1].en == "Buy or rent? Wait, or choose a smaller model."


def test_training_above_13b_goes_to_rented_data_centre_cards():
    # The flowchart in the second article: above 13B rent A100 or H100 machines; a tight budget: do not.
    result = recommend(use="train", model="30B")
    assert result.verdict == "rent"
    assert find(result.picks[0].gpu).gpu.segment == "datacenter"
    assert recommend(use="train", model="30B", budget_usd=200).verdict == "wait"


def test_the_cheapest_stands_second_and_takes_no_more_cards_than_the_first():
    bought = [pick for pick in recommend(use="inference", model="70B", hours_per_week=ALWAYS).picks if pick.price_usd]
    first, second = bought[0], bought[1]
    assert second.total_price_usd is not None
    assert first.total_price_usd is not None
    assert second.total_price_usd < first.total_price_usd
    assert second.count <= first.count


def test_a_budget_that_pays_some_months_of_rent_is_said():
    result = recommend(use="inference", model="llama-3-70b", budget_usd=1000)
    assert result.verdict == "rent"
    assert result.rent_months is not None
    assert 1 <= result.rent_months < 36
    assert result.warnings[0].en == f"The budget pays for {round(result.rent_months, 1):g} months of that rent."


def test_a_vendor_is_kept_to():
    result = recommend(use="inference", vendor="AMD")
    assert result.picks
    assert all(find(pick.gpu).gpu.vendor == "AMD" for pick in result.picks)


@pytest.mark.parametrize(("arguments", "message"), [
    ({"use": "gaming"}, "`use` must be one of train, finetune, inference, images, got 'gaming'."),
    ({"use": "images", "budget_usd": 0},
     "`budget_usd` must be above 0 USD, got 0. Give US dollars for the cards, e.g. 1500."),
    ({"use": "images", "hours_per_week": 200},
     "`hours_per_week` must be at most 168 h, got 200. Give hours of use per week, 168 at most, e.g. 20."),
    ({"use": "images", "months": -1}, "`months` must be above 0 months, got -1. Give months, e.g. 24."),
    ({"use": "images", "months": math.nan}, "`months` must be a finite number, got nan. Give months, e.g. 24."),
    ({"use": "images", "vendor": "Intel"}, "`vendor` must be one of NVIDIA, AMD, got 'Intel'."),
    ({"use": "images", "model": ""}, "`model` must be a model's name or size, got ''. Give one such as '13B'."),
])
def test_messages(arguments: dict[str, object], message: str):
    with pytest.raises(ToolInputError) as error:
        recommend(**arguments)  # pyright: ignore[reportArgumentType]
    assert error.value.text.en == message
    assert any("一" <= sign <= "鿿" for sign in error.value.text.zh)


def test_every_number_of_a_plan_is_the_tools_own():
    result = plan_build(use="inference", model="8B", budget_usd=3000, hours_per_week=30, country="德国")
    assert 1 <= len(result.plans) <= 3
    assert (result.country, result.electricity_usd_per_kwh) == ("Germany", 0.402)
    for plan in result.plans:
        cards, count = plan.cards, sum(plan.cards.values())
        assert plan.power == power_check(cards=cards)
        assert plan.cooling == cooling_check(cards=cards)
        assert plan.memory == inference_memory(model="8B", weight_format="Q4_0", gpu_count=count)
        assert plan.ownership == ownership_cost(
            power_w=plan.power.wall_w, utilization=30 / 168, electricity_usd_per_kwh=0.402,
            price_usd=plan.ownership.price_usd)
        assert plan.carbon == carbon_footprint(power_w=plan.power.wall_w, hours=30 * (365 / 7), region="DE")
        even = plan.break_even
        assert even is not None
        assert plan.ownership.price_usd is not None
        assert even == cloud_break_even(
            desktop_usd=plan.ownership.price_usd, cloud_usd_per_h=even.cloud_usd_per_h, utilization=30 / 168,
            power_w=plan.power.wall_w, electricity_usd_per_kwh=0.402, horizon_days=36 * 365 / 12)


def test_owned_cards_come_first_and_cost_nothing_to_buy():
    plan = plan_build(use="inference", model="70B", cards={"3090": 2}).plans[0]
    assert plan.cards == {"RTX 3090": 2}
    assert plan.title.en == "Use your 2 x RTX 3090"
    assert plan.ownership.price_usd is None
    assert plan.break_even is None


def test_no_plan_within_the_budget_is_said():
    result = plan_build(use="train", model="30B", budget_usd=500)
    assert result.plans == ()
    assert result.warnings[0].en == (
        "No cards with a known price hold that within the budget: `recommend` says more.")


def test_an_unknown_country_gets_a_way_out():
    with pytest.raises(ToolInputError) as error:
        plan_build(country="Atlantis")
    assert error.value.text.en == (
        "`country` 'Atlantis' is not known. Countries: US, DE, GB, IT, BE, CN, RU, BR, WORLD."
        " Or leave it out: 0.175 USD/kWh is then assumed.")


def test_results_turn_into_plain_json():
    plain = plan_build(use="inference", model="8B", budget_usd=1000).to_dict()
    assert plain["plans"][0]["power"]["wall_w"] > 0
    assert plain["plans"][0]["title_zh"]
    pick = recommend(use="images").to_dict()["picks"][0]
    assert pick["why"]
    assert pick["why_zh"]
