"""What the writers of golden questions share: figures typed off data sheets, and the shape of a row.

The figures of cards and models are taken from data sheets and papers, not from the catalogue, so that the expected
values are independent of the tools.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

AS_OF = "2026-11-30"
Row = dict[str, Any]

# Board power in W, memory in GB, bandwidth in GB/s.
WATTS = {
    "RTX 3090": 350,
    "RTX 4090": 450,
    "RTX 5090": 575,
    "RTX 4080": 320,
    "RTX A6000": 300,
    "H100 SXM": 700,
    "A100 SXM 80GB": 400,
    "RTX 2080 Ti": 260,
}
BANDWIDTH = {"RTX 3090": 936, "RTX 4090": 1008, "RTX 5090": 1792, "H100 SXM": 3350, "V100": 900, "A100": 1555}


def value(figure: float, unit: str = "", rel: float = 0.01) -> dict[str, Any]:
    """Return an expected figure."""
    return {"value": round(figure, 6), "unit": unit, "rel_tolerance": rel}


def pair(name: str, category: str, en: str, zh: str, state: list[Mapping[str, Any]], **more: Any) -> Iterator[Row]:
    """Yield a question in both languages with the same expectations."""
    for lang, text in (("en", en), ("zh", zh)):
        yield {
            "id": f"own-{name}-{lang}",
            "lang": lang,
            "category": category,
            "turns": [text],
            "must_state": state,
            "expect": "answered",
            "as_of": AS_OF,
            **more,
        }


def call(tool: str, field: str = "", **args: Any) -> dict[str, Any]:
    """Return an expected call; with a field it also recomputes the figure it stands beside."""
    return {"tool": tool, "args": args} | ({"field": field} if field else {})


def ref(figure: dict[str, Any], tool: str, field: str, **args: Any) -> dict[str, Any]:
    """Attach the call that recomputes a figure."""
    return {**figure, "ref": {"tool": tool, "args": args, "field": field}}


def kv_gib(layers: int, heads: int, dim: int, tokens: int, bytes_each: float = 2) -> float:
    """Return the key-value cache in GiB by its definition, two tensors a layer."""
    return 2 * layers * heads * dim * bytes_each * tokens / 2**30
