"""Rank the passages of an index for a question, and say which of them are about it at all.

Two readings are joined: how much closer a passage is in meaning than unrelated questions come to it
(`background`), and how much of the question's words it holds (`lexical`). A translation is a second,
independent reading of the same passage. What people have added stands behind the articles of the
package: see `_behind_our_articles`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from knowledge.articles import Passage, language_of
from knowledge.background import Chance
from knowledge.embedding import Embedder, Vectors
from knowledge.lexical import WordIndex
from knowledge.store import Index
from knowledge.words import field_terms, is_figure, tokens

# evidence = MEANING x deviations above chance + WORDS x share of words found + TOPIC x signs of the field - CUT
# Chosen on the tuning half of tests/golden/retrieval.jsonl and the golden claims; docs/decisions/0007-knowledge.md.
MEANING = 1.0
WORDS = 10.0
# One term of the field may stand in a question by chance, two hardly do.
TOPIC = 1.5
MOST_SIGNS = 2
CUT = 3.14
# Beside a relevant passage, one this far below the cut is still worth showing.
FOLLOWING = 1.5
# Five passages of one section say less than five of several: each earlier one of its section costs a passage this.
SIBLING = 0.5
# Weight of the reading in the question's own language against that of the translation.
OWN_LANGUAGE = 0.5
# So far above the cut an article of the package answers the question; what people added then stands behind it.
SURE = 2.0

_QUANTITY = re.compile(r"\d\s?(?:gi?b|mb|tb|kw|kwh|w|tflops|gbit)\b|\b[a-z]{1,2}\d{2,4}\b", re.IGNORECASE | re.ASCII)

Evidence = NDArray[np.float32]


@dataclass(frozen=True)
class Group:
    """A passage with its translations: place in the index by language, and where it comes from."""

    places: dict[str, int]
    built_in: bool


class Ranker:
    """An index in memory. A few thousand vectors: one product finds the nearest exactly, within a millisecond."""

    def __init__(self, index: Index, embedder: Embedder) -> None:
        self.passages = index.passages
        self.groups = _groups(index)
        self._vectors = index.vectors
        self._embedder = embedder
        ours = _built_in(index)
        measured = np.array([passage.article in ours for passage in index.passages], dtype=bool)
        self._words = WordIndex(index.passages, measured)
        self._scales = {name: _scale(index.passages, index.manifest.chance, name) for name in ("zh", "en")}
        self._pairs = {own: _pairs(self.groups, own) for own in ("zh", "en")}
        self._added = np.array([not group.built_in for group in self.groups], dtype=bool)
        known = [p for p, own in zip(index.passages, measured, strict=True) if own]
        self._known = {token for passage in known for token in tokens(passage.context)}
        self._names = field_terms() | {
            token
            for passage in known
            if passage.language == "zh"
            for token in tokens(passage.text)
            if (token.isascii() and token.isalpha() and len(token) > 1) or (is_figure(token) and len(token) > 3)
        }

    def evidence(self, query: str) -> Evidence:
        """Return the log-odds that each group is about the query; above 0 it is relevant by itself."""
        own = language_of(query)
        level, spread = self._scales[own]
        meaning = (self._vectors @ self._embedder.query(query) - level) / spread
        words = self._words.coverage(query)
        near, far = self._pairs[own]
        blend = OWN_LANGUAGE * meaning[near] + (1 - OWN_LANGUAGE) * meaning[far]
        found = MEANING * blend + WORDS * np.maximum(words[near], words[far]) + TOPIC * self._signs(query) - CUT
        return self._behind_our_articles(query, found.astype(np.float32))

    def order(self, evidence: Evidence) -> list[int]:
        """Return the groups worth showing, best first; none when not even the best is about the question."""
        if not len(evidence) or float(evidence.max()) < 0:
            return []
        seen: dict[tuple[str, str], int] = {}
        ranked: list[tuple[float, int]] = []
        for place in map(int, np.argsort(-evidence, kind="stable")):
            if evidence[place] < -FOLLOWING:
                break
            passage = self.passages[next(iter(self.groups[place].places.values()))]
            section = (passage.article, passage.section)
            ranked.append((float(evidence[place]) - SIBLING * seen.get(section, 0), place))
            seen[section] = seen.get(section, 0) + 1
        return [place for _, place in sorted(ranked, key=lambda entry: -entry[0])]

    def _signs(self, query: str) -> int:
        """Count terms of the field, names of cards and quantities in a question, as far as they matter."""
        return min(len(self._names & set(tokens(query))) + len(_QUANTITY.findall(query)), MOST_SIGNS)

    def _behind_our_articles(self, query: str, found: Evidence) -> Evidence:
        """Keep added texts behind the articles of the package where these answer the question.

        Notes:
            Anybody can write a text that repeats a question and so comes first. An added passage
            therefore passes our best one only when it holds a word of the question that none of ours does.
        """
        if not self._added.any() or self._added.all():
            return found
        best = np.float32(found[~self._added].max())
        if best < SURE:
            return found
        new = {token for token in tokens(query) if token not in self._known and _tells(token)}
        behind = [bool(added) and not self._holds(place, new) for place, added in enumerate(self._added)]
        return np.where(behind, np.minimum(found, best - np.float32(0.01)), found).astype(np.float32)

    def _holds(self, place: int, wanted: set[str]) -> bool:
        return bool(wanted) and any(
            not wanted.isdisjoint(tokens(self.passages[row].context)) for row in self.groups[place].places.values()
        )


def _tells(token: str) -> bool:
    """Whether a word that our articles lack tells something; a new pair of Chinese signs often is no word."""
    return token.isascii() and token[0] != "=" and len(token) > 2


def _built_in(index: Index) -> set[str]:
    return {document.id for document in index.manifest.documents if document.built_in}


def _groups(index: Index) -> list[Group]:
    ours = _built_in(index)
    twins: dict[tuple[str, str, int], dict[str, int]] = {}
    for place, passage in enumerate(index.passages):
        twins.setdefault((passage.article, passage.section, passage.position), {})[passage.language] = place
    return [Group(places, name in ours) for (name, _, _), places in twins.items()]


def _pairs(groups: Sequence[Group], own: str) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return for each group the passage in one language and that in the other, twice the same if there is only one."""
    other = "en" if own == "zh" else "zh"
    near = [group.places.get(own, group.places.get(other, 0)) for group in groups]
    far = [group.places.get(other, group.places.get(own, 0)) for group in groups]
    return np.array(near, dtype=np.intp), np.array(far, dtype=np.intp)


def _scale(passages: Iterable[Passage], chances: Iterable[Chance], question: str) -> tuple[Vectors, Vectors]:
    """Return for each passage what cosine is chance and how far chance spreads."""
    known = {chance.passage: chance for chance in chances if chance.question == question}
    rows = [known[passage.language] for passage in passages]
    return (
        np.array([row.level for row in rows], dtype=np.float32),
        np.array([row.spread for row in rows], dtype=np.float32),
    )
