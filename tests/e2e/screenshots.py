"""Take the pictures of docs/images: `python -m tests.e2e.screenshots`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from tests.e2e.browser import ROOT, ask, chromium, open_page, serving

IMAGES = ROOT / "docs" / "images"
POWER = "4 张 3090 用 1600W 电源够吗？"
CLOUD = "When is my $2,200 desktop cheaper than a $2.14/h cloud GPU?"


def main() -> None:
    """Start the page, visit it in both languages, both schemes and on a phone."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as address, chromium() as browser:
        page = open_page(browser, address, locale="zh-CN")
        _shoot(page, "welcome-zh")
        ask(page, POWER)
        page.click("#chat .thought-group .title")
        page.evaluate("document.querySelector('#chat .bubble-wrap').scrollTop = 0")
        _shoot(page, "answer-zh")
        page = open_page(browser, address)
        ask(page, CLOUD)
        page.click('#chat a[href="#r1.break_even_days"]')
        _shoot(page, "number-en")
        page = open_page(browser, address, color_scheme="dark")
        ask(page, CLOUD)
        ask(page, "What is a Tensor Core?")
        page.click("#chat summary")
        page.evaluate("document.querySelector('#chat .bubble-wrap').scrollTop = 1e6")
        _shoot(page, "answer-dark-en")
        page = open_page(browser, address, locale="zh-CN", viewport={"width": 390, "height": 844},
                         device_scale_factor=2, has_touch=True)
        ask(page, POWER)
        page.tap('#chat a[href="#r1.wall_w"] >> nth=0')
        _shoot(page, "phone-zh")


def _shoot(page: Any, name: str) -> None:
    page.wait_for_timeout(500)
    page.mouse.move(5, 5)
    page.screenshot(path=IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
