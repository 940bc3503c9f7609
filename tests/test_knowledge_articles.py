"""Our articles and foreign texts as passages."""

import pytest

from knowledge.articles import (
    LIMIT_TOKENS,
    Article,
    built_in_articles,
    foreign_passages,
    language_of,
    read_article,
    sentences,
    token_estimate,
)

TEXT = """---
id: sample
language: en
title: A sample
url: https://example.org/
date: 2023-01-30
---

## 9.14 Cloud or desktop

First paragraph.

Second paragraph, wrapped
over two lines.
"""


def test_a_paragraph_is_a_passage_with_a_stable_id() -> None:
    article, passages = read_article(TEXT)
    assert (article.title, article.date) == ("A sample", "2023-01-30")
    assert [p.id for p in passages] == ["sample.en:9.14:1", "sample.en:9.14:2"]
    assert passages[1].text == "Second paragraph, wrapped over two lines."
    assert passages[1].context == "Cloud or desktop. Second paragraph, wrapped over two lines."


def test_an_article_without_front_matter_is_refused() -> None:
    with pytest.raises(ValueError) as caught:
        read_article("## 1 Heading\n\nText.")
    assert str(caught.value) == (
        "An article starts with `---`, then at least `id:`, `language:` and `title:`, then `---`."
    )


def test_translations_have_the_same_places() -> None:
    places: dict[str, dict[str, list[tuple[str, int]]]] = {}
    for article, passages in built_in_articles():
        places.setdefault(article.id, {})[article.language] = [(p.section, p.position) for p in passages]
    assert len(places) == 3
    assert all(found["zh"] == found["en"] for found in places.values())


def test_no_figure_of_our_articles_is_doubtful() -> None:
    assert [p.id for _, passages in built_in_articles() for p in passages if p.doubtful] == []


def test_long_text_is_cut_between_sentences_and_never_inside_a_quantity() -> None:
    long = "显存带宽是936 GB/s，功耗是350 W，价格是1,555美元，" * 60
    passages = foreign_passages(Article(id="x", language="zh", title="x"), [long + "。", "The end. " * 200])
    assert max(token_estimate(p.text) for p in passages) <= LIMIT_TOKENS
    assert all(not p.text[-1].isdigit() for p in passages)
    assert sum(p.text.count("936 GB/s") for p in passages) == 60
    assert sum(p.text.count("1,555美元") for p in passages) == 60


def test_an_announcement_stays_with_what_it_announces() -> None:
    body = ["各项延迟如下：", "全局内存：约 380 个周期", "L2 缓存：约 200 个周期"]
    [passage] = foreign_passages(Article(id="x", language="zh", title="x"), body)
    assert passage.text == " ".join(body)


def test_sentences_keep_decimals() -> None:
    assert sentences("It costs 0.3 $/kWh. That is fine.") == ["It costs 0.3 $/kWh.", "That is fine."]


@pytest.mark.parametrize(
    ("text", "language"), [("RTX 3090 怎么散热", "zh"), ("How fast is it?", "en"), ("RTX 3090", "en")]
)
def test_language(text: str, language: str) -> None:
    assert language_of(text) == language
