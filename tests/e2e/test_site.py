"""What stands around the chat: what-if, pictures, history, calculators, cards, replay, and that everybody gets in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.e2e.browser import CHROMIUM, ask, chromium, open_page, serving, settle

pytest.importorskip("playwright", reason="needs the extra 'system': pip install playwright")
pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"needs {CHROMIUM}: apt-get install chromium"),
]

POWER = "4 张 3090 用 1600W 电源够吗？"
CLOUD = "When is my $2,200 desktop cheaper than a $2.14/h cloud GPU?"
WIDE = {"viewport": {"width": 1440, "height": 900}}
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


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("data")) as opened:
        yield opened


def until(holds: Callable[[], bool]) -> None:
    """Wait for something; the content policy forbids the browser's own way of it, which evaluates text."""
    last = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < last
        time.sleep(0.05)


def share(page: Any, value: str) -> None:
    page.fill("#what-if [data-name=utilization] input[type=number]", value)
    page.wait_for_selector("#what-if .status.changed")


def test_what_if_changes_sentence_figures_and_picture_without_a_model(browser: Any, address: str) -> None:
    page = open_page(browser, address, **WIDE)
    ask(page, CLOUD)
    page.wait_for_selector("#what-if [data-name=utilization]")
    share(page, "40")
    shown = page.inner_text("#what-if .computed")
    assert "110 days" in shown and "293 days" in shown  # now, and before
    assert "110 days" in page.inner_html("#what-if figure svg")
    took_ms = []
    for value in ("50", "60", "70"):
        share(page, value)
        page.wait_for_timeout(200)
        took_ms.append(int(page.get_attribute("#what-if", "data-took")))
    assert min(took_ms) < 300
    share(page, "40")
    page.click("#what-if .content > .row .button")
    page.wait_for_selector("#chat .user-row:has-text('What if Utilization 40%?')")
    settle(page)
    assert "After about 110 days" in page.inner_text("#chat .bot-row >> nth=-1")
    page.click('#chat a[href="#r2.break_even_days"]')
    assert "110 days" in page.inner_text("#number-card")
    assert page.complaints == []


def test_what_if_on_a_phone_in_chinese(browser: Any, address: str) -> None:
    page = open_page(browser, address, locale="zh-CN", **PHONE)
    ask(page, POWER)
    assert page.locator("#what-if").is_hidden()
    page.tap("#act-what_if")
    page.fill("#what-if [data-name=psu_w] input[type=number]", "2000")
    page.wait_for_selector("#what-if .status.changed")
    assert "够用" in page.inner_text("#what-if .computed")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.press("Escape")
    assert page.locator("#what-if").is_hidden()
    assert page.complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_stands_in_the_chat_in_the_pages_theme_with_words(browser: Any, address: str, scheme: str) -> None:
    page = open_page(browser, address, color_scheme="light")
    page.select_option("#choose-theme", scheme)
    ask(page, CLOUD)
    image = page.locator("#chat img[src*='/page/chart/']")
    until(lambda: page.evaluate("document.querySelector('#chat img').naturalWidth") > 0)
    assert "293 days" in image.get_attribute("alt") and f"theme={scheme}" in image.get_attribute("src")
    assert image.bounding_box()["width"] > 300
    assert page.complaints == []


def test_history_survives_a_reload_and_can_be_searched_renamed_exported_deleted(browser: Any, address: str) -> None:
    page = open_page(browser, address, accept_downloads=True, **WIDE)
    ask(page, CLOUD)
    page.reload()
    page.wait_for_selector("#chat .user-row:has-text('$2,200')")
    page.wait_for_timeout(300)
    ask(page, "And at 40 %?")
    assert page.locator("#chat .user-row").count() == 2
    if page.locator("#history").is_hidden():
        page.click("#show-history")
    page.fill("#history input[type=search]", "no such thing")
    page.wait_for_selector("#conversations :text('Nothing found.')")
    page.fill("#history input[type=search]", "2,200")
    page.click("#conversations summary")
    with page.expect_download() as got:
        page.click("#conversations a:has-text('Markdown')")
    assert "After about 293 days" in Path(got.value.path()).read_text("utf-8")
    page.click("#conversations .menu button:has-text('Rename')")
    page.fill("#conversations form input", "My desktop")
    page.press("#conversations form input", "Enter")
    page.fill("#history input[type=search]", "")
    page.wait_for_selector("#conversations :text('My desktop')")
    page.wait_for_timeout(400)
    page.click("#conversations summary")
    page.click("#conversations .menu .bad")
    page.click("#conversations .menu .bad")
    page.wait_for_selector("#conversations :text('No conversations yet')")
    page.wait_for_selector("#welcome a", state="visible")
    assert page.complaints == []


def test_undo_edit_feedback_and_a_replay_link(browser: Any, address: str) -> None:
    page = open_page(browser, address, permissions=["clipboard-read", "clipboard-write"])
    ask(page, CLOUD)
    page.click("#act-bad")
    page.fill("dialog textarea", "My electricity is cheaper")
    page.click("dialog .button")
    page.wait_for_selector("#act-bad:has-text('Noted')")
    page.click("#act-link")
    link = page.evaluate("navigator.clipboard.readText()")
    page.click("#act-edit")
    until(lambda: page.input_value("#box textarea") == CLOUD)
    assert page.locator("#chat .message-row").count() == 0
    page.goto(link)
    assert page.inner_text("#verdict") == "Same result" and CLOUD in page.inner_text("main")
    page.click('.sentence a[href="#r1.break_even_days"]')
    assert "293 days" in page.inner_text("#number-card")
    assert page.complaints == []


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("/?q=" + quote(CLOUD), "After about 293 days"),
        ("/?what=" + quote('{"tool":"power_check","arguments":{"cards":{"RTX 3090":4}}}'), "2,000 W"),
        ("/?what=%7Bbroken", ""),
    ],
)
def test_a_deep_link_opens_a_question_or_a_computation(browser: Any, address: str, path: str, seen: str) -> None:
    page = open_page(browser, address, path)
    if seen:
        page.wait_for_selector(f"#chat :text('{seen}')", timeout=30_000)
        settle(page)
        assert "c=" in page.url and "q=" not in page.url and "what=" not in page.url
    assert page.complaints == []


@pytest.mark.parametrize("language", ["zh-CN", "en-US"])
def test_a_calculator_computes_as_it_is_filled_in(browser: Any, address: str, language: str) -> None:
    page = open_page(browser, address, "/calculators/decode_rate", locale=language)
    page.fill("[data-name=gpu] input", "4090")
    page.fill("[data-name=model] input", "8B")
    page.wait_for_selector("#result figure svg")
    assert "tokens/s" in page.inner_text("#result .sentence") and "4090" in page.url
    page.click(".same summary")
    for name, begins in (("Shell", "python -m tools decode_rate"), ("MCP", "{"), ("HTTP", "curl"), ("JSON", "{")):
        page.click(f".same button:text-is('{name}')")
        assert page.inner_text(".same pre").startswith(begins)
    page.fill("[data-name=gpu] input", "RTX 4900")
    page.wait_for_selector("[data-name=gpu] [aria-invalid=true]")
    page.fill("[data-name=gpu] input", "4090")
    page.wait_for_selector("#result figure svg")
    with page.expect_download() as got:
        page.click("figcaption button >> nth=1")
    assert Path(got.value.path()).read_bytes().startswith(b"\x89PNG")
    assert page.complaints == []


def test_cards_are_filtered_sorted_and_compared(browser: Any, address: str) -> None:
    page = open_page(browser, address, "/cards")
    page.fill("#filters [name=text]", "rtx 40")
    page.click("#cards th[data-name=board_power_w] button")
    assert page.get_attribute("#cards th[data-name=board_power_w]", "aria-sort") == "descending"
    assert page.inner_text("#cards tbody tr >> nth=0").split("\n")[0].strip().startswith("RTX 4090")
    page.check("#cards tbody tr:nth-child(1) input")
    page.check("#cards tbody tr:nth-child(2) input")
    assert "RTX 4090" in page.inner_text("#comparison .compare")
    page.fill("#filters [name=text]", "no such card")
    assert page.inner_text("#tally") == "No card meets that."
    assert page.complaints == []
