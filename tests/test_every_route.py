"""The rules for strangers, on every route the app has: they are read off the app, so a new one is never forgotten."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import app as page_app
from assistant.serving import limits
from assistant.serving.login import COOKIE
from assistant.serving.page_paths import is_of_page
from assistant.serving.retention import SWEEP_EVERY_S
from tests.serving import running, settings_for

PASSWORD, KEY = "correct horse battery", "k3y-for-programs-0123456789"
JSON = {"content-type": "application/json", "authorization": f"Bearer {KEY}"}
# Of these the door itself takes care.
WITHOUT_LOGIN = ("/healthz", "/login", "/logout")


def every_route(app: Any) -> list[tuple[str, str, bool]]:
    """Return method, a path that it matches, and whether it is Gradio's, of each route of an app."""

    def bare(wrapped: Any) -> Any:
        return bare(wrapped._app) if hasattr(wrapped, "_app") else wrapped

    def walk(routes: Any, foreign: bool) -> Iterator[tuple[str, str, bool]]:
        for route in routes:
            if hasattr(route, "effective_candidates"):  # FastAPI's included router
                yield from walk(route.effective_candidates(), foreign)
            elif type(route).__name__ == "Mount":
                yield from walk(bare(route.app).routes, True)
            else:
                path = getattr(route, "path", None) or route.starlette_route.path
                for method in sorted(getattr(route, "methods", None) or {"GET", "POST", "DELETE"}):
                    yield method, re.sub(r"\{[^}]+\}", "x", path).replace("//", "/"), foreign

    return list(dict.fromkeys(walk(bare(app).routes, False)))


@pytest.fixture(scope="module", params=["127.0.0.1", "0.0.0.0"])
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Any]]:
    settings = settings_for(
        tmp_path_factory.mktemp("closed"),
        host=request.param,
        auth=f"ada:{PASSWORD}",
        api_keys=KEY,
        rate_per_minute=10**6,
    )
    app = page_app.create_app(settings, warm=False)
    with TestClient(app, base_url="http://127.0.0.1:7860", raise_server_exceptions=False) as client:
        yield client, every_route(app)


def test_the_routes_are_read_off_the_app(opened: tuple[TestClient, Any]) -> None:
    found = {path for _, path, _ in opened[1]}
    ours = {"/mcp", "/tools/x", "/v1/chat/completions", "/metrics", "/openapi.json", "/page/export/x.x", "/replay"}
    theirs = {"/config", "/gradio_api/queue/join", "/gradio_api/upload", "/gradio_api/file=x", "/gradio_api/proxy=x"}
    assert found > ours | theirs and len(found) > 90


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "0.0.0.0:7860", "127.0.0.1@evil.example"])
def test_a_foreign_host_is_refused_everywhere(opened: tuple[TestClient, Any], host: str) -> None:
    client, routes = opened
    for method, path, _ in routes:
        reply = client.request(method, path, headers={**JSON, "host": host})
        assert reply.status_code == 421 and "access-control-allow-origin" not in reply.headers, (method, path)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:9999"])
def test_a_foreign_origin_is_refused_everywhere(opened: tuple[TestClient, Any], origin: str) -> None:
    client, routes = opened
    for method, path, _ in routes:
        reply = client.request(method, path, headers={**JSON, "origin": origin})
        assert reply.status_code == 403 and "access-control-allow-origin" not in reply.headers, (method, path)


def test_nothing_is_open_without_login(opened: tuple[TestClient, Any]) -> None:
    client, routes = opened
    wrong: tuple[dict[str, str], ...] = (
        {},
        {"authorization": "Bearer wrong-key-0123456789"},
        {"authorization": "Basic YWRhOmFkYQ=="},
        {"cookie": f"{COOKIE}=YWRh.9999999999.00"},
    )
    for method, path, _ in routes:
        if path.rstrip("/") not in WITHOUT_LOGIN:
            for headers in wrong:
                client.cookies.clear()
                assert client.request(method, path, headers=headers).status_code == 401, (method, path, headers)


def test_of_gradio_only_what_the_page_uses_is_there(opened: tuple[TestClient, Any]) -> None:
    client, routes = opened
    closed = [(method, path) for method, path, foreign in routes if foreign and not is_of_page(path)]
    assert len(closed) > 50
    for method, path in closed:
        if path.rstrip("/") not in WITHOUT_LOGIN:
            assert client.request(method, path, headers=JSON, json={}).status_code in (404, 405), (method, path)


def test_every_reply_of_every_route_has_its_headers(opened: tuple[TestClient, Any]) -> None:
    client, routes = opened
    for method, path, _ in routes:
        client.cookies.clear()
        headers = client.request(method, path).headers
        assert headers["x-content-type-options"] == "nosniff" and "content-security-policy" in headers, (method, path)


@pytest.mark.parametrize("name", ["X-Forwarded-Host", "X-Forwarded-Server", "Forwarded", "X-Original-URL"])
def test_what_a_caller_says_of_a_proxy_is_not_believed(opened: tuple[TestClient, Any], name: str) -> None:
    client, _ = opened
    for path in ("/", "/config", "/calculators", "/manifest.json"):
        reply = client.get(path, headers={**JSON, name: "host=evil.example" if name == "Forwarded" else "evil.example"})
        assert reply.status_code == 200 and "evil.example" not in reply.text + str(reply.headers), path


@pytest.mark.parametrize("path", ["/page/history", "/page/opinion", "/page/compute"])
def test_a_form_of_another_site_changes_nothing(opened: tuple[TestClient, Any], path: str) -> None:
    client, _ = opened
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        reply = client.post(path, content=b'{"do": "remove", "name": "x"}', headers={**JSON, "content-type": kind})
        assert reply.status_code == 400


HALF = b'"\\ud800"'


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/tools/search_articles", b'{"query": %s}' % HALF),
        ("/tools/calculate", b'{"expression": %s}' % HALF),
        ("/tools/gpu_specs", b"{%s: 1}" % HALF),
        ("/page/compute", b'{"tool": "gpu_specs", "arguments": {"gpu": %s}}' % HALF),
        ("/page/history", b'{"do": "rename", "name": "x", "title": %s}' % HALF),
        ("/v1/chat/completions", b'{"messages": [{"role": "user", "content": %s}]}' % HALF),
    ],
)
def test_half_a_character_is_refused(opened: tuple[TestClient, Any], path: str, body: bytes) -> None:
    reply = opened[0].post(path, content=body, headers=JSON)
    assert reply.status_code == 400 and "surrogate" in reply.text
    whole = body.replace(b"\\ud800", b"\\ud83d\\ude00")
    assert "surrogate" not in opened[0].post(path, content=whole, headers=JSON).text


@pytest.mark.parametrize("number", ["²", "9" * 5000, "-1", "٣"])
def test_a_chart_of_no_number_is_not_there(opened: tuple[TestClient, Any], number: str) -> None:
    reply = opened[0].get("/page/chart/power_check.svg", params={"n": number, "arguments": "{}"}, headers=JSON)
    assert reply.status_code == 404


@pytest.mark.parametrize("depth", [100, 900, 100_000])
def test_deep_json_is_answered_at_once(opened: tuple[TestClient, Any], depth: int) -> None:
    body = b'{"cards":' + b'{"a":' * depth + b"1" + b"}" * depth + b"}"

    def took_s() -> float:
        start = time.perf_counter()
        assert opened[0].post("/tools/power_check", content=body, headers=JSON).status_code == 400
        return time.perf_counter() - start

    took_s()  # tables are read once
    assert min(took_s() for _ in range(3)) < 0.1


def test_a_talk_over_mcp_holds_no_connection(opened: tuple[TestClient, Any]) -> None:
    reply = opened[0].get("/mcp", headers={**JSON, "accept": "text/event-stream"})
    assert reply.status_code == 405 and reply.headers["allow"] == "POST"


def test_a_body_that_never_ends_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket
    from urllib.parse import urlsplit

    monkeypatch.setattr(limits, "BODY_WAIT_S", 0.3)
    with running(settings_for(tmp_path)) as base:
        for path in ("/tools/power_check", "/v1/chat/completions"):
            with socket.create_connection(("127.0.0.1", urlsplit(base).port or 0), timeout=10) as slow:
                head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                slow.sendall(f"{head}Content-Length: 100\r\n\r\n{{".encode())
                assert slow.recv(100).startswith(b"HTTP/1.1 408")


def test_old_talks_are_looked_at_while_the_server_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from assistant.serving import retention
    from tests.serving import question

    assert SWEEP_EVERY_S <= 600
    monkeypatch.setattr(retention, "SWEEP_EVERY_S", 0.05)
    settings = settings_for(tmp_path, talks_kept=1)
    with TestClient(page_app.create_app(settings, warm=False), base_url="http://127.0.0.1:7860") as client:
        for count in (2, 3, 4):
            client.post("/v1/chat/completions", json=question(f"{count} x RTX 3090: power supply?"))
        until = time.monotonic() + 10
        while time.monotonic() < until and _talks(tmp_path) > 1:
            time.sleep(0.05)
    assert _talks(tmp_path) == 1


def _talks(folder: Path) -> int:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(folder / "conversations.sqlite", timeout=5)) as base:
        return int(base.execute("SELECT COUNT(DISTINCT thread_id) FROM checkpoints").fetchone()[0])
