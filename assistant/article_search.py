"""The article search of one process: opened by the first search, not before, and shared by all who ask."""

from __future__ import annotations

import logging
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from assistant.settings import BUILT_IN, Settings
from tools.api import Json

Search = Callable[[str, int], list[dict[str, Json]]]
# After a failure the data folder, or the Chroma server, is left alone for this long. [s]
RETRY_S = 15.0
PARTIAL = "The place for added texts cannot be used at the moment: only the packaged articles were searched."
_log = logging.getLogger(__name__)


class ArticleSearch:
    """Searches the index of the data folder, or for the time being the packaged articles alone."""

    def __init__(self, folder: Path, embedding: str = "", chroma: str = "") -> None:
        """Keep where the index is; see `Settings` for the meaning."""
        self._folder = folder
        self._embedding = embedding
        self._chroma = chroma
        self._opened: dict[str, Any] = {}
        self._opening = threading.Lock()
        self._failed_at = float("-inf")

    @property
    def partial(self) -> bool:
        """Whether added texts are left out at the moment."""
        return time.monotonic() - self._failed_at < RETRY_S

    def __call__(self, query: str, k: int) -> list[dict[str, Json]]:
        """Return at most k passages."""
        if not self.partial:
            try:
                return [dict(citation) for citation in self._searcher("own").search(query, k)]
            except (OSError, sqlite3.Error) as error:  # a Chroma server that is down is an OSError too
                self._failed_at = time.monotonic()
                _log.error(
                    "the article index in %s cannot be used (%s); a temporary one without added texts serves",
                    self._chroma or self._folder,
                    type(error).__name__,
                )
        return [dict(citation) for citation in self._searcher("temporary").search(query, k)]

    def _searcher(self, name: str) -> Any:
        with self._opening:
            if name not in self._opened:
                from knowledge.client import use_folder, use_server
                from knowledge.search import Searcher  # late: numpy and the index are not needed to list tools

                use_server(self._chroma)
                place = self._folder
                if name == "temporary":
                    kept = self._opened["folder"] = tempfile.TemporaryDirectory(prefix="gpu-advisor-")
                    place = Path(kept.name)  # goes away with the object, when the process ends
                    use_folder(place)
                self._opened[name] = Searcher(place, embedding=self._embedding)
            return self._opened[name]


def article_search(settings: Settings) -> ArticleSearch:
    """Return the search over the articles of the data folder.

    Where that folder cannot be written or is full, or its Chroma server does not answer, the articles of the package are
    searched from a temporary one.
    """
    return _search_in(settings.data_dir, "" if settings.embedding == BUILT_IN else settings.embedding, settings.chroma)


@cache
def _search_in(folder: Path, embedding: str, chroma: str) -> ArticleSearch:
    return ArticleSearch(folder, embedding, chroma)
