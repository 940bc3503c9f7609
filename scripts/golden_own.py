"""Write tests/golden/own.jsonl: our own golden questions, each with a value worked out here by formula.

`python -m scripts.golden_own` writes the file anew. The questions stand by subject in `golden_own_machine.py` (power,
money), `golden_own_model.py` (memory, speed), `golden_own_rest.py`, `golden_own_traps.py` and `golden_own_turns.py`.
"""

from __future__ import annotations

import json
from pathlib import Path

from scripts.golden_own_machine import money, power
from scripts.golden_own_model import memory, speed
from scripts.golden_own_rest import rest
from scripts.golden_own_traps import adversarial
from scripts.golden_own_turns import multi_turn
from scripts.golden_rows import AS_OF

TARGET = Path(__file__).parent.parent / "tests" / "golden" / "own.jsonl"


def main() -> None:
    """Write the file."""
    rows = [*power(), *money(), *memory(), *speed(), *rest(), *multi_turn(), *adversarial()]
    for row in rows:
        row.setdefault("as_of", AS_OF)
    TARGET.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    print(len(rows), "rows")


if __name__ == "__main__":
    main()
