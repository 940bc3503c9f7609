"""The index on disk. Only this file and `client` know chromadb.

A build goes into a new Chroma collection under a new name. Only when it is whole does a pointer file,
replaced in one step, name it; whatever the pointer does not name is never served and is swept away by
the next build. Chroma is the store of record. Beside it lies a snapshot of the same vectors and
passages, checked by its hash, because importing chromadb costs half a second that a question need
not wait for; when the snapshot is damaged or gone it is written again from Chroma.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import sqlite3
import uuid
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from knowledge.articles import Passage
from knowledge.background import Chance
from knowledge.client import file_hashes, open_client, reaching_server, store_files
from knowledge.embedding import Vectors

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

# Raised when the layout below changes: an index of another layout is built anew.
LAYOUT = 2
# A build of the built-in articles takes about a minute; a second process waits for the first.
LOCK_WAIT_S = 900.0
_POINTER = "current.json"


@dataclass(frozen=True, kw_only=True)
class Document:
    """A text in the index.

    Attributes:
        id: Id of the article its passages carry.
        title: Title of the text.
        language: "zh", "en" or "zh, en".
        url: Address of the source, "" when unknown.
        date: Date of the source, "" when unknown.
        source: Where it was read from; "" for the articles of the package.
        content_hash: SHA-256 of what was read.
        passages: Number of its passages.
        suspect: Why the text looks like an attempt to steer a reader program, "" when nothing was seen.
    """

    id: str
    title: str
    language: str
    url: str
    date: str
    source: str
    content_hash: str
    passages: int
    suspect: str = ""

    @property
    def built_in(self) -> bool:
        """Whether it is an article of the package."""
        return not self.source


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """What an index was built from.

    Attributes:
        version: Name of its Chroma collection.
        embedding: Name of the model of its vectors.
        setting: Setting that names this model, so that the index can serve while another model's is built.
        dimension: Length of a vector.
        articles_hash: Hash of the articles of the package.
        documents: The texts in it.
        chance: How alike unrelated questions look to its passages.
        snapshot_sha256: Hash of its snapshot.
        texts_sha256: Hash of its passages without their vectors, "" in an index of an earlier version.
        store_sha256: Hashes of the files of vectors that Chroma keeps for it, by path.
    """

    version: str
    embedding: str
    setting: str
    dimension: int
    articles_hash: str
    documents: tuple[Document, ...]
    chance: tuple[Chance, ...]
    snapshot_sha256: str
    texts_sha256: str = ""
    store_sha256: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, kw_only=True)
class Index:
    """A whole index in memory: `vectors[i]` belongs to `passages[i]`."""

    manifest: Manifest
    passages: tuple[Passage, ...]
    vectors: Vectors


def read_manifest(data_dir: Path) -> Manifest | None:
    """Return what the active index was built from, None when there is none of this layout."""
    try:
        pointer = json.loads((_folder(data_dir) / _POINTER).read_text(encoding="utf-8"))
        if pointer.pop("layout") != LAYOUT:
            return None
        documents = tuple(Document(**entry) for entry in pointer.pop("documents"))
        chance = tuple(Chance(**entry) for entry in pointer.pop("chance"))
        return Manifest(documents=documents, chance=chance, **pointer)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def pointer_stamp(data_dir: Path) -> int:
    """Return a number that changes when another index becomes the active one, 0 when there is none."""
    try:
        return (_folder(data_dir) / _POINTER).stat().st_mtime_ns
    except OSError:
        return 0


def open_index(data_dir: Path) -> Index | None:
    """Return the active index, None when there is none that is whole."""
    manifest = read_manifest(data_dir)
    index = _from_snapshot(data_dir, manifest) if manifest else None
    if index is None:  # a build may have switched between the pointer and the snapshot: look once more
        manifest = read_manifest(data_dir)
        index = _from_snapshot(data_dir, manifest) if manifest else None
    return index or (_from_chroma(data_dir, manifest) if manifest else None)


@contextmanager
def build_lock(data_dir: Path) -> Generator[None]:
    """Let one process at a time build; SQLite frees the lock even when a process dies."""
    folder = _folder(data_dir)
    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / "lock.sqlite3", timeout=LOCK_WAIT_S, isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        yield


@reaching_server()
def publish(
    data_dir: Path,
    *,
    passages: Sequence[Passage],
    vectors: Vectors,
    documents: Sequence[Document],
    chance: Sequence[Chance],
    embedding: str,
    setting: str,
    articles_hash: str,
) -> Index:
    """Store an index whole and make it the active one. The caller holds `build_lock`.

    Args:
        data_dir: The person's data folder.
        passages: Passages with ids of their own.
        vectors: A unit vector for each passage.
        documents: The texts the passages come from.
        chance: How alike unrelated questions look to the passages.
        embedding: Name of the model of the vectors.
        setting: Setting that names this model.
        articles_hash: Hash of the articles of the package.

    Returns:
        The index now served.

    Raises:
        StoreDown: If the collections lie in a server that does not answer.
    """
    folder = _folder(data_dir)
    client = open_client(_folder(data_dir))
    current = read_manifest(data_dir)
    _sweep(folder, client, keep=current.version if current else "")
    version = f"passages-{uuid.uuid4().hex[:12]}"
    content = _snapshot_bytes(passages, vectors)
    manifest = Manifest(
        version=version,
        embedding=embedding,
        setting=setting,
        dimension=int(vectors.shape[1]) if len(vectors) else 0,
        articles_hash=articles_hash,
        documents=tuple(documents),
        chance=tuple(chance),
        snapshot_sha256=hashlib.sha256(content).hexdigest(),
        texts_sha256=hashlib.sha256(_texts(passages)).hexdigest(),
    )
    before = store_files(folder)
    _fill(client, manifest, passages, vectors)
    manifest = replace(manifest, store_sha256=file_hashes(folder, store_files(folder) - before))
    _write(folder / f"{version}.npz", content)
    _write(folder / _POINTER, json.dumps({"layout": LAYOUT, **asdict(manifest)}, ensure_ascii=False).encode())
    _sweep(folder, client, keep=version)
    return Index(manifest=manifest, passages=tuple(passages), vectors=vectors)


def _folder(data_dir: Path) -> Path:
    return data_dir / "knowledge"


def _fill(client: ClientAPI, manifest: Manifest, passages: Sequence[Passage], vectors: Vectors) -> None:
    collection = client.create_collection(
        manifest.version,
        embedding_function=None,
        configuration={"hnsw": {"space": "cosine"}},
        metadata={"embedding": manifest.embedding, "articles_hash": manifest.articles_hash},
    )
    step = min(client.get_max_batch_size(), 1000)
    for start in range(0, len(passages), step):
        batch = passages[start : start + step]
        collection.add(
            ids=[passage.id for passage in batch],
            embeddings=vectors[start : start + step],
            documents=[passage.text for passage in batch],
            metadatas=[_metadata(passage, order) for order, passage in enumerate(batch, start)],
        )


def _metadata(passage: Passage, order: int) -> dict[str, str | int]:
    fields: dict[str, str | int] = asdict(passage)
    return {name: value for name, value in fields.items() if name not in ("id", "text")} | {"order": order}


@reaching_server()
def _from_chroma(data_dir: Path, manifest: Manifest) -> Index | None:
    """Read the store of record and write the snapshot again; None where anything of it was changed."""
    from chromadb.errors import ChromaError

    # Chroma reads a changed file of vectors without a word, or ends the process over it: look first.
    if file_hashes(_folder(data_dir), manifest.store_sha256) != manifest.store_sha256:
        return None
    try:
        collection = open_client(_folder(data_dir)).get_collection(manifest.version, embedding_function=None)
        found = collection.get(include=["embeddings", "documents", "metadatas"])
    except (ChromaError, ValueError, sqlite3.Error):
        return None
    rows = sorted(
        zip(found["ids"], found["documents"] or [], found["metadatas"] or [], found["embeddings"], strict=True)
        if found["embeddings"] is not None
        else [],
        key=lambda row: int(str(row[2]["order"])),
    )
    whole = len(rows) == sum(document.passages for document in manifest.documents)
    if not whole or any(len(row[3]) != manifest.dimension for row in rows):
        return None
    passages = [_passage(name, text, metadata) for name, text, metadata, _ in rows]
    vectors = np.array([row[3] for row in rows], dtype=np.float32).reshape(len(rows), manifest.dimension)
    if manifest.texts_sha256 not in ("", hashlib.sha256(_texts(passages)).hexdigest()):
        return None
    content = _snapshot_bytes(passages, vectors)
    if hashlib.sha256(content).hexdigest() == manifest.snapshot_sha256:
        _write(_folder(data_dir) / f"{manifest.version}.npz", content)
    return Index(manifest=manifest, passages=tuple(passages), vectors=vectors)


def _passage(name: str, text: str, metadata: Mapping[str, object]) -> Passage:
    fields = {field: value for field, value in metadata.items() if field != "order"}
    return Passage(id=name, text=text, **cast(dict[str, Any], fields))  # Chroma types every value alike


def _texts(passages: Sequence[Passage]) -> bytes:
    return json.dumps([asdict(passage) for passage in passages], ensure_ascii=False, sort_keys=True).encode()


def _snapshot_bytes(passages: Sequence[Passage], vectors: Vectors) -> bytes:
    target = io.BytesIO()
    np.savez(target, vectors=vectors, passages=np.frombuffer(_texts(passages), dtype=np.uint8))
    return target.getvalue()


def _from_snapshot(data_dir: Path, manifest: Manifest) -> Index | None:
    try:
        content = (_folder(data_dir) / f"{manifest.version}.npz").read_bytes()
    except OSError:
        return None
    if hashlib.sha256(content).hexdigest() != manifest.snapshot_sha256:
        return None
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        vectors = np.asarray(arrays["vectors"], dtype=np.float32)
        entries = json.loads(arrays["passages"].tobytes())
    return Index(manifest=manifest, passages=tuple(Passage(**entry) for entry in entries), vectors=vectors)


def _write(path: Path, content: bytes) -> None:
    """Replace a file in one step, so that nobody reads half of it."""
    draft = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}.part")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _sweep(folder: Path, client: ClientAPI, *, keep: str) -> None:
    """Remove every index but the one to keep, half-built ones among them."""
    for collection in client.list_collections():
        if collection.name != keep:
            client.delete_collection(collection.name)
    for path in [*folder.glob("passages-*.npz"), *folder.glob("*.part")]:
        if path.stem != keep:
            path.unlink(missing_ok=True)
