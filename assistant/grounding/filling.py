"""Fill a draft's references in: values with their unit in the local form, passages word for word."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from assistant.figures import Language, show, shown_value
from assistant.grounding.facts import numbers_of
from assistant.grounding.polish import polished
from assistant.grounding.records import Evidence, Kind, Number, Unbound
from assistant.names import name_spans
from tools.api import Json, is_array, is_object, unit_of

_REFERENCE = re.compile(r"\{\{\s*([rc]\d+)((?:\.[^{}\s.]+(?: [^{}\s.]+)*)*)\s*\}\}")
_LEFTOVER = re.compile(r"\{\{.*?\}\}|\{\{|\}\}", re.DOTALL)
_CITED = re.compile(r"\[(c\d+)\]")
# A quotation of this length is a passage's own words. [characters]
LEAST_QUOTED = 24


@dataclass
class Filled:
    """A draft with its references filled in.

    Attributes:
        text: What a person would see.
        numbers: Numbers that came by reference.
        fields: Those of them that are one field each; they are checked like literals.
        cited: Passages used.
        unbound: References that lead nowhere.
        texts: Spans of the text that are a result's or a passage's own words.
    """

    text: str = ""
    numbers: list[Number] = field(default_factory=list[Number])
    fields: list[Number] = field(default_factory=list[Number])
    cited: list[str] = field(default_factory=list[str])
    unbound: list[Unbound] = field(default_factory=list[Unbound])
    texts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])


def fill(draft: str, evidence: Evidence, language: Language) -> Filled:
    """Replace every reference of a draft by what it stands for."""
    done = Filled()
    pieces: list[str] = []
    length, last = 0, 0
    for hit in _REFERENCE.finditer(draft):
        pieces.append(draft[last : hit.start()])
        length += hit.start() - last
        last = hit.end()
        filled = _one(hit[1], hit[2], evidence, language, length, done)
        if filled is None:
            done.unbound.append(Unbound(hit[0], f"{hit[1]}{hit[2]} is no field of a result"))
        pieces.append(filled or "")
        length += len(filled or "")
    pieces.append(draft[last:])
    done.text = "".join(pieces)
    done.unbound += [Unbound(hit[0][:60], "not a reference") for hit in _LEFTOVER.finditer(done.text)]
    done.cited += [ref for ref in _CITED.findall(done.text) if ref in evidence.citations]
    done.cited = list(dict.fromkeys(done.cited))
    _quotations(done, evidence)
    return done


def _one(ref: str, path: str, evidence: Evidence, language: Language, start: int, done: Filled) -> str | None:
    if ref.startswith("c"):
        return _passage(ref, path, evidence, start, done)
    call = evidence.results.get(ref)
    if call is None or not path:
        return None
    leaf, name, owner = _walk(call, path.strip(".").split("."))
    if isinstance(leaf, str):
        leaf = polished(leaf, name)
        done.texts.append((start, start + len(leaf)))
        done.numbers += [_moved(number, start) for number in recorded(leaf, "tool", f"{ref}{path}")]
        return leaf
    if isinstance(leaf, bool) or not isinstance(leaf, (int, float)):
        return None
    unit = str(owner.get("unit", "")) if name == "value" and is_object(owner) else unit_of(name)
    shown = show(float(leaf), unit, language)
    value, shown_unit = shown_value(float(leaf), unit)
    done.fields.append(Number(shown, start, value, shown_unit, "tool", f"{ref}{path}"))
    return shown


def _walk(call: Mapping[str, Json], path: list[str]) -> tuple[Json, str, Json]:
    """Follow `rows.0.relative` into the result, or `arguments.psu_w` into the call."""
    owner: Json = None
    here: Json = call.get("arguments") if path[0] == "arguments" else call.get("result")
    for key in path[1:] if path[0] == "arguments" else path:
        owner = here
        if is_object(here):
            here = here.get(key)
        elif is_array(here) and key.isdigit() and int(key) < len(here):
            here = here[int(key)]
        else:
            return None, "", None
    names = [key for key in path if not key.isdigit()]
    return here, names[-1] if names else "", owner


def _passage(ref: str, path: str, evidence: Evidence, start: int, done: Filled) -> str | None:
    """Fill in a passage, or with a path its title, section or date."""
    passage = evidence.citations.get(ref)
    key = path.removeprefix(".") or "text"
    if passage is None or key not in passage:
        return None
    text = str(passage[key])
    if not path:
        done.cited.append(ref)
    done.texts.append((start, start + len(text)))
    done.numbers += [_moved(number, start) for number in recorded(text, "article", ref)]
    return text


def recorded(text: str, kind: Kind, ref: str) -> list[Number]:
    """Record the numbers of a quoted string; digits inside names are recorded as names."""
    names = name_spans(text, (text,))
    found: list[Number] = []
    for numeral in numbers_of(text):
        inside = any(start <= numeral.start and numeral.end <= end for start, end in names)
        value, unit = numeral.as_written
        found.append(Number(numeral.text, numeral.start, value, unit, "name" if inside else kind, ref))
    return found


def _moved(number: Number, start: int) -> Number:
    return replace(number, start=number.start + start)


def _quotations(done: Filled, evidence: Evidence) -> None:
    """Find what a passage or a tool's error says word for word, without a reference; such passages count as cited."""
    for ref, said in evidence.errors.items():
        for line in said.split("\n"):
            start = done.text.find(line) if len(line) >= LEAST_QUOTED else -1
            if start >= 0 and not any(left <= start < right for left, right in done.texts):
                done.texts.append((start, start + len(line)))
                done.numbers += [_moved(number, start) for number in recorded(line, "tool", f"{ref}.error")]
    for ref, passage in evidence.citations.items():
        whole, title = str(passage.get("text", "")), str(passage.get("title", ""))
        for line in whole.split("\n"):
            start = done.text.find(line) if len(line) >= LEAST_QUOTED else -1
            if start < 0:
                continue
            if not any(left <= start < right for left, right in done.texts):
                done.texts.append((start, start + len(line)))
                done.numbers += [_moved(number, start) for number in recorded(line, "article", ref)]
            if ref not in done.cited:
                done.cited.append(ref)
        start = done.text.find(title) if len(title) > 8 else -1
        if start >= 0 and not any(left <= start < right for left, right in done.texts):
            done.texts.append((start, start + len(title)))
            done.numbers += [_moved(number, start) for number in recorded(title, "article", ref)]
