"""What an answer tells a person about a model or a store that did not do its part."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.figures import Language

_NOTES: dict[str, dict[Language, str]] = {
    "timeout": {
        "en": "The model did not reply in time; the built-in wording of the computed results is shown.",
        "zh": "模型没有按时回复，这里显示的是内置表述的计算结果。",
    },
    "busy": {
        "en": "The model's provider refused the request for now (too many requests); the built-in wording is shown.",
        "zh": "模型服务暂时拒绝请求（请求过多），这里显示内置表述。",
    },
    "full": {
        "en": "The conversation is longer than the model can read; the built-in wording is shown.",
        "zh": "对话超出了模型能读的长度，这里显示内置表述。",
    },
    "failed": {
        "en": "The model could not be reached or failed; the built-in wording of the computed results is shown.",
        "zh": "模型无法连接或出错，这里显示的是内置表述的计算结果。",
    },
    "loop": {
        "en": "The model kept calling tools without answering; the built-in wording of their results is shown.",
        "zh": "模型一直调用工具而不作答，这里显示内置表述的结果。",
    },
    "articles": {
        "en": "The place for added texts does not answer: only the packaged articles were searched. Try again in a minute.",
        "zh": "存放自添资料的地方暂时没有响应，这次只查了自带的文章，请稍后再试。",
    },
    "phrases only": {
        "en": "The model did not call the tools itself: the built-in plan chose them, the model only worded the answer.",
        "zh": "模型没有自己调用工具：由内置规划选择工具，模型只负责措辞。",
    },
}


def warnings_of(rejected: Sequence[str], notes: Sequence[str], language: Language) -> list[str]:
    """Return the warnings of an answer, in its language.

    Args:
        rejected: What of the model's wording could not be proved.
        notes: What went wrong with the model itself, or with the article search.
        language: Of the answer.
    """
    told = [_NOTES[note][language] for note in notes if note in _NOTES]
    if not rejected:
        return told
    shown = ", ".join(rejected[:5])
    return [
        *told,
        f"模型自己的措辞没有显示：{shown} 无法证实。"
        if language == "zh"
        else f"The model's own wording was not shown: {shown} could not be proved.",
    ]
