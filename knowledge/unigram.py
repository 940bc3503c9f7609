"""Cut a text into the pieces of a vocabulary: the most probable way to write it (unigram model, Kudo 2018)."""

from __future__ import annotations

import re
from itertools import pairwise

from knowledge.e5_file import Vocabulary

# A character of no piece is worse than the worst piece by this, as in SentencePiece.
UNKNOWN_PENALTY = 10.0
_SPACES = re.compile(" {2,}")


class Tokenizer:
    """Texts to numbers of pieces."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._known = vocabulary
        self._longest = max(map(len, vocabulary.pieces))
        self._unknown_score = min(vocabulary.scores) - UNKNOWN_PENALTY

    def windows(self, text: str, longest: int) -> list[list[int]]:
        """Return the pieces of a text in windows of at most `longest`, each between its two signs."""
        pieces = self._cut(text)
        inside = longest - 2
        bounds = [*range(0, len(pieces), inside), len(pieces)]
        return [[self._known.begin, *pieces[start:end], self._known.end] for start, end in pairwise(bounds)]

    def _cut(self, text: str) -> list[int]:
        """Return the pieces of the most probable cut: the best way to each place, by the best ways before it."""
        known, scores, longest, unknown = self._known.pieces, self._known.scores, self._longest, self._known.unknown
        plain = _SPACES.sub(" ", text.translate(self._known.replaced))
        if not plain.startswith(" "):
            plain = f" {plain}"
        signs = [sign.encode(errors="replace") for sign in plain.replace(" ", "▁")]
        best = [0.0] + [float("-inf")] * len(signs)
        came: list[tuple[int, int]] = [(0, unknown)] * (len(signs) + 1)
        for start in range(len(signs)):
            so_far = best[start]
            piece = b""
            for end in range(start, len(signs)):
                piece += signs[end]
                if len(piece) > longest:
                    break
                number = known.get(piece)
                if number is not None and so_far + scores[number] > best[end + 1]:
                    best[end + 1] = so_far + scores[number]
                    came[end + 1] = (start, number)
            if so_far + self._unknown_score > best[start + 1]:
                best[start + 1] = so_far + self._unknown_score
                came[start + 1] = (start, unknown)
        found: list[int] = []
        place = len(signs)
        while place:
            place, number = came[place]
            found.append(number)
        return found[::-1]
