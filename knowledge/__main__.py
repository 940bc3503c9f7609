"""`python -m knowledge ingest PATH_OR_URL…`, `list`, `remove ID`, `build`, `search "QUERY" [-k 5] [--json]`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from knowledge.client import use_server
from knowledge.embedding import Progress
from knowledge.ingest import Ingested, ensure_index, ingest, list_documents, remove
from knowledge.search import Citation, Searcher


def main(arguments: list[str]) -> int:
    """Run the command line; exit code 1 when something asked for was not done."""
    asked = _parser().parse_args(arguments)
    data_dir, embedding = _settings()
    with _progress() as progress:
        if asked.command == "search":
            searcher = Searcher(data_dir, embedding=embedding, progress=progress, wait=True)
            found = searcher.search(asked.query, asked.k, asked.language, article=asked.article, since=asked.since)
            return _print_citations(found, as_json=asked.json)
        if asked.command == "ingest":
            return _print_results(ingest(asked.sources, data_dir, embedding=embedding, progress=progress))
        ensure_index(data_dir, embedding=embedding, progress=progress)
        if asked.command == "remove":
            return _remove(asked.id, data_dir, embedding)
        return 0 if asked.command == "build" else _print_documents(data_dir)


def _settings() -> tuple[Path, str]:
    """Read the environment: only this file does."""
    folder = os.environ.get("GPU_ADVISOR_DATA_DIR", "")
    if not folder:
        from platformdirs import user_data_dir

        folder = user_data_dir("gpu-advisor", appauthor=False)
    use_server(os.environ.get("GPU_ADVISOR_CHROMA", ""))
    return Path(folder), os.environ.get("GPU_ADVISOR_EMBEDDING", "")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m knowledge", description="The articles behind the answers.")
    commands = parser.add_subparsers(dest="command", required=True)
    taking = commands.add_parser("ingest", help="take in text, Markdown, HTML or PDF files, folders or web pages")
    taking.add_argument("sources", nargs="+", metavar="PATH_OR_URL")
    commands.add_parser("build", help="build the index now, so that no question waits for it")
    commands.add_parser("list", help="list the texts in the index")
    removing = commands.add_parser("remove", help="take a text out again")
    removing.add_argument("id", metavar="ID")
    searching = commands.add_parser("search", help="find passages")
    searching.add_argument("query")
    searching.add_argument("-k", type=int, default=5, help="most passages to show (5)")
    searching.add_argument("--json", action="store_true", help="print a JSON list of citations")
    searching.add_argument("--language", choices=("zh", "en"), help="language of the passages shown")
    searching.add_argument("--article", default="", help="only passages of the document of this id")
    searching.add_argument("--since", default="", help="only sources from this date on, e.g. 2023-02")
    return parser


@contextmanager
def _progress() -> Generator[Progress]:
    """Show a bar on a terminal, one line elsewhere; on standard error, and only when something is embedded."""
    if not sys.stderr.isatty():
        yield _one_line()
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        tasks = [bar.add_task("Indexing passages", total=None, visible=False)]
        yield lambda done, total: bar.update(tasks[0], completed=done, total=total, visible=True)


def _one_line() -> Progress:
    said: list[int] = []

    def show(done: int, total: int) -> None:
        if not said:
            print(f"Indexing {total} passages …", file=sys.stderr, flush=True)
            said.append(done)

    return show


def _print_citations(found: list[Citation], *, as_json: bool) -> int:
    if as_json:
        print(json.dumps(found, ensure_ascii=False, indent=2))
        return 0
    for citation in found:
        source = ", ".join(part for part in (citation["title"], citation["section"], citation["date"]) if part)
        print(f"{citation['score']:.2f}  {citation['id']}  ({source})\n      {citation['text']}\n")
    if not found:
        print("Nothing relevant was found.")
    return 0


def _print_results(results: tuple[Ingested, ...]) -> int:
    for result in results:
        print(_line(result))
    return 0 if results and all(result.status not in ("failed", "set aside") for result in results) else 1


def _line(result: Ingested) -> str:
    if result.status == "failed":
        return f"failed     {result.source}: {result.reason}"
    if result.status == "set aside":
        return (
            f"set aside  {result.id}: {result.reason} Nothing of it is searched. If it is harmless, take that part "
            "out and ingest it again."
        )
    notes = [f"{result.passages} passage{'' if result.passages == 1 else 's'}"]
    notes += [f"removed the planted phrase {phrase!r}" for phrase in result.injected]
    notes += [f"doubtful: {doubt}" for doubt in result.doubts]
    return f"{result.status:10} {result.id}: {'; '.join(notes)}"


def _print_documents(data_dir: Path) -> int:
    for document in list_documents(data_dir):
        kind = "built-in" if document.built_in else document.source
        kind += f"; set aside: {document.suspect}" if document.suspect else ""
        print(f"{document.id:40} {document.language}  {document.passages:4} passages  {document.title}  ({kind})")
    return 0


def _remove(name: str, data_dir: Path, embedding: str) -> int:
    if remove(name, data_dir, embedding=embedding):
        print(f"removed    {name}")
        return 0
    print(
        f"There is no document {name!r} of yours. `python -m knowledge list` shows the ids; "
        "the articles of the package stay.",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
