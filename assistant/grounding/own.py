"""The tools' own sentences for the results at hand: what may be said of them, and in which direction."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from jinja2.exceptions import TemplateError

from assistant.builtin.frames import frames
from assistant.builtin.phrase import render_fields, template_fields
from assistant.figures import Language
from assistant.grounding.claim_words import Claim, claims_in
from assistant.grounding.facts import cards_of, model_key, numbers_of
from assistant.grounding.filling import fill
from assistant.grounding.records import Evidence
from assistant.grounding.remembered import remembered
from assistant.names import models_in
from assistant.numerals import Numeral
from assistant.units import measured
from tools.api import Json, is_array, is_object

_END = re.compile(r"(?<=[.!?])[\"”')\]]*\s+|(?<=[。！？；])|;\s|\n+")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|[一-鿿]", re.IGNORECASE)
# Results rendered together with the one before: what it is held against.
_BESIDE = 3
# As many as a turn may call; of fewer, an answer over all of them would hold sentences that no template seems to say.
_MOST_RESULTS = 12
_TEXT_FIELDS = ("assumptions", "warnings", "why", "flips_if", "note", "title", "path", "reason")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with what it is compared by."""

    text: str
    words: Counter[str]
    claims: tuple[Claim, ...]
    numbers: tuple[tuple[str, float], ...]
    named: frozenset[str]
    steps: tuple[float, ...] = ()
    # Equal for sentences of the same words and names.
    mould: str = ""

    def has_figures_of(self, other: Sentence) -> bool:
        """Whether both hold the same figures, each rounded as its digits show."""
        return all(
            abs(value - its_value) <= max(step, its_step) + 1e-9
            for (_, value), (_, its_value), step, its_step in zip(
                self.numbers, other.numbers, self.steps, other.steps, strict=True
            )
        )

    def likeness(self, other: Sentence) -> float:
        """Share of words that two sentences have in common, figures and names left out."""
        both = sum((self.words & other.words).values())
        total = sum(self.words.values()) + sum(other.words.values())
        return 2 * both / total if total else 0.0


@lru_cache(maxsize=8192)
def sentence(text: str) -> Sentence:
    """Analyse one sentence."""
    named = frozenset(card.name or card.text.strip().lower() for card in cards_of(text))
    named |= {model_key(shown) for _, _, shown in models_in(text)}
    masked = text
    spans = [(card.start, card.end) for card in cards_of(text)] + [(start, end) for start, end, _ in models_in(text)]
    for start, end in sorted(spans, reverse=True):
        masked = masked[:start] + " " + masked[end:]
    figures = numbers_of(masked)
    for number in reversed(figures):
        masked = masked[: number.start] + " " + masked[number.end :]
    numbers = sorted(
        (measured(number.unit)[0], round(number.value * measured(number.unit)[1], 9), _half(number))
        for number in figures
    )
    words = sorted(word.lower() for word in _WORD.findall(masked))
    return Sentence(
        text,
        Counter(words),
        claims_in(text),
        tuple((kind, value) for kind, value, _ in numbers),
        named,
        tuple(half for _, _, half in numbers),
        f"{len(numbers)} {' '.join(words)} {sorted(named)}",
    )


def _half(number: Numeral) -> float:
    """Half of the last digit's step, in the unit of what the number measures."""
    return 0.5 * abs(number.step * number.factor * measured(number.unit)[1])


def sentences_of(text: str) -> Iterator[str]:
    """Cut a text into sentences and lines, stripped of marks."""
    for part in _END.split(text):
        plain = part.strip(" \t|*#>-")
        if plain:
            yield plain


def own_sentences(evidence: Evidence, language: Language, used: Iterable[str]) -> Sequence[Sentence]:
    """Return the sentences that the templates and the results themselves say.

    Args:
        evidence: The results.
        language: Whose sentences.
        used: Ids of the results that an answer's figures come from.
    """
    refs = list(evidence.results)
    chosen = [ref for ref in refs if ref in set(used)] or refs
    found: dict[str, Sentence] = {}
    for ref in chosen[-_MOST_RESULTS:]:
        at = refs.index(ref)
        found |= _said_of({name: evidence.results[name] for name in refs[at : at + _BESIDE]}, language)
    return list(found.values())


@remembered
def _said_of(results: Mapping[str, Mapping[str, Json]], language: Language) -> dict[str, Sentence]:
    """Return what can be said of the first of some results, alone and held against the others, by its text."""
    texts = dict.fromkeys(_texts(next(iter(results)), Evidence(results), language))
    parts = dict.fromkeys(part for text in texts for part in sentences_of(text))
    return {part: sentence(part) for part in parts}


def _texts(ref: str, evidence: Evidence, language: Language) -> Iterator[str]:
    call = evidence.results[ref]
    yield from _told(call.get("result"), "", language)
    frame = frames().get(str(call.get("tool")))
    if frame is None or language not in frame.say:
        return
    beside = list(evidence.results)
    drafts: dict[str, None] = {}
    told = tuple(call.get("arguments") or {})
    for group in ([ref], *([beside] if len(beside) > 1 else [])):
        alone = [_fields_of({name: evidence.results[name]}) for name in group]
        fields = {**alone[0], "all": [one["all"][0] for one in alone]}
        for focus, given in (("", told), ("", ()), *((focus, told) for focus in frame.focus)):
            try:
                said = render_fields(frame.say[language], fields, focus=focus, given=given, language=language)
                drafts[said] = None
            except (TemplateError, TypeError, KeyError, IndexError):
                continue  # a result from elsewhere may lack a field
    for draft in drafts:
        yield fill(draft, evidence, language).text


@remembered
def _fields_of(results: Mapping[str, Mapping[str, Json]]) -> dict[str, Any]:
    """Return what a template may name of one result: each is held against others several times."""
    return template_fields(results)


def _told(value: Json, name: str, language: Language) -> Iterator[str]:
    """Yield the sentences that a result carries in a language."""
    stem = name.removesuffix("_zh")
    if isinstance(value, str):
        if stem in _TEXT_FIELDS and name.endswith("_zh") == (language == "zh"):
            yield value
    elif is_object(value):
        for key, item in value.items():
            yield from _told(item, str(key), language)
    elif is_array(value):
        for item in value:
            yield from _told(item, name, language)
