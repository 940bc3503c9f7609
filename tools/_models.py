"""Read model names and sizes as people type them: "Llama 3 8B", "llama3 70b", "13B", "130亿"."""

from __future__ import annotations

import dataclasses
import re
import unicodedata
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache, lru_cache

from tools._catalog import Model, models
from tools._config import is_config, model_of_config
from tools._errors import ToolInputError, count, number
from tools._result import Source, Text
from tools._shapes import SHAPE_SOURCE, generic_model

# Words that say how a model was packed or tuned, not which one it is.
_PACKING = {
    "instruct",
    "chat",
    "base",
    "hf",
    "model",
    "it",
    "the",
    "version",
    "dense",
    "gguf",
    "awq",
    "gptq",
    "int4",
    "int8",
    "fp16",
    "bf16",
    "fp8",
    "nf4",
    "4bit",
    "8bit",
    "meta",
    "google",
    "openai",
    "alibaba",
    "模型",
    "大模型",
    "参数",
    "parameters",
    "params",
    "parameter",
}
_SPELLINGS = (("通义千问", "qwen"), ("千问", "qwen"), ("深度求索", "deepseek"), ("羊驼", "llama"))
_WORD = re.compile(
    r"\d+x\d+(?:\.\d+)?b|\d+(?:\.\d+)?b(?![a-z])|\b[a-z]\d+(?:\.\d+)?b?(?![a-z])"
    r"|(?:int|fp|bf|nf)\d+|\d+bit|[a-z]+|\d+(?:\.\d+)?|[一-鿿]+"
)
_SIZE = re.compile(
    r"(?:about|约)?\s*(\d+(?:\.\d+)?)\s*(b|bn|billion|亿|m|million|百万|万)\s*"
    r"(?:参数|模型|的|大|dense|parameters?|params?|models?|\s)*"
)
_BILLIONS = {"b": 1.0, "bn": 1.0, "billion": 1.0, "亿": 0.1, "m": 1e-3, "million": 1e-3, "百万": 1e-3, "万": 1e-5}
_NUMBER_OF_BILLIONS = re.compile(r"\d+(?:\.\d+)?b")
MOST_PARAMETERS_B = 20_000.0
SHAPE_HINT = Text(
    "It stands in the model's config.json, e.g. layers 32, kv_heads 8, head_dim 128.",
    "请看模型的 config.json，例如 layers 32、kv_heads 8、head_dim 128。",
)
CONFIG_NOTE = Text(
    "The shape is that of the config.json you gave; parameters are counted from it.",
    "结构取自你给的 config.json，参数量由结构算出。",
)
SIZE_HINT = Text("Give billions of parameters, e.g. 7 for a 7B model.", "请给出参数量（十亿），例如 7B 写 7。")


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model with a shape, and what had to be assumed to get there."""

    model: Model
    assumptions: tuple[Text, ...]
    sources: tuple[Source, ...]


def find_model(
    name: object,
    argument: str = "model",
    *,
    layers: int | None = None,
    kv_heads: int | None = None,
    head_dim: int | None = None,
    hidden_size: int | None = None,
    parameters_b: float | None = None,
) -> FoundModel:
    """Return the model a person means, with the figures they gave themselves put in.

    Args:
        name: Name or size.
        argument: Argument name for the message.
        layers: Own number of layers. [1]
        kv_heads: Own number of key and value heads. [1]
        head_dim: Own width of one head. [1]
        hidden_size: Own width of the model. [1]
        parameters_b: Own number of parameters. [1e9]

    Raises:
        ToolInputError: If there is no such model; the message offers the nearest names.
    """
    own: dict[str, float | int] = {}
    for key, value, high in (
        ("layers", layers, 2000),
        ("kv_heads", kv_heads, 2048),
        ("head_dim", head_dim, 4096),
        ("hidden_size", hidden_size, 200_000),
    ):
        if value is not None:
            own[key] = count(key, value, high=high, hint=SHAPE_HINT)
    if parameters_b is not None:
        own["parameters_b"] = number("parameters_b", parameters_b, "billion", high=MOST_PARAMETERS_B, hint=SIZE_HINT)
    found = _find(_text(name, argument), argument, own.get("parameters_b"))
    if not own:
        return found
    given = ", ".join(f"{key} = {value:g}" for key, value in own.items())
    # A given shape speaks of plain attention: it replaces a compressed or windowed cache.
    plain = (
        {"kv_lora_rank": None, "qk_rope_head_dim": None, "sliding_window_tokens": None, "sliding_window_layers": None}
        if {"kv_heads", "head_dim"} & own.keys()
        else {}
    )
    if "layers" in own:
        plain["kv_layers"] = None
    # `own` and `plain` hold fields of Model by construction; the type checker cannot see that.
    changed = dataclasses.replace(found.model, **own, **plain)  # pyright: ignore[reportArgumentType]
    return FoundModel(
        changed, (*found.assumptions, Text(f"Given by you: {given}.", f"你给出的数值：{given}。")), found.sources
    )


def _text(name: object, argument: str) -> str:
    if isinstance(name, str) and is_config(name):
        return name
    if isinstance(name, str) and 0 < len(name.strip()) <= 100:
        return name.strip()
    shown = repr(name) if len(repr(name)) < 60 else f"{repr(name)[:57]}..."
    raise ToolInputError(
        f"`{argument}` must be a model's name or size, got {shown}. Give one such as 'llama-3-8b' or '13B'.",
        f"`{argument}` 应当是模型名称或参数量，收到的是 {shown}。请写成 'llama-3-8b' 或 '13B' 这样。",
    )


def _find(text: str, argument: str, parameters_b: float | None) -> FoundModel:
    if is_config(text):
        return FoundModel(model_of_config(text), (CONFIG_NOTE,), ())
    size = size_b(text)
    if size is not None:
        number(argument, size, "billion", high=MOST_PARAMETERS_B, hint=SIZE_HINT)
        return _generic(size)
    known, others = match(text)
    if known is not None:
        return FoundModel(known, _read_as(text, known, others), (source_of_model(known),))
    if parameters_b is not None:
        return _generic(parameters_b)
    near = nearest(text)
    guess = f" Did you mean {' or '.join(repr(model) for model in near)}?" if near else ""
    rat = f"是不是 {'、'.join(near)}？" if near else ""
    raise ToolInputError(
        f"`{argument}` {text!r} is not in the catalogue.{guess} You can also give its size, e.g. '7B', "
        "or `parameters_b` with `layers`, `kv_heads` and `head_dim`.",
        f"目录里没有 {text!r} 这个模型（`{argument}`）。{rat}也可以给参数量，例如 '7B'，"
        "或者 `parameters_b` 加 `layers`、`kv_heads`、`head_dim`。",
    )


def _generic(size: float) -> FoundModel:
    model, note = generic_model(size)
    return FoundModel(model, (note,), (SHAPE_SOURCE,))


def _read_as(text: str, known: Model, others: tuple[str, ...]) -> tuple[Text, ...]:
    if not others:
        return ()
    rest = ", ".join(others[:4])
    return (
        Text(
            f"'{text}' is read as {known.name}; there are also {rest}.", f"“{text}”按 {known.name} 理解；另有 {rest}。"
        ),
    )


def source_of_model(model: Model) -> Source:
    """Return where the catalogue's figures for a model come from."""
    url = model.source if model.source.startswith("http") else ""
    return Source(f"{model.name}: configuration" + ("" if url else f" ({model.source})"), url, model.as_of)


def size_b(text: str) -> float | None:
    """Return billions of parameters if the text is nothing but a size."""
    size = _SIZE.fullmatch(unicodedata.normalize("NFKC", text).lower().strip())
    return float(size[1]) * _BILLIONS[size[2]] if size else None


def words_of_model(name: str) -> frozenset[str]:
    """Split a model's name into its telling words."""
    text = unicodedata.normalize("NFKC", name).lower().replace("×", "x")
    for spelling, latin in _SPELLINGS:
        text = text.replace(spelling, f" {latin} ")
    text = re.sub(r"^[\w.-]+/", "", text.strip())
    text = re.sub(r"(?<=[a-z]{2})(?=[vr]\d)", " ", text)
    text = re.sub(r"(\d+)\s*亿", lambda size: f" {int(size[1]) / 10:g}b ", text)
    text = re.sub(r"(?<=\d)\s+b\b", "b", re.sub(r"[-_/()（）,:]", " ", text))
    return frozenset(word.removesuffix(".0") for word in _WORD.findall(text) if word not in _PACKING)


@cache
def _index() -> tuple[tuple[Model, frozenset[str]], ...]:
    return tuple((model, words_of_model(name)) for model in models() for name in (model.name, *model.aliases))


@lru_cache(maxsize=512)
def match(name: str) -> tuple[Model | None, tuple[str, ...]]:
    """Return the catalogue's model for a name, and the others the name could mean."""
    asked = words_of_model(name)
    if not asked:
        return None, ()
    exact = [model for model, words in _index() if words == asked]
    if exact:
        return exact[0], ()
    # One word may be left out ("llama 8b" for "llama 3 8b"), but never the size when sizes differ.
    near = [model for model, words in _index() if asked < words and len(words - asked) == 1]
    names = dict.fromkeys(model.name for model in near)
    sizeless = not any(_NUMBER_OF_BILLIONS.search(word) for word in asked)
    if not near or (sizeless and len(names) > 1):
        return None, ()
    return near[0], tuple(other for other in names if other != near[0].name)


def nearest(name: str, limit: int = 3) -> list[str]:
    """Return catalogue names close to one that is not there: shared words first, then spelling."""
    asked = words_of_model(name)
    lowered = name.lower()
    ranked = sorted(
        (
            (len(asked & words), SequenceMatcher(None, lowered, model.name).ratio(), model.name)
            for model, words in _index()
        ),
        reverse=True,
    )
    return list(dict.fromkeys(known for common, alike, known in ranked if common or alike > 0.6))[:limit]
