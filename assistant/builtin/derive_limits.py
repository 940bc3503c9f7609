"""How many users a card holds, and how long a context."""

from __future__ import annotations

from collections.abc import Callable

from assistant.builtin.asking import Rule, of, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.reading import Reading
from assistant.builtin.trying import arguments_of, memory_of, result_of, there

_USERS = words(
    "(?:max(?:imum)?|most) (?:number of )?(?:\\w+ )?(?:users|requests|clients)|how many (?:\\w+ ){0,3}(?:users|people|requests|sequences|sessions|clients|streams|chats)",
    "(?:多少|几)个?(?:人|用户|并发|会话|请求|路)|并发[^，,]{0,4}(?:多少|几)|最(?:多|大)并发",
)
_CONTEXT = words(
    "(?:longest|max(?:imum)?|largest|biggest) (?:possible )?(?:context|sequence|prompt|window)|(?:what|which|how (?:long|much|large|big)(?: an?)?) context|"
    "how many tokens of context",
    "最[长大].{0,6}(?:上下文|序列|多长)|(?:上下文|序列).{0,8}(?:最长|最大|多长|多大|上限)|多长的?上下文|(?:最多|能|可以).{0,4}多少(?:的)?上下文",
)
_TRAIN = words("train|fine-?tun|lora|qlora|full[- ]param", "训练|微调|全参|LoRA")
_RATE = words("tok(?:en)?s? ?/ ?s|tokens? per|how fast|speed", "token ?/ ?(?:s|秒)|每秒|多快|速度")
# Lengths are tried in steps of so many tokens, up to a million.
_STEP, _MOST_STEPS = 256, 4096
_MOST_USERS = 4096


def _how_many_users(reading: Reading) -> Plan | None:
    memory = memory_of(reading)
    if (
        memory is None
        or not reading.models
        or not _USERS.search(reading.text)
        or _RATE.search(reading.text)
        or of(reading, "tokens/s", "USD", "USD/h")
    ):
        return None
    held, each_gb, count = memory
    fixed = arguments_of("inference_memory", reading)
    fixed.pop("batch_size", None)
    if count > 1:
        fixed["gpu_count"] = count

    def fits(users: int) -> bool:
        return result_of("inference_memory", {**fixed, "batch_size": users})["per_gpu_gb"] <= each_gb

    low = _most(fits, _MOST_USERS)
    if low is None:
        return None
    calls = (Call("inference_memory", {**fixed, "batch_size": low}), held)
    en = (
        "About {batch_size} at once by memory, each with {context_tokens} of context: {arguments.model} in {weight_format} then takes"
        f" {{per_gpu_gb}}{' on each card' if count > 1 else ''} of {{{there(held, 1)}}}, and its weights alone {{weights_gb}}. An engine that"
        " shares the cache holds more, because few use their whole length. How fast each of them gets is another question: ask me for the speed with that many."
    )
    zh = (
        "按显存大约 {batch_size} 个，每个上下文 {context_tokens}："
        f"{{arguments.model}}（{{weight_format}}）此时{'每张卡' if count > 1 else ''}占 {{per_gpu_gb}}，显存是 {{{there(held, 1)}}}，其中权重 {{weights_gb}}。"
        "不是人人都用满长度，引擎按需分配时能放更多。速度是另一回事：要不要按这个并发算每人多快？"
    )
    return Plan(stages=(calls,), say=zh if reading.language == "zh" else en)


def _longest_context(reading: Reading) -> Plan | None:
    memory = memory_of(reading)
    lengths = [item for item in of(reading, "tokens", "") if item.value >= 512]
    if memory is None or not reading.models or lengths or not _CONTEXT.search(reading.text):
        return None
    held, each_gb, count = memory
    training = _TRAIN.search(reading.text) is not None
    tool, length = ("training_memory", "sequence_tokens") if training else ("inference_memory", "context_tokens")
    fixed = {**arguments_of(tool, reading), **({"gpu_count": count} if count > 1 else {})}

    def fits(steps: int) -> bool:
        return result_of(tool, {**fixed, length: _STEP * steps})["per_gpu_gb"] <= each_gb

    low = _most(fits, _MOST_STEPS)
    if low is None:
        return None
    calls = (Call(tool, {**fixed, length: _STEP * low}), held)
    if training:
        en = f"About {{sequence_tokens}} at batch {{batch_size}}: {{method}} of {{arguments.model}} then takes {{per_gpu_gb}} of {{{there(held, 1)}}}, {{activations_gb}} of it activations."
        zh = f"批量 {{batch_size}} 时大约 {{sequence_tokens}}：{{arguments.model}}（{{method}}）此时占 {{per_gpu_gb}}，显存是 {{{there(held, 1)}}}，其中激活 {{activations_gb}}。"
        return Plan(stages=(calls,), say=zh if reading.language == "zh" else en)
    en = (
        "About {context_tokens} by memory: {arguments.model} in {weight_format} then takes"
        f" {{per_gpu_gb}}{' on each card' if count > 1 else ''} of {{{there(held, 1)}}}, {{weights_gb}} of it weights and {{kv_cache_gb}} cache."
        " {% for line in warnings[:1] %}{line} {% endfor %}A smaller cache format or fewer bits per weight make room for more."
    )
    zh = (
        "按显存大约 {context_tokens}："
        f"{{arguments.model}}（{{weight_format}}）此时{'每张卡' if count > 1 else ''}占 {{per_gpu_gb}}，显存是 {{{there(held, 1)}}}，其中权重 {{weights_gb}}、缓存 {{kv_cache_gb}}。"
        "{% for line in warnings_zh[:1] %}{line}{% endfor %}量化 KV 缓存或用更低位的权重，还能再长。"
    )
    return Plan(stages=(calls,), say=zh if reading.language == "zh" else en)


def _most(fits: Callable[[int], bool], top: int) -> int | None:
    """Return the largest number up to `top` that fits, None if none does or all do."""
    if not fits(1) or fits(top):
        return None
    low, high = 1, top
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


RULES: tuple[Rule, ...] = (_how_many_users, _longest_context)
