"""Measure the guard: right answers in both languages, and wrong ones made from them (`make guard`)."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from assistant.desk import open_desk
from assistant.grounding import Evidence, verify
from scripts.guard_mutants import mutants
from scripts.guard_questions import questions

PER_TEMPLATE = 8
MUTANTS_PER_ANSWER_AND_KIND = 2
REPORT = Path("docs/guard.md")
MUST_CATCH = ("one digit", "ten times", "unit", "other card", "figures of two cards swapped", "full-width")
LEAST_CAUGHT, MOST_ALARMS = 0.995, 0.01
_HEAD = """# What the guard catches

No draft of a model reaches the screen before `assistant/grounding` has proved it. A number is bound by value, unit and the card,
model or option it is said of, rounded only as its own digits show; a comparison, a ranking or a verdict needs a result that
says so. What is not bound goes back to the model once; then the tools' own sentences are shown.

This table is written by `make guard`. The right answers are the built-in model's, to generated questions for every tool in
both languages; each wrong one differs from a right one in one place. "Stale" puts in the figure that the same field has for
other arguments; "invented sentence" adds one. `tests/test_truthful.py` holds the guard against a hundred truthful drafts
that were written by hand (other orders, converted and rounded units, words), `tests/test_liar.py` puts a real model behind it.

What it does not do: it computes nothing anew, so a difference or a sum that no tool returned is not let through even where it is
right; a sentence without a figure, a name or a comparison is not judged.
"""
LANGUAGES = ("en", "zh")


@dataclass
class Score:
    """What was caught, by kind and language."""

    caught: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    made: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    answers: Counter[str] = field(default_factory=Counter[str])
    alarms: Counter[str] = field(default_factory=Counter[str])
    tools: Counter[str] = field(default_factory=Counter[str])
    missed: list[tuple[str, str, str, str]] = field(default_factory=list[tuple[str, str, str, str]])
    false: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    verify_ms: list[float] = field(default_factory=list[float])


async def right_answers(per_template: int) -> list[dict[str, Any]]:
    """Ask the built-in model; keep what it answered from a tool or a passage."""
    found: list[dict[str, Any]] = []
    async with open_desk() as desk:
        for tool, language, question in questions(per_template):
            try:
                answer = (await desk.answer(question)).to_dict()
            except TypeError as error:
                print(f"no answer to {question!r}: {error}", file=sys.stderr)
                continue
            if answer["status"] == "answered" and answer["language"] == language:
                found.append({**answer, "question": question, "meant": tool})
    return found


def evidence_of(answer: dict[str, Any]) -> Evidence:
    """Return what an answer rests on, as `verify` on the command line would get it."""
    results = {call["id"]: call for call in answer["calls"] if "result" in call}
    return Evidence(results, {passage["id"]: passage for passage in answer["citations"]}, (answer["question"],))


def measure(answers: Sequence[dict[str, Any]], every: int = 1) -> Score:
    """Verify every answer and its mutants.

    Args:
        answers: Right answers.
        every: Take each so-many-th answer only.
    """
    score = Score()
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for answer in answers:
        groups[answer["meant"], answer["language"]].append(answer)
    for answer in answers[::every]:
        _measure_one(answer, groups[answer["meant"], answer["language"]], score)
    return score


def _measure_one(answer: dict[str, Any], others: list[dict[str, Any]], score: Score) -> None:
    language, evidence = answer["language"], evidence_of(answer)
    score.answers[language] += 1
    score.tools.update({call["tool"] for call in answer["calls"]} or {"search_articles"})
    start = time.perf_counter()
    verified = verify(answer["answer"], evidence, language)
    score.verify_ms.append(1000 * (time.perf_counter() - start))
    if not verified.ok or answer["warnings"]:
        score.alarms[language] += 1
        score.false.append(
            (answer["question"], str([(item.text, item.why) for item in verified.unbound] or answer["warnings"]))
        )
        return
    for kind, texts in _chosen(answer, others).items():
        for text in texts:
            score.made[kind, language] += 1
            if verify(text, evidence, language).ok:
                score.missed.append((kind, answer["question"], _changed(answer["answer"], text), answer["meant"]))
            else:
                score.caught[kind, language] += 1


def _chosen(answer: dict[str, Any], others: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Take a few mutants of each kind, the same ones in every run."""
    made: dict[str, list[str]] = defaultdict(list)
    for mutant in mutants(answer, others, answer["question"]):
        made[mutant.kind].append(mutant.text)
    chance = random.Random(answer["question"])
    return {kind: chance.sample(texts, min(MUTANTS_PER_ANSWER_AND_KIND, len(texts))) for kind, texts in made.items()}


def _changed(right: str, wrong: str) -> str:
    """Show the place of the change."""
    at = next((index for index, (one, other) in enumerate(zip(right, wrong, strict=False)) if one != other), len(right))
    return f"…{right[max(0, at - 40) : at + 30]!r} -> {wrong[max(0, at - 12) : at + 30]!r}"


def table(score: Score) -> str:
    """Return the result as a table by kind and language."""
    lines = ["| kind | English | Chinese | all |", "|---|---|---|---|"]
    kinds = list(dict.fromkeys(kind for kind, _ in score.made))
    for kind in kinds:
        cells = [f"{score.caught[kind, language]} / {score.made[kind, language]}" for language in LANGUAGES]
        lines.append(f"| {kind} | {' | '.join(cells)} | {_share(score, [kind], LANGUAGES)} |")
    totals = [_share(score, kinds, [language]) for language in LANGUAGES]
    lines.append(f"| **all mutants caught** | {' | '.join(totals)} | {_share(score, kinds, LANGUAGES)} |")
    alarms = [f"{score.alarms[language]} / {score.answers[language]}" for language in LANGUAGES]
    lines.append(
        f"| **false alarms** | {' | '.join(alarms)} | {sum(score.alarms.values())} / {sum(score.answers.values())} |"
    )
    return "\n".join(lines)


def _share(score: Score, kinds: Iterable[str], languages: Iterable[str]) -> str:
    keys = [(kind, language) for kind in kinds for language in languages]
    caught, made = sum(score.caught[key] for key in keys), sum(score.made[key] for key in keys)
    return f"{caught} / {made} ({100 * caught / made:.2f} %)" if made else "-"


def main() -> int:
    """Print the table, write the report; 1 if a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take each so-many-th answer only")
    parser.add_argument("--missed", action="store_true", help="list what was missed and what was a false alarm")
    parser.add_argument("--cache", type=Path, help="file of right answers, made if it is not there")
    options = parser.parse_args()
    score = measure(_cached(options.cache), options.every)
    told = report(score)
    print(told)
    if options.every == 1:
        REPORT.write_text(f"{_HEAD}\n{told}\n", "utf-8")
    if options.missed:
        for row in score.missed:
            print("missed", *row, sep="\n   ")
        for row in score.false:
            print("false alarm", *row, sep="\n   ")
    return 0 if reached(score) else 1


def report(score: Score) -> str:
    """Return the table with what it was measured on."""
    tools = ", ".join(f"{tool} {count}" for tool, count in sorted(score.tools.items()))
    return f"{table(score)}\n\nRight answers by tool: {tools}."


def reached(score: Score) -> bool:
    """Whether every digit, unit and entity mutant, 99.5 % of all, and no more than 1 % of the right answers were refused."""
    made, caught = sum(score.made.values()), sum(score.caught.values())
    surely = all(score.caught[key] == count for key, count in score.made.items() if key[0] in MUST_CATCH)
    return (
        surely
        and caught >= LEAST_CAUGHT * made
        and sum(score.alarms.values()) <= MOST_ALARMS * sum(score.answers.values())
    )


def _cached(file: Path | None) -> list[dict[str, Any]]:
    if file and file.is_file():
        return cast(list[dict[str, Any]], json.loads(file.read_text("utf-8")))
    answers = asyncio.run(right_answers(PER_TEMPLATE))
    if file:
        file.write_text(json.dumps(answers, ensure_ascii=False), "utf-8")
    return answers


if __name__ == "__main__":
    sys.exit(main())
