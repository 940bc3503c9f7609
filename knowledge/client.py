"""The Chroma client: in this process over the data folder, or of a server that runs elsewhere."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import uuid
from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

DEFAULT_PORT = 8000
# Address of a Chroma server, empty for the data folder.
_server: list[str] = []
# Folders that keep their collections themselves, whatever the server.
_alone: set[Path] = set()
_log = logging.getLogger(__name__)


class StoreDown(ConnectionError):
    """The Chroma server does not answer; what it holds is not lost."""


def use_server(address: str) -> None:
    """Keep the collections in a Chroma server ("host:port") from now on; "" for the data folder."""
    _server[:] = [address] if address else []


def use_folder(data_dir: Path) -> None:
    """Let a data folder keep its collections itself although there is a server."""
    _alone.add(data_dir / "knowledge")


def _served(folder: Path) -> str:
    return _server[0] if _server and folder not in _alone else ""


@contextmanager
def reaching_server() -> Generator[None]:
    """Tell a server that does not answer from one that lacks something.

    Raises:
        StoreDown: If it does not answer.
    """
    import httpx

    try:
        yield
    except httpx.TransportError as error:
        raise StoreDown(f"The Chroma server {_server[0] if _server else ''} does not answer.") from error


def open_client(folder: Path) -> ClientAPI:
    """Open the store of record; a damaged one in the data folder is put aside and begun anew.

    Raises:
        StoreDown: If it lies in a server that does not answer.
    """
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    server = _served(folder)
    if server:
        host, _, port = server.removeprefix("http://").rstrip("/").partition(":")
        try:
            return chromadb.HttpClient(host, int(port or DEFAULT_PORT), settings=settings)
        except ValueError as error:  # what Chroma makes of a refused connection
            raise StoreDown(f"The Chroma server {server} does not answer.") from error
    path = folder / "chroma"
    path.mkdir(parents=True, exist_ok=True)
    _put_aside_if_damaged(path)
    return chromadb.PersistentClient(path, settings=settings)


def store_files(folder: Path) -> frozenset[str]:
    """Return the files of vectors beside the database in the data folder; none of a server's."""
    if _served(folder):
        return frozenset()
    return frozenset(str(path.relative_to(folder)) for path in (folder / "chroma").glob("*/*") if path.is_file())


def file_hashes(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the SHA-256 of each file, "" for one that is gone."""
    found: dict[str, str] = {}
    for name in sorted(names):
        path = folder / name
        found[name] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
    return found


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
