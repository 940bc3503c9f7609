"""Install the CPU build of the pinned torch, wherever this runs.

The default wheel on Linux is the CUDA build (several GB). If pip's own index offers a CPU build it is taken;
otherwise PyTorch's index of CPU builds is asked.
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CPU_INDEX = "https://download.pytorch.org/whl/cpu"


def main() -> int:
    """Return pip's exit code."""
    constraints = Path(__file__).parent.parent / "constraints.txt"
    pin = re.search(r"^torch==(\S+)", constraints.read_text("utf-8"), re.MULTILINE)
    if pin is None:
        raise SystemExit("constraints.txt must pin torch")
    wanted = f"torch=={pin[1]}"
    index = [] if platform.system() != "Linux" or _is_cpu_build(wanted) else ["--index-url", CPU_INDEX]
    return _pip("install", "--quiet", wanted, *index)


def _is_cpu_build(wanted: str) -> bool:
    """Ask pip what it would take, without downloading it."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        if _pip("install", "--quiet", "--dry-run", "--no-deps", "--ignore-installed", "--report", str(report), wanted):
            return False
        return "cpu" in json.loads(report.read_text("utf-8"))["install"][0]["metadata"]["version"]


def _pip(*arguments: str) -> int:
    return subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments], check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
