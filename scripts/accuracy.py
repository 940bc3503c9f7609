"""Print how far the speed models are off for cards they never saw, beside what others would say on the same rows.

`make accuracy`. One card at a time, with every alias, is left out of the fit and predicted from its data sheet; the
table of measured facts is not consulted. Writes the plot of docs/how-it-computes.md.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts._baselines import ratios, rivals
from scripts._extras import limited, limits_left_out, scaling_group
from scripts._fitting import Row, fit
from scripts._leave_out import Prediction, half_width, left_out, split
from scripts._models import Group, language_groups, newer, prefill_row, training_groups
from scripts._observations import Seen, language, training
from scripts._plot import write_plot
from tools._timing import timing

ROOT = Path(__file__).parent.parent
TARGETS = {
    "decode, NVIDIA and Apple": 6.0,
    "decode, Ampere and newer": 4.0,
    "prefill, NVIDIA and Apple": 8.0,
    "training, resnet50": 5.0,
    "training, ssd300": 5.0,
    "training, gnmt": 6.5,
    "training, bert_large": 8.0,
    "training, tacotron2": 10.5,
    "training, transformer_xl": 10.5,
}
SCALING_TARGETS = {
    "resnet50": 5.0,
    "ssd300": 5.0,
    "transformer_xl": 5.0,
    "bert_large": 12.0,
    "gnmt": 12.0,
    "tacotron2": 12.0,
}


@dataclass(frozen=True, slots=True)
class Line:
    """One metric: predictions and the width that cards other than the one at hand suggest."""

    name: str
    predictions: list[Prediction]
    widths: list[float]


def main() -> None:
    """Print the tables and write the plot."""
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder", nargs="?", default=str(ROOT.parent / "shared" / "data" / "measured"))
    arguments.add_argument("--rivals", default="", help="python that has servcalc and ridgepoint")
    given = arguments.parse_args()
    folder = Path(given.folder)
    spoken, trained = language(folder), training(folder)
    lines = language_lines(language_groups(spoken)) + training_lines(training_groups(trained))
    print(
        f"{'one card left out at a time':32} {'n':>3} {'ours':>12} {'aim':>5} {'bandwidth':>13} {'tensor rate':>14}"
        f" {'range holds':>11} {'half width':>10}   (mean / median error in %)"
    )
    for line in lines:
        _print(line)
    _print_coverage(lines)
    _print_stricter(language_groups(spoken) + training_groups(trained))
    _print_apart(language_groups(spoken), spoken)
    _print_rivals(lines, given.rivals)
    _print_scaling(scaling_group(trained))
    _print_limits(folder)
    write_plot(ROOT / "docs" / "images" / "accuracy.svg", {line.name: line.predictions for line in lines})


def language_lines(groups: Sequence[Group]) -> list[Line]:
    """Return the lines of decode and prefill; AMD and Intel apart."""
    by_name = {group.name: _judged(group) for group in groups}
    lines: list[Line] = []
    for kind in ("decode", "prefill"):
        nvidia, apple = by_name[f"{kind}.nvidia"], by_name[f"{kind}.apple"]
        lines.append(_joined(f"{kind}, NVIDIA and Apple", kind, [nvidia, apple]))
        lines.append(_joined(f"{kind}, NVIDIA", kind, [nvidia]))
        lines.append(_joined(f"{kind}, Ampere and newer", kind, [split(nvidia, newer)[0]]))
        lines += [
            _joined(f"{kind}, {label}", kind, [by_name[f"{kind}.{vendor}"]])
            for vendor, label in (("apple", "Apple"), ("amd", "AMD (apart)"), ("intel", "Intel (apart)"))
        ]
    return lines


def training_lines(groups: Sequence[Group]) -> list[Line]:
    """Return the lines of training, as a ratio to the RTX 3090 with the same software."""
    lines: list[Line] = []
    for group in groups:
        judged = _judged(group)
        lines.append(
            Line(
                group.name.replace("training.", "training, "),
                judged,
                [half_width(judged, each.row.card) for each in judged],
            )
        )
    return lines


def _judged(group: Group) -> list[Prediction]:
    return [each for each in left_out(group) if group.judged(each.row)]


def _joined(name: str, kind: str, parts: Sequence[Sequence[Prediction]]) -> Line:
    """Join vendors; a width comes from the same class of cards as in the tool, without the card itself."""
    predictions: list[Prediction] = []
    widths: list[float] = []
    for part in parts:
        classes = split(list(part), newer) if kind == "decode" and _is_nvidia(part) else (list(part),)
        for members in classes:
            predictions += members
            widths += [half_width(members, each.row.card) for each in members]
    return Line(name, predictions, widths)


def _is_nvidia(predictions: Sequence[Prediction]) -> bool:
    return bool(predictions) and predictions[0].row.seen.gpu.vendor == "NVIDIA"


def _print(line: Line) -> None:
    rows = [each.row for each in line.predictions]
    ours = [abs(each.error) for each in line.predictions]
    aim = TARGETS.get(line.name)
    holds, width = coverage(line)
    print(
        f"{line.name:32} {len(rows):3} {_pair(ours):>12} {'' if aim is None else f'{aim:g}':>5}"
        f" {_pair(_errors(rows, ratios(rows, 'bandwidth'))):>13} {_pair(_errors(rows, ratios(rows, 'tensor'))):>14}"
        f" {holds:10.0%} {width:10.1%}"
    )


def coverage(line: Line) -> tuple[float, float]:
    """Return the share of cases that the range holds, and the median of its half width."""
    inside = [abs(1 / (1 + each.error) - 1) <= width for each, width in zip(line.predictions, line.widths, strict=True)]
    return sum(inside) / len(inside), statistics.median(line.widths)


def _errors(rows: Sequence[Row], predicted: Sequence[float | None]) -> list[float]:
    return [abs(guess / row.seen.value - 1) for row, guess in zip(rows, predicted, strict=True) if guess is not None]


def _pair(errors: Sequence[float]) -> str:
    return f"{100 * statistics.mean(errors):.1f} / {100 * statistics.median(errors):.1f}" if errors else "-"


def _print_coverage(lines: Sequence[Line]) -> None:
    kinds: tuple[tuple[str, Callable[[str], bool]], ...] = (
        ("decode", lambda name: name == "decode, NVIDIA and Apple"),
        ("prefill", lambda name: name == "prefill, NVIDIA and Apple"),
        ("training FP16", lambda name: name.startswith("training") and "fp32" not in name),
    )
    print("\nrange: holds the measured value (aim 80 to 95 %), median half width (aim 15 %, prefill 17 %)")
    for label, wanted in kinds:
        chosen = [line for line in lines if wanted(line.name)]
        whole = Line(
            label,
            [each for line in chosen for each in line.predictions],
            [width for line in chosen for width in line.widths],
        )
        holds, width = coverage(whole)
        print(f"  {label:30} n {len(whole.widths):3}  {holds:.0%}  {width:.1%}")


# Cards built on one chip: a stricter test leaves all of them out together.
_TWINS = {
    "Quadro RTX 8000": "TU102",
    "Quadro RTX 6000": "TU102",
    "Titan RTX": "TU102",
    "V100 SXM2 32GB": "V100",
    "V100 SXM2 16GB": "V100",
    "A100 SXM 40GB": "A100",
    "A100 SXM 80GB": "A100",
    "A100 PCIe 40GB": "A100",
    "A100 PCIe 80GB": "A100",
}


def _print_stricter(groups: Sequence[Group]) -> None:
    print("\nstricter, all cards of one chip left out (A100; V100; full TU102; an Apple chip with any number of cores)")
    for group in groups:
        if "fp32" in group.name or group.name.endswith(("amd", "intel")):
            continue
        own = [
            each
            for each in left_out(group, lambda card: _TWINS.get(card, card.split(" (")[0]))
            if group.judged(each.row)
        ]
        print(f"  {group.name:30} n {len(own):3}  {_pair([abs(each.error) for each in own])}")


def _print_apart(groups: Sequence[Group], spoken: Sequence[Seen]) -> None:
    """Print the prompts that no line above counts: other programs, and a card that runs code made for others."""
    group = next(group for group in groups if group.name == "prefill.nvidia")
    odd = [each for each in left_out(group) if not group.judged(each.row)]
    print("\nprompts not counted above")
    for each in odd:
        print(
            f"  {each.row.card}, tensor code without tensor cores: predicted {1 + each.error:.1f} times"
            " the measured rate"
        )
    factors = {name: group.prior(name).start for row in group.rows for part in row.parts for name in part.factors}
    factors |= fit(group.rows, group.prior, group.exponent) | {"prefill.nvidia.vulkan": 1.0}
    rows = [
        prefill_row(each)
        for each in spoken
        if each.workload == "prefill"
        and each.gpu.vendor == "NVIDIA"
        and (each.details["backend"], each.details["tokens"]) == ("vulkan", 512)
    ]
    over = [row.time / timing(row.parts, group.exponent, factors).total - 1 for row in rows]
    print(
        f"  NVIDIA under Vulkan, n {len(over)}: the CUDA model is {100 * statistics.median(over):.0f} % above the"
        f" measured rate (median; {100 * min(over):.0f} to {100 * max(over):.0f} %)"
    )


def _print_rivals(lines: Sequence[Line], python: str) -> None:
    print("\nsame rows, cards that the packages know (mean / median error in %)")
    if not python:
        print("  not asked: give --rivals a python that has servcalc and ridgepoint")
        return
    for name in ("decode, NVIDIA", "decode, Ampere and newer", "prefill, NVIDIA"):
        line = next(line for line in lines if line.name == name)
        rows = [each.row for each in line.predictions]
        for package, guesses in rivals(rows, python).items():
            known = [each for each, guess in zip(line.predictions, guesses, strict=True) if guess is not None]
            print(
                f"  {name:30} {package:11} n {len(known):3}  {_pair(_errors(rows, guesses)):>13}"
                f"   ours {_pair([abs(each.error) for each in known])}"
            )


def _print_scaling(group: Group) -> None:
    print("\nspeed-up of four cards over one (mean / median error in %)")
    predictions = _judged(group)
    for network, aim in SCALING_TARGETS.items():
        own = [each for each in predictions if each.row.seen.details["network"] == network]
        linear = [abs(4 / (4 / each.row.time) - 1) for each in own]
        print(
            f"  {network:30} n {len(own):3}  ours {_pair([abs(each.error) for each in own]):>12}  aim {aim:4g}"
            f"   4 x one card {_pair(linear)}"
        )


def _print_limits(folder: Path) -> None:
    rows = limits_left_out(limited(folder))
    gaps = [100 * abs(guess - each.speed) for each, guess in rows]
    same = [100 * abs(1 - each.speed) for each, _ in rows]
    linear = [100 * abs(each.share / each.full_share - each.speed) for each, _ in rows]
    print(
        f"\nspeed under a power limit, one source left out, in points: n {len(rows)},"
        f" ours {statistics.mean(gaps):.1f} (largest {max(gaps):.1f}), aim 4;"
        f" no loss {statistics.mean(same):.1f}, as the power {statistics.mean(linear):.1f}"
    )


if __name__ == "__main__":
    main()
