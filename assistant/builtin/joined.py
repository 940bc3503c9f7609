"""Two subjects with one question: "power and cooling of three 4090s?" asks for each of them."""

from __future__ import annotations

import re

from assistant.builtin.frames import frames
from assistant.builtin.rank import SURE

_JOINT = re.compile(r"\s*(?:和|与|及|以及|跟|、|，|\band(?: the| its)?\b|&|\+)\s*", re.IGNORECASE)


def parted(want: str) -> tuple[str, ...]:
    """Return a question once for each of two subjects that a joint word ties, or as it is.

    A subject is what a tool is surely known by; the two must be those of different tools.
    """
    subjects = [
        (hit.start(), hit.end(), frame.tool)
        for frame in frames().values()
        for cue in frame.cues
        if cue.weight >= SURE
        for hit in cue.pattern.finditer(want)
    ]
    for start, end, tool in subjects:
        for later, last, other in subjects:
            if tool != other and later > end and _JOINT.fullmatch(want[end:later]):
                first, second = (want[:start] + want[a:b] + want[last:] for a, b in ((start, end), (later, last)))
                return first, second
    return (want,)
