"""Price against speed: the cards that nothing cheaper beats, and where a recommendation lies among them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from assistant.figures import Language, show
from assistant.web.charts.svg import LEFT, RIGHT, TOP, WIDTH, Canvas, Chart, breadth, scale
from assistant.web.charts.words import say
from tools.api import Json, get_tool

_BOTTOM = 300.0
_LINE = 14
Row = Mapping[str, Json]


def _usd(value: float, language: Language) -> str:
    return show(float(round(value)), "USD", language)


def frontier(result: Mapping[str, Json], language: Language) -> Chart | None:
    """Draw price against speed and the cards that nothing cheaper beats."""
    rows = _by_price(result["rows"])
    if len(rows) < 3:
        return None
    seen = _affordable(rows)
    line = _best(seen)
    return Chart(
        name="frontier",
        title=say("frontier", language),
        text=say("frontier_text", language, names=_joined(line, language)),
        body=_scatter(seen, line, (), language),
        height=_BOTTOM + 26,
        head=tuple(say(key, language) for key in ("card", "price", "speed")),
        rows=tuple(_told(row, language) for row in line),
    )


def picks(result: Mapping[str, Json], language: Language) -> Chart | None:
    """Draw a recommendation among the cards that hold as much."""
    chosen = {str(pick["gpu"]): pick for pick in result["picks"] if pick["price_usd"]}
    if not chosen:
        return None
    least = min(float(pick["memory_gb"]) for pick in chosen.values())
    training = result["use"] in ("train", "finetune")
    ranked = get_tool("rank_by_value").call(
        {
            "use": "training_16bit" if training else "inference_16bit",
            "min_memory_gb": least,
            "prices_usd": {name: float(pick["price_usd"]) for name, pick in chosen.items()},
        }
    )
    rows = _by_price(ranked.to_dict()["rows"])
    marked = [row for name in chosen for row in rows if row["gpu"] == name]
    if not marked or len(rows) < 3:
        return None
    seen = _affordable(rows, marked)
    line = _best(seen)
    return Chart(
        name="picks",
        title=say("picks", language, gb=show(least, "GB", language)),
        text=say("picks_text", language, names=_joined(marked, language), line=_joined(line, language)),
        body=_scatter(seen, line, marked, language),
        height=_BOTTOM + 26,
        head=tuple(say(key, language) for key in ("card", "price", "speed")),
        rows=tuple(_told(row, language) for row in marked),
    )


def _by_price(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: (row["price_usd"], -row["relative"]))


def _best(rows: Sequence[Row]) -> list[Row]:
    """Return the cards that are faster than everything cheaper."""
    best: list[Row] = []
    for row in rows:
        if not best or row["relative"] > best[-1]["relative"]:
            best.append(row)
    return best


def _affordable(rows: Sequence[Row], needed: Sequence[Row] = ()) -> list[Row]:
    """Leave out the dearest: one card at ten times the price would press all others into a corner."""
    dear = max(row["price_usd"] for row in (*rows[: max(3, int(len(rows) * 0.85))], *needed))
    return [row for row in rows if row["price_usd"] <= dear]


def _joined(rows: Sequence[Row], language: Language) -> str:
    return ("、" if language == "zh" else ", ").join(str(row["gpu"]) for row in rows)


def _told(row: Row, language: Language) -> tuple[str, str, str]:
    return str(row["gpu"]), _usd(row["price_usd"], language), show(row["relative"], "x", language)


def _scatter(rows: Sequence[Row], line: Sequence[Row], marked: Sequence[Row], language: Language) -> str:
    canvas = Canvas()
    across = scale(max(row["price_usd"] for row in rows), LEFT + 40, WIDTH - RIGHT - 84)
    up = scale(max(row["relative"] for row in rows), _BOTTOM, TOP + 24)
    for tick in across.ticks(4):
        canvas.line(across.at(tick), TOP + 20, across.at(tick), _BOTTOM, "grid")
        canvas.text(across.at(tick), _BOTTOM + 16, _usd(tick, language), "small", "middle")
    for tick in up.ticks(4):
        canvas.line(across.at(0), up.at(tick), across.end, up.at(tick), "grid")
        canvas.text(across.at(0) - 6, up.at(tick) + 4, f"{tick:g}", "small", "end")
    canvas.text(LEFT, TOP + 8, say("speed", language), "small")
    places = {str(row["gpu"]): (across.at(row["price_usd"]), up.at(row["relative"])) for row in rows}
    canvas.path([places[str(row["gpu"])] for row in line], "frontier")
    ahead, ringed = ({str(row["gpu"]) for row in group} for group in (line, marked))
    for row in rows:
        name = str(row["gpu"])
        kind, radius = ("c", 5) if name in ahead else ("d faint", 4)
        canvas.dot(*places[name], kind, ": ".join((name, ", ".join(_told(row, language)[1:]))), radius)
    for name in ringed:
        canvas.dot(*places[name], "pick", name, 8)
    _names(canvas, [str(row["gpu"]) for row in (*marked, *reversed(line))], places, ringed)
    return canvas.done()


def _names(
    canvas: Canvas, names: Sequence[str], places: Mapping[str, tuple[float, float]], strong: Collection[str]
) -> None:
    """Write names beside their dots, the first ones first; a name that would cover another is left out."""
    taken: list[tuple[float, float, float]] = []
    for name in dict.fromkeys(names):
        x, y = places[name][0] + 11, places[name][1] + _LINE
        x = min(x, WIDTH - RIGHT - breadth(name))
        end = x + breadth(name) + 6
        if y < _BOTTOM - 4 and all(abs(y - other) > _LINE or x > right or end < left for left, right, other in taken):
            canvas.text(x, y, name, "strong" if name in strong else "small")
            taken.append((x, end, y))
