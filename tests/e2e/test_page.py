"""The chat in a real browser: what a person sees and does in both languages, on a desk and on a phone."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.web.words import WORDS
from tests.e2e.browser import (
    ALL_VIEWS,
    CLOUD,
    POWER,
    VIEWS,
    WIDE,
    View,
    ask,
    needs_browser,
    open_history,
    open_page,
    serving,
    settle,
    still,
    until,
    usable,
)
from tests.e2e.two_models import SAID

pytestmark = needs_browser
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}


def chat_text(page: Any) -> str:
    return page.inner_text("#chat")


def last_answer(page: Any) -> str:
    return page.inner_text("#chat .bot-row >> nth=-1")


@pytest.mark.parametrize("view", ALL_VIEWS)
def test_an_answer_its_card_and_a_number_that_opens(browser: Any, address: str, view: View) -> None:
    page = view.open(browser, address)
    assert page.evaluate("document.documentElement.lang").startswith(view.language)
    assert WORDS[view.language].title in page.inner_text("#head")
    ask(page, view.question)
    assert view.says in chat_text(page) and view.tool in page.inner_text("#chat .thought-group")
    view.press(page, "#chat .thought-group .title")
    page.wait_for_selector(f'#chat .thought-group .content :text("{view.formula}")')
    page.evaluate("document.querySelector('#chat .bubble-wrap').scrollTop = 1e6")
    view.press(page, f'#chat .message:not(.thought) a[href="#{view.ref}"] >> nth=0')
    card = page.locator("#number-card")
    card.wait_for(state="visible")
    shown = card.inner_text()
    words = WORDS[view.language]
    for part in (view.figure, view.formula, words.computed, words.how, words.assumptions, words.sources, "20"):
        assert part in shown
    box, screen = card.bounding_box(), view.context["viewport"]
    assert box["x"] >= 0 and box["x"] + box["width"] <= screen["width"]
    assert box["y"] >= 0 and box["y"] + box["height"] <= screen["height"] + 1
    assert page.url.startswith(f"{address}/?c=") and "#" not in page.url
    page.keyboard.press("Escape")
    card.wait_for(state="hidden")
    assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"]
    middles = [act.bounding_box() for act in page.locator("#acts .act:visible").all()]
    assert len({round(act["y"] + act["height"] / 2) for act in middles}) == 1, "the actions stand in one row"
    assert page.complaints == []


@pytest.mark.parametrize("view", VIEWS)
def test_yours_computed_and_quoted_numbers_look_and_open_differently(browser: Any, address: str, view: View) -> None:
    page = view.open(browser, address)
    ask(page, POWER if view.language == "zh" else "Is a 1600 W supply enough for four RTX 3090s?")
    ask(page, "什么是 Tensor Core？" if view.language == "zh" else "What is a Tensor Core?")
    words = WORDS[view.language]
    looks: set[str] = set()
    for link, badge in (("#r", words.computed), ("#user", words.from_you), ("#c", words.from_article)):
        number = page.locator(f'#chat .message:not(.thought) a[href^="{link}"]').first
        number.wait_for()
        looks.add(number.evaluate("node => getComputedStyle(node).textDecorationStyle"))
        number.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(f'#number-card .badge:text-is("{badge}")')
        assert page.evaluate("document.activeElement.id") == "number-card"
        page.keyboard.press("Escape")
        page.locator("#number-card").wait_for(state="hidden")
        assert number.evaluate("node => document.activeElement === node")
    assert looks == {"dotted", "dashed", "solid"} and page.complaints == []


@pytest.mark.parametrize("view", VIEWS)
def test_an_example_is_sent_and_a_new_chat_begins_again(browser: Any, address: str, view: View) -> None:
    page = view.open(browser, address)
    assert page.locator("#welcome strong").all_inner_texts() == [topic for topic, _ in WORDS[view.language].examples]
    view.press(page, "#welcome a >> nth=0")
    page.wait_for_selector('#chat a[href^="#r1."]')
    settle(page)
    assert not page.locator("#welcome").is_visible()
    open_history(page)
    page.click("#new")
    page.wait_for_selector("#welcome a", state="visible")
    assert page.locator("#chat .message-row").count() == 0
    ask(page, CLOUD)
    page.wait_for_selector('#chat a[href="#r1.break_even_days"]')
    assert page.complaints == []


@pytest.mark.parametrize("view", VIEWS)
def test_copy_retry_edit_and_undo(browser: Any, address: str, view: View) -> None:
    page = view.open(browser, address, **CLIPBOARD)
    ask(page, view.question)
    for key in ("copy", "retry", "edit", "undo", "good", "bad"):
        assert page.inner_text(f"#act-{key}") == view.say(key)
    view.press(page, "#act-copy")
    page.wait_for_selector(f'#act-copy:text-is("{view.say("copied")}")')
    copied = page.evaluate("navigator.clipboard.readText()")
    assert view.figure in copied and "&#" not in copied and "](#" not in copied
    before = page.evaluate("chat.told().replay")
    view.press(page, "#act-retry")
    until(lambda: page.evaluate("chat.running()") or page.locator("#chat .bot-row").count() < 2)
    settle(page)
    assert page.locator("#chat .user-row").count() == 1 and view.says in chat_text(page)
    assert page.evaluate("chat.told().replay") == before
    ask(page, CLOUD if view.language == "zh" else POWER)
    view.press(page, "#act-undo")
    page.locator("#chat .user-row").nth(1).wait_for(state="detached")
    still(page)
    assert view.says in last_answer(page)
    view.press(page, "#act-edit")
    until(lambda: page.input_value("#box textarea") == view.question)
    assert page.locator("#chat .message-row").count() == 0
    assert page.complaints == []


@pytest.mark.parametrize("view", VIEWS)
def test_feedback_with_a_reason_is_kept(browser: Any, address: str, view: View) -> None:
    page = view.open(browser, address, accept_downloads=True)
    ask(page, view.question)
    reason = "电价不对" if view.language == "zh" else "My electricity is cheaper"
    view.press(page, "#act-bad")
    page.fill("dialog textarea", reason)
    view.press(page, "dialog .button")
    page.wait_for_selector(f'#act-bad:text-is("{view.say("thanks")}")')
    open_history(page)
    view.press(page, "#conversations summary")
    with page.expect_download() as got:
        view.press(page, "#conversations a:text-is('JSON')")
    kept = json.loads(Path(got.value.path()).read_text("utf-8"))
    assert kept["turns"][0]["opinion"] == {"good": False, "reason": reason}
    assert page.complaints == []


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A page whose model thinks for long, and its data folder."""
    folder = tmp_path_factory.mktemp("slow")
    with serving(folder, "-m", "tests.e2e.slow_page") as opened:
        yield opened, folder


@pytest.fixture(scope="module")
def two_models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page with two models."""
    with serving(tmp_path_factory.mktemp("two"), "-m", "tests.e2e.two_models") as opened:
        yield opened


@pytest.mark.parametrize("view", VIEWS)
def test_stopping_really_stops(browser: Any, slow: tuple[str, Path], view: View) -> None:
    address, folder = slow
    (folder / "stopped").unlink(missing_ok=True)
    page = view.open(browser, address)
    page.fill("#box textarea", view.question)
    page.press("#box textarea", "Enter")
    page.wait_for_selector("#box .stop-button")
    page.wait_for_selector(f'#chat .thought-group:has-text("{WORDS[view.language].thinking}")')
    view.press(page, "#box .stop-button")
    page.wait_for_selector("#box .submit-button")
    page.wait_for_selector(f'#chat :text("{WORDS[view.language].stopped}")')
    page.locator("#chat .thought-group").wait_for(state="detached")
    until((folder / "stopped").exists)
    assert page.complaints == []


@pytest.mark.parametrize("view", VIEWS)
def test_a_model_is_chosen_and_says_what_it_took(browser: Any, two_models: str, view: View) -> None:
    page = view.open(browser, two_models)
    picker = page.locator("#choose-model")
    picker.wait_for()
    assert picker.get_attribute("aria-label") == view.say("model")
    assert picker.locator("option").all_inner_texts()[1] == view.say("built_in")
    ask(page, "你好，你能做什么？" if view.language == "zh" else "Hello there, what can you do?")
    assert SAID in last_answer(page)
    took = page.inner_text("#usage")
    assert "1,200" in took and "34" in took and "0.0042" in took and ("读入" in took) == (view.language == "zh")
    page.select_option("#choose-model", "built-in")
    ask(page, view.question)
    assert view.says in last_answer(page) and page.locator("#usage").is_hidden()
    for part in page.locator("#bar > *:not(.skip)").all():
        box = part.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= view.context["viewport"]["width"]
        assert box["y"] + box["height"] <= page.locator("#bar").bounding_box()["height"] + 1
    page.reload()
    usable(page)
    assert page.input_value("#choose-model") == "built-in"
    assert page.complaints == []


@pytest.mark.parametrize("view", VIEWS)
def test_language_and_theme_hold(browser: Any, address: str, view: View) -> None:
    page = view.open(browser, address, color_scheme="light")
    other = "en" if view.language == "zh" else "zh"
    page.wait_for_selector(f'#head:has-text("{WORDS[view.language].title}")')
    page.select_option("#choose-language", other)
    page.wait_for_selector(f'#head:has-text("{WORDS[other].title}")')
    page.select_option("#choose-theme", "dark")
    page.reload()
    page.wait_for_selector(f'#head:has-text("{WORDS[other].title}")')
    page.wait_for_selector("body.dark")
    page.goto(f"{address}/cards")
    page.wait_for_selector("body.dark #bar")
    assert page.evaluate("document.documentElement.lang").startswith(other)
    assert page.complaints == []


def test_by_keyboard_alone(browser: Any, address: str) -> None:
    page = open_page(browser, address, **WIDE)
    page.keyboard.press("Tab")
    assert "skip" in page.evaluate("document.activeElement.className")
    page.keyboard.press("Enter")
    page.keyboard.type(CLOUD)
    page.keyboard.press("Enter")
    page.wait_for_selector("#chat .bot-row")
    settle(page)
    assert "293 days" in chat_text(page)
    seen: set[str] = set()
    until_s = time.monotonic() + 30
    while "act-what_if" not in seen and time.monotonic() < until_s:
        page.keyboard.press("Shift+Tab")
        seen.add(page.evaluate("document.activeElement.id"))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    assert {"act-copy", "act-what_if"} & seen
