"""Shared fixtures, no network beyond loopback, and no silent skip where `GPU_ADVISOR_NO_SKIP` is set."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

SHARED = Path(__file__).parent.parent.parent / "shared"
_skipped: list[str] = []

# The same examples in every run, so that a landing depends on the change alone; make test-long draws new ones.
settings.register_profile("repeatable", derandomize=True)
if not os.environ.get("GPU_ADVISOR_WHOLE"):
    settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep every test out of the person's data folder."""
    folder = tmp_path / "data"
    monkeypatch.setenv("GPU_ADVISOR_DATA_DIR", str(folder))
    return folder


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Refuse every connection that leaves this machine."""
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        host = address[0] if isinstance(address, tuple) else "unix"
        if host not in ("127.0.0.1", "::1", "localhost", "unix"):
            raise OSError(f"tests talk to loopback only, not to {host}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder beside the project with articles, questions and measurements."""
    if not SHARED.is_dir():
        pytest.skip("needs the folder 'shared' beside the project")
    return SHARED


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped:
        _skipped.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if _skipped and os.environ.get("GPU_ADVISOR_NO_SKIP"):
        print("\nskipped, which counts as a failure here:", *_skipped, sep="\n  ")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
