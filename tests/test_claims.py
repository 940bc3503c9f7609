"""The golden claims: asked in both languages, judged by what the answer states."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from assistant.builtin.frames import frames
from assistant.desk import Desk, open_desk
from assistant.settings import Settings
from tests.golden.judge import CLAIMS, claims, judge
from tools.api import all_tools

LANGUAGES = ("en", "zh")
LEAST_RIGHT = 139


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, Any]]:
    """Every claim's answer by the built-in model."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("claims"))

    async def run() -> dict[tuple[str, str], dict[str, Any]]:
        async with open_desk(settings) as desk:
            return {
                (claim["id"], language): await _ask(desk, claim["question"][language])
                for claim in claims()
                for language in LANGUAGES
            }

    return asyncio.run(run())


async def _ask(desk: Desk, question: str) -> dict[str, Any]:
    return (await desk.answer(question)).to_dict()


def test_the_golden_file_holds_every_claim_of_the_shared_one(shared: Path) -> None:
    source = {row["id"]: row for row in _lines(shared / "golden" / "seed_claims.jsonl")}
    ours = {row["id"]: row for row in _lines(CLAIMS)}
    assert len(ours) == 74
    assert ours.keys() == source.keys()
    for key, row in ours.items():
        assert row["expect"] == source[key]["expect"]
        assert row["question"] == {"en": source[key]["question_en"], "zh": source[key]["question_zh"]}


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_enough_claims_are_answered_right_and_none_wrong(answers: dict[tuple[str, str], dict[str, Any]]) -> None:
    verdicts = {
        (claim["id"], language): judge(claim, language, answers[claim["id"], language])
        for claim in claims()
        for language in LANGUAGES
    }
    wrong = {key: missing for key, (verdict, missing) in verdicts.items() if verdict == "wrong"}
    right = sum(verdict == "right" for verdict, _ in verdicts.values())
    print(f"right {right} of {len(verdicts)}, wrong {len(wrong)}")
    assert not wrong
    assert right >= LEAST_RIGHT


def test_every_number_of_an_answer_says_where_it_comes_from(answers: dict[tuple[str, str], dict[str, Any]]) -> None:
    for answer in answers.values():
        for number in answer["numbers"]:
            start = number["start"]
            assert answer["answer"][start : start + len(number["text"])] == number["text"]
            assert number["kind"] in ("tool", "user", "article", "name")
            assert number["ref"]


def test_both_languages_compute_the_same_numbers(answers: dict[tuple[str, str], dict[str, Any]]) -> None:
    for claim in claims():
        if claim["kind"] == "computed":
            found = [
                [(call["tool"], _numbers(call["result"])) for call in answers[claim["id"], language]["calls"]]
                for language in LANGUAGES
            ]
            assert found[0] == found[1], claim["id"]


def _numbers(result: dict[str, Any]) -> dict[str, float]:
    return {name: value for name, value in result.items() if isinstance(value, (int, float))}


def grams(text: str) -> set[str]:
    folded = re.sub(r"\W+", "", text.lower())
    return {folded[index : index + 5] for index in range(len(folded) - 4)}


def test_nothing_in_the_built_in_model_equals_a_golden_question() -> None:
    questions = [grams(claim["question"][language]) for claim in claims() for language in LANGUAGES]
    phrases = [
        literal
        for file in Path("assistant/builtin").glob("*.py")
        for literal in re.findall(r'"([^"\n]{8,})"', file.read_text("utf-8"))
    ]
    for name, frame in frames().items():
        phrases += [cue.pattern.pattern for cue in frame.cues]
        phrases += [line for text in frame.say.values() for line in text.splitlines()]
        phrases += [text for words in frame.ask.values() for text in words.values()]
        phrases.append(all_tools()[name].description)
    parts = [part for phrase in phrases for part in (phrase, *re.split(r"[|\n]", phrase)) if len(part) >= 8]
    for phrase in parts:
        own = grams(phrase)
        for question in questions:
            both = own | question
            assert not both or len(own & question) / len(both) < 0.5, phrase
