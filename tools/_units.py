"""The unit of a field is the end of its name; this is the one list of endings."""

from __future__ import annotations

UNIT_OF_ENDING = {
    "usd_per_million_tokens": "USD/1M tokens",
    "usd_per_kwh": "USD/kWh",
    "usd_per_h": "USD/h",
    "usd_per_year": "USD/year",
    "usd_per_month": "USD/month",
    "usd_per_day": "USD/day",
    "usd_at_horizon": "USD",
    "usd_per_gb_month": "USD/GB/month",
    "usd_per_gb": "USD/GB",
    "gb_per_month": "GB/month",
    "usd_per_t": "USD/t",
    "kwh_per_year": "kWh/year",
    "kwh_per_million_tokens": "kWh/1M tokens",
    "g_per_kwh": "g/kWh",
    "kg_per_kwh": "kg/kWh",
    "kg_per_km": "kg/km",
    "km_by_car": "km",
    "relative_per_1000_usd": "x/1000 USD",
    "tokens_per_s": "tokens/s",
    "samples_per_s": "samples/s",
    "bytes_per_token": "B/token",
    "hours_per_week": "h/week",
    "hours_per_month": "h/month",
    "btu_per_h": "BTU/h",
    "gbit_s": "Gbit/s",
    "gb_s": "GB/s",
    "tb_s": "TB/s",
    "gib": "GiB",
    "gb": "GB",
    "mb": "MB",
    "kb": "KB",
    "tflops": "TFLOPS",
    "tops": "TOPS",
    "mhz": "MHz",
    "mm": "mm",
    "usd": "USD",
    "cny": "CNY",
    "kwh": "kWh",
    "kva": "kVA",
    "va": "VA",
    "kw": "kW",
    "w": "W",
    "v": "V",
    "a": "A",
    "kg": "kg",
    "km": "km",
    "c": "°C",
    "t": "t",
    "ms": "ms",
    "s": "s",
    "days": "days",
    "hours": "h",
    "months": "months",
    "years": "years",
    "cycles": "cycles",
    "tokens": "tokens",
    "slots": "slots",
    "slots_needed": "slots",
    "lanes": "lanes",
    "cards": "cards",
    "threads": "threads",
    "operations": "operations",
    "utilization": "fraction",
    "efficiency": "fraction",
    "share": "fraction",
    "loss": "fraction",
    "resale": "fraction",
    "relative": "x",
    "speedup": "x",
    "ratio": "x",
    "relative_speed": "x",
    "b": "1e9",
}


def unit_of(field: str) -> str:
    """Return the unit that the name of a result field or an argument ends in, "" for none.

    `_low` and `_high` are bounds of the same quantity and carry its unit.
    """
    stem = field.removesuffix("_low").removesuffix("_high")
    words = stem.split("_")
    for start in range(len(words)):
        ending = "_".join(words[start:])
        if ending in UNIT_OF_ENDING and (start > 0 or len(ending) > 1):
            return UNIT_OF_ENDING[ending]
    return ""


def figure(value: float) -> str:
    """Write a number for a step: at most six significant digits, no trailing zeros."""
    if abs(value) >= 100_000:
        return f"{value:,.0f}"
    return f"{value:.6g}"
