"""Deterministic tools: typed arguments in, a frozen result with steps and sources out."""
