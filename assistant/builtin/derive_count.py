"""Questions that turn a tool round: the largest model for a card, how many cards, how many users, how many on an outlet.

The tools answer "does it fit?". Here they are tried at plan time until the answer changes, and the two calls on either
side of the change are made, so that every figure of the answer is a tool's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from assistant.builtin.asking import Rule, near, of, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.frames import frames
from assistant.builtin.options import choices
from assistant.builtin.reading import Reading
from assistant.builtin.slots import fill
from assistant.builtin.trying import arguments_of, memory_of, result_of, there
from tools.api import Json

_LARGEST = words(
    r"(?:biggest|largest|max(?:imum)?)\b.{0,24}(?:model|llms?\b|llama|qwen|parameters|params|one (?:i|it|you))|how (?:big|large) (?:a |an |of an? )?"
    r"(?:\w+ )?(?:model|llm)|what (?:models?|llms?|size)? ?(?:can|could|will) (?:i|it|this|that|my \w+) (?:run|handle|fit|load|use)\b|what can (?:i|it|this|that) (?:run|handle|fit)|(?:run|handle|do) any(?:thing|\w*) useful|"
    r"which (?:models?|llms?) (?:can|could|will|fits?|runs?)",
    "(?:能|可以|够)(?:跑|带|玩|装|放)(?:得动|得下)?(?:什么|哪些|啥)(?!卡|显卡)|(?:什么|哪些)(?:大)?模型(?:能跑|跑得动|放得下)|最大.{0,8}(?:模型|参数|多大)|(?:跑|放|装|用|塞).{0,4}多大.{0,3}(?:的)?(?:模型|参数|LLM)|多大的?模型",
)
_HOW_MANY = words(
    r"how many (?!(?:\w+ )?(?:users?|people|clients|requests|tokens|hours|days|watts)\b)(?:of (?:them|these) |such )?(?:\w+ ){0,3}(?:cards?|gpus?|\d{4}s?|[AHLV]\d{2,3}\w*)\b|how many (?:do|would|will) (?:i|we) need|how many\W*$|"
    r"(?:minimum |smallest |least )?number of (?:\w+ ){0,3}(?:cards|gpus)",
    "几张|几块|几片|多少张|多少块|几卡|多少卡",
)
_TRAIN = words("train|fine-?tun|lora|qlora|full[- ]param", "训练|微调|全参|LoRA")
_OUTLET = words("outlet|circuit|breaker|socket|plug", "插座|空开|断路器|线路|回路")
_EACH = words("each|apiece|per (?:card|gpu)|at|limit|cap", "每张|每卡|每块|各|限")
# Sizes in which models are usually published. [1e9 parameters]
_SIZES = (1, 1.5, 3, 4, 7, 8, 9, 12, 14, 20, 24, 27, 32, 34, 49, 70, 72, 104, 123, 235, 405, 671)
_COUNTS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32, 40, 48, 64, 96, 128)
# The number of cards of the first call.
_COUNT = "{% for count in arguments.cards.values() %}{count}{% endfor %}"
# The room that the tools' own sentences ask for before they say "fits".
_SLACK = 1.06
_USUAL_FORMAT = "Q4_K_M"


def _last_that(fits: Callable[[Any], bool], options: Iterable[Any]) -> tuple[Any, Any]:
    """Return the last option that fits and the first that does not; None where there is none."""
    last = None
    for option in options:
        if not fits(option):
            return last, option
        last = option
    return last, None


def _largest_model(reading: Reading) -> Plan | None:
    memory = memory_of(reading)
    if memory is None or reading.models or not _LARGEST.search(reading.text):
        return None
    held, each_gb, count = memory
    training = _TRAIN.search(reading.text) is not None
    tool = "training_memory" if training else "inference_memory"
    fixed = arguments_of(tool, reading)
    if count > 1:
        fixed["gpu_count"] = count
        if training and fixed.get("method", "full") == "full":
            fixed.setdefault("zero_stage", 3)
    if not training:
        fixed.setdefault("weight_format", _USUAL_FORMAT)

    def fits(size: float) -> bool:
        return result_of(tool, {**fixed, "model": f"{size:g}B"})["per_gpu_gb"] * _SLACK <= each_gb

    last, beyond = _last_that(fits, _SIZES)
    if last is None or beyond is None:
        return None
    calls = (*(Call(tool, {**fixed, "model": f"{size:g}B"}) for size in (last, beyond)), held)
    how = "{weight_format}" if not training else "{method}"
    each_en, each_zh = (" on each card", "每张卡") if count > 1 else ("", "")
    en = (
        f"About {{arguments.model}} ({how}): it takes {{per_gpu_gb}}{each_en} of {{{there(held, 2)}}}. The next usual size, {{all[1].arguments.model}}, needs"
        " {all[1].per_gpu_gb}. "
        + ("" if training else "Counted for {context_tokens} of context; ")
        + "fewer bits or a shorter context make room. Which model do you have in mind?"
    )
    zh = (
        f"大约 {{arguments.model}}（{how}）：{each_zh}占 {{per_gpu_gb}}，显存是 {{{there(held, 2)}}}。再大一档的 {{all[1].arguments.model}} 要 {{all[1].per_gpu_gb}}，"
        ""
        + ("" if training else "上下文按 {context_tokens}算；")
        + "位数更低、上下文更短还能再大一点。你想用哪个模型？"
    )
    return Plan(stages=(calls,), say=zh if reading.language == "zh" else en)


def _how_many_cards(reading: Reading) -> Plan | None:
    memory = memory_of(reading)
    if (
        memory is None
        or not reading.models
        or not _HOW_MANY.search(reading.text)
        or of(reading, "A", "V", "USD", "h", "days")
    ):
        return None
    held, each_gb, stated = memory
    if stated > 1 or any(card.stated and card.count > 1 for card in reading.cards):
        return None
    training = _TRAIN.search(reading.text) is not None
    tool = "training_memory" if training else "inference_memory"
    fixed = arguments_of(tool, reading)
    if training:
        fixed.setdefault("zero_stage", 3)
    if not training:
        users = fill(frames()[tool], reading.text, reading.quantities).get("batch_size")
        fixed |= {"batch_size": int(users)} if users else {}

    def too_small(count: int) -> bool:
        return result_of(tool, {**fixed, "gpu_count": count})["per_gpu_gb"] * _SLACK > each_gb

    less, enough = _last_that(too_small, _COUNTS)
    if enough is None:
        return None
    counts = [enough] if less is None else [enough, less]
    calls = (*(Call(tool, {**fixed, "gpu_count": count}) for count in counts), held)
    at = len(counts)
    of_en, of_zh = (
        (" with {method}, sharded", "（{method}，分片）")
        if training
        else (" in {weight_format}", "（{weight_format}）")
    )
    en = f"{{arguments.gpu_count}}: {{arguments.model}}{of_en} takes {{per_gpu_gb}} on each, and a card has {{{there(held, at)}}}."
    zh = (
        f"{{arguments.gpu_count}} 张：{{arguments.model}}{of_zh}每张卡占 {{per_gpu_gb}}，每张有 {{{there(held, at)}}}。"
    )
    if less is not None:
        en += " With {all[1].arguments.gpu_count} it would be {all[1].per_gpu_gb}, too much."
        zh += "{all[1].arguments.gpu_count} 张的话每张要 {all[1].per_gpu_gb}，还得加卡。"
    if not training:
        en += " Counted for {context_tokens} of context and {batch_size} at once; tensor parallelism wants a number that splits the model evenly."
        zh += "上下文按 {context_tokens}、并发 {batch_size} 算；张量并行的张数要能把模型均分。"
    return Plan(stages=(calls,), say=zh if reading.language == "zh" else en)


def _cards_on_outlet(reading: Reading) -> Plan | None:
    amps, volts, cards = of(reading, "A"), of(reading, "V"), reading.known_cards
    if (
        len(amps) != 1
        or len(volts) > 1
        or len(cards) != 1
        or not _HOW_MANY.search(reading.text)
        or not _OUTLET.search(reading.text)
    ):
        return None
    usual = 220.0 if reading.language == "zh" else (120.0 if amps[0].value in (15, 20, 30) else 230.0)
    fixed: dict[str, Json] = {"outlet_v": volts[0].value if volts else usual, "outlet_a": amps[0].value}
    each = [item for item in of(reading, "W") if near(reading, item, _EACH, 12)]
    if len(each) == 1 and len(of(reading, "W")) == 1:
        fixed["power_limit_w"] = each[0].value
    elif of(reading, "W"):
        return None
    name = next(iter(cards))

    def holds(count: int) -> bool:
        found = result_of("power_check", {**fixed, "cards": {name: count}})
        return found["wall_w"] <= found["outlet_limit_w"]

    last, beyond = _last_that(holds, range(1, 65))
    if last is None or beyond is None:
        return None
    calls = tuple(Call("power_check", {**fixed, "cards": {name: count}}) for count in (last, beyond))
    en = (
        f"{_COUNT} on that outlet: the machine then takes {{wall_w}} from the wall, and the outlet carries {{outlet_limit_w}} for hours. With one more it"
        " would be {all[1].wall_w}. {% for line in assumptions[:2] %}{line} {% endfor %}"
    )
    zh = (
        f"{_COUNT} 张：整机从墙上取 {{wall_w}}，插座可持续 {{outlet_limit_w}}；再加一张就要 {{all[1].wall_w}}。"
        "{% for line in assumptions_zh[:2] %}{line}{% endfor %}"
    )
    return Plan(stages=(calls,), say=zh if reading.language == "zh" else en)


def _cards_on_supply(reading: Reading) -> Plan | None:
    """How many cards a supply carries with room to spare, and what one more would ask of it."""
    supplies, cards = of(reading, "W"), reading.known_cards
    if len(cards) != 1 or not _HOW_MANY.search(reading.text) or reading.models or of(reading, "A", "V"):
        return None
    told = fill(frames()["power_check"], reading.text, reading.quantities)
    if "psu_w" not in told or len(supplies) > 2 or any(card.stated and card.count > 1 for card in reading.cards):
        return None
    name = next(iter(cards))
    kept = {key: told[key] for key in ("psu_w", "power_limit_w", "platform_w") if key in told}
    fixed: dict[str, Json] = {**kept, **choices(frames()["power_check"], reading)}

    def carries(count: int) -> bool:
        return result_of("power_check", {**fixed, "cards": {name: count}})["verdict"] == "fits"

    last, beyond = _last_that(carries, range(1, 65))
    if last is None or beyond is None:
        return None
    calls = tuple(Call("power_check", {**fixed, "cards": {name: count}}) for count in (last, beyond))
    en = (
        f"{_COUNT}: the machine then takes {{system_w}} of the {{psu_w}} supply. With one more the machine takes {{all[1].system_w}}, and spikes may trip the supply."
        " {% for line in assumptions[:2] %}{line} {% endfor %}"
    )
    zh = (
        f"{_COUNT} 张：整机 {{system_w}}，电源 {{psu_w}}；再加一张就要 {{all[1].system_w}}，给瞬时尖峰留的余量不够。"
        "{% for line in assumptions_zh[:2] %}{line}{% endfor %}"
    )
    return Plan(stages=(calls,), say=zh if reading.language == "zh" else en, given=tuple(fixed))


RULES: tuple[Rule, ...] = (_cards_on_outlet, _cards_on_supply, _how_many_cards, _largest_model)
