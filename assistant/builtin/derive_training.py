"""Training over samples and epochs: how many tokens they make, and how long those take."""

from __future__ import annotations

import re
from collections.abc import Iterable

from assistant.builtin.asking import Rule, of, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.frames import frames
from assistant.builtin.options import choices
from assistant.builtin.reading import Reading
from assistant.numerals import Numeral

_HOW_LONG = words(
    r"how long|how many (?:hours|days)|hours|days|time\b", "多久|多长时间|几天|多少天|几小时|多少小时|时间"
)
_TRAIN = words(r"train|fine-?tun\w*|pre-?train|lora|qlora|sft\b", "训|微调|LoRA")
_SAMPLES = re.compile(
    r"[\s-]*(?:个|条|对)?\s*(?:training )?(?:samples?|examples?|rows?|pairs?|sequences?|documents?|conversations?|instructions?|样本|数据|对话|指令|语料|条)",
    re.IGNORECASE,
)
_EPOCHS = re.compile(r"\s*(?:个\s*)?(?:epochs?|passes|轮|遍)", re.IGNORECASE)
_FEWEST_SAMPLES = 50


def _over_samples(reading: Reading) -> Plan | None:
    """So many samples of so many tokens, or so many tokens, each seen so many times."""
    cards = reading.known_cards
    if not reading.models or len(cards) != 1 or not (_HOW_LONG.search(reading.text) and _TRAIN.search(reading.text)):
        return None
    samples = _only(
        item for item in of(reading, "", "tokens") if item.value >= _FEWEST_SAMPLES and _counts(reading, item, _SAMPLES)
    )
    epochs = _only(item for item in of(reading, "", "x") if 0 < item.value <= 1000 and _counts(reading, item, _EPOCHS))
    tokens = _only(item for item in of(reading, "tokens") if item is not samples)
    if tokens is None or (samples is None and epochs is None):
        return None
    total = tokens.value * (samples.value if samples else 1) * (epochs.value if epochs else 1)
    name, count = next(iter(cards.items()))
    arguments = {"model": reading.models[0], "tokens": total, "gpu": name, "gpu_count": count}
    arguments.update(choices(frames()["training_time"], reading))
    used = " ".join(item.text for item in (samples, epochs, tokens) if item)
    return Plan(stages=((Call("training_time", arguments),),), given=tuple(arguments), extra={"used": used})


def _only(items: Iterable[Numeral]) -> Numeral | None:
    found = list(items)
    return found[0] if len(found) == 1 else None


def _counts(reading: Reading, item: Numeral, pattern: re.Pattern[str]) -> bool:
    return pattern.match(reading.text, item.end) is not None


RULES: tuple[Rule, ...] = (_over_samples,)
