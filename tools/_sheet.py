"""A card of the catalogue, or one whose data sheet the person gives."""

from __future__ import annotations

import dataclasses
from functools import lru_cache

from tools._catalog import Gpu
from tools._errors import ToolInputError, number
from tools._names import Match, find
from tools._result import Text

_LIMITS = {
    "memory_gb": ("GB", 10_000.0, "24"),
    "memory_bandwidth_gb_s": ("GB/s", 100_000.0, "936"),
    "tensor_fp16_dense_tflops": ("TFLOPS", 100_000.0, "71"),
    "board_power_w": ("W", 20_000.0, "350"),
}


def find_card(name: object, argument: str = "gpu") -> Match:
    """Return the card a person means, as `find` does, and remember names already read.

    Raises:
        ToolInputError: If there is no such card.
    """
    return _remembered(name, argument) if isinstance(name, str) else find(name, argument)


@lru_cache(maxsize=1024)
def _remembered(name: str, argument: str) -> Match:
    return find(name, argument)


def card_or_sheet(gpu: str, **given: float | None) -> tuple[Gpu, tuple[Text, ...]]:
    """Return a card with the figures the person gave put in, and what to say about it.

    Args:
        gpu: Name; it may be unknown if memory and bandwidth are given.
        given: memory_gb, memory_bandwidth_gb_s, tensor_fp16_dense_tflops, board_power_w.

    Raises:
        ToolInputError: If the card is unknown and its data sheet is not given.
    """
    own = {
        key: number(
            key,
            value,
            _LIMITS[key][0],
            high=_LIMITS[key][1],
            hint=Text(
                f"Give {_LIMITS[key][0]}, e.g. {_LIMITS[key][2]}.",
                f"单位是 {_LIMITS[key][0]}，例如 {_LIMITS[key][2]}。",
            ),
        )
        for key, value in given.items()
        if value is not None
    }
    try:
        found = find_card(gpu)
    except ToolInputError:
        if not {"memory_gb", "memory_bandwidth_gb_s"} <= own.keys():
            raise
        sheet = Gpu(
            name=gpu.strip(),
            vendor="",
            architecture="unknown",
            segment="desktop",
            verified=False,
            source="data sheet given by you",
            as_of="",
            memory_gb=own["memory_gb"],
            memory_bandwidth_gb_s=own["memory_bandwidth_gb_s"],
            board_power_w=own.get("board_power_w"),
            tensor_fp16_dense_tflops=own.get("tensor_fp16_dense_tflops"),
        )
        return sheet, (
            Text(f"{sheet.name} is computed from the data sheet you gave.", f"{sheet.name} 按你给出的数据计算。"),
        )
    notes: list[Text] = []
    if found.others:
        others = ", ".join(found.others[:4])
        notes.append(
            Text(
                f"'{gpu}' is read as {found.gpu.name}; there are also {others}.",
                f"“{gpu}”按 {found.gpu.name} 理解；另有 {others}。",
            )
        )
    if own:
        notes.append(Text("Figures you gave replace those of the catalogue.", "你给出的数值代替了目录中的数值。"))
    # `own` holds fields of Gpu by construction; the type checker cannot see that.
    return dataclasses.replace(found.gpu, **own), tuple(notes)  # pyright: ignore[reportArgumentType]
