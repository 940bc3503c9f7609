"""Fit the speed models on the public measurements and write `efficiency.toml` and `measurements.csv`.

`python -m scripts.calibrate ../shared/data/measured`. Coefficients that no measurement gives (n = 0) are kept as they
stand in the file, with their source.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from scripts._extras import (
    SCALING_EXPONENT,
    fit_limits,
    layer_split,
    limited,
    limits_left_out,
    mixture_factors,
    scaling_group,
)
from scripts._facts import write_facts
from scripts._fitting import fit
from scripts._leave_out import COVERAGE, Prediction, half_width, left_out, split
from scripts._meanings import LAMBDA, LLAMA, meaning_of
from scripts._models import (
    DECODE_EXPONENT,
    PREFILL_EXPONENT,
    TRAINING_EXPONENT,
    Group,
    language_groups,
    newer,
    training_groups,
)
from scripts._observations import Seen, language, training
from scripts._write_toml import Coefficient, Error, Factor, write

DATA = Path(__file__).parent.parent / "tools" / "data"
POWER_SOURCES = (
    "qwertyforce, Puget Systems, jeanfbrito, InventiveHQ, calebcoffie, Meyer, nodehome (blogs);"
    " Dettmers 2023, section 5.5"
)


def main(arguments: Sequence[str]) -> None:
    """Fit everything and write the two files."""
    folder = Path(arguments[0])
    spoken, trained = language(folder), training(folder)
    groups = [*language_groups(spoken), *training_groups(trained), scaling_group(trained)]
    found: dict[str, float] = {}
    counts: dict[str, int] = {}
    errors: list[Error] = []
    for group in groups:
        found |= fit(group.rows, group.prior, group.exponent)
        for row in group.rows:
            for name in {name for part in row.parts for name in part.factors}:
                counts[name] = counts.get(name, 0) + 1
        errors += _errors(group, left_out(group))
    single, by_generation = _sorted_out(found, counts)
    single += _extras(folder, spoken, trained, found)
    kept = tomllib.loads((DATA / "efficiency.toml").read_text("utf-8"))
    named = {each.name for each in single}
    fixed = [Coefficient(**row) for row in kept["coefficient"] if row.get("n", 0) == 0 and row["name"] not in named]
    errors.append(_limit_error(folder))
    write(DATA / "efficiency.toml", [*single, *fixed], by_generation, errors, kept["table"])
    rows = write_facts(DATA / "measurements.csv", spoken, trained)
    print(f"{len(single)} coefficients, {len(by_generation)} by generation, {len(errors)} errors, {rows} facts")


def _sorted_out(found: dict[str, float], counts: dict[str, int]) -> tuple[list[Coefficient], list[Factor]]:
    single: list[Coefficient] = []
    tables: dict[str, dict[str, tuple[float, int]]] = {}
    for name, value in sorted(found.items()):
        if "/" in name:
            table, key = name.split("/")
            tables.setdefault(table, {})[key] = (value, counts[name])
        elif not name.startswith("scaling."):
            single.append(Coefficient(name, value, *meaning_of(name)[:2], meaning_of(name)[2], counts[name]))
    factors = [
        Factor(name, f"{name} of a generation over the mean of all.", values, meaning_of(name)[2])
        for name, values in tables.items()
    ]
    return single, factors


def _extras(
    folder: Path, spoken: Sequence[Seen], trained: Sequence[Seen], found: dict[str, float]
) -> list[Coefficient]:
    exponents = {"decode": DECODE_EXPONENT, "prefill": PREFILL_EXPONENT}
    rows = [
        Coefficient(
            f"{kind}.overlap_exponent",
            value,
            "1",
            "Exponent of the smooth maximum of overlapping parts.",
            "Chosen among 1 to 6 by the error with one card left out",
            0,
        )
        for kind, value in (*exponents.items(), ("training", TRAINING_EXPONENT), ("scaling", SCALING_EXPONENT))
    ]
    texts = {
        "decode.moe_read_factor": "A mixture of experts takes the time of this many times its active weights.",
        "prefill.moe_slowdown": "A prompt on a mixture takes this many times what its active weights would.",
    }
    rows += [
        Coefficient(name, value, "1", texts[name], "llama.cpp gpt-oss guide, NVIDIA cards", count)
        for name, value, count in mixture_factors(spoken, found, exponents)
    ]
    loss, reached, count = layer_split(folder)
    split_source = "XiongjieDai/GPU-Benchmarks-on-LLM-Inference, 2024-05, 2 to 6 cards"
    rows += [
        Coefficient(
            "decode.layer_split_loss",
            loss,
            "1",
            "Each further card of a layer split makes a token this much slower.",
            split_source,
            count,
        ),
        Coefficient(
            "prefill.layer_split_share",
            reached,
            "1",
            "Share of the ideal overlap of 512-token chunks that a layer split reaches.",
            split_source,
            count,
        ),
    ]
    limits = limited(folder)
    rows += [
        Coefficient(name, value, "1", _LIMIT_TEXTS[name.rsplit(".", 1)[-1]], POWER_SOURCES, len(limits))
        for name, value in fit_limits(limits).items()
    ]
    group = scaling_group(trained)
    rows += [
        Coefficient(
            name,
            value,
            "s" if "exchange" in name else "1",
            "Share of the exchange that is left with direct transfers between cards."
            if "peer" in name
            else "Exchange of gradients that is not hidden, over PCIe 4.0 x16 through main memory.",
            LAMBDA,
            sum(any(name in part.factors for part in row.parts) for row in group.rows),
        )
        for name, value in found.items()
        if name.startswith("scaling.") and name != "scaling.waiting"
    ]
    return rows


def _limit_error(folder: Path) -> Error:
    gaps = sorted(abs(guess - each.speed) for each, guess in limits_left_out(limited(folder)))
    return Error("power_limit", gaps[int(COVERAGE * len(gaps))], len(gaps), POWER_SOURCES)


_LIMIT_TEXTS = {
    "idle": "Share of the board power that does no work.",
    "decode": "Power-bound time at full power over the rest, writing tokens.",
    "matrix": "Power-bound time at full power over the rest, work on matrix units: prompts and training.",
    "fp32": "Power-bound time at full power over the rest, training in plain FP32.",
    "burn": "Power-bound time at full power over the rest, burn tests (gpu-burn).",
}


def _errors(group: Group, predictions: list[Prediction]) -> list[Error]:
    judged = [each for each in predictions if group.judged(each.row)]
    source = LLAMA if group.name.startswith(("decode", "prefill")) else LAMBDA
    if group.name == "decode.nvidia":
        new, old = split(judged, newer)
        return [
            Error(f"{group.name}.newer", half_width(new), len(new), source),
            Error(f"{group.name}.older", half_width(old), len(old), source),
        ]
    if group.name == "scaling":
        names = sorted({str(each.row.seen.details["network"]) for each in judged})
        return [
            Error(
                f"scaling.{name}",
                half_width([each for each in judged if each.row.seen.details["network"] == name]),
                sum(each.row.seen.details["network"] == name for each in judged),
                source,
            )
            for name in names
        ]
    return [Error(group.name, half_width(judged), len(judged), source)]


if __name__ == "__main__":
    main(sys.argv[1:])
