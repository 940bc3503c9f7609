"""The pages beside the chat: calculators, cards, documents, a replayed answer. Plain HTML, no framework to load."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from functools import cache
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, select_autoescape
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from assistant.figures import Language, show
from assistant.web.fields import field_label, summary_zh, value_label
from assistant.web.records import safe_url
from assistant.web.rendering import page_of
from assistant.web.replay import replayed
from assistant.web.site_words import SITE
from assistant.web.words import tool_title
from tools.api import Gpu, Json, all_tools, gpus, models, unit_of

HERE = Path(__file__).parent
DOCUMENTS = HERE.parent.parent / "docs"
# The end of a line between Chinese signs, or beside a full-width mark: browsers would show a space.
_CHINESE_BREAK = re.compile(
    r"(?:(?<=[，。；：、）])\n *(?![-|#\s])|(?<=[\u3000-\u9fff\uff00-\uffef])\n *(?=[\u3000-\u9fff\uff00-\uffef]))"
)
# What a person reads on "How it computes", in this order, if it is there; NAME.zh.md is preferred in Chinese.
CHAPTERS = ("how-it-computes", "guard", "nomenclature")
CARD_COLUMNS = (
    "memory_gb",
    "memory_bandwidth_gb_s",
    "tensor_fp16_dense_tflops",
    "tensor_int8_dense_tops",
    "tensor_fp8_dense_tflops",
    "board_power_w",
    "slots",
    "nvlink_gb_s",
    "launch_price_usd",
    "launch_date",
)
COMPARED = (
    "vendor",
    "architecture",
    "segment",
    "memory_type",
    "l2_cache_mb",
    "sm_count",
    "fp32_tflops",
    "tensor_bf16_dense_tflops",
    "tensor_tf32_dense_tflops",
    "tensor_fp4_dense_tflops",
    "compute_capability",
    "length_mm",
    "pcie_generation",
    "pcie_lanes",
)


@cache
def _templates() -> Environment:
    return Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=select_autoescape(),
        trim_blocks=True,
        lstrip_blocks=True,
    )


def language_of_request(request: Request) -> Language:
    """Return the language of a page: the cookie's, else the browser's."""
    try:
        chosen = SimpleCookie(request.headers.get("cookie", "")).get("language")
    except CookieError:
        chosen = None
    if chosen is not None and chosen.value in SITE:
        return "zh" if chosen.value == "zh" else "en"
    return "zh" if request.headers.get("accept-language", "").strip().lower().startswith("zh") else "en"


def site_data() -> str:
    """Return the labels of both languages for the scripts, safe inside a script element."""
    return json.dumps(SITE, ensure_ascii=False).replace("<", "\\u003c")


def template_response(request: Request, name: str, more: Mapping[str, Json], status: int = 200) -> HTMLResponse:
    """Return a page."""
    language = language_of_request(request)
    text = (
        _templates()
        .get_template(name)
        .render(
            {
                "language": language,
                "site": SITE[language],
                "data": Markup(site_data()),
                "here": request.url.path,
                **more,
            }
        )
    )
    return HTMLResponse(text, status, {"cache-control": "no-cache"})


def pages() -> list[BaseRoute]:
    """Return the routes of the pages."""
    return [
        Route("/calculators", _calculators),
        Route("/calculators/{tool}", _calculators),
        Route("/cards", _cards),
        Route("/how-it-computes", _how),
        Route("/how-it-computes/images/{name}", _image),
        Route("/how-it-computes/{chapter}", _how),
        Route("/replay", _replay),
    ]


def _calculators(request: Request) -> HTMLResponse:
    language = language_of_request(request)
    tools = [
        {
            "name": tool.name,
            "title": tool_title(tool.name, language),
            "module": tool.module,
            "summary": (summary_zh(tool.name) if language == "zh" else "") or tool.summary,
        }
        for tool in all_tools().values()
    ]
    chosen = request.path_params.get("tool", "")
    tool = all_tools().get(chosen)
    if chosen and tool is None:
        return template_response(request, "missing.html", {}, 404)
    groups: dict[str, list[dict[str, str]]] = {}
    for item in tools:
        groups.setdefault(item["module"], []).append(item)
    names = {"gpus": [card.name for card in gpus()], "models": [model.name for model in models()]}
    return template_response(
        request,
        "calculators.html",
        {
            "groups": {value_label(f"module_{module}", language): items for module, items in groups.items()},
            "names": names,
            "tool": tool,
            "title": tool_title(tool.name, language) if tool else "",
            "lead": ((summary_zh(tool.name) if language == "zh" else "") or tool.description) if tool else "",
        },
    )


def _cards(request: Request) -> HTMLResponse:
    language = language_of_request(request)
    rows = [_card(card, language) for card in gpus()]
    columns = [(name, field_label(name, language), _unit(name, language)) for name in CARD_COLUMNS]
    data = json.dumps(
        {
            "rows": rows,
            "columns": columns,
            "compared": [(name, field_label(name, language)) for name in (*CARD_COLUMNS, *COMPARED)],
        },
        ensure_ascii=False,
    ).replace("<", "\\u003c")
    return template_response(
        request,
        "cards.html",
        {
            "rows": Markup(data),  # "<" is escaped above
            "vendors": sorted({card.vendor for card in gpus()}),
            "segments": [(name, value_label(name, language)) for name in sorted({card.segment for card in gpus()})],
        },
    )


def _unit(name: str, language: Language) -> str:
    return (
        show(2, unit_of(name), language).lstrip("2 ").strip("$")
        if unit_of(name) not in ("", "USD")
        else ("USD" if unit_of(name) else "")
    )


def _card(card: Gpu, language: Language) -> dict[str, Any]:
    raw = dataclasses.asdict(card)
    shown = {name: _shown(name, raw[name], language) for name in (*CARD_COLUMNS, *COMPARED)}
    title, _, rest = card.source.partition(" (http")
    url = "http" + rest.split(")")[0] if rest else ""
    return {
        "name": card.name,
        "vendor": card.vendor,
        "segment": card.segment,
        "architecture": card.architecture,
        "verified": card.verified,
        "as_of": card.as_of,
        "source": title,
        "url": safe_url(url),
        "shown": shown,
        "aliases": " ".join(card.aliases),
        "raw": {name: raw[name] for name in CARD_COLUMNS},
    }


def _shown(name: str, value: Json, language: Language) -> str:
    if value is None:
        return ""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return show(float(value), unit_of(name), language)
    return value_label(str(value), language)


def _how(request: Request) -> HTMLResponse:
    language = language_of_request(request)
    there = [(name, _document(name, language)) for name in CHAPTERS]
    chapters = [(name, path) for name, path in there if path is not None]
    chosen = request.path_params.get("chapter") or (chapters[0][0] if chapters else "")
    path = dict(chapters).get(chosen)
    if chosen and path is None:
        return template_response(request, "missing.html", {}, 404)
    text = page_of(_CHINESE_BREAK.sub("", path.read_text("utf-8"))) if path else ""
    text = text.replace('src="images/', 'src="/how-it-computes/images/')
    text = text.replace("<table>", '<table tabindex="0">')  # wider than a phone: scrolled by keyboard too
    titles = [(name, _heading(path)) for name, path in chapters]
    written = "zh" if path and path.name.endswith(".zh.md") else "en"
    more = {
        "chapters": titles,
        "chosen": chosen,
        "text": Markup(text),  # raw HTML is off
        "foreign": written != language,
        "written": "zh-CN" if written == "zh" else "en",
    }
    return template_response(request, "how.html", more)


def _image(request: Request) -> Response:
    """Return a picture of the documents."""
    name = request.path_params["name"]
    path = DOCUMENTS / "images" / name
    if not re.fullmatch(r"[a-z0-9-]+\.(?:svg|png)", name) or not path.is_file():
        return template_response(request, "missing.html", {}, 404)
    return FileResponse(path, headers={"cache-control": "no-cache"})


def _document(name: str, language: Language) -> Path | None:
    order = (f"{name}.zh.md", f"{name}.md") if language == "zh" else (f"{name}.md", f"{name}.zh.md")
    return next((DOCUMENTS / file for file in order if (DOCUMENTS / file).is_file()), None)


def _heading(path: Path) -> str:
    with path.open(encoding="utf-8") as lines:
        return next((line.lstrip("# ").strip() for line in lines if line.startswith("#")), path.stem)


def _replay(request: Request) -> HTMLResponse:
    language = language_of_request(request)
    found = replayed(request.query_params.get("c", ""), language)
    return template_response(request, "replay.html", {"found": found}, 200 if found else 400)
