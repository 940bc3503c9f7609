"""Where the list of conversations lies: SQLite in the data folder, or the PostgreSQL that several servers share."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

from assistant.memory import DATABASE_WAIT_S

_log = logging.getLogger(__name__)
# Runs one statement of a transaction; values stand where the statement has "?".
Run = Callable[..., Any]
_TABLES = (
    "CREATE TABLE IF NOT EXISTS conversations (id TEXT PRIMARY KEY, owner TEXT NOT NULL, session TEXT NOT NULL,"
    " title TEXT NOT NULL, changed DOUBLE PRECISION NOT NULL)",
    "CREATE INDEX IF NOT EXISTS by_owner ON conversations (owner, changed DESC)",
    "CREATE TABLE IF NOT EXISTS turns (conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,"
    " number INTEGER NOT NULL, question TEXT NOT NULL, answer TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,"
    " PRIMARY KEY (conversation, number))",
    "CREATE TABLE IF NOT EXISTS opinions (conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,"
    " number INTEGER NOT NULL, good INTEGER NOT NULL, reason TEXT NOT NULL, at DOUBLE PRECISION NOT NULL,"
    " PRIMARY KEY (conversation, number))",
)
# Any number will do, as long as every server takes the same one.
_LOCK_OF_TABLES = 786_000_001


class HistoryDown(Exception):
    """The database of the list does not answer."""


class Store(Protocol):
    """What both databases offer.

    Attributes:
        like: Comparison with a pattern that takes capitals and small letters as equal.
        said: The text of an answer inside its JSON.
    """

    like: str
    said: str

    def transaction(self) -> AbstractContextManager[Run]:
        """Give a function that runs statements; all of them hold at the end of the block, or none."""
        ...

    def close(self) -> None:
        """Give the file or the connections back."""
        ...


class SqliteStore:
    """A file of this machine, or this process alone where it cannot be written."""

    like = "LIKE"
    said = "json_extract(answer, '$.answer')"

    def __init__(self, path: Path) -> None:
        """Open the file."""
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = self._open(str(path))
        except (OSError, sqlite3.Error) as error:
            _log.error("the list of conversations is kept in this process only: %s (%s)", path, type(error).__name__)
            self._base = self._open(":memory:")

    @staticmethod
    def _open(where: str) -> sqlite3.Connection:
        base = sqlite3.connect(where, check_same_thread=False, timeout=3)
        base.execute("PRAGMA foreign_keys = ON")
        for table in _TABLES:
            base.execute(table)
        return base

    @contextmanager
    def transaction(self) -> Generator[Run]:
        """See `Store`."""

        def run(statement: str, *values: Any) -> Any:
            return self._base.execute(statement, values)

        with self._lock, self._base:
            yield run

    def close(self) -> None:
        """See `Store`."""
        self._base.close()


class PostgresStore:
    """The database that also keeps the conversations themselves."""

    like = "ILIKE"
    said = "(answer::json ->> 'answer')"

    def __init__(self, url: str) -> None:
        """Connect in the background; a database that is down is noticed by the first transaction."""
        from psycopg_pool import ConnectionPool

        self._pool: Any = ConnectionPool(
            url,
            min_size=1,
            max_size=4,
            timeout=DATABASE_WAIT_S,
            open=True,
            check=ConnectionPool.check_connection,
            kwargs={"connect_timeout": 3},
            reconnect_timeout=5,
        )
        self._ready = False

    @contextmanager
    def transaction(self) -> Generator[Run]:
        """See `Store`.

        Raises:
            HistoryDown: If the database does not answer.
        """
        import psycopg

        try:
            with self._pool.connection() as connection:
                self._prepare(connection)

                def run(statement: str, *values: Any) -> Any:
                    return connection.execute(statement.replace("?", "%s"), values)

                yield run
        except psycopg.OperationalError as error:
            _log.error("the list of conversations does not answer (%s)", type(error).__name__)
            raise HistoryDown from error

    def _prepare(self, connection: Any) -> None:
        """Make the tables once; servers that start together wait for each other."""
        if self._ready:
            return
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK_OF_TABLES])
            for table in _TABLES:
                connection.execute(table)
        connection.commit()
        self._ready = True

    def close(self) -> None:
        """See `Store`."""
        self._pool.close()
