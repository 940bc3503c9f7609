"""Colours and system fonts of the page; nothing is fetched from another host."""

from __future__ import annotations

from pathlib import Path

from gradio.themes import Base, Color

# Where page.js, page.css and favicon.svg lie.
ASSETS = Path(__file__).parent

# A calm slate with one green for what is ours.
_GREEN = Color(
    "#eefaf3",
    "#d6f2e1",
    "#aee4c5",
    "#7dd0a4",
    "#45b57e",
    "#1f9a62",
    "#137c4d",
    "#11633f",
    "#104f34",
    "#0d412c",
    "#062519",
)
_SLATE = Color(
    "#f8fafb",
    "#f1f4f6",
    "#e3e8ec",
    "#cdd5db",
    "#98a4ae",
    "#6a7782",
    "#4d5963",
    "#3a444d",
    "#252d34",
    "#171d22",
    "#0e1317",
)
_FONTS = (
    "system-ui",
    "-apple-system",
    "Segoe UI",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "sans-serif",
)
_MONO = (
    "ui-monospace",
    "SFMono-Regular",
    "Consolas",
    "Liberation Mono",
    "PingFang SC",
    "Microsoft YaHei",
    "Noto Sans CJK SC",
    "monospace",
)


def page_theme() -> Base:
    """Return the theme; `str` families would be looked up as files of Gradio, so these are `Font`s."""
    from gradio.themes.utils.fonts import Font

    theme = Base(
        primary_hue=_GREEN,
        neutral_hue=_SLATE,
        font=[Font(name) for name in _FONTS],
        font_mono=[Font(name) for name in _MONO],
    )
    return theme.set(  # pyright: ignore[reportUnknownMemberType]  # Gradio leaves its arguments untyped
        body_background_fill="white",
        body_background_fill_dark="*neutral_950",
        block_background_fill="white",
        block_background_fill_dark="*neutral_900",
        input_background_fill="white",
        input_background_fill_dark="*neutral_900",
        block_border_width="0px",
        input_radius="14px",
        block_radius="14px",
    )
