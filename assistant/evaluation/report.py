"""What a run looks like: a few lines in the terminal, JSON, and one HTML page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader

from assistant.evaluation.judge import VERDICTS
from assistant.evaluation.scores import Outcome
from tools.api import Json

_COLOURS = {"right": "#2e7d32", "partly": "#9e9d24", "asked back": "#1565c0", "refused": "#757575", "wrong": "#c62828"}


def text(scores: Mapping[str, Json], model: str) -> str:
    """Return the summary as a table in Markdown."""
    head = f"| {model} | questions | " + " | ".join(VERDICTS) + " | right share |"
    lines = [head, "|---" * (len(VERDICTS) + 3) + "|"]
    groups = {**scores["sets"], "all": scores["all"]}
    if scores["held_out"]["count"]:
        groups["of public, kept aside"] = scores["held_out"]
    lines += [_line(name, counts) for name, counts in groups.items()]
    more = {
        "tool-call F1": "tool_call_f1",
        "arguments exact": "argument_exactness",
        "numbers bound": "number_precision",
        "expected numbers stated": "number_recall",
        "citation precision": "citation_precision",
        "citation recall": "citation_recall",
        "language gap": "language_gap",
        f"pass^{scores['epochs']}": "pass_hat_k",
    }
    shares = ", ".join(f"{name} {scores[key]:.1%}" for name, key in more.items() if scores[key] is not None)
    rest = (
        f"median {scores['seconds_median'] * 1000:.0f} ms, 95th percentile {scores['seconds_p95'] * 1000:.0f} ms; "
        f"{scores['input_tokens']:,} tokens in, {scores['output_tokens']:,} out, {scores['cost_usd']:.2f} USD"
    )
    return "\n".join([*lines, "", shares, rest])


def _line(name: str, counts: Mapping[str, Json]) -> str:
    cells = [
        name,
        str(counts["count"]),
        *(str(counts[verdict]) for verdict in VERDICTS),
        f"{counts['right_share']:.1%}",
    ]
    return "| " + " | ".join(cells) + " |"


def write(folder: Path, model: str, outcomes: Sequence[Outcome], scores: Mapping[str, Json]) -> None:
    """Write `results.json` and `report.html` into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    results = {"model": model, "scores": scores, "outcomes": [_short(item.to_dict()) for item in outcomes]}
    (folder / "results.json").write_text(json.dumps(results, ensure_ascii=False, indent=1), encoding="utf-8")
    (folder / "report.html").write_text(_page(model, outcomes, scores), encoding="utf-8")


def _short(item: dict[str, Json]) -> dict[str, Json]:
    """Cut a pasted log to what a reader needs."""
    item["row"]["turns"] = [
        turn if len(turn) < 2000 else f"{turn[:300]} … {turn[-300:]}" for turn in item["row"]["turns"]
    ]
    return item


def _page(model: str, outcomes: Sequence[Outcome], scores: Mapping[str, Json]) -> str:
    pages = Environment(
        loader=PackageLoader("assistant.evaluation", "."), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    failed = [_short(item.to_dict()) for item in outcomes if item.judgement.verdict != "right"]
    tables = {"Set": scores["sets"], "Category": scores["categories"], "Language": scores["languages"]}
    return pages.get_template("report.html").render(
        model=model,
        scores=scores,
        verdicts=VERDICTS,
        colours=_COLOURS,
        tables=tables,
        failed=failed,
        summary=text(scores, model),
    )
