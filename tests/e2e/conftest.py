"""One server and, for each file, one browser for the tests of the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.browser import chromium, serving


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium; ended with the file, because its loop would be in the way of asynchronous tests."""
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The page as people run it; each test is a browser of its own with a history of its own."""
    with serving(tmp_path_factory.mktemp("data")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def closed_windows(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close what a test opened, so that forty pages do not keep the machine busy."""
    yield
    if "browser" in request.fixturenames:
        for context in request.getfixturevalue("browser").contexts:
            context.close()
