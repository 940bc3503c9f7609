"""Write deploy/requirements.lock: every package with the hash of its file, for Python 3.11 on Linux x86-64.

`python scripts/lock.py`, or with a finished report of pip as argument. torch is left out: which of its builds
is right depends on the machine (`scripts/install_torch.py`).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "deploy" / "requirements.lock"
HEAD = "# Written by `python scripts/lock.py` from constraints.txt; install with pip --no-deps --require-hashes.\n"


def main(arguments: list[str]) -> None:
    """Ask pip what it would install, and write it down."""
    if arguments:
        report = Path(arguments[0]).read_text("utf-8")
    else:
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "report.json"
            subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "pip",
                    "install",
                    "--dry-run",
                    "--ignore-installed",
                    "--quiet",
                    "--report",
                    str(target),
                    "-c",
                    str(ROOT / "constraints.txt"),
                    f"{ROOT}[postgres]",
                ],
                check=True,
            )
            report = target.read_text("utf-8")
    TARGET.write_text(HEAD + "\n".join(sorted(_lines(json.loads(report)))) + "\n", encoding="utf-8")


def _lines(report: dict[str, Any]) -> list[str]:
    found: list[str] = []
    for item in report["install"]:
        name, version = item["metadata"]["name"].lower(), item["metadata"]["version"]
        hashes = item["download_info"].get("archive_info", {}).get("hashes", {})
        if name not in ("torch", "gpu-advisor"):
            found.append(f"{name}=={version} --hash=sha256:{hashes['sha256']}")
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
