"""Clients that no one here wrote, against `python app.py` and `python -m assistant mcp`."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from openai import OpenAI

from tests.arguments import ARGUMENTS
from tests.e2e.server import ROOT, Server, served
from tools.api import all_tools

pytestmark = pytest.mark.system
# Foreign clients live outside the project's environment, and stay there between runs.
CLIENTS = Path(os.environ.get("GPU_ADVISOR_TEST_CLIENTS", Path.home() / ".cache" / "gpu-advisor-test-clients"))
POWER = "4 x RTX 3090: power supply?"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("plugin")) as running:
        yield running


def environment_of(name: str, *packages: str) -> Path:
    """Return the folder of programs of an environment that holds foreign packages; skip where none can be made."""
    programs = CLIENTS / name / "bin"
    if not (programs / ".ready").exists():
        shutil.rmtree(CLIENTS / name, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(CLIENTS / name)], check=True)
        done = subprocess.run(
            [str(programs / "pip"), "install", "--quiet", *packages],
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        if done.returncode:
            pytest.skip(f"{', '.join(packages)} cannot be installed: offline?")
        (programs / ".ready").touch()
    return programs


def inspector() -> list[str]:
    """Return the command of MCP Inspector's CLI; it needs Node 22, which npm brings."""
    if not shutil.which("npm"):
        pytest.skip("needs npm")
    folder = CLIENTS / "inspector"
    node = folder / "node_modules" / ".bin" / "node"
    program = folder / "node_modules" / ".bin" / "mcp-inspector"
    if not program.exists() or not (folder / ".ready").exists():
        folder.mkdir(parents=True, exist_ok=True)
        for packages in (["node@22"], ["@modelcontextprotocol/inspector@2.12.0"]):
            path = f"{node.parent}{os.pathsep}{os.environ['PATH']}"
            done = subprocess.run(
                ["npm", "install", "--no-fund", "--no-audit", *packages],
                cwd=folder,
                text=True,
                capture_output=True,
                check=False,
                timeout=300,
                env={**os.environ, "PATH": path},
            )
            if done.returncode:
                pytest.skip("MCP Inspector cannot be installed: offline?")
        (folder / ".ready").touch()
    return [str(node), str(program), "--cli"]


def inspect(*arguments: str) -> dict[str, Any]:
    command = inspector()
    done = subprocess.run(
        [*command, *arguments],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PATH": f"{Path(command[0]).parent}{os.pathsep}{os.environ['PATH']}"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout[done.stdout.index("{") :])


def test_inspector_over_http(server: Server) -> None:
    url = f"{server.base}/mcp"
    listed = inspect(url, "--transport", "http", "--method", "tools/list")
    assert {tool["name"] for tool in listed["tools"]} == {*all_tools(), "search_articles"}
    called = inspect(
        url, "--transport", "http", "--method", "tools/call", "--tool-name", "gpu_specs", "--tool-arg", "gpu=RTX 4090"
    )
    assert called["structuredContent"]["memory_gb"] == 24
    assert len(inspect(url, "--transport", "http", "--method", "resources/list")["resources"]) >= 8
    assert len(inspect(url, "--transport", "http", "--method", "prompts/list")["prompts"]) == 4


def test_inspector_over_standard_input(tmp_path: Path) -> None:
    called = inspect(
        "-e",
        f"GPU_ADVISOR_DATA_DIR={tmp_path}",
        sys.executable,
        "-m",
        "assistant",
        "mcp",
        "--method",
        "tools/call",
        "--tool-name",
        "power_check",
        "--tool-arg",
        'cards={"RTX 3090": 4}',
    )
    assert called["structuredContent"]["system_w"] == 1600


async def _call_all(client: Client) -> dict[str, Any]:
    return {
        name: (await client.call_tool(name, ARGUMENTS[name])).structured_content
        for name in sorted(ARGUMENTS)
        if name in all_tools() or name == "search_articles"
    }


def test_every_way_in_gives_the_same_bytes(server: Server, tmp_path: Path) -> None:
    async def over_http() -> dict[str, Any]:
        async with Client(streamable_http_client(f"{server.base}/mcp")) as client:
            return await _call_all(client)

    async def over_stdio() -> dict[str, Any]:
        started = StdioServerParameters(
            command=sys.executable,
            args=["-m", "assistant", "mcp"],
            cwd=ROOT,
            env={"GPU_ADVISOR_DATA_DIR": str(tmp_path)},
        )
        async with Client(stdio_client(started)) as client:
            return await _call_all(client)

    http, stdio = asyncio.run(over_http()), asyncio.run(over_stdio())
    for name, result in http.items():
        written = json.dumps(result, ensure_ascii=False)
        assert written == json.dumps(stdio[name], ensure_ascii=False), name
        assert written == httpx.post(f"{server.base}/tools/{name}", json=ARGUMENTS[name], timeout=30).text, name
        if name in all_tools():
            form = {"tool": name, "arguments": ARGUMENTS[name], "language": "zh"}
            shown = httpx.post(f"{server.base}/page/compute", json=form, timeout=30).json()["result"]
            assert written == json.dumps(shown, ensure_ascii=False), name
            assert written == json.dumps(all_tools()[name].call(ARGUMENTS[name]).to_dict(), ensure_ascii=False), name
            line = subprocess.run(
                [sys.executable, "-m", "tools", name, json.dumps(ARGUMENTS[name])],
                cwd=ROOT,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            assert written == json.dumps(json.loads(line), ensure_ascii=False), name


def test_openai_client(server: Server) -> None:
    client = OpenAI(base_url=f"{server.base}/v1", api_key="none", max_retries=0)
    assert [model.id for model in client.models.list()] == ["gpu-advisor"]
    messages: list[Any] = [{"role": "user", "content": POWER}]
    whole = client.chat.completions.create(model="gpu-advisor", messages=messages)
    text = whole.choices[0].message.content
    assert text and "2,000 W" in text and whole.model_extra and whole.model_extra["gpu_advisor"]["status"] == "answered"
    pieces = list(client.chat.completions.create(model="gpu-advisor", messages=messages, stream=True))
    assert "".join(piece.choices[0].delta.content or "" for piece in pieces) == text
    assert pieces[-1].choices[0].finish_reason == "stop"
    follow: list[Any] = [
        *messages,
        {"role": "assistant", "content": text},
        {"role": "user", "content": "and at 280 W each?"},
    ]
    assert "1,320 W" in (
        client.chat.completions.create(model="gpu-advisor", messages=follow).choices[0].message.content or ""
    )


LANGCHAIN = """
import asyncio, sys
from langchain.mcp import MCPAdapter
async def main():
    async with MCPAdapter(sys.argv[1]) as adapter:
        tools = {tool.name: tool for tool in await adapter.list_tools()}
        print(len(tools), await tools["power_check"].ainvoke({"cards": {"RTX 3090": 4}}))
        try:
            print("error:", await tools["kv_cache"].ainvoke({"model": "llama-3-8b", "tokens": -1}))
        except Exception as error:
            print("error:", error)
asyncio.run(main())
"""


def test_langchain_adapter(server: Server) -> None:
    python = environment_of("langchain", "langchain[mcp]") / "python"
    done = subprocess.run(
        [str(python), "-W", "ignore", "-c", LANGCHAIN, f"{server.base}/mcp"],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "system_w: 1600 W" in done.stdout and f"{len(all_tools()) + 1} " in done.stdout
    assert "error:" in done.stdout and "`tokens` must be" in done.stdout


def test_schemathesis_finds_no_server_error(server: Server, tmp_path: Path) -> None:
    program = environment_of("schemathesis", "schemathesis") / "schemathesis"
    done = subprocess.run(
        [
            str(program),
            "run",
            f"{server.base}/openapi.json",
            "--checks",
            "not_a_server_error,response_schema_conformance",
            "--max-examples",
            "25",
            "--phases",
            "examples,coverage,fuzzing",
            "--request-timeout",
            "20",
            "--seed",
            "1",
            "--generation-allow-x00",
            "true",
            "--suppress-health-check",
            "all",
            "--continue-on-failure",
            "--max-time",
            "200",
        ],
        capture_output=True,
        text=True,
        timeout=420,
        check=False,
        cwd=tmp_path,
    )
    cases = [int(number.replace(",", "")) for number in re.findall(r"([\d,]+) generated", done.stdout)]
    print(done.stdout[-1500:])
    assert done.returncode == 0, done.stdout[-6000:]
    assert cases and max(cases) >= 2000, done.stdout[-1500:]


def test_docs_show_what_runs(server: Server) -> None:
    """The Python blocks of docs/agents.md, with this server's address and the built-in model."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "agents.md").read_text("utf-8"), re.DOTALL)
    assert len(blocks) == 3
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block.replace("http://127.0.0.1:7860", server.base), "docs/agents.md", "exec"), names)
    assert len(names["tools"]) == len(all_tools())
    from assistant.builtin.model import BuiltInModel

    answer = asyncio.run(names["ask"](BuiltInModel(), POWER))
    assert "2,000 W" in answer.answer and answer.numbers


BLOCKED = """
import runpy, socket, sys
connect, look_up = socket.socket.connect, socket.getaddrinfo
def guarded(self, address):
    if isinstance(address, tuple) and address[0] not in ("127.0.0.1", "::1", "localhost"):
        raise OSError(f"blocked: {address[0]}")
    return connect(self, address)
def guarded_look_up(host, *rest, **more):
    if host not in (None, "127.0.0.1", "::1", "localhost", "0.0.0.0"):
        print("LOOKED UP", host, file=sys.stderr)
        raise OSError(f"blocked: {host}")
    return look_up(host, *rest, **more)
socket.socket.connect, socket.getaddrinfo = guarded, guarded_look_up
sys.argv = sys.argv[1:]
name = sys.argv[0]
if name.endswith(".py"):
    runpy.run_path(name, run_name="__main__")
else:
    runpy.run_module(name, run_name="__main__", alter_sys=True)
"""


def test_everything_works_with_all_sockets_but_loopback_blocked(tmp_path: Path) -> None:
    script = tmp_path / "blocked.py"
    script.write_text(BLOCKED)
    text = tmp_path / "own.md"
    text.write_text(
        "# Fans of the Fnord rack\n\nThe Fnord rack holds four blower cards when its fans run at 2400 rpm.\n"
    )
    environment = {"GPU_ADVISOR_DATA_DIR": str(tmp_path / "data")}
    run = subprocess.run(
        [sys.executable, str(script), "knowledge", "ingest", str(text)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, **environment, "PYTHONPATH": str(ROOT)},
        timeout=240,
        check=False,
    )
    assert run.returncode == 0 and "LOOKED UP" not in run.stderr, run.stderr[-2000:]
    server = Server(tmp_path, command=(str(script), "app.py"), PYTHONPATH=str(ROOT))
    try:
        server.wait()
        body = {"messages": [{"role": "user", "content": POWER}]}
        assert "2,000 W" in httpx.post(f"{server.base}/v1/chat/completions", json=body, timeout=60).text
        found = httpx.post(f"{server.base}/tools/search_articles", json={"query": "fans of the Fnord rack"}, timeout=60)
        assert "2400 rpm" in found.text
        assert httpx.get(server.base).status_code == 200

        async def over_mcp() -> Any:
            async with Client(streamable_http_client(f"{server.base}/mcp")) as client:
                return await client.call_tool("power_check", ARGUMENTS["power_check"])

        assert asyncio.run(over_mcp()).structured_content["system_w"] == 1600
    finally:
        server.stop()
    assert "LOOKED UP" not in server.log.read_text("utf-8")


def test_it_refuses_other_machines_without_login(tmp_path: Path) -> None:
    environment = {**os.environ, "GPU_ADVISOR_DATA_DIR": str(tmp_path), "GPU_ADVISOR_HOST": "0.0.0.0"}
    done = subprocess.run(
        [sys.executable, "app.py"], cwd=ROOT, capture_output=True, text=True, env=environment, timeout=60, check=False
    )
    assert done.returncode == 2 and "GPU_ADVISOR_AUTH" in done.stderr and "Traceback" not in done.stderr
