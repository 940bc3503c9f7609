"""What is too much, poisoned, cut off or hard to use: the page stays usable, and everybody gets in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.e2e.axe import violations
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


def test_ten_thousand_rows_stay_usable(browser: Any, address: str) -> None:
    page = browser.new_page()

    def many(route: Any) -> None:
        reply = route.fetch()
        head, rest = reply.text().split('id="card-data">', 1)
        data, tail = rest.split("</script>", 1)
        read = json.loads(data)
        rows = [
            {**read["rows"][index % 100], "name": f"Card {index} <img src=x onerror=window.hacked=1>"}
            for index in range(10_000)
        ]
        body = (
            f'{head}id="card-data">{json.dumps({**read, "rows": rows}).replace("<", chr(92) + "u003c")}</script>{tail}'
        )
        route.fulfill(response=reply, body=body)

    page.route("**/cards", many)
    page.goto(f"{address}/cards")
    page.wait_for_selector("#cards tbody tr")
    assert page.locator("#cards tbody tr").count() == 200
    page.click("#cards th[data-name=name] button")
    took_ms = page.evaluate("""() => {
      const started = performance.now();
      document.querySelector("#filters [name=text]").value = "card 9999";
      document.querySelector("#filters").dispatchEvent(new Event("input"));
      return performance.now() - started;
    }""")
    assert took_ms < 1000
    page.wait_for_selector("#cards tbody tr:has-text('Card 9999')")
    assert page.locator("#cards tbody tr").count() == 1 and page.evaluate("window.hacked") is None
    page.close()


def test_a_question_of_two_hundred_thousand_signs(browser: Any, address: str) -> None:
    page = open_page(browser, address)
    page.evaluate("text => chat.send(text)", CLOUD + " " + "lorem ipsum <b> " * 12_500)
    page.wait_for_selector("#chat .bot-row", timeout=60_000)
    settle(page)
    page.evaluate("chat.wish({ do: 'new' })")
    page.wait_for_selector("#welcome a", state="visible")
    ask(page, CLOUD)
    assert "After about 293 days" in page.inner_text("#chat") and page.complaints == []


def test_what_is_poisoned_does_nothing(browser: Any, address: str) -> None:
    poison = "<img src=x onerror=window.hacked=1><svg onload=window.hacked=1>"
    page = open_page(browser, address, "/calculators/power_check?a=" + quote(json.dumps({"cards": {poison: 2}})))
    page.wait_for_selector("#result .error")
    page.goto(f"{address}/?q={quote(poison)}")
    page.wait_for_selector("#chat .user-row")
    settle(page)
    page.goto(f"{address}/?c={quote(poison)}")
    page.wait_for_selector("#welcome a")
    page.click("#show-history")
    page.wait_for_selector("#conversations .open")
    assert "<img" in page.inner_text("#conversations")
    assert page.evaluate("window.hacked") is None and page.complaints == []


def test_without_a_server_the_page_says_so(browser: Any, address: str) -> None:
    page = open_page(browser, address, "/calculators/power_check")
    page.wait_for_selector("[data-name=cards] input")
    page.context.set_offline(True)
    page.fill("[data-name=cards] input >> nth=0", "RTX 3090")
    page.wait_for_selector("#result .error:has-text('does not answer')")
    page.context.set_offline(False)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
def test_nobody_is_kept_out(browser: Any, address: str, scheme: str, locale: str) -> None:
    found: dict[str, list[str]] = {}
    page = open_page(browser, address, color_scheme=scheme, locale=locale, bypass_csp=True, **WIDE)
    page.wait_for_timeout(300)
    found["welcome"] = violations(page)
    ask(page, POWER if locale == "zh-CN" else CLOUD)
    page.click("#chat .thought-group .title")
    if page.locator("#history").is_hidden():
        page.click("#show-history")
    page.wait_for_timeout(500)
    found["chat"] = violations(page)
    page.click('#chat a[href^="#r1."] >> nth=0')
    found["number"] = violations(page)
    page.keyboard.press("Escape")
    for path in PAGES:
        page.goto(address + path)
        page.wait_for_load_state("networkidle")
        found[path] = violations(page)
    assert not any(found.values()), found


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("width", [390, 1024])
def test_nothing_is_wider_than_the_screen(browser: Any, address: str, path: str, width: int) -> None:
    page = open_page(browser, address, path, locale="zh-CN", viewport={"width": width, "height": 800})
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_by_keyboard_alone(browser: Any, address: str) -> None:
    page = open_page(browser, address)
    page.keyboard.press("Tab")
    assert "skip" in page.evaluate("document.activeElement.className")
    page.keyboard.press("Enter")
    page.keyboard.type(CLOUD)
    page.keyboard.press("Enter")
    page.wait_for_selector("#box .stop-button")
    settle(page)
    assert "293 days" in page.inner_text("#chat")
