"""Chat messages of the page: one card a tool call, the answer, its passages and warnings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypedDict
from urllib.parse import quote, urlencode

from assistant.conversation import Answer
from assistant.figures import Language, show
from assistant.web.charts import Chart, charts_of
from assistant.web.fields import field_label
from assistant.web.markup import linked, plain
from assistant.web.records import in_language, is_list, is_row, link_of, safe_url
from assistant.web.words import WORDS, tool_title
from tools.api import Json, unit_of

MOST_PICTURES = 2
LONGEST_ADDRESS = 1900


class Message(TypedDict, total=False):
    """A message as Gradio's chat takes it."""

    role: str
    content: str
    metadata: dict[str, Json]


def said(text: str) -> Message:
    """Return what the person said, as text."""
    return {"role": "user", "content": "\n".join(plain(line) for line in text.splitlines())}


def thinking(language: Language) -> Message:
    """Return the card that shows before the first tool is known."""
    return {"role": "assistant", "content": "", "metadata": {"title": WORDS[language].thinking, "status": "pending"}}


def pending(tool: str, arguments: Mapping[str, Json], language: Language) -> Message:
    """Return the card of a running tool."""
    return {
        "role": "assistant",
        "content": _inputs(arguments, language),
        "metadata": {"title": _title(tool, arguments, language), "status": "pending"},
    }


def finished(outcome: Mapping[str, Json], duration_s: float | None, language: Language) -> Message:
    """Return the card of a tool that has run."""
    words = WORDS[language]
    title = _title(str(outcome["tool"]), outcome["arguments"], language)
    if "error" in outcome:
        title += f" · {words.failed}"
        content = linked(str((outcome.get("error_zh") if language == "zh" else None) or outcome["error"]), [])
    elif "citations" in outcome:
        content = _found(outcome["citations"], language)
    else:
        content = _story(outcome["arguments"], outcome["result"], language)
    metadata: dict[str, Json] = {"title": title, "status": "done"}
    if duration_s is not None:
        metadata["duration"] = round(duration_s, 3)
    return {"role": "assistant", "content": content, "metadata": metadata}


def _title(tool: str, arguments: Mapping[str, Json], language: Language) -> str:
    about = arguments.get("cards") or arguments.get("gpu") or arguments.get("gpus") or arguments.get("model") or ""
    if is_row(about):
        about = ", ".join(f"{count} × {name}" for name, count in about.items())
    elif is_list(about):
        about = ", ".join(str(name) for name in about)
    title = tool_title(tool, language)
    return f"{title} · {str(about)[:60]}" if about else title


def _inputs(arguments: Mapping[str, Json], language: Language) -> str:
    shown = [
        f"{field_label(name, language)} {_value(name, value, language)}"
        for name, value in arguments.items()
        if value is not None
    ]
    return f"**{WORDS[language].given}** {plain(' · '.join(shown))}" if shown else ""


def _value(name: str, value: Json, language: Language) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return show(float(value), unit_of(name), language)
    if is_row(value):
        return ", ".join(f"{count} × {key}" for key, count in value.items())
    return ", ".join(map(str, value)) if is_list(value) else str(value)[:200]


def _story(arguments: Mapping[str, Json], result: Mapping[str, Json], language: Language) -> str:
    words = WORDS[language]
    parts = [_inputs(arguments, language)]
    for label, lines in (
        (words.how, [str(step) for step in result.get("steps", [])]),
        (words.assumptions, in_language(result, "assumptions", language)),
        (words.warnings, in_language(result, "warnings", language)),
    ):
        if lines:
            parts.append(f"**{label}**\n" + "\n".join(f"- {plain(line)}" for line in lines))
    sources = [f"- {_source(source)}" for source in result.get("sources", [])]
    if sources:
        parts.append(f"**{words.sources}**\n" + "\n".join(sources))
    return "\n\n".join(part for part in parts if part)


def _source(source: Mapping[str, Json]) -> str:
    link = link_of(source)
    title = f"[{plain(link['text'])}]({link['url']})" if link["url"] else plain(link["text"])
    return f"{title} {plain(link['date'])}".rstrip()


def _found(citations: Sequence[Mapping[str, Json]], language: Language) -> str:
    return "\n".join(f"- {plain(heading(passage))}" for passage in citations) or WORDS[language].empty_search


def heading(passage: Mapping[str, Json]) -> str:
    """Return where a passage stands: title, section, date."""
    section = str(passage.get("section") or "")
    numbered = f"§\u00a0{section}" if section[:1].isdigit() else section
    parts = (str(passage["title"]), numbered, str(passage.get("date") or ""))
    return " · ".join(part for part in parts if part)


def answered(answer: Answer) -> tuple[str, str]:
    """Return an answer's Markdown and what stands below it: warnings, pictures, and the passages that it rests on."""
    below = [f"> {plain(warning)}" for warning in answer.warnings]
    below += [
        _picture(call, index, chart, answer.language)
        for call in answer.calls
        if "result" in call
        for index, chart in enumerate(charts_of(str(call["tool"]), call["result"], answer.language))
    ][:MOST_PICTURES]
    below += [_passage(passage) for passage in answer.citations]
    return linked(answer.answer, answer.numbers), "\n\n".join(below)


def _picture(call: Mapping[str, Json], index: int, chart: Chart, language: Language) -> str:
    """Return a chart as an image that the server draws from the call alone, and whose link saves it.

    "" if its address would be too long.
    """
    arguments = json.dumps(call["arguments"], ensure_ascii=True, separators=(",", ":"))
    query = urlencode({"n": index, "language": language, "arguments": arguments}, quote_via=quote)
    address = f"/page/chart/{call['tool']}.svg?{query}"
    if len(address) > LONGEST_ADDRESS:
        return ""
    alt = plain(f"{chart.title}. {chart.text}")
    return f"[![{alt}]({address})]({address}&download=1)"


def _passage(passage: Mapping[str, Json]) -> str:
    number = str(passage["id"]).removeprefix("c")
    url = safe_url(str(passage.get("url", "")))
    text = "<br>".join(plain(line) for line in str(passage["text"]).splitlines() if line.strip())
    link = f'<br><a href="{url}" rel="noreferrer">{plain(url)}</a>' if url else ""
    return f"<details><summary>{plain(number)}. {plain(heading(passage))}</summary><p>{text}{link}</p></details>"
