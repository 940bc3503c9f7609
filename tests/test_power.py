"""Power: the guide's four RTX 3090s, outlets, relations, and messages."""

import math
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools._errors import ToolInputError
from tools._tables import read_csv
from tools.power import PSU_SIZES_W, power_check, power_limit_effect

FOUR: dict[str, int] = {"RTX 3090": 4}
CARDS = st.dictionaries(
    st.sampled_from(["RTX 3090", "RTX 4090", "RTX 3060", "A100 PCIe 80GB", "RTX 5090"]),
    st.integers(1, 3),
    min_size=1,
    max_size=3,
)
RANK = {"does_not_fit": 0, "tight": 1, "fits": 2}
HINT = (
    " One machine holds up to 16 cards; plan several machines for more. Give cards by name and number,"
    ' e.g. {"RTX 3090": 4}.'
)
HINT_ZH = '。一台机器最多 16 张卡，更多请按多台机器规划。请写明型号和数量，例如 {"RTX 3090": 4}。'


def test_four_3090s_on_1600_w():
    # The guide, section 5.4: 4 x 350 W = 1400 W, a 1600 W supply leaves 200 W for the rest.
    result = power_check(cards=FOUR, psu_w=1600)
    assert (result.gpu_w, result.left_for_platform_w, result.system_w, result.headroom_w) == (1400, 200, 1600, 0)
    assert result.verdict == "tight"
    assert result.steps[0] == "gpu_w = 4 x 350 W (RTX 3090) = 1400 W"


def test_the_guides_limit_of_300_w():
    # Section 5.5: limiting four RTX 3090s to 300 W saves 4 x 50 W.
    result = power_check(cards=FOUR, psu_w=1600, power_limit_w=300)
    assert (result.gpu_w, result.saved_w, result.left_for_platform_w) == (1200, 200, 400)
    assert result.warnings[0].en == "A power limit is an average over about 1 ms: it does not stop spikes."


def test_the_suggested_limit_leaves_a_tenth_of_the_supply():
    # By hand: (0.9 x 1600 - 200) / 4 = 310 W, in steps of 25 W: 300 W, so 1400 W for the machine.
    result = power_check(cards=FOUR, psu_w=1600)
    assert (result.suggested_power_limit_w, result.limited_system_w) == (300, 1400)


def test_a_limit_that_is_already_set_is_not_suggested_again():
    result = power_check(cards=FOUR, psu_w=1600, power_limit_w=300)
    assert (result.suggested_power_limit_w, result.limited_system_w) == (None, None)


def test_no_limit_below_half_the_board_power_is_suggested():
    # By hand: 0.9 x 900 - 200 = 610 W, 152 W per card, under 175 W.
    assert power_check(cards=FOUR, psu_w=900).suggested_power_limit_w is None


def test_puget_at_the_wall():
    # Puget Systems: four RTX 3090 at 300 W draw 1717 W from the wall, 1580 W DC at 92 %.
    result = power_check(cards=FOUR, power_limit_w=300, platform_w=380, psu_efficiency=0.92)
    assert result.system_w == 1580
    assert result.wall_w == pytest.approx(1717, abs=0.5)


@pytest.mark.parametrize(
    ("volts", "amps", "limit_w"), [(120, 15, 1440), (120, 20, 1920), (220, 10, 1760)]
)  # NEC 210.20: 80 % of the circuit
def test_outlets(volts: float, amps: float, limit_w: float):
    assert power_check(cards=FOUR, outlet_v=volts, outlet_a=amps).outlet_limit_w == pytest.approx(limit_w)


def test_an_outlet_that_is_too_small_decides():
    # 1600 / 0.92 = 1739.13 W against 1440 W.
    result = power_check(cards=FOUR, psu_w=3000, outlet_v=120, outlet_a=15)
    assert result.verdict == "does_not_fit"
    assert result.warnings[0].en == "The outlet may give 1440 W continuously; the machine draws 1739.13 W."
    assert result.warnings[0].zh == "插座可持续供 1440 W，整机要从墙上取 1739.13 W。"


def test_missing_plugs_are_counted_and_outlets_are_named():
    # Data sheets: an RTX 3090 Founders Edition takes a 12-pin adapter with two 8-pin plugs.
    short = power_check(cards={"RTX 3090": 2}, psu_w=1200, psu_connectors={"8-pin": 3})
    assert (short.missing_plug_count, short.verdict) == (1, "does_not_fit")
    assert power_check(cards=FOUR, psu_w=2000).missing_plug_count == 0
    plain = power_check(cards=FOUR, outlet_v=240, outlet_a=30)
    assert "Outlet: 240 V, 30 A, to 80 % for hours on end." in [note.en for note in plain.assumptions]
    named = power_check(cards=FOUR, outlet="uk_13a")
    assert "插座：英国 13 A，230 V、13 A，连续负载按 80 % 计。" in [note.zh for note in named.assumptions]


def test_chips_that_hang_on_no_desktop_supply_say_so():
    laptop = power_check(cards={"RTX 4090 Laptop": 1})
    assert "RTX 4090 Laptop is a laptop chip" in laptop.warnings[0].en
    assert "sits on a server board" in power_check(cards={"H100 SXM": 8}).warnings[0].en
    assert power_check(cards={"RTX 3090": 1}).warnings == ()


def test_a_limit_that_leaves_a_tenth_of_the_supply_suggests_no_other():
    # By hand: 4 x 280 + 200 = 1320 W, below 0.9 x 1600 = 1440 W.
    assert power_check(cards=FOUR, psu_w=1600, power_limit_w=280).suggested_power_limit_w is None


def test_processors_name_their_source_and_doubt():
    # Intel, maximum turbo power of the i9-14900K: 253 W; by hand 253 + 80 + 2 x 15 + 3 x 4 = 375 W.
    known = power_check(cards={"RTX 3090": 1}, cpu="i9-14900K")
    assert known.platform_w == 375
    assert "unverified" not in known.assumptions[0].en
    doubtful = power_check(cards={"RTX 3090": 1}, cpu="Threadripper 7980X")
    assert "(unverified figure)" in doubtful.assumptions[0].en
    for row in read_csv("cpus.csv"):
        assert row["verified"] in ("yes", "no")
        assert (row["verified"] == "no") == row["source"].startswith("unverified"), row["name"]
        assert row["url"].startswith("https://")
        assert len(row["as_of"]) == 10


def test_recommended_supplies():
    # NVIDIA asks for 1000 W with one RTX 5090 (product page); four RTX 3090: 1600 / 0.8 = 2000 W.
    assert power_check(cards={"RTX 5090": 1}).recommended_psu_w == 1000
    assert power_check(cards=FOUR).recommended_psu_w == 2000
    assert power_check(cards={"RTX 5090": 8}).recommended_psu_w is None  # 6 kW: no single supply


def test_without_a_supply_its_fields_are_empty():
    result = power_check(cards=FOUR)
    assert (result.verdict, result.psu_w, result.headroom_w, result.left_for_platform_w) == (
        "no_supply_given",
        None,
        None,
        None,
    )


@settings(deadline=None, max_examples=50)
@given(cards=CARDS, supply=st.floats(50, 19_000), more=st.floats(0, 1000))
def test_a_bigger_supply_is_never_worse(cards: dict[str, int], supply: float, more: float):
    small, big = power_check(cards=cards, psu_w=supply), power_check(cards=cards, psu_w=supply + more)
    assert RANK[big.verdict] >= RANK[small.verdict]


@settings(deadline=None, max_examples=50)
@given(cards=CARDS, platform=st.floats(5, 3000), efficiency=st.floats(0.5, 1), limit=st.floats(30, 2000))
def test_totals_are_the_sum_of_their_parts(cards: dict[str, int], platform: float, efficiency: float, limit: float):
    result = power_check(cards=cards, platform_w=platform, psu_efficiency=efficiency, power_limit_w=limit, psu_w=1600)
    single = sum(power_check(cards={name: 1}, power_limit_w=limit).gpu_w * number for name, number in cards.items())
    assert result.gpu_w == pytest.approx(single)
    assert result.system_w == result.gpu_w + result.platform_w
    assert result.gpu_w + result.saved_w == pytest.approx(result.board_power_w)
    assert result.wall_w * efficiency == pytest.approx(result.system_w)
    assert result.headroom_w == pytest.approx(1600 - result.system_w)


@settings(deadline=None, max_examples=50)
@given(cards=CARDS, supply=st.floats(50, 5000))
def test_a_suggestion_holds(cards: dict[str, int], supply: float):
    result = power_check(cards=cards, psu_w=supply)
    if result.suggested_power_limit_w is not None:
        limited = power_check(cards=cards, psu_w=supply, power_limit_w=result.suggested_power_limit_w)
        assert limited.system_w == result.limited_system_w
        assert limited.system_w <= 0.9 * supply
    if result.recommended_psu_w is not None:
        assert result.recommended_psu_w in PSU_SIZES_W
        assert power_check(cards=cards, psu_w=result.recommended_psu_w).verdict == "fits"


def test_order_and_spelling_of_cards_change_nothing():
    cards = {"RTX 3090": 2, "RTX 4090": 1, "RTX 3060": 1}
    checks = [power_check(cards=dict(order), psu_w=1600) for order in permutations(cards.items())]
    numbers = [
        {name: value for name, value in check.to_dict().items() if isinstance(value, (int, float, str))}
        for check in checks
    ]
    assert all(other == numbers[0] for other in numbers)
    assert power_check(cards={"3090": 1, "RTX3090": 3}).gpu_w == power_check(cards=FOUR).gpu_w


@settings(deadline=None, max_examples=80)
@given(
    cards=CARDS,
    supply=st.floats(100, 9_000),
    more=st.floats(0, 3000),
    count=st.integers(1, 2),
    kind=st.sampled_from(["bronze", "gold", "titanium"]),
    atx=st.sampled_from([None, "atx_2", "atx_3"]),
    outlet=st.sampled_from([None, "us_15a", "us_20a", "eu_16a", "cn_10a", "uk_13a", "jp_15a"]),
)
def test_a_bigger_supply_is_never_worse_with_class_spikes_and_outlet(
    cards: dict[str, int], supply: float, more: float, count: int, kind: Any, atx: Any, outlet: Any
):
    small, big = (
        power_check(cards=cards, psu_w=watts, psu_count=count, psu_class=kind, atx=atx, outlet=outlet)
        for watts in (supply, supply + more)
    )
    assert RANK[big.verdict] >= RANK[small.verdict]


def test_nvidias_supply_for_an_rtx_5090_rides_through_its_spikes():
    # NVIDIA asks for 1000 W. By hand: 3 x 575 + 200 = 1925 W for 100 us, an ATX 3 supply rides through 2000 W, an older
    # one through 1500 W.
    new, old = (power_check(cards={"RTX 5090": 1}, psu_w=1000, atx=atx) for atx in ("atx_3", "atx_2"))
    assert (new.recommended_psu_w, new.verdict) == (1000, "fits")
    assert old.verdict == "tight"
    assert old.warnings[0].en == "For 0.1 ms the machine may take 1925 W, this supply must ride through 1500 W only."
    assert (old.excursions[0].supply_limit_w, old.excursions[0].holds) == (1500, False)


def test_the_atx_tables():
    # Intel 613768, for a 1000 W supply: 2000 W for 100 us, 1800 W for 1 ms, 1600 W for 10 ms, 1200 W for 100 ms.
    rows = power_check(cards={"RTX 3060": 1}, psu_w=1000, atx="atx_3").excursions
    assert [(row.duration_ms, row.supply_limit_w) for row in rows] == [(0.1, 2000), (1, 1800), (10, 1600), (100, 1200)]


@pytest.mark.parametrize(
    ("kind", "psu", "outlet", "efficiency"),
    [
        # 80 PLUS at 115 V: Gold 90 % at half and 87 % at full load; at 230 V: Platinum 94 and 90, Titanium 94 at full load.
        ("gold", 1100, None, 0.90),
        ("gold", 550, None, 0.87),
        ("platinum", 1100, "eu_16a", 0.94),
        ("titanium", 550, "uk_13a", 0.94),
        ("bronze", 5500, "us_15a", 0.85),
    ],
)
def test_efficiency_classes(kind: Any, psu: float, outlet: Any, efficiency: float):
    result = power_check(cards={"RTX 3090": 1}, psu_w=psu, psu_class=kind, outlet=outlet)
    assert result.psu_efficiency == pytest.approx(efficiency)
    assert result.wall_w == pytest.approx(550 / efficiency)


def test_an_efficiency_that_was_given_counts_before_the_class():
    result = power_check(cards={"RTX 3090": 1}, psu_class="gold", psu_efficiency=0.95)
    assert result.psu_efficiency == 0.95
    assert result.assumptions[1].en == "The efficiency you gave counts, not that of the class."


def test_a_processor_by_name_and_its_parts():
    # By hand: 253 W (Intel, i9-14900K) + 80 W + 2 x 15 W + 3 x 4 W = 375 W; Intel keeps 291 W for a 125 W processor.
    result = power_check(cards={"RTX 4090": 1}, cpu="Intel Core i9-14900KF")
    assert (result.platform_w, result.cpu_budget_w, result.system_w) == (375, 291, 825)
    assert power_check(cards={"RTX 4090": 1}, cpu="7950X", drives=0, fans=0).platform_w == 310
    assert power_check(cards={"RTX 4090": 1}, cpu_w=84, drives=1, fans=2).platform_w == 187


def test_plugs_of_three_cards():
    # By hand: an RTX 3090 takes 2 x 8-pin (its adapter), an RTX 4090 without 12VHPWR 450 / 150 = 3 x 8-pin.
    result = power_check(cards={"RTX 3090": 2, "RTX 4090": 1}, psu_w=2000, psu_connectors={"8-pin": 6})
    assert [(plug.connector, plug.needed_count, plug.missing_count) for plug in result.connectors] == [("8-pin", 7, 1)]
    assert result.verdict == "does_not_fit"
    assert "The supply lacks 8-pin plugs: 1 more is needed." in [note.en for note in result.warnings]
    enough = power_check(cards={"RTX 3090": 2, "RTX 4090": 1}, psu_w=2000, psu_connectors={"8-pin": 4, "12VHPWR": 1})
    assert [plug.missing_count for plug in enough.connectors] == [0, 0]
    assert enough.verdict == "fits"
    doubled = power_check(cards={"RTX 3090": 1}, pigtails=True)
    assert "two plugs on one cable put 300 W on it" in doubled.warnings[-1].en


def test_two_supplies_share_the_cards():
    # By hand: 200 + 350 + 350 = 900 W on one, 700 W on the other.
    result = power_check(cards=FOUR, psu_w=1200, psu_count=2)
    assert (result.busiest_psu_w, result.headroom_w, result.verdict) == (900, 800, "fits")
    assert power_check(cards=FOUR, psu_w=1200).verdict == "does_not_fit"


def test_what_would_make_four_3090s_fit_and_what_the_limit_costs():
    result = power_check(cards=FOUR, psu_w=1600, outlet="us_15a")
    assert [line.en.split(":")[0].split(" (")[0] for line in result.options] == [
        "Limit every card to 275 W",
        "Take one supply of 2000 W on 200 to 240 V.",
        "Share the cards between two supplies of 1200 W, started together.",
        "Use a stronger circuit",
        "Spread 1739.13 W over 2 circuits, with a supply on each.",
        "Or keep only 3 cards",
    ]
    assert all(line.zh for line in result.options)
    effect = power_limit_effect(gpu="RTX 3090", power_limit_w=275, use="training")
    decode = power_limit_effect(gpu="RTX 3090", power_limit_w=275, use="decode")
    assert result.training_loss_share == pytest.approx(effect.loss_share, abs=5e-4)
    assert result.training_loss_share_high == pytest.approx(1 - effect.low, abs=5e-4)
    assert result.decode_loss_share == pytest.approx(decode.loss_share, abs=5e-4)
    limited = power_check(cards=FOUR, psu_w=1600, outlet="us_15a", power_limit_w=275)
    assert limited.verdict == "tight"  # 1300 W of 1600: above 80 %
    assert limited.wall_w <= 1440
    assert power_check(cards={"RTX 3090": 1}, psu_w=1600).options == ()


@pytest.mark.parametrize(
    ("outlet", "limit_w"),
    [
        ("us_15a", 1440),
        ("us_20a", 1920),
        ("eu_16a", 2944),
        ("cn_10a", 1760),
        ("cn_16a", 2816),
        ("uk_13a", 2392),
        ("jp_15a", 1200),
    ],
)
def test_outlet_presets(outlet: Any, limit_w: float):
    result = power_check(cards={"RTX 3090": 1}, outlet=outlet)
    assert result.outlet_limit_w == pytest.approx(limit_w)
    assert result.ups_va == pytest.approx(result.wall_w / 0.8 / 0.9)


@pytest.mark.parametrize(
    ("arguments", "en"),
    [
        (
            {"outlet": "us_15a", "outlet_v": 120, "outlet_a": 15},
            "Give either `outlet` (e.g. 'us_15a') or `outlet_v` with `outlet_a`.",
        ),
        ({"cpu": "i9-99999K"}, "`cpu` 'i9-99999K' is not in the table of processors. Or give `cpu_w`, e.g. 125."),
        (
            {"cpu": "i9-7900X"},
            "`cpu` 'i9-7900X' is not in the table of processors."
            " Did you mean 'Ryzen 9 7900X'? Or give `cpu_w`, e.g. 125.",
        ),
        ({"cpu": "7950X", "cpu_w": 170}, "Give either `cpu` (e.g. 'i9-14900K') or `cpu_w` (e.g. 125)."),
        ({"platform_w": 0.2}, "`platform_w` is 0.2 W: are these kilowatts? Give watts, e.g. 200."),
        (
            {"cpu_w": 65, "platform_w": 150},
            "Give either `platform_w` or its parts (`cpu` or `cpu_w`, `drives`, `fans`), not both.",
        ),
        (
            {"psu_connectors": {"molex": 4}},
            "`psu_connectors` must name plugs out of 6-pin, 8-pin, 8-pin EPS, 12VHPWR."
            ' Give plugs and their number, e.g. {"8-pin": 6, "12VHPWR": 1}.',
        ),
        ({"psu_count": 0}, "`psu_count` must be at least 1, got 0. Give the number of equal supplies, 1 or 2."),
    ],
)
def test_messages_of_supply_and_platform(arguments: dict[str, Any], en: str):
    said = refuse(cards=FOUR, **arguments)
    assert said[0] == en
    assert any("一" <= sign <= "鿿" for sign in said[1])


def refuse(**arguments: Any) -> tuple[str, str]:
    with pytest.raises(ToolInputError) as error:
        power_check(**arguments)
    return error.value.text.en, error.value.text.zh


@pytest.mark.parametrize("cards", [{}, [], None, 4, True])
def test_message_of_no_cards(cards: object):
    assert refuse(cards=cards) == (
        '`cards` is empty or no list of cards. Give cards by name and number, e.g. {"RTX 3090": 4}.',
        '`cards` 为空或不是显卡列表。请写明型号和数量，例如 {"RTX 3090": 4}。',
    )


@pytest.mark.parametrize(
    ("number", "en", "zh"),
    [
        (100, "must be at most 16, got 100.", "不能超过 16，收到的是 100"),
        (0, "must be at least 1, got 0.", "必须不小于 1，收到的是 0"),
        (-2, "must be at least 1, got -2.", "必须不小于 1，收到的是 -2"),
        (1.5, "must be a whole number, got 1.5.", "必须是整数，收到的是 1.5"),
        (math.nan, "must be a finite number, got nan.", "必须是有限的数，收到的是 nan"),
        (10**400, "must be a finite number, got inf.", "必须是有限的数，收到的是 inf"),
        ("4", "must be a number, got '4'.", "必须是数字，收到的是 '4'"),
        (True, "must be a number, got True.", "必须是数字，收到的是 True"),
    ],
)
def test_messages_of_counts(number: object, en: str, zh: str):
    assert refuse(cards={"RTX 3090": number}) == (f"`cards` {en}{HINT}", f"`cards` {zh}{HINT_ZH}")


def test_the_limit_of_16_is_for_all_cards_together():
    assert refuse(cards={"RTX 3090": 9, "RTX 4090": 8})[0] == f"`cards` must be at most 16, got 17.{HINT}"


@pytest.mark.parametrize(
    ("arguments", "en", "zh"),
    [
        (
            {"psu_w": 1.6},
            "`psu_w` must be at least 50 W, got 1.6. Give watts: 1.6 kW is 1600.",
            "`psu_w` 必须不小于 50 W，收到的是 1.6。请用瓦：1.6 kW 写 1600。",
        ),
        (
            {"psu_w": 1e308},
            "`psu_w` must be at most 20000 W, got 1e+308. Give watts: 1.6 kW is 1600.",
            "`psu_w` 不能超过 20000 W，收到的是 1e+308。请用瓦：1.6 kW 写 1600。",
        ),
        (
            {"power_limit_w": 0.3},
            "`power_limit_w` must be at least 30 W, got 0.3. Give watts per card, e.g. 300.",
            "`power_limit_w` 必须不小于 30 W，收到的是 0.3。请给出每张卡的瓦数，例如 300。",
        ),
        (
            {"platform_w": -1},
            "`platform_w` must be at least 0 W, got -1. A desktop without cards takes 100 to 400 W.",
            "`platform_w` 必须不小于 0 W，收到的是 -1。不含显卡的台式机约 100 到 400 W。",
        ),
        (
            {"psu_efficiency": 92},
            "`psu_efficiency` must be at most 1, got 92. Give a share such as 0.92 for 92 %.",
            "`psu_efficiency` 不能超过 1，收到的是 92。请给出比例，例如 92 % 写 0.92。",
        ),
        (
            {"outlet_v": 120},
            "An outlet needs `outlet_v` and `outlet_a`. Give both, e.g. `outlet_v` 120 and `outlet_a`"
            " 15 (US) or 220 and 10"
            " (China).",
            "插座需要 `outlet_v` 和 `outlet_a`。请两个都给，"
            "例如 `outlet_v` 220、`outlet_a` 10（中国），或 120 和 15（美国）。",
        ),
        (
            {"outlet_v": 12, "outlet_a": 15},
            "`outlet_v` must be at least 90 V, got 12. Give both, e.g. `outlet_v` 120 and `outlet_a`"
            " 15 (US) or 220 and 10"
            " (China).",
            "`outlet_v` 必须不小于 90 V，收到的是 12。请两个都给，"
            "例如 `outlet_v` 220、`outlet_a` 10（中国），或 120 和 15（美国）。",
        ),
    ],
)
def test_messages_of_numbers(arguments: dict[str, float], en: str, zh: str):
    assert refuse(cards=FOUR, **arguments) == (en, zh)


def test_messages_of_cards_that_cannot_be_added_up():
    assert refuse(cards={"RTX 4900": 1}) == (
        "`cards` 'RTX 4900' is not in the catalogue. Did you mean 'RTX 4080' or 'RTX 4090'?",
        "目录里没有 'RTX 4900' 这张显卡（`cards`）。你是不是想问 RTX 4080、RTX 4090？",
    )
    assert refuse(cards={"M4 Max": 1}) == (
        "No board power is known for 'M4 Max'. Measure the whole machine at the wall and give its watts, or ask about another card.",
        "目录里没有 'M4 Max' 的整卡功耗。请在墙上实测整机功率再告诉我瓦数，或者换一张卡。",
    )
