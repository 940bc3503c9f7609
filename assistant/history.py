"""What a person finds again: conversations with their answers, and what they thought of them."""

from __future__ import annotations

import json
import time
import uuid
from dataclasses import dataclass
from pathlib import Path

from assistant.history_store import PostgresStore, SqliteStore, Store
from tools.api import Json, is_array, is_object

LONGEST_TITLE = 80
LONGEST_REASON = 2000
MOST_LISTED = 200


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

    def __init__(self, where: Path | str) -> None:
        """Open it.

        Args:
            where: File of SQLite, or the address of a PostgreSQL, so that every server lists the same.
        """
        self._store: Store = PostgresStore(where) if isinstance(where, str) else SqliteStore(where)

    def close(self) -> None:
        """Give file or connections back."""
        self._store.close()

    def keep(self, owner: str, session: str, number: int, question: str, answer: dict[str, Json]) -> str:
        """Keep a turn; turns from its number on give way to it. Returns the conversation's id."""
        now = time.time()
        said = str(_storable(question))
        with self._store.transaction() as run:
            row = run("SELECT id FROM conversations WHERE owner = ? AND session = ?", owner, session).fetchone()
            name = str(row[0]) if row else uuid.uuid4().hex
            title = " ".join(said.split())[:LONGEST_TITLE]
            run(
                "INSERT INTO conversations VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET changed = excluded.changed",
                *(name, owner, session, title, now),
            )
            run("DELETE FROM turns WHERE conversation = ? AND number >= ?", name, number)
            run("DELETE FROM opinions WHERE conversation = ? AND number >= ?", name, number)
            written = json.dumps(_storable(answer), ensure_ascii=False)
            run("INSERT INTO turns VALUES (?, ?, ?, ?, ?)", name, number, said, written, now)
        return name

    def listed(self, owner: str, search: str = "") -> list[Kept]:
        """Return a person's conversations, newest first; a search looks into titles, questions and answers."""
        wanted = str(_storable(search)).strip()
        like = "%" + wanted.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        fits = f"{self._store.like} ? ESCAPE '\\'"
        with self._store.transaction() as run:
            rows = run(
                f"SELECT id, session, title, changed FROM conversations WHERE owner = ? AND (title {fits} OR EXISTS"
                f" (SELECT 1 FROM turns WHERE conversation = id AND (question {fits} OR {self._store.said} {fits})))"
                " ORDER BY changed DESC LIMIT ?",
                *(owner, like, like, like, MOST_LISTED),
            ).fetchall()
        return [Kept(*row) for row in rows]

    def find(self, owner: str, name: str) -> Kept | None:
        """Return one conversation, if it is this person's."""
        with self._store.transaction() as run:
            row = run(
                "SELECT id, session, title, changed FROM conversations WHERE owner = ? AND id = ?",
                *(owner, str(_storable(name))),
            ).fetchone()
        return Kept(*row) if row else None

    def turns(self, owner: str, name: str) -> list[Past]:
        """Return the turns of a conversation, oldest first."""
        if self.find(owner, name) is None:
            return []
        with self._store.transaction() as run:
            rows = run(
                "SELECT number, question, answer, at FROM turns WHERE conversation = ? ORDER BY number", name
            ).fetchall()
        return [Past(number, question, json.loads(answer), at) for number, question, answer, at in rows]

    def cut(self, owner: str, name: str, number: int) -> None:
        """Forget the turns from a number on."""
        if self.find(owner, name) is not None:
            with self._store.transaction() as run:
                run("DELETE FROM turns WHERE conversation = ? AND number >= ?", name, number)

    def rename(self, owner: str, name: str, title: str) -> bool:
        """Give a conversation another title."""
        shown = " ".join(str(_storable(title)).split())[:LONGEST_TITLE]
        if not shown or self.find(owner, name) is None:
            return False
        with self._store.transaction() as run:
            run("UPDATE conversations SET title = ? WHERE owner = ? AND id = ?", shown, owner, name)
        return True

    def delete(self, owner: str, name: str) -> str | None:
        """Forget a conversation; returns its session, so that the agent's memory can forget it too."""
        kept = self.find(owner, name)
        if kept is not None:
            with self._store.transaction() as run:
                run("DELETE FROM conversations WHERE id = ?", name)
        return kept.session if kept else None

    def judge(self, owner: str, name: str, number: int, *, good: bool, reason: str) -> bool:
        """Keep what a person thought of an answer."""
        if number not in [past.number for past in self.turns(owner, name)]:
            return False
        with self._store.transaction() as run:
            run(
                "INSERT INTO opinions VALUES (?, ?, ?, ?, ?) ON CONFLICT (conversation, number) DO UPDATE SET"
                " good = excluded.good, reason = excluded.reason, at = excluded.at",
                *(name, number, int(good), str(_storable(reason))[:LONGEST_REASON], time.time()),
            )
        return True

    def opinions(self, owner: str, name: str) -> dict[int, tuple[bool, str]]:
        """Return what a person thought, by turn."""
        if self.find(owner, name) is None:
            return {}
        with self._store.transaction() as run:
            rows = run("SELECT number, good, reason FROM opinions WHERE conversation = ?", name).fetchall()
        return {number: (bool(good), reason) for number, good, reason in rows}


def _storable(value: Json) -> Json:
    """Return a value without what a database refuses: NUL (PostgreSQL) and halves of a surrogate pair (both)."""
    if isinstance(value, str):
        return value.replace("\0", "").encode("utf-8", "replace").decode()
    if is_array(value):
        return [_storable(item) for item in value]
    return {str(_storable(key)): _storable(item) for key, item in value.items()} if is_object(value) else value
