"""What was heard: every name that results, the person and cited passages have spoken of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assistant.grounding.facts import cards_of
from assistant.grounding.records import Evidence
from assistant.grounding.remembered import remembered
from assistant.names import terms_in
from tools.api import Json, is_array, is_object

# A bare number is a count of bits only before "bit": "12VHPWR" and "8-pin" are plugs.
_BITS = re.compile(r"^(?:(?:fp|bf|int|nf|uint|i?q)\s?_?(\d+)|(\d+)\s?-?(?:bit|位))", re.IGNORECASE)
_FAMILY = re.compile(
    r"^(pci\s?e(?:xpress)?|zero|gddr|ddr|hbm|atx|cuda|sm_|rdna|cdna|v|l)[\s-]*(?:gen\s?)?([\w.]+)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Words:
    """What one result or the person says.

    Attributes:
        plain: In small letters.
        joined: The same without the marks that a name may be written with or without.
        members: Terms by family: {"pcie": {"4"}}.
    """

    plain: str
    joined: str
    members: Mapping[str, frozenset[str]]


class Heard:
    """Everything that an answer may speak of."""

    def __init__(self, evidence: Evidence, cited: Sequence[str]) -> None:
        passages = [
            f"{evidence.citations[ref].get('title', '')} {evidence.citations[ref].get('text', '')}" for ref in cited
        ]
        # "H100" of the person's may be any card that the catalogue has by this name.
        meant = [
            name for said in evidence.user for card in cards_of(said) for name in (card.name, *card.others) if name
        ]
        said = _words_in(" \n ".join([*evidence.user, *passages, *meant]).lower())
        self._words = [*(_words_of({ref: call}) for ref, call in evidence.results.items()), said]

    def says(self, name: str) -> bool:
        """Whether a name was heard as it is written."""
        low = name.lower()
        return any(low in words.plain for words in self._words)

    def says_somehow(self, name: str) -> bool:
        """Whether a name was heard, hyphens and spaces aside."""
        low = name.lower().replace(" ", "")
        return any(low in words.joined for words in self._words)

    def members(self, family: str) -> frozenset[str]:
        """Return the terms of a family that were heard."""
        return frozenset[str]().union(*(words.members.get(family, ()) for words in self._words))


@remembered
def _words_of(results: Mapping[str, Mapping[str, Json]]) -> Words:
    # The same sentences and names of fields stand in a result many times.
    return _words_in(" \n ".join(dict.fromkeys(_strings_of(list(results.values())))).lower())


@lru_cache(maxsize=64)
def _words_in(plain: str) -> Words:
    found: dict[str, set[str]] = {}
    for _, _, term in terms_in(plain):
        family, member = member_of(term)
        if family:
            found.setdefault(family, set()).add(member)
    joined = plain.replace("-", "").replace(" ", "").replace("_", "")
    return Words(plain, joined, {family: frozenset(members) for family, members in found.items()})


def member_of(term: str) -> tuple[str, str]:
    """Return the family of a term and which of it: ("bits", "16"), ("pcie", "4")."""
    bits = _BITS.match(term)
    if bits:
        return "bits", bits[1] or bits[2]
    family = _FAMILY.match(term)
    if not family:
        return "", term
    return family[1].lower().replace(" ", "").replace("xpress", ""), family[2].lower().removesuffix(".0")


def _strings_of(value: Json) -> Iterator[str]:
    """Yield the texts and the names of fields inside a value."""
    if isinstance(value, str):
        yield value
    elif is_object(value):
        for key, item in value.items():
            yield str(key)
            if not isinstance(item, (int, float)):
                yield from _strings_of(item)
    elif is_array(value):
        for item in value:
            yield from _strings_of(item)
