"""Pin what agents read about the tools: `python scripts/pin_descriptions.py` after a wanted change of a description."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from assistant.serving.catalogue import catalogue

PINS = Path(__file__).parent.parent / "tests" / "golden" / "descriptions.json"


def pins() -> dict[str, str]:
    """Return the hash of name, title, description and arguments of everything that can be called."""
    return {
        entry.name: _hash([entry.name, entry.title, entry.description, entry.parameters])
        for entry in catalogue(lambda _query, _k: []).values()
    }


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=False, sort_keys=True).encode()).hexdigest()[:16]


if __name__ == "__main__":
    PINS.write_text(json.dumps(pins(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
