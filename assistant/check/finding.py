"""What a check says about one figure."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass

from knowledge.articles import Passage
from tools.api import Json


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A figure or a statement that the tools do not confirm.

    Attributes:
        passage: Id of the passage, with its section and position.
        text: The figure as written.
        start: Where it stands in the passage.
        sentence: The sentence around it.
        reason: What the tools say instead, and which tool says so.
        reason_zh: The same in Chinese.
        card: The card that it is about, "" when it is about none.
        field: The field of the tool's result that says otherwise, "" when it is none.
    """

    passage: str
    text: str
    start: int
    sentence: str
    reason: str
    reason_zh: str
    card: str = ""
    field: str = ""

    def to_dict(self) -> dict[str, Json]:
        """Return it as JSON."""
        return asdict(self)


def finding(
    passage: Passage, start: int, text: str, reason: str, reason_zh: str, *, card: str = "", field: str = ""
) -> Finding:
    """Make a finding about `text` at `start` of a passage."""
    return Finding(
        passage=passage.id,
        text=text,
        start=start,
        sentence=sentence_at(passage.text, start),
        reason=reason,
        reason_zh=reason_zh,
        card=card,
        field=field,
    )


def sentence_at(text: str, start: int) -> str:
    """Return the sentence around a position."""
    begin, end = sentence_span(text, start)
    return text[begin:end].strip()


def sentence_span(text: str, start: int) -> tuple[int, int]:
    """Return where the sentence around a position begins and ends."""
    ends = [match.end() for match in re.finditer(r"[。！？!?；;]|\.(?=\s)", text)]
    begin = max((end for end in ends if end <= start), default=0)
    return begin, min((end for end in ends if end > start), default=len(text))
