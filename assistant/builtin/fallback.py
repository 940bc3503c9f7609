"""Say the results of a turn by the tools' own templates, whoever called the tools."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from jinja2.exceptions import TemplateError
from langchain_core.messages import AnyMessage

from assistant.builtin.frames import frames
from assistant.builtin.phrase import render
from assistant.check.conflicts import conflicts, to_compute, to_look_up
from assistant.evidence import outcomes, turn_start
from assistant.figures import Language
from assistant.toolbox import SEARCH
from tools.api import Json, unit_of

# More than one disagreement buries the answer.
MOST_CONFLICTS = 1
_log = logging.getLogger(__name__)

NOTHING: dict[Language, str] = {
    "en": "I have no computed or sourced answer to that. Tell me the cards, the model or the prices it is about.",
    "zh": "这个问题我没有算得出或有出处的答案。请告诉我是哪些显卡、哪个模型或什么价格。",
}


def say_results(messages: Sequence[AnyMessage], language: Language) -> str:
    """Return the built-in draft over everything that the latest turn found out."""
    found = outcomes(messages[turn_start(messages) :])
    parts = [_said(ref, outcome, language) for ref, outcome in found.items()]
    return "\n\n".join(dict.fromkeys(part for part in parts if part)) or NOTHING[language]


def _said(ref: str, outcome: Mapping[str, Json], language: Language) -> str:
    """Say one outcome; a result that its template does not foresee is left out rather than ending the turn."""
    try:
        return say_outcome(ref, outcome, language)
    except (TypeError, TemplateError):
        _log.exception("the template of %s cannot say this result", outcome["tool"])
        return ""


def say_outcome(
    ref: str, outcome: Mapping[str, Json], language: Language, focus: str = "", given: Sequence[str] | None = None
) -> str:
    """Say one outcome: a result by its template, an error by its text, passages by quoting the first."""
    if "error" in outcome:
        return str(outcome["error_zh" if language == "zh" else "error"])
    if "citations" in outcome:
        return say_passages(outcome["citations"][:1], language)
    told = tuple(outcome["arguments"]) if given is None else tuple(given)
    frame = frames().get(outcome["tool"])
    if frame and language in frame.say:
        return render(frame.say[language], {ref: outcome}, focus=focus, given=told, language=language)
    return _plain(ref, outcome, language)


def say_passages(passages: Sequence[Mapping[str, Json]], language: Language) -> str:
    """Quote passages with their source and date; of one source it is named once."""
    said: list[str] = []
    for at, passage in enumerate(passages):
        ref = passage["id"]
        if at and passage["title"] == passages[at - 1]["title"]:
            said.append(f"> {{{{{ref}}}}}")
            continue
        head = "{{" + f"{ref}.title" + "}}"
        date = "{{" + f"{ref}.date" + "}}"
        said.append(
            f"《{head}》（{date}）：\n> {{{{{ref}}}}}"
            if language == "zh"
            else f"{head} ({date}) says:\n> {{{{{ref}}}}}"
        )
    return "\n\n".join(said)


# "sheet" and "computed" name a field, "newer" the date of a price.
_USED: dict[Language, dict[str, str]] = {
    "en": {
        "sheet": "Used here: {{{{{ref}}}}}, because a data sheet goes before an article.",
        "computed": "Used here: {{{{{ref}}}}}, because the tool shows every step and the article rounds.",
        "newer": "Used here: the prices of {{{{{ref}}}}}, because newer prices go before older ones.",
    },
    "zh": {
        "sheet": "这里采用 {{{{{ref}}}}}：规格书优先于文章。",
        "computed": "这里采用 {{{{{ref}}}}}：工具列出了每一步，文章是约数。",
        "newer": "这里采用 {{{{{ref}}}}} 的价格：新价格优先于旧价格。",
    },
}
_DIFFERS: dict[Language, str] = {
    "en": "One source differs: {{{{{passage}.title}}}} (section {{{{{passage}.section}}}}, {{{{{passage}.date}}}}):\n"
    "> {{{{{passage}}}}}\n\n{used}",
    "zh": "有一处说法不同：《{{{{{passage}.title}}}}》第 {{{{{passage}.section}}}} 节（{{{{{passage}.date}}}}）：\n"
    "> {{{{{passage}}}}}\n\n{used}",
}
_DIFFERS_SHOWN: dict[Language, str] = {
    "en": "That passage (section {{{{{passage}.section}}}}, {{{{{passage}.date}}}}) differs. {used}",
    "zh": "这一段（第 {{{{{passage}.section}}}} 节，{{{{{passage}.date}}}}）说法不同。{used}",
}


def say_conflicts(outcomes: Mapping[str, Mapping[str, Json]], question: str, language: Language, draft: str) -> str:
    """Say where a passage contradicts a result: both with their dates, which one is used, and why.

    Args:
        outcomes: Outcomes of the turn by id.
        question: What the person asked.
        language: Language of the answer.
        draft: The answer so far; a passage that it quotes is not quoted again.
    """
    said: list[str] = []
    for conflict in conflicts(outcomes, asked_fields(question))[:MOST_CONFLICTS]:
        is_shown = "{{" + conflict.passage + "}}" in draft + "".join(said)
        form = (_DIFFERS_SHOWN if is_shown else _DIFFERS)[language]
        used = _USED[language][conflict.basis].format(ref=conflict.ref)
        said.append(form.format(passage=conflict.passage, used=used))
    return "\n\n".join(said)


def asked_fields(question: str) -> frozenset[str]:
    """Return the fields of a data sheet that a question is about."""
    return frozenset(name for name, pattern in frames()["gpu_specs"].focus.items() if pattern.search(question))


def further_call(
    outcomes: Mapping[str, Mapping[str, Json]], question: str, language: Language
) -> tuple[str, dict[str, Json]] | None:
    """Return the call that brings the other side of a conflict into a turn, None when there is none.

    Args:
        outcomes: Outcomes of the turn by id.
        question: What the person asked.
        language: Its language.
    """
    asked = asked_fields(question)
    query = to_look_up(outcomes, question, asked, language)
    return (SEARCH, {"query": query, "k": 4}) if query else to_compute(outcomes, asked)


def _plain(ref: str, outcome: Mapping[str, Json], language: Language) -> str:
    """Say the figures of a tool that has no template yet: the first one, then all, then what they rest on."""
    result = outcome["result"]
    given = {name: value for name, value in outcome["arguments"].items() if value == result.get(name)}
    figures = [
        name
        for name, value in result.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool) and name not in given
    ]
    if not figures:
        return ""
    story = "assumptions_zh" if language == "zh" else "assumptions"
    head = f"{_named(figures[0])}{'：' if language == 'zh' else ': '}{{{{{ref}.{figures[0]}}}}}"
    lines = [f"| {_named(name)} | {{{{{ref}.{name}}}}} |" for name in figures[1:]]
    table = ["", "| | |", "|---|---|", *lines] if lines else []
    rests = (
        ["", *(f"{{{{{ref}.{story}.{index}}}}}" for index in range(min(len(result.get(story, [])), 2)))]
        if result.get(story)
        else []
    )
    return "\n".join((head, *table, *rests))


def _named(field: str) -> str:
    """Write a field's name as words, without the unit that its value shows anyway."""
    unit = unit_of(field)
    words = field.split("_")
    tail = {
        "W": "w",
        "GB": "gb",
        "USD": "usd",
        "h": "h",
        "kWh": "kwh",
        "kg": "kg",
        "months": "months",
        "days": "days",
    }.get(unit, "")
    kept = words[:-1] if tail and words[-1] == tail and len(words) > 1 else words
    return " ".join(kept).capitalize()
