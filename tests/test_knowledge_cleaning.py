"""Foreign text comes out clean, and an author's own words stay."""

import random
import time
from pathlib import Path

import pytest

from knowledge.articles import Article, foreign_passages
from knowledge.cleaning import clean, heading_number, is_call_to_action
from knowledge.injected import injected_phrases
from knowledge.sums import doubtful_sum

SUBJECTS = (
    "显存带宽决定速度",
    "这张卡适合训练",
    "电源要留出余量",
    "多卡需要好的散热",
    "云端更加灵活",
    "量化能省显存",
    "推理看重延迟",
    "二手卡便宜一些",
)


def test_a_phrase_before_the_full_stops_is_found_whatever_it_says() -> None:
    planted = "".join(f"{subject}加微信领红包吧。\n" for subject in SUBJECTS)
    assert injected_phrases(planted) == ("加微信领红包吧",)
    assert "红包" not in "".join(clean(planted).paragraphs)


def test_an_english_phrase_is_found_too() -> None:
    texts = (
        "The card is fast",
        "Memory matters most",
        "Buy a good supply",
        "Cooling needs space",
        "Renting is flexible",
        "Older cards are slower",
        "Tensor cores help",
        "Check the case first",
    )
    planted = " ".join(f"{text} visit cheapshop today." for text in texts)
    assert any("cheapshop" in phrase for phrase in injected_phrases(planted))


def test_a_refrain_of_the_author_stays() -> None:
    text = "\n".join(
        f"The RTX {name} has {size} GB of memory."
        for name, size in (("3060", 12), ("3070", 8), ("3080", 10), ("3090", 24), ("4080", 16), ("4090", 24))
    )
    assert injected_phrases(text) == ()


def test_a_phrase_inside_words_is_found() -> None:
    words = "training memory inference bandwidth cooling network processor hardware"
    text = "\n".join(
        [words] * 2
        + [f"{word[:4]}zzbuyitzz{word[4:]} matters in case {place} a lot" for place, word in enumerate(words.split())]
    )
    assert injected_phrases(text) == ("zzbuyitzz",)


def test_contents_remnants_copies_and_calls_go() -> None:
    contents = [f"{number}、第{number}部分的题目" for number in range(1, 7)]
    body = [line for title in contents for line in (title, f"{title}里讲了显存和带宽之间的关系，数字是真的。")]
    text = "\n".join(
        ["目录", *contents, *body, body[1], '图片说明" >', "扫码关注我们，点赞转发！", "https://example.org/x"]
    )
    assert list(clean(text).paragraphs) == body


def test_markup_and_wrapped_lines_are_undone() -> None:
    text = (
        "A line that was wrapped by a mail program after some sixty\n"
        "signs goes on here.\n\n"
        "<b>Bold</b> &amp; plain text."
    )
    assert clean(text).paragraphs == (
        "A line that was wrapped by a mail program after some sixty signs goes on here.",
        "Bold & plain text.",
    )


@pytest.mark.parametrize("line", ["点击链接，关注公众号！", "Subscribe to our newsletter and share this with friends"])
def test_calls_to_action(line: str) -> None:
    assert is_call_to_action(line)


def test_a_line_with_a_figure_is_no_call_to_action() -> None:
    assert not is_call_to_action("点击查看，关注它的 24 GB 显存", at_end=True)


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("九、问答与误解", "9"),
        ("14、什么时候用云？", "14"),
        ("4、3槽设计", "4"),
        ("3.1 Tensor cores", "3.1"),
        ("— 02 —", "2"),
    ],
)
def test_headings(line: str, number: str) -> None:
    found = heading_number(line)
    assert found is not None and found.number == number


def test_a_sentence_is_no_heading() -> None:
    assert heading_number("24 GB 显存就够了。") is None


def test_lost_multiplication_signs_are_doubted() -> None:
    text = "200 个周期（全局内存）+ 834 个周期（共享内存）+ 84 个周期（FFMA）= 504 个周期"
    assert doubtful_sum(text) == "200 + 834 + 84 is 1118, the text says 504; 200 + 8*34 + 8*4 would be 504"


@pytest.mark.parametrize(
    "text",
    [
        "165 cycles + 34 cycles + 1 cycle = 200 cycles",
        "200 - 34 - 1 = 165",
        "1555/900 = 1.73x",
        "4个350W = 1400W",
        "(350 W (GPU) + 100 W (CPU)) * 0.15 * 24 h * 365 = 591 kWh",
    ],
)
def test_right_sums_and_products_are_not_doubted(text: str) -> None:
    assert doubtful_sum(text) == ""


def test_the_source_articles_come_out_clean(shared: Path) -> None:
    for path in sorted((shared / "articles").glob("*.txt")):
        cleaned = clean(path.read_text(encoding="utf-8"))
        passages = foreign_passages(Article(id="x", language="zh", title="x"), list(cleaned.paragraphs))
        assert not any("苹果版" in p.text or "邮箱" in p.text or '" >' in p.text for p in passages)
        assert len({p.text for p in passages}) == len(passages) > 10
        assert len({p.id for p in passages}) == len(passages)
        assert not any("峰会" in p.text or "Traefik Ambassador" in p.text for p in passages)


def test_the_broken_sum_of_the_translation_is_marked(shared: Path) -> None:
    text = next((shared / "articles").glob("000_*.txt")).read_text(encoding="utf-8")
    passages = foreign_passages(Article(id="x", language="zh", title="x"), list(clean(text).paragraphs))
    assert [p.section for p in passages if p.doubtful] == ["3.1.1"]
    assert {"3.1.3", "5.4", "9.14"} <= {p.section for p in passages}


def test_a_long_text_of_few_words_is_cleaned_in_time() -> None:
    chance = random.Random(3)
    words = ("cooling", "memory", "bandwidth", "supply", "riser", "kernel", "cache", "price", "cluster")
    text = "\n\n".join(f"On {place}: {' '.join(chance.choices(words, k=80))}." for place in range(600))
    start_s = time.process_time()
    assert len(clean(text).paragraphs) == 600
    assert time.process_time() - start_s < 20  # minutes, when every common run of characters was looked into


def test_a_long_passage_without_an_equation_costs_nothing() -> None:
    start_s = time.process_time()
    assert doubtful_sum("memory bandwidth " * 5000) == ""
    assert time.process_time() - start_s < 0.5
