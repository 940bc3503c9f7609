"""Forget old talks of programs.

A person deletes conversations on the page. A program that asks over /v1 deletes nothing, and each of its questions is
kept under a name of its own, so these would grow for ever. A talk that was forgotten can still be continued: what the
client says of it is then taken as words only (`assistant.serving.history`).
"""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Callable
from typing import Any

from assistant.memory import MemoryDown
from assistant.serving.history import PREFIX
from assistant.serving.logs import note

SWEEP_EVERY_S = 300.0
# Names of states are UUIDs of version 6, whose time counts from 1582 in steps of 100 ns (RFC 9562).
_EPOCH_1582_S = 12_219_292_800
_log = logging.getLogger(__name__)


async def sweep(saver: Any, *, kept: int, days: float, now_s: float | None = None) -> int:
    """Forget talks beyond a number or an age, the oldest first.

    Args:
        saver: Where conversations are kept.
        kept: Most talks to keep. [1]
        days: Longest time to keep one that nobody continues. [days]
        now_s: The present time. [s since 1970]

    Returns:
        How many were forgotten. [1]
    """
    oldest_s = (time.time() if now_s is None else now_s) - days * 86_400
    talks = sorted(await saver.latest(PREFIX), key=lambda talk: talk[1], reverse=True)
    gone = [name for place, (name, state) in enumerate(talks) if place >= kept or written_s(state) < oldest_s]
    for name in gone:
        await saver.adelete_thread(name)
    return len(gone)


def written_s(state: str) -> float:
    """Return when a state was written, from its name, in seconds since 1970."""
    number = uuid.UUID(state).int
    steps = (number >> 80 << 12) | (number >> 64 & 0xFFF)
    return steps / 1e7 - _EPOCH_1582_S


async def keep_swept(saver: Callable[[], Any], *, kept: int, days: float) -> None:
    """Sweep now and then, until cancelled."""
    while True:
        await asyncio.sleep(SWEEP_EVERY_S)
        try:
            gone = await sweep(saver(), kept=kept, days=days)
        except MemoryDown:
            continue  # it says so itself
        except Exception:
            _log.exception("old talks could not be forgotten; the next try is in %g s", SWEEP_EVERY_S)
            continue
        if gone:
            note(_log, "talks forgotten", count=gone)
