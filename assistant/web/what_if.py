"""Put a computation of the what-if panel into the conversation, as if it had been asked and answered."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from assistant.conversation import Answer
from assistant.desk import Desk
from assistant.evidence import outcomes
from assistant.figures import Language, show
from assistant.toolbox import outcome
from assistant.web.compute import say
from assistant.web.fields import field_label, value_label
from assistant.web.words import tool_title
from tools.api import Json, get_tool, is_array, is_object, unit_of

_SAID: dict[Language, tuple[str, str]] = {"zh": ("假如", "，"), "en": ("What if ", ", ")}


def question_of(tool: str, arguments: Mapping[str, Json], before: Mapping[str, Json], language: Language) -> str:
    """Say what was changed as a question."""
    head, joint = _SAID[language]
    known = get_tool(tool).parameters["properties"]
    changed = {
        name: value for name, value in arguments.items() if before.get(name, known[name].get("default")) != value
    }
    said = joint.join(
        f"{field_label(name, language)} {_value(name, value, language)}" for name, value in changed.items()
    )
    return f"{head}{said or tool_title(tool, language)}" + ("？" if language == "zh" else "?")


def _value(name: str, value: Json, language: Language) -> str:
    if is_object(value):
        return ", ".join(f"{count} × {card}" for card, count in value.items())
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return show(float(value), unit_of(name), language)
    return ", ".join(map(str, value)) if is_array(value) else value_label(str(value), language)


async def put(
    desk: Desk, session: str, question: str, tool: str, arguments: Mapping[str, Json], language: Language, keep: int
) -> Answer | None:
    """Add a computed turn to a conversation.

    Args:
        desk: Where the conversation lives.
        session: The conversation.
        question: How the person's change reads.
        tool: What to compute.
        arguments: With which inputs.
        language: In which the answer is said.
        keep: How many earlier questions stand.

    Returns:
        The answer, or None if the inputs cannot be computed.
    """
    earlier = await desk.earlier(session, keep)
    ref = f"r{len(outcomes(earlier)) + 1}"
    ran = outcome(get_tool(tool), arguments)
    if "error" in ran:
        return None
    answer = say(ran, language, ref, (question,))
    call = {"name": tool, "args": dict(arguments), "id": uuid.uuid4().hex}
    content = json.dumps({"id": ref, **ran}, ensure_ascii=False)
    await desk.write(
        session,
        [
            *earlier,
            HumanMessage(question),
            AIMessage("", tool_calls=[call]),
            ToolMessage(content, tool_call_id=call["id"], name=tool),
            AIMessage(answer.answer),
        ],
    )
    return answer
