"""Find the passages that answer a question, or nothing when none does.

Use it as `Searcher(data_dir).search("how do I cool four RTX 3090s")`.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NotRequired, TypedDict

import numpy as np
from numpy.typing import NDArray

from knowledge.articles import Passage, language_of
from knowledge.background import Chance
from knowledge.embedding import Embedder, Progress, open_embedder
from knowledge.ingest import ensure_index
from knowledge.lexical import WordIndex
from knowledge.store import Index, open_index, pointer_stamp

Language = Literal["zh", "en"]

# score = 1 / (1 + exp(-(BIAS + MEANING x deviations above chance + WORDS x share of words found)))
# Tried on the golden claims and on questions about anything else: the best of the latter reaches 2.4 of
# the 2.45 that make a passage relevant, the median of the former 6.
MEANING = 1.0
WORDS = 8.0
BIAS = -2.45
# A translation is a second, independent reading of the same passage: its likeness counts for the rest.
OWN_LANGUAGE = 0.65
# At and above this a passage is called relevant.
RELEVANT = 0.5
MOST_RESULTS = 50


class Citation(TypedDict):
    """A passage as it is shown, with its source.

    `score` is the chance in 0 to 1 that the passage is about the question; `doubt` is there only when a
    figure in the passage contradicts itself.
    """

    id: str
    article: str
    title: str
    section: str
    url: str
    date: str
    text: str
    language: str
    score: float
    doubt: NotRequired[str]


class Searcher:
    """Search over the active index; a new index is picked up by the next search.

    Nothing is loaded or built before the first search, and no search with the built-in embedding
    imports chromadb, torch or sentence-transformers once the index is built.
    """

    def __init__(self, data_dir: Path, *, embedding: str = "", progress: Progress | None = None) -> None:
        self._data_dir = data_dir
        self._embedding = embedding
        self._progress = progress
        self._lock = threading.Lock()
        self._stamp = 0
        self._loaded: _Loaded | None = None

    def search(self, query: str, k: int = 5, language: Language | None = None) -> list[Citation]:
        """Find passages.

        Args:
            query: A question in Chinese or English.
            k: Most passages to return. [1]
            language: Language of the passages shown; that of the question when left out. A passage that
                exists in one language only is shown in that one.

        Returns:
            Citations, best first; empty when nothing in the articles is about the question.
        """
        if not query.strip():
            return []
        return self._ready().search(query, min(max(k, 1), MOST_RESULTS), language)

    def _ready(self) -> _Loaded:
        with self._lock:
            if self._loaded is None or pointer_stamp(self._data_dir) != self._stamp:
                ensure_index(self._data_dir, embedding=self._embedding, progress=self._progress)
                self._stamp = pointer_stamp(self._data_dir)
                index = open_index(self._data_dir)
                assert index is not None  # ensure_index has just built it
                self._loaded = _Loaded(index, open_embedder(self._embedding))
            return self._loaded


class _Loaded:
    """An index in memory. A few hundred vectors: one product finds the nearest exactly, in 0.1 ms."""

    def __init__(self, index: Index, embedder: Embedder) -> None:
        self._passages = index.passages
        self._vectors = index.vectors
        self._embedder = embedder
        self._words = WordIndex([p.text for p in index.passages], [p.heading for p in index.passages])
        self._scales = {language: _scale(index.passages, index.manifest.chance, language) for language in ("zh", "en")}
        twins: dict[tuple[str, str, int], dict[str, int]] = {}
        for place, passage in enumerate(index.passages):
            twins.setdefault((passage.article, passage.section, passage.position), {})[passage.language] = place
        self._twins = list(twins.values())

    def search(self, query: str, k: int, language: str | None) -> list[Citation]:
        evidence = self._evidence(query)
        shown = language or language_of(query)
        best = np.argsort(-evidence, kind="stable")[:k]
        found: list[Citation] = []
        for group in map(int, best):
            score = 1 / (1 + math.exp(-float(evidence[group])))
            if score >= RELEVANT:
                found.append(_citation(_shown(self._passages, self._twins[group], shown), score))
        return found

    def _evidence(self, query: str) -> NDArray[np.float32]:
        """Return the log-odds that each passage, in either language, is about the query."""
        level, spread = self._scales[language_of(query)]
        meaning = (self._vectors @ self._embedder.query(query) - level) / spread
        words = self._words.coverage(query)
        own = language_of(query)
        other = "en" if own == "zh" else "zh"
        near = np.array([twins.get(own, twins.get(other, 0)) for twins in self._twins], dtype=np.intp)
        far = np.array([twins.get(other, twins.get(own, 0)) for twins in self._twins], dtype=np.intp)
        blend = OWN_LANGUAGE * meaning[near] + (1 - OWN_LANGUAGE) * meaning[far]
        return (BIAS + MEANING * blend + WORDS * np.maximum(words[near], words[far])).astype(np.float32)


def _shown(passages: Sequence[Passage], twins: Mapping[str, int], language: str) -> Passage:
    return passages[twins[language] if language in twins else next(iter(twins.values()))]


def _scale(passages: Iterable[Passage], chances: Iterable[Chance],
           question: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return for each passage what cosine is chance and how far chance spreads."""
    known = {chance.passage: chance for chance in chances if chance.question == question}
    rows = [known[passage.language] for passage in passages]
    return (np.array([row.level for row in rows], dtype=np.float32),
            np.array([row.spread for row in rows], dtype=np.float32))


def _citation(passage: Passage, score: float) -> Citation:
    citation = Citation(
        id=passage.id, article=passage.article, title=passage.title, section=passage.section, url=passage.url,
        date=passage.date, text=passage.text, language=passage.language, score=round(score, 4))
    if passage.doubt:
        citation["doubt"] = passage.doubt
    return citation
