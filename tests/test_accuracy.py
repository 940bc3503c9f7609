"""The model on cards it never saw: the figures of the accuracy table, and how its coefficients came about."""

from __future__ import annotations

import statistics
import tomllib
from pathlib import Path

import pytest

from scripts._extras import limited, limits_left_out, scaling_group
from scripts._fitting import Row, fit
from scripts._leave_out import half_width, left_out
from scripts._models import Group, language_groups, newer, training_groups
from scripts._observations import Seen, language, training
from scripts.accuracy import Line, coverage, language_lines, training_lines
from tools._efficiency import coefficients
from tools._timing import Part, timing
from tools.performance import decode_rate, prefill_rate, training_rate

DATA = Path(__file__).parent.parent / "tools" / "data"
# Mean error in percent with one card left out: the aims of the issue.
AIMS = {
    "decode, NVIDIA and Apple": 6.0,
    "decode, NVIDIA": 6.0,
    "decode, Ampere and newer": 4.0,
    "prefill, NVIDIA": 8.0,
    "prefill, NVIDIA and Apple": 8.0,
    "training, resnet50": 5.0,
    "training, ssd300": 5.0,
    "training, gnmt": 6.5,
    "training, bert_large": 8.0,
    "training, tacotron2": 10.5,
    "training, transformer_xl": 10.5,
}


@pytest.fixture(scope="session")
def spoken(shared: Path) -> list[Seen]:
    return language(shared / "data" / "measured")


@pytest.fixture(scope="session")
def trained(shared: Path) -> list[Seen]:
    return training(shared / "data" / "measured")


@pytest.fixture(scope="session")
def lines(spoken: list[Seen], trained: list[Seen]) -> dict[str, Line]:
    fp16 = [group for group in training_groups(trained) if "fp32" not in group.name]
    return {line.name: line for line in language_lines(language_groups(spoken)) + training_lines(fp16)}


@pytest.mark.parametrize("name", AIMS)
def test_mean_error_with_one_card_left_out(lines: dict[str, Line], name: str):
    errors = [100 * abs(each.error) for each in lines[name].predictions]
    assert len({each.row.card for each in lines[name].predictions}) >= 12
    assert statistics.mean(errors) <= AIMS[name]


@pytest.mark.parametrize(
    ("names", "width"),
    [
        (("decode, NVIDIA and Apple",), 0.15),
        (("prefill, NVIDIA",), 0.17),
        (tuple(name for name in AIMS if name.startswith("training")), 0.15),
    ],
)
def test_ranges_hold_80_to_95_percent_of_unseen_cards(lines: dict[str, Line], names: tuple[str, ...], width: float):
    whole = Line(
        "all",
        [each for name in names for each in lines[name].predictions],
        [each for name in names for each in lines[name].widths],
    )
    holds, middle = coverage(whole)
    assert 0.80 <= holds <= 0.95
    assert middle <= width


@pytest.mark.parametrize(
    ("network", "aim"),
    [("resnet50", 5), ("ssd300", 5), ("transformer_xl", 5), ("bert_large", 12), ("gnmt", 12), ("tacotron2", 12)],
)
def test_four_cards_over_one(trained: list[Seen], network: str, aim: float):
    group = scaling_group(trained)
    errors = [
        100 * abs(each.error)
        for each in left_out(group)
        if group.judged(each.row) and each.row.seen.details["network"] == network
    ]
    assert statistics.median(errors) <= aim


def test_power_limits_within_four_points(shared: Path):
    rows = limits_left_out(limited(shared / "data" / "measured"))
    assert len(rows) >= 14
    assert statistics.mean(100 * abs(guess - each.speed) for each, guess in rows) <= 4


def test_a_left_out_card_is_not_in_the_fit():
    rows = [
        Row(card, 2.0 * amount, (Part("a", amount, ("x",)),))
        for card, amount in (("one", 1.0), ("two", 2.0), ("odd", 3.0))
    ]
    rows[2] = Row("odd", 60.0, rows[2].parts)
    from scripts._fitting import Prior

    group = Group("x", rows, lambda name: Prior(1.0, 5.0), 1.0)
    errors = {each.row.card: each.error for each in left_out(group)}
    # Without the odd one the rest agree on 2, so it is missed by its whole distance.
    assert errors["odd"] == pytest.approx(60 / 6 - 1, rel=0.01)
    assert half_width(left_out(group)) == 0.35


def test_shipped_coefficients_are_those_of_the_fit(spoken: list[Seen]):
    group = next(group for group in language_groups(spoken) if group.name == "prefill.nvidia")
    for name, value in fit(group.rows, group.prior, group.exponent).items():
        assert coefficients()[name] == pytest.approx(value, rel=5e-3), name


def test_the_tool_says_what_the_model_says(spoken: list[Seen]):
    group = next(group for group in language_groups(spoken) if group.name == "prefill.nvidia")
    row = next(row for row in group.rows if row.card == "RTX 4060 Ti 8GB")
    told = prefill_rate(gpu="RTX 4060 Ti 8GB", model="llama-2-7b", weight_format="Q4_0", memory_bandwidth_gb_s=288)
    assert told.basis == "modelled"
    assert told.tokens_per_s == pytest.approx(512 / timing(row.parts, group.exponent, coefficients()).total, rel=1e-6)


def test_software_generations_are_kept_apart(trained: list[Seen]):
    turing = {
        row.seen.software for group in training_groups(trained) for row in group.rows if row.card == "RTX 2080 Ti"
    }
    assert turing == {"v0_old"}
    assert {
        row.seen.software for group in training_groups(trained) for row in group.rows if row.card == "RTX A6000"
    } == {"v0", "v1"}


def test_known_faults_are_cleaned(spoken: list[Seen], trained: list[Seen]):
    assert any(each.card == "H100 SXM" and each.details["model"] == "llama-2-7b" for each in spoken)
    scaled = {
        (row.card, row.seen.details["network"], row.seen.details["gpu_count"]) for row in scaling_group(trained).rows
    }
    assert (
        not {
            ("RTX 2080 Ti", "bert_large", 2),
            ("RTX 3070", "bert_large", 2),
            ("A100 SXM 80GB", "tacotron2", 4),
            ("RTX 6000 Ada", "tacotron2", 4),
        }
        & scaled
    )


def test_every_coefficient_says_what_it_is():
    read = tomllib.loads((DATA / "efficiency.toml").read_text("utf-8"))
    rows = read["coefficient"]
    assert all(row["meaning"] and row["unit"] and row["source"] and row["n"] >= 0 for row in rows)
    assert len({row["name"] for row in rows}) == len(rows)
    # What no public measurement gives is marked n = 0, with where it comes from.
    assert sum(row["n"] == 0 for row in rows) < 40
    assert all(row["n"] > 0 and 0 < row["half_width"] < 1 for row in read["error"])


def test_newer_is_ampere_and_later(spoken: list[Seen]):
    rows = [row for group in language_groups(spoken) if group.name == "decode.nvidia" for row in group.rows]
    assert {row.card for row in rows if newer(row)} >= {"RTX 3090", "A100 SXM 80GB", "RTX 4090", "H100 SXM", "RTX 5090"}
    assert not {row.card for row in rows if newer(row)} & {"RTX 2080 Ti", "T4", "V100 SXM2 16GB", "P40"}


def test_a_card_that_was_never_measured_gets_a_wider_range():
    seen, unseen = (
        decode_rate(gpu=card, model="llama-2-7b", weight_format="Q4_0", context_tokens=2048)
        for card in ("RTX 4080", "B200")
    )

    def width(result):
        return (result.high_tokens_per_s - result.low_tokens_per_s) / result.tokens_per_s

    assert width(unseen) > 1.5 * width(seen)
    own = decode_rate(
        gpu="our own card",
        model="7B",
        weight_format="Q4_0",
        memory_gb=24,
        memory_bandwidth_gb_s=936,
        tensor_fp16_dense_tflops=71,
        board_power_w=350,
    )
    like = decode_rate(gpu="RTX 3090", model="7B", weight_format="Q4_0")
    assert own.tokens_per_s == pytest.approx(like.tokens_per_s, rel=0.15)
    assert width(own) > width(like)
    trained = training_rate(
        gpu="our own card",
        network="resnet50",
        memory_gb=24,
        memory_bandwidth_gb_s=936,
        tensor_fp16_dense_tflops=71,
        board_power_w=350,
    )
    assert trained.samples_per_s == pytest.approx(905, rel=0.15)
    assert trained.high_samples_per_s / trained.samples_per_s > 1.2


def test_other_batches_of_a_measured_card_keep_its_own_level():
    whole = training_rate(gpu="RTX 4090", network="gnmt")
    other = training_rate(gpu="RTX 4090", network="gnmt", batch_size=whole.batch_size - 1)
    assert (whole.basis, other.basis) == ("measured", "modelled")
    assert other.samples_per_s == pytest.approx(whole.samples_per_s, rel=0.01)
