"""Names in an answer: cards and models that the evidence speaks of, and terms with digits (FP16, PCIe 4.0)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from assistant.grounding.claim_words import claims_in
from assistant.grounding.facts import cards_of, numbers_of
from assistant.grounding.layout import Layout, Named, Span
from assistant.grounding.records import Evidence, Unbound
from assistant.names import terms_in

# A bare number is a count of bits only before "bit": "12VHPWR" and "8-pin" are plugs.
_BITS = re.compile(r"^(?:(?:fp|bf|int|nf|uint|i?q)\s?_?(\d+)|(\d+)\s?-?(?:bit|位))", re.IGNORECASE)
_FAMILY = re.compile(
    r"^(pci\s?e(?:xpress)?|zero|gddr|ddr|hbm|atx|cuda|sm_|rdna|cdna|v|l)[\s-]*(?:gen\s?)?([\w.]+)", re.IGNORECASE
)
_ACTS = re.compile(r"\b(?:buy|take|choose|get|rent|pick|recommend)\b|买|选|租|推荐|建议", re.IGNORECASE)
_EXAMPLE = re.compile(r"e\.g\.|for example|such as|\blike\b|例如|比如|譬如", re.IGNORECASE)


def heard_in(evidence: Evidence, cited: Sequence[str]) -> str:
    """Return everything that results, the person and cited passages say, in small letters."""
    passages = [
        f"{evidence.citations[ref].get('title', '')} {evidence.citations[ref].get('text', '')}" for ref in cited
    ]
    # "H100" of the person's may be any card that the catalogue has by this name.
    meant = [name for said in evidence.user for card in cards_of(said) for name in (card.name, *card.others) if name]
    return evidence.words + " \n ".join([*passages, *meant]).lower()


def spans_of_names(layout: Layout, heard: str) -> list[tuple[int, int]]:
    """Return the spans whose digits are part of a name that may be used."""
    spans = [(start, end) for start, end, _ in layout.terms]
    spans += [(start, end) for start, end, _ in layout.models]
    spans += [
        (card.start, card.end)
        for card in layout.mentions
        if card.name is not None or card.text.lower().strip() in heard
    ]
    return spans


def strangers(
    layout: Layout, heard: str, quoted: Sequence[tuple[int, int]], said: Callable[[str], bool]
) -> Iterator[Unbound]:
    """Yield names that a sentence claims something of although nothing that was heard speaks of them.

    Args:
        layout: The text.
        heard: What `heard_in` returns.
        quoted: Spans that are somebody's own words.
        said: Whether the tools say a sentence themselves.
    """
    known = _members(heard)
    for span in layout.sentences:
        text = layout.text[span.start : span.end]
        if text.rstrip().endswith(("?", "？")) or any(
            start <= span.start and span.end <= end + 2 for start, end in quoted
        ):
            continue
        found = list(_strange(layout, span, text, known, heard, quoted))
        if found and not said(text):
            yield from found


def _strange(
    layout: Layout, span: Span, text: str, known: dict[str, set[str]], heard: str, quoted: Sequence[tuple[int, int]]
) -> Iterator[Unbound]:
    here = [item for item in layout.named if span.start <= item.start < span.end]
    if here and (_claims(text, layout, here, span.start) or _ACTS.search(text)) and not _EXAMPLE.search(text):
        for item in here:
            shown = layout.text[item.start : item.end]
            if not _heard(item, shown, heard) and not any(start <= item.start < end for start, end in quoted):
                yield Unbound(shown, "nothing that was computed, quoted or said is about it")
    for at, _, term in layout.terms:
        if not span.start <= at < span.end:
            continue
        family, member = _member(term)
        if family in known and member not in known[family] and not any(left <= at < right for left, right in quoted):
            yield Unbound(term, f"the results are about {', '.join(sorted(known[family]))}")


def _claims(text: str, layout: Layout, here: Sequence[Named], at: int) -> bool:
    named = [(item.start - at, item.end - at) for item in here]
    terms = [(start - at, end - at) for start, end, _ in layout.terms]
    figures = [
        number for number in numbers_of(text) if not any(start <= number.start < end for start, end in (*named, *terms))
    ]
    return bool(figures or claims_in(text))


def _heard(item: Named, shown: str, heard: str) -> bool:
    keys = (*item.keys, shown.strip())
    return any(key.lower() in heard for key in keys) or any(
        key.lower().replace(" ", "") in _flat(heard) for key in keys
    )


@lru_cache(maxsize=64)
def _flat(heard: str) -> str:
    return heard.replace("-", "").replace(" ", "").replace("_", "")


def _member(term: str) -> tuple[str, str]:
    """Return the family of a term and which of it: ("bits", "16"), ("pcie", "4")."""
    bits = _BITS.match(term)
    if bits:
        return "bits", bits[1] or bits[2]
    family = _FAMILY.match(term)
    if not family:
        return "", term
    return family[1].lower().replace(" ", "").replace("xpress", ""), family[2].lower().removesuffix(".0")


@lru_cache(maxsize=64)
def _members(heard: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for _, _, term in terms_in(heard):
        family, member = _member(term)
        if family:
            found.setdefault(family, set()).add(member)
    return found
