"""What is too much, poisoned, cut off or hard to use: the page stays usable, and everybody gets in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.e2e.axe import violations
from tests.e2e.browser import (
    ALL_VIEWS,
    CLOUD,
    EN_WIDE,
    PAGES,
    ROOT,
    VIEWS,
    ZH_PHONE,
    View,
    ask,
    needs_browser,
    new_chat,
    open_history,
    open_page,
    serving,
    settle,
    still,
)

pytestmark = needs_browser
POISON = "<img src=x onerror=window.hacked=1><svg onload=window.hacked=1>"


@pytest.mark.parametrize("view", VIEWS)
def test_ten_thousand_rows_stay_usable(browser: Any, address: str, view: View) -> None:
    page = browser.new_context(**view.context).new_page()

    def many(route: Any) -> None:
        reply = route.fetch()
        head, rest = reply.text().split('id="card-data">', 1)
        data, tail = rest.split("</script>", 1)
        read = json.loads(data)
        rows = [{**read["rows"][index % 100], "name": f"Card {index} {POISON}"} for index in range(10_000)]
        written = json.dumps({**read, "rows": rows}).replace("<", chr(92) + "u003c")
        route.fulfill(response=reply, body=f'{head}id="card-data">{written}</script>{tail}')

    page.route("**/cards", many)
    page.goto(f"{address}/cards")
    page.wait_for_selector("#cards tbody tr:nth-child(200)")
    assert page.locator("#cards tbody tr").count() == 200
    page.click("#cards th[data-name=name] button")
    page.wait_for_selector("#cards th[data-name=name][aria-sort=ascending]")
    page.fill("#filters [name=text]", "card 9999")
    page.wait_for_selector("#cards tbody tr:only-child:has-text('Card 9999')")
    assert page.evaluate("window.hacked") is None


@pytest.mark.parametrize("view", VIEWS)
def test_a_question_of_two_hundred_thousand_signs(browser: Any, address: str, view: View) -> None:
    page = view.open(browser, address)
    page.evaluate("text => chat.send(text)", view.question + " " + "lorem ipsum <b> " * 12_500)
    page.wait_for_selector("#chat .bot-row")
    settle(page)
    new_chat(page)
    ask(page, view.question)
    assert view.says in page.inner_text("#chat") and page.complaints == []


@pytest.mark.parametrize("view", VIEWS)
def test_what_is_poisoned_does_nothing(browser: Any, address: str, view: View) -> None:
    page = view.open(browser, address, "/calculators/power_check?a=" + quote(json.dumps({"cards": {POISON: 2}})))
    page.wait_for_selector("#result .error")
    page.goto(f"{address}/?q={quote(POISON + ' <style>*{display:none}</style> [a](javascript:hacked=1) 4 x 3090?')}")
    page.wait_for_selector("#chat .user-row")
    page.wait_for_selector("#chat .bot-row")
    settle(page)
    assert page.locator("#chat .user img, #chat .user style, #chat .user a, #chat .user svg").count() == 0
    assert "<img src=x" in page.inner_text("#chat .user-row")
    page.goto(f"{address}/?c={quote(POISON)}")
    page.wait_for_selector("#welcome a", state="attached")
    open_history(page)
    page.wait_for_selector("#conversations .open")
    assert "<img" in page.inner_text("#conversations")
    still(page, 500)
    assert page.evaluate("window.hacked") is None and page.complaints == []


def test_a_poisoned_document_and_its_file_name_stay_text(browser: Any, tmp_path: Path) -> None:
    document = tmp_path / f"{POISON.replace('/', '')}.md"
    document.write_text(
        f"# The zorblax rack {POISON}\n\nA zorblax rack of four cards is cooled by two quiet fans. {POISON}\n\n"
        "<script>window.hacked = 1</script> [fans](javascript:window.hacked=1) The zorblax rack needs no water.\n",
        "utf-8",
    )
    data = tmp_path / "data"
    data.mkdir()
    known = {**os.environ, "GPU_ADVISOR_DATA_DIR": str(data)}
    taken = subprocess.run(
        [sys.executable, "-m", "knowledge", "ingest", str(document)],
        cwd=ROOT,
        env=known,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert taken.returncode == 0, taken.stderr[-1000:]
    with serving(data) as address:
        for view in (ZH_PHONE, EN_WIDE):
            page = view.open(browser, address)
            ask(page, "How is a zorblax rack of four cards cooled?")
            shown = page.inner_text("#chat .bot-row >> nth=-1")
            assert "zorblax" in shown.lower()
            for summary in page.locator("#chat details summary").all():
                summary.click()
            for card in page.locator("#chat .thought-group .title").all():
                card.click()
            for passage in page.locator('#chat a[href^="#c"]').all()[:1]:
                passage.click()
            still(page, 500)
            assert page.locator("#chat .bot img[src=x], #chat .bot svg[onload], #chat .bot script").count() == 0
            assert page.locator('a[href^="javascript:"]').count() == 0
            assert page.evaluate("window.hacked") is None and page.complaints == []


@pytest.mark.parametrize("view", VIEWS)
def test_without_a_server_the_page_says_so(browser: Any, address: str, view: View) -> None:
    page = view.open(browser, address, "/calculators/power_check")
    page.wait_for_selector("[data-name=cards] input")
    page.context.set_offline(True)
    page.fill("[data-name=cards] input >> nth=0", "RTX 3090")
    page.wait_for_selector(f'#result .error:text-is("{view.say("offline")}")')
    page.context.set_offline(False)
    page.fill("[data-name=cards] input >> nth=0", "RTX 4090")
    page.wait_for_selector("#result figure svg")
    page = view.open(browser, address)
    page.context.set_offline(True)
    open_history(page)
    page.wait_for_selector(f'#conversations :text("{view.say("offline")}")')


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", ALL_VIEWS)
def test_nobody_is_kept_out(browser: Any, address: str, view: View, scheme: str) -> None:
    found: dict[str, list[str]] = {}
    page = view.open(browser, address, color_scheme=scheme, bypass_csp=True)
    still(page)
    found["welcome"] = violations(page)
    ask(page, view.question)
    page.click("#chat .thought-group .title")
    page.wait_for_selector("#chat .thought-group .content li")
    still(page, 500)
    found["chat"] = violations(page)
    page.evaluate("document.querySelector('#chat .bubble-wrap').scrollTop = 1e6")
    page.click(f'#chat .message:not(.thought) a[href="#{view.ref}"] >> nth=0')
    page.wait_for_selector("#number-card")
    found["number"] = violations(page)
    page.keyboard.press("Escape")
    open_history(page)
    page.wait_for_selector("#conversations .open")
    still(page, 500)
    found["history"] = violations(page)
    again = "/replay?c=" + json.loads(page.input_value("#told textarea"))["replay"]
    for path in (*PAGES, again):
        page.goto(address + path)
        page.wait_for_load_state("networkidle")
        still(page)
        found[path] = violations(page)
    assert not any(found.values()), found


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("locale", ["zh-CN", "en-US"])
@pytest.mark.parametrize("width", [390, 1024])
def test_nothing_is_wider_than_the_screen(browser: Any, address: str, path: str, width: int, locale: str) -> None:
    page = open_page(browser, address, path, locale=locale, viewport={"width": width, "height": 800})
    page.wait_for_load_state("networkidle")
    still(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_panel_that_opened_by_itself_leaves_a_screen_that_became_narrow(browser: Any, address: str) -> None:
    page = open_page(browser, address, viewport={"width": 1440, "height": 900})
    ask(page, CLOUD)
    page.wait_for_selector("#what-if [data-name=utilization]")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#what-if").wait_for(state="hidden")
    page.wait_for_selector("#chat .bot-row")
