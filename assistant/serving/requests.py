"""Read what programs send: JSON objects, and the messages of a chat completion."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse

from assistant.conversation import LONGEST_QUESTION
from assistant.serving.history import Said
from tools.api import Json, is_array, is_object

MOST_MESSAGES = 200


class BadRequest(Exception):
    """The request can be repaired; its text says how."""

    def __init__(self, message: str, *, status: int = 400, param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.param = param


def error_reply(
    message: str,
    status: int,
    *,
    code: str = "invalid_request",
    param: str | None = None,
    headers: dict[str, str] | None = None,
    **extra: Json,
) -> JSONResponse:
    """Return an error in the form that OpenAI clients read."""
    kind = "invalid_request_error" if status < 500 else "server_error"
    return JSONResponse(
        {"error": {"message": message, "type": kind, "code": code, "param": param, **extra}}, status, headers
    )


def read_object(body: bytes) -> dict[str, Json]:
    """Return the JSON object in a body.

    Raises:
        BadRequest: If there is none, or if it holds halves of characters, which no reply could hold either.
    """
    try:
        read = json.loads(body or b"{}")
        if b"\\u" in body:
            json.dumps(read, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise BadRequest("The body holds text that is not Unicode: half of a surrogate pair.") from None
    except (ValueError, RecursionError):
        read = None
    if not is_object(read):
        raise BadRequest("The body must be one JSON object.")
    return read


async def json_object(request: Request) -> dict[str, Json]:
    """Return the body of a request.

    Raises:
        BadRequest: If it is no JSON object.
    """
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    if kind != "application/json":
        raise BadRequest("Send the body as application/json.", status=415)
    return read_object(await request.body())


def _text(content: Any) -> Any:
    """Return the text of a message whose content is a list of parts."""
    if is_array(content):
        parts: list[Any] = list(content)
        return "\n".join(str(part.get("text", "")) for part in parts if is_object(part) and part.get("type") == "text")
    return "" if content is None else content


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Annotated[str, BeforeValidator(_text), Field(max_length=LONGEST_QUESTION)] = ""


class ChatRequest(BaseModel):
    """What is used of a chat completion's body; sampling, tools and system prompts of the client are not."""

    model_config = ConfigDict(extra="ignore")

    messages: list[_Message] = Field(min_length=1, max_length=MOST_MESSAGES)
    model: str = ""
    stream: bool = False
    n: Literal[1] = 1

    def talk(self) -> list[Said]:
        """Return the messages of person and assistant, up to the last question.

        Raises:
            BadRequest: If nobody asked anything.
        """
        said = [
            Said(message.role, message.content) for message in self.messages if message.role in ("user", "assistant")
        ]
        while said and said[-1].role != "user":
            said.pop()
        if not said or not said[-1].text.strip():
            raise BadRequest("The last message of the user holds no text.", param="messages")
        return said


def chat_request(body: dict[str, Json]) -> ChatRequest:
    """Check a chat completion's body.

    Raises:
        BadRequest: If it cannot be used; the text names the field.
    """
    try:
        return ChatRequest.model_validate(body, strict=False)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"])[:100]
        raise BadRequest(f"`{place}`: {first['msg']}.", param=place) from error
