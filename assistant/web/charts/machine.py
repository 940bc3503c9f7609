"""What a machine must carry: watts against supply and outlet, gigabytes against the cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.figures import Language, show
from assistant.web.charts.svg import LEFT, RIGHT, TOP, WIDTH, Canvas, Chart, Scale, scale
from assistant.web.charts.words import say
from tools.api import Json, gpus

_NAMES = 76
Part = tuple[str, float, str]


def _row(
    canvas: Canvas, axis: Scale, y: float, name: str, parts: Sequence[Part], unit: str, language: Language
) -> None:
    canvas.text(LEFT + _NAMES - 8, y + 19, name, "", "end")
    at = 0.0
    for kind, value, said in parts:
        canvas.bar(
            axis.at(at), y, axis.at(at + value) - axis.at(at), 28, kind, f"{said}: {show(value, unit, language)}"
        )
        at += value
    canvas.text(axis.at(at) + 6, y + 19, show(float(round(at, 1)), unit, language))


def _limit(canvas: Canvas, axis: Scale, y: float, value: float, said: str, broken: bool) -> None:
    canvas.line(axis.at(value), y - 6, axis.at(value), y + 34, "limit" if broken else "mark")
    left = axis.at(value) > WIDTH - 130
    canvas.text(
        axis.at(value) + (-4 if left else 4), y + 47, said, "bad" if broken else "small", "end" if left else "start"
    )


def power(result: Mapping[str, Json], language: Language) -> Chart | None:
    """Draw cards and platform against the supply, and the wall against the outlet."""
    cards, platform = float(result["gpu_w"]), float(result["platform_w"])
    system, wall = float(result["system_w"]), float(result["wall_w"])
    psu, outlet, advised = (result[key] for key in ("psu_w", "outlet_limit_w", "recommended_psu_w"))
    canvas = Canvas()
    axis = scale(
        max(wall * 1.06, *(float(limit or 0) for limit in (psu, outlet, advised))), LEFT + _NAMES, WIDTH - RIGHT - 56
    )
    parts: list[Part] = [("a", cards, say("cards", language)), ("b", platform, say("platform", language))]
    losses: Part = ("d", wall - system, say("losses", language))
    canvas.key(TOP + 12, [(kind, said) for kind, _, said in [*parts, losses]])
    _row(canvas, axis, TOP + 34, say("machine", language), parts, "W", language)
    _row(canvas, axis, TOP + 104, say("wall", language), [*parts, losses], "W", language)
    text = say("power_text", language, system=show(system, "W", language), wall=show(wall, "W", language))
    rows = [(said, show(value, "W", language)) for _, value, said in [*parts, losses]]
    if psu is not None:
        _limit(
            canvas, axis, TOP + 34, float(psu), say("psu", language, w=show(psu, "W", language)), system > float(psu)
        )
        text += " " + say("power_limit_text", language, psu=show(psu, "W", language))
        rows.append((say("psu", language, w="").strip(), show(psu, "W", language)))
    elif advised is not None:
        _limit(canvas, axis, TOP + 34, float(advised), say("advised", language, w=show(advised, "W", language)), False)
    if outlet is not None:
        _limit(
            canvas,
            axis,
            TOP + 104,
            float(outlet),
            say("outlet", language, w=show(outlet, "W", language)),
            wall > float(outlet),
        )
        text += " " + say("outlet_text", language, outlet=show(outlet, "W", language))
        rows.append((say("outlet", language, w="").strip(), show(outlet, "W", language)))
    return Chart(
        name="power",
        title=say("power", language),
        text=text,
        body=canvas.done(),
        height=TOP + 166,
        head=(say("part", language), say("value", language)),
        rows=tuple(rows),
    )


def inference_memory(result: Mapping[str, Json], language: Language) -> Chart | None:
    """Draw what lies in each card's memory while it serves a model."""
    share = max(1, int(result["gpu_count"]))
    sizes = (("a", "weights", result["weights_gb"] / share), ("b", "kv_cache", result["kv_cache_gb"] / share))
    return _memory(result, sizes, language)


def training_memory(result: Mapping[str, Json], language: Language) -> Chart | None:
    """Draw what lies in each card's memory while it trains."""
    share = float(result["per_gpu_gb"]) / max(float(result["total_gb"]), 1e-9)
    sizes = tuple(
        (kind, name, float(result[f"{name}_gb"]) * (share if result["gpu_count"] > 1 else 1))
        for kind, name in (("a", "weights"), ("b", "gradients"), ("c", "optimizer"), ("e", "activations"))
    )
    return _memory(result, sizes, language)


def _memory(result: Mapping[str, Json], sizes: Sequence[tuple[str, str, float]], language: Language) -> Chart | None:
    total = float(result["per_gpu_gb"])
    known = sum(value for _, _, value in sizes)
    parts: list[Part] = [(kind, value, say(name, language)) for kind, name, value in sizes if value > 0]
    if total > known:
        parts.append(("d", total - known, say("overhead", language)))
    by_name = {card.name: card.memory_gb for card in gpus()}
    fitting = [(by_name[name], str(name)) for name in result["fitting_gpus"] if name in by_name]
    smallest = min(fitting, default=None)
    canvas = Canvas()
    marks = sorted(
        {gb for gb in (8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 80.0, 141.0, 180.0) if gb <= 2.2 * total}
        | ({smallest[0]} if smallest else set())
    )[-5:]
    axis = scale(max(total * 1.15, *(marks or [0.0])), LEFT + 4, WIDTH - RIGHT - 10)
    canvas.key(TOP + 12, [(kind, said) for kind, _, said in parts])
    at = 0.0
    for kind, value, said in parts:
        canvas.bar(
            axis.at(at), TOP + 36, axis.at(at + value) - axis.at(at), 32, kind, f"{said}: {show(value, 'GB', language)}"
        )
        at += value
    canvas.text(WIDTH - RIGHT, 18, show(total, "GB", language), "title", "end")
    for place, gb in enumerate(marks):
        canvas.line(axis.at(gb), TOP + 28, axis.at(gb), TOP + 76, "limit" if gb < total else "mark")
        canvas.text(
            axis.at(gb),
            TOP + 90 + 14 * (place % 2),
            show(gb, "GB", language),
            "bad" if gb < total else "small",
            "middle",
        )
    joint = "，" if language == "zh" else ", "
    text = say(
        "memory_text",
        language,
        total=show(total, "GB", language),
        parts=joint.join(f"{said} {show(value, 'GB', language)}" for _, value, said in parts),
    )
    text += " " + (
        say("fits_text", language, name=smallest[1], gb=show(smallest[0], "GB", language))
        if smallest
        else say("nothing_fits", language)
    )
    return Chart(
        name="memory",
        title=say("memory", language),
        text=text,
        body=canvas.done(),
        height=TOP + 116,
        head=(say("part", language), say("value", language)),
        rows=tuple((said, show(value, "GB", language)) for _, value, said in parts),
    )
