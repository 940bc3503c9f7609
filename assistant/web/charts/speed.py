"""How fast: a value with its range, one row or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.figures import Language, show
from assistant.web.charts.svg import LEFT, RIGHT, TOP, WIDTH, Canvas, Chart, scale
from assistant.web.charts.words import say
from tools.api import Json, unit_of

_NAMES = 128
_RATES = ("tokens_per_s", "samples_per_s", "speedup", "relative_speed")
Row = tuple[str, float, float, float, str]


def _ranges(
    name: str,
    title: str,
    rows: Sequence[Row],
    unit: str,
    language: Language,
    *,
    text: str,
    mark: tuple[float, str] | None = None,
) -> Chart:
    canvas = Canvas()
    axis = scale(max([row[3] for row in rows] + ([mark[0]] if mark else [])), LEFT + _NAMES, WIDTH - RIGHT - 30)
    bottom = TOP + 22.0 + 36 * len(rows)
    for tick in axis.ticks(4):
        canvas.line(axis.at(tick), TOP + 6, axis.at(tick), bottom, "grid")
        canvas.text(
            axis.at(tick),
            bottom + 16,
            show(tick, unit if unit in ("fraction", "x") else "", language),
            "small",
            "middle",
        )
    for index, (label, value, low, high, basis) in enumerate(rows):
        y = TOP + 34.0 + 36 * index
        between = f"{show(low, unit, language)} – {show(high, unit, language)}"
        said = f"{label}: {show(value, unit, language)} ({between}, {basis})"
        canvas.text(LEFT + _NAMES - 10, y + 4, label[:19], "", "end")
        canvas.line(axis.at(low), y, axis.at(high), y, "range")
        canvas.dot(axis.at(value), y, "a", said, 6)
        canvas.text(axis.at(value), y - 10, show(value, unit, language), "small", "middle")
    if mark:
        canvas.line(axis.at(mark[0]), TOP + 6, axis.at(mark[0]), bottom, "mark")
        if mark[1]:
            canvas.text(axis.at(mark[0]) - 4, bottom + 32, mark[1], "small", "end")
    head = tuple(say(key, language) for key in ("card", "value", "low", "high", "basis"))
    table = tuple(
        (label, *(show(figure, unit, language) for figure in (value, low, high)), basis)
        for label, value, low, high, basis in rows
    )
    return Chart(
        name=name,
        title=title,
        text=text,
        body=canvas.done(),
        height=bottom + (42 if mark and mark[1] else 26),
        head=head,
        rows=table,
    )


def _basis(owner: Mapping[str, Json], language: Language) -> str:
    basis = str(owner.get("basis") or "modelled")
    return say(basis, language) if basis in ("measured", "modelled") else basis


def rate(result: Mapping[str, Json], language: Language) -> Chart | None:
    """Draw one rate with its range and its ceiling."""
    name = next((rate for rate in _RATES if rate in result), "")
    value, low, high = (result.get(key) for key in (name, f"low_{name}", f"high_{name}"))
    if not isinstance(value, (int, float)) or not isinstance(low, (int, float)) or not isinstance(high, (int, float)):
        return None
    unit = unit_of(name)
    count = int(result.get("gpu_count") or 1)
    label = f"{count} × {result['gpu']}" if count > 1 else str(result["gpu"])
    ceiling = result.get("ceiling_tokens_per_s")
    mark = (float(ceiling), say("ceiling", language, value=show(ceiling, unit, language))) if ceiling else None
    basis = _basis(result, language)
    text = say(
        "rate_text",
        language,
        value=show(value, unit, language),
        low=show(low, unit, language),
        high=show(high, unit, language),
        basis=basis,
    )
    return _ranges(
        "speed", say("rate", language), [(label, value, low, high, basis)], unit, language, text=text, mark=mark
    )


def share(result: Mapping[str, Json], language: Language) -> Chart | None:
    """Draw what remains of the speed under a power limit."""
    value, low, high = (float(result[key]) for key in ("relative_speed", "low", "high"))
    basis = _basis(result, language)
    text = say(
        "rate_text",
        language,
        value=show(value, "fraction", language),
        low=show(low, "fraction", language),
        high=show(high, "fraction", language),
        basis=basis,
    )
    label = f"{result['gpu']} · {show(result['power_limit_w'], 'W', language)}"
    return _ranges(
        "power-limit",
        say("share", language),
        [(label, value, low, high, basis)],
        "fraction",
        language,
        text=text,
        mark=(1.0, ""),
    )


def relative(result: Mapping[str, Json], language: Language) -> Chart | None:
    """Draw cards next to the reference."""
    rows: list[Row] = [
        (str(row["gpu"]), float(row["relative"]), float(row["low"]), float(row["high"]), _basis(row, language))
        for row in result["rows"][:12]
    ]
    if not rows:
        return None
    best = max(rows, key=lambda row: row[1])
    return _ranges(
        "relative",
        say("relative", language, reference=str(result["reference"])),
        rows,
        "x",
        language,
        text=say("relative_text", language, best=best[0], value=show(best[1], "x", language)),
    )
