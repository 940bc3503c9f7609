"""The page without a browser: what becomes a link, what a number opens to, who may call."""

from __future__ import annotations

import html
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app import create_app
from assistant.conversation import Answer, CallFinished, CallStarted
from assistant.desk import Desk, open_desk
from assistant.history import Past
from assistant.settings import Settings
from assistant.web.cards import answered, finished, pending, said
from assistant.web.commands import answer_of
from assistant.web.markup import growing, linked, plain
from assistant.web.page import preferred, speak
from assistant.web.records import records_of, safe_url
from assistant.web.turns import Chat, Place, respond, stopped
from assistant.web.words import WORDS

ATTACKS = [
    "<img src=x onerror=alert(1)>",
    "[click](javascript:alert(1))",
    "<script>alert(1)</script>",
    "![x](http://evil/x)",
    "</details><style>*{display:none}</style>",
    "https://evil.example/path",
    "`code` $x$ | a | _b_ ~c~",
    "&lt;b&gt;",
    "<a href='#r1.x'>9 W</a>",
    "[9 W](#r1.system_w)",
    "# head\n<iframe src=//evil>",
]


def number(text: str, answer: str, kind: str = "tool", ref: str = "r1.system_w", unit: str = "W") -> dict[str, Any]:
    return {"text": text, "start": answer.index(text), "value": 1.0, "unit": unit, "kind": kind, "ref": ref}


@pytest.mark.parametrize("attack", ATTACKS)
def test_text_stays_text(attack: str) -> None:
    for shown in (plain(attack), linked(attack, []), said(attack).get("content", "")):
        text = re.sub(r"<code>(.*?)</code>", r"&#96;\1&#96;", shown)
        assert not re.search(r"[<\[\]`$]|://|javascript:", text)
        assert html.unescape(text).replace("\n", "") in (attack, attack.replace("\n", ""))


def test_a_number_becomes_a_link() -> None:
    answer = "The machine takes 1,650 W (yours: 1,600 W, RTX 3090)."
    numbers = [
        number("1,650 W", answer),
        number("1,600 W", answer, "user", "user"),
        number("3090", answer, "name", "name", ""),
    ]
    shown = html.unescape(linked(answer, numbers))
    assert "[1,650 W](#r1.system_w)" in shown
    assert re.search(r"\[1,600 W\]\(#user\.[0-9a-f]+\)", shown)
    assert "RTX 3090" in shown and shown.count("](#") == 2


def test_a_bare_word_a_date_and_a_citation() -> None:
    answer = "Since 2023-01-30 both cost the same [c2]."
    numbers = [number(text, answer, ref="r1.sources.0.date", unit="") for text in ("2023", "01", "30")]
    numbers.append(number("both", answer, unit=""))
    shown = html.unescape(linked(answer, numbers))
    assert "[2023-01-30](#r1.sources.0.date) both" in shown
    assert "[[2]](#c2)" in shown


def test_tables_lists_and_bold_stay_markup() -> None:
    answer = "- **Fits** *not* `<b>`\n\n| | W |\n|---|---|\n| a_b | 5 W |\n\n| no table |"
    shown = linked(answer, [number("5 W", answer)])
    assert "- **Fits** &#42;not&#42; <code>&#60;b&#62;</code>" in shown
    assert "| | W |\n|---|---|\n| a&#95;b | [5 W](#r1.system_w) |" in shown
    assert "| no table |" not in shown


def test_pieces_grow_and_cut_nothing() -> None:
    answer = "One 5 W two. " * 30 + "\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd & more."
    markdown = linked(answer, [number("5 W", answer)])
    pieces = growing(markdown)
    assert pieces[-1] == markdown and len(pieces) <= 20
    for shorter, longer in pairwise(pieces):
        assert longer.startswith(shorter)
        tail = longer[len(shorter) :]
        assert not re.match(r"\d+;", tail)
        assert shorter.count("[") == shorter.count("](#") == shorter.count(")")
        assert ("|---|" in shorter) == ("| 1 |" in shorter)


def test_growing_nothing_is_one_piece() -> None:
    assert growing("") == [""]


def test_an_address_is_safe() -> None:
    assert safe_url("javascript:alert(1)") == ""
    assert safe_url('https://a.example/x y)("<') == "https://a.example/x%20y%29%28%22%3C"


@pytest.fixture(scope="module")
def computed() -> tuple[Answer, list[Any]]:
    import asyncio

    async def run() -> tuple[Answer, list[Any]]:
        events: list[Any] = []
        async with open_desk(Settings()) as desk:
            async for event in desk.conversation().ask("4 张 3090 用 1600W 电源够吗？"):
                events.append(event)
        return events[-1], events

    return asyncio.run(run())


def test_a_card_tells_how_a_number_came_about(computed: tuple[Answer, list[Any]]) -> None:
    answer, _ = computed
    record = records_of(answer, ["4 张 3090 用 1600W 电源够吗？"])["r1.system_w"]
    assert record["title"] == "整机功耗" and record["kind"] == "tool"
    parts = {part.get("label"): part for part in record["sections"]}
    assert parts["怎么算的"].get("lines") == ["system_w = 1400 W + 200 W = 1600 W"]
    assert "CPU、主板、硬盘和风扇按 200 W 计。" in parts["假设"].get("lines", [])
    assert any(link["date"] and link["url"].startswith("https://") for link in parts["来源"].get("links", []))


def test_every_link_of_an_answer_has_a_card(computed: tuple[Answer, list[Any]]) -> None:
    answer, _ = computed
    targets = set(re.findall(r"\]\(#([^)]+)\)", answered(answer)[0]))
    assert targets and targets <= set(records_of(answer, ["1600W"]))


def test_a_range_a_basis_and_a_nested_result_are_shown() -> None:
    inner = {
        "tokens_per_s": 20.0,
        "low_tokens_per_s": 15.0,
        "high_tokens_per_s": 25.0,
        "basis": "modelled",
        "steps": ["tokens_per_s = 936 GB/s / 46.8 GB = 20"],
        "sources": [],
    }
    answer = Answer(
        "20 tokens/s",
        "en",
        "answered",
        "built-in",
        numbers=[number("20 tokens/s", "20 tokens/s", ref="r1.plans.0.decode.tokens_per_s", unit="tokens/s")],
        results={
            "r1": {
                "tool": "plan_build",
                "arguments": {},
                "result": {"plans": [{"decode": inner}], "steps": ["plans = 1"]},
            }
        },
    )
    record = records_of(answer, [])["r1.plans.0.decode.tokens_per_s"]
    lines = {part.get("label"): part.get("lines") for part in record["sections"]}
    assert lines["How it was computed"] == ["tokens_per_s = 936 GB/s / 46.8 GB = 20"]
    assert lines["Range"] == ["15 – 25 tokens/s"]
    assert lines["Basis"] == ["modelled: fitted on public measurements"]


def opened(ref: str, unit: str = "W") -> dict[Any, Any]:
    """Open one field of a power check that was given a supply of 1600 W."""
    result = {
        "system_w": 1600.0,
        "psu_w": 1600.0,
        "platform_w": 200.0,
        "steps": ["system_w = 1400 W + 200 W = 1600 W"],
        "assumptions": ["The platform takes 200 W."],
        "assumptions_zh": ["平台按 200 W 计。"],
        "sources": [
            {"title": "A", "url": "https://a.example/", "date": "2023-01-30"},
            {"title": "B (https://b.example/x)", "url": "", "date": "2024-01-01"},
        ],
    }
    answer = Answer(
        "1 W",
        "zh",
        "answered",
        "built-in",
        numbers=[number("1 W", "1 W", ref=ref, unit=unit)],
        results={"r1": {"tool": "power_check", "arguments": {"psu_w": 1600.0}, "result": result}},
    )
    sections = records_of(answer, [])[ref]["sections"]
    return {part.get("label"): part.get("lines") or part.get("links") for part in sections}


def test_an_input_an_assumption_and_a_date_open_to_what_they_are() -> None:
    assert opened("r1.psu_w")[""] == ["这是计算的输入。"]
    assert opened("r1.arguments.psu_w")[""] == ["这是计算的输入。"]
    assert opened("r1.platform_w")["怎么算的"] == ["system_w = 1400 W + 200 W = 1600 W"]
    assert opened("r1.assumptions_zh.0")["假设"] == ["平台按 200 W 计。"]
    assert opened("r1.sources.1.date") == {"来源": [{"text": "B", "url": "https://b.example/x", "date": "2024-01-01"}]}


def test_a_users_number_and_a_passage_open() -> None:
    text = "Mine is 7 W, the guide's 8 W."
    answer = Answer(
        text,
        "en",
        "answered",
        "built-in",
        numbers=[number("7 W", text, "user", "user"), number("8 W", text, "article", "c1")],
        citations=[
            {
                "id": "c1",
                "article": "a",
                "title": "Guide",
                "section": "3",
                "url": "https://a.example/",
                "date": "2023-01-30",
                "text": "It takes 8 W <b>.",
            }
        ],
    )
    records = records_of(answer, ["I have 7 W", "and now?"])
    mine = next(record for ref, record in records.items() if ref.startswith("user."))
    assert mine["sections"][0].get("lines") == ["I have 7 W"]
    assert records["c1"]["sections"][0].get("lines") == ["It takes 8 W <b>."]
    below = answered(answer)[1]
    assert "<summary>1&#46; Guide · §&#160;3 · 2023" in below.replace("&#167;", "§").replace("1. ", "1&#46; ")
    assert "<b>" not in below


def test_cards_of_tools(computed: tuple[Answer, list[Any]]) -> None:
    events = computed[1]
    started = next(event for event in events if isinstance(event, CallStarted))
    ended = next(event for event in events if isinstance(event, CallFinished))
    waiting = pending(started.tool, started.arguments, "zh")
    assert waiting.get("metadata") == {"title": "电源检查 · 4 × RTX 3090", "status": "pending"}
    card = finished(ended.outcome, 0.0123, "zh")
    assert card.get("metadata", {})["status"] == "done" and card.get("metadata", {})["duration"] == 0.012
    content = html.unescape(card.get("content", ""))
    assert "system_w = 1400 W + 200 W = 1600 W" in content and "**假设**" in content and "**来源**" in content


def test_cards_of_errors_and_searches() -> None:
    error = {"error": "`tokens` <x>", "error_zh": "`tokens` 太多"}
    failed = finished({"tool": "kv_cache", "arguments": {}, **error}, 0, "zh")
    assert failed.get("content") == "<code>tokens</code> 太多" and "没有算成" in failed.get("metadata", {})["title"]
    nothing = finished({"tool": "search_articles", "arguments": {"query": "x"}, "citations": []}, 0, "en")
    assert nothing.get("content") == WORDS["en"].empty_search


@pytest.mark.parametrize(
    ("usage", "language", "said"),
    [
        ({}, "en", ""),
        ({"input_tokens": 0, "output_tokens": 0}, "en", ""),
        ({"input_tokens": 1200, "output_tokens": 34}, "en", "1,200 tokens read, 34 written"),
        (
            {"input_tokens": 1200, "output_tokens": 34, "cost_usd": 0.0042},
            "zh",
            "读入 1,200、生成 34 token · 0.0042 美元",
        ),
    ],
)
def test_what_an_answer_took_is_said_and_comes_back_with_it(usage: dict[str, float], language: Any, said: str) -> None:
    chat = Chat()
    answer = Answer("x", language, "answered", "lab:model", usage=usage)
    chat.took(answer, "Q?")
    assert json.loads(chat.told())["usage"] == said
    again = answer_of(Past(1, "Q?", {**answer.to_dict(), "usage": usage}, 0.0))
    assert again.usage == usage


def test_both_languages_have_every_label() -> None:
    for language in ("zh", "en"):
        assert all(str(value).strip() for value in speak(language))
    assert len(WORDS["zh"].examples) == len(WORDS["en"].examples)


@pytest.mark.parametrize(
    ("cookie", "accepted", "language"),
    [
        ("", "zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("", "zh", "zh"),
        ("", "en-GB,zh;q=0.5", "en"),
        ("", "", "en"),
        ("language=en", "zh-CN", "en"),
        ("a=b; language=zh", "en", "zh"),
        ("language=<x>", "de", "en"),
    ],
)
def test_the_language_of_a_page(cookie: str, accepted: str, language: str) -> None:
    assert preferred(cookie, accepted) == language


async def test_a_turn_shows_a_card_before_the_text_and_ends_ready() -> None:
    chat = Chat()
    async with open_desk(Settings()) as desk:
        updates = [update async for update in respond(Place(desk), "4 x RTX 3090 power supply?", [], chat)]
    first, last = updates[0], updates[-1]
    assert first[0][-1]["metadata"]["status"] == "pending" and first[1]["stop_btn"] is True
    assert last[1]["submit_btn"] is True and last[1]["stop_btn"] is False
    messages = [update[0] for update in updates if isinstance(update[0], list)]
    texts = [message[-1]["content"] for message in messages if not message[-1].get("metadata")][1:]
    assert all(later.startswith(sooner) for sooner, later in pairwise(texts))
    told = json.loads(updates[-2][3])
    assert "r1.system_w" in told["records"] and told["calls"][0]["tool"] == "power_check" and told["turn"] == 1
    assert chat.asked == ["4 x RTX 3090 power supply?"]


class Broken(Desk):
    """A desk that fails."""

    def conversation(self, session: str | None = None, model: str = "") -> Any:
        raise RuntimeError("secret detail")


async def test_a_broken_turn_says_so_without_details() -> None:
    async with open_desk(Settings()) as desk:
        broken = Broken(desk._agent, "broken")  # pyright: ignore[reportPrivateUsage]
        updates = [update async for update in respond(Place(broken), "电源？", [], Chat())]
    shown = updates[-2][0]
    assert WORDS["zh"].broken == html.unescape(shown[-1]["content"])
    assert "secret" not in str(updates) and updates[-1][1]["submit_btn"] is True


async def test_an_empty_question_changes_nothing() -> None:
    async with open_desk(Settings()) as desk:
        chat = Chat()
        assert len([update async for update in respond(Place(desk), "  ", [], chat)]) == 1
    assert chat.asked == []


def test_stopping_closes_what_waits() -> None:
    shown, box = stopped([{"role": "user", "content": "x"}, pending("kv_cache", {}, "en")], Chat(asked=["hello"]))
    assert [message["content"] for message in shown] == ["x", "*Stopped.*"] and box["submit_btn"] is True


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"))

    @asynccontextmanager
    async def opener(chosen: Settings) -> AsyncIterator[Desk]:
        async with open_desk(chosen) as desk:
            yield desk

    with TestClient(create_app(settings, opener, warm=False), base_url="http://127.0.0.1:7860") as opened:
        yield opened


def test_health(client: TestClient) -> None:
    reply = client.get("/healthz")
    assert (reply.status_code, reply.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize("path", ["/healthz", "/", "/gradio_api/info", "/site.js"])
@pytest.mark.parametrize("host", ["evil.example", "evil.example:7860", "127.0.0.1.evil.example", "", "localhost@evil"])
def test_a_foreign_host_is_refused(client: TestClient, path: str, host: str) -> None:
    assert client.get(path, headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "http://localhost:7860", ""]
)
def test_a_foreign_origin_is_refused(client: TestClient, origin: str) -> None:
    for method in ("GET", "POST", "OPTIONS"):
        reply = client.request(method, "/gradio_api/queue/join", headers={"origin": origin})
        assert reply.status_code == 403
        assert "access-control-allow-origin" not in reply.headers


@pytest.mark.parametrize("host", ["localhost:7860", "127.0.0.1", "[::1]:7860"])
def test_our_own_names_are_served(client: TestClient, host: str) -> None:
    reply = client.get("/healthz", headers={"host": host, "origin": f"http://{host}"})
    assert reply.status_code == 200


def test_every_reply_carries_the_policy(client: TestClient) -> None:
    for path in ("/", "/healthz", "/site.js", "/nowhere"):
        headers = client.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe-eval" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/gradio_api/openapi.json", "/gradio_api/upload", "/monitoring"])
def test_no_description_of_the_inside_is_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in (403, 404, 405)


def test_no_endpoint_is_offered_to_programs(client: TestClient) -> None:
    assert client.get("/gradio_api/info").json()["named_endpoints"] == {}


def test_the_page_is_served_without_a_foreign_script_or_font(client: TestClient) -> None:
    page = client.get("/").text
    assert not re.findall(r"<(?:script|link)[^>]+(?:src|href)=[\"'](?:https?:)?//", page)
    assert "fonts.googleapis" not in page


def test_files_of_this_machine_are_not_served(client: TestClient) -> None:
    inside = Path(__file__).resolve()
    for path in (f"/gradio_api/file={inside}", "/gradio_api/file=app.py", "/gradio_api/file=../../etc/passwd"):
        assert client.get(path).status_code in (403, 404)
