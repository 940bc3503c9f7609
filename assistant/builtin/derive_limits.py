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


_BATCH = words(
    r"(?:max(?:imum)?|largest|biggest|highest) (?:possible )?(?:micro[- ]?)?batch|(?:how (?:large|big)|what|which) (?:an? |of an? )?(?:micro[- ]?)?batch",
    "(?:最大|多大|几|多少).{0,6}(?:batch|批)|(?:batch|批量?|批次)(?: ?size)?.{0,8}(?:最大|多大|能开|开到|设多少|上限|几)",
)


def _largest_batch(reading: Reading) -> Plan | None:
    """The largest batch of a training that a card holds."""
    memory = memory_of(reading)
    if memory is None or not reading.models or not _BATCH.search(reading.text) or not _TRAIN.search(reading.text):
        return None
    held, each_gb, count = memory
    fixed = arguments_of("training_memory", reading)
    fixed |= {"gpu_count": count} if count > 1 else {}

    def fits(batch: int) -> bool:
        return result_of("training_memory", {**fixed, "batch_size": batch})["per_gpu_gb"] <= each_gb

    size = _most(fits, _MOST_USERS)
    if size is None:
        if fits(1):
            return None
        size = 1
    calls = (Call("training_memory", {**fixed, "batch_size": size}), held)
    there_gb = f"{{{there(held, 1)}}}"
    few = f"all[0].per_gpu_gb > {there(held, 1)}"
    en = (
        f"{{% if {few} %}}Not even batch {{batch_size}} fits: {{method}} of {{arguments.model}} takes {{per_gpu_gb}} of {there_gb}. Shorter sequences, QLoRA or more cards"
        f" make room.{{% else %}}About {{batch_size}} with {{sequence_tokens}} each: {{method}} of {{arguments.model}} then takes {{per_gpu_gb}} of {there_gb},"
        " {activations_gb} of it activations. Leave a little room, because memory gets fragmented; gradient accumulation makes larger batches"
        " at no memory.{% endif %}{% if 'sequence_tokens' not in given %} How long are your sequences?{% endif %}"
    )
    zh = (
        f"{{% if {few} %}}批量 {{batch_size}} 都放不下：{{arguments.model}}（{{method}}）要 {{per_gpu_gb}}，显存是 {there_gb}。缩短序列、用 QLoRA 或加卡才行。{{% else %}}"
        f"按每条 {{sequence_tokens}}，批量大约能到 {{batch_size}}：{{arguments.model}}（{{method}}）此时占 {{per_gpu_gb}}，显存是 {there_gb}，其中激活 {{activations_gb}}。"
        "最好留一点余量，显存会有碎片；想要更大的批量，用梯度累积，不多占显存。{% endif %}{% if 'sequence_tokens' not in given %}你的序列多长？{% endif %}"
    )
    return Plan(stages=(calls,), say=zh if reading.language == "zh" else en, given=tuple(fixed))


def _most(fits: Callable[[int], bool], top: int) -> int | None:
    """Return the largest number up to `top` that fits, None if none does or all do."""
    if not fits(1) or fits(top):
        return None
    low, high = 1, top
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


RULES: tuple[Rule, ...] = (_largest_batch, _how_many_users, _longest_context)
