"""The common questions as MCP prompts: a client shows them as commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_types import GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

from tools.api import ToolInputError

_RULES = (
    " Compute every number with the tools of gpu-advisor, quote articles with title and date, say what you"
    " assumed, and ask for what is missing and decisive. Answer in my language."
)
LONGEST_VALUE = 500


@dataclass(frozen=True, slots=True)
class _Question:
    title: str
    description: str
    text: str
    arguments: dict[str, str]
    required: tuple[str, ...] = ()


_QUESTIONS = {
    "plan_a_build": _Question(
        "Plan a build",
        "A machine for a job and a budget: cards, power, cooling, running cost.",
        "Plan a machine for {use}. Budget: {budget_usd} USD. Use: {hours_per_week} hours a week. Country: {country}."
        " Start with plan_build and check the best plan with power_check and cooling_check.",
        {
            "use": "What it is for, e.g. fine-tuning Llama-3-8B.",
            "budget_usd": "What may be spent. [USD]",
            "hours_per_week": "How long it runs. [h/week]",
            "country": "Where it stands.",
        },
        ("use",),
    ),
    "buy_or_rent": _Question(
        "Buy or rent",
        "When a machine of one's own pays off against the cloud.",
        "Should I buy a machine for {desktop_usd} USD or rent at {cloud_usd_per_h} USD per hour? It would be busy"
        " {hours_per_week} hours a week. Use cloud_break_even and say what would turn the answer.",
        {
            "desktop_usd": "Price of the machine. [USD]",
            "cloud_usd_per_h": "Price of the rented one. [USD/h]",
            "hours_per_week": "How long it would be busy. [h/week]",
        },
        ("desktop_usd", "cloud_usd_per_h"),
    ),
    "will_it_fit": _Question(
        "Will the model fit",
        "Memory of a model, and the cards that hold it.",
        "Which cards hold {model} for {method}? Use inference_memory or training_memory, and decode_rate for speed.",
        {"model": "A name or a size, e.g. llama-3-70b or 13B.", "method": "Inference, or training: full, lora, qlora."},
        ("model",),
    ),
    "power_and_cooling": _Question(
        "Power and cooling",
        "Whether supply, outlet and case carry the cards.",
        "I want to run {cards} in one machine on a supply of {psu_w} W. Use power_check and cooling_check.",
        {"cards": "Cards with counts, e.g. 4 x RTX 3090.", "psu_w": "Size of the supply. [W]"},
        ("cards",),
    ),
}


def prompts() -> list[Prompt]:
    """Return every prompt with its arguments."""
    return [
        Prompt(
            name=name,
            title=question.title,
            description=question.description,
            arguments=[
                PromptArgument(name=key, description=text, required=key in question.required)
                for key, text in question.arguments.items()
            ],
        )
        for name, question in _QUESTIONS.items()
    ]


def prompt(name: str, given: Mapping[str, str]) -> GetPromptResult:
    """Return one prompt with its arguments filled in.

    Raises:
        ToolInputError: If there is no such prompt, or an argument is missing, unknown or too long.
    """
    question = _QUESTIONS.get(name)
    if question is None:
        known = ", ".join(_QUESTIONS)
        raise ToolInputError(
            f"There is no prompt {name[:60]!r}. There are: {known}.", f"没有提示词 {name[:60]!r}。现有：{known}。"
        )
    missing = [key for key in question.required if not given.get(key, "").strip()]
    unknown = [key[:60] for key in given if key not in question.arguments]
    if missing or unknown or any(len(value) > LONGEST_VALUE for value in given.values()):
        takes, needs = ", ".join(question.arguments), ", ".join(question.required)
        raise ToolInputError(
            f"{name} takes {takes}, each at most {LONGEST_VALUE} characters, and needs {needs}.",
            f"{name} 的参数是 {takes}，每个最多 {LONGEST_VALUE} 个字符，其中 {needs} 必填。",
        )
    values = {key: given.get(key, "").strip() or "(not said)" for key in question.arguments}
    text = question.text
    for key, value in values.items():
        text = text.replace(f"{{{key}}}", value)
    return GetPromptResult(
        description=question.description, messages=[PromptMessage(role="user", content=TextContent(text=text + _RULES))]
    )
