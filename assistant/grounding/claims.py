"""Comparisons, rankings and verdicts are claims: a result must say so, or two figures must stand in that order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from assistant.figures import Language
from assistant.grounding.claim_words import Claim, claims_in
from assistant.grounding.facts import numbers_of
from assistant.grounding.layout import Layout, Span
from assistant.grounding.orders import by_figures
from assistant.grounding.own import Sentence, own_sentences, sentence
from assistant.grounding.records import Evidence, Unbound

# Two sentences with this share of common words say the same thing.
SAME = 0.72
# From here on a sentence of the tools speaks about what the draft's sentence does.
ALIKE = 0.5
# These need support; the others only must not contradict it.
_MUST_HAVE = ("price", "speed", "fit", "saving", "best", "worst")
NO_SUPPORT = "no result says so"
CONTRADICTED = "the results say the opposite"


def unsupported(
    layout: Layout, evidence: Evidence, language: Language, quoted: Sequence[tuple[int, int]], used: Iterable[str] = ()
) -> Iterator[Unbound]:
    """Yield the claims of a text that nothing supports, and sentences that name the wrong card.

    Args:
        layout: The text.
        evidence: Results to hold it against.
        language: Of the text.
        quoted: Spans that are a passage's or a result's own words.
        used: Results that the text's figures come from.
    """
    own: Sequence[Sentence] | None = None
    for span in layout.sentences:
        text = layout.text[span.start : span.end].strip(" \t\n|*#>-")
        if not text or _is_quoted(layout, span, quoted) or text.endswith(("?", "？")):
            continue
        claims = claims_in(text)
        if not claims and not layout.within(span, True) and not numbers_of(text):
            continue
        if own is None:
            own = own_sentences(evidence, language, used)
        if any(text == other.text for other in own):
            continue
        mine = sentence(text)
        yield from _renamed(mine, own)
        yield from _refigured(mine, own)
        for claim in claims:
            why = _refused(claim, mine, own, layout, span, evidence)
            if why:
                yield Unbound(claim.text.strip(), why)


def is_own(text: str, evidence: Evidence, language: Language, used: Iterable[str]) -> bool:
    """Whether the tools say a sentence word for word."""
    plain = text.strip(" \t\n|*#>-")
    return any(plain == other.text for other in own_sentences(evidence, language, used))


def _is_quoted(layout: Layout, span: Span, quoted: Sequence[tuple[int, int]]) -> bool:
    return any(start <= span.start + 4 and span.end <= end + 4 for start, end in quoted) or (
        layout.text[span.start : span.end].lstrip().startswith(">")
    )


def _renamed(mine: Sentence, own: Sequence[Sentence]) -> Iterator[Unbound]:
    """A sentence of the tools in which only the card was exchanged."""
    scored = [(mine.likeness(other), other) for other in own if other.named and other.numbers == mine.numbers]
    best = max((score for score, _ in scored), default=0.0)
    near = [other for score, other in scored if score == best]
    if (
        best >= SAME
        and mine.named
        and not any(other.named == mine.named for other in near)
        and sum(mine.words.values()) > 1
    ):
        strange = mine.named - frozenset[str]().union(*(other.named for other in near))
        yield Unbound(", ".join(sorted(strange or mine.named)), "the results say this of another card or model")


def _refigured(mine: Sentence, own: Sequence[Sentence]) -> Iterator[Unbound]:
    """A sentence of the tools, word for word, in which only a figure was exchanged."""
    kinds = [kind for kind, _ in mine.numbers]
    same = [other for other in own if other.mould == mine.mould and [kind for kind, _ in other.numbers] == kinds]
    if mine.numbers and same and not any(mine.has_figures_of(other) for other in same):
        yield Unbound(mine.text[:60], "the results have other figures in this sentence")


def _refused(
    claim: Claim, mine: Sentence, own: Sequence[Sentence], layout: Layout, span: Span, evidence: Evidence
) -> str:
    """Return why a claim is refused, "" if it is supported."""
    said = _as_the_tools_say(claim, mine, own)
    if said is not None:
        return "" if said else CONTRADICTED
    ordered = by_figures(claim, layout, span, evidence)
    if ordered is not None:
        return "" if ordered else CONTRADICTED
    return NO_SUPPORT if claim.concept in _MUST_HAVE else ""


def _as_the_tools_say(claim: Claim, mine: Sentence, own: Sequence[Sentence]) -> bool | None:
    """Whether the sentence of the tools that is most like this one has the same direction; None without such a one."""
    scored = [
        (mine.likeness(other) + 0.15 * bool(set(mine.numbers) & set(other.numbers)), other)
        for other in own
        if any(word.concept == claim.concept for word in other.claims)
    ]
    scored = [item for item in scored if item[0] >= ALIKE]
    if not scored:
        return None
    best = max(score for score, _ in scored)
    nearest = [other for score, other in scored if score >= best - 0.02]
    return any(
        word.concept == claim.concept and word.polarity == claim.polarity for other in nearest for word in other.claims
    )
