"""Data sheets and lists of cards: figures of the vendors, relations, and messages."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools._catalog import gpus
from tools._errors import ToolInputError
from tools.hardware import find_gpus, gpu_specs


def test_the_rtx_4090():
    # NVIDIA, Ada architecture white paper, appendix A: 24 GB, 1008 GB/s, 450 W, 165.2 TFLOPS dense with FP32
    # accumulation, 72 MB L2; sold from 2022-10-12 at 1599 USD.
    card = gpu_specs(gpu="4090")
    assert (card.name, card.memory_gb, card.memory_bandwidth_gb_s, card.board_power_w) == ("RTX 4090", 24, 1008, 450)
    assert card.tensor_fp16_dense_tflops == pytest.approx(165.2, abs=0.05)
    assert (card.l2_cache_mb, card.compute_capability, card.sparsity) == (72, "8.9", True)
    assert (card.nvlink_gb_s, card.launch_price_usd, card.launch_date) == (0, 1599, "2022-10-12")
    assert card.power_connectors == ("12VHPWR",)


def test_the_h100_is_dense():
    # NVIDIA H100 data sheet: 1,979 TFLOPS FP16 and 3,958 FP8 with sparsity.
    card = gpu_specs(gpu="H100 SXM")
    assert card.tensor_fp16_dense_tflops == pytest.approx(1979 / 2, abs=0.5)
    assert card.tensor_fp8_dense_tflops == pytest.approx(3958 / 2, abs=0.5)


def test_the_rtx_3090_has_nvlink():
    # NVIDIA, GA102 white paper: 112.5 GB/s in both directions together; the third article says there is none.
    assert gpu_specs(gpu="RTX 3090").nvlink_gb_s == pytest.approx(112.5, abs=0.5)


def test_steps_and_sources_say_where_it_stands():
    card = gpu_specs(gpu="H100 SXM")
    assert card.verified
    assert card.warnings == ()
    assert card.sources[0].title == "H100 SXM specification"
    assert card.sources[0].url.startswith("https://")
    assert card.steps[0].startswith("H100 SXM: 80 GB, 3350 GB/s, from https://")


def test_an_unclear_name_is_said():
    card = gpu_specs(gpu="A100")
    assert card.assumptions[0].en == (
        "'A100' is read as A100 SXM 40GB; there are also A100 PCIe 40GB, A100 SXM 80GB, A100 PCIe 80GB."
    )
    assert card.assumptions[0].zh == "“A100”按 A100 SXM 40GB 理解；另有 A100 PCIe 40GB, A100 SXM 80GB, A100 PCIe 80GB。"
    assert gpu_specs(gpu="RTX 4090").assumptions == ()


def test_unverified_and_laptop_cards_carry_a_warning():
    assert gpu_specs(gpu="GTX 980").warnings[0].en == "Not checked against a vendor's page."
    laptop = gpu_specs(gpu="RTX 5090 Mobile")
    assert laptop.name == "RTX 5090 Laptop"
    assert laptop.warnings[-1].en == (
        "This is the laptop card: less power, memory and speed than the desktop card of that name."
    )


def test_cards_with_24_gb_under_1000_dollars():
    rows = find_gpus(min_memory_gb=24, max_price_usd=1000, vendor="AMD").rows
    assert [row.gpu for row in rows] == ["RX 7900 XTX"]  # launched at 999 USD with 24 GB


def test_the_list_is_sorted_by_bandwidth_and_counted():
    result = find_gpus()
    speeds = [row.memory_bandwidth_gb_s for row in result.rows]
    assert speeds == sorted(speeds, reverse=True)
    assert result.count == len(result.rows) == len(gpus())
    assert result.steps == (f"count = {len(gpus())} of {len(gpus())} cards",)


def test_launch_prices_are_said_to_be_launch_prices():
    assert find_gpus(max_price_usd=500).assumptions[0].en == "Prices are launch prices, not what a shop asks today."
    assert find_gpus(min_memory_gb=24).assumptions == ()


@settings(deadline=None, max_examples=50)
@given(memory=st.floats(1, 400), more=st.floats(0, 400), price=st.floats(50, 50_000), less=st.floats(0, 1))
def test_stricter_wishes_never_add_a_card(memory: float, more: float, price: float, less: float):
    wide = {row.gpu for row in find_gpus(min_memory_gb=memory, max_price_usd=price).rows}
    narrow = find_gpus(min_memory_gb=memory + more, max_price_usd=max(price * less, 1)).rows
    assert {row.gpu for row in narrow} <= wide
    assert all(row.memory_gb >= memory + more for row in narrow)


def test_the_vendors_share_the_catalogue():
    parts = [find_gpus(vendor=vendor).count for vendor in ("NVIDIA", "AMD", "Intel", "Apple", "Google")]
    assert sum(parts) == find_gpus().count
    assert find_gpus(vendor="nvidia").count == parts[0]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("arguments", "en", "zh"),
    [
        (
            {"min_memory_gb": 0},
            "`min_memory_gb` must be above 0 GB, got 0. Give GB, e.g. 24.",
            "`min_memory_gb` 必须大于 0 GB，收到的是 0。请给出 GB，例如 24。",
        ),
        (
            {"min_memory_gb": "24GB"},
            "`min_memory_gb` must be a number, got '24GB'. Give GB, e.g. 24.",
            "`min_memory_gb` 必须是数字，收到的是 '24GB'。请给出 GB，例如 24。",
        ),
        (
            {"max_price_usd": -1},
            "`max_price_usd` must be above 0 USD, got -1. Give US dollars, e.g. 1000.",
            "`max_price_usd` 必须大于 0 USD，收到的是 -1。请给出美元，例如 1000。",
        ),
        (
            {"vendor": "nvida"},
            "`vendor` must be one of NVIDIA, AMD, Intel, Apple, Google, got 'nvida'. Did you mean 'NVIDIA'?",
            "`vendor` 只能是 NVIDIA、AMD、Intel、Apple、Google 之一，收到的是 'nvida'。是不是“NVIDIA”？",
        ),
        (
            {"vendor": "x" * 10_000},
            f"`vendor` must be one of NVIDIA, AMD, Intel, Apple, Google, got '{'x' * 56}....",
            f"`vendor` 只能是 NVIDIA、AMD、Intel、Apple、Google 之一，收到的是 '{'x' * 56}...。",
        ),
    ],
)
def test_messages(arguments: dict[str, object], en: str, zh: str):
    with pytest.raises(ToolInputError) as error:
        find_gpus(**arguments)  # pyright: ignore[reportArgumentType]
    assert (error.value.text.en, error.value.text.zh) == (en, zh)


def test_a_verified_card_says_what_its_page_lacked():
    assert gpu_specs(gpu="H100 SXM").warnings == ()
    (note,) = gpu_specs(gpu="RX 7900 XTX").warnings
    assert note.en == "The vendor's page that was read lacks: bandwidth and board power."
    assert note.zh == "查到的厂商页面里没有：显存带宽和功耗。"
    # Apple publishes no power: what the row does not state needs no note.
    assert gpu_specs(gpu="M2 Ultra").warnings == ()
