"""Commands for serving: `mcp` and `hash-password`; nothing heavy is imported before one of them runs."""

from __future__ import annotations

from typing import Annotated

import typer

# Its help is shown by `assistant.cli`, which registers the same functions.
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.callback()
def _serving() -> None:
    """Keep the name of the command even when only one is registered."""


@app.command()
def mcp(
    print_config: Annotated[bool, typer.Option(help="Print what to paste into MCP clients, and end.")] = False,
) -> None:
    """Serve the tools and the article search over MCP on standard input and output."""
    if print_config:
        from assistant.serving.client_config import client_config

        print(client_config())
        return
    from assistant.mcp_server import serve_stdio
    from assistant.settings import Settings

    serve_stdio(Settings())


@app.command()
def hash_password() -> None:
    """Print a password as GPU_ADVISOR_AUTH takes it after `user:`."""
    from getpass import getpass

    from assistant.serving.accounts import SHORTEST_PASSWORD
    from assistant.serving.accounts import hash_password as hashed

    password = getpass("Password: ")
    if len(password) < SHORTEST_PASSWORD:
        raise typer.BadParameter(f"at least {SHORTEST_PASSWORD} characters")
    print(hashed(password))
