"""A short run of `make guard`: right answers pass, wrong ones made from them do not, and it takes no time."""

from __future__ import annotations

import copy
import statistics
import time

from assistant.builtin.fallback import say_outcome
from assistant.grounding import Evidence, verify
from assistant.toolbox import SEARCH, outcome
from scripts.guard import measure, reached, report, right_answers
from tests.arguments import ARGUMENTS
from tools.api import Json, get_tool

# One verification of 300 words over 20 results, on a machine that does nothing else. [ms]
TARGET_MS = 5.0
# The same when all twenty are new at once; a turn brings one to four. [ms]
FIRST_MS = 30.0
# Other tests and builds share the cores; only a gross slip fails here.
SLACK = 10


async def test_wrong_answers_are_caught_and_right_ones_are_not() -> None:
    answers = await right_answers(1)
    score = measure(answers, 3)
    print(report(score))
    assert {answer["language"] for answer in answers} == {"en", "zh"}
    assert sum(score.made.values()) > 200
    assert reached(score), (score.missed, score.false)


def three_hundred_words() -> tuple[str, Evidence]:
    """An answer of three hundred words and the twenty results that it stands on."""
    results: dict[str, dict[str, Json]] = {}
    said: list[str] = []
    names = [name for name in ARGUMENTS if name != SEARCH][:20]
    for at, name in enumerate(names, 1):
        results[f"r{at}"] = {"id": f"r{at}", **outcome(get_tool(name), ARGUMENTS[name])}
        said.append(say_outcome(f"r{at}", results[f"r{at}"], "en"))
    evidence = Evidence(results, {}, ("?",))
    text, words = "", 0
    for draft in said[3:]:
        text += verify(draft, evidence, "en").text + "\n\n"
        words = len(text.split())
        if words >= 300:
            break
    return text, evidence


def verify_ms(text: str, evidence: Evidence, rounds: int, *, new: bool) -> list[float]:
    """Time verifications; `new` gives each its own copy of the results, so that nothing about them is known yet."""
    took: list[float] = []
    for _ in range(rounds):
        results = copy.deepcopy(dict(evidence.results)) if new else evidence.results
        fresh = Evidence(results, {}, evidence.user)
        start = time.process_time()
        assert verify(text, fresh, "en").ok
        took.append(1000 * (time.process_time() - start))
    return took


def test_verifying_takes_little_time() -> None:
    text, evidence = three_hundred_words()
    first, again = verify_ms(text, evidence, 5, new=True), verify_ms(text, evidence, 20, new=False)
    for what, took in (("results seen for the first time", first), ("results known", again)):
        print(
            f"{len(text.split())} words, {len(evidence.results)} results, {what}:"
            f" median {statistics.median(took):.1f} ms, best {min(took):.1f} ms"
        )
    assert min(again) < TARGET_MS * SLACK
    assert min(first) < FIRST_MS * SLACK
