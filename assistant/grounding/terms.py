"""Names in an answer: cards and models that the evidence speaks of, and terms with digits (FP16, PCIe 4.0)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from assistant.grounding.claim_words import claims_in
from assistant.grounding.cutting import Span
from assistant.grounding.hearing import Heard, member_of
from assistant.grounding.layout import Layout, Named
from assistant.grounding.records import Unbound
from assistant.grounding.sentences import stripped

_ACTS = re.compile(r"\b(?:buy|take|choose|get|rent|pick|recommend)\b|买|选|租|推荐|建议", re.IGNORECASE)
_EXAMPLE = re.compile(r"e\.g\.|for example|such as|\blike\b|例如|比如|譬如", re.IGNORECASE)


def spans_of_names(layout: Layout, heard: Heard) -> list[tuple[int, int]]:
    """Return the spans whose digits are part of a name that may be used."""
    spans = [(start, end) for start, end, _ in layout.terms]
    spans += [(start, end) for start, end, _ in layout.models]
    spans += [
        (card.start, card.end) for card in layout.mentions if card.name is not None or heard.says(card.text.strip())
    ]
    return spans


def strangers(
    layout: Layout, heard: Heard, quoted: Sequence[tuple[int, int]], said: Callable[[str], bool]
) -> Iterator[Unbound]:
    """Yield names that a sentence claims something of although nothing that was heard speaks of them.

    Args:
        layout: The text.
        heard: What was spoken of.
        quoted: Spans that are somebody's own words.
        said: Whether the tools say a sentence themselves.
    """
    starts = [*(item.start for item in layout.named), *(start for start, _, _ in layout.terms)]
    for span in sorted({layout.sentence(start) for start in starts}):
        text = layout.text[span.start : span.end]
        if text.rstrip().endswith(("?", "？")) or any(
            start <= span.start and span.end <= end + 2 for start, end in quoted
        ):
            continue
        found = list(_strange(layout, span, text, heard, quoted))
        if found and not said(text):
            yield from found


def _strange(
    layout: Layout, span: Span, text: str, heard: Heard, quoted: Sequence[tuple[int, int]]
) -> Iterator[Unbound]:
    here = layout.named_within(span)
    if here and (_claims(text, layout, here, span) or _ACTS.search(text)) and not _EXAMPLE.search(text):
        for item in here:
            shown = layout.text[item.start : item.end]
            if not _heard(item, shown, heard) and not any(start <= item.start < end for start, end in quoted):
                yield Unbound(shown, "nothing that was computed, quoted or said is about it")
    for at, _, term in layout.terms:
        if not span.start <= at < span.end:
            continue
        family, member = member_of(term)
        known = heard.members(family)
        if known and member not in known and not any(left <= at < right for left, right in quoted):
            yield Unbound(term, f"the results are about {', '.join(sorted(known))}")


def _claims(text: str, layout: Layout, here: Sequence[Named], span: Span) -> bool:
    names = [(item.start, item.end) for item in here] + [(start, end) for start, end, _ in layout.terms]
    figures = any(
        not any(start <= number.start < end for start, end in names) for number in layout.numbers_within(span)
    )
    return figures or bool(claims_in(stripped(text)))


def _heard(item: Named, shown: str, heard: Heard) -> bool:
    keys = (*item.keys, shown.strip())
    return any(map(heard.says, keys)) or any(map(heard.says_somehow, keys))
