"""From judgements to the table: shares, F1, precision and recall, per set, category and language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import median, quantiles

from assistant.evaluation.golden import Row
from assistant.evaluation.judge import VERDICTS, Judgement
from tools.api import Json

# An answer that is right in part counts half.
PARTLY = 0.5


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answer of one epoch, judged.

    Attributes:
        row: The golden question.
        epoch: Which of the tries, from 1.
        answer: The answer in the form of the public contract.
        judgement: What it is worth.
        seconds: How long the last turn took.
        input_tokens: Tokens that the model read, 0 for the built-in one.
        output_tokens: Tokens that it wrote.
    """

    row: Row
    epoch: int
    answer: Mapping[str, Json]
    judgement: Judgement
    seconds: float
    input_tokens: int = 0
    output_tokens: int = 0

    def to_dict(self) -> dict[str, Json]:
        """Return plain JSON."""
        return {
            "row": self.row.to_dict(),
            "epoch": self.epoch,
            "answer": dict(self.answer),
            "judgement": asdict(self.judgement),
            "seconds": self.seconds,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
        }


def summary(outcomes: Sequence[Outcome], usd_per_million: tuple[float, float] = (0.0, 0.0)) -> dict[str, Json]:
    """Return every score of a run.

    Args:
        outcomes: All answers of all epochs.
        usd_per_million: What a million tokens cost, read and written. [USD/1M tokens]
    """
    read, written = sum(item.input_tokens for item in outcomes), sum(item.output_tokens for item in outcomes)
    languages = by(outcomes, lambda item: item.row.lang)
    shares = [counts["right_share"] for counts in languages.values()]
    seconds = [item.seconds for item in outcomes] or [0.0]
    return {
        "all": verdicts(outcomes),
        "sets": by(outcomes, lambda item: item.row.group),
        "categories": by(outcomes, lambda item: item.row.category or "-"),
        "languages": languages,
        "held_out": verdicts([item for item in outcomes if item.row.held_out]),
        "language_gap": max(shares) - min(shares) if len(shares) > 1 else 0.0,
        "tool_call_f1": _f1(outcomes),
        "argument_exactness": _share(outcomes, "arguments_right", "arguments_expected"),
        "number_precision": _share(outcomes, "bound", "numbers"),
        "number_recall": _share(outcomes, "stated", "expected"),
        "citation_precision": _share(outcomes, "cited_right", "cited"),
        "citation_recall": _share(outcomes, "cited_right", "cited_expected"),
        "pass_hat_k": pass_hat_k(outcomes),
        "epochs": max((item.epoch for item in outcomes), default=0),
        "seconds_median": median(seconds),
        "seconds_p95": quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0],
        "input_tokens": read,
        "output_tokens": written,
        "cost_usd": (read * usd_per_million[0] + written * usd_per_million[1]) / 1e6,
    }


def verdicts(outcomes: Sequence[Outcome]) -> dict[str, Json]:
    """Count verdicts; `right_share` counts what is right in part by half."""
    found: dict[str, Json] = {
        verdict: sum(item.judgement.verdict == verdict for item in outcomes) for verdict in VERDICTS
    }
    worth = found["right"] + PARTLY * found["partly"]
    return {"count": len(outcomes), **found, "right_share": worth / len(outcomes) if outcomes else 0.0}


def by(outcomes: Iterable[Outcome], key: Callable[[Outcome], str]) -> dict[str, dict[str, Json]]:
    """Count verdicts per group."""
    groups: defaultdict[str, list[Outcome]] = defaultdict(list)
    for item in outcomes:
        groups[key(item)].append(item)
    return {name: verdicts(groups[name]) for name in sorted(groups)}


def pass_hat_k(outcomes: Iterable[Outcome]) -> float:
    """Return the share of questions that are right in every epoch."""
    right: defaultdict[str, list[bool]] = defaultdict(list)
    for item in outcomes:
        right[item.row.id].append(item.judgement.verdict == "right")
    return sum(all(tries) for tries in right.values()) / len(right) if right else 0.0


def _share(outcomes: Sequence[Outcome], part: str, whole: str) -> float | None:
    total = sum(getattr(item.judgement, whole) for item in outcomes)
    return sum(getattr(item.judgement, part) for item in outcomes) / total if total else None


def _f1(outcomes: Sequence[Outcome]) -> float | None:
    precision, recall = _share(outcomes, "calls_right", "calls_made"), _share(outcomes, "calls_right", "calls_expected")
    if precision is None or recall is None or precision + recall == 0:
        return None
    return 2 * precision * recall / (precision + recall)
