"""Everything that the environment may change, read in one place."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs
from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

# Nothing here may phone home; set before any of these libraries is imported.
os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("LANGSMITH_TRACING", "false")

BUILT_IN = "built-in"


class Settings(BaseSettings):
    """Settings from `GPU_ADVISOR_*` variables.

    Attributes:
        model: "built-in" or a LangChain name such as "openai:gpt-5" or "ollama:qwen3".
        base_url: Address of an OpenAI-compatible server (vLLM, SGLang, llama.cpp, DeepSeek, Qwen).
        api_key: Its key; the provider's own variable works too.
        data_dir: Where conversations and the article index are kept.
        embedding: "built-in" or any sentence-transformers model.
        host: Address the page binds to.
        port: Port of the page.
        timeout_s: Longest wait for one reply of a model. [s]
    """

    model_config = SettingsConfigDict(env_prefix="GPU_ADVISOR_", extra="ignore")

    model: str = BUILT_IN
    base_url: str | None = None
    api_key: SecretStr | None = None
    data_dir: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("gpu-advisor", appauthor=False)))
    embedding: str = BUILT_IN
    host: str = "127.0.0.1"
    port: int = Field(default=7860, ge=1, le=65535)
    timeout_s: float = Field(default=60.0, gt=0)
