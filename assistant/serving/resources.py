"""What an MCP client may read: the articles, the cards and the list of quantities."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from urllib.parse import quote, unquote

from mcp_types import Resource, ResourceTemplate, TextResourceContents

from assistant.serving.catalogue import Entry
from tools.api import Json, ToolInputError, get_tool, gpus, is_array, is_object, unit_of

ROOT = "gpu-advisor://"
_ARTICLES, _CARDS, _CARD, _QUANTITIES = f"{ROOT}articles/", f"{ROOT}cards", f"{ROOT}cards/", f"{ROOT}nomenclature"

TEMPLATES = [
    ResourceTemplate(
        uri_template=f"{_CARD}{{name}}",
        name="card",
        title="One card",
        mime_type="application/json",
        description="Physical data of a card by name, e.g. gpu-advisor://cards/RTX%204090",
    ),
]


def listed() -> list[Resource]:
    """Return what can be read by a fixed address."""
    articles = [
        Resource(
            uri=_ARTICLES + name,
            name=name,
            title=title,
            mime_type="text/markdown",
            description="An article in our own words, with sections to cite.",
        )
        for name, (title, _) in _articles().items()
    ]
    return [
        *articles,
        Resource(
            uri=_CARDS,
            name="cards",
            title="Cards of the catalogue",
            mime_type="application/json",
            description="Names, memory [GB] and board power [W] of every card.",
        ),
        Resource(
            uri=_QUANTITIES,
            name="nomenclature",
            title="Quantities and units",
            mime_type="text/markdown",
            description="Every field of arguments and results with its unit.",
        ),
    ]


def read(uri: str, entries: Mapping[str, Entry]) -> TextResourceContents:
    """Return a resource; addresses are looked up, never turned into paths.

    Raises:
        ToolInputError: If there is no such resource.
    """
    if uri == _CARDS:
        rows = [
            {"name": card.name, "memory_gb": card.memory_gb, "board_power_w": card.board_power_w} for card in gpus()
        ]
        return _text(uri, "application/json", _json({"cards": rows}))
    if uri.startswith(_CARD):
        specs = get_tool("gpu_specs").call({"gpu": unquote(uri[len(_CARD) :])})
        return _text(uri, "application/json", _json(specs.to_dict()))
    if uri == _QUANTITIES:
        return _text(uri, "text/markdown", _quantities(entries))
    article = _articles().get(uri.removeprefix(_ARTICLES)) if uri.startswith(_ARTICLES) else None
    if article:
        return _text(uri, "text/markdown", article[1])
    raise ToolInputError(
        f"There is no resource {uri[:100]!r}. `resources/list` names all; a card is {_CARD}{quote('RTX 4090')}.",
        f"没有资源 {uri[:100]!r}。用 `resources/list` 查看全部；显卡的地址形如 {_CARD}{quote('RTX 4090')}。",
    )


def _text(uri: str, kind: str, text: str) -> TextResourceContents:
    return TextResourceContents(uri=uri, mime_type=kind, text=text)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


@cache
def _articles() -> dict[str, tuple[str, str]]:
    """Title and text of the package's articles by `id.language`."""
    from knowledge.articles import built_in_articles

    found: dict[str, tuple[str, str]] = {}
    for article, passages in built_in_articles():
        head = f"# {article.title}\n\n{article.author} {article.date} {article.url}".rstrip()
        body: list[str] = []
        section = ""
        for passage in passages:
            if passage.section != section:
                section = passage.section
                body.append(f"## {passage.section} {passage.heading}".rstrip())
            body.append(passage.text)
        found[f"{article.id}.{article.language}"] = (article.title, "\n\n".join([head, *body]) + "\n")
    return found


def _quantities(entries: Mapping[str, Entry]) -> str:
    used: dict[str, set[str]] = {}
    for entry in entries.values():
        for schema in (entry.parameters, entry.returns):
            for name in _names(schema):
                if unit_of(name):
                    used.setdefault(name, set()).add(entry.name)
    rows = [f"| {name} | {unit_of(name)} | {', '.join(sorted(tools))} |" for name, tools in sorted(used.items())]
    return "\n".join(["# Quantities", "", "| field | unit | used by |", "|---|---|---|", *rows, ""])


def _names(schema: Json) -> Iterator[str]:
    if is_object(schema):
        for key, value in schema.items():
            if key == "properties":
                yield from value
            yield from _names(value)
    elif is_array(schema):
        for item in schema:
            yield from _names(item)
