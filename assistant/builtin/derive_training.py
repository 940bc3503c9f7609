"""Training over samples and epochs: how many tokens they make, how long those take, and what that costs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from assistant.builtin.asking import Rule, Sum, calculations, money, of, plain, rate_text, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.frames import frames
from assistant.builtin.options import choices
from assistant.builtin.reading import Reading
from assistant.builtin.trying import result_of
from assistant.numerals import Numeral
from tools.api import Json, ToolInputError

_HOW_LONG = words(
    r"how long|how many (?:hours|days)|hours|days|time\b", "多久|多长时间|几天|多少天|几小时|多少小时|时间"
)
_TRAIN = words(r"train|fine-?tun\w*|pre-?train|lora|qlora|sft\b|from scratch", "训|微调|LoRA|从头")
_SAMPLES = re.compile(
    r"[\s-]*(?:个|条|对)?\s*(?:training )?(?:samples?|examples?|rows?|pairs?|sequences?|documents?|conversations?|instructions?|样本|数据|对话|指令|语料|条)",
    re.IGNORECASE,
)
_EPOCHS = re.compile(r"\s*(?:个\s*)?(?:epochs?|passes|轮|遍)", re.IGNORECASE)
_FEWEST_SAMPLES = 50
_COST = words(r"costs?|price|bill|pay|spend|how much|expensive|budget", "多少钱|费用|成本|花|电费|要付|开销")
_MEMORY = words(
    r"gb\b|gigs?\b|vram|memory|fits?\b|enough|fine\b|ok\b|need", "显存|内存|够|放得下|要多大|[0-9]G|能不能|能训"
)
_EACH = words(r"(?:per|a|each|every) (?:gpu|card)|/ ?gpu|apiece|gpu[- ]hour", "每卡|每张|每块|单卡|卡时")
_WHOLE = words(
    r"rent\w* (?:an? )?(?:\d+|two|four|eight) ?(?:x ?)?(?:gpus?|cards?|[A-Z]\d{2,3}s?)|(?:for )?(?:the|all|a) (?:whole )?(?:node|machine|server|box|cluster|eight|four|two|of them)|for all\b|per (?:node|machine|hour for)",
    r"整机|整台|每台|每节点|租(?:了|一台)?\s?[248两四八] ?(?:卡|张|块)",
)


def _over_samples(reading: Reading) -> Plan | None:
    """So many samples of so many tokens, or so many tokens, each seen so many times."""
    if not _HOW_LONG.search(reading.text):
        return None
    found = _run(reading, counted=True)
    if found is None:
        return None
    arguments, used = found
    return Plan(stages=((Call("training_time", arguments),),), given=tuple(arguments), extra={"used": used})


def _run(reading: Reading, *, counted: bool) -> tuple[dict[str, Json], str] | None:
    """Return what a training run takes, and the figures that went into it; `counted` asks for samples or epochs."""
    cards = reading.known_cards
    if not reading.models or len(cards) != 1 or not _TRAIN.search(reading.text):
        return None
    samples = _only(
        item for item in of(reading, "", "tokens") if item.value >= _FEWEST_SAMPLES and _counts(reading, item, _SAMPLES)
    )
    epochs = _only(item for item in of(reading, "", "x") if 0 < item.value <= 1000 and _counts(reading, item, _EPOCHS))
    tokens = _only(item for item in of(reading, "tokens") if item is not samples)
    if tokens is None or (counted and samples is None and epochs is None):
        return None
    total = tokens.value * (samples.value if samples else 1) * (epochs.value if epochs else 1)
    name, count = next(iter(cards.items()))
    arguments: dict[str, Json] = {"model": reading.models[0], "tokens": total, "gpu": name, "gpu_count": count}
    arguments.update(choices(frames()["training_time"], reading))
    used = " ".join(item.text for item in (samples, epochs, tokens) if item)
    return arguments, used


def _cost(reading: Reading) -> Plan | None:
    """What a training run costs: its hours times the rent of each card, or the electricity of the cards."""
    rents, tariffs = money(reading, "h"), money(reading, "kWh")
    prices = rents or tariffs
    if len(prices) != 1 or money(reading) or not (_COST.search(reading.text) and _TRAIN.search(reading.text)):
        return None
    if of(reading, "h", "days", "months"):
        return None
    run = _run(reading, counted=False)
    if run is None:
        return None
    arguments, used = run
    unit, count = prices[0].unit.partition("/")[0], arguments["gpu_count"]
    hours_en = (
        "{arguments.model} on {tokens} takes {hours} on {gpu_count} {gpu} ({low_hours} to {high_hours}, modelled)"
    )
    hours_zh = (
        "{arguments.model} 训练 {tokens}，{gpu_count} 张 {gpu} 要 {hours}（区间 {low_hours}–{high_hours}，模型估计）"
    )
    extra = {"used": f"{used} {prices[0].text}"}
    if not rents:
        watts = f"{{{{@1.hours}}}} * {count} * {{{{@2.board_power_w}}}} / 1000"
        plan = calculations(
            reading,
            [(f"{watts} * {plain(prices[0].value)} * 1 {unit}", unit), (f"{watts} * 1 kWh", "kWh")],
            f"{{all[2].value}} of electricity ({{all[3].value}}): {hours_en}. Only the cards count, at their board power.",
            f"电费 {{all[2].value}}（{{all[3].value}}）：{hours_zh}。只算显卡，按整卡功耗。",
            (Call("training_time", arguments), Call("gpu_specs", {"gpu": arguments["gpu"]})),
        )
        return replace(plan, extra=extra)
    price = rate_text(reading, prices[0])
    whole = count > 1 and _WHOLE.search(reading.text) is not None
    each, together = (
        f"{{{{@1.gpu_hours}}}} * {plain(prices[0].value)} {unit}",
        f"{{{{@1.hours}}}} * {plain(prices[0].value)} {unit}",
    )
    sums: list[Sum] = [(together if whole else each, unit)]
    en = f"About {{all[1].value}}: {hours_en}, that is {{gpu_hours}} of card time"
    zh = f"大约 {{all[1].value}}：{hours_zh}，合 {{gpu_hours}} 的单卡时间"
    if count > 1 and (whole or not _EACH.search(reading.text)):
        sums.append((each if whole else together, unit))
        taken = ("all cards together", "one card's") if whole else ("one card", "that of all cards together")
        en += f". I took {price} for {taken[0]}; if it is {taken[1]}, it is {{all[2].value}}"
        zh += f"。{price} 按{'整机' if whole else '每张卡'}算；如果是{'每张卡' if whole else '整机'}的价格，就是 {{all[2].value}}"
    plan = calculations(
        reading,
        sums,
        en + ". Storage, failed runs and evaluation come on top.",
        zh + "。存储、失败重跑和评测另算。",
        (Call("training_time", arguments),),
    )
    return replace(plan, extra=extra)


def _of_an_image_model(reading: Reading) -> Plan | None:
    """Training an image model: its activations are not known, so what running it takes is the floor."""
    if len(reading.models) != 1 or not _TRAIN.search(reading.text) or not _MEMORY.search(reading.text):
        return None
    arguments: dict[str, Json] = {"model": reading.models[0]}
    try:
        result_of("training_memory", arguments)
    except ToolInputError:
        pass
    else:
        return None
    en = (
        "I cannot work out training {arguments.model}: how much its activations take is not in my catalogue. Running it takes about {total_gb} in"
        " {weight_format}, and training needs more than that, with LoRA too. Smaller images and gradient checkpointing bring it down most."
    )
    zh = (
        "训练 {arguments.model} 我算不准：目录里没有它的激活数据。光是运行（{weight_format}）就要大约 {total_gb}，训练要更多，LoRA 也一样。"
        "图片小一些、开梯度检查点，降得最多。"
    )
    return Plan(stages=((Call("inference_memory", arguments),),), say=zh if reading.language == "zh" else en)


def _only(items: Iterable[Numeral]) -> Numeral | None:
    found = list(items)
    return found[0] if len(found) == 1 else None


def _counts(reading: Reading, item: Numeral, pattern: re.Pattern[str]) -> bool:
    return pattern.match(reading.text, item.end) is not None


RULES: tuple[Rule, ...] = (_of_an_image_model, _cost, _over_samples)
