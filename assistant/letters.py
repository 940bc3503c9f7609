"""Text folded sign by sign, so that positions stay, and patterns that are quick to look for in it.

The guard reads every text that is shown. A pattern that ignores case tries each of its words at each place of a text; over
small letters, with its words sorted by how they begin, it tries hardly any.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# Full-width signs, one for one. The comma stays: "300，400 W" is two numbers.
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if code != ord("，")} | {ord("￥"): "¥"}
_ANY_WIDE = re.compile("[\uff01-\uff5e￥]")
_SMALL = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def narrow(text: str) -> str:
    """Turn full-width digits and signs into narrow ones, one for one, so that positions stay."""
    return text if text.isascii() or not _ANY_WIDE.search(text) else text.translate(_WIDE)


def small(text: str) -> str:
    """Turn capital letters into small ones, one for one, so that positions stay."""
    folded = text.lower()
    # "İ" becomes two signs.
    return folded if len(folded) == len(text) else text.translate(_SMALL)


def by_first_sign(alternatives: Iterable[str]) -> str:
    """Join alternatives of a pattern, those that begin with the same plain sign behind it; they match as before.

    Args:
        alternatives: Patterns, the one that comes first is tried first; none begins with a group, a class or an option.
    """
    groups: dict[str, list[str]] = {}
    for alternative in alternatives:
        first = alternative[:2] if alternative.startswith("\\") else alternative[:1]
        groups.setdefault(first, []).append(alternative.removeprefix(first))
    return "(?:" + "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in groups.items()) + ")"
