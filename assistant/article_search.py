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
# After a failure the data folder is left alone for this long. [s]
RETRY_S = 60.0
_log = logging.getLogger(__name__)


def article_search(settings: Settings) -> Search:
    """Return the search over the articles of the data folder.

    Where that folder cannot be written or is full, the articles of the package are searched from a temporary one.
    """
    return _search_in(settings.data_dir, "" if settings.embedding == BUILT_IN else settings.embedding, settings.chroma)


@cache
def _search_in(folder: Path, embedding: str, chroma: str = "") -> Search:
    opened: dict[str, Any] = {}
    opening = threading.Lock()
    failed_at = [-RETRY_S]

    def searcher(name: str) -> Any:
        with opening:
            if name not in opened:
                from knowledge.client import use_server
                from knowledge.search import Searcher  # late: numpy and the index are not needed to list tools

                use_server(chroma)
                place = folder
                if name == "temporary":
                    kept = opened["folder"] = tempfile.TemporaryDirectory(prefix="gpu-advisor-")
                    place = Path(kept.name)  # goes away with the object, when the process ends
                opened[name] = Searcher(place, embedding=embedding)
            return opened[name]

    def search(query: str, k: int) -> list[dict[str, Json]]:
        if time.monotonic() - failed_at[0] >= RETRY_S:
            try:
                return [dict(citation) for citation in searcher("own").search(query, k)]
            except (OSError, sqlite3.Error) as error:
                failed_at[0] = time.monotonic()
                _log.error(
                    "the article index in %s cannot be used (%s); a temporary one without added texts serves",
                    folder,
                    type(error).__name__,
                )
        return [dict(citation) for citation in searcher("temporary").search(query, k)]

    return search
