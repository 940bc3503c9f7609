"""The server as people run it: `python app.py` in a process of its own, on a free port, with its own folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.serving import free_port

ROOT = Path(__file__).parent.parent.parent
START_S = 120


class Server:
    """A running `python app.py`."""

    def __init__(
        self, folder: Path, port: int = 0, *, command: tuple[str, ...] = ("app.py",), **environment: str
    ) -> None:
        self.port = port or free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"server-{self.port}.log"
        folder.mkdir(parents=True, exist_ok=True)
        known = {name: value for name, value in os.environ.items() if not name.startswith("GPU_ADVISOR_")}
        self._environment = {
            **known,
            "GPU_ADVISOR_PORT": str(self.port),
            "GPU_ADVISOR_DATA_DIR": str(folder / "data"),
            **environment,
        }
        self._command = [sys.executable, *command]
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            return subprocess.Popen(self._command, cwd=ROOT, env=self._environment, stdout=log, stderr=log)

    def wait(self) -> Server:
        """Wait until it answers."""
        until = time.monotonic() + START_S
        while time.monotonic() < until:
            assert self.process.poll() is None, self.log.read_text("utf-8")[-2000:]
            try:
                if httpx.get(f"{self.base}/healthz", timeout=2).status_code == 200:
                    return self
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError(f"no answer in {START_S} s: {self.log.read_text('utf-8')[-2000:]}")

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)

    def restart(self) -> None:
        """Start it again on the same port."""
        self.process = self._start()

    def stop(self) -> int:
        """Ask it to end; gives the exit code."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()
            raise


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[Server]:
    """Run a server while the block lasts."""
    server = Server(folder, **environment)
    try:
        yield server.wait()
    finally:
        server.stop()
