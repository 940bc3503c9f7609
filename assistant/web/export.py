"""A conversation to take away: Markdown, JSON, or a page that prints well."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence

from assistant.evidence import language_of
from assistant.figures import Language
from assistant.history import Kept, Past
from assistant.web.compute import pictures_of
from assistant.web.records import in_language, link_of
from assistant.web.rendering import html_of
from assistant.web.site_words import SITE
from assistant.web.words import WORDS, tool_title
from tools.api import Json


def day_of(at: float) -> str:
    """Return a moment as a date and a time of this machine."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(at))


def as_json(kept: Kept, turns: Sequence[Past], opinions: Mapping[int, tuple[bool, str]]) -> str:
    """Return everything that was kept."""
    said = [
        {
            "question": past.question,
            "at": day_of(past.at),
            "answer": past.answer,
            **(
                {"opinion": {"good": opinions[past.number][0], "reason": opinions[past.number][1]}}
                if past.number in opinions
                else {}
            ),
        }
        for past in turns
    ]
    return json.dumps({"title": kept.title, "turns": said}, ensure_ascii=False, indent=2)


def as_markdown(kept: Kept, turns: Sequence[Past]) -> str:
    """Return questions and answers with steps and sources."""
    parts = [f"# {kept.title}"]
    for past in turns:
        language = language_of(past.question)
        parts += [f"## {' '.join(past.question.split())[:400]}", f"*{day_of(past.at)}*", str(past.answer["answer"])]
        parts += [_call(call, language) for call in past.answer.get("calls", []) if "result" in call]
        parts += [
            f"> [{cited['id']}] {cited['title']} · {cited['date']} · {cited['url']}\n"
            f"> {' '.join(str(cited['text']).split())}"
            for cited in past.answer.get("citations", [])
        ]
    return "\n\n".join(parts) + "\n"


def _call(call: Mapping[str, Json], language: Language) -> str:
    words, result = WORDS[language], call["result"]
    lines = [f"**{tool_title(str(call['tool']), language)}** `{json.dumps(call['arguments'], ensure_ascii=False)}`", ""]
    lines += [f"- {words.how}: {step}" for step in result.get("steps", [])]
    lines += [f"- {words.assumptions}: {line}" for line in in_language(result, "assumptions", language)]
    for source in result.get("sources", []):
        link = link_of(source)
        lines.append(f"- {words.sources}: {link['text']} {link['url']} {link['date']}".rstrip())
    return "\n".join(lines)


def as_page(kept: Kept, turns: Sequence[Past], language: Language) -> dict[str, Json]:
    """Return what the print template needs."""
    shown: list[dict[str, Json]] = []
    for past in turns:
        own = language_of(past.question)
        calls = [
            {
                "title": tool_title(str(call["tool"]), own),
                "steps": call["result"].get("steps", []),
                "assumptions": in_language(call["result"], "assumptions", own),
                "sources": [link_of(source) for source in call["result"].get("sources", [])],
                "pictures": pictures_of(str(call["tool"]), call["result"], own),
            }
            for call in past.answer.get("calls", [])
            if "result" in call
        ]
        shown.append(
            {
                "question": past.question,
                "at": day_of(past.at),
                "calls": calls,
                "words": WORDS[own],
                "html": html_of(str(past.answer["answer"]), []),
                "citations": past.answer.get("citations", []),
            }
        )
    return {"title": kept.title, "turns": shown, "language": language, "site": SITE[language]}
