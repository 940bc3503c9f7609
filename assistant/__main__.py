"""Entry point of `python -m assistant`."""

from assistant.cli import app

app()
