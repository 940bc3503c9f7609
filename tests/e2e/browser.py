"""Start the page on a free port and open it in Chromium; everything that was started is ended by its id."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from assistant.figures import Language
from assistant.web.site_words import SITE

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
# For anything that is waited for; only a machine with much else to do comes near it.
PATIENCE_MS = 60_000
POWER = "4 张 3090 用 1600W 电源够吗？"
CLOUD = "When is my $2,200 desktop cheaper than a $2.14/h cloud GPU?"
WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
RANKED = "/calculators/rank_by_value?a=" + quote('{"use":"inference_8bit"}')
PAGES = [
    "/calculators",
    RANKED,
    "/calculators/power_check?a=" + quote('{"cards":{"RTX 4900":4}}'),
    "/cards",
    "/how-it-computes",
    "/replay?c=damaged",
]
needs_browser = [
    pytest.mark.system,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"needs {CHROMIUM}: apt-get install chromium"),
    pytest.mark.skipif(find_spec("playwright") is None, reason="needs the extra 'system': pip install playwright"),
]
STILL = """(quiet_ms) => new Promise((done) => {
  let timer = 0;
  const finish = () => { watch.disconnect(); done(); };
  const again = () => { clearTimeout(timer); timer = setTimeout(finish, quiet_ms); };
  const watch = new MutationObserver(again);
  watch.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  setTimeout(finish, 10000);
  again();
})"""


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
    page.set_default_timeout(PATIENCE_MS)
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
        usable(page)
    return page


def usable(page: Any) -> None:
    """Wait until a question could be asked."""
    page.wait_for_selector("#bar")
    page.wait_for_selector("#welcome a", state="attached")
    page.wait_for_selector("#box textarea")
    page.wait_for_selector("#box .submit-button")
    page.wait_for_selector("#wish", state="attached")


def _is_complaint(line: Any) -> bool:
    # Gradio's slide of a tool's card overshoots by a hair and says so.
    return line.type in ("error", "warning") and not line.text.startswith("Invalid keyframe value")


def still(page: Any, quiet_ms: int = 150) -> None:
    """Wait until the page has not changed for a moment."""
    page.evaluate(STILL, quiet_ms)


def settle(page: Any) -> None:
    """Wait until the last question has its answer."""
    page.wait_for_selector("#chat .message-row:last-child .message-content, #chat .bot-row")
    page.wait_for_selector("#box .submit-button")
    still(page)


def ask(page: Any, question: str) -> None:
    """Send a question and wait for the end of its answer.

    A short answer may come and go between two looks at the stop button, so the question's own row is waited for.
    """
    rows = page.locator("#chat .user-row")
    before = rows.count()
    page.fill("#box textarea", question)
    page.press("#box textarea", "Enter")
    rows.nth(before).wait_for()
    page.locator("#chat .user-row ~ .bot-row, #chat .bot-row").last.wait_for()
    settle(page)


def new_chat(page: Any) -> None:
    """Begin again."""
    page.evaluate("chat.wish({ do: 'new' })")
    page.wait_for_selector("#welcome a", state="visible")
    page.locator("#chat .message-row").first.wait_for(state="detached")


def until(holds: Callable[[], bool]) -> None:
    """Wait for something; the content policy forbids the browser's own way of it, which evaluates text."""
    last = time.monotonic() + PATIENCE_MS / 1000
    while not holds():
        assert time.monotonic() < last
        time.sleep(0.05)


def open_history(page: Any) -> None:
    """Show the list of conversations."""
    if page.locator("#history").is_hidden():
        page.click("#show-history")
    page.wait_for_selector("#history")


def calm() -> None:
    """Wait, within bounds, until the machine idles: browser and server need both cores, and what else runs is not ours."""
    last = time.monotonic() + 30
    while time.monotonic() < last:
        before = _ticks()
        time.sleep(0.3)
        idle, everything = (now - then for now, then in zip(_ticks(), before, strict=True))
        if idle >= 0.8 * everything:
            return


def _ticks() -> tuple[int, int]:
    """Return the idle and all ticks of all cores since the start."""
    ticks = [int(part) for part in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return ticks[3] + ticks[4], sum(ticks)


def best_of(rounds: int, limit: float, measure: Callable[[], float]) -> float:
    """Measure again while it is too slow; returns the best round.

    Args:
        rounds: How often at most.
        limit: Good enough.
        measure: One round, itself a median of several.
    """
    best = float("inf")
    for _ in range(rounds):
        calm()
        best = min(best, measure())
        if best <= limit:
            break
    return best


@dataclass(frozen=True)
class View:
    """How somebody looks at the page, what they ask, and what must be seen.

    Attributes:
        language: Of page and question.
        context: Browser settings.
        question: What is asked.
        says: Part of the answer.
        ref: A number of it.
        figure: That number as it is written.
        formula: How it came about.
        tool: Title of the tool's card.
    """

    language: Language
    context: dict[str, Any]
    question: str
    says: str
    ref: str
    figure: str
    formula: str
    tool: str

    def open(self, browser: Any, address: str, path: str = "/", **more: Any) -> Any:
        """Open a page of this view."""
        return open_page(browser, address, path, **self.context, **more)

    def press(self, page: Any, selector: str) -> None:
        """Click, or tap on a phone."""
        (page.tap if self.context.get("has_touch") else page.click)(selector)

    def say(self, key: str) -> str:
        """Return a label of the page."""
        return SITE[self.language][key]


def _view(language: Language, screen: dict[str, Any]) -> View:
    if language == "zh":
        told = ("1,600 W", "r1.system_w", "1,600 W", "system_w = 1400 W + 200 W = 1600 W", "电源检查 · 4 × RTX 3090")
        return View("zh", {"locale": "zh-CN", **screen}, POWER, *told)
    formula = "break_even_days = 2200 USD / (7.704 - 0.1944) USD = 292.958 days"
    told = ("After about 293 days", "r1.break_even_days", "293 days", formula, "Buying against renting")
    return View("en", {"locale": "en-US", **screen}, CLOUD, *told)


ZH_PHONE, EN_WIDE = _view("zh", PHONE), _view("en", WIDE)
# Both languages, a phone and a desk.
VIEWS = [pytest.param(ZH_PHONE, id="zh-phone"), pytest.param(EN_WIDE, id="en-wide")]
# Each language on each screen, for what depends on both.
ALL_VIEWS = [*VIEWS, pytest.param(_view("en", PHONE), id="en-phone"), pytest.param(_view("zh", WIDE), id="zh-wide")]
