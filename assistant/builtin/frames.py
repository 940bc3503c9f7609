"""How each tool is found, filled and said, as data beside the tools (`tools/talk/<tool>.toml`).

A frame holds `cues` (patterns with a weight, per language), `slots` (argument -> unit and cues) and `say`
(templates). A tool without a file gets a plain frame made from its schema and docstring.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from assistant.builtin import generic
from assistant.builtin.cue import Cue, Slot
from assistant.figures import Language
from tools.api import Tool, all_tools


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an argument comes from that nobody gave: a field of another tool's result.

    Attributes:
        tool: The tool that is called first.
        path: Field of its result.
        unless: Arguments any of which makes it needless.
        beside: Arguments of that tool that go with one that the question gives.
    """

    tool: str
    path: str
    unless: tuple[str, ...] = ()
    beside: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])


@dataclass(frozen=True, slots=True)
class Frame:
    """One tool's way of being talked about.

    Attributes:
        tool: Name of the tool.
        cues: Patterns that speak for or against it.
        needs: Arguments that must be there; "a|b" means one of them.
        slots: Arguments that quantities fill.
        choices: Arguments with fixed options, each with its pattern.
        ask: What to ask when a need is missing.
        say: Template of the answer.
        focus: What the question may be about.
        defaults: Arguments that are passed although nobody gave them.
        card: Argument that takes the cards of the question.
        model: Argument that takes its model.
        against_memory: Whether the result is held against the memory that the question names.
        instead: Arguments that are left out when the one they map to was given.
        must: Patterns without any of which the tool is out of the question.
        claims: Units in which a question may name a claim that the result is held against.
        variants: Arguments of which a question may name several, each for a call of its own.
        compare: Template that says several such calls side by side.
        implied: Patterns with the arguments that they stand for ("a US outlet").
        named: Arguments that a name of the question fills, with its kind (`named.py`).
        origins: Arguments that another tool's result gives where the question does not.
        offer: What the tool is offered as when nobody is sure what was asked.
        of_article: Whether the tool computes an article's own rule, so that naming the article asks for no passage.
    """

    tool: str
    cues: tuple[Cue, ...]
    needs: tuple[str, ...]
    slots: tuple[Slot, ...]
    choices: dict[str, dict[str, re.Pattern[str]]]
    ask: Mapping[str, Mapping[str, str]]
    say: dict[Language, str]
    focus: dict[str, re.Pattern[str]] = field(default_factory=dict[str, re.Pattern[str]])
    defaults: dict[str, Any] = field(default_factory=dict[str, Any])
    card: str = ""
    model: str = ""
    read_first: bool = False
    also_read: bool = False
    against_memory: bool = False
    of_article: bool = False
    instead: dict[str, str] = field(default_factory=dict[str, str])
    must: tuple[re.Pattern[str], ...] = ()
    claims: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    compare: dict[Language, str] = field(default_factory=dict[Language, str])
    implied: tuple[tuple[re.Pattern[str], dict[str, Any]], ...] = ()
    named: dict[str, str] = field(default_factory=dict[str, str])
    origins: dict[str, Origin] = field(default_factory=dict[str, Origin])
    offer: dict[Language, str] = field(default_factory=dict[Language, str])

    def score(self, text: str) -> float:
        """Add up the weights of the cues that a text holds."""
        if not all(pattern.search(text) for pattern in self.must):
            return 0.0
        return sum(cue.weight for cue in self.cues if cue.pattern.search(text))


@cache
def frames() -> dict[str, Frame]:
    """Return the frame of every tool."""
    found: dict[str, Frame] = {}
    for name, tool in all_tools().items():
        file = files("tools") / "talk" / f"{name}.toml"
        if file.is_file():
            found[name] = _frame(tool, tomllib.loads(file.read_text("utf-8")))
        else:
            found[name] = _plain_frame(tool)
    return found


def _plain_frame(tool: Tool) -> Frame:
    """Return the frame of a tool that has no talk file, made from its schema and docstring."""
    properties = tool.parameters["properties"]
    card = next((name for name in ("cards", "gpu", "gpus") if name in properties), "")
    return Frame(
        tool=tool.name,
        cues=generic.cues_of(tool),
        needs=(),
        slots=generic.slots_of(tool),
        choices=generic.choices_of(tool),
        ask=generic.asks_of(tool),
        say={},
        card=card,
        model="model" if "model" in properties else "",
    )


def _frame(tool: Tool, read: dict[str, Any]) -> Frame:
    return Frame(
        tool=tool.name,
        cues=tuple(Cue(float(cue["weight"]), _pattern(cue)) for cue in read.get("cues", [])),
        needs=tuple(read.get("needs", [])),
        slots=tuple(_slot(name, slot) for name, slot in read.get("slots", {}).items()),
        choices={
            name: {value: _pattern(words) for value, words in options.items()}
            for name, options in read.get("choices", {}).items()
        },
        ask=read.get("ask", {}),
        say=read.get("say", {}),
        focus={name: _pattern(words) for name, words in read.get("focus", {}).items()},
        defaults=read.get("defaults", {}),
        card=read.get("card", ""),
        model=read.get("model", ""),
        against_memory=bool(read.get("against_memory")),
        read_first=bool(read.get("read_first")),
        also_read=bool(read.get("also_read")),
        of_article=bool(read.get("of_article")),
        instead=read.get("instead", {}),
        must=tuple(_pattern(words) for words in _listed(read.get("must", []))),
        claims=tuple(read.get("claims", ())),
        variants=tuple(read.get("variants", ())),
        compare=read.get("compare", {}),
        implied=tuple((_pattern(item), item["arguments"]) for item in read.get("implied", [])),
        named=read.get("named", {}),
        origins={name: _origin(item) for name, item in read.get("from", {}).items()},
        offer=read.get("offer", {}),
    )


def _origin(read: dict[str, Any]) -> Origin:
    return Origin(read["tool"], read["field"], tuple(read.get("unless", ())), read.get("beside", {}))


def _listed(read: Any) -> list[dict[str, Any]]:
    return [read] if isinstance(read, dict) else read


def _slot(argument: str, read: dict[str, Any]) -> Slot:
    cues = _pattern(read) if "en" in read or "zh" in read else None
    return Slot(
        argument,
        read["unit"],
        cues,
        bool(read.get("need_cue")),
        bool(read.get("sums")),
        float(read.get("least", 0.0)),
        _pattern(read["unless"]) if "unless" in read else None,
    )


def _pattern(words: dict[str, Any]) -> re.Pattern[str]:
    """Join the English and Chinese words of a table into one pattern; English ones at word starts."""
    parts = [rf"(?<![A-Za-z])(?:{words['en']})"] if words.get("en") else []
    parts += [words["zh"]] if words.get("zh") else []
    return re.compile("|".join(parts), re.IGNORECASE | re.ASCII)
