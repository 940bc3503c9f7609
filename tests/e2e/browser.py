"""Start the page on a free port and open it in Chromium; everything that was started is ended by its id."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
START_S = 120.0


@contextmanager
def serving(data_dir: Path, *command: str) -> Iterator[str]:
    """Run a server as a process of its own; yields its address.

    Args:
        data_dir: Its data folder.
        command: Arguments of Python; `app.py` if there are none.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        **os.environ,
        "GPU_ADVISOR_HOST": "127.0.0.1",
        "GPU_ADVISOR_PORT": str(port),
        "GPU_ADVISOR_DATA_DIR": str(data_dir),
    }
    log = data_dir / "server.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, *(command or ("app.py",))], cwd=ROOT, env=environment, stdout=out, stderr=out
        )
        try:
            _wait(process, port, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2) as reply:
                if reply.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError(f"the page did not start:\n{log.read_text()[-3000:]}")


@contextmanager
def chromium() -> Iterator[Any]:
    """Start Debian's Chromium, headless."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


def open_page(browser: Any, address: str, path: str = "/", **context: Any) -> Any:
    """Open a page; its `complaints` list collects console errors and requests to other hosts.

    The chat is waited for until a question could be asked.
    """
    page = browser.new_context(**{"viewport": {"width": 1180, "height": 860}, "locale": "en-US", **context}).new_page()
    page.complaints = []
    page.on("console", lambda line: page.complaints.append(line.text) if _is_complaint(line) else None)
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on(
        "request",
        lambda request: (
            None if request.url.startswith((address, "data:", "blob:")) else page.complaints.append(request.url)
        ),
    )
    page.goto(address + path)
    if path.startswith(("/?", "/#")) or path == "/":
        page.wait_for_selector("#welcome a", timeout=60_000, state="attached")
        page.wait_for_selector("#bar")
    return page


def _is_complaint(line: Any) -> bool:
    # Gradio's slide of a tool's card overshoots by a hair and says so.
    return line.type in ("error", "warning") and not line.text.startswith("Invalid keyframe value")


def settle(page: Any) -> None:
    """Wait until nothing is being answered."""
    page.wait_for_selector("#box .submit-button", timeout=90_000)
    page.wait_for_timeout(300)


def ask(page: Any, question: str) -> None:
    """Send a question and wait for the end of its answer."""
    page.fill("#box textarea", question)
    page.press("#box textarea", "Enter")
    page.wait_for_selector("#box .stop-button", timeout=30_000)
    settle(page)
