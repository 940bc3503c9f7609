"""Take the pictures of docs/images: `make screenshots`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.e2e.browser import CLOUD, PHONE, POWER, RANKED, ROOT, WIDE, ask, chromium, open_page, serving, still

IMAGES = ROOT / "docs" / "images"
MIDDLE: dict[str, Any] = {"viewport": {"width": 1024, "height": 800}}
SHARP: dict[str, Any] = {**PHONE, "device_scale_factor": 2}


def main() -> None:
    """Start the page, visit it in both languages, both schemes and on a phone."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address, chromium() as browser:
        _chat(browser, address)
        _phone(browser, address)
        _pages(browser, address)


def _chat(browser: Any, address: str) -> None:
    page = open_page(browser, address, locale="zh-CN", **WIDE)
    _shoot(page, "welcome-zh")
    ask(page, POWER)
    page.click("#show-history")
    page.click("#chat .thought-group .title")
    page.fill("#what-if [data-name=psu_w] input[type=number]", "2000")
    page.wait_for_selector("#what-if .status.changed")
    page.evaluate("document.querySelector('#chat .bubble-wrap').scrollTop = 0")
    _shoot(page, "what-if-zh")
    page = open_page(browser, address, **MIDDLE)
    ask(page, CLOUD)
    page.click('#chat a[href="#r1.break_even_days"]')
    _shoot(page, "number-en")
    page = open_page(browser, address, color_scheme="dark", **WIDE)
    ask(page, "What is a Tensor Core?")
    ask(page, CLOUD)
    page.fill("#what-if [data-name=utilization] input[type=number]", "40")
    page.wait_for_selector("#what-if .status.changed")
    _shoot(page, "answer-dark-en")
    page = open_page(browser, address, **MIDDLE)
    ask(page, "Recommend a card for running a 13B model with $2,000.")
    page.wait_for_selector("#chat img[src*='recommend.svg']")
    _shoot(page, "recommend-en")


def _phone(browser: Any, address: str) -> None:
    page = open_page(browser, address, locale="zh-CN", **SHARP)
    ask(page, POWER)
    page.tap('#chat a[href="#r1.wall_w"] >> nth=0')
    _shoot(page, "phone-zh")
    page = open_page(browser, address, color_scheme="dark", **SHARP)
    ask(page, CLOUD)
    page.tap("#act-what_if")
    page.fill("#what-if [data-name=utilization] input[type=number]", "40")
    page.wait_for_selector("#what-if .status.changed")
    _shoot(page, "phone-what-if-en")


def _pages(browser: Any, address: str) -> None:
    page = open_page(browser, address, RANKED, **WIDE)
    page.wait_for_selector("#result figure svg")
    _shoot(page, "calculator-en")
    page = open_page(browser, address, "/cards", locale="zh-CN", **WIDE)
    page.fill("#filters [name=text]", "rtx 40")
    page.check("#cards tbody tr:nth-child(1) input")
    page.check("#cards tbody tr:nth-child(2) input")
    _shoot(page, "cards-zh")


def _shoot(page: Any, name: str) -> None:
    page.mouse.move(5, 5)
    still(page, 500)
    page.screenshot(path=IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
