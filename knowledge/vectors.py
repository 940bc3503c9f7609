"""Vectors of the package's articles, made beforehand: `python -m knowledge.vectors` makes them again.

Embedding 500 paragraphs takes about a minute on 2 cores; nobody should wait that long for a first
answer. Each vector is kept under the hash of its text, so that an edited paragraph is embedded anew
and a stale vector is never used.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import numpy as np

from knowledge.articles import ARTICLES, built_in_articles
from knowledge.background import CHINESE, ENGLISH
from knowledge.embedding import BuiltInEmbedder, Progress, Vectors

FILE = ARTICLES / "vectors.npz"


def text_key(text: str) -> str:
    """Return the name of a text among vectors."""
    return hashlib.sha256(text.encode()).hexdigest()


def question_key(text: str) -> str:
    """Return the name of a question among vectors: it is embedded otherwise than a passage."""
    return text_key(f"query: {text}")


def shipped_vectors(embedding: str, file: Path = FILE) -> dict[str, Vectors]:
    """Return the vectors of the package by `text_key`; none when another model made them.

    Notes:
        Kept as 16-bit floats: a cosine differs by less than 0.0005 from that of the full vector.
    """
    if not file.is_file():
        return {}
    with np.load(file, allow_pickle=False) as arrays:
        if str(arrays["embedding"]) != embedding:
            return {}
        vectors = np.asarray(arrays["vectors"], dtype=np.float32)
        return dict(zip((str(key) for key in arrays["keys"]), vectors, strict=True))


def pack(file: Path = FILE, progress: Progress | None = None) -> int:
    """Embed the paragraphs of the package that have no vector yet and write them all; return their number."""
    embedder = BuiltInEmbedder()
    known = shipped_vectors(embedder.name, file)
    texts = list(dict.fromkeys(passage.context for _, found in built_in_articles() for passage in found))
    new = [text for text in texts if text_key(text) not in known]
    if new:
        known |= zip(map(text_key, new), embedder.passages(new, progress), strict=True)
    questions = [*ENGLISH, *CHINESE]
    known |= {question_key(text): embedder.query(text) for text in questions}
    keys = sorted([*map(text_key, texts), *map(question_key, questions)])
    np.savez_compressed(
        file,
        embedding=np.array(embedder.name),
        keys=np.array(keys),
        vectors=np.array([known[key] for key in keys], dtype=np.float16),
    )
    return len(keys)


if __name__ == "__main__":
    print(f"{pack()} vectors in {FILE.name}", file=sys.stderr)
