"""The Chroma client: in this process over the data folder, or of a server that runs elsewhere."""

from __future__ import annotations

import logging
import sqlite3
import uuid
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

DEFAULT_PORT = 8000
# Address of a Chroma server, empty for the data folder.
_server: list[str] = []
_log = logging.getLogger(__name__)


def use_server(address: str) -> None:
    """Keep the collections in a Chroma server ("host:port") from now on; "" for the data folder."""
    _server[:] = [address] if address else []


def open_client(folder: Path) -> ClientAPI:
    """Open the store of record; a damaged one in the data folder is put aside and begun anew."""
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    if _server:
        host, _, port = _server[0].removeprefix("http://").rstrip("/").partition(":")
        return chromadb.HttpClient(host, int(port or DEFAULT_PORT), settings=settings)
    path = folder / "chroma"
    path.mkdir(parents=True, exist_ok=True)
    _put_aside_if_damaged(path)
    return chromadb.PersistentClient(path, settings=settings)


def _put_aside_if_damaged(path: Path) -> None:
    """Look before Chroma does: its core panics over a damaged file, and keeps it open."""
    file = path / "chroma.sqlite3"
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as probe:
            sound = not file.exists() or probe.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except sqlite3.DatabaseError:
        sound = not file.exists()
    if not sound:
        _log.warning("the vector store in %s is damaged and is begun anew", path)
        path.rename(path.with_name(f"chroma-damaged-{uuid.uuid4().hex[:8]}"))
        path.mkdir()
