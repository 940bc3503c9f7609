"""The start leaves out what nobody needs, and puts back what it changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import app

ROOT = Path(__file__).parent.parent
# Gradio cuts each component's class out of its source before it writes the stub.
COUNTED = """
import ast, gc, inspect, sys
real, getfile, cut = ast.get_source_segment, inspect.getfile, []
ast.get_source_segment = lambda *given, **named: cut.append(1) or real(*given, **named)
import {module}
print(len(cut), gc.isenabled(), gc.get_freeze_count() > 10_000, inspect.getfile is getfile)
"""


@pytest.mark.parametrize(("module", "cut"), [("app", "0"), ("gradio", "many")])
def test_stubs_are_left_alone_and_the_collector_works_again(module: str, cut: str) -> None:
    code = COUNTED.format(module=module)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    said = done.stdout.split()
    if cut == "many":  # otherwise Gradio no longer does it, and `assistant.starting` can go
        assert int(said[0]) > 10
    else:
        assert said == ["0", "True", "True", "True"]


def test_a_database_without_its_driver_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GPU_ADVISOR_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("GPU_ADVISOR_DATABASE_URL", "postgresql://ada:s3cret@127.0.0.1:9/none")
    monkeypatch.setattr("assistant.memory.find_spec", lambda _: None)
    with pytest.raises(SystemExit, match="2"):
        app.main()
    said = capsys.readouterr().err
    assert "driver for PostgreSQL is not installed" in said and '".[postgres]"' in said
    assert "s3cret" not in said and "Traceback" not in said
