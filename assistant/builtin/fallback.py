"""Say the results of a turn by the tools' own templates, whoever called the tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from langchain_core.messages import AnyMessage

from assistant.builtin.frames import frames
from assistant.builtin.phrase import render
from assistant.evidence import outcomes, turn_start
from assistant.figures import Language
from tools.api import Json

NOTHING: dict[Language, str] = {
    "en": "I have no computed or sourced answer to that. Tell me the cards, the model or the prices it is about.",
    "zh": "这个问题我没有算得出或有出处的答案。请告诉我是哪些显卡、哪个模型或什么价格。",
}


def say_results(messages: Sequence[AnyMessage], language: Language) -> str:
    """Return the built-in draft over everything that the latest turn found out."""
    found = outcomes(messages[turn_start(messages):])
    parts = [say_outcome(ref, outcome, language) for ref, outcome in found.items()]
    return "\n\n".join(dict.fromkeys(part for part in parts if part)) or NOTHING[language]


def say_outcome(ref: str, outcome: Mapping[str, Json], language: Language, focus: str = "",
                given: Sequence[str] | None = None) -> str:
    """Say one outcome: a result by its template, an error by its text, passages by quoting the first."""
    if "error" in outcome:
        return str(outcome["error_zh" if language == "zh" else "error"])
    if "citations" in outcome:
        return say_passages(outcome["citations"][:1], language)
    told = tuple(outcome["arguments"]) if given is None else tuple(given)
    frame = frames().get(outcome["tool"])
    if frame and language in frame.say:
        return render(frame.say[language], {ref: outcome}, focus=focus, given=told, language=language)
    return _plain(ref, outcome)


def say_passages(passages: Sequence[Mapping[str, Json]], language: Language) -> str:
    """Quote passages with their source and date."""
    said: list[str] = []
    for passage in passages:
        ref = passage["id"]
        head = "{{" + f"{ref}.title" + "}}"
        date = "{{" + f"{ref}.date" + "}}"
        said.append(f"《{head}》（{date}）：\n> {{{{{ref}}}}}" if language == "zh" else f"{head} ({date}) says:\n> {{{{{ref}}}}}")
    return "\n\n".join(said)


def _plain(ref: str, outcome: Mapping[str, Json]) -> str:
    """Name the figures of a tool that has no template yet."""
    lines = [f"- {name.replace('_', ' ')}: {{{{{ref}.{name}}}}}" for name, value in outcome["result"].items()
             if isinstance(value, (int, float)) and not isinstance(value, bool)]
    return "\n".join(lines)
