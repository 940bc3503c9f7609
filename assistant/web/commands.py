"""What the page's own buttons ask of the server: open, undo, edit, retry, what-if, language."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from anyio.to_thread import run_sync

from assistant.conversation import LONGEST_QUESTION, Answer
from assistant.figures import Language
from assistant.history import Past
from assistant.history_store import HistoryDown
from assistant.web import what_if
from assistant.web.turns import SAME, Chat, Place, busy, keep, ready, respond, shown_again
from tools.api import Json, ToolInputError, is_object

Update = tuple[Any, ...]


def read(text: str) -> dict[str, Json]:
    """Return a command of the browser; {} if it is none."""
    try:
        command: Json = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return command if is_object(command) else {}


async def obey(place: Place, command: dict[str, Json], shown: list[Any], chat: Chat | None) -> AsyncIterator[Update]:
    """Carry a command out; yields the same outputs as a turn."""
    known = chat or Chat()
    do = command.get("do")
    if do == "new":
        fresh = Chat()
        yield [], ready(), fresh, fresh.told()
    elif do == "open":
        yield await _open(place, str(command.get("name", "")))
    elif do == "ask":
        async for update in respond(place, str(command.get("question", ""))[:LONGEST_QUESTION], shown, known):
            yield update
    elif do in ("undo", "edit", "retry") and known.asked:
        question = known.asked.pop()
        left = _without_last(shown)
        if do == "retry":
            async for update in respond(place, question, left, known):
                yield update
            return
        await _cut(place, known)
        yield left, ready(question if do == "edit" else None), known, known.told()
    elif do == "what_if":
        async for update in _what_if(place, command, shown, known):
            yield update
    else:
        yield SAME, SAME, SAME, SAME


def _without_last(shown: list[Any]) -> list[Any]:
    """Return the messages before the last question."""
    places = [index for index, message in enumerate(shown) if message["role"] == "user"]
    return shown[: places[-1]] if places else []


async def _cut(place: Place, chat: Chat) -> None:
    """Forget the turns that were taken back."""
    chat.calls, chat.replay, chat.usage = [], "", ""
    if place.history is None or not chat.name:
        return
    try:
        await run_sync(place.history.cut, place.owner, chat.name, len(chat.asked) + 1)
        past = await run_sync(place.history.turns, place.owner, chat.name)
    except HistoryDown:
        return  # the next answer takes their place
    if past:
        chat.took(answer_of(past[-1]), past[-1].question)


def answer_of(past: Past) -> Answer:
    """Return the answer of a turn of the past."""
    kept = past.answer
    language: Language = "zh" if kept["language"] == "zh" else "en"
    return Answer(
        str(kept["answer"]),
        language,
        str(kept["status"]),
        str(kept["model"]),
        kept["calls"],
        kept["numbers"],
        kept["citations"],
        kept["warnings"],
        kept.get("results", {}),
        kept.get("usage", {}),
    )


async def _open(place: Place, name: str) -> Update:
    nothing: Update = (SAME, SAME, SAME, SAME)
    if place.history is None:
        return nothing
    try:
        kept = await run_sync(place.history.find, place.owner, name)
        turns = await run_sync(place.history.turns, place.owner, name)
    except HistoryDown:
        return nothing
    if kept is None:
        return nothing
    chat = Chat(session=kept.session, name=kept.id)
    messages: list[Any] = []
    for past in turns:
        chat.asked.append(past.question)
        answer = answer_of(past)
        chat.took(answer, past.question)
        messages += shown_again(past.question, answer)
    return messages, ready(), chat, chat.told()


async def _what_if(place: Place, command: dict[str, Json], shown: list[Any], chat: Chat) -> AsyncIterator[Update]:
    tool, arguments, before = (command.get(key) for key in ("tool", "arguments", "before"))
    if not isinstance(tool, str) or not is_object(arguments):
        return
    language: Language = "en" if command.get("language") == "en" else "zh"
    try:
        question = what_if.question_of(tool, arguments, before if is_object(before) else {}, language)
        answer = await what_if.put(place.desk, chat.session, question, tool, arguments, language, len(chat.asked))
    except ToolInputError:
        return
    if answer is None:
        return
    chat.asked.append(question)
    chat.took(answer, question)
    await keep(place, chat, question, answer)
    yield [*shown, *shown_again(question, answer)], busy(), chat, chat.told()
    yield SAME, ready(), chat, SAME
