"""The built-in chat model: a LangChain model whose replies are planned by rule, so it runs in the same loop as any LLM."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, ToolCall
from langchain_core.outputs import ChatGeneration, ChatResult

from assistant.builtin.calls import Plan
from assistant.builtin.choose import choose, is_about, is_loose, with_glossary
from assistant.builtin.condense import condensed
from assistant.builtin.decide import decide
from assistant.builtin.fallback import further_call, say_conflicts, say_outcome, say_passages
from assistant.builtin.phrase import render
from assistant.builtin.reading import Reading, read
from assistant.builtin.single import NAMED
from assistant.evidence import outcomes, questions, turn_start
from assistant.numerals import read_numbers
from knowledge.glossary import ID as GLOSSARY
from tools.api import Json, is_array, is_object

# Beside a computed answer only a passage that is surely about the question is quoted.
ALSO_RELEVANT = 0.9
_RELATIVE = re.compile(r"\{\{@(\d+)\.")
_NOT_MY_FIELD = {
    "en": "That is not my field, or the articles say nothing about it. I answer questions about choosing, powering, cooling"
    " and paying for GPUs for deep learning.",
    "zh": "这不在我的范围内，或者文章里没有提到。我回答深度学习 GPU 的选购、供电、散热和花费。",
}

_NOTHING_ON_IT = {
    "en": "That I can neither compute nor quote from a source, so I will not guess. I can work out memory, speed, watts, cooling, electricity,"
    " rent against buying, and carbon: give me the cards, the model and the figures.",
    "zh": "这个我既算不出来，也没有可引用的出处，就不乱猜了。显存、速度、功率、散热、电费、买还是租、碳排放我能算：把显卡、模型和数字告诉我。",
}
# A passage near in meaning that has few of the question's words may be beside the point.
_CLOSEST = {
    "en": "The closest passage in the articles:",
    "zh": "文章里和它最接近的一段：",
}
_OF_THE_FIELD = re.compile(
    r"\bGPUs?\b|graphics|LoRA|ZeRO|KV cache|tensor|HBM|PCIe|NVLink|checkpoint|bandwidth|precision|multiprocessor|parallel|token|CUDA|VRAM|train|inference|LLM|quanti|显卡|显存|张量|精度|缓存|带宽|量化|并行|微调|训练|推理|大模型|算力",
    re.IGNORECASE | re.ASCII,
)
# A figure without use is named, so that nobody takes the answer for more than it rests on.
_UNUSED = {
    "en": "Left out: {}. If that should change the result, tell me what it is for.",
    "zh": "没有用到：{}。要是会影响结果，告诉我它指什么。",
}
# A want that no rule is sure about is named, so that nobody takes the answer for all of it.
_LEFT = {
    "en": "Not worked out: “{}”. Ask me that alone and I will look again.",
    "zh": "没有算到的：“{}”。单独问我一遍，我再看看。",
}


class BuiltInModel(BaseChatModel):
    """Plans tool calls by rule and phrases their results by reference. No key, no download."""

    is_gpu_advisor_built_in: bool = True

    @property
    def _llm_type(self) -> str:
        return "gpu-advisor-built-in"

    def bind_tools(self, tools: Sequence[Any], *, tool_choice: str | None = None, **kwargs: Any) -> Any:
        """Return itself: the plan knows the tools by name."""
        return self

    def _generate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=reply(messages))])

    async def _agenerate(
        self, messages: list[BaseMessage], stop: list[str] | None = None, run_manager: Any = None, **kwargs: Any
    ) -> ChatResult:
        # Planning takes a few milliseconds; a thread would cost more than it frees.
        return self._generate(messages)


def reply(messages: Sequence[AnyMessage | BaseMessage]) -> AIMessage:
    """Return the next message of a turn: tool calls while the plans have stages left, then the draft."""
    known: list[Any] = list(messages)
    start = turn_start(known)
    before = outcomes(known[:start])
    plan = decide(questions(known), before)
    found = outcomes(known[start:])
    plans = (replace(plan, then=()), *plan.then)
    parts: list[tuple[Plan, dict[str, dict[str, Json]]]] = []
    offset = 0
    for one in plans:
        stage, done = _progress(one, list(found.values())[offset:])
        own = dict(list(found.items())[offset : offset + done])
        if stage < len(one.stages) and not any("error" in outcome for outcome in own.values()):
            calls = [
                ToolCall(
                    name=call.tool,
                    args=_absolute(call.arguments, len(before) + offset),
                    id=f"call_{uuid.uuid4().hex[:12]}",
                )
                for call in one.stages[stage]
            ]
            return AIMessage("", tool_calls=calls)
        parts.append((one, own))
        offset += done
    return _settled(parts, read(condensed(questions(known)[-1])), found, everything=len(found) == offset)


def _settled(
    parts: Sequence[tuple[Plan, Mapping[str, dict[str, Json]]]],
    reading: Reading,
    found: Mapping[str, dict[str, Json]],
    *,
    everything: bool,
) -> AIMessage:
    """Return the draft with where a source differs from a tool, or first the call that brings the other side in."""
    draft = _draft(parts, reading)
    # "alone": what an article said of prices years ago adds nothing to a price on record.
    alone = any(plan.extra.get("alone") for plan, _ in parts)
    if not found or alone or draft.additional_kwargs["gpu_advisor"]["status"] != "answered":
        return draft
    further = further_call(found, reading.text, reading.language) if everything else None
    if further:
        call = ToolCall(name=further[0], args=further[1], id=f"call_{uuid.uuid4().hex[:12]}")
        return AIMessage("", tool_calls=[call])
    differs = say_conflicts(found, reading.text, reading.language, str(draft.text))
    return draft.model_copy(update={"content": f"{draft.text}\n\n{differs}"}) if differs else draft


def _progress(plan: Plan, found: Sequence[Mapping[str, Json]]) -> tuple[int, int]:
    """Return the first stage that is not done, and how many results the finished ones have."""
    stage, done = 0, 0
    while stage < len(plan.stages) and done + len(plan.stages[stage]) <= len(found):
        done += len(plan.stages[stage])
        stage += 1
        if any("error" in outcome for outcome in found[:done]):
            break
    return stage, done


def _absolute(arguments: Json, before: int) -> Any:
    """Turn `{{@1.field}}` (first result of this plan) into the id it has in the conversation."""
    if is_object(arguments):
        return {key: _absolute(value, before) for key, value in arguments.items()}
    if is_array(arguments):
        return [_absolute(value, before) for value in arguments]
    if isinstance(arguments, str):
        return _RELATIVE.sub(lambda hit: f"{{{{r{before + int(hit[1])}.", arguments)
    return arguments


def _draft(parts: Sequence[tuple[Plan, Mapping[str, dict[str, Json]]]], reading: Reading) -> AIMessage:
    """Say what each plan found out, ask what it asks, or decline."""
    said = [_part(plan, found, reading) for plan, found in parts]
    good = [text for status, text in said if status == "answered"]
    status, text = ("answered", "\n\n".join(good)) if good else said[0]
    left = parts[0][0].left
    if status == "answered" and left:
        text = f"{text}\n\n{_LEFT[reading.language].format('; '.join(one.rstrip('?？') for one in left))}"
    computed = {
        number for _, found in parts for outcome in found.values() for number in _figures(outcome.get("result"))
    }
    # A figure that a result has as well is confirmed by it, not left out.
    unused = [text for text in parts[0][0].unused if not {one.value for one in read_numbers(text)} & computed]
    if status == "answered" and unused:
        joint = "、" if reading.language == "zh" else ", "
        text = f"{text}\n\n{_UNUSED[reading.language].format(joint.join(unused))}"
    return AIMessage(text, additional_kwargs={"gpu_advisor": {"status": status}})


def _figures(result: Json) -> Iterator[float]:
    if is_object(result):
        for value in result.values():
            yield from _figures(value)
    elif is_array(result):
        for value in result:
            yield from _figures(value)
    elif isinstance(result, (int, float)) and not isinstance(result, bool):
        yield float(result)


def _part(plan: Plan, found: Mapping[str, dict[str, Json]], reading: Reading) -> tuple[str, str]:
    """Return how one plan ends and what it says."""
    status, text = plan.status, plan.reply
    wrong = next((outcome for outcome in found.values() if "error" in outcome), None)
    if not text and wrong is not None:
        status = plan.status if plan.status != "answered" else "clarify"
        text = str(wrong["error_zh" if reading.language == "zh" else "error"])
    if not text and found:
        text = _said(plan, found, reading)
    if not text and plan.extra.get("otherwise"):
        status, text = "clarify", str(plan.extra["otherwise"])
    if not text:
        known = reading.cards or reading.models or reading.formats or _OF_THE_FIELD.search(reading.text)
        status, text = "refused", (_NOTHING_ON_IT if known else _NOT_MY_FIELD)[reading.language]
    return status, text


def _said(plan: Plan, found: Mapping[str, dict[str, Json]], reading: Reading) -> str:
    """Say results by the plan's template or their own, then quote the passage that fits best."""
    results = {ref: outcome for ref, outcome in found.items() if "result" in outcome}
    passages = choose(reading, [passage for outcome in found.values() for passage in outcome.get("citations", [])])
    sure = ALSO_RELEVANT if results else float(plan.extra.get("sure", ALSO_RELEVANT))
    named = sure == NAMED
    passages = [passage for passage in passages if passage["score"] >= sure and (named or is_about(reading, passage))]
    if plan.extra.get("glossary"):
        passages = [passage for passage in passages if passage["article"] == GLOSSARY] or passages
    passages = with_glossary(passages, alone=not results)
    if results and plan.say:
        parts = [
            render(
                plan.say,
                results,
                given=plan.given,
                focus=plan.focus,
                language=reading.language,
                claim=plan.extra.get("claim", ""),
            )
        ]
    else:
        parts = [
            say_outcome(ref, outcome, reading.language, plan.focus, plan.given) for ref, outcome in results.items()
        ]
        if plan.extra.get("last_first"):  # what was asked for, then in a sentence each what it was worked out from
            parts = [parts[-1], *(part.partition("\n\n")[0] for part in parts[:-1])]
        passages = [passage for passage in passages if not results or passage["score"] >= ALSO_RELEVANT]
    loosely = not results and not named and any(is_loose(reading, passage) for passage in passages)
    head = _CLOSEST[reading.language] if loosely else ""
    return "\n\n".join(part for part in (*parts, head, say_passages(passages, reading.language)) if part)
