"""Turn cleaned measurements into rows of parts, one group of rows for each thing that is fitted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from scripts._fitting import Prior, Row
from scripts._observations import Seen
from tools._kv import kv_cache_of
from tools._llm_model import Load, decode_parts, kind_of, prefill_parts
from tools._models import find_model
from tools._physical import physical
from tools._training_model import NETWORKS, largest_batch, training_parts
from tools._work import prompt_operations, weights_read_gb

# Exponents of the smooth maximum of overlapping parts; tried 1 to 6 with cards left out, flat around these.
DECODE_EXPONENT, PREFILL_EXPONENT, TRAINING_EXPONENT = 3.0, 3.0, 1.2
VENDORS = ("nvidia", "apple", "amd", "intel")
# Generations since Ampere, for which users ask most.
NEWER = ("Ampere", "Ada", "Hopper", "Blackwell")


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that are fitted together.

    Attributes:
        name: "decode.nvidia", "training.gnmt", …: what its coefficients begin with.
        rows: Measured times with their parts.
        prior: Start and spread of each coefficient.
        exponent: Of the smooth maximum.
        judged: Which rows count in the table of errors.
    """

    name: str
    rows: list[Row]
    prior: Callable[[str], Prior]
    exponent: float
    judged: Callable[[Row], bool] = lambda row: True


def newer(row: Row) -> bool:
    """Whether a row's card is Ampere or newer."""
    return physical(row.seen.gpu).generation.startswith(NEWER)


def language_groups(seen: Sequence[Seen]) -> list[Group]:
    """Return the groups of decode and prefill, vendors apart."""
    dense = [each for each in seen if each.details["model"] != "gpt-oss-20b"]
    groups: list[Group] = []
    for vendor in VENDORS:
        own = [each for each in dense if physical(each.gpu).vendor == vendor and _best_backend(each, dense)]
        decode = [each for each in own if each.workload == "decode" and each.details["tokens"] in (128, 512, 4096)]
        prefill = [
            each
            for each in own
            if each.workload == "prefill"
            and each.details["tokens"] == 512
            and not (vendor == "nvidia" and _other_program(each))
        ]
        groups.append(
            Group(
                f"decode.{vendor}",
                [decode_row(each) for each in decode],
                _decode_prior,
                DECODE_EXPONENT,
                lambda row: row.seen.details["tokens"] != 4096,
            )
        )
        groups.append(
            Group(
                f"prefill.{vendor}",
                [prefill_row(each) for each in prefill],
                _prefill_prior,
                PREFILL_EXPONENT,
                lambda row: "without" not in physical(row.seen.gpu).generation,
            )
        )
    return groups


def _best_backend(seen: Seen, others: Sequence[Seen]) -> bool:
    """Whether no faster backend was measured for this card and workload: Vulkan rows only fill gaps."""
    if seen.details["backend"] != "vulkan":
        return True
    return not any(
        each.card.split(" (")[0] == seen.card.split(" (")[0]
        and each.details["backend"] != "vulkan"
        and (each.workload, each.details["weight_format"]) == (seen.workload, seen.details["weight_format"])
        for each in others
    )


def _other_program(seen: Seen) -> bool:
    """Whether a prompt ran on other code than today's CUDA build: Vulkan, or quantised weights in May 2024."""
    old = seen.software != "2025" and seen.details["weight_format"] != "FP16"
    return old or seen.details["backend"] == "vulkan"


def load_of(seen: Seen) -> Load:
    """Return the work behind a measurement."""
    name, stored = str(seen.details["model"]), str(seen.details["weight_format"])
    tokens = int(seen.details["tokens"])
    weights, cache_gb, layers, operations = _shape(name, stored, tokens)
    return Load(
        weights, cache_gb, layers, kind_of(stored), operations, str(seen.details["backend"]), seen.software != "2025"
    )


@cache
def _shape(name: str, stored: str, tokens: int) -> tuple[float, float, int, float]:
    model = find_model(name).model
    # llama-bench writes from an empty context, so half of it is read on average.
    cache_gb = kv_cache_of(model, tokens=max(1, tokens // 2), kv_format="FP16", batch_size=1).bytes_total / 1e9
    return weights_read_gb(model, stored, 1), cache_gb, model.layers or 32, prompt_operations(model, tokens, 1)


def decode_row(seen: Seen) -> Row:
    """Return a measured time for a token [ms]."""
    return Row(seen.card, 1000 / seen.value, decode_parts(physical(seen.gpu), load_of(seen)), seen)


def prefill_row(seen: Seen) -> Row:
    """Return a measured time for a prompt [s]."""
    return Row(
        seen.card, float(seen.details["tokens"]) / seen.value, prefill_parts(physical(seen.gpu), load_of(seen)), seen
    )


def training_groups(seen: Sequence[Seen]) -> list[Group]:
    """Return the groups of training, by network and precision."""
    groups: list[Group] = []
    for precision in ("fp16", "fp32"):
        for network in NETWORKS:
            own = [
                each
                for each in seen
                if each.details["gpu_count"] == 1
                and each.details["network"] == network
                and each.details["precision"] == precision
            ]
            rows = [training_row(each) for each in own]
            stem = f"training.{network}" if precision == "fp16" else f"training.{network}_fp32"
            groups.append(Group(stem, rows, _training_prior(rows), TRAINING_EXPONENT, _against_3090))
    return groups


def _against_3090(row: Row) -> bool:
    """Whether the ratio to an RTX 3090 of the same software can be formed (v2 has none)."""
    return row.seen.software != "v2" and row.card != "RTX 3090"


def batch_of(seen: Seen) -> float:
    """Return the batch of one card; v2 states none, so that of its memory is taken."""
    stated = float(seen.details["batch"]) / float(seen.details["gpu_count"])
    return stated or largest_batch(seen.gpu, str(seen.details["network"]), str(seen.details["precision"]))


def training_row(seen: Seen) -> Row:
    """Return a measured time for a sample [s]."""
    parts = training_parts(
        seen.gpu, str(seen.details["network"]), str(seen.details["precision"]), seen.software, batch_of(seen)
    )
    return Row(seen.card, 1 / seen.value, parts, seen)


FREE = 5.0
_DECODE_STARTS = {"memory": 1.05, "requests": 0.6, "cache": 3.0, "fixed": 3.0, "unpack": 0.02, "power": 0.02}


def _decode_prior(name: str) -> Prior:
    """Start of a decode factor; a generation lies within about half (fixed cost) or a sixth (memory) of the mean."""
    if "/" in name:
        return Prior(1.0, 0.15 if ".memory/" in name else 0.5)
    return Prior(_DECODE_STARTS.get(name.rsplit(".", 1)[-1], 1.0), FREE)


_PREFILL_STARTS = {
    "matrix": 0.4,
    "matrix_16bit": 0.4,
    "volta": 0.4,
    "shader": 0.4,
    "power": 0.4,
    "memory": 0.4,
    "fixed": 2.7,
}


def _prefill_prior(name: str) -> Prior:
    """Start of a prefill factor; GTX 16 cards run emulated tensor code and are free of the others."""
    if name.endswith("without tensor cores"):
        return Prior(1.0, FREE)
    if "/" in name:
        return Prior(1.0, 0.19)
    return Prior(_PREFILL_STARTS.get(name.rsplit(".", 1)[-1], 1.0), FREE)


_TRAINING_STARTS = {"tensor": 0.37, "shader": 0.37, "memory": 0.37, "power": 0.14, "step": 0.05, "ecc": 1.0}


def _training_prior(rows: Sequence[Row]) -> Callable[[str], Prior]:
    times = sorted(row.time for row in rows)
    middle = times[len(times) // 2] * 0.37

    def prior(name: str) -> Prior:
        last = name.rsplit(".", 1)[-1]
        if last.startswith("software"):
            return Prior(middle, FREE)
        if last == "old_design":
            return Prior(1.0, 0.3)
        return Prior(_TRAINING_STARTS[last], 1.6)

    return prior
