"""Load on one worker: `make load` starts `python app.py`, asks it from many clients, and prints what they saw.

`make load MINUTES=10` adds the long run; figures stand beside the limits they are held to.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

QUESTIONS = (
    "4 张 3090 需要多大的电源？",
    "When is my $2,200 desktop cheaper than a $2.14/h cloud GPU?",
    "How much memory does Llama-3-8B need at 8192 tokens?",
    "What is a Tensor Core?",
)
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "power_check", "arguments": {"cards": {"RTX 3090": 4}}},
}
RPC = (
    "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
    "Mcp-Protocol-Version: 2025-11-25\r\n"
)
CHAT = "/v1/chat/completions"
# What the page says when there is no place.
REFUSED = ("All places are taken", "现在提问的人太多")


@dataclass
class Seen:
    """What clients saw."""

    first_s: list[float] = field(default_factory=list[float])
    whole_s: list[float] = field(default_factory=list[float])
    refused_s: list[float] = field(default_factory=list[float])
    wrong: int = 0
    why: list[str] = field(default_factory=list[str])
    took_s: float = 0.0

    def miss(self, why: str) -> None:
        """Count a client that got neither an answer nor a refusal, and keep what it got."""
        self.wrong += 1
        self.why.append(why[-300:])


async def chat(client: httpx.AsyncClient, seen: Seen, number: int) -> None:
    """Ask one question as a stream."""
    body = {"model": "gpu-advisor", "stream": True, "messages": [{"role": "user", "content": QUESTIONS[number % 4]}]}
    start, first, text = time.perf_counter(), 0.0, ""
    try:
        async with client.stream("POST", CHAT, json=body) as reply:
            async for line in reply.aiter_lines():
                first = first or time.perf_counter() - start
                text += line
            code = reply.status_code
    except httpx.HTTPError as error:
        seen.miss(repr(error))
        return
    whole = time.perf_counter() - start
    if code == 503:
        seen.refused_s.append(whole)
    elif code == 200 and '"finish_reason": "stop"' in text and '"status": "answered"' in text:
        seen.first_s.append(first)
        seen.whole_s.append(whole)
    else:
        seen.miss(text)


async def ask_page(client: httpx.AsyncClient, seen: Seen, number: int) -> None:
    """Ask one question as the page's own script does: join the queue, then read the stream until it is done."""
    mark = f"load{number}"
    start, first, text = time.perf_counter(), 0.0, ""
    try:
        config = (await client.get("/config")).json()
        asks = next(entry["id"] for entry in config["dependencies"] if entry["api_name"] == "ask")
        start = time.perf_counter()
        body: dict[str, Any] = {"data": [QUESTIONS[number % 4], [], None], "fn_index": asks, "session_hash": mark}
        joined = await client.post("/gradio_api/queue/join", json=body)
        async with client.stream("GET", "/gradio_api/queue/data", params={"session_hash": mark}) as reply:
            async for line in reply.aiter_lines():
                if '"process_generating"' in line:
                    first = first or time.perf_counter() - start
                text += line
    except httpx.HTTPError as error:
        seen.miss(repr(error))
        return
    whole = time.perf_counter() - start
    if joined.status_code == 503 or any(sign in text for sign in REFUSED):
        seen.refused_s.append(whole)
    elif joined.status_code == 200 and '"process_completed"' in text and '"success":true' in text:
        seen.first_s.append(first)
        seen.whole_s.append(whole)
    else:
        seen.miss(text)


async def call(port: int, seen: Seen, seconds: float) -> None:
    """Call one tool over MCP, again and again, on one connection; a bare socket, so that clients cost little."""
    body = json.dumps(CALL).encode()
    head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {len(body)}\r\n{RPC}\r\n".encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    end = time.perf_counter() + seconds
    while (start := time.perf_counter()) < end:
        writer.write(head + body)
        answered = await reader.readuntil(b"\r\n\r\n")
        length = int(answered.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        content = await reader.readexactly(length)
        if answered.startswith(b"HTTP/1.1 200") and b'"system_w":1600.0' in content:
            seen.whole_s.append(time.perf_counter() - start)
        else:
            seen.wrong += 1
    writer.close()


async def crowd(
    base: str,
    act: Callable[[httpx.AsyncClient, Seen, int], Awaitable[None]],
    clients: int,
    *,
    rounds: int = 0,
    seconds: float = 0.0,
    pause_s: float = 0.0,
) -> Seen:
    """Let clients act at the same time, some rounds or some seconds long."""
    seen = Seen()
    end = time.perf_counter() + seconds
    limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)

    async def one(number: int, client: httpx.AsyncClient) -> None:
        done = 0
        while done < rounds or time.perf_counter() < end:
            await act(client, seen, number + done)
            done += 1
            await asyncio.sleep(pause_s)

    start = time.perf_counter()
    async with httpx.AsyncClient(base_url=base, timeout=60, limits=limits) as client:
        await asyncio.gather(*(one(number, client) for number in range(clients)))
    seen.took_s = time.perf_counter() - start
    for why in seen.why:
        print(f"neither an answer nor a refusal: {why}")
    return seen


def p95(values: list[float]) -> float:
    """Return the 95th percentile."""
    return statistics.quantiles(values, n=20)[-1] if len(values) > 1 else float("nan")


def footprint(pid: int) -> tuple[float, int, int]:
    """Return memory [MB], threads and open files of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    values = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return int(values["VmRSS"].split()[0]) / 1000, int(values["Threads"]), len(list(Path(f"/proc/{pid}/fd").iterdir()))


async def mcp_crowd(port: int, clients: int, seconds: float) -> Seen:
    """Let clients call over MCP at the same time."""
    seen = Seen()
    start = time.perf_counter()
    await asyncio.gather(*(call(port, seen, seconds) for _ in range(clients)))
    seen.took_s = time.perf_counter() - start
    for why in seen.why:
        print(f"neither an answer nor a refusal: {why}")
    return seen


def row(what: str, figure: str, limit: str, kept: bool) -> bool:
    """Print a line of the table."""
    print(f"{what:64} {figure:>14} {limit:>12}  {'ok' if kept else 'MISSED'}", flush=True)
    return kept


def slope(points: list[tuple[float, float]]) -> float:
    """Return the slope of a straight line through points."""
    return statistics.linear_regression(*zip(*points, strict=True)).slope


async def soak(
    base: str, pid: int, minutes: float
) -> tuple[Seen, list[tuple[float, float]], tuple[int, int], tuple[int, int]]:
    """Let 8 users talk for minutes, and watch memory, threads and files."""
    points: list[tuple[float, float]] = []
    await crowd(base, chat, 8, seconds=20, pause_s=0.2)  # caches fill first
    _, threads, files = footprint(pid)
    start = time.perf_counter()
    task = asyncio.ensure_future(crowd(base, chat, 8, seconds=minutes * 60, pause_s=0.2))
    while not task.done():
        await asyncio.sleep(5)
        points.append(((time.perf_counter() - start) / 60, footprint(pid)[0]))
    after = footprint(pid)
    return task.result(), points, (threads, after[1]), (files, after[2])


def measure(base: str, pid: int, minutes: float) -> bool:
    """Print the table; True when every limit is kept."""
    asyncio.run(crowd(base, chat, 4, rounds=8))  # tables and index are read
    good: list[bool] = []
    seen = asyncio.run(crowd(base, chat, 16, rounds=12))
    good.append(row("16 chat users: first event, p95", f"{p95(seen.first_s):.3f} s", "0.5 s", p95(seen.first_s) <= 0.5))
    good.append(row("16 chat users: whole answer, p95", f"{p95(seen.whole_s):.3f} s", "2 s", p95(seen.whole_s) <= 2))
    good.append(
        row(
            "16 chat users: answers/s; errors",
            f"{len(seen.whole_s) / seen.took_s:.1f}/s; {seen.wrong}",
            "0 errors",
            not seen.wrong,
        )
    )
    seen = asyncio.run(crowd(base, chat, 100, rounds=1))
    answered, refused = len(seen.whole_s), len(seen.refused_s)
    good.append(
        row(
            "100 users at once: answered; refused with 503; neither",
            f"{answered}; {refused}; {seen.wrong}",
            "0 neither",
            answered + refused == 100,
        )
    )
    slowest = max(seen.refused_s, default=0.0)
    good.append(row("100 users at once: slowest 503", f"{slowest:.3f} s", "1 s", slowest <= 1))
    row("100 users at once: slowest answer", f"{max(seen.whole_s):.3f} s", "", True)
    seen = asyncio.run(crowd(base, ask_page, 100, rounds=1))
    answered, refused = len(seen.whole_s), len(seen.refused_s)
    good.append(
        row(
            "100 users on the page: answered; refused with a message; neither",
            f"{answered}; {refused}; {seen.wrong}",
            "0 neither",
            answered + refused == 100,
        )
    )
    row("100 users on the page: first event, p95", f"{p95(seen.first_s):.3f} s", "", True)
    row("100 users on the page: slowest answer", f"{max(seen.whole_s):.3f} s", "", True)
    seen = asyncio.run(mcp_crowd(int(base.rsplit(":", 1)[1]), 16, 8))
    rate, p95_ms = len(seen.whole_s) / seen.took_s, p95(seen.whole_s) * 1000
    good.append(
        row("16 MCP clients: calls/s; errors", f"{rate:.0f}/s; {seen.wrong}", "250/s", rate >= 250 and not seen.wrong)
    )
    good.append(row("16 MCP clients: p95", f"{p95_ms:.0f} ms", "120 ms", p95_ms <= 120))
    if minutes:
        seen, points, threads, files = asyncio.run(soak(base, pid, minutes))
        name = f"{minutes:g} min of 8 users"
        good.append(row(f"{name}: answers; errors", f"{len(seen.whole_s)}; {seen.wrong}", "0 errors", not seen.wrong))
        # Half of the run warms allocator and caches up; the rest must be level.
        late = points[len(points) // 2 :] if minutes < 5 else points[len(points) // 4 :]
        good.append(row(f"{name}: memory slope", f"{slope(late):+.2f} MB/min", "1 MB/min", slope(late) < 1))
        good.append(
            row(
                f"{name}: threads; files",
                f"{threads[0]}>{threads[1]}; {files[0]}>{files[1]}",
                "no growth",
                threads[1] <= threads[0] + 2 and files[1] <= files[0] + 4,
            )
        )
    memory, _, _ = footprint(pid)
    row("memory of the worker", f"{memory:.0f} MB", "", True)
    return all(good)


def main() -> None:
    """Start a server, measure, stop it."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--minutes", type=float, default=0.0, help="length of the long run [min]")
    minutes: float = asked.parse_args().minutes
    from tests.e2e.server import served

    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before the start; clients run on the same machine")
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
        kept = measure(server.base, server.process.pid, minutes)
    sys.exit(0 if kept else 1)


if __name__ == "__main__":
    main()
