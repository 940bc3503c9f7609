"""A message that changes one thing of the question before, where that was answered by a sum: it is asked anew, changed.

Tools keep their arguments from turn to turn; a sum keeps none, but the question it came from is still there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.builtin.condense import condensed
from assistant.builtin.follow import goes_on
from assistant.builtin.reading import Reading, read
from assistant.numerals import Numeral

_LONGEST = 40
# "Make it 12 hours" after so many hours a day.
_LIKE = {"h": ("h", "h/day", "h/week"), "": ("", "cards", "x"), "cards": ("cards", "", "x")}


def latest(questions: Sequence[str]) -> Reading:
    """Return the question that a conversation has come to, with what its later messages changed.

    Args:
        questions: What the person said, oldest first.
    """
    kept = [read(condensed(text)) for text in questions[-_MOST:]]
    question = kept[0]
    for reading in kept[1:]:
        question = changed(question, reading) or reading
    return question


def _in_place_of(old: Numeral, new: Numeral) -> str:
    """Write a figure where another stood; a bare span keeps "a day" of the one before."""
    if old.unit == new.unit or not _DIGITS.search(old.text):
        return new.text.strip()
    return _DIGITS.sub(f"{new.raw:g}", old.text, count=1)


_DIGITS = re.compile(r"\d[\d.,]*")
# How far back a question may lie. [messages]
_MOST = 4


def changed(earlier: Reading, reading: Reading) -> Reading | None:
    """Return the earlier question with what the message replaces in it, None if it replaces nothing.

    Args:
        earlier: The question before.
        reading: The message.
    """
    if len(reading.text) > _LONGEST or not goes_on(reading.text):
        return None
    pieces: list[tuple[int, int, str]] = []
    if len(reading.quantities) == 1:
        new = reading.quantities[0]
        like = _LIKE.get(new.unit, (new.unit,))
        same = [item for item in earlier.quantities if item.unit in like]
        if len(same) != 1:
            return None
        pieces.append((same[0].start, same[0].end, _in_place_of(same[0], new)))
    if len(reading.cards) == 1 and len(earlier.cards) == 1:
        pieces.append((earlier.cards[0].start, earlier.cards[0].end, reading.cards[0].text))
    text = earlier.text
    for start, end, new in sorted(pieces, reverse=True):
        text = f"{text[:start]}{new}{text[end:]}"
    return read(text) if pieces else None
