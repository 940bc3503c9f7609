"""Whose a figure is where the words leave no doubt: a card's own, or that of each of several cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from assistant.grounding.facts import Fact, Index
from assistant.grounding.layout import Layout, Subject
from assistant.letters import small
from assistant.numerals import Numeral
from assistant.units import measured

# Counts, shares and spans are seldom a card's own: "RTX 3090 for 100 hours".
_OF_ANYTHING = ("count", "fraction", "x", "h")
# What may stand between a card and a figure of its own.
_HAS = re.compile(
    r"(?:[\s:：,，|(（=*_`~≈—–-]|'s\b|\b(?:s|draws?|uses?|takes?|pulls?|consumes?|needs?|has|have|is|are|costs?|offers?|"
    r"delivers?|reaches|writes|generates|does|reads|runs|rents|sells|at|for|about|around|roughly|nearly|almost|only|just|"
    r"up|to|a|an|the|of|its|rated|board|power|draw|consumption|tdp|tgp|memory|vram|bandwidth|price|speed|rate|alone|"
    r"itself|each|under|load|full|and|also|with|still|cards?|gpus?|typically|usually|would|will|can|may)\b|"
    r"功耗|功率|显存|带宽|价格|售价|租金|速度|满载|单卡|整卡|一张|每张|每秒|每小时|额定|达到?|高达|可达|最高|大约|大概|需要?|"
    r"耗电?|卖|租|跑|吃|花|用|要|的|是|为|有|约|只|仅|在|时|也|就|得)*",
    re.IGNORECASE | re.ASCII,
)
_BEHIND = re.compile(
    r"[\s)*_`]*(?:for|of|on|per|from|的)?\s*(?:the|an?|one|each|single|every)?\s*(?:nvidia|geforce|amd)?\s*",
    re.IGNORECASE,
)
# Something else that the figure may belong to; in small letters.
_OTHER_OWNER = re.compile(
    r"suppl|\bpsus?\b|limit|\bcap\b|budget|machine|system|desktop|build|breaker|outlet|socket|wall|total|cloud|电源|限|预算|"
    r"整机|机器|插座|空开|总|云"
)
# The same without its boundaries, which is quicker to search for: what has no hint has no such words.
_HINT = re.compile(_OTHER_OWNER.pattern.replace(r"\b", ""))
_EACH_BEHIND = re.compile(r"\s*(?:each\b|apiece|(?:per|a) (?:card|gpu)\b)", re.IGNORECASE)
_EACH_BEFORE = re.compile(r"(?:每张卡?|每块卡?|每卡|单卡|各)(?:限|限到|只)?\s*$")
_OF_ALL = re.compile(r"^(?:gpu_w|cards_w|board_power_w|heat_w|system_w|wall_w|platform_w|total_.*|saved_w)$")


def is_of_a_card(numeral: Numeral, layout: Layout) -> bool:
    """Whether the text says a figure of a card itself: "the RTX 3090 draws 350 W", "350 W for the RTX 3090"."""
    if not layout.named or measured(numeral.unit)[0] in _OF_ANYTHING:
        return False
    text = layout.text
    found = layout.cell(numeral.start)
    if found is not None:
        spans = (found.span, found.label, found.head)
        return not any(_has_other_owner(text[span.start : span.end]) for span in spans)
    here = layout.within(layout.sentence(numeral.start), True)
    if not here or _OTHER_OWNER.match(small(text[numeral.end : numeral.end + 24]).lstrip(" -").removeprefix("power ")):
        return False
    behind = next((item for item in here if item.start >= numeral.end), None)
    if behind and _BEHIND.fullmatch(text, numeral.end, behind.start):
        return True
    before = next((item for item in reversed(here) if item.end <= numeral.start), None)
    return before is not None and bool(_HAS.fullmatch(text, before.end, numeral.start))


@lru_cache(maxsize=4096)
def _has_other_owner(cell: str) -> bool:
    """Whether a cell names something else; heads and labels stand beside many figures."""
    low = small(cell)
    return bool(_HINT.search(low) and _OTHER_OWNER.search(low))


def of_the_card(facts: Sequence[Fact], subject: Subject) -> list[Fact]:
    """Keep the figures of the subject's cards, and what the person said of them."""
    cards = subject.cards
    return [fact for fact in facts if not cards or fact.cards & cards or fact.heard & cards]


def is_of_each(numeral: Numeral, text: str) -> bool:
    """ "300 W each", "每张 300 W"."""
    if _EACH_BEHIND.match(text, numeral.end):
        return True
    before = text[max(0, numeral.start - 8) : numeral.start]
    return not before.isascii() and bool(_EACH_BEFORE.search(before))


def of_each(facts: Sequence[Fact], index: Index) -> list[Fact]:
    """Drop the figures of several cards together."""
    return [fact for fact in facts if not (_OF_ALL.match(fact.name) and not fact.in_text and _several(fact, index))]


def _several(fact: Fact, index: Index) -> bool:
    """Whether the call that a fact is from is about more than one card."""
    call = f"{fact.ref.partition('.')[0]}.arguments."
    counts = [other.value for ref, other in index.by_ref.items() if ref.startswith(call) and other.unit == "cards"]
    return sum(counts) > 1
