"""People with passwords and programs with keys, read off the settings; only hashes are kept."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import os
import time
from dataclasses import dataclass

from assistant.security import ServingRefused
from assistant.settings import Settings

# 16 MiB and about 50 ms a try: RFC 7914's interactive parameters.
_N, _R, _P = 2**14, 8, 1
SHORTEST_KEY = 16
SHORTEST_PASSWORD = 8
TICKET_S = 12 * 3600


def hash_password(password: str) -> str:
    """Return a password as it may stand in GPU_ADVISOR_AUTH."""
    salt = os.urandom(16)
    return "$".join(("scrypt", str(_N), str(_R), str(_P), _b64(salt), _b64(_scrypt(password, salt))))


@dataclass(frozen=True, slots=True)
class _Secret:
    salt: bytes
    digest: bytes

    def is_of(self, password: str) -> bool:
        return hmac.compare_digest(_scrypt(password, self.salt), self.digest)


class Accounts:
    """Knows who is who."""

    def __init__(self, settings: Settings) -> None:
        """Read users and keys.

        Raises:
            ServingRefused: If one of them cannot be used; the message never holds a secret.
        """
        auth = settings.auth.get_secret_value() if settings.auth else ""
        keys = settings.api_keys.get_secret_value() if settings.api_keys else ""
        self._users = dict(_user(line) for line in auth.splitlines() if line.strip())
        self._keys = {_digest(key) for key in _keys(keys)}
        self._nobody = _Secret(b"nobody", bytes(32))
        # Equal in every worker of the same settings, and useless for guessing a password quickly.
        self._signing = hashlib.scrypt(auth.encode(), salt=b"gpu-advisor tickets", n=_N, r=_R, p=_P) if auth else b""

    @property
    def required(self) -> bool:
        """Whether callers must say who they are."""
        return bool(self._users or self._keys)

    @property
    def has_users(self) -> bool:
        """Whether there is anybody who could log in."""
        return bool(self._users)

    def with_password(self, user: str, password: str) -> bool:
        """Whether user and password belong together; takes as long for a user who does not exist."""
        known = self._users.get(user)
        return (known or self._nobody).is_of(password) and known is not None

    def with_key(self, key: str) -> str | None:
        """Return the name of a key's holder, or None."""
        digest = _digest(key)
        return f"key-{digest.hex()[:8]}" if digest in self._keys else None

    def ticket(self, user: str) -> str:
        """Return a signed ticket for the cookie of a person who has just logged in."""
        body = f"{_b64(user.encode())}.{int(time.time()) + TICKET_S}"
        return f"{body}.{self._sign(body)}"

    def with_ticket(self, ticket: str) -> str | None:
        """Return the user of a ticket that is ours and not too old, or None."""
        body, _, signature = ticket.rpartition(".")
        if not self._users or not hmac.compare_digest(signature.encode(), self._sign(body).encode()):
            return None
        name, _, until = body.partition(".")
        user = base64.urlsafe_b64decode(name).decode()
        return user if user in self._users and int(until) > time.time() else None

    def _sign(self, body: str) -> str:
        return hmac.new(self._signing, body.encode(), "sha256").hexdigest()


def _user(line: str) -> tuple[str, _Secret]:
    user, colon, secret = line.strip().partition(":")
    if not colon or not user or not secret:
        raise ServingRefused(
            "GPU_ADVISOR_AUTH must be 'user:password' or 'user:scrypt$...', one user a line."
            " `python -m assistant hash-password` makes the second form."
        )
    if not secret.startswith("scrypt$"):
        if len(secret) < SHORTEST_PASSWORD:
            raise ServingRefused(f"The password in GPU_ADVISOR_AUTH must have at least {SHORTEST_PASSWORD} characters.")
        secret = hash_password(secret)
    return user, _read_hash(secret)


def _read_hash(text: str) -> _Secret:
    try:
        _, n, r, p, salt, digest = text.split("$")
        read = _Secret(base64.urlsafe_b64decode(salt), base64.urlsafe_b64decode(digest))
    except (ValueError, binascii.Error) as error:
        raise ServingRefused(
            "The hash in GPU_ADVISOR_AUTH is damaged. In a shell, put it between single quotes: it holds dollar signs."
        ) from error
    if (int(n), int(r), int(p), len(read.digest)) != (_N, _R, _P, 32):
        raise ServingRefused("The hash in GPU_ADVISOR_AUTH is not one of `python -m assistant hash-password`.")
    return read


def _keys(text: str) -> list[str]:
    keys = [key.strip() for key in text.split(",") if key.strip()]
    if any(len(key) < SHORTEST_KEY for key in keys):
        raise ServingRefused(
            f"Each key in GPU_ADVISOR_API_KEYS must have at least {SHORTEST_KEY} characters,"
            " e.g. from `openssl rand -hex 24`."
        )
    return keys


def _scrypt(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=_N, r=_R, p=_P, dklen=32)


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode()).digest()


def _b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode()
