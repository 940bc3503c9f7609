"""What the page's buttons ask for: undo, edit, retry, open, and a what-if that enters the conversation."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import pytest

from assistant.desk import open_desk
from assistant.history import History
from assistant.settings import Settings
from assistant.web.commands import obey, read
from assistant.web.turns import Chat, Place, respond

POWER: dict[str, Any] = {"cards": {"RTX 3090": 4}, "psu_w": 1600}


async def said(place: Place, question: str, chat: Chat, shown: list[Any]) -> list[Any]:
    updates = [update async for update in respond(place, question, shown, chat)]
    return [update[0] for update in updates if isinstance(update[0], list)][-1]


async def test_undo_edit_retry_and_open(tmp_path: Path) -> None:
    async with open_desk(Settings(data_dir=tmp_path)) as desk:
        place = Place(desk, History(tmp_path / "h.sqlite"), "me")
        chat = Chat()
        first = await said(place, "4 x RTX 3090: power supply?", chat, [])
        second = await said(place, "When is my $2,200 desktop cheaper than a $2.14/h cloud GPU?", chat, first)
        assert place.history is not None and len(place.history.turns("me", chat.name)) == 2
        left = [update async for update in obey(place, {"do": "edit"}, second, chat)][-1]
        assert left[0] == first and left[1]["value"].startswith("When is my") and len(chat.asked) == 1
        assert len(place.history.turns("me", chat.name)) == 1 and chat.calls[0]["tool"] == "power_check"
        again = [update async for update in obey(place, {"do": "retry"}, first, chat)]
        assert len([m for m in [u[0] for u in again if isinstance(u[0], list)][-1] if m["role"] == "user"]) == 1
        questions = [m for m in await desk.conversation(chat.session).messages() if m.type == "human"]
        assert len(questions) == 1
        opened = [update async for update in obey(place, {"do": "open", "name": chat.name}, [], None)][-1]
        assert opened[0][0]["role"] == "user" and json.loads(opened[3])["name"] == chat.name
        gone = [update async for update in obey(place, {"do": "open", "name": "nothing"}, [], None)][-1]
        assert gone[0] == {"__type__": "update"}


async def test_a_what_if_enters_the_conversation_with_its_numbers(tmp_path: Path) -> None:
    async with open_desk(Settings(data_dir=tmp_path)) as desk:
        place = Place(desk, History(tmp_path / "h.sqlite"), "me")
        chat = Chat()
        first = await said(place, "4 张 3090 用 1600W 电源够吗？", chat, [])
        command = {
            "do": "what_if",
            "tool": "power_check",
            "arguments": {**POWER, "psu_w": 2000},
            "before": POWER,
            "language": "zh",
        }
        added, *_ = [update async for update in obey(place, command, first, chat)]
        assert html.unescape(added[0][-3]["content"]) == "假如电源功率 2,000 W？"
        assert "r2.system_w" in json.loads(added[3])["records"]
        messages = await desk.conversation(chat.session).messages()
        assert [message.type for message in messages][-4:] == ["human", "ai", "tool", "ai"]
        wrong = {**command, "arguments": {"cards": {"RTX 9999": 1}}}
        assert [update async for update in obey(place, wrong, first, chat)] == []
        assert len(chat.asked) == 2


@pytest.mark.parametrize("text", ["", "x", "[]", "1", '{"do": 7}'])
async def test_a_command_that_is_none_changes_nothing(text: str) -> None:
    async with open_desk(Settings()) as desk:
        updates = [update async for update in obey(Place(desk), read(text), [], Chat())]
    assert len(updates) == 1 and updates[0][0] == {"__type__": "update"}
