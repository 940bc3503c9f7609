"""The OpenAPI description of what this server offers to programs."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.mcp_server import release
from assistant.serving.catalogue import Entry
from assistant.serving.requests import MOST_MESSAGES
from tools.api import Json

_ERROR: dict[str, Json] = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["message", "type", "code"],
            "properties": {
                "message": {"type": "string"},
                "message_zh": {"type": "string"},
                "type": {"type": "string"},
                "code": {"type": "string"},
                "param": {"type": ["string", "null"]},
            },
        }
    },
}
_FAILURES = {
    400: "The request can be repaired; the message says how.",
    401: "A login or a key is needed.",
    413: "The body is larger than 4 MiB.",
    415: "The body is not application/json.",
    429: "Too many requests of one client.",
    503: "All places are taken, or the memory does not answer.",
}


def describe(entries: Mapping[str, Entry], *, closed: bool) -> dict[str, Json]:
    """Return the description.

    Args:
        entries: What /tools offers.
        closed: Whether a key is needed.
    """
    paths: dict[str, Json] = {f"/tools/{entry.name}": {"post": _tool(entry)} for entry in entries.values()}
    paths["/tools"] = {
        "get": {
            "operationId": "list_tools",
            "summary": "Everything that can be called, with schemas.",
            "responses": _replies({"type": "object", "properties": {"tools": {"type": "array"}}}, 401, 429),
        }
    }
    paths["/v1/models"] = {
        "get": {
            "operationId": "list_models",
            "summary": "The assistant as a model.",
            "responses": _replies({"type": "object"}, 401, 429),
        }
    }
    paths["/v1/chat/completions"] = {"post": _CHAT}
    described: dict[str, Json] = {
        "openapi": "3.1.0",
        "info": {"title": "GPU Advisor", "version": release(), "summary": "Computed and sourced figures about GPUs"},
        "paths": paths,
    }
    if closed:
        described["components"] = {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}}
        described["security"] = [{"key": []}]
    return described


def _replies(schema: dict[str, Json], *failures: int) -> dict[str, Json]:
    return {
        "200": {"description": "Done.", "content": {"application/json": {"schema": schema}}},
        **{
            str(code): {"description": _FAILURES[code], "content": {"application/json": {"schema": _ERROR}}}
            for code in failures
        },
    }


def _tool(entry: Entry) -> dict[str, Json]:
    return {
        "operationId": entry.name,
        "summary": entry.title,
        "description": entry.description,
        "tags": ["tools"],
        "requestBody": {"required": True, "content": {"application/json": {"schema": entry.parameters}}},
        "responses": _replies(entry.returns, 400, 401, 413, 415, 429),
    }


_CHAT: dict[str, Json] = {
    "operationId": "chat_completion",
    "summary": "Ask the assistant, as an OpenAI chat completion.",
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["messages"],
                    "properties": {
                        "model": {"type": "string", "enum": ["gpu-advisor"]},
                        "stream": {"type": "boolean", "default": False},
                        "messages": {
                            "type": "array",
                            "minItems": 1,
                            "maxItems": MOST_MESSAGES,
                            "items": {
                                "type": "object",
                                "required": ["role", "content"],
                                "properties": {
                                    "role": {"type": "string", "enum": ["system", "user", "assistant"]},
                                    "content": {"type": "string"},
                                },
                            },
                        },
                    },
                }
            }
        },
    },
    "responses": {
        **_replies({"type": "object", "required": ["choices"]}, 400, 401, 413, 415, 429, 503),
        "200": {
            "description": "The verified answer; `gpu_advisor` holds calls, numbers and citations.",
            "content": {
                "application/json": {"schema": {"type": "object", "required": ["choices"]}},
                "text/event-stream": {},
            },
        },
    },
}
