"""Settings to a chat model: the built-in one, or any that LangChain knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_core.language_models import BaseChatModel

from assistant.settings import BUILT_IN, Settings


class ModelSettingError(ValueError):
    """The model setting cannot be used; the message says how to mend it."""


def chat_model(settings: Settings) -> BaseChatModel:
    """Return the model that the settings name.

    Raises:
        ModelSettingError: If the name is no "provider:model", or its provider is not installed.
    """
    if settings.model == BUILT_IN:
        from assistant.builtin.model import BuiltInModel

        return BuiltInModel()
    if ":" not in settings.model:
        raise ModelSettingError(
            f"GPU_ADVISOR_MODEL must be '{BUILT_IN}' or 'provider:model', e.g."
            f" 'openai:gpt-5' or 'ollama:qwen3', got {settings.model!r}."
        )
    from langchain.chat_models import init_chat_model

    options: dict[str, Any] = {"timeout": settings.timeout_s, "max_retries": 0}  # `Steady` waits and repeats
    if settings.base_url:
        options["base_url"] = settings.base_url
    if settings.api_key:
        options["api_key"] = settings.api_key.get_secret_value()
    elif settings.base_url:
        options["api_key"] = "none"  # local servers take any key, the client insists on one
    try:
        # Its overloads know no keyword of a provider.
        make: Callable[..., BaseChatModel] = init_chat_model  # pyright: ignore[reportAssignmentType, reportUnknownVariableType]
        return make(settings.model, **options)  # pyright: ignore[reportUnknownVariableType]
    except (ImportError, ValueError) as error:
        reason = str(error)
        if settings.api_key:
            reason = reason.replace(settings.api_key.get_secret_value(), "***")
        raise ModelSettingError(f"The model {settings.model!r} cannot be set up: {reason}") from None


def is_built_in(model: BaseChatModel) -> bool:
    """Whether a model is the built-in one, which phrases by reference only."""
    return getattr(model, "is_gpu_advisor_built_in", False)
