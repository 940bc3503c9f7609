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
# A stored conversation is read as data only, never as objects of any class.
os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")

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
        chroma: Chroma server for the article index, "host:port"; the data folder if left out.
        timeout_s: Longest wait for one reply of a model. [s]
        hosts: Names under which browsers reach the page, besides those of this machine, with commas between.
        auth: Who may log in, "user:password" or "user:scrypt$..." (`python -m assistant hash-password`), one a line.
        api_keys: Keys for programs, with commas between.
        insecure: Whether to serve other machines without login or key.
        trusted_proxy: Address of the proxy whose X-Forwarded-For and -Proto are believed.
        database_url: PostgreSQL for conversations; SQLite in the data folder if left out.
        turns_at_once: Answers that are worked on at the same time. [1]
        turns_waiting: Questions that may wait for their turn; the next one is refused with 503. [1]
        longest_wait_s: Longest wait for a turn. [s]
        rate_per_minute: Requests of one client; unlimited if left out and only this machine can connect. [1/min]
        talks_kept: Most conversations of programs (/v1) that are kept; the oldest go first. [1]
        talks_days: How long one of them is kept that nobody continues. [days]
        log_questions: Whether what people ask may stand in the log.
    """

    model_config = SettingsConfigDict(env_prefix="GPU_ADVISOR_", extra="ignore")

    model: str = BUILT_IN
    base_url: str | None = None
    api_key: SecretStr | None = None
    data_dir: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("gpu-advisor", appauthor=False)))
    embedding: str = BUILT_IN
    chroma: str = ""
    host: str = "127.0.0.1"
    port: int = Field(default=7860, ge=1, le=65535)
    timeout_s: float = Field(default=60.0, gt=0)
    hosts: str = ""
    auth: SecretStr | None = None
    api_keys: SecretStr | None = None
    insecure: bool = False
    trusted_proxy: str = ""
    database_url: SecretStr | None = None
    turns_at_once: int = Field(default=16, ge=1)
    turns_waiting: int = Field(default=100, ge=0)
    longest_wait_s: float = Field(default=30.0, gt=0)
    rate_per_minute: int | None = Field(default=None, ge=1)
    talks_kept: int = Field(default=10_000, ge=0)
    talks_days: float = Field(default=30.0, gt=0)
    log_questions: bool = False
