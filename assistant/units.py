"""One table of units that can be exchanged for each other without a further figure.

A literal such as "1.6 kW", "9.6 months" or "51 $/day" is bound to a field in W, days or $/h through it.
"""

from __future__ import annotations

HOURS_PER_DAY = 24.0
HOURS_PER_YEAR = 8760.0
HOURS_PER_MONTH = HOURS_PER_YEAR / 12
HOURS_PER_WEEK = 168.0
_CURRENCIES = ("USD", "CNY", "EUR", "GBP", "JPY", "¥")

# unit -> (what it measures, factor to that measure's own unit)
_MEASURES: dict[str, tuple[str, float]] = {
    "W": ("W", 1.0),
    "kW": ("W", 1e3),
    "kWh": ("kWh", 1.0),
    "GB": ("GB", 1.0),
    "GiB": ("GB", 1.073741824),
    "MB": ("GB", 1e-3),
    "KB": ("GB", 1e-6),
    "TB": ("GB", 1e3),
    "GB/s": ("GB/s", 1.0),
    "TB/s": ("GB/s", 1e3),
    "h": ("h", 1.0),
    "days": ("h", HOURS_PER_DAY),
    "months": ("h", HOURS_PER_MONTH),
    "years": ("h", HOURS_PER_YEAR),
    "s": ("h", 1 / 3600),
    "ms": ("h", 1 / 3.6e6),
    "fraction": ("fraction", 1.0),
    "h/day": ("fraction", 1 / HOURS_PER_DAY),
    "h/week": ("fraction", 1 / HOURS_PER_WEEK),
    "h/month": ("fraction", 1 / HOURS_PER_MONTH),
    "h/year": ("fraction", 1 / HOURS_PER_YEAR),
    "kg": ("kg", 1.0),
    "t": ("kg", 1e3),
    "g/kWh": ("g/kWh", 1.0),
    "kg/kWh": ("g/kWh", 1e3),
    "": ("count", 1.0),
    "cards": ("count", 1.0),
    "MHz": ("MHz", 1.0),
    "BTU/h": ("btu/h", 1.0),
    "kVA": ("VA", 1e3),
    "TFLOPS": ("TFLOPS", 1.0),
    "TOPS": ("TFLOPS", 1.0),
    "kWh/year": ("kWh/h", 1 / HOURS_PER_YEAR),
    "kWh/month": ("kWh/h", 1 / HOURS_PER_MONTH),
    "kWh/day": ("kWh/h", 1 / HOURS_PER_DAY),
}
for _currency in _CURRENCIES:
    for _span, _hours in (
        ("h", 1.0),
        ("day", HOURS_PER_DAY),
        ("week", HOURS_PER_WEEK),
        ("month", HOURS_PER_MONTH),
        ("year", HOURS_PER_YEAR),
    ):
        _MEASURES[f"{_currency}/{_span}"] = (f"{_currency}/h", 1 / _hours)


def measured(unit: str) -> tuple[str, float]:
    """Return what a unit measures and its factor; an unknown unit measures itself."""
    return _MEASURES.get(unit, (unit, 1.0))
