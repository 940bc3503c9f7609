"""Take a message apart: sentences that tell something and sentences that ask for something."""

from __future__ import annotations

import re
from dataclasses import dataclass

# A sentence ends at these, but not inside "3.5" or "e.g.".
_END = re.compile(r"(?<=[。！？；;?!\n])|(?<=\.)\s+(?=[A-Z\"'(])")
_ASKS = re.compile(
    r"[?？]\s*$|^\W*(?:(?:and|so|also|then|please|but)[ ,]+)*(?:what|how|which|who|why|when|where|is|are|was|does|do|did|can|could|"
    r"should|would|will|may|give|tell|compute|calculate|convert|compare|plan|show|estimate|confirm|list|recommend|name|"
    r"find|check)\b|\bhow (?:much|many|long|fast|large|big)\W*$|多少|多大|多久|几(?:张|度|瓦|天|年|个|倍|块)|吗\s*[。？]?$|呢\s*[。？]?$|什么|怎么|如何|哪|是不是|能不能|行不行|够不够|"
    r"[帮给]我|请(?:算|问|把)|算一下|算算|比一比|比较一下",
    re.IGNORECASE | re.ASCII,
)
# Inside one sentence a second question begins: ", and how many amps is that", "，换成 0.6 呢".
_SECOND = re.compile(
    r"[,，;；:：]\s*(?:and |also |but |plus )?(?=(?:how (?:much|many|long|fast|far|large|big)|what|which|is (?:it|that|a|the)|"
    r"does|can|should|would|why)\b)|(?:[,，、;；]\s*|\s)and (?=(?:how (?:much|many|long|fast|far)|what (?:does|is|are|will)|which|"
    r"is (?:it|a|the|that)|why|does|should i|would)\b)|[，；]\s*(?=(?:每月|每年|每天|换成|改成|再|另外|还有|能|要)?[^，；。？]{0,12}"
    r"(?:多少|多久|几度|几张|多大|够不够|行不行|吗[？?]))",
    re.IGNORECASE | re.ASCII,
)
# "If I drop it to 280 W, how much …": the condition belongs to what is asked.
_CONDITION = re.compile(
    r"^\W*(?:if|when|with|for|at|given|suppose|say|assuming|from|since|because|on|in|by|as)\b|"
    r"^\W*(?:如果|要是|假如|按|用|当|拿|以|在|把|若|就|只看)",
    re.IGNORECASE | re.ASCII,
)
_SHORTEST = 4


@dataclass(frozen=True, slots=True)
class Wants:
    """What a message tells and what it asks, in order."""

    facts: tuple[str, ...]
    asked: tuple[str, ...]


def wants(text: str) -> Wants:
    """Split a message into facts and questions; a message without a question mark is one question."""
    facts: list[str] = []
    asked: list[str] = []
    for sentence in (part.strip() for part in _END.split(text)):
        if not sentence:
            continue
        if not _ASKS.search(sentence):
            facts.append(sentence)
            continue
        for part in _parted(sentence):
            (asked if _ASKS.search(part) else facts).append(part)
    return Wants(tuple(facts), tuple(asked))


def _parted(sentence: str) -> list[str]:
    """Cut a sentence before its second question; what stands before the first one goes with it."""
    cuts = [hit.start() for hit in _SECOND.finditer(sentence)]
    pieces: list[str] = []
    start = 0
    for cut in [*cuts, len(sentence)]:
        piece = sentence[start:cut].strip(" ,，;；")
        if len(piece) >= _SHORTEST:
            if pieces and not _ASKS.search(pieces[-1]) and _CONDITION.search(pieces[-1]):
                pieces[-1] = f"{pieces[-1]}, {piece}"
            else:
                pieces.append(piece)
        start = cut
    return pieces or [sentence]
