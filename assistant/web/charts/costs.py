"""What things cost: ranking, cloud against desktop, years of ownership, plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.figures import Language, show
from assistant.web.charts.svg import LEFT, RIGHT, TOP, WIDTH, Canvas, Chart, scale
from assistant.web.charts.words import say, years
from tools.api import Json

MOST_BARS = 10
_NAMES, _VALUES = 124, 102
Bar = tuple[str, float, float, str]


def _usd(value: float, language: Language) -> str:
    return show(float(round(value)), "USD", language)


def _stacked(bars: Sequence[Bar], language: Language) -> tuple[str, float]:
    """Draw price and electricity of each row, and a value at its end."""
    canvas = Canvas()
    axis = scale(max(price + power for _, price, power, _ in bars), LEFT + _NAMES, WIDTH - RIGHT - _VALUES)
    bottom = TOP + 30.0 + 26 * len(bars)
    canvas.key(TOP + 12, [("a", say("price", language)), ("c", say("electricity", language))])
    for tick in axis.ticks(3):
        canvas.line(axis.at(tick), TOP + 22, axis.at(tick), bottom, "grid")
        canvas.text(axis.at(tick), bottom + 15, _usd(tick, language), "small", "middle")
    for index, (name, price, power, value) in enumerate(bars):
        y = TOP + 28.0 + 26 * index
        canvas.text(LEFT + _NAMES - 8, y + 13, name, "", "end")
        canvas.bar(axis.at(0), y, axis.at(price) - axis.at(0), 17, "a", f"{name}: {_usd(price, language)}")
        canvas.bar(
            axis.at(price), y, axis.at(price + power) - axis.at(price), 17, "c", f"{name}: {_usd(power, language)}"
        )
        canvas.text(axis.at(price + power) + 7, y + 13, value, "small")
    return canvas.done(), bottom + 24


def ranking(result: Mapping[str, Json], language: Language) -> Chart | None:
    """Draw the best rows with the split of their cost."""
    rows = result["rows"][:MOST_BARS]
    if not rows:
        return None
    per = [show(row["relative_per_1000_usd"], "x", language) for row in rows]
    bars = [
        (str(row["gpu"]), float(row["price_usd"]), float(row["electricity_usd"]), f"{value} / $1,000")
        for row, value in zip(rows, per, strict=True)
    ]
    body, height = _stacked(bars, language)
    best = rows[0]
    text = say(
        "ranking_text",
        language,
        best=str(best["gpu"]),
        price=_usd(best["price_usd"], language),
        electricity=_usd(best["electricity_usd"], language),
        value=per[0],
    )
    head = tuple(say(key, language) for key in ("card", "price", "electricity", "total", "per_1000"))
    table = tuple(
        (name, _usd(price, language), _usd(power, language), _usd(price + power, language), value)
        for (name, price, power, _), value in zip(bars, per, strict=True)
    )
    title = say("ranking", language, years=years(float(result.get("years") or 5), language))
    return Chart(name="ranking", title=title, text=text, body=body, height=height, head=head, rows=table)


def break_even(result: Mapping[str, Json], language: Language) -> Chart | None:
    """Draw both running totals and the day they meet."""
    days: float | None = result["break_even_days"]
    start = float(result["desktop_usd"])
    cloud, own = float(result["cloud_usd_per_day"]), float(result["desktop_usd_per_day"])
    last: float = max(float(result["horizon_days"] or 0), min(2 * float(days or 1095), 7300), 30)
    canvas, bottom = Canvas(), 270.0
    across = scale(last, LEFT + 64, WIDTH - RIGHT - 24)
    up = scale(max(cloud * last, start + own * last), bottom, TOP + 30)
    for tick in up.ticks(4):
        canvas.line(across.at(0), up.at(tick), across.end, up.at(tick), "grid")
        canvas.text(across.at(0) - 6, up.at(tick) + 4, _usd(tick, language), "small", "end")
    for tick in across.ticks(4):
        canvas.text(across.at(tick), bottom + 16, show(tick, "days", language), "small", "middle")
    for kind, first, rate in (("sb", 0.0, cloud), ("sa", start, own)):
        canvas.path([(across.at(0), up.at(first)), (across.at(last), up.at(first + rate * last))], kind)
    canvas.key(TOP + 14, [("b", say("cloud", language)), ("a", say("own", language))])
    text = say("never_text", language)
    if days is not None and days <= last:
        meet = start + own * float(days)
        shown = show(float(days), "days", language)
        canvas.line(across.at(days), up.at(meet), across.at(days), bottom, "mark")
        canvas.dot(across.at(days), up.at(meet), "ring", f"{shown}: {_usd(meet, language)}", 6)
        canvas.text(across.at(days) + 10, up.at(meet) + 18, f"{shown} · {_usd(meet, language)}")
        text = say("break_even_text", language, days=shown, usd=_usd(meet, language))
    points: list[float] = sorted({0.0, last / 2, last, *([float(days)] if days is not None and days <= last else [])})
    return Chart(
        name="break-even",
        title=say("break_even", language),
        text=text,
        body=canvas.done(),
        height=bottom + 26,
        head=tuple(say(key, language) for key in ("day", "cloud", "own")),
        rows=tuple(
            (show(float(round(day)), "", language), _usd(cloud * day, language), _usd(start + own * day, language))
            for day in points
        ),
    )


def ownership(result: Mapping[str, Json], language: Language) -> Chart | None:
    """Draw price and electricity of the years."""
    price, power = float(result["price_usd"] or 0), float(result["electricity_usd"])
    total = _usd(price + power, language)
    body, height = _stacked([(say("total", language), price, power, total)], language)
    return Chart(
        name="ownership",
        title=say("ownership", language, years=years(float(result["years"]), language)),
        text=say("ownership_text", language, total=total, electricity=_usd(power, language)),
        body=body,
        height=height,
        head=(say("price", language), say("electricity", language), say("total", language)),
        rows=((_usd(price, language), _usd(power, language), total),),
    )


def plans(result: Mapping[str, Json], language: Language) -> Chart | None:
    """Draw what owning each plan costs."""
    bars: list[Bar] = []
    for plan in result["plans"]:
        cost = plan.get("ownership")
        if cost and cost["price_usd"]:
            name = " + ".join(f"{count} × {card}" for card, count in plan["cards"].items())
            bars.append(
                (name[:24], float(cost["price_usd"]), float(cost["electricity_usd"]), _usd(cost["total_usd"], language))
            )
    if len(bars) < 2:
        return None
    body, height = _stacked(bars, language)
    best = min(bars, key=lambda bar: bar[1] + bar[2])
    return Chart(
        name="plans",
        title=say("plans", language),
        text=say("plans_text", language, best=best[0], total=best[3]),
        body=body,
        height=height,
        head=tuple(say(key, language) for key in ("card", "price", "electricity", "total")),
        rows=tuple((name, _usd(price, language), _usd(power, language), total) for name, price, power, total in bars),
    )
