"""Which tool a question speaks for: the cues of each, what it needs and finds, what it has no use for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assistant.builtin.frames import Frame, frames
from assistant.builtin.options import card_arguments, choices
from assistant.builtin.origins import can_be_worked_out
from assistant.builtin.reading import Reading
from assistant.builtin.slots import fill
from tools.api import Json

# Below this no rule is sure enough to compute; the articles are asked instead.
SURE = 3.0
# How much the sentences beside the question count.
OF_FACTS = 0.35
# What a tool loses that has no use for the model that a question names.
NO_MODEL = 2.5


@dataclass(frozen=True, slots=True)
class Wanted:
    """A tool that a question may be about."""

    frame: Frame
    score: float


def rank(reading: Reading, asked: str = "") -> list[Wanted]:
    """Order the tools by how much of the question speaks for them.

    A tool whose needs the question meets gains; one that needs a card or a model that nobody named loses.

    Args:
        reading: What the message holds.
        asked: The sentence that asks, if the message holds others; what those say counts less.
    """
    ranked: list[Wanted] = []
    for frame in frames().values():
        score = _score(frame, reading.text, asked)
        if score > 0:
            quantities = fill(frame, reading.text, reading.quantities)
            score += 0.6 * len(quantities)
            filled: dict[str, Json] = {**frame.defaults, **quantities, **choices(frame, reading)}
            filled.update(card_arguments(frame, reading, dict(filled)))
            there = sum(_given(frame, need, reading, filled) for need in frame.needs)
            score += 0.5 * there - 1.0 * (len(frame.needs) - there)
            # BERT is a model to one tool and a network to another.
            takes = frame.model or any(frames()[origin.tool].model for origin in frame.origins.values())
            score -= NO_MODEL * (bool(reading.models) and not takes and "network" not in filled)
            ranked.append(Wanted(frame, score))
    return sorted(ranked, key=lambda wanted: -wanted.score)


def _score(frame: Frame, text: str, asked: str) -> float:
    if not asked:
        return frame.score(text)
    return (1 - OF_FACTS) * frame.score(asked) + OF_FACTS * frame.score(text)


def _given(frame: Frame, need: str, reading: Reading, filled: Mapping[str, Json]) -> bool:
    """Whether a message gives a need, or what another tool needs to work it out."""
    return met(need, reading, filled) or can_be_worked_out(
        frame, need, lambda part: met(part, reading, {**filled, **_told(frame, need, reading)})
    )


def _told(frame: Frame, need: str, reading: Reading) -> dict[str, float]:
    return fill(frames()[frame.origins[need].tool], reading.text, reading.quantities)


def met(need: str, reading: Reading, filled: Mapping[str, Json]) -> bool:
    """Whether a message gives what a tool cannot do without; "a|b" means one of them."""
    if "|" in need:
        return any(met(part, reading, filled) for part in need.split("|"))
    if need in ("cards", "card", "gpu", "gpus"):
        return bool(reading.cards)
    if need == "model":
        return bool(reading.models)
    return need in filled
