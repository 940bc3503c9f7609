"""The list of conversations in PostgreSQL: the same promises as in a file, and one list for several servers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from assistant.history import History
from tests import test_history as promises
from tests.e2e.browser import CLOUD, ask, needs_browser, open_history, open_page, settle, still, usable
from tests.e2e.server import Server
from tests.e2e.services import Postgres, postgres

pytestmark = needs_browser

test_turns = promises.test_turns_come_back_in_order_and_a_retry_replaces
test_others = promises.test_nobody_sees_reads_renames_judges_or_deletes_what_is_another_persons
test_search = promises.test_a_search_looks_into_questions_and_answers
test_rename = promises.test_rename_delete_and_opinion
test_odd_signs = promises.test_signs_that_a_database_refuses_do_not_lose_a_turn


@pytest.fixture(scope="module")
def database() -> Iterator[Postgres]:
    with postgres() as opened:
        yield opened


@pytest.fixture
def history(database: Postgres) -> Iterator[History]:
    import psycopg

    opened = History(database.url)
    opened.listed("nobody")  # makes the tables
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("TRUNCATE conversations CASCADE")
    yield opened
    opened.close()


def test_two_servers_that_start_together_make_the_tables_once(database: Postgres) -> None:
    both = [History(database.url) for _ in range(2)]
    name = both[0].keep("me", "together", 1, "Q?", {"answer": "x"})
    assert both[1].turns("me", name)[0].answer == {"answer": "x"}
    for one in both:
        one.close()


def test_a_conversation_of_one_worker_is_found_and_goes_on_at_another(
    browser: Any, database: Postgres, tmp_path: Path
) -> None:
    workers = [Server(tmp_path / name, GPU_ADVISOR_DATABASE_URL=database.url) for name in ("one", "two")]
    try:
        for worker in workers:
            worker.wait()
        page = open_page(browser, workers[0].base)
        ask(page, CLOUD)
        # A cookie knows no port, so the browser is the same person to both.
        page.goto(workers[1].base)
        usable(page)
        page.complaints.clear()
        open_history(page)
        page.click("#conversations .open >> nth=0")
        page.wait_for_selector('#chat :text("293 days")')
        settle(page)
        ask(page, "And at 40 %?")
        page.wait_for_selector('#chat .bot-row:has-text("110 days")')
        still(page)
        page.goto(workers[0].base + "/?" + page.url.split("?")[1])
        page.wait_for_selector('#chat .bot-row:has-text("110 days")')
        assert page.locator("#chat .user-row").count() == 2
        workers[0].process.terminate()
        workers[0].process.wait(60)
        cookie = page.context.cookies()
        owner = next(item["value"] for item in cookie if item["name"] == "gpu_advisor_owner")
        database.stop()
        reply = httpx.get(f"{workers[1].base}/page/history", cookies={"gpu_advisor_owner": owner}, timeout=60)
        assert reply.status_code == 503
        database.start()
        until_back = httpx.get(f"{workers[1].base}/page/history", cookies={"gpu_advisor_owner": owner}, timeout=60)
        for _ in range(30):
            if until_back.status_code == 200:
                break
            until_back = httpx.get(f"{workers[1].base}/page/history", cookies={"gpu_advisor_owner": owner}, timeout=60)
        assert len(until_back.json()) == 1
    finally:
        for worker in workers:
            worker.stop()
