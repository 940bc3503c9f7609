"""`python -m assistant ask | chat | batch | eval | mcp`: the assistant without a page."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from assistant.conversation import Answer, CallStarted
from assistant.desk import open_desk
from assistant.evaluation.command import evaluate
from assistant.figures import show_usage
from assistant.prices import import_prices
from assistant.serving import commands
from assistant.verifying import verify

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="GPU Advisor: computed and sourced answers about GPUs for deep learning.",
)
app.command()(commands.mcp)
app.command("import-prices")(import_prices)
app.command()(verify)
app.command()(commands.hash_password)
app.command("eval")(evaluate)
ModelName = Annotated[str | None, typer.Option("--model", help="'built-in' or 'provider:model'.")]


@app.command()
def ask(
    question: str,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
    model: ModelName = None,
    session: Annotated[str | None, typer.Option(help="Continue the conversation of this id.")] = None,
) -> None:
    """Answer one question."""

    async def run() -> Answer:
        async with open_desk(model=model, remember=session is not None) as desk:
            return await desk.answer(question, session)

    answer = asyncio.run(run())
    if as_json:
        print(json.dumps(answer.to_dict(), ensure_ascii=False, indent=2))
    else:
        print_answer(answer)


def print_answer(answer: Answer) -> None:
    """Print an answer with its sources; warnings and what it took go to standard error."""
    print(answer.answer)
    for passage in answer.citations:
        print(
            f"\n[{passage['id']}] {passage['title']} § {passage['section']} ({passage['date']}) {passage['url']}".rstrip()
        )
    for warning in answer.warnings:
        print(f"! {warning}", file=sys.stderr)
    usage = show_usage(answer.usage, answer.language)
    if usage:
        print(f"  {usage}", file=sys.stderr)


@app.command()
def chat(model: ModelName = None) -> None:
    """Talk in the terminal; an empty line ends it."""

    async def run() -> None:
        async with open_desk(model=model) as desk:
            conversation = desk.conversation()
            while question := (await asyncio.to_thread(_line)).strip():
                async for event in conversation.ask(question):
                    if isinstance(event, CallStarted):
                        print(f"  · {event.tool} {json.dumps(event.arguments, ensure_ascii=False)}")
                    elif isinstance(event, Answer):
                        print_answer(event)

    asyncio.run(run())


def _line() -> str:
    try:
        return input("\n> ")
    except EOFError:
        return ""


@app.command()
def check(
    file: str, as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False
) -> None:
    """List the numbers of an article that the tools do not confirm, with the reason."""
    from assistant.check import check_file
    from knowledge.articles import language_of
    from knowledge.reading import ReadingError

    try:
        found = check_file(file)
    except ReadingError as error:
        print(error, file=sys.stderr)
        raise typer.Exit(2) from error
    if as_json:
        print(json.dumps([finding.to_dict() for finding in found], ensure_ascii=False, indent=2))
        return
    chinese = bool(found) and sum(language_of(finding.sentence) == "zh" for finding in found) * 2 >= len(found)
    for finding in found:
        reason = finding.reason_zh if chinese else finding.reason
        print(f"{finding.text}\n  {reason}\n  {finding.passage}: {finding.sentence}\n")
    print(
        f"工具不认可的数字或说法：{len(found)} 处。"
        if chinese
        else f"{len(found)} figures or statements that the tools contradict."
    )


@app.command()
def batch(questions: Path, answers: Path, model: ModelName = None) -> None:
    """Answer a file of questions, one JSON object a line, in order."""

    async def run() -> None:
        async with open_desk(model=model) as desk:
            with answers.open("w", encoding="utf-8") as out:
                for number, line in enumerate(questions.read_text("utf-8").splitlines(), 1):
                    if line.strip():
                        out.write(json.dumps(await _row(desk, _question(line, number)), ensure_ascii=False) + "\n")
                        out.flush()

    asyncio.run(run())


def _question(line: str, number: int) -> dict[str, Any]:
    try:
        row = json.loads(line)
        turns = row["turns"] if "turns" in row else [row["question"]]
        if not turns or not all(isinstance(turn, str) for turn in turns):
            raise TypeError
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        print(f'Line {number} must be {{"id", "question"}} or {{"id", "turns": [...]}}.', file=sys.stderr)
        raise typer.Exit(2) from error
    return {"id": row.get("id", number), "turns": turns, "many": "turns" in row}


async def _row(desk: Any, question: dict[str, Any]) -> dict[str, Any]:
    conversation = desk.conversation()
    replies = [(await desk.answer(turn, conversation.session)).to_dict() for turn in question["turns"]]
    row = {"id": question["id"], **replies[-1]}
    return {**row, "answers": replies} if question["many"] else row
