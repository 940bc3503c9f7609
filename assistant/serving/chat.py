"""`/v1/chat/completions` and `/v1/models`: the assistant as a model for any OpenAI client."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import uuid
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from assistant.conversation import Answer
from assistant.desk import Desk
from assistant.memory import DOWN, MemoryDown
from assistant.serving.history import Said, continued
from assistant.serving.logs import note
from assistant.serving.metrics import Metrics
from assistant.serving.requests import BadRequest, chat_request, error_reply, json_object
from assistant.serving.seats import Full, Seats
from tools.api import Json

MODEL = "gpu-advisor"
# Where an answer's calls, numbers, citations and warnings stand; OpenAI clients ignore keys they do not know.
EXTRAS = "gpu_advisor"
PIECE = 60  # characters of a streamed piece
HEARTBEAT_S = 10.0
_log = logging.getLogger(__name__)


class ChatServer:
    """Answers chat completions."""

    def __init__(
        self, desk: Callable[[], Desk], seats: Seats, metrics: Metrics, *, log_questions: bool = False
    ) -> None:
        """Keep what is needed for an answer."""
        self._desk = desk
        self._seats = seats
        self._metrics = metrics
        self._log_questions = log_questions

    async def models(self, _: Request) -> Response:
        """List the one model there is."""
        return JSONResponse(
            {"object": "list", "data": [{"id": MODEL, "object": "model", "created": 0, "owned_by": "gpu-advisor"}]}
        )

    async def completions(self, request: Request) -> Response:
        """Answer the last question of a talk, streaming or not."""
        async with AsyncExitStack() as stack:
            try:
                asked = chat_request(await json_object(request))
                talk = asked.talk()
                await stack.enter_async_context(self._seats.seat())
            except BadRequest as error:
                return error_reply(str(error), error.status, param=error.param)
            except Full as full:
                return error_reply(str(full), 503, code="overloaded", headers={"retry-after": str(full.retry_after_s)})
            who = str(request.scope.get("state", {}).get("who", "anyone"))
            if asked.stream:
                reply = _stream(self._turn(who, talk), stack.pop_all())
                return StreamingResponse(
                    reply,
                    media_type="text/event-stream",
                    headers={"cache-control": "no-store", "x-accel-buffering": "no"},
                )
            answer = await _unless_gone(request, self._turn(who, talk))
            return Response(status_code=499) if answer is None else _whole(answer)

    async def _turn(self, who: str, talk: list[Said]) -> Answer | str:
        """Return the answer, or what to say when there is none."""
        start = time.monotonic()
        try:
            conversation, before = await continued(self._desk(), who, talk)
            async for event in conversation.ask(talk[-1].text, after=before):
                if isinstance(event, Answer) and event.answer == DOWN:
                    return DOWN
                if isinstance(event, Answer):
                    took_s = time.monotonic() - start
                    self._metrics.turns.labels(event.status, event.language).inc()
                    self._metrics.turn_seconds.observe(took_s)
                    shown = {"question": talk[-1].text} if self._log_questions else {}
                    note(
                        _log,
                        "turn",
                        status=event.status,
                        language=event.language,
                        model=event.model,
                        calls=[call["tool"] for call in event.calls],
                        ms=round(took_s * 1000, 1),
                        **shown,
                    )
                    return event
        except MemoryDown as down:
            return str(down)
        except Exception:
            _log.exception("a turn failed")
        return "The turn failed by a mistake of ours. Ask again, or choose the built-in model."


async def _unless_gone(request: Request, work: Any) -> Any:
    """Return what a coroutine returns; None, and the work is stopped, if the client goes away before."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        for pending in (task, gone):
            pending.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _frame(choice: dict[str, Json], kind: str, mark: str, **extra: Json) -> dict[str, Json]:
    return {
        "id": mark,
        "object": kind,
        "created": int(time.time()),
        "model": MODEL,
        "choices": [{"index": 0, "logprobs": None, **choice}],
        **extra,
    }


def _whole(answer: Answer | str) -> Response:
    if isinstance(answer, str):
        return error_reply(answer, 503, code="unavailable", headers={"retry-after": "5"})
    message = {"role": "assistant", "content": answer.answer, "refusal": None}
    return JSONResponse(
        _frame({"message": message, "finish_reason": "stop"}, "chat.completion", _mark(), **{EXTRAS: answer.to_dict()})
    )


async def _stream(turn: Any, seat: AsyncExitStack) -> AsyncGenerator[bytes]:
    """Send the role at once, a comment now and then, and the text when it is verified."""
    mark = _mark()

    def chunk(delta: dict[str, Json], reason: str | None = None, **extra: Json) -> bytes:
        frame = _frame({"delta": delta, "finish_reason": reason}, "chat.completion.chunk", mark, **extra)
        return f"data: {json.dumps(frame, ensure_ascii=False)}\n\n".encode()

    async with seat:
        task = asyncio.ensure_future(turn)
        try:
            yield chunk({"role": "assistant", "content": ""})
            while not (await asyncio.wait((task,), timeout=HEARTBEAT_S))[0]:
                yield b": working\n\n"
            answer = task.result()
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task
    if isinstance(answer, str):
        error = {"error": {"message": answer, "type": "server_error", "code": "unavailable", "param": None}}
        yield f"data: {json.dumps(error, ensure_ascii=False)}\n\n".encode()
    else:
        for start in range(0, len(answer.answer), PIECE):
            yield chunk({"content": answer.answer[start : start + PIECE]})
        yield chunk({}, "stop", **{EXTRAS: answer.to_dict()})
    yield b"data: [DONE]\n\n"


def _mark() -> str:
    return f"chatcmpl-{uuid.uuid4().hex}"
