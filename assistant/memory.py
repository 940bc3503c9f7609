"""Where conversations are kept, and what happens when that place fails.

A turn that cannot be written is answered all the same, with a warning. A conversation that cannot be
read is not answered as if nothing had been said before: the person is told to try again.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from importlib.util import find_spec
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.memory import InMemorySaver

from assistant.security import ServingRefused
from assistant.settings import Settings

# What the extra "postgres" installs and this program imports.
_DRIVERS = ("psycopg", "psycopg_pool", "langgraph.checkpoint.postgres")
DATABASE_WAIT_S = 3.0
NOT_KEPT = (
    "This turn could not be kept: the place for conversations cannot be written. Further questions may not"
    " know it. · 这一轮无法保存，后面的提问可能不知道它。"
)
DOWN = (
    "The database of the conversations does not answer. Nothing is lost; try again in a moment."
    " · 保存对话的数据库暂时没有响应。内容没有丢失，请稍后再试。"
)
_log = logging.getLogger(__name__)


class MemoryDown(Exception):
    """The place for conversations does not answer; the text is for the person."""

    def __init__(self) -> None:
        super().__init__(DOWN)


def _trouble() -> tuple[type[Exception], ...]:
    kinds: list[type[Exception]] = [OSError, sqlite3.Error]
    try:
        import psycopg

        kinds.append(psycopg.Error)
    except ImportError:
        pass
    return tuple(kinds)


class SteadySaver(BaseCheckpointSaver[Any]):
    """Wraps a saver so that its failures become a warning (writing) or a clear message (reading)."""

    def __init__(self, saver: Any) -> None:
        """Wrap a saver; its tables are made before the first use, as soon as the database answers."""
        super().__init__(serde=saver.serde)
        self._saver = saver
        self._ready = False
        self._preparing = asyncio.Lock()
        self._trouble = _trouble()
        self._lost: set[str] = set()

    @property
    def config_specs(self) -> list[Any]:
        """What a config may hold."""
        return self._saver.config_specs

    def get_next_version(self, current: Any, channel: None) -> Any:
        """Return the next version of a channel."""
        return self._saver.get_next_version(current, channel)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Read a conversation.

        Raises:
            MemoryDown: If it cannot be read.
        """
        try:
            await self._prepare()
            return await self._saver.aget_tuple(config)
        except self._trouble as error:
            _log.error("a conversation cannot be read (%s)", type(error).__name__)
            raise MemoryDown from error

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """List the states of a conversation."""
        async for item in self._saver.alist(config, filter=filter, before=before, limit=limit):
            yield item

    async def aput(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: Any
    ) -> RunnableConfig:
        """Write a state, or note that it could not be written."""
        try:
            await self._prepare()
            return await self._saver.aput(config, checkpoint, metadata, new_versions)
        except self._trouble as error:
            self._failed(config, error)
            return config

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Write what a step left, or note that it could not be written."""
        try:
            await self._prepare()
            await self._saver.aput_writes(config, writes, task_id, task_path)
        except self._trouble as error:
            self._failed(config, error)

    async def adelete_thread(self, thread_id: str) -> None:
        """Forget a conversation."""
        await self._saver.adelete_thread(thread_id)

    async def latest(self, prefix: str) -> list[tuple[str, str]]:
        """Return each conversation whose name begins so, with the name of its latest state.

        Raises:
            MemoryDown: If they cannot be listed.
        """
        try:
            await self._prepare()
            return await _latest(self._saver, prefix)
        except self._trouble as error:
            _log.error("conversations cannot be listed (%s)", type(error).__name__)
            raise MemoryDown from error

    def take_lost(self, session: str) -> bool:
        """Return whether a write of a conversation failed since this was last asked."""
        lost = session in self._lost
        self._lost.discard(session)
        return lost

    async def _prepare(self) -> None:
        async with self._preparing:
            for tries_left in (2, 1, 0) if not self._ready else ():
                try:
                    await self._saver.setup()
                    self._ready = True
                    break
                except self._trouble:
                    # Two workers that start together may both make the tables; the second finds them a moment later.
                    if not tries_left:
                        raise
                    await asyncio.sleep(0.2)

    def _failed(self, config: RunnableConfig, error: Exception) -> None:
        _log.error("a turn cannot be kept (%s)", type(error).__name__)
        self._lost.add(str(config.get("configurable", {}).get("thread_id", "")))


class ProcessSaver(InMemorySaver):
    """Keeps conversations in this process, and lists them as `SteadySaver` does."""

    async def latest(self, prefix: str) -> list[tuple[str, str]]:
        """Return each conversation whose name begins so, with the name of its latest state."""
        return [
            (name, max(spaces[""]))
            for name, spaces in list(self.storage.items())
            if name.startswith(prefix) and spaces[""]
        ]


async def _latest(saver: Any, prefix: str) -> list[tuple[str, str]]:
    """Ask the database: a saver's own list would read every state whole."""
    mark = "?" if hasattr(saver.conn, "cursor") else "%s"
    query = (
        "SELECT thread_id, MAX(checkpoint_id) FROM checkpoints"
        f" WHERE checkpoint_ns = '' AND substr(thread_id, 1, {len(prefix)}) = {mark} GROUP BY thread_id"
    )
    if mark == "?":
        async with saver.lock, saver.conn.execute(query, (prefix,)) as rows:
            return [(str(name), str(state)) for name, state in await rows.fetchall()]
    async with saver.conn.connection() as connection:
        rows = await (await connection.execute(query, (prefix,))).fetchall()
        return [(str(row["thread_id"]), str(row["max"])) for row in rows]


def check_drivers(settings: Settings) -> None:
    """Refuse a PostgreSQL that this installation cannot talk to, before anything is started.

    Raises:
        ServingRefused: If settings name a database and its driver is not installed.
    """
    if settings.database_url and not all(map(find_spec, _DRIVERS)):
        raise ServingRefused(
            "GPU_ADVISOR_DATABASE_URL is set, but the driver for PostgreSQL is not installed. Install it with"
            ' `pip install --constraint constraints.txt ".[postgres]"`, or unset the variable to keep conversations in'
            " a file of the data folder."
        )


@asynccontextmanager
async def open_memory(settings: Settings) -> AsyncGenerator[BaseCheckpointSaver[Any]]:
    """Open the place where conversations are kept: PostgreSQL if the settings name one, else SQLite."""
    if settings.database_url:
        async with _postgres(settings.database_url.get_secret_value()) as saver:
            yield SteadySaver(saver)
        return
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    path = settings.data_dir / "conversations.sqlite"
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        async with AsyncSqliteSaver.from_conn_string(str(path)) as trial:
            await trial.setup()
    except (OSError, sqlite3.Error) as error:
        _log.error(
            "conversations are kept in this process only: %s cannot be written (%s). Set GPU_ADVISOR_DATA_DIR"
            " to a folder that can.",
            path,
            type(error).__name__,
        )
        yield ProcessSaver()
        return
    async with AsyncSqliteSaver.from_conn_string(str(path)) as saver:
        yield SteadySaver(saver)


@asynccontextmanager
async def _postgres(url: str) -> AsyncGenerator[Any]:
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from psycopg.rows import dict_row
    from psycopg_pool import AsyncConnectionPool

    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # it repeats each try to connect, with the address
    pool: Any = AsyncConnectionPool(
        url,
        min_size=1,
        max_size=8,
        timeout=DATABASE_WAIT_S,
        open=False,
        check=AsyncConnectionPool.check_connection,
        kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row, "connect_timeout": 3},
        reconnect_timeout=5,
    )  # given up early: the next question tries again at once
    await pool.open()
    try:
        yield AsyncPostgresSaver(pool)
    finally:
        await pool.close()
