"""axe-core in the browser: what keeps people with a screen reader, a keyboard or weak eyes out."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest

VERSION = "4.11.0"
SEVERE = ("serious", "critical")


@cache
def axe_script() -> str:
    """Return axe-core from npm, or skip the test with the reason."""
    if shutil.which("npm") is None:
        pytest.skip("axe-core comes from npm: apt-get install npm")
    folder = mkdtemp(prefix="axe-")
    got = subprocess.run(
        ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, f"axe-core@{VERSION}"],
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    script = Path(folder) / "node_modules" / "axe-core" / "axe.min.js"
    if got.returncode or not script.exists():
        pytest.skip(f"npm could not install axe-core: {got.stderr[-200:]}")
    text = script.read_text("utf-8")
    shutil.rmtree(folder)
    return text


def violations(page: Any) -> list[str]:
    """Return the serious and critical violations of a page as it stands; the page must bypass its content policy."""
    page.evaluate(axe_script())
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")["violations"]
    return [
        f"{item['id']}: {item['nodes'][0]['target']} ({len(item['nodes'])})"
        for item in found
        if item["impact"] in SEVERE
    ]
