"""What a person finds again: conversations with their answers, and what they thought of them."""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.api import Json

_log = logging.getLogger(__name__)
LONGEST_TITLE = 80
LONGEST_REASON = 2000
MOST_LISTED = 200
_TABLES = """
CREATE TABLE IF NOT EXISTS conversations (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, session TEXT NOT NULL, title TEXT NOT NULL, changed REAL NOT NULL);
CREATE INDEX IF NOT EXISTS by_owner ON conversations (owner, changed DESC);
CREATE TABLE IF NOT EXISTS turns (
    conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE, number INTEGER NOT NULL,
    question TEXT NOT NULL, answer TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (conversation, number));
CREATE TABLE IF NOT EXISTS opinions (
    conversation TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE, number INTEGER NOT NULL,
    good INTEGER NOT NULL, reason TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (conversation, number));
"""


@dataclass(frozen=True, slots=True)
class Kept:
    """One conversation of a person.

    Attributes:
        id: Name under which the page asks for it.
        session: Name under which the agent's memory files it; never leaves the server.
        title: Its first question, or what the person called it.
        changed: When the latest answer came. [s since 1970]
    """

    id: str
    session: str
    title: str
    changed: float


@dataclass(frozen=True, slots=True)
class Past:
    """One turn: a question and its answer as JSON, results included."""

    number: int
    question: str
    answer: dict[str, Json]
    at: float


class History:
    """Conversations by owner; nobody sees those of another."""

    def __init__(self, path: Path) -> None:
        """Open the file, or keep everything in this process when it cannot be written."""
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
        base.executescript("PRAGMA foreign_keys = ON;" + _TABLES)
        return base

    @contextmanager
    def _change(self) -> Generator[sqlite3.Connection]:
        with self._lock, self._base:
            yield self._base

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def keep(self, owner: str, session: str, number: int, question: str, answer: dict[str, Json]) -> str:
        """Keep a turn; turns from its number on give way to it. Returns the conversation's id."""
        now = time.time()
        with self._change() as base:
            row = base.execute(
                "SELECT id FROM conversations WHERE owner = ? AND session = ?", (owner, session)
            ).fetchone()
            name = str(row[0]) if row else uuid.uuid4().hex
            title = " ".join(question.split())[:LONGEST_TITLE]
            base.execute(
                "INSERT INTO conversations VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET changed = ?",
                (name, owner, session, title, now, now),
            )
            base.execute("DELETE FROM turns WHERE conversation = ? AND number >= ?", (name, number))
            base.execute("DELETE FROM opinions WHERE conversation = ? AND number >= ?", (name, number))
            base.execute(
                "INSERT INTO turns VALUES (?, ?, ?, ?, ?)",
                (name, number, question, json.dumps(answer, ensure_ascii=False), now),
            )
        return name

    def listed(self, owner: str, search: str = "") -> list[Kept]:
        """Return a person's conversations, newest first; a search looks into titles, questions and answers."""
        like = "%" + search.strip().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        with self._lock:
            rows = self._base.execute(
                "SELECT id, session, title, changed FROM conversations WHERE owner = ? AND (title LIKE ? ESCAPE '\\' OR"
                " EXISTS (SELECT 1 FROM turns WHERE conversation = id AND (question LIKE ? ESCAPE '\\' OR"
                " json_extract(answer, '$.answer') LIKE ? ESCAPE '\\'))) ORDER BY changed DESC LIMIT ?",
                (owner, like, like, like, MOST_LISTED),
            ).fetchall()
        return [Kept(*row) for row in rows]

    def find(self, owner: str, name: str) -> Kept | None:
        """Return one conversation, if it is this person's."""
        with self._lock:
            row = self._base.execute(
                "SELECT id, session, title, changed FROM conversations WHERE owner = ? AND id = ?", (owner, name)
            ).fetchone()
        return Kept(*row) if row else None

    def turns(self, owner: str, name: str) -> list[Past]:
        """Return the turns of a conversation, oldest first."""
        if self.find(owner, name) is None:
            return []
        with self._lock:
            rows = self._base.execute(
                "SELECT number, question, answer, at FROM turns WHERE conversation = ? ORDER BY number", (name,)
            ).fetchall()
        return [Past(number, question, json.loads(answer), at) for number, question, answer, at in rows]

    def cut(self, owner: str, name: str, number: int) -> None:
        """Forget the turns from a number on."""
        if self.find(owner, name) is not None:
            with self._change() as base:
                base.execute("DELETE FROM turns WHERE conversation = ? AND number >= ?", (name, number))

    def rename(self, owner: str, name: str, title: str) -> bool:
        """Give a conversation another title."""
        shown = " ".join(title.split())[:LONGEST_TITLE]
        with self._change() as base:
            return (
                bool(shown)
                and base.execute(
                    "UPDATE conversations SET title = ? WHERE owner = ? AND id = ?", (shown, owner, name)
                ).rowcount
                > 0
            )

    def delete(self, owner: str, name: str) -> str | None:
        """Forget a conversation; returns its session, so that the agent's memory can forget it too."""
        kept = self.find(owner, name)
        if kept is not None:
            with self._change() as base:
                base.execute("DELETE FROM conversations WHERE id = ?", (name,))
        return kept.session if kept else None

    def judge(self, owner: str, name: str, number: int, *, good: bool, reason: str) -> bool:
        """Keep what a person thought of an answer."""
        if number not in [past.number for past in self.turns(owner, name)]:
            return False
        with self._change() as base:
            base.execute(
                "INSERT OR REPLACE INTO opinions VALUES (?, ?, ?, ?, ?)",
                (name, number, good, reason[:LONGEST_REASON], time.time()),
            )
        return True

    def opinions(self, owner: str, name: str) -> dict[int, tuple[bool, str]]:
        """Return what a person thought, by turn."""
        if self.find(owner, name) is None:
            return {}
        with self._lock:
            rows = self._base.execute(
                "SELECT number, good, reason FROM opinions WHERE conversation = ?", (name,)
            ).fetchall()
        return {number: (bool(good), reason) for number, good, reason in rows}
