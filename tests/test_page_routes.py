"""What the page's scripts get: computing again, pictures, history, export, feedback, and the pages beside the chat."""

from __future__ import annotations

import html
import json
import re
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient

from app import create_app
from assistant.desk import Desk, open_desk
from assistant.history import History
from assistant.settings import Settings
from assistant.web.fields import field_label
from assistant.web.forms import fields_of
from assistant.web.help_zh import HELP_ZH
from assistant.web.replay import replay_code, replayed
from assistant.web.site_words import SITE
from tests.arguments import ARGUMENTS
from tools.api import all_tools, get_tool

CALLS = {name: arguments for name, arguments in ARGUMENTS.items() if name in all_tools()}
POWER: dict[str, Any] = {"cards": {"RTX 3090": 4}, "psu_w": 1600}
CANARY = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    @asynccontextmanager
    async def opener(chosen: Settings) -> AsyncIterator[Desk]:
        async with open_desk(chosen) as desk:
            yield desk

    app = create_app(Settings(data_dir=folder), opener, warm=False)
    with TestClient(app, base_url="http://127.0.0.1:7860") as opened:
        opened.get("/cards")  # brings the owner's cookie
        yield opened


def owner(client: TestClient) -> str:
    return f"browser:{client.cookies['gpu_advisor_owner']}"


def keep(client: TestClient, folder: Path, question: str = "4 x 3090?") -> str:
    """Keep a turn of this browser as the chat would."""
    call = {
        "id": "r1",
        "tool": "power_check",
        "arguments": POWER,
        "result": get_tool("power_check").call(POWER).to_dict(),
    }
    answer = {
        "answer": "It takes 1,600 W.",
        "language": "en",
        "status": "answered",
        "model": "built-in",
        "calls": [call],
        "numbers": [],
        "citations": [],
        "warnings": [],
        "results": {"r1": call},
    }
    history = History(folder / "history.sqlite")
    name = history.keep(owner(client), f"s{time.monotonic_ns()}", 1, question, answer)
    history.close()
    return name


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("tool", list(CALLS))
def test_every_tool_is_computed_said_and_called_in_other_hands(client: TestClient, tool: str, language: str) -> None:
    reply = client.post(
        "/page/compute", json={"tool": tool, "arguments": CALLS[tool], "language": language, "fields": True}
    )
    shown = reply.json()
    assert reply.status_code == 200 and "error" not in shown, shown
    assert shown["sentence"] and set(re.findall(r'href="#([^"]+)"', shown["sentence"])) <= set(shown["records"])
    assert [field["name"] for field in shown["fields"] if field["required"]] == get_tool(tool).parameters["required"]
    assert set(shown["same"]) == {"Python", "Shell", "MCP", "HTTP", "JSON"}
    space: dict[str, Any] = {}
    exec(shown["same"]["Python"], space)


def test_a_change_is_marked_and_fast(client: TestClient) -> None:
    body = {"tool": "power_check", "arguments": {**POWER, "power_limit_w": 300}, "before": POWER, "language": "zh"}
    client.post("/page/compute", json=body)
    started = time.perf_counter()
    shown = client.post("/page/compute", json=body).json()
    took_s = time.perf_counter() - started
    figures = {figure["name"]: figure for figure in shown["figures"]}
    assert shown["changed"] and figures["system_w"] == {
        "name": "system_w",
        "label": "整机功耗",
        "shown": "1,400 W",
        "before": "1,600 W",
        "changed": True,
    }
    assert "changed" not in figures["psu_w"] and "1,400 W" in shown["sentence"] and shown["pictures"]
    assert took_s < 0.3
    same = client.post("/page/compute", json={**body, "arguments": POWER}).json()
    assert same["changed"] is False


def test_an_input_error_is_said_in_the_language_of_the_page(client: TestClient) -> None:
    for language, said in (("zh", "目录里没有"), ("en", "is not in the catalogue")):
        body = {"tool": "power_check", "arguments": {"cards": {CANARY: 1}}, "language": language}
        assert said in client.post("/page/compute", json=body).json()["error"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"x", 400),
        (b"[]", 400),
        (b"{}", 400),
        (b'{"tool": "nothing", "arguments": {}}', 404),
        (b'{"tool": 1, "arguments": {}}', 400),
        (b"[" * 100_000, 400),
        (b" " * 300_000, 400),
    ],
)
def test_what_cannot_be_read_is_refused(client: TestClient, body: bytes, status: int) -> None:
    reply = client.post("/page/compute", content=body, headers={"content-type": "application/json"})
    assert reply.status_code == status
    assert client.post("/page/compute", content=body, headers={"content-type": "text/plain"}).status_code == 400


@pytest.mark.parametrize("tool", list(CALLS))
def test_a_form_names_every_input_with_help_in_both_languages(tool: str) -> None:
    for field in fields_of(get_tool(tool), {}, "en"):
        assert field["help"] and "[" not in field["help"][-4:]
        name = field["name"]
        assert name in HELP_ZH, f"help_zh.py has no line for {name}"
        known = field_label(name, "zh") != name or name in ("pue",)
        assert known, f"labels.toml has no Chinese name for {name}"


@pytest.mark.parametrize("tool", list(CALLS))
def test_every_figure_and_choice_is_named_in_words(client: TestClient, tool: str) -> None:
    body = {"tool": tool, "arguments": CALLS[tool], "language": "zh", "fields": True}
    shown = client.post("/page/compute", json=body).json()
    names = [figure["label"] for figure in shown["figures"]] + shown["table"].get("head", [])
    assert [name for name in names if re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)+", name)] == []
    labels = [label for field in shown["fields"] for _, label in field.get("options", [])]
    assert [label for label in labels if re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+)+", label)] == []


def test_a_sentence_of_a_tool_is_shown_in_the_language_of_the_page(client: TestClient) -> None:
    for language, wanted in (("zh", True), ("en", False)):
        body = {"tool": "recommend", "arguments": CALLS["recommend"], "language": language}
        shown = client.post("/page/compute", json=body).json()
        said = [figure["shown"] for figure in shown["figures"] if figure["name"] == "flips_if"]
        assert len(said) == 1 and bool(re.search("[\u4e00-\u9fff]", said[0])) == wanted


def test_a_warning_that_the_sentence_gives_is_not_said_twice(client: TestClient) -> None:
    body = {"tool": "rank_by_value", "arguments": {"use": "inference_8bit"}, "language": "zh"}
    shown = client.post("/page/compute", json=body).json()
    warned = shown["result"]["warnings_zh"]
    twice = [text for text in warned if text in shown["text"]]
    assert twice and shown["warnings"] == [text for text in warned if text not in twice]


def test_a_document_that_is_there_in_one_language_says_so_in_the_other(client: TestClient) -> None:
    english, chinese = (
        client.get("/how-it-computes/guard", headers={"accept-language": language}).text for language in ("en", "zh-CN")
    )
    assert f">{SITE['zh']['foreign']}</p>" in chinese and f">{SITE['en']['foreign']}</p>" not in english
    assert all('<div lang="en">' in text for text in (english, chinese))


def test_chinese_lines_are_joined_without_a_space(client: TestClient) -> None:
    text = client.get("/how-it-computes", headers={"accept-language": "zh-CN"}).text
    assert ">速度和显存怎么算</h1>" in text and f">{SITE['zh']['foreign']}</p>" not in text
    whole = text.partition("<article")[2]
    assert not re.search(r"[\u4e00-\u9fff，。；：（）、]\n[\u4e00-\u9fff，。；：（）、]|[，。；：）、]\n\w", whole)
    assert whole.count("<li>") == 5 and whole.count("<h2>") == 7


def test_a_picture_of_the_documents_is_served_and_nothing_else(client: TestClient) -> None:
    found = re.findall(r'<img src="([^"]+)"', client.get("/how-it-computes").text)
    assert found and all(client.get(path).headers["content-type"].startswith("image/") for path in found)
    for name in ("nothing.svg", "..%2Fguard.md", "%2e%2e%2f%2e%2e%2fapp.py", "accuracy.svg.md"):
        assert client.get(f"/how-it-computes/images/{name}").status_code == 404


def test_a_share_is_asked_for_in_percent() -> None:
    field = next(
        f for f in fields_of(get_tool("cloud_break_even"), {"utilization": 0.4}, "zh") if f["name"] == "utilization"
    )
    assert (field["scale"], field["unit"], field["value"], field["high"]) == (100, "%", 0.4, 100)


def test_a_picture_by_its_address(client: TestClient) -> None:
    address = f"/page/chart/power_check.svg?language=zh&n=0&arguments={quote(json.dumps(POWER))}"
    reply = client.get(address)
    assert reply.headers["content-type"].startswith("image/svg+xml") and "功率预算" in reply.text
    assert "attachment" in client.get(f"{address}&download=1").headers["content-disposition"]
    for wrong in (
        "/page/chart/nothing.svg",
        "/page/chart/power_check.svg?arguments=x",
        f"{address}&n=9",
        "/page/chart/power_check.svg?arguments=[]",
        "/page/chart/calculate.svg?arguments=%7B%7D",
    ):
        assert client.get(wrong).status_code in (404, 422) or "n=9" in wrong


@pytest.mark.parametrize("path", ["/calculators", "/calculators/power_check", "/cards", "/how-it-computes", "/replay"])
def test_a_page_is_whole_in_both_languages_and_names_no_other_host(client: TestClient, path: str) -> None:
    for language in ("zh", "en"):
        page = client.get(path, headers={"accept-language": language}).text
        assert f'<html lang="{"zh-CN" if language == "zh" else "en"}">' in page
        assert not re.findall(r"<(?:script|link|img)[^>]+(?:src|href)=[\"'](?:https?:)?//", page)
        assert not re.search(r"<script(?! src=\"/| type=\"application/json\")", page)


def test_a_page_that_is_not_there(client: TestClient) -> None:
    for path in ("/calculators/nothing", "/how-it-computes/..%2f..%2fREADME", "/how-it-computes/nothing"):
        assert client.get(path).status_code == 404


def test_history_is_listed_renamed_exported_judged_and_deleted(client: TestClient, folder: Path) -> None:
    name = keep(client, folder, f"{CANARY} 4 x 3090?")
    assert name in [row["name"] for row in client.get("/page/history?search=3090").json()]
    assert client.post("/page/history", json={"do": "rename", "name": name, "title": "Mine"}).json() == {"done": True}
    assert client.post("/page/opinion", json={"name": name, "turn": 1, "good": False, "reason": "no"}).json() == {
        "done": True
    }
    text = client.get(f"/page/export/{name}.md").text
    assert text.startswith("# Mine") and "system_w = 1400 W + 200 W = 1600 W" in text
    kept = client.get(f"/page/export/{name}.json").json()
    assert kept["turns"][0]["opinion"] == {"good": False, "reason": "no"}
    page = client.get(f"/page/export/{name}.html").text
    assert (
        CANARY not in page
        and html.escape(CANARY, quote=False) in html.unescape(html.escape(page, quote=False))
        and "<svg" in page
    )
    assert client.post("/page/history", json={"do": "remove", "name": name}).json() == {"done": True}
    assert client.get(f"/page/export/{name}.md").status_code == 404


@pytest.mark.system  # the driver of PostgreSQL is an extra
def test_a_list_whose_database_is_down_is_said_to_be_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = Settings(data_dir=folder, database_url=SecretStr("postgresql://nobody@127.0.0.1:9/none"))
    app = create_app(chosen, lambda _: open_desk(Settings(data_dir=folder)), warm=False)
    monkeypatch.setattr("assistant.history_store.DATABASE_WAIT_S", 0.2)
    with TestClient(app, base_url="http://127.0.0.1:7860") as opened:
        opened.get("/cards")
        assert opened.get("/page/history").status_code == 503
        assert opened.post("/page/history", json={"do": "rename", "name": "x", "title": "y"}).status_code == 503
        assert opened.get("/page/export/x.md").status_code == 503
        assert opened.get("/cards").status_code == 200


def test_another_browser_sees_nothing_of_it(client: TestClient, folder: Path) -> None:
    name = keep(client, folder)
    stranger = {"cookie": f"gpu_advisor_owner={'0' * 32}"}
    mine = client.cookies.get("gpu_advisor_owner")
    client.cookies.clear()
    for headers in (stranger, {}, {"cookie": "gpu_advisor_owner=../x"}):
        assert client.get("/page/history", headers=headers).json() == []
        assert client.get(f"/page/export/{name}.json", headers=headers).status_code == 404
        assert client.post("/page/history", json={"do": "remove", "name": name}, headers=headers).status_code == 404
    client.cookies.clear()
    client.cookies.set("gpu_advisor_owner", str(mine), domain="127.0.0.1", path="/")
    assert client.get(f"/page/export/{name}.json").status_code == 200


def test_the_owners_cookie_cannot_be_read_by_scripts_and_comes_once(client: TestClient) -> None:
    fresh = client.get("/cards", headers={"cookie": "x=1"}).headers["set-cookie"]
    assert "HttpOnly" in fresh and "SameSite=Lax" in fresh
    assert "set-cookie" not in client.get("/site.js", headers={"cookie": "x=1"}).headers


def test_a_replay_link_says_same_or_what_changed(client: TestClient) -> None:
    result = get_tool("power_check").call(POWER).to_dict()
    code = replay_code(
        f"4 x 3090? {CANARY}", [{"tool": "power_check", "arguments": POWER, "result": result}], "2026-11-30"
    )
    page = client.get(f"/replay?c={code}", headers={"accept-language": "en"}).text
    assert "Same result" in page and CANARY not in page and "2026-11-30" in page
    older = replay_code(
        "q", [{"tool": "power_check", "arguments": POWER, "result": {**result, "system_w": 1500.0}}], "2026-01-01"
    )
    found = replayed(older, "en")
    assert found is not None and not found["same"]
    assert found["calls"][0]["differs"] == [{"label": "Whole machine", "then": "1,500 W", "now": "1,600 W"}]


@pytest.mark.parametrize("code", ["", "x", "eJwDAAAAAAE", "A" * 7000, "é"])
def test_a_damaged_replay_link_is_said_to_be_so(client: TestClient, code: str) -> None:
    assert replayed(code, "en") is None and client.get(f"/replay?c={quote(code)}").status_code == 400


def test_a_bomb_in_a_replay_link_does_not_go_off() -> None:
    import base64
    import zlib

    bomb = base64.urlsafe_b64encode(zlib.compress(b"[" * 3_000_000)).decode().rstrip("=")
    assert replayed(bomb, "en") is None


def test_both_languages_have_every_label_of_the_site() -> None:
    assert SITE["zh"].keys() == SITE["en"].keys()
    scripts = "".join(path.read_text("utf-8") for path in Path("assistant/web").glob("*.js"))
    used = set(re.findall(r'say\("(\w+)"\)', scripts))
    assert used <= SITE["en"].keys(), used - SITE["en"].keys()
