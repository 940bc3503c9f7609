"""The smaller fits: several cards, mixtures of experts, power limits."""

from __future__ import annotations

import csv
import re
import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import optimize  # pyright: ignore[reportMissingTypeStubs]

from scripts._fitting import Prior, Row
from scripts._models import FREE, Group, decode_row, prefill_row
from scripts._observations import Seen, card_of
from tools._efficiency import coefficient
from tools._power_model import relative_speed
from tools._scaling_model import REFERENCE_GB_S, link_kind, scaling_parts
from tools._timing import timing

# scipy ships no types.
_OPTIMIZE: Any = optimize
SCALING_EXPONENT = 1.0
# Cards a batch may shrink to for each card before a row no longer tells of scaling (README: BERT on 2080 Ti, 3070).
LEAST_BATCH_SHARE = 0.75
# README: Tacotron2 on four A100 (1.36x) and four RTX 6000 Ada (1.46x) is broken.
_BROKEN = frozenset({("A100 SXM 80GB", "tacotron2"), ("RTX 6000 Ada", "tacotron2")})


@dataclass(frozen=True, slots=True)
class Limited:
    """One measured speed under a power limit, relative to that without."""

    card: str
    source: str
    use: str
    share: float
    full_share: float
    speed: float


def scaling_group(seen: Sequence[Seen]) -> Group:
    """Return the rows of two to four cards over one: time of a step over that on one card."""
    fp16 = [each for each in seen if each.details["precision"] == "fp16"]
    single = {
        (each.card, each.details["network"], each.software): each for each in fp16 if each.details["gpu_count"] == 1
    }
    rows: list[Row] = []
    for each in fp16:
        one, cards = single.get((each.card, each.details["network"], each.software)), int(each.details["gpu_count"])
        if cards < 2 or one is None or each.details["link"] or (each.card, each.details["network"]) in _BROKEN:
            continue
        batch, whole = float(one.details["batch"]), float(each.details["batch"])
        if batch and whole and whole / cards < LEAST_BATCH_SHARE * batch:
            continue
        parts = scaling_parts(
            str(each.details["network"]),
            cards,
            one.value / (batch or 1.0),
            link_kind(each.gpu),
            REFERENCE_GB_S,
            coefficient("scaling.bus_exponent"),
        )
        rows.append(Row(each.card, cards * one.value / each.value, parts, each))
    return Group("scaling", rows, _scaling_prior, SCALING_EXPONENT, lambda row: row.seen.details["gpu_count"] == 4)


def _scaling_prior(name: str) -> Prior:
    # Waiting is the guide's figure for eight cards, which no public row can give.
    if name == "scaling.waiting":
        return Prior(coefficient("scaling.waiting"), 1e-4)
    return Prior(0.5 if name == "scaling.peer" else 0.05, FREE if name == "scaling.peer" else 3.0)


def mixture_factors(
    seen: Sequence[Seen], factors: Mapping[str, float], exponents: Mapping[str, float]
) -> list[tuple[str, float, int]]:
    """Return how much more a mixture of experts reads, and how much longer its prompts take, than its active part."""
    rows = [each for each in seen if each.details["model"] == "gpt-oss-20b" and each.gpu.vendor == "NVIDIA"]
    found: list[tuple[str, float, int]] = []
    for workload, build, name in (
        ("decode", decode_row, "decode.moe_read_factor"),
        ("prefill", prefill_row, "prefill.moe_slowdown"),
    ):
        own = [build(each) for each in rows if each.workload == workload]

        def cost(scale: float, own: list[Row] = own, workload: str = workload) -> float:
            gaps = [np.log(_scaled(row, scale, factors, exponents[workload]) / row.time) for row in own]
            return float(np.abs(gaps).sum())

        best = _OPTIMIZE.minimize_scalar(cost, bounds=(0.3, 8), method="bounded")
        before = coefficient(name) if workload == "decode" else 1.0
        found.append((name, float(best.x) * before, len(own)))
    return found


def _scaled(row: Row, scale: float, factors: Mapping[str, float], exponent: float) -> float:
    times = timing(row.parts, exponent, factors)
    fixed = times.parts["fixed"]
    return (times.total - fixed) * scale + fixed


def layer_split(folder: Path) -> tuple[float, float, int]:
    """Return what one further card costs a single token, and how much of the ideal overlap prompts reach."""
    rates: dict[tuple[str, str, int], float] = {}
    with (folder / "llm_llama3_1to8gpu.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            rates[row["gpu_name"], row["workload"], int(row["gpu_count"])] = float(row["value"])
    losses: list[float] = []
    reached: list[float] = []
    for (gpu, workload, cards), rate in rates.items():
        one = rates.get((gpu, workload, 1))
        job = re.search(r"(pp|tg)(\d+)$", workload)
        if cards == 1 or one is None or job is None:
            continue
        if job[1] == "tg":
            losses.append((one / rate - 1) / (cards - 1))
        elif int(job[2]) >= 1024:
            chunks = int(job[2]) / 512
            ideal = chunks * cards / (chunks + cards - 1)
            reached.append((rate / one - 1) / (ideal - 1))
    return statistics.median(losses), statistics.median(reached), len(losses) + len(reached)


_SHARES = re.compile(r"power_limit_W=(\d+)")


def limited(folder: Path) -> list[Limited]:
    """Return the speeds under a limit; probes too short to heat a card and vague rows are left out."""
    found: list[Limited] = []
    groups: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    with (folder / "power_limit.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            watts, value = _SHARES.search(row["notes"]), row["value"]
            if row["source"].startswith("qwertyforce") and watts:
                use = "fp32" if row["precision"] == "FP32" else "matrix"
                found.append(
                    Limited("RTX 3090", "qwertyforce", use, float(watts[1]) / 350, 480 / 350, float(value) / 100)
                )
            elif row["source"].startswith("Puget") and watts:
                found.append(Limited("RTX 3090", "Puget", "matrix", float(watts[1]) / 350, 1.0, float(value) / 100))
            elif "gpu-burn" in row["workload"]:
                found.append(Limited("RTX 3090", "nodehome", "burn", 250 / 350, 300 / 350, 1 + float(value) / 100))
            elif row["source"].startswith("jeanfbrito"):
                found.append(Limited("RTX 3090", "jeanfbrito", "decode", 280 / 350, 1.0, 1 - float(value) / 100))
            elif share := re.search(r"power limit (70|60)%", row["workload"]):
                found.append(Limited("RTX 4090", "Meyer", "decode", float(share[1]) / 100, 1.0, float(value) / 100))
            elif "decode" in row["workload"] and watts:
                groups[row["gpu_name"], row["workload"].split(",")[0]].append((float(watts[1]), float(value)))
    for (label, _), points in groups.items():
        gpu = card_of(label.replace(" FTW3", ""))
        top, best = max(points)
        if gpu and gpu.board_power_w:
            found += [
                Limited(gpu.name, label, "decode", watts / gpu.board_power_w, top / gpu.board_power_w, value / best)
                for watts, value in points
                if watts < top
            ]
    # Dettmers 2023, section 5.5: an RTX 2080 Ti loses 7 % of BERT-large inference at 210 of 260 W.
    return [*found, Limited("RTX 2080 Ti", "guide", "matrix", 210 / 260, 1.0, 0.93)]


USES = ("decode", "matrix", "fp32", "burn")


def fit_limits(rows: Sequence[Limited]) -> dict[str, float]:
    """Return idle share and power-bound share by use."""

    def unpack(point: Sequence[float]) -> dict[str, float]:
        return {"power_limit.idle": float(point[0])} | {
            f"power_limit.{use}": float(np.exp(value)) for use, value in zip(USES, point[1:], strict=True)
        }

    def gaps(point: Sequence[float]) -> list[float]:
        factors = unpack(point)
        errors = [limited_speed(each, factors) - each.speed for each in rows]
        return [*errors, *(0.01 * (np.asarray(point[1:]) - np.log([0.5, 0.7, 1.0, 2.0]))), 0.1 * (point[0] - 0.25)]

    bounds = ([0.0, -3, -3, -3, -3], [0.29, 2, 2, 2, 2])
    best = _OPTIMIZE.least_squares(gaps, [0.2, -0.7, -0.4, 0.0, 0.7], bounds=bounds, loss="soft_l1", f_scale=0.03)
    return unpack([float(value) for value in best.x])


def limited_speed(each: Limited, factors: Mapping[str, float]) -> float:
    """Return the predicted speed under a limit, relative to that at the full share."""
    bound, idle = factors[f"power_limit.{each.use}"], factors["power_limit.idle"]
    return relative_speed(each.share, bound, idle) / relative_speed(each.full_share, bound, idle)


def limits_left_out(rows: Sequence[Limited]) -> list[tuple[Limited, float]]:
    """Predict each row without its source; where a kind of work has one source only, without the row.

    A kind of work with a single row cannot be judged and is left out of the table.
    """
    found: list[tuple[Limited, float]] = []
    for each in rows:
        others = [row for row in rows if row.use == each.use and row.source != each.source]
        rest = [row for row in rows if (row.source != each.source if others else row is not each)]
        if any(row.use == each.use for row in rest):
            found.append((each, limited_speed(each, fit_limits(rest))))
    return found
