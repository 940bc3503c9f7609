"""Cut a text into the pieces of a vocabulary: the most probable way to write it (unigram model, Kudo 2018)."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

from knowledge.e5_file import Vocabulary

# A character of no piece is worse than the worst piece by this, as in SentencePiece.
UNKNOWN_PENALTY = 10.0
_SPACES = re.compile(" {2,}")


class Tokenizer:
    """Texts to numbers of pieces."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._words = vocabulary
        self._pieces = _Pieces(vocabulary)
        self._longest = int(np.diff(vocabulary.ends).max())
        self._unknown_score = float(vocabulary.scores.min()) - UNKNOWN_PENALTY

    def windows(self, text: str, longest: int) -> list[list[int]]:
        """Return the pieces of a text in windows of at most `longest`, each between its two signs."""
        pieces = self._cut(text)
        inside = longest - 2
        bounds = [*range(0, len(pieces), inside), len(pieces)]
        return [[self._words.begin, *pieces[start:end], self._words.end] for start, end in pairwise(bounds)]

    def _cut(self, text: str) -> list[int]:
        """Return the pieces of the most probable cut: the best way to each place, by the best ways before it."""
        longest, unknown = self._longest, self._words.unknown
        plain = _SPACES.sub(" ", text.translate(self._words.replaced))
        if not plain.startswith(" "):
            plain = f" {plain}"
        signs = [sign.encode(errors="replace") for sign in plain.replace(" ", "▁")]
        known = self._pieces.made_of(b"".join(signs))
        best = [0.0] + [float("-inf")] * len(signs)
        came: list[tuple[int, int]] = [(0, unknown)] * (len(signs) + 1)
        for start in range(len(signs)):
            so_far = best[start]
            piece = b""
            for end in range(start, len(signs)):
                piece += signs[end]
                if len(piece) > longest:
                    break
                found = known.get(piece)
                if found and so_far + found[1] > best[end + 1]:
                    best[end + 1] = so_far + found[1]
                    came[end + 1] = (start, found[0])
            if so_far + self._unknown_score > best[start + 1]:
                best[start + 1] = so_far + self._unknown_score
                came[start + 1] = (start, unknown)
        numbers: list[int] = []
        place = len(signs)
        while place:
            place, number = came[place]
            numbers.append(number)
        return numbers[::-1]


class _Pieces:
    """The pieces that a text can be made of: a first question shall not wait for all 250,000."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._words = vocabulary
        self._bytes = np.zeros(256, dtype=bool)
        self._there = np.zeros(len(vocabulary.scores), dtype=bool)
        self._there[vocabulary.unknown] = True  # no text is to be read as this sign
        self._known: dict[bytes, tuple[int, float]] = {}

    def made_of(self, text: bytes) -> dict[bytes, tuple[int, float]]:
        """Return number and score of every piece that has no other bytes than a text, and of some more."""
        seen = self._bytes.copy()
        seen[np.frombuffer(text, dtype=np.uint8)] = True
        if (seen != self._bytes).any():
            words, whole = self._words, self._words.text.tobytes()
            fits = np.logical_and.reduceat(seen[words.text], words.ends[:-1])
            for number in np.flatnonzero(fits & ~self._there).tolist():
                piece = whole[words.ends[number] : words.ends[number + 1]]
                self._known[piece] = (number, float(words.scores[number]))
            self._there |= fits
            self._bytes = seen  # last: another thread may ask meanwhile
        return self._known
