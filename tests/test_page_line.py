"""The page and /v1 stand in one line: so many turns at once, so many waiting, and an honest word to the rest."""

from __future__ import annotations

import asyncio
import html
import os
import time
from pathlib import Path
from typing import Any

import httpx

from app import create_app
from assistant.desk import open_desk
from assistant.serving.seats import Seats
from assistant.settings import Settings
from assistant.web.turns import Chat, Place, respond
from scripts.load import Seen, ask_page, crowd
from tests.serving import SlowModel, question, running, settings_for, with_model

POWER = "4 x RTX 3090: power supply?"


def whole_app(settings: Settings, opener: Any) -> Any:
    return create_app(settings, opener, warm=False)


async def test_a_full_house_says_so_and_gives_the_question_back() -> None:
    seats, chat = Seats(1, 0, 5), Chat()
    async with open_desk(Settings()) as desk, seats.seat():
        updates = [update async for update in respond(Place(desk, seats=seats), POWER, [], chat)]
    shown, box, _, _ = updates[-1]
    assert "All places are taken" in html.unescape(shown[-1]["content"]) and shown[-2]["role"] == "user"
    assert box["value"] == POWER and box["submit_btn"] is True and box["stop_btn"] is False
    assert chat.asked == [] and seats.refused == 1


async def test_a_turn_that_is_stopped_frees_its_place() -> None:
    seats = Seats(1, 0, 5)
    async with open_desk(Settings()) as desk:
        turn: Any = respond(Place(desk, seats=seats), POWER, [], Chat())
        await anext(turn)  # the question is shown
        await anext(turn)  # a tool runs
        assert seats.taken == 1
        await turn.aclose()  # what Gradio does when the stop button is pressed or the browser goes away
        assert seats.taken == 0


async def test_a_place_is_free_while_the_answer_is_written() -> None:
    seats, taken = Seats(1, 0, 5), []
    async with open_desk(Settings()) as desk:
        async for update in respond(Place(desk, seats=seats), POWER, [], Chat()):
            taken.append((update[0][-1].get("metadata") if isinstance(update[0], list) else None, seats.taken))
    assert taken[-2] == (None, 0) and 1 in [count for _, count in taken]


async def test_a_crowd_is_answered_in_one_piece() -> None:
    async def updates(place: Place) -> int:
        return len([update async for update in respond(place, POWER, [], Chat())])

    async with open_desk(Settings()) as desk:
        alone, crowd_of = Place(desk, seats=Seats(9, 0, 5)), Place(desk, seats=Seats(9, 0, 5))
        assert crowd_of.seats is not None
        crowd_of.seats.taken = 8
        assert await updates(alone) > 2 * await updates(crowd_of)


def test_page_and_programs_share_the_places(tmp_path: Path) -> None:
    settings = settings_for(tmp_path, turns_at_once=2, turns_waiting=2)

    async def both(base: str) -> tuple[Seen, httpx.Response]:
        await crowd(base, ask_page, 1, rounds=1)  # a server's very first turn loads what later ones have
        asking = asyncio.ensure_future(crowd(base, ask_page, 8, rounds=1))
        async with httpx.AsyncClient(base_url=base, timeout=20) as client:
            until = time.monotonic() + 10
            while "running 2.0" not in (page := (await client.get("/metrics")).text) or "waiting 2.0" not in page:
                assert time.monotonic() < until
                await asyncio.sleep(0.02)
            reply = await client.post("/v1/chat/completions", json=question("hello"))
        return await asking, reply

    with running(settings, with_model(SlowModel(seconds=2.0)), whole_app) as base:
        seen, reply = asyncio.run(both(base))
    assert reply.status_code == 503 and reply.headers["retry-after"]
    assert (len(seen.whole_s), len(seen.refused_s), seen.wrong) == (4, 4, 0)
    assert max(seen.refused_s) < 1, "refused at once, not after a time-out"


def test_a_crowd_on_the_page_all_gets_an_answer(tmp_path: Path) -> None:
    people = 100 if os.environ.get("GPU_ADVISOR_WHOLE") else 24  # a hundred in make load
    with running(settings_for(tmp_path), build=whole_app) as base:
        seen = asyncio.run(crowd(base, ask_page, people, rounds=1))
    assert not seen.wrong, seen.why
    assert len(seen.whole_s) + len(seen.refused_s) == people and len(seen.whole_s) >= 0.9 * people
