"""Choose the measured facts that the project ships: a compact table, each row with its source."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path

from scripts._models import batch_of
from scripts._observations import CARDS, Seen
from tools._formats import WEIGHT_BITS

MOST_ROWS = 250
COLUMNS = (
    "gpu",
    "workload",
    "model",
    "stored",
    "software",
    "amount",
    "value",
    "unit",
    "count",
    "source",
    "url",
    "date",
)
_OLD = "2024-05"


def write_facts(path: Path, spoken: Sequence[Seen], trained: Sequence[Seen]) -> int:
    """Write the table and return its number of rows."""
    rows = [_language(each) for each in spoken if _is_language_fact(each)]
    rows += [
        _training(each)
        for each in trained
        if each.details["gpu_count"] == 1 and each.software in ("v1", "v2") and each.details["precision"] == "fp16"
    ]
    if len(rows) > MOST_ROWS:
        raise ValueError(f"{len(rows)} facts, more than {MOST_ROWS}")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(sorted(rows))
    return len(rows)


def _is_language_fact(seen: Seen) -> bool:
    """Whether a row is worth its place: today's software, or Llama 3 with the format people use."""
    model, stored, tokens = seen.details["model"], seen.details["weight_format"], seen.details["tokens"]
    if _name(seen) is None or stored not in WEIGHT_BITS or model == "gpt-oss-20b":
        return False
    if seen.software == _OLD:
        return (seen.gpu.vendor, tokens, seen.workload) == ("NVIDIA", 1024, "decode") and (model, stored) in (
            ("llama-3-8b", "Q4_K_M"),
            ("llama-3-8b", "FP16"),
            ("llama-3-70b", "Q4_K_M"),
        )
    own = seen.details["backend"] != "vulkan" or (seen.gpu.vendor in ("AMD", "Intel") and seen.workload == "decode")
    return own and stored == "Q4_0"


def _name(seen: Seen) -> str | None:
    """Return the catalogue's card; an Apple chip counts if it has the catalogue's number of cores."""
    if seen.card in CARDS:
        return seen.card
    apple = re.fullmatch(r"(.+) \((\d+) cores\)", seen.card)
    return apple[1] if apple and CARDS[apple[1]].sm_count == int(apple[2]) else None


def _language(seen: Seen) -> tuple[str, ...]:
    return (
        _name(seen) or "",
        seen.workload,
        str(seen.details["model"]),
        str(seen.details["weight_format"]),
        seen.software,
        str(seen.details["tokens"]),
        f"{seen.value:.5g}",
        "tokens/s",
        str(seen.count),
        seen.source,
        seen.url,
        _date(seen.date),
    )


_UNITS = {
    "resnet50": "images/s",
    "ssd300": "images/s",
    "bert_large": "sequences/s",
    "gnmt": "tokens/s",
    "tacotron2": "mel frames/s",
    "transformer_xl": "tokens/s",
}


def _training(seen: Seen) -> tuple[str, ...]:
    network = str(seen.details["network"])
    return (
        seen.card,
        network,
        "",
        str(seen.details["precision"]),
        seen.software,
        f"{batch_of(seen):.0f}",
        f"{seen.value:.6g}",
        _UNITS[network],
        str(seen.count),
        "Lambda deep-learning benchmark",
        seen.url,
        _date(seen.date),
    )


def _date(text: str) -> str:
    found = re.search(r"\d{4}-\d{2}(?:-\d{2})?$|\d{4}-\d{2}(?:-\d{2})?", text)
    return found[0] if found else text
