"""Our glossary: found by its terms alone, by questions what something is or why it matters; it takes no place from articles."""

import re
from pathlib import Path

import pytest

from assistant.builtin.choose import with_glossary
from assistant.grounding.polish import polished
from knowledge.articles import built_in_articles
from knowledge.glossary import ID, entries, explained
from knowledge.search import Searcher
from tools.api import all_tools


def sections(question: str) -> list[str]:
    return [passage.section for passage, _ in explained(question)]


def test_every_term_stands_in_both_languages_and_no_name_twice() -> None:
    found = entries()
    assert 40 <= len(found) <= 80
    assert all(set(entry.passages) == {"zh", "en"} for entry in found)
    names = [name for entry in found for name in entry.names]
    assert len(names) == len(set(names))


def test_an_entry_is_short_and_names_only_tools_that_exist() -> None:
    tools = {*all_tools(), *(name for tool in all_tools().values() for name in tool.parameters["properties"])}
    fields = {"optimizer_gb", "activations_gb"}
    for entry in entries():
        for passage in entry.passages.values():
            assert 60 <= len(passage.text) <= 520
            named = set(re.findall(r"`([a-z_]+)`", passage.text))
            assert named <= tools | fields, passage.id


def test_a_glossary_states_no_measured_figure() -> None:
    """Digits stand in names (FP16, L2) and in "2:4" only: figures belong to tools and sources."""
    for entry in entries():
        for passage in entry.passages.values():
            assert not re.search(r"\d\s*(?:GB|W\b|%|TFLOPS|USD|美元|瓦)", passage.text), passage.id


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("so what exactly is pipeline parallelism?", ["pipeline-parallelism"]),
        ("Could you explain paged attention", ["paged-attention"]),
        ("what does MIG stand for", ["mig"]),
        ("how does speculative decoding work?", ["speculative"]),
        ("投机解码是什么意思", ["speculative"]),
        ("请解释一下分组查询注意力", ["gqa"]),
        ("ROCm 是啥", ["rocm"]),
        ("竞价实例是干什么的？", ["spot"]),
        ("BF16 versus FP16: how do they differ?", ["bf16", "fp16"]),
        ("预填充和解码有什么不同？", ["prefill"]),
        ("data or tensor parallelism, what is the difference?", ["data-parallelism", "tensor-parallelism"]),
        ("why does gradient checkpointing save memory?", ["checkpointing"]),
        ("为什么混合专家的速度比参数量看起来快", ["moe"]),
    ],
)
def test_a_question_about_a_term_finds_its_entry(question: str, expected: list[str]) -> None:
    assert sections(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "How much VRAM does a 13B model need?",
        "Which card has the most memory bandwidth?",
        "why does my machine crash with a power spike",
        "为什么我的 3090 降频",
        "What is the capital of France?",
        "RTX 4090 和 RTX 5090 有什么区别",
    ],
)
def test_any_other_question_finds_none(question: str) -> None:
    assert sections(question) == []


def test_search_puts_the_entry_first_and_keeps_articles_behind_it(tmp_path: Path) -> None:
    searcher = Searcher(tmp_path)
    found = searcher.search("What is a tensor core?")
    assert (found[0]["article"], found[0]["title"], found[0]["date"]) == (ID, "GPU Advisor glossary", "2026-11-30")
    assert {one["article"] for one in found[1:]} <= {article.id for article, _ in built_in_articles()}
    assert all(one["article"] != ID for one in searcher.search("How do I cool four RTX 3090s?"))
    assert all(one["article"] != ID for one in searcher.search("What is a tensor core?", article="dettmers-2023"))


def test_a_definition_is_not_quoted_beside_a_result() -> None:
    entry, passage = {"article": ID, "score": 0.9}, {"article": "luga", "score": 0.99}
    assert with_glossary([entry, passage], alone=False) == [passage]
    assert with_glossary([entry, passage], alone=True) == [entry]
    assert with_glossary([passage, entry], alone=True) == [passage]


@pytest.mark.parametrize(
    ("text", "name", "shown"),
    [
        ("Spread 1739.13 W over 2 circuits.", "verdict", "Spread 1,739 W over 2 circuits."),
        ("预算达到 1316 美元就可以买。", "flips_if_zh", "预算达到 1,316 美元就可以买。"),
        ("The RTX 4090 of 2022-10-12 needs 24 GB.", "title", "The RTX 4090 of 2022-10-12 needs 24 GB."),
        ("total = 1316.25 USD", "steps", "total = 1316.25 USD"),
        ("The guide (2023) counts 14.25 h.", "note", "The guide (2023) counts 14.25 h."),
    ],
)
def test_figures_of_a_tools_sentence_are_grouped_and_rounded(text: str, name: str, shown: str) -> None:
    assert polished(text, name) == shown
