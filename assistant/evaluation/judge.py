"""Judge one answer against its golden row.

Right: everything expected is stated, bound and cited, nothing forbidden is said. Partly: a part of it is stated and
the answer itself says what it leaves open. Wrong: a shown answer misses or contradicts what is expected, or holds a
number that is not bound. Asked back and refused show no answer, so they can be of no use but never wrong; they
are right where the row expects them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from assistant.evaluation.golden import Row
from assistant.units import measured
from tools.api import Json, is_array, is_object

Verdict = Literal["right", "partly", "asked back", "refused", "wrong"]
VERDICTS: tuple[Verdict, ...] = ("right", "partly", "asked back", "refused", "wrong")
# A share is written as 0.15, 15 % or 0.15x.
_SHARES = {"%": 0.01, "fraction": 1.0, "x": 1.0}
# Units of the golden files that the tools write otherwise.
_OTHER = {"TB/s": ("GB/s", 1e3), "PFLOPS": ("TFLOPS", 1e3), "MB": ("GB", 1e-3), "KiB": ("GB", 1.024e-6)}
# Without a unit any usual scale of the same quantity will do.
_ANY_SCALE = {
    "%": (1.0, 0.01),
    "x": (1.0, 100.0),
    "GB/s": (1.0, 1e-3),
    "TFLOPS": (1.0, 1e-3),
    "GB": (1.0, 1e-3),
    "fraction": (1.0, 100.0),
}
_OPENLY_LEFT = re.compile(r"not worked out|left open|没有算|还没回答", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its reasons and the measures behind it.

    Attributes:
        verdict: What the answer is.
        missing: What it should have held, in words for the report.
        stated: How many expected figures it states.
        expected: How many there are.
        bound: How many of its numbers are bound.
        numbers: How many numbers it has.
        calls_right: Expected calls that were made.
        calls_made: Calls that were made.
        calls_expected: Calls that were expected.
        arguments_right: Expected arguments of those calls that are exact.
        arguments_expected: Arguments of those calls.
        cited_right: Expected articles that are cited.
        cited: Articles that are cited.
        cited_expected: Articles that were expected.
    """

    verdict: Verdict
    missing: tuple[str, ...] = ()
    stated: int = 0
    expected: int = 0
    bound: int = 0
    numbers: int = 0
    calls_right: int = 0
    calls_made: int = 0
    calls_expected: int = 0
    arguments_right: int = 0
    arguments_expected: int = 0
    cited_right: int = 0
    cited: int = 0
    cited_expected: int = 0


def judge(row: Row, answer: Mapping[str, Json]) -> Judgement:
    """Judge an answer in the form of the public contract."""
    unstated = [_shown(must) for must in row.must_state if not states(answer, must)]
    unbound = _unbound(answer)
    missing = [
        *unstated,
        *(f"says /{word}/" for word in row.must_say if not _found(word, answer)),
        *(f"cites {article}" for article in _uncited(row, answer)),
        *(f"calls {call['tool']}" for call in row.must_call if _match(call, answer["calls"]) is None),
        *(f"must not say /{word}/" for word in row.must_not if _found(word, answer)),
        *(f"unbound {text}" for text in unbound),
    ]
    cited = {passage["article"] for passage in answer["citations"]}
    calls = _call_measures(row, answer)
    numbers = len(answer["numbers"]) + len(unbound)
    return Judgement(
        verdict=_verdict(row, answer, missing, unbound),
        missing=tuple(missing),
        stated=len(row.must_state) - len(unstated),
        expected=len(row.must_state),
        bound=numbers - len(unbound),
        numbers=numbers,
        cited_right=len(cited & set(row.must_cite)),
        cited=len(cited) if row.must_cite else 0,
        cited_expected=len(set(row.must_cite)),
        **calls,
    )


def _verdict(row: Row, answer: Mapping[str, Json], missing: Sequence[str], unbound: Sequence[str]) -> Verdict:
    status = answer["status"]
    forbidden = any(_found(word, answer) for word in row.must_not)
    if unbound or (forbidden and status == "answered"):
        return "wrong"
    if status != "answered":
        meant = status in row.expect and not forbidden and (not row.asks or _found(row.asks, answer))
        return "right" if meant else ("asked back" if status == "clarify" else "refused")
    if "answered" not in row.expect:
        return "wrong"
    if not missing:
        return "right"
    some = any(states(answer, must) for must in row.must_state)
    return "partly" if some and _OPENLY_LEFT.search(answer["answer"]) else "wrong"


def states(answer: Mapping[str, Json], must: Mapping[str, Json]) -> bool:
    """Whether an answer states an expected figure as a tool's or an article's."""
    if "any_of" in must:
        return any(states(answer, other) for other in must["any_of"])
    return any(_equals(number, must) for number in answer["numbers"] if number["kind"] in ("tool", "article"))


def _equals(number: Mapping[str, Json], must: Mapping[str, Json]) -> bool:
    expected, margin = must.get("value", must.get("low")), float(must.get("abs_tolerance", 0.0))
    low, high = must.get("low", expected), must.get("high", expected)
    slack = float(must.get("rel_tolerance", 1e-9))
    low, high = abs(low) * (1 - slack) - margin, abs(high) * (1 + slack) + margin
    return any(low <= abs(value) <= high for value in _in_unit(number, str(must.get("unit", ""))))


def _in_unit(number: Mapping[str, Json], unit: str) -> list[float]:
    """Return the values that a number of an answer has in an expected unit."""
    value, own = float(number["value"]), str(number["unit"])
    if not unit:
        return [value * scale for scale in _ANY_SCALE.get(own, (1.0,))]
    if unit in _SHARES and (own in _SHARES or not own):
        return [value * _SHARES.get(own, 1.0) / _SHARES[unit]]
    (what, factor), (wanted, into) = _measure(own), _measure(unit)
    return [value * factor / into] if what == wanted else []


def _measure(unit: str) -> tuple[str, float]:
    base, factor = _OTHER.get(unit, (unit, 1.0))
    what, more = measured(base)
    return what, factor * more


def _unbound(answer: Mapping[str, Json]) -> list[str]:
    """Return the numbers of the text that the answer's list does not cover, and those without a reference."""
    spans = [(number["start"], number["start"] + len(number["text"])) for number in answer["numbers"]]
    loose = [
        hit[0]
        for hit in _NUMBER.finditer(answer["answer"])
        if not any(start <= hit.start() and hit.end() <= end for start, end in spans)
        and not _is_part_of_a_name(answer["answer"], hit)
    ]
    return [*loose, *(number["text"] for number in answer["numbers"] if not number["ref"])]


def _is_part_of_a_name(text: str, hit: re.Match[str]) -> bool:
    """A digit inside a word ("L2", "FP16", "3090s") belongs to a name; a list counts its own lines."""
    around = text[max(0, hit.start() - 1) : hit.start()] + text[hit.end() : hit.end() + 1]
    return any(sign.isalpha() and sign.isascii() for sign in around) or bool(
        re.search(r"(?:^|\n)$", text[: hit.start()])
    )


def _found(word: str, answer: Mapping[str, Json]) -> bool:
    return bool(re.search(word, answer["answer"], re.IGNORECASE))


def _uncited(row: Row, answer: Mapping[str, Json]) -> list[str]:
    cited = {passage["article"] for passage in answer["citations"]}
    return [article for article in row.must_cite if article not in cited]


def _match(expected: Mapping[str, Json], made: Sequence[Mapping[str, Json]]) -> Mapping[str, Json] | None:
    """Return the call of the same tool with the most arguments right."""
    same = [call for call in made if call["tool"] == expected["tool"]]
    return max(same, key=lambda call: _right_arguments(expected, call), default=None)


def _right_arguments(expected: Mapping[str, Json], call: Mapping[str, Json]) -> int:
    tolerance = float(expected.get("tolerance", 1e-6))
    return sum(_same(value, call["arguments"].get(name), tolerance) for name, value in expected.get("args", {}).items())


def _same(expected: Json, given: Json, tolerance: float) -> bool:
    if isinstance(expected, bool) or isinstance(given, bool):
        return expected is given
    if isinstance(expected, (int, float)) and isinstance(given, (int, float)):
        return math.isclose(expected, given, rel_tol=tolerance)
    if is_object(expected) and is_object(given):
        return expected.keys() == given.keys() and all(_same(expected[key], given[key], tolerance) for key in expected)
    if is_array(expected) and is_array(given):
        return len(expected) == len(given) and all(map(_same, expected, given, [tolerance] * len(given)))
    return str(expected).lower() == str(given).lower()


def _call_measures(row: Row, answer: Mapping[str, Json]) -> dict[str, int]:
    if not row.must_call:
        return {}
    matched = [(call, _match(call, answer["calls"])) for call in row.must_call]
    found = [(expected, call) for expected, call in matched if call is not None]
    return {
        "calls_expected": len(row.must_call),
        "calls_made": len(answer["calls"]),
        "calls_right": len(found),
        "arguments_expected": sum(len(call.get("args", {})) for call in row.must_call),
        "arguments_right": sum(_right_arguments(expected, call) for expected, call in found),
    }


def _shown(must: Mapping[str, Json]) -> str:
    if "any_of" in must:
        return " or ".join(_shown(other) for other in must["any_of"])
    figure = f"{must['low']}–{must['high']}" if "low" in must else f"{must['value']}"
    return f"{figure} {must.get('unit', '')}".strip()
