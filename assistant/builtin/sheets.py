"""Data sheets of cards by their full names; a name is looked up once."""

from __future__ import annotations

from functools import cache
from typing import Any

from tools.api import find


@cache
def sheet(name: str) -> Any:
    """Return the catalogue's row of a card whose name is known."""
    return find(name).gpu
