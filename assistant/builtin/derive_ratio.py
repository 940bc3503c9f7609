"""Ratios of figures that a question brings: faster, slower, percent, from one value to another."""

from __future__ import annotations

import re

from assistant.builtin.asking import Rule, Sum, calculation, calculations, near, of, plain, words
from assistant.builtin.calls import Plan
from assistant.builtin.reading import Reading
from assistant.numerals import Numeral

_COMPARED = words(
    "faster|slower|times|quicker|speed-?up|gap|percent|lose|loss|gain|worse|normal|broken|lower|higher|missed?",
    "快|慢|倍|差距|百分之|损失|提升|降|低于|高于|正常|说得通|合理|划算",
)
_FROM_TO = re.compile(
    r"(?:from|rises?|falls?|drops?|went|goes|climbs?)\s+(?:from\s+)?$|(?:从|由)\s*$", re.IGNORECASE | re.ASCII
)
_TO = re.compile(r"^\D{0,14}?(?:\bto\b|到|至|降到|升到|->|→)\s*$", re.IGNORECASE | re.ASCII)
_SIDE = words("side|resolution|imgsz|image size|pixels?|wide|px", "边长|分辨率|尺寸|像素")
_AREA = words("activations?|memory|pixels?|times|compute", "激活|显存|倍|计算量")
_PER_STEP = words("s/it|sec(?:onds)?/it|s per (?:it|step)|s/step", "s/it|秒/步|s/step")
_BATCHES = words("batch", "批")
_SAME_BATCH = words("per (?:card|gpu)|each card|batch", "每卡|每张|batch|批")
_LANES = words("lanes?|pcie|x(?:4|8|16)\\b", "通道|PCIe")
_WIDTH = re.compile(r"(?<![A-Za-z0-9])x(4|8|16)\b|每卡\s*x?(4|8|16)", re.IGNORECASE | re.ASCII)
_LESS_IS_BETTER = ("h", "ms", "s", "s/it", "days")
# Quantities of these kinds are held against each other when a question brings exactly two.
_KINDS = ("tokens/s", "h", "ms", "s", "days", "samples/s", "TFLOPS", "GB/s", "")


def _from_to(reading: Reading) -> Plan | None:
    """ "from 46 to 60", "68.55 降到 64.97": by how many percent it changed."""
    pairs: list[tuple[Numeral, Numeral]] = []
    for one, other in zip(reading.quantities, reading.quantities[1:], strict=False):
        between = reading.text[one.end : other.start]
        before = reading.text[max(0, one.start - 24) : one.start]
        if (
            _TO.match(between)
            and (_FROM_TO.search(before) or "降到" in between or "升到" in between)
            and one.value > 0
            and (one.unit == other.unit or not one.unit or not other.unit)
        ):
            pairs.append((one, other))
    pairs = [
        pair
        for pair in pairs
        if not {"W", "°C", "cards", "h", "USD/h"} & {pair[0].unit, pair[1].unit}
        and (pair[0].unit or not _BATCHES.search(reading.text))
    ]
    rates = _two(reading, "tokens/s")
    if rates and not any(set(rates) & set(pair) for pair in pairs):
        pairs.append(rates)
    if not 1 <= len(pairs) <= 3 or not _COMPARED.search(reading.text):
        return None
    return _changes(reading, pairs)


def _two(reading: Reading, unit: str) -> tuple[Numeral, Numeral] | None:
    found = of(reading, unit)
    return (found[0], found[1]) if len(found) == 2 and 0 not in (found[0].value, found[1].value) else None


def _changes(reading: Reading, pairs: list[tuple[Numeral, Numeral]]) -> Plan:
    sums: list[Sum] = []
    en: list[str] = []
    zh: list[str] = []
    for index, (one, other) in enumerate(pairs):
        more = other.value >= one.value
        big, small = (
            f"{plain(other.value)} / {plain(one.value)} - 1",
            f"1 - {plain(other.value)} / {plain(one.value)}",
        )
        sums += [(big if more else small, "%"), (f"{plain(one.value)} / {plain(other.value)}", "x")]
        a, b = one.text.strip(), other.text.strip()
        en.append(
            f"{a} to {b} is {{all[{2 * index}].value}} {'more' if more else 'less'}: the first is {{all[{2 * index + 1}].value}} of the second."
        )
        zh.append(
            f"从 {a} 到 {b}，{'多' if more else '少'} {{all[{2 * index}].value}}（前者是后者的 {{all[{2 * index + 1}].value}}）。"
        )
    note_en = (
        (
            " Writing tokens for a single user waits for memory bandwidth, so clocks and heat cost it less than training. Several cards add"
            " communication: latency may improve while the sum over many users falls. Fewer bits mean a smaller model first of all;"
            " unpacking them may cost speed unless the kernels are made for it."
        )
        if _of_speed(reading)
        else ""
    )
    note_zh = (
        (
            "单人生成主要等显存带宽，频率和温度对它影响小，对训练影响大。拆到多卡要加通信：单人延迟会变好，多人总吞吐可能反而下降。"
            "量化首先是为了放进显存，没有专门的算子时解包反而拖累速度。"
        )
        if _of_speed(reading)
        else ""
    )
    return calculations(reading, sums, " ".join(en) + note_en, "".join(zh) + note_zh)


def _of_speed(reading: Reading) -> bool:
    return bool(of(reading, "tokens/s"))


def _two_of_a_kind(reading: Reading) -> Plan | None:
    """Exactly two quantities of a kind, and a word that compares them."""
    if not _COMPARED.search(reading.text) or of(reading, "W", "USD/h", "kWh", "g/kWh"):
        return None
    for unit in _KINDS:
        pair = _two(reading, unit) if unit else _two_decimals(reading)
        if pair is None or pair[0].value == pair[1].value:
            continue
        low, high = sorted(pair, key=lambda item: item.value)
        slow, fast = (high, low) if unit in _LESS_IS_BETTER else (low, high)
        rent_en = " If you rent, the faster one is the better deal while its price per hour is below that ratio."
        rent_zh = "要是租卡：小时单价之比低于这个倍数，就选快的。"
        rents = re.search(r"\brent|租", reading.text, re.IGNORECASE)
        return calculations(
            reading,
            [
                (f"{plain(high.value)} / {plain(low.value)}", "x"),
                (f"1 - {plain(low.value)} / {plain(high.value)}", "%"),
            ],
            f"{{value}}: {fast.text.strip()} against {slow.text.strip()}, a gap of {{all[1].value}}."
            + (rent_en if rents else ""),
            f"{{value}}：{fast.text.strip()} 对 {slow.text.strip()}，相差 {{all[1].value}}。"
            + (rent_zh if rents else ""),
        )
    return None


def _two_decimals(reading: Reading) -> tuple[Numeral, Numeral] | None:
    """Two measured values without a unit, such as throughputs of 1.32 and 1.46."""
    found = [
        item for item in of(reading, "") if item.raw != int(item.raw) and not item.in_words and 0.01 < item.raw < 1000
    ]
    return (found[0], found[1]) if len(found) == 2 else None


def _one_against_range(reading: Reading) -> Plan | None:
    """A range and a single value of one kind: "0.44-0.47 s/step against 0.74"."""
    for unit in ("s/it", "s", "ms", "h", "tokens/s"):
        found = of(reading, unit)
        if (
            len(found) == 3
            and re.fullmatch(r"\s*(?:-|–|~|to|到|至)\s*", reading.text[found[0].end : found[1].start])
            and _COMPARED.search(reading.text)
            and all(item.value > 0 for item in found)
        ):
            low, high, single = found
            top = [(f"{plain(single.value)} / {plain(item.value)}", "x") for item in (high, low)]
            return calculations(
                reading,
                top,
                f"{{value}} to {{all[1].value}}: {low.text.strip()} to {high.text.strip()} against {single.text.strip()}. With a"
                " single sample at a time one CPU thread may be what everything waits for, whatever the card.",
                f"{{value}}到 {{all[1].value}}：{low.text.strip()}–{high.text.strip()} 对 {single.text.strip()}。一次只处理一个样本时，往往是单个 CPU 线程在拖，换卡看不出差别。",
            )
    return None


def _squared(reading: Reading) -> Plan | None:
    """Two side lengths of an image: what grows with the area."""
    sides = [item for item in of(reading, "") if 64 <= item.value <= 16384 and near(reading, item, _SIDE, 30)]
    sides = sides or [item for item in of(reading, "") if 64 <= item.value <= 16384]
    if (
        len(sides) != 2
        or not (_SIDE.search(reading.text) and _AREA.search(reading.text))
        or sides[0].value == sides[1].value
    ):
        return None
    low, high = sorted(sides, key=lambda item: item.value)
    return calculation(
        reading,
        f"({plain(high.value)} / {plain(low.value)}) ** 2",
        f"{{value}}: activations grow with the number of pixels, so a side of {high.text.strip()} instead of {low.text.strip()} is like"
        " that many images at once; attention grows with the square of that. Running out of memory there is normal.",
        f"大约 {{value}}：激活随像素数增长，边长从 {low.text.strip()} 到 {high.text.strip()} 就相当于同时处理这么多张图，注意力部分按它的平方增长。爆显存是正常的。",
        "x",
    )


def _per_step(reading: Reading) -> Plan | None:
    """Time a step on one card and on several, with the same batch on each card."""
    pair = of(reading, "s/it")
    if len(pair) != 2 or 0 in (pair[0].value, pair[1].value) or not _SAME_BATCH.search(reading.text):
        return None
    counts = [count for count in (_cards_before(reading, item) for item in pair) if count]
    count = max(counts, default=2)
    one, many = pair
    return calculations(
        reading,
        [
            (f"{count} * {plain(one.value)} / {plain(many.value)}", "x"),
            (f"{plain(many.value)} / {plain(one.value)}", "x"),
        ],
        "By samples a second several cards reach {value} of one: each step takes {all[1].value} as long, but does the batch of every"
        " card. Seconds a step alone say nothing when the batch grows with the cards.",
        "按样本吞吐，多卡是单卡的 {value}：每步时间是 {all[1].value}，但每步处理的样本也成倍了，所以不能直接比每步时间。",
    )


def _cards_before(reading: Reading, item: Numeral) -> int:
    before = reading.text[max(0, item.start - 16) : item.start]
    words_of = (("双卡|两卡|two|dual|2 ?卡", 2), ("三卡|three", 3), ("四卡|four|4 ?卡", 4), ("八卡|eight|8 ?卡", 8))
    return next((count for pattern, count in words_of if re.search(pattern, before, re.IGNORECASE)), 0)


def _lanes(reading: Reading) -> Plan | None:
    total = of(reading, "lanes")
    width = _WIDTH.search(reading.text)
    count = sum(card.count for card in reading.cards)
    if (
        not total
        or max(item.value for item in total) < 16
        or len(total) > 2
        or width is None
        or count < 2
        or not _LANES.search(reading.text)
    ):
        return None
    whole, rest = (
        max(total, key=lambda item: item.value),
        [item for item in total if item is not max(total, key=lambda i: i.value)],
    )
    lanes = int(width[1] or width[2])
    sums = f"{count} * {lanes}" + "".join(f" + {plain(item.value)}" for item in rest)
    fits = count * lanes + sum(item.value for item in rest) <= whole.value
    return calculation(
        reading,
        sums,
        f"{'Yes' if fits else 'No'}, by the count: {{expression}} = {{value}} lanes of {whole.text.strip()}. Which slot gets how many is"
        " wired on the board, so read its manual; for a few cards fewer lanes cost little.",
        f"数量上{'够' if fits else '不够'}：{{expression}} = {{value}}，CPU 有 {whole.text.strip()}。但每个槽分到几条由主板走线定死，要看主板手册；卡不多时少几条影响很小。",
    )


RULES: tuple[Rule, ...] = (
    _squared,
    _per_step,
    _lanes,
    _one_against_range,
    _from_to,
    _two_of_a_kind,
)
