"""What could be computed from what a message holds, when no rule is sure what it asks.

Only tools whose needs the message meets are offered, and they are only offered: similarity of meaning orders them,
it never chooses. The embedding is loaded here alone, so that a question the rules understand does not pay for it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from assistant.builtin.frames import Frame, frames
from assistant.builtin.options import card_arguments, choices
from assistant.builtin.rank import met
from assistant.builtin.reading import Reading
from assistant.builtin.slots import fill
from tools.api import Json

if TYPE_CHECKING:
    from knowledge.embedding import Vectors

MOST_OFFERS = 3


def can_compute(reading: Reading) -> str:
    """Return a sentence that asks for the one thing to work out, naming what the message has enough for."""
    offers = [frame.offer[reading.language] for frame in offered(reading)[:MOST_OFFERS]]
    if reading.language == "zh":
        if offers:
            return f"就你给的内容，我能算：{'；'.join(offers)}。要算哪个？都不是的话，用一句话告诉我。"
        return "用一句话告诉我要算什么，例如“要多少显存”“要多少瓦”“多久回本”。"
    if offers:
        return f"From what you gave I can work out: {'; '.join(offers)}. Which is it? If none, tell me in one sentence."
    return (
        "Tell me in one sentence what you want to know, such as how much memory, how many watts, or when it pays off."
    )


def offered(reading: Reading) -> list[Frame]:
    """Return the tools that a message has enough for, the one nearest in meaning first."""
    able = [frame for frame in frames().values() if frame.offer and frame.needs and _able(frame, reading)]
    if len(able) < 2:
        return able
    asked = _vector(reading.text[:400])
    return sorted(able, key=lambda frame: -float(np.dot(asked, _offer(frame.offer[reading.language]))))


def _able(frame: Frame, reading: Reading) -> bool:
    filled: dict[str, Json] = {**fill(frame, reading.text, reading.quantities), **choices(frame, reading)}
    filled.update(card_arguments(frame, reading, dict(filled)))
    return all(met(need, reading, filled) for need in frame.needs)


def _vector(text: str) -> Vectors:
    # Half a second to import, which a question that the rules understand must not pay.
    from knowledge.embedding import BuiltInEmbedder

    return BuiltInEmbedder().query(text)


@cache
def _offer(text: str) -> Vectors:
    return _vector(text)
