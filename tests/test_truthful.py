"""What a truthful model writes is shown unchanged; with one thing made wrong it is not."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from assistant.evidence import language_of
from assistant.grounding import Evidence, Verified, verify
from tests.golden.truthful import DRAFTS, RESULTS
from tests.scripted import Scripted, call, talk
from tools.api import Json

LEAST_SHOWN = 98


# What the tools returned when the drafts were written: they stay true of these whatever is calibrated anew.
KEPT = Path(__file__).parent / "golden" / "truthful_results.json"


@cache
def results() -> dict[str, dict[str, Json]]:
    return json.loads(KEPT.read_text("utf-8"))


def result(name: str) -> dict[str, Json]:
    return results()[name]


def proved(names: tuple[str, ...], question: str, draft: str) -> Verified:
    evidence = Evidence({f"r{at}": result(name) for at, name in enumerate(names, 1)}, {}, (question,))
    return verify(draft, evidence, language_of(question))


def test_a_hundred_truthful_drafts_are_shown_unchanged() -> None:
    refused = [
        (draft, verified.unbound)
        for names, question, draft in DRAFTS
        if not (verified := proved(names, question, draft)).ok
    ]
    for draft, unbound in refused:
        print(draft, unbound)
    print(f"{len(DRAFTS) - len(refused)} of {len(DRAFTS)} shown, {100 * len(refused) / len(DRAFTS):.1f} % fall back")
    assert len(DRAFTS) >= 100
    assert len(DRAFTS) - len(refused) >= LEAST_SHOWN


def test_the_same_drafts_with_one_digit_changed_are_refused() -> None:
    made, missed = 0, []
    for names, question, draft in DRAFTS:
        shown = proved(names, question, draft)
        for number in shown.numbers if shown.ok else ():
            for hit in re.finditer(r"\d", number.text) if number.kind == "tool" else ():
                at = number.start + hit.start()
                wrong = shown.text[:at] + str((int(hit[0]) + 3) % 10) + shown.text[at + 1 :]
                made += 1
                if proved(names, question, wrong).ok:
                    missed.append((shown.text[max(0, at - 30) : at + 12], wrong[max(0, at - 30) : at + 12]))
    print(f"{made - len(missed)} of {made} caught")
    for row in missed:
        print(row)
    assert made > 400
    assert len(missed) <= made // 100


async def test_through_the_agent_a_truthful_model_is_shown_as_it_is() -> None:
    for names, question, draft in DRAFTS[:5]:
        calls = [call(*RESULTS[name], f"c{at}") for at, name in enumerate(names)]
        _, answers = await talk(Scripted(steps=[*calls, draft]), question)
        assert answers[-1].answer == proved(names, question, draft).text
        assert not answers[-1].warnings
