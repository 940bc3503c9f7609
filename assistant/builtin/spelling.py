"""Mend slips of the finger in the field's English words, so that "mcuh powr" is read as "much power"."""

from __future__ import annotations

import re
from functools import cache

_OF_THE_FIELD = (
    "power supply supplies watts wattage memory bandwidth electricity tokens token second seconds million training train inference "
    "finetune finetuning fine-tune fine-tuning model models cards card machine server utilization utilisation budget recommend "
    "together total draw draws cache context length batch sequence weights enough cooling temperature slots slot board motherboard "
    "carbon emissions emission footprint hours hour days month monthly yearly year years cloud rent rental price cost costs cheaper "
    "break-even faster slower speed performance value dollar dollars limit limited efficiency outlet circuit breaker desktop "
    "much many which what does need needs long fast large quantized quantised users concurrent layers parameters adapter compare "
    "difference gigabytes interconnect prompt between should would could under over busy unit units fits fitting dense sparse cycles "
    "tensor cores core launch architecture"
)
WORDS = frozenset(_OF_THE_FIELD.split())
_WORD = re.compile(r"(?<![\w-])[A-Za-z]{4,14}(?![\w'’-])", re.ASCII)
# Words of everyday English that lie one slip away from a word above.
_NEAR_THEM = (
    "one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy eighty ninety "
    "hundred thousand billion with from that this have their they each after also into more than then powder tower model's cast cords cared costly form then them than there these those whose went were where hose lose loss "
    "cart care learn load lead lend rend pries prize priced timed tined broad mouth moth boards beard least last lest leash "
    "weight limits units unite untie yeas hers ours usher user used uses trail trains treat threat third here hear heard "
    "with wits bath watch match latch heads hands cores cared scores score fast feast fact cash catch ache coast cists "
    "most must mast once ones many money mane main mean week weeks sped sleep slower lower flower spend spent send sells "
    "data date days daze tray pray drew drawn drawl fits fists first firs frits shot shots slops slow plot plots hour our "
    "three four pour your tour like likes line lines nice nine note notes even ever never seven eleven given rive"
)
_LEAVE = frozenset(_NEAR_THEM.split())


def mended(text: str) -> str:
    """Return a text with misspelt words of the field put right."""
    return _WORD.sub(lambda hit: _mended(hit[0]), text)


@cache
def _mended(word: str) -> str:
    low = word.lower()
    if low in WORDS or low.removesuffix("s") in WORDS or low in _LEAVE or word[1:] != word[1:].lower():
        return word
    near = [
        known for known in WORDS if known[0] == low[0] and abs(len(known) - len(low)) <= 1 and _one_slip(low, known)
    ]
    return near[0] if len(near) == 1 else word


def _one_slip(word: str, known: str) -> bool:
    """Whether two neighbours were swapped, or one letter was left out, doubled or, in a long word, mistyped."""
    if len(word) == len(known):
        wrong = [index for index in range(len(word)) if word[index] != known[index]]
        swapped = (
            len(wrong) == 2
            and wrong[1] == wrong[0] + 1
            and word[wrong[0]] == known[wrong[1]]
            and word[wrong[1]] == known[wrong[0]]
        )
        return swapped or (len(wrong) == 1 and len(word) >= 7)
    short, long = sorted((word, known), key=len)
    return len(short) >= 4 and any(long[:index] + long[index + 1 :] == short for index in range(1, len(long)))
