"""Entry point of `python -m assistant`."""

import sys

from assistant import starting

if sys.argv[1:2] in (["mcp"], ["hash-password"]):
    # An MCP client starts this and waits: LangChain, which no tool needs, is left out.
    from assistant.serving.commands import app
else:
    from assistant.cli import app

starting.done()
app()
