"""The tools' own sentences for the results at hand: what may be said of them, and in which direction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from jinja2.exceptions import TemplateError

from assistant.builtin.frames import frames
from assistant.builtin.phrase import render_fields, template_fields
from assistant.figures import Language
from assistant.grounding.filling import fill
from assistant.grounding.records import Evidence
from assistant.grounding.remembered import remembered
from assistant.grounding.sentences import Sentence, sentence, sentences_of
from tools.api import Json, is_array, is_object

K = TypeVar("K")
# Results rendered together with the one before: what it is held against.
_BESIDE = 3
# As many as a turn may call; of fewer, an answer over all of them would hold sentences that no template seems to say.
_MOST_RESULTS = 12
_TEXT_FIELDS = ("assumptions", "warnings", "why", "flips_if", "note", "title", "path", "reason")


@dataclass(frozen=True, slots=True)
class Sayings:
    """What may be said of a result, by what a draft's sentence is held against: text, figures, mould, claims."""

    by_text: Mapping[str, Sentence]
    by_numbers: Mapping[tuple[tuple[str, float], ...], Sequence[Sentence]]
    by_mould: Mapping[str, Sequence[Sentence]]
    by_concept: Mapping[str, Sequence[Sentence]]


def own_sentences(evidence: Evidence, language: Language, used: Iterable[str]) -> list[Sayings]:
    """Return the sentences that the templates and the results themselves say, result by result.

    Args:
        evidence: The results.
        language: Whose sentences.
        used: Ids of the results that an answer's figures come from.
    """
    refs = list(evidence.results)
    chosen = [ref for ref in refs if ref in set(used)] or refs
    return [_said_at(ref, evidence, language) for ref in chosen[-_MOST_RESULTS:]]


def all_own_sentences(evidence: Evidence, language: Language) -> list[Sayings]:
    """Return the same of every result, whichever a draft may use."""
    return [_said_at(ref, evidence, language) for ref in evidence.results]


def _said_at(ref: str, evidence: Evidence, language: Language) -> Sayings:
    refs = list(evidence.results)
    at = refs.index(ref)
    return _said_of({name: evidence.results[name] for name in refs[at : at + _BESIDE]}, language)


@remembered
def _said_of(results: Mapping[str, Mapping[str, Json]], language: Language) -> Sayings:
    """Return what can be said of the first of some results, alone and held against the others."""
    texts = dict.fromkeys(_texts(next(iter(results)), Evidence(results), language))
    by_text = {part: sentence(part) for text in texts for part in sentences_of(text)}
    return Sayings(
        by_text,
        _grouped((said.numbers, said) for said in by_text.values()),
        _grouped((said.mould, said) for said in by_text.values()),
        _grouped((concept, said) for said in by_text.values() for concept in {claim.concept for claim in said.claims}),
    )


def _grouped(pairs: Iterable[tuple[K, Sentence]]) -> dict[K, list[Sentence]]:
    found: dict[K, list[Sentence]] = {}
    for key, said in pairs:
        found.setdefault(key, []).append(said)
    return found


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
            if not isinstance(item, (int, float)):
                yield from _told(item, str(key), language)
    elif is_array(value):
        for item in value:
            yield from _told(item, name, language)
