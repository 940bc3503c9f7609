"""Vectors of an ingest that is still running, so that the next one goes on where a stopped one ended."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from knowledge.embedding import Embedder, Progress, Vectors
from knowledge.vectors import text_key

# So many passages are lost at most when a process dies: a few seconds of work.
STEP = 16


def embedded(data_dir: Path, embedder: Embedder, texts: Sequence[str], progress: Progress | None) -> dict[str, Vectors]:
    """Return a vector for each text by `text_key`, and keep each on disk as soon as it is made.

    Args:
        data_dir: The person's data folder.
        embedder: What makes the vectors.
        texts: Texts without a vector.
        progress: Called with the number of embedded texts and of all texts.
    """
    with closing(_open(data_dir)) as store:
        known = _known(store, embedder.name)
        found = {key: known[key] for key in map(text_key, texts) if key in known}
        missing = [text for text in texts if text_key(text) not in found]
        for start in range(0, len(missing), STEP):
            part = missing[start : start + STEP]
            before = len(found)
            inner = _shifted(progress, before, len(texts))
            rows = embedder.passages(part, inner)
            found |= zip(map(text_key, part), rows, strict=True)
            _keep(store, embedder.name, zip(map(text_key, part), rows, strict=True))
    return found


def forget(data_dir: Path) -> None:
    """Drop what was kept: the index holds it now."""
    with closing(_open(data_dir)) as store:
        store.execute("DELETE FROM vectors")
        store.commit()


def _shifted(progress: Progress | None, done: int, total: int) -> Progress | None:
    return (lambda more, _: progress(done + more, total)) if progress else None


def _open(data_dir: Path) -> sqlite3.Connection:
    folder = data_dir / "knowledge"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "pending.sqlite3"
    try:
        return _prepared(path)
    except sqlite3.DatabaseError:  # damaged: it only saves work
        path.unlink(missing_ok=True)
        return _prepared(path)


def _prepared(path: Path) -> sqlite3.Connection:
    store = sqlite3.connect(path)
    store.execute("CREATE TABLE IF NOT EXISTS vectors (model TEXT, key TEXT, vector BLOB, PRIMARY KEY (model, key))")
    return store


def _known(store: sqlite3.Connection, model: str) -> dict[str, Vectors]:
    rows = store.execute("SELECT key, vector FROM vectors WHERE model = ?", (model,))
    return {key: np.frombuffer(vector, dtype=np.float32) for key, vector in rows}


def _keep(store: sqlite3.Connection, model: str, rows: Iterable[tuple[str, Vectors]]) -> None:
    store.executemany(
        "INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)",
        [(model, key, np.asarray(row, dtype=np.float32).tobytes()) for key, row in rows],
    )
    store.commit()
