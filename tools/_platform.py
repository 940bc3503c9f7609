"""What a machine takes beside its cards: processor, board, drives and fans."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from tools._errors import ToolInputError, count, short
from tools._result import Source, Text
from tools._tables import read_csv
from tools._terms import read_watts
from tools._units import figure

# The guide leaves this much of a 1600 W supply for CPU and board beside four RTX 3090s.
PLATFORM_W = 200.0
# Upgrading and Repairing PCs, table 18.26: board 50 to 75 W, memory 5 to 15 W a module, drive 15 to 30 W, fan 3 to 5 W.
BOARD_W = 80.0
DRIVE_W = 15.0
FAN_W = 4.0
# The guide, section 9.14: 100 W for the processor of a desktop that trains.
USUAL_CPU_W = 100.0
USUAL_DRIVES = 2
USUAL_FANS = 3
# Intel 336521, 12V2 current x 11.2 V: what a supply should keep for a processor of this base power. [W: W]
CPU_BUDGET_W = {35.0: 123.0, 65.0: 258.0, 125.0: 291.0, 165.0: 420.0}

PARTS = Source(
    "Scott Mueller, Upgrading and Repairing PCs, table 18.26",
    "http://my.safaribooksonline.com/book/hardware-and-gadgets/9780132682152/power-supplies/ch18lev1sec8",
    "2011-01-01",
)
BUDGET = Source(
    "Intel 336521, ATX12V power supply design guide, 12V2 current",
    "https://edc.intel.com/content/www/us/en/design/ipla/software-development-platforms/client/platforms/"
    "alder-lake-desktop/atx-version-3-0-multi-rail-desktop-platform-power-supply-design-guide/2.1a/",
    "2023-02-01",
)
PLATFORM_HINT = Text("A desktop without cards takes 100 to 400 W.", "不含显卡的台式机约 100 到 400 W。")
CPU_HINT = Text("Give the processor's watts, e.g. 125.", "请给出处理器功率（瓦），例如 125。")
DRIVES_HINT = Text("Give the number of drives, e.g. 2.", "请给出硬盘数量，例如 2。")
FANS_HINT = Text("Give the number of case fans, e.g. 3.", "请给出机箱风扇数量，例如 3。")


@dataclass(frozen=True, slots=True)
class Platform:
    """Watts beside the cards and how they came about."""

    watts: float
    cpu_budget_w: float | None = None
    steps: tuple[str, ...] = ()
    notes: tuple[Text, ...] = ()
    sources: tuple[Source, ...] = ()


def read_platform(platform_w: object, cpu: object, cpu_w: object, drives: object, fans: object) -> Platform:
    """Return what stands beside the cards: the watts given, or the sum of the parts given."""
    watts = read_watts("platform_w", platform_w, high=3000, hint=PLATFORM_HINT, may_be_zero=True)
    if cpu is None and cpu_w is None and drives is None and fans is None:
        return Platform(watts, notes=_usual(watts))
    if watts != PLATFORM_W:
        raise ToolInputError(
            "Give either `platform_w` or its parts (`cpu` or `cpu_w`, `drives`, `fans`), not both.",
            "`platform_w` 和它的组成部分（`cpu` 或 `cpu_w`、`drives`、`fans`）只能给一种。",
        )
    processor = _processor(cpu, cpu_w)
    stores = USUAL_DRIVES if drives is None else count("drives", drives, low=0, high=64, hint=DRIVES_HINT)
    blowers = USUAL_FANS if fans is None else count("fans", fans, low=0, high=64, hint=FANS_HINT)
    total = processor.watts + BOARD_W + stores * DRIVE_W + blowers * FAN_W
    step = (
        f"platform_w = {figure(processor.watts)} W (CPU) + {figure(BOARD_W)} W (board, memory)"
        f" + {stores} x {figure(DRIVE_W)} W + {blowers} x {figure(FAN_W)} W = {figure(total)} W"
    )
    return Platform(total, processor.cpu_budget_w, (step,), processor.notes, (*processor.sources, PARTS))


def _usual(watts: float) -> tuple[Text, ...]:
    if watts != PLATFORM_W:
        return ()
    return (
        Text(
            f"CPU, board, drives and fans take {PLATFORM_W:.0f} W.", f"CPU、主板、硬盘和风扇按 {PLATFORM_W:.0f} W 计。"
        ),
    )


def _processor(cpu: object, cpu_w: object) -> Platform:
    if cpu is not None and cpu_w is not None:
        raise ToolInputError(
            "Give either `cpu` (e.g. 'i9-14900K') or `cpu_w` (e.g. 125).",
            "`cpu`（例如 'i9-14900K'）和 `cpu_w`（例如 125）只能给一个。",
        )
    if cpu_w is not None:
        return Platform(read_watts("cpu_w", cpu_w, high=1500, hint=CPU_HINT))
    if cpu is None:
        note = Text(f"The processor takes {USUAL_CPU_W:.0f} W.", f"处理器按 {USUAL_CPU_W:.0f} W 计。")
        return Platform(USUAL_CPU_W, notes=(note,))
    row = find_cpu(cpu)
    base, turbo = float(row["base_w"]), float(row["turbo_w"])
    classes = CPU_BUDGET_W.items() if row["maker"] == "Intel" else ()
    budget = next((watts for base_w, watts in classes if base <= base_w), None)
    doubt = ("", "") if row["verified"] == "yes" else (" (unverified figure)", "（未核实）")
    note = Text(
        f"{row['name']} at its highest turbo power, {figure(turbo)} W{doubt[0]}; it is seldom that busy in training.",
        f"{row['name']} 按最高睿频功率 {figure(turbo)} W{doubt[1]}计；深度学习中 CPU 很少这么忙。",
    )
    source = Source(f"{row['name']}: {row['source']}", row["url"], row["as_of"])
    return Platform(turbo, budget, (), (note,), (source,) if budget is None else (source, BUDGET))


@cache
def _processors() -> dict[str, Mapping[str, str]]:
    return {_model_number(row["name"]): row for row in read_csv("cpus.csv")}


def _model_number(name: str) -> str:
    """Return the word that tells a processor: the longest with three digits and more."""
    words: list[str] = re.findall(r"\d{3,5}[a-z0-9]*", name.lower())
    return max(words, key=len, default="")


def find_cpu(name: object) -> Mapping[str, str]:
    """Return the row of a processor as people name it.

    Raises:
        ToolInputError: If it is not in the table; the way out is its watts.
    """
    asked = name.strip() if isinstance(name, str) else ""
    known, key = _processors(), _model_number(asked[:80])
    # A model without graphics ("KF") draws what the one with graphics draws.
    row = known.get(key) or known.get(key.removesuffix("f"))
    other = {"Intel": r"amd|ryzen|threadripper|epyc", "AMD": r"intel|core|xeon|\bi[3579]\b"}
    if row is not None and not re.search(other[row["maker"]], asked.lower()):
        return row
    near = get_close_matches(key, known, n=1) if key else []
    guess = f" Did you mean '{known[near[0]]['name']}'?" if near else ""
    rat = f"是不是“{known[near[0]]['name']}”？" if near else ""
    raise ToolInputError(
        f"`cpu` {short(name)} is not in the table of processors.{guess} Or give `cpu_w`, e.g. 125.",
        f"处理器表里没有 {short(name)}（`cpu`）。{rat}也可以给出 `cpu_w`，例如 125。",
    )
