"""Find the conversation that a stateless request continues.

A client of `/v1/chat/completions` sends the whole talk each time. What was computed for it lies in the
memory under a name made from the caller and the questions so far, so any worker finds it, and a number
of an earlier answer keeps its source. What the client claims that we had answered is not believed where
the memory knows better.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from assistant.conversation import LONGEST_QUESTION, Conversation
from assistant.desk import Desk

# How names of these conversations begin; those of people have none.
PREFIX = "talk-"


class Said(NamedTuple):
    """One message of a request."""

    role: str
    text: str


async def continued(desk: Desk, who: str, talk: Sequence[Said]) -> tuple[Conversation, list[AnyMessage]]:
    """Return the conversation in which to ask the last question, and what came before it.

    Args:
        desk: Where conversations are opened.
        who: Name of the caller; callers never see each other's talk.
        talk: Messages of person and assistant, the question last.

    Raises:
        MemoryDown: If the memory does not answer.
    """
    asked = [said.text for said in talk if said.role == "user"]
    before: list[AnyMessage] = []
    if len(talk) > 1:
        before = await desk.conversation(_name(who, asked[:-1])).messages() or _plain(talk[:-1])
    return desk.conversation(_name(who, asked)), before


def _name(who: str, asked: Sequence[str]) -> str:
    return PREFIX + hashlib.sha256(json.dumps([who, *asked]).encode()).hexdigest()


def _plain(talk: Sequence[Said]) -> list[AnyMessage]:
    """Return a talk we know nothing of as words only; its figures have no source and must be computed again.

    Of one that is longer than a question may be, the latest messages are read.
    """
    room = LONGEST_QUESTION
    kept: list[AnyMessage] = []
    for said in reversed(talk):
        room -= len(said.text)
        if room < 0:
            break
        if said.text:
            kept.append(HumanMessage(said.text) if said.role == "user" else AIMessage(said.text))
    return kept[::-1]
