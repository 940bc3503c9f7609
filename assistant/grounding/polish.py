"""The figures inside a tool's own sentence, written as the figures of an answer are.

Steps keep every digit, because they show how a figure came about; a sentence is read.
"""

from __future__ import annotations

import re

# A figure of four digits and more before a unit, or one with decimals that nobody needs; years, names and dates have none.
_UNIT = r"(?:k?W|kWh|VA|USD|GB|GiB|MB|kg|h|hours?|days?|tokens?(?:/s)?|TFLOPS|GB/s|cycles|BTU/h|mm|美元|瓦|度|千克|公斤|小时|天|个 token|周期|毫米)"
_FIGURE = re.compile(
    rf"(?<![\w.,/:*×+=-])(?<![*×+=/] )(?:\d{{4,}}(?:\.\d+)?|\d{{3}}\.\d+)(?= ?{_UNIT}(?![A-Za-z]))(?!\s?\w*\s?[*×=])"
)
# Fields whose text shows a computation.
_EXACT = frozenset({"steps", "expression"})


def polished(text: str, name: str) -> str:
    """Return a sentence with its long figures rounded to whole ones and grouped by thousands.

    Args:
        text: A text of a result.
        name: Its field.
    """
    if name in _EXACT:
        return text
    return _FIGURE.sub(lambda hit: f"{float(hit[0]):,.0f}", text)
