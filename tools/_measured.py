"""What was measured: a compact table of facts, used before any model when card and workload are the same."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from tools._result import Source


@dataclass(frozen=True, slots=True)
class Fact:
    """One measured figure: the median of `count` runs.

    Attributes:
        gpu: Card as the catalogue names it.
        workload: "decode", "prefill" or a network of the training benchmark.
        model: Model, or "" for training.
        stored: Weight format, or the precision of training.
        software: "2025" or "2024-05" for llama.cpp; "v0" to "v2" for training.
        amount: Tokens written or read, or the batch of training.
        value: Tokens or samples per second.
        unit: Unit of the value.
        count: Runs behind the median.
        source: Where it was published.
    """

    gpu: str
    workload: str
    model: str
    stored: str
    software: str
    amount: int
    value: float
    unit: str
    count: int
    source: Source


@cache
def facts() -> dict[tuple[str, str, str, str], tuple[Fact, ...]]:
    """Return all facts by card, workload, model and format."""
    found: dict[tuple[str, str, str, str], list[Fact]] = {}
    with (files("tools") / "data" / "measurements.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            fact = Fact(
                row["gpu"],
                row["workload"],
                row["model"],
                row["stored"],
                row["software"],
                int(row["amount"]),
                float(row["value"]),
                row["unit"],
                int(row["count"]),
                Source(row["source"], row["url"], row["date"]),
            )
            found.setdefault((fact.gpu, fact.workload, fact.model, fact.stored), []).append(fact)
    return {key: tuple(rows) for key, rows in found.items()}


def language_fact(gpu: str, workload: str, model: str, weight_format: str) -> Fact | None:
    """Return the newest rate of a card with a model and a format."""
    return max(facts().get((gpu, workload, model, weight_format), ()), key=lambda fact: fact.software, default=None)


def stands_for(fact: Fact, tokens: int) -> bool:
    """Whether a measurement answers for a length: from half to twice its own, with the software of today."""
    return fact.software == "2025" and fact.amount <= 2 * tokens <= 4 * fact.amount


def training_fact(gpu: str, network: str, precision: str, software: str) -> Fact | None:
    """Return the measured rate of one card on a network."""
    return next((fact for fact in facts().get((gpu, network, "", precision), ()) if fact.software == software), None)
