"""Draw with SVG: a few shapes whose colours come from chart.css, so both themes, print and export fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path

# Narrow, so that the writing can be read on a phone.
WIDTH = 440
LEFT, RIGHT, TOP = 12, 14, 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """One picture with what it says in words.

    Attributes:
        name: Part of the file name of a download.
        title: Heading.
        text: What a person who cannot see it needs to know.
        body: Shapes.
        height: Height of the drawing. [px]
        head: Head of the table that holds the same figures.
        rows: Its rows.
    """

    name: str
    title: str
    text: str
    body: str
    height: float
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()

    def svg(self, *, theme: str = "", alone: bool = False) -> str:
        """Return the picture; alone it carries its own colours."""
        size = f' width="{WIDTH}" height="{self.height:g}"' if alone else ""
        style = f"<style>{_colours()}</style>" if alone else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="chart {escape(theme)}" role="img"'
            f' viewBox="0 0 {WIDTH} {self.height:g}"{size} aria-label="{escape(f"{self.title}. {self.text}")}">{style}'
            f'<rect class="ground" width="{WIDTH}" height="{self.height:g}"/>'
            f'<text class="title" x="{LEFT}" y="18">{escape(self.title)}</text>{self.body}</svg>'
        )


@cache
def _colours() -> str:
    return (Path(__file__).parent.parent / "chart.css").read_text("utf-8")


@dataclass(slots=True)
class Canvas:
    """Shapes in the order in which they are drawn."""

    parts: list[str] = field(default_factory=list[str])

    def text(self, x: float, y: float, said: str, kind: str = "", anchor: str = "start") -> None:
        """Write a line."""
        self.parts.append(f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(said)}</text>')

    def bar(self, x: float, y: float, width: float, height: float, kind: str, said: str = "") -> None:
        """Draw a bar; what it says shows when a pointer rests on it."""
        self.parts.append(
            f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}"'
            f' height="{height:.1f}" rx="2"><title>{escape(said)}</title></rect>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
        """Draw a line."""
        self.parts.append(f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')

    def path(self, points: Sequence[tuple[float, float]], kind: str) -> None:
        """Draw a line through points."""
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline class="{kind}" points="{way}"/>')

    def dot(self, x: float, y: float, kind: str, said: str = "", radius: float = 5) -> None:
        """Draw a point."""
        self.parts.append(
            f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}"><title>{escape(said)}</title></circle>'
        )

    def key(self, y: float, entries: Sequence[tuple[str, str]]) -> None:
        """Draw what the colours mean."""
        x = float(LEFT)
        for kind, said in entries:
            self.parts.append(f'<rect class="{kind}" x="{x:.1f}" y="{y - 9:.1f}" width="11" height="11" rx="2"/>')
            self.text(x + 16, y, said, "small")
            x += 26 + breadth(said)

    def done(self) -> str:
        """Return the shapes."""
        return "".join(self.parts)


def breadth(text: str) -> float:
    """Return about how wide a small text is drawn, in pixels."""
    return sum(12.2 if ord(sign) > 0x2E7F else 6.4 for sign in text)


@dataclass(frozen=True, slots=True)
class Scale:
    """Values to places along one axis."""

    top: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return the place of a value, in pixels."""
        return self.start + (self.end - self.start) * value / self.top

    def ticks(self, about: int = 5) -> list[float]:
        """Return round values along the axis."""
        step = _step(self.top / about)
        return [index * step for index in range(int(self.top / step + 1e-9) + 1)]


def scale(largest: float, start: float, end: float) -> Scale:
    """Return a scale from zero to a bit more than the largest value."""
    return Scale(max(largest, 1e-9) * 1.06, start, end)


def _step(rough: float) -> float:
    size = 10.0 ** math.floor(math.log10(max(rough, 1e-12)))
    return next((factor * size for factor in (1, 2, 2.5, 5) if factor * size >= rough * 0.999), 10 * size)
