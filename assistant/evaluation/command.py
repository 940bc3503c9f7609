"""`python -m assistant eval`: run the golden set and say how good the answers are."""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from assistant.evaluation.compare import compare
from assistant.evaluation.golden import FOLDER, Row, chosen, load
from assistant.evaluation.report import text, write
from assistant.evaluation.run import collect, write_inspect_log
from assistant.evaluation.scores import Outcome, summary
from assistant.evaluation.store import Store
from assistant.settings import Settings


def evaluate(
    model: Annotated[str | None, typer.Option("--model", help="'built-in' or 'provider:model'.")] = None,
    words: Annotated[
        str | None,
        typer.Option(
            "--filter",
            help="Words that must fit: a set (public), a language (zh), a category, held, tuned, or part of an id.",
        ),
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, max=100, help="How many times each question is asked.")] = 1,
    both: Annotated[
        tuple[Path, Path] | None, typer.Option("--compare", help="Compare two runs and ask nothing.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder of the results.")] = Path("eval-results"),
    golden: Annotated[Path, typer.Option(help="Folder of the golden files.")] = FOLDER,
    resume: Annotated[bool, typer.Option(help="Go on with a run that was cut short.")] = False,
    price: Annotated[tuple[float, float], typer.Option(help="US dollars per million tokens, read and written.")] = (
        0.0,
        0.0,
    ),
    log: Annotated[bool, typer.Option("--log/--no-log", help="Write a log for `inspect view`.")] = True,
) -> None:
    """Say how good the answers of a model are, by the golden set."""
    if both:
        print(compare(*both))
        return
    try:
        rows = chosen(load(golden), words)
    except ValueError as error:
        raise _stop(str(error)) from error
    if not rows:
        raise _stop(f"No golden question fits {words!r}.")
    settings = Settings() if model is None else Settings().model_copy(update={"model": model})
    folder = out / re.sub(r"\W+", "-", settings.model)
    outcomes = asyncio.run(
        _run(settings, rows, Store(folder / "answers.jsonl", settings.model, fresh=not resume), epochs)
    )
    scores = summary(outcomes, price)
    write(folder, settings.model, outcomes, scores)
    if log:
        try:
            write_inspect_log(outcomes, settings.model, folder / "logs")
        except ModuleNotFoundError as error:
            print(
                f"No log for `inspect view`: {error}. Install the extra: pip install 'gpu-advisor[eval]'.",
                file=sys.stderr,
            )
    print(text(scores, settings.model))
    print(f"\n{folder / 'report.html'} shows every answer that is not right.", file=sys.stderr)


async def _run(settings: Settings, rows: list[Row], store: Store, epochs: int) -> list[Outcome]:
    """Ask with articles of the package only, so that a person's own texts do not change the score."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = settings.model_copy(update={"data_dir": Path(folder)})
        return await collect(fresh, rows, store, epochs=epochs, progress=_show)


def _show(done: int, total: int) -> None:
    if done % 25 == 0 or done == total:
        print(f"\r{done} of {total}", end="\n" if done == total else "", file=sys.stderr, flush=True)


def _stop(message: str) -> typer.Exit:
    print(message, file=sys.stderr)
    return typer.Exit(2)
