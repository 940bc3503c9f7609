"""A link that computes an answer again: the question, the calls, and the figures as they were then."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence

from assistant.figures import Language, show
from assistant.toolbox import outcome
from assistant.web.compute import compute
from assistant.web.fields import field_label
from tools.api import Json, ToolInputError, get_tool, is_array, is_object, unit_of

LONGEST_LINK = 6000
LONGEST_TEXT = 60_000
MOST_CALLS = 8


def replay_code(question: str, calls: Sequence[Mapping[str, Json]], day: str) -> str:
    """Return what stands in the link, or "" if it would be too long for one."""
    kept = [
        {"tool": call["tool"], "arguments": call["arguments"], "seen": _figures(call["result"])}
        for call in calls
        if "result" in call
    ][:MOST_CALLS]
    written = json.dumps({"q": question[:1000], "day": day, "calls": kept}, ensure_ascii=False, separators=(",", ":"))
    code = base64.urlsafe_b64encode(zlib.compress(written.encode(), 9)).decode().rstrip("=")
    return code if kept and len(code) <= LONGEST_LINK else ""


def _figures(result: Mapping[str, Json]) -> dict[str, float]:
    return {
        name: float(value)
        for name, value in result.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }


def replayed(code: str, language: Language) -> dict[str, Json] | None:
    """Compute a link's calls again.

    Returns:
        Question, day, and for each call what `compute` gives with `differs`: label, then and now of each figure that is
        no longer the same. None if the link is damaged.
    """
    read = _read(code)
    if read is None:
        return None
    calls = [_again(call, language) for call in read["calls"][:MOST_CALLS] if is_object(call)]
    same = all(not call["differs"] and "error" not in call for call in calls)
    return {"question": str(read["q"])[:1000], "day": str(read["day"])[:10], "calls": calls, "same": same}


def _read(code: str) -> dict[str, Json] | None:
    if len(code) > LONGEST_LINK:
        return None
    try:
        packed = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
        plain = zlib.decompressobj().decompress(packed, LONGEST_TEXT)
        read: Json = json.loads(plain)
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        return None
    whole = is_object(read) and {"q", "day", "calls"} <= set(read) and is_array(read["calls"])
    return read if whole else None


def _again(call: Mapping[str, Json], language: Language) -> dict[str, Json]:
    tool, arguments, seen = str(call.get("tool", "")), call.get("arguments"), call.get("seen")
    if not is_object(arguments) or not is_object(seen):
        return {"error": "?", "differs": []}
    try:
        now = compute(tool, arguments, language)
        figures: Mapping[str, Json] = outcome(get_tool(tool), arguments).get("result", {})
    except ToolInputError as error:
        return {"error": str(error), "differs": []}
    differs = [
        {
            "label": field_label(name, language),
            "then": show(float(then), unit_of(name), language),
            "now": _now(figures.get(name), name, language),
        }
        for name, then in seen.items()
        if isinstance(then, (int, float)) and not _equal(then, figures.get(name))
    ]
    return {**now, "differs": differs}


def _equal(then: float, now: Json) -> bool:
    return isinstance(now, (int, float)) and abs(float(now) - float(then)) <= 1e-9 * max(1.0, abs(float(then)))


def _now(value: Json, name: str, language: Language) -> str:
    return show(float(value), unit_of(name), language) if isinstance(value, (int, float)) else "–"
