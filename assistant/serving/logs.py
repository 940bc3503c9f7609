"""The log: one JSON object a line, without what people say unless the settings ask for it."""

from __future__ import annotations

import json
import logging
import traceback
from datetime import UTC, datetime

FIELDS = "fields"


class JsonLines(logging.Formatter):
    """Writes records as JSON without third parties' and exceptions' texts, which may quote a question."""

    def __init__(self, *, with_text: bool) -> None:
        """Choose what may stand in the log.

        Args:
            with_text: Whether messages of other libraries and of exceptions are written in full.
        """
        super().__init__()
        self._with_text = with_text

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        ours = record.name.split(".")[0] in ("app", "assistant", "knowledge", "tools", "__main__")
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage() if ours or self._with_text else str(record.msg)[:200],
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info and record.exc_info[1]:
            line["exception"] = self._exception(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False, default=str)

    def _exception(self, error: BaseException) -> dict[str, object]:
        frames = traceback.extract_tb(error.__traceback__)[-8:]
        place = [f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno} {frame.name}" for frame in frames]
        shown: dict[str, object] = {"type": type(error).__name__, "at": place}
        return {**shown, "message": str(error)} if self._with_text else shown


def configure(*, with_text: bool = False, level: int = logging.INFO) -> None:
    """Send every log record to standard error as JSON."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines(with_text=with_text))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for name in ("httpx", "httpx2", "httpcore", "mcp", "openai", "uvicorn.access"):
        logging.getLogger(name).setLevel(logging.WARNING)


def note(logger: logging.Logger, event: str, **fields: object) -> None:
    """Log one event with its fields."""
    logger.info(event, extra={FIELDS: fields})
