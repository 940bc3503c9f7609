"""PostgreSQL, Chroma and nginx for tests: free ports of this machine, folders that go away."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.server import ROOT
from tests.serving import free_port


class Postgres:
    """A PostgreSQL of our own."""

    def __init__(self, folder: Path) -> None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        if not found:
            pytest.skip("needs Debian's postgresql")
        self._programs = found[-1].parent
        self._folder = folder
        self.port = free_port()
        self.url = f"postgresql://postgres:s3cr3t-db@127.0.0.1:{self.port}/postgres"
        # The server refuses to run as root.
        self._user = "postgres" if os.geteuid() == 0 else None
        folder.mkdir(mode=0o700)
        if self._user:
            shutil.chown(folder, self._user, self._user)
        self._process: subprocess.Popen[bytes] | None = None
        subprocess.run(
            [str(self._programs / "initdb"), "-D", str(folder), "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8"],
            check=True,
            capture_output=True,
            user=self._user,
            cwd="/",
        )

    def start(self) -> None:
        """Start and wait until it takes connections."""
        options = ["-p", str(self.port), "-k", "", "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(self._programs / "postgres"), "-D", str(self._folder), *options],
                cwd="/",
                stdout=log,
                stderr=log,
                user=self._user,
            )
        until = time.monotonic() + 30
        ready = [str(self._programs / "pg_isready"), "-h", "127.0.0.1", "-p", str(self.port), "-q"]
        while subprocess.run(ready, check=False).returncode:
            assert time.monotonic() < until and self._process.poll() is None, (self._folder / "log").read_text()[-1000:]
            time.sleep(0.1)

    def stop(self) -> None:
        """End it at once, with all its connections."""
        if self._process and self._process.poll() is None:
            self._process.send_signal(2)  # SIGINT: PostgreSQL's fast shutdown
            self._process.wait(30)


@contextmanager
def postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL while the block lasts; in a folder its own user can reach."""
    folder = Path(tempfile.mkdtemp(prefix="gpu-advisor-pg-", dir="/tmp"))
    folder.chmod(0o755)
    server = Postgres(folder / "data")
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


class Chroma:
    """A Chroma server of our own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start and wait until it takes connections."""
        program = str(Path(sys.executable).with_name("chroma"))
        self._process = subprocess.Popen(
            [program, "run", "--path", str(self._folder), "--host", "127.0.0.1", "--port", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until = time.monotonic() + 60
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            assert time.monotonic() < until and self._process.poll() is None, "chroma does not start"
            time.sleep(0.1)

    def stop(self) -> None:
        """End it."""
        if self._process and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(30)


@contextmanager
def chroma(folder: Path) -> Iterator[Chroma]:
    """Run a Chroma server while the block lasts."""
    server = Chroma(folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextmanager
def nginx(folder: Path, workers: Sequence[int]) -> Iterator[str]:
    """Run nginx with deploy/nginx.conf before two workers; gives its address."""
    program = shutil.which("nginx") or "/usr/sbin/nginx"
    if not Path(program).exists():
        pytest.skip("needs Debian's nginx")
    port = free_port()
    site = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    for ours, shipped in ((port, 7860), (workers[0], 7861), (workers[1], 7862)):
        site = re.sub(rf"127\.0\.0\.1:{shipped}\b", f"127.0.0.1:{ours}", site)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    config = folder / "nginx.conf"
    config.write_text(
        f"{user}pid {folder}/nginx.pid;\nerror_log {folder}/nginx-error.log;\nworker_processes 1;\n"
        f"events {{ worker_connections 512; }}\nhttp {{\naccess_log off;\n{temporary}{site}\n}}\n"
    )
    process = subprocess.Popen(
        [program, "-c", str(config), "-p", str(folder), "-g", "daemon off;"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + 10
        while not (folder / "nginx.pid").exists():
            assert time.monotonic() < until and process.poll() is None, (folder / "nginx-error.log").read_text()[-1000:]
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(10)
