"""Questions in other words find the right section, in both languages and across them; other subjects find nothing."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from knowledge.embedding import open_embedder
from knowledge.ingest import ensure_index
from knowledge.ranking import Ranker
from knowledge.search import Searcher
from knowledge.store import Index, open_index

GOLDEN = Path(__file__).parent / "golden" / "retrieval.jsonl"
AT = 5

Find = Callable[["Row"], list[str]]


@dataclass(frozen=True)
class Row:
    """A question, the sections that answer it, whether the passages are in the other language, and its half."""

    id: str
    question: str
    language: str
    crossed: bool
    sections: tuple[str, ...]
    part: str


def rows(*parts: str) -> list[Row]:
    found = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]
    return [Row(**{**row, "sections": tuple(row["sections"])}) for row in found if row["part"] in parts]


def scores(asked: Sequence[Row], find: Find) -> tuple[float, float, list[str]]:
    """Return recall@5, the mean reciprocal rank, and the questions whose section is not among the five."""
    places = {
        row.question: next((place for place, section in enumerate(find(row), 1) if section in row.sections), 0)
        for row in asked
    }
    return (
        sum(place > 0 for place in places.values()) / len(asked),
        sum(1 / place for place in places.values() if place) / len(asked),
        [question for question, place in places.items() if not place],
    )


class Halves:
    """The index whole, and each language of it alone: a crossed question meets passages of the other one only."""

    def __init__(self, folder: Path) -> None:
        ensure_index(folder)
        index = open_index(folder)
        assert index is not None
        embedder = open_embedder()
        self._whole = Ranker(index, embedder)
        self._alone = {language: Ranker(_only(index, language), embedder) for language in ("zh", "en")}

    def find(self, row: Row) -> list[str]:
        ranker = self._alone["en" if row.language == "zh" else "zh"] if row.crossed else self._whole
        return _sections(ranker, row.question)

    def anywhere(self, question: str) -> bool:
        return any(_sections(ranker, question) for ranker in (self._whole, *self._alone.values()))


def _only(index: Index, language: str) -> Index:
    kept = [place for place, passage in enumerate(index.passages) if passage.language == language]
    return Index(
        manifest=index.manifest, passages=tuple(index.passages[place] for place in kept), vectors=index.vectors[kept]
    )


def _sections(ranker: Ranker, question: str) -> list[str]:
    places = ranker.order(ranker.evidence(question))[:AT]
    found = [ranker.passages[next(iter(ranker.groups[place].places.values()))] for place in places]
    return [f"{passage.article} {passage.section}" for passage in found]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def halves(folder: Path) -> Halves:
    return Halves(folder)


@pytest.fixture(scope="module")
def searcher(folder: Path) -> Searcher:
    return Searcher(folder)


def test_the_set_is_as_large_and_mixed_as_promised() -> None:
    asked = rows("tuning", "held-out")
    assert len(asked) >= 120
    assert sum(row.language == "zh" for row in asked) == len(asked) / 2
    assert len(asked) / 3 <= sum(row.crossed for row in asked) <= len(asked) / 2
    assert len(rows("off-topic")) == 30


def test_questions_find_their_section(halves: Halves) -> None:
    recall, rank, missed = scores(rows("tuning", "held-out"), halves.find)
    assert recall >= 0.97, missed
    assert rank >= 0.85


def test_questions_that_nothing_was_tuned_on_find_it_too(halves: Halves) -> None:
    recall, rank, _ = scores(rows("held-out"), halves.find)
    assert recall >= 0.95
    assert rank >= 0.85


def test_another_subject_finds_nothing_in_either_language(halves: Halves) -> None:
    found = [row.question for row in rows("off-topic") if halves.anywhere(row.question)]
    assert len(found) <= 0.05 * 30, found


@pytest.mark.parametrize("question", ["how do I cool four RTX 3090s", "怎么给四张 RTX 3090 散热"])
def test_the_two_questions_of_the_contract(searcher: Searcher, question: str) -> None:
    best = searcher.search(question)[0]
    assert (best["article"], best["section"]) in {("dettmers-2023", "9.3"), ("dettmers-2023", "9.4")}


def test_the_question_chooses_the_language_unless_told(searcher: Searcher) -> None:
    assert {found["language"] for found in searcher.search("Is NVLink worth it?")} == {"en"}
    assert {found["language"] for found in searcher.search("Is NVLink worth it?", language="zh")} == {"zh"}


def test_a_passage_comes_once_however_many_translations_it_has(searcher: Searcher) -> None:
    places = [(found["article"], *found["id"].split(":")[1:]) for found in searcher.search("NVLink", 20)]
    assert len(places) == len(set(places)) > 1


def test_a_search_can_be_kept_to_one_source_or_to_newer_ones(searcher: Searcher) -> None:
    assert {found["article"] for found in searcher.search("NVLink", article="luga")} == {"luga"}
    assert {found["date"] for found in searcher.search("Is NVLink worth it?", since="2024")} == {"2024"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("power cap", "功耗墙"),
        ("VRAM", "显存"),
        ("break-even", "盈亏平衡"),
        ("4 slots", "4 插槽"),
        ("tensor cores", "张量核心"),
    ],
)
def test_words_of_one_idea_are_one_token(first: str, second: str) -> None:
    from knowledge.words import tokens

    assert tokens(first) == tokens(second)


def test_no_form_of_the_lexicon_stands_in_two_lines() -> None:
    from knowledge.words import LEXICON

    lines = [line for line in LEXICON.read_text("utf-8").splitlines() if line and line[0] != "#"]
    forms = [form.strip() for line in lines for form in line.split("|")]
    assert len(forms) == len(set(forms)) > 800
