"""Word search: BM25 over words, numbers, terms of the field and pairs of Chinese characters.

The BM25 packages want ready tokens and none reads Chinese, so a tokenizer of our own would remain
either way; the formula itself takes ten lines. Terms that `data/lexicon.txt` lists become one token in
both languages, so that "power cap", "功耗墙" and "power limit" find each other.

References:
    S. Robertson, H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from knowledge.articles import Passage
from knowledge.embedding import Vectors
from knowledge.words import is_figure, is_foreign_to, tokens

# Saturation and length normalisation as Robertson and Zaragoza recommend for short texts.
K1 = 1.2
B = 0.5
# A heading names every card of its section, the paragraph the one it is about.
HEADING_WEIGHT = 0.4
# "4090" or "504" tells more than a word that is as rare.
FIGURE_WEIGHT = 1.3
# A year dates a source and says little about its subject.
YEAR_WEIGHT = 0.4
# What a word weighs that a passage in the other language cannot hold and the lexicon does not translate.
UNTRANSLATED_WEIGHT = 0.3

_YEAR = re.compile(r"20[0-3]\d")


class WordIndex:
    """BM25 over a few hundred short texts with headings."""

    def __init__(self, passages: Sequence[Passage], measured: NDArray[np.bool_]) -> None:
        """Index passages; rarity and usual length are those of the `measured` ones.

        Notes:
            Measured are the articles of the package: whatever people add cannot change how these rank.
        """
        counts = [_weighed(passage.text, passage.heading) for passage in passages]
        lengths = np.array([sum(count.values()) for count in counts], dtype=np.float32)
        norm = K1 * (1 - B + B * lengths / max(float(lengths[measured].mean()), 1.0)) if measured.any() else lengths
        rows: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, count in enumerate(counts):
            for token, times in count.items():
                rows[token].append((place, times))
        self._size = int(measured.sum())
        self._rows_in_all = len(counts)
        self._of_language = {
            name: np.array([passage.language == name for passage in passages], dtype=bool)
            for name in sorted({passage.language for passage in passages})
        }
        self._weights = {
            token: self._weight(token, sum(bool(measured[place]) for place, _ in entries))
            for token, entries in rows.items()
        }
        self._rows: dict[str, tuple[NDArray[np.intp], Vectors]] = {}
        for token, entries in rows.items():
            places = np.array([place for place, _ in entries], dtype=np.intp)
            times = np.array([times for _, times in entries], dtype=np.float32)
            self._rows[token] = (places, (times / (times + norm[places])).astype(np.float32))

    def coverage(self, query: str) -> Vectors:
        """Return for each text how much of the query's information it holds, 0 to 1.

        Notes:
            BM25 divided by its highest possible value for this query, words that no text holds included,
            so that queries of any length compare.
        """
        scores = np.zeros(self._rows_in_all, dtype=np.float32)
        wanted = {token: self._weights.get(token, self._weight(token, 0)) for token in dict.fromkeys(tokens(query))}
        for token, weight in wanted.items():
            if token in self._rows:
                places, shares = self._rows[token]
                scores[places] += np.float32(weight) * shares
        for language, rows in self._of_language.items():
            total = sum(
                weight * (UNTRANSLATED_WEIGHT if is_foreign_to(token, language) else 1.0)
                for token, weight in wanted.items()
            )
            scores[rows] /= np.float32(max(total, 1e-6))
        return np.minimum(scores, np.float32(1.0))

    def _weight(self, token: str, holding: int) -> float:
        rarity = math.log(1 + (self._size - holding + 0.5) / (holding + 0.5))
        return rarity * (YEAR_WEIGHT if _YEAR.fullmatch(token) else FIGURE_WEIGHT if is_figure(token) else 1.0)


def _weighed(text: str, heading: str) -> dict[str, float]:
    counts: dict[str, float] = defaultdict(float)
    for token in tokens(text):
        counts[token] += 1
    for token in tokens(heading):
        counts[token] += HEADING_WEIGHT
    return counts
