"""Find the passages that answer a question, or nothing when none does.

Use it as `Searcher(data_dir).search("how do I cool four RTX 3090s")`.
"""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NotRequired, TypedDict

from knowledge.articles import Passage, language_of
from knowledge.embedding import Progress, open_embedder
from knowledge.glossary import explained
from knowledge.ingest import ensure_index, is_current
from knowledge.ranking import Ranker
from knowledge.store import open_index, pointer_stamp

Language = Literal["zh", "en"]

MOST_RESULTS = 50
_log = logging.getLogger(__name__)


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

    def __init__(
        self, data_dir: Path, *, embedding: str = "", progress: Progress | None = None, wait: bool = False
    ) -> None:
        """Prepare a search; with `wait`, an index of another model is replaced before the first answer."""
        self._wait = wait
        self._data_dir = data_dir
        self._embedding = embedding
        self._progress = progress
        self._lock = threading.Lock()
        self._stamp = 0
        self._loaded: Ranker | None = None

    def search(
        self, query: str, k: int = 5, language: Language | None = None, *, article: str = "", since: str = ""
    ) -> list[Citation]:
        """Find passages.

        Args:
            query: A question in Chinese or English.
            k: Most passages to return. [1]
            language: Language of the passages shown; that of the question when left out. A passage that
                exists in one language only is shown in that one.
            article: Only passages of the document of this id.
            since: Only passages of sources from this date on, e.g. "2023-02".

        Returns:
            Citations, best first; empty when nothing in the articles is about the question. A question what
            a term is, or why it matters, has the entry of our glossary before them.
        """
        if not query.strip():
            return []
        ranker = self._ready()
        evidence = ranker.evidence(query)
        shown = language or language_of(query)
        found = [
            _citation(passage, sure)
            for passage, sure in explained(query, shown)
            if article in ("", passage.article) and passage.date >= since
        ]
        for place in ranker.order(evidence):
            if len(found) >= min(max(k, 1), MOST_RESULTS):
                break
            passage = _shown(ranker.passages, ranker.groups[place].places, shown)
            if article in ("", passage.article) and passage.date >= since:
                found.append(_citation(passage, 1 / (1 + math.exp(-float(evidence[place])))))
        return found

    def _ready(self) -> Ranker:
        with self._lock:
            stamp = pointer_stamp(self._data_dir)
            if self._loaded is None or stamp != self._stamp or stamp == 0:
                self._loaded = self._load()
                self._stamp = pointer_stamp(self._data_dir)
            return self._loaded

    def _load(self) -> Ranker:
        """Open the index; one of another model or of older articles serves until the new one is whole."""
        wanted = open_embedder(self._embedding)
        index = open_index(self._data_dir)
        if index is not None and not is_current(index.manifest, wanted) and not self._wait:
            old = open_embedder(index.manifest.setting)
            if old.name == index.manifest.embedding:
                threading.Thread(target=self._build, daemon=True, name="rebuild").start()
                return Ranker(index, old)
        ensure_index(self._data_dir, embedding=self._embedding, progress=self._progress)
        index = open_index(self._data_dir)
        assert index is not None  # ensure_index has just built it
        return Ranker(index, wanted)

    def _build(self) -> None:
        try:
            ensure_index(self._data_dir, embedding=self._embedding, progress=self._progress)
        except Exception:
            _log.exception("the new index could not be built; the old one goes on serving")


def _shown(passages: Sequence[Passage], twins: Mapping[str, int], language: str) -> Passage:
    return passages[twins[language] if language in twins else next(iter(twins.values()))]


def _citation(passage: Passage, score: float) -> Citation:
    citation = Citation(
        id=passage.id,
        article=passage.article,
        title=passage.title,
        section=passage.section,
        url=passage.url,
        date=passage.date,
        text=passage.text,
        language=passage.language,
        score=round(score, 4),
    )
    if passage.doubt:
        citation["doubt"] = passage.doubt
    return citation
