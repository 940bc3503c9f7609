"""What a number opens to: field, formula with the figures in it, assumptions, sources, range, passage."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypedDict, TypeGuard

from assistant.conversation import Answer
from assistant.figures import Language, digits, show
from assistant.web.fields import field_label
from assistant.web.markup import opens, target_of
from assistant.web.words import WORDS, tool_title
from tools.api import Json, unit_of

# A passage is shown whole up to this length; the link leads to the rest.
LONGEST_PASSAGE = 1200
_ADDRESS = re.compile(r"\s*\(?(https?://[^\s)]+)\)?")


class Link(TypedDict):
    """A source: its title, its address and the date somebody last looked."""

    text: str
    url: str
    date: str


class Section(TypedDict, total=False):
    """A part of a card: a heading with lines or links."""

    label: str
    lines: list[str]
    links: list[Link]
    formula: bool


class Record(TypedDict):
    """One card, ready to be shown as plain text."""

    kind: str
    badge: str
    title: str
    name: str
    sections: list[Section]


def records_of(answer: Answer, asked: Sequence[str]) -> dict[str, Record]:
    """Return the card of every number and passage of an answer, by the fragment of its link."""
    found: dict[str, Record] = {}
    for passage in answer.citations:
        found[str(passage["id"])] = _passage(passage, answer.language)
    for number in answer.numbers:
        if not opens(number):
            continue
        target = target_of(number)
        if number["kind"] == "user":
            found[target] = _said(str(number["text"]), asked, answer.language)
        elif number["kind"] == "tool":
            outcome = answer.results.get(str(number["ref"]).split(".")[0])
            if outcome is not None and target not in found:
                found[target] = _computed(str(number["ref"]), outcome, answer.language)
    return found


def _said(number: str, asked: Sequence[str], language: Language) -> Record:
    words = WORDS[language]
    figure = re.search(r"\d[\d,.]*", number)
    question = next((said for said in reversed(asked) if figure and figure[0] in said), asked[-1] if asked else "")
    return {
        "kind": "user",
        "badge": words.from_you,
        "title": words.you_said,
        "name": "",
        "sections": [{"label": "", "lines": [question[:300]]}],
    }


def _passage(passage: Mapping[str, Json], language: Language) -> Record:
    words = WORDS[language]
    text = str(passage["text"])
    shown = text if len(text) <= LONGEST_PASSAGE else text[:LONGEST_PASSAGE] + " …"
    return {
        "kind": "article",
        "badge": words.from_article,
        "title": str(passage["title"]),
        "name": " · ".join(str(passage[key]) for key in ("section", "date") if passage.get(key)),
        "sections": [{"label": words.passage, "lines": [shown]}, {"label": words.sources, "links": [link_of(passage)]}],
    }


def _computed(ref: str, outcome: Mapping[str, Json], language: Language) -> Record:
    words = WORDS[language]
    keys = ref.split(".")[1:]
    result: Mapping[str, Json] = outcome.get("result", {})
    given = keys[:1] == ["arguments"]
    owners = _owners(outcome if given else result, keys)
    story = next((owner for owner in reversed(owners) if is_row(owner) and "steps" in owner), result)
    name = next((key for key in reversed(keys) if not key.isdigit() and key != "value"), "")
    tool = tool_title(str(outcome["tool"]), language)
    sections: list[Section] = []
    lines = _steps(name, keys, owners, story)
    if given or (name in outcome["arguments"] and not lines):
        sections.append({"label": "", "lines": [words.was_given]})
    elif name.startswith("assumptions"):
        sections.append({"label": words.assumptions, "lines": lines})
    elif "sources" not in keys:
        sections.append(
            {"label": words.how, "lines": lines or [str(step) for step in story.get("steps", [])][:6], "formula": True}
        )
    sections += _range(name, owners, language)
    assumed = in_language(story, "assumptions", language)
    if assumed and not name.startswith("assumptions") and "sources" not in keys:
        sections.append({"label": words.assumptions, "lines": assumed})
    cited = [owner for owner in owners if "sources" in keys and is_row(owner) and "title" in owner]
    links = [link_of(source) for source in cited or story.get("sources", [])]
    if links:
        sections.append({"label": words.sources, "links": links})
    return {
        "kind": "tool",
        "badge": words.computed,
        "title": field_label(name, language),
        "name": f"{tool} · {name}",
        "sections": sections,
    }


def is_row(value: Json) -> TypeGuard[Mapping[str, Json]]:
    """Whether a part of a result has fields."""
    return isinstance(value, Mapping)


def is_list(value: Json) -> TypeGuard[Sequence[Json]]:
    """Whether a part of a result is a list of rows."""
    return isinstance(value, list)


def _owners(start: Json, keys: Sequence[str]) -> list[Json]:
    """Return what lies on the way to a field: the result, a row of it, and so on, the field's own value last."""
    way: list[Json] = [start]
    for key in keys:
        here = way[-1]
        if is_row(here) and key in here:
            way.append(here[key])
        elif is_list(here) and key.isdigit() and int(key) < len(here):
            way.append(here[int(key)])
        else:
            break
    return way


def _steps(name: str, keys: Sequence[str], owners: Sequence[Json], story: Mapping[str, Json]) -> list[str]:
    """Return the steps that compute a field, or else those that mention it."""
    if isinstance(owners[-1], str) and keys and keys[-1].isdigit():
        return [owners[-1]]
    steps = [str(step) for step in story.get("steps", [])]
    own = [step for step in steps if re.match(rf"{re.escape(name)}\b", step)]
    return own or [step for step in steps if re.search(rf"\b{re.escape(name)}\b", step)]


def _range(name: str, owners: Sequence[Json], language: Language) -> list[Section]:
    """Return the range of a rate and what it rests on, when the tool gives them."""
    words = WORDS[language]
    owner = next(item for item in reversed(owners) if is_row(item))
    found: list[Section] = []
    low, high = (owner.get(f"{end}_{name}", owner.get(end)) for end in ("low", "high"))
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and name not in ("low", "high"):
        unit = unit_of(name)
        found.append({"label": words.range, "lines": [f"{digits(low, unit)} – {show(high, unit, language)}"]})
    basis = owner.get("basis")
    if isinstance(basis, str):
        found.append({"label": words.basis, "lines": [words.bases.get(basis, basis)]})
    return found


def in_language(owner: Mapping[str, Json], key: str, language: Language) -> list[str]:
    """Return a list of sentences in the language of the answer."""
    lines: Sequence[Json] = (owner.get(f"{key}_zh") if language == "zh" else None) or owner.get(key) or ()
    return [str(line) for line in lines]


def link_of(source: Mapping[str, Json]) -> Link:
    """Return a source as a link; an address inside its title becomes where the link leads."""
    title, url = str(source["title"]), str(source.get("url", ""))
    inside = _ADDRESS.search(title)
    if inside:
        title, url = _ADDRESS.sub("", title, count=1).strip(), url or inside[1]
    return {"text": title, "url": safe_url(url), "date": str(source.get("date", ""))}


def safe_url(url: str) -> str:
    """Return a web address that is safe inside a Markdown link, or ""."""
    if not re.match(r"https?://", url):
        return ""
    return re.sub(
        r"[^\w:/.?#@!$&'*+,;=%~-]",
        lambda sign: "".join(f"%{byte:02X}" for byte in sign[0].encode()),
        url,
        flags=re.ASCII,
    )
