"""Comparisons, rankings and verdicts are claims: a result must say so, or two figures must stand in that order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from assistant.figures import Language
from assistant.grounding.claim_words import Claim, claims_in
from assistant.grounding.cutting import Span
from assistant.grounding.fits import held_against
from assistant.grounding.layout import Layout
from assistant.grounding.orders import by_figures, is_priced_otherwise
from assistant.grounding.own import Sayings, own_sentences
from assistant.grounding.records import Evidence, Unbound
from assistant.grounding.sentences import Sentence, sentence_in, stripped

# Two sentences with this share of common words say the same thing.
SAME = 0.72
# From here on a sentence of the tools speaks about what the draft's sentence does.
ALIKE = 0.5
# What a figure in common adds to that share. [1]
SAME_FIGURE = 0.15
# These need support; the others only must not contradict it.
_MUST_HAVE = ("price", "speed", "fit", "saving", "best", "worst", "place")
_IF = re.compile(
    r"\b(?:if|while|when|where|as long as|unless|whether)\s+(?:\w+\s+){0,3}$|(?:如果|只要|要是|是否|能不能)[^，。；]{0,6}$",
    re.I,
)
_ZH_IF = re.compile(r"[^，。；]{0,4}(?:时|的话|的情况)|(?:还是)?不下")
NO_SUPPORT = "no result says so"
CONTRADICTED = "the results say the opposite"


def unsupported(
    layout: Layout,
    evidence: Evidence,
    language: Language,
    quoted: Sequence[tuple[int, int]],
    used: Iterable[str] = (),
    ours: bool = False,
) -> Iterator[Unbound]:
    """Yield the claims of a text that nothing supports, and sentences that name the wrong card.

    Args:
        layout: The text.
        evidence: Results to hold it against.
        language: Of the text.
        quoted: Spans that are a passage's or a result's own words.
        used: Results that the text's figures come from.
        ours: Whether the text is the built-in model's.
    """
    own: Sequence[Sayings] | None = None
    told: frozenset[str] = frozenset()
    for span in layout.sentences:
        text = stripped(layout.text[span.start : span.end])
        if not text or _is_quoted(layout, span, quoted) or text.endswith(("?", "？")):
            continue
        claims = claims_in(text)
        if not claims and not layout.within(span, True) and not layout.numbers_within(span):
            continue
        if own is None:
            own = own_sentences(evidence, language, used)
            told = frozenset[str]().union(*(said.by_text for said in own))
        if text in told:
            continue
        mine = sentence_in(layout, span)
        yield from _renamed(mine, own)
        yield from _refigured(mine, own)
        for claim in claims:
            why = _refused(claim, mine, own, layout, span, evidence)
            if why and not (why == NO_SUPPORT and ours and _is_remark(layout, span)):
                yield Unbound(claim.text.strip(), why)


def _is_remark(layout: Layout, span: Span) -> bool:
    """A sentence without a figure, a card or a model: what is true of all of them.

    The built-in model cannot make one up, it stands in the source; of no result, it needs none that says so. The
    results must not say the opposite all the same.
    """
    figures = [number for number in layout.numbers_within(span) if not (number.in_words and number.value == 1)]
    return not figures and not layout.within(span, True) and not layout.within(span, False)


def is_own(text: str, evidence: Evidence, language: Language, used: Iterable[str]) -> bool:
    """Whether the tools say a sentence word for word."""
    plain = stripped(text)
    return any(plain in said.by_text for said in own_sentences(evidence, language, used))


def _is_quoted(layout: Layout, span: Span, quoted: Sequence[tuple[int, int]]) -> bool:
    return any(start <= span.start + 4 and span.end <= end + 4 for start, end in quoted) or (
        layout.text[span.start : span.end].lstrip().startswith(">")
    )


def _renamed(mine: Sentence, own: Sequence[Sayings]) -> Iterator[Unbound]:
    """A sentence of the tools in which only the card was exchanged."""
    if not mine.named or len(mine.words) < 2:
        return
    alike = [other for said in own for other in said.by_numbers.get(mine.numbers, ()) if other.named]
    scored = [(mine.likeness(other), other) for other in alike]
    best = max((score for score, _ in scored), default=0.0)
    near = [other for score, other in scored if score == best]
    if best >= SAME and not any(other.named == mine.named for other in near):
        strange = mine.named - frozenset[str]().union(*(other.named for other in near))
        yield Unbound(", ".join(sorted(strange or mine.named)), "the results say this of another card or model")


def _refigured(mine: Sentence, own: Sequence[Sayings]) -> Iterator[Unbound]:
    """A sentence of the tools, word for word, in which only a figure was exchanged."""
    mould = mine.mould
    same = [other for said in own for other in said.by_mould.get(mould, ())] if mine.amounts else []
    if same and not any(mine.has_figures_of(other) for other in same):
        yield Unbound(mine.text[:60], "the results have other figures in this sentence")


def _refused(
    claim: Claim, mine: Sentence, own: Sequence[Sayings], layout: Layout, span: Span, evidence: Evidence
) -> str:
    """Return why a claim is refused, "" if it is supported."""
    if is_priced_otherwise(claim, layout, span, evidence):
        return CONTRADICTED
    said = _as_the_tools_say(claim, mine, own)
    if said is not None:
        return "" if said or held_against(claim, layout, span, evidence) else CONTRADICTED
    ordered = by_figures(claim, layout, span, evidence)
    if ordered is not None:
        return "" if ordered else CONTRADICTED
    if _is_condition(claim, mine.text):
        return ""
    return NO_SUPPORT if claim.concept in _MUST_HAVE else ""


def _is_condition(claim: Claim, text: str) -> bool:
    """ "While it fits, …", "放不下时，…": what would follow from it is said, not that it is so."""
    behind = text[claim.start + len(claim.text) :]
    return claim.concept == "fit" and bool(_IF.search(text[: claim.start]) or _ZH_IF.match(behind))


def _as_the_tools_say(claim: Claim, mine: Sentence, own: Sequence[Sayings]) -> bool | None:
    """Whether the sentence of the tools that is most like this one has the same direction; None without such a one."""
    figures = frozenset(mine.numbers)
    scored = [
        (score, other)
        for said in own
        for other in said.by_concept.get(claim.concept, ())
        if (score := mine.likeness(other) + (0.0 if figures.isdisjoint(other.numbers) else SAME_FIGURE)) >= ALIKE
    ]
    if not scored:
        return None
    best = max(score for score, _ in scored)
    nearest = [other for score, other in scored if score >= best - 0.02]
    return any(
        word.concept == claim.concept and word.polarity == claim.polarity for other in nearest for word in other.claims
    )
