"""Draw predicted against measured, as an SVG without any library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from scripts._leave_out import Prediction

PANELS = (
    ("decode, NVIDIA and Apple", "Decode, tokens/s"),
    ("prefill, NVIDIA and Apple", "Prefill, tokens/s"),
    ("training", "Training, RTX A6000 = 1"),
)
SIDE, MARGIN, TOP = 300, 54, 40
_COLOURS = {"NVIDIA": "#2e7d32", "Apple": "#1565c0"}
_STYLE = "<style>text{font:12px system-ui,sans-serif;fill:#333}.t{font-weight:600;font-size:13px}</style>"


def write_plot(path: Path, lines: Mapping[str, Sequence[Prediction]]) -> None:
    """Write three panels: decode, prefill, training relative to an RTX A6000; 15 % on either side is shaded."""
    width = len(PANELS) * (SIDE + MARGIN) + 20
    body = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {SIDE + TOP + 60}" role="img"'
        ' aria-label="Predicted against measured rates, one card left out at a time">',
        _STYLE,
        f'<rect width="{width}" height="{SIDE + TOP + 60}" fill="white"/>',
    ]
    for at, (name, title) in enumerate(PANELS):
        body.append(_panel(at * (SIDE + MARGIN) + MARGIN, title, _points(name, lines)))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*body, "</svg>\n"]), "utf-8")


def _points(name: str, lines: Mapping[str, Sequence[Prediction]]) -> list[tuple[float, float, str, str]]:
    if name != "training":
        return [
            (
                each.row.seen.value,
                each.row.seen.value * (1 + each.error),
                each.row.card,
                _COLOURS.get(each.row.seen.gpu.vendor, "#555"),
            )
            for each in lines[name]
        ]
    found: list[tuple[float, float, str, str]] = []
    for line, predictions in lines.items():
        if line.startswith("training") and "fp32" not in line:
            base = {each.row.seen.software: each.row.seen.value for each in predictions if each.row.card == "RTX A6000"}
            for each in predictions:
                unit = base.get(each.row.seen.software, base["v0"])
                found.append(
                    (
                        each.row.seen.value / unit,
                        each.row.seen.value / unit * (1 + each.error),
                        f"{each.row.card}, {line}",
                        _COLOURS["NVIDIA"],
                    )
                )
    return found


def _panel(left: float, title: str, points: Sequence[tuple[float, float, str, str]]) -> str:
    values = [value for point in points for value in point[:2]]
    low, high = math.log10(min(values)) - 0.05, math.log10(max(values)) + 0.05

    def x(value: float) -> float:
        return left + (math.log10(value) - low) / (high - low) * SIDE

    def y(value: float) -> float:
        return TOP + SIDE - (math.log10(value) - low) / (high - low) * SIDE

    first, last = 10**low, 10**high
    corners = (
        (first, first),
        (first, first * 1.15),
        (last / 1.15, last),
        (last, last),
        (last, last / 1.15),
        (first * 1.15, first),
    )
    band = " ".join(f"{x(across):.1f},{y(up):.1f}" for across, up in corners)
    drawn = [
        f'<text class="t" x="{left}" y="{TOP - 14}">{title}</text>',
        f'<rect x="{left}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#bbb"/>',
        f'<polygon points="{band}" fill="#eee"/>',
        f'<line x1="{x(first)}" y1="{y(first)}" x2="{x(last):.1f}" y2="{y(last):.1f}" stroke="#888"/>',
    ]
    for tick in _ticks(low, high):
        drawn += [
            f'<text x="{x(tick):.1f}" y="{TOP + SIDE + 16}" text-anchor="middle">{tick:g}</text>',
            f'<text x="{left - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>',
        ]
    drawn += [
        f'<circle cx="{x(seen):.1f}" cy="{y(told):.1f}" r="3" fill="{colour}" fill-opacity="0.65">'
        f"<title>{card}: measured {seen:.4g}, predicted {told:.4g}</title></circle>"
        for seen, told, card, colour in points
    ]
    drawn.append(
        f'<text x="{left + SIDE / 2}" y="{TOP + SIDE + 38}" text-anchor="middle">measured (left: predicted)</text>'
    )
    return "\n".join(drawn)


def _ticks(low: float, high: float) -> list[float]:
    return [
        value for power in range(-2, 7) for step in (1, 3) if low <= math.log10(value := step * 10.0**power) <= high
    ]
