"""Words without figures or meaning, to fill long documents with."""

WORDS = (
    "cooling",
    "memory",
    "bandwidth",
    "supply",
    "riser",
    "kernel",
    "cache",
    "price",
    "cluster",
    "network",
    "driver",
)
