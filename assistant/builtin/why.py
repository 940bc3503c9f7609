""" "Why?" after a computed answer: the formulas with the figures in them, what was assumed, where constants come from."""

from __future__ import annotations

import re
from collections.abc import Mapping

from assistant.builtin.calls import Plan
from assistant.builtin.reading import Reading
from tools.api import Json

_WHY = re.compile(
    r"^\W*(?:but |and |so )?(?:why(?: is that| not| so)?|how (?:come|so|did you (?:get|compute|calculate) (?:that|this|it))|"
    r"show (?:me )?(?:the|your) (?:steps|formulas?|work(?:ing)?))\W*$|"
    r"^\W*(?:为什么(?:呢|啊|这样)?|为啥|怎么算(?:出来)?的|怎么得(?:出|来)的|依据(?:是什么)?|凭什么)\W*$",
    re.IGNORECASE | re.ASCII,
)
_STEPS = 6


def explain(reading: Reading, before: Mapping[str, Mapping[str, Json]]) -> Plan | None:
    """Return the story of the latest computed answer, or None if nobody asks or nothing was computed."""
    if not _WHY.match(reading.text):
        return None
    refs = [ref for ref, outcome in before.items() if outcome.get("result", {}).get("steps")]
    if not refs:
        return None
    ref, result = refs[-1], before[refs[-1]]["result"]
    zh = reading.language == "zh"
    lines = [f"- {{{{{ref}.steps.{at}}}}}" for at in range(min(_STEPS, len(result["steps"])))]
    assumed = "assumptions_zh" if zh else "assumptions"
    said = [f"{{{{{ref}.{assumed}.{at}}}}}" for at in range(len(result[assumed]))]
    head = "是这样算的：" if zh else "This is how it was computed:"
    return Plan(reply="\n".join([head, *lines, *(["", ("" if zh else " ").join(said)] if said else [])]))
