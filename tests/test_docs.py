from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

from assistant.settings import Settings
from scripts import lock
from scripts.nomenclature import TARGET, nomenclature

ROOT = Path(__file__).parent.parent


def test_the_nomenclature_says_what_the_code_has() -> None:
    assert TARGET.read_text("utf-8") == nomenclature(), "run: python scripts/nomenclature.py"


def _pinned(path: Path) -> dict[str, str]:
    pairs = (line.split()[0].split("==") for line in path.read_text("utf-8").splitlines() if "==" in line)
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in pairs}


def test_the_lock_says_what_the_constraints_say() -> None:
    """Run `python scripts/lock.py` after a change of pyproject.toml or constraints.txt."""
    locked, constrained = _pinned(lock.TARGET), _pinned(ROOT / "constraints.txt")
    assert locked.pop("setuptools", None), "torch needs it, and pip does not list it among what is installed"
    assert locked == {name: constrained.get(name) for name in locked}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["postgres"]]
    names = {re.sub(r"[-_.]+", "-", re.split(r"[\[<>=]", line)[0]).lower() for line in wanted}
    assert names - set(locked) == {"torch"}, "torch is installed by scripts/install_torch.py"


def test_the_lock_has_a_hash_on_every_line_and_no_address() -> None:
    lines = lock.TARGET.read_text("utf-8").splitlines()[1:]
    assert all(re.fullmatch(r"[\w.-]+==[\w.!+-]+ --hash=sha256:[0-9a-f]{64}", line) for line in lines)


def test_each_variable_that_is_explained_is_a_setting() -> None:
    for name in ("deploy.md", "agents.md"):
        text = (ROOT / "docs" / name).read_text("utf-8")
        named = set(re.findall(r"GPU_ADVISOR_([A-Z_]+)", text)) | set(re.findall(r", _([A-Z_]+)", text))
        fields = {field.upper() for field in Settings.model_fields}
        ends = {field for field in named if not any(known == field or known.endswith(f"_{field}") for known in fields)}
        assert not ends, (name, ends)


def test_both_languages_explain_with_the_same_figures() -> None:
    english, chinese = (
        [
            Counter(re.findall(r"\d+(?:\.\d+)?", part))
            for part in (ROOT / "docs" / name).read_text("utf-8").split("\n## ")
        ]
        for name in ("how-it-computes.md", "how-it-computes.zh.md")
    )
    assert len(english) > 5 and english == chinese
