"""Turns at once, turns in line, and an honest no to the rest."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class Full(Exception):
    """No turn can start in time.

    Attributes:
        retry_after_s: When it is worth asking again. [s]
    """

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(f"All places are taken. Ask again in {retry_after_s} s.")
        self.retry_after_s = retry_after_s


class Seats:
    """A concurrency limit with a bounded line before it."""

    def __init__(self, at_once: int, waiting: int, longest_wait_s: float) -> None:
        """Open the room.

        Args:
            at_once: Turns that run at the same time. [1]
            waiting: Turns that may stand in line. [1]
            longest_wait_s: After this long in line a turn is refused. [s]
        """
        self._at_once = at_once
        self._most_waiting = waiting
        self._longest_wait_s = longest_wait_s
        self.room = at_once + waiting
        self._free = asyncio.Semaphore(at_once)
        self._mean_s = 1.0
        self.taken = 0
        self.waiting = 0
        self.refused = 0

    @asynccontextmanager
    async def seat(self) -> AsyncGenerator[None]:
        """Wait for a seat and hold it.

        Raises:
            Full: If the line is full, or the wait would be or was too long.
        """
        await self._sit()
        start = time.monotonic()
        self.taken += 1
        try:
            yield
        finally:
            self.taken -= 1
            self._free.release()
            self._mean_s += 0.1 * (time.monotonic() - start - self._mean_s)

    async def _sit(self) -> None:
        if self._free.locked() and (self.waiting >= self._most_waiting or self._expected_s() > self._longest_wait_s):
            raise self._full()
        self.waiting += 1
        try:
            async with asyncio.timeout(self._longest_wait_s):
                await self._free.acquire()
        except TimeoutError:
            raise self._full() from None
        finally:
            self.waiting -= 1

    def _expected_s(self) -> float:
        return self._mean_s * (self.waiting + 1) / self._at_once

    def _full(self) -> Full:
        self.refused += 1
        return Full(max(1, math.ceil(self._expected_s())))
