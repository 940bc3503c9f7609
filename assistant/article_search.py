"""The article search of one process: opened by the first search, not before."""

from __future__ import annotations

import logging
import sqlite3
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from assistant.settings import BUILT_IN, Settings
from tools.api import Json

Search = Callable[[str, int], list[dict[str, Json]]]
_log = logging.getLogger(__name__)


def article_search(settings: Settings) -> Search:
    """Return the search over the articles of the data folder.

    Where that folder cannot be written or is full, the articles of the package are searched from a temporary one.
    """
    opened: list[Any] = []
    opening = threading.Lock()

    def search(query: str, k: int) -> list[dict[str, Json]]:
        with opening:
            if not opened:
                opened.append(_open(settings, settings.data_dir))
        try:
            found = opened[0].search(query, k)
        except (OSError, sqlite3.Error) as error:
            _log.error("the article index in %s cannot be used (%s); a temporary one without added texts serves",
                       settings.data_dir, type(error).__name__)
            opened[0] = _open(settings, Path(tempfile.mkdtemp(prefix="gpu-advisor-")))
            found = opened[0].search(query, k)
        return [dict(citation) for citation in found]

    return search


def _open(settings: Settings, folder: Path) -> Any:
    from knowledge.search import Searcher  # late: numpy and the index are not needed to list tools

    return Searcher(folder, embedding="" if settings.embedding == BUILT_IN else settings.embedding)
