"""Questions whose answer is arithmetic over what they say or over a data sheet.

Each rule looks at kinds of quantities and a few words, never at particular figures, and returns a plan
that ends in `calculate`; figures of cards reach it by reference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.builtin import derive_carbon, derive_memory, derive_money, derive_power, derive_ratio
from assistant.builtin.asking import Rule, calculation, of
from assistant.builtin.frames import frames
from assistant.builtin.plan import Call, Plan
from assistant.builtin.reading import Reading
from tools.api import find

_RATIO = re.compile(
    r"how many times|how much (?:faster|more|larger|bigger|higher)|times (?:faster|as|the)|speed-?up|ratio|"
    r"几倍|多少倍|倍数|快多少|之比|比值",
    re.IGNORECASE | re.ASCII,
)
_SHARE = re.compile(
    r"what (?:share|fraction|part|percent(?:age)?)|how many percent|percent(?:age)? of|百分之几|百分之多少|占.{0,16}(?:比例|多少|几)|"
    r"几分之几",
    re.IGNORECASE | re.ASCII,
)
_TOGETHER = re.compile(
    r"together|in total|combined|altogether|all of them|合起来|一共|总共|合计|加起来|总.{0,2}算力",
    re.IGNORECASE | re.ASCII,
)
_RATE = re.compile(r"\bFLOPS|TFLOPS|PFLOPS|TOPS\b|throughput|compute\b|算力|吞吐", re.IGNORECASE | re.ASCII)
_OVERHEAD = re.compile(r"overhead|开销|损耗", re.IGNORECASE | re.ASCII)
_DOUBLING = re.compile(r"(?:per|each|every|for each) doubling|每翻(?:一)?倍|每翻一番", re.IGNORECASE | re.ASCII)
_COST = re.compile(r"cost|pay|bill|price|spend|费用|多少钱|花|付|账单", re.IGNORECASE | re.ASCII)
_ASYNC = re.compile(r"\btma\b|async|异步", re.IGNORECASE | re.ASCII)
_TENSOR = re.compile(r"tensor[- ]?core|张量核|tensor core", re.IGNORECASE | re.ASCII)
_MULTIPLY = re.compile(r"matrix|matmul|multipl|矩阵|\d+\s?[x×*]\s?\d+", re.IGNORECASE | re.ASCII)
_MATRIX = re.compile(r"matri|矩阵|tile|tensor", re.IGNORECASE | re.ASCII)
_LESS = re.compile(r"shorten|percent|faster|gain|save|reduc|百分之|缩短|快|减少|省|提升", re.IGNORECASE | re.ASCII)
_EXPRESSION = re.compile(r"(?<![\w.])\(?\d[\d,.]*\)?(?:\s*[-+*/×÷]\s*\(?\d[\d,.]*%?\)?)+")
_CALCULATE = re.compile(r"calculate|compute|how much is|what is|算|等于|=|是多少", re.IGNORECASE | re.ASCII)

RATE_FIELD = {
    "FP8": "tensor_fp8_dense_tflops",
    "FP4": "tensor_fp4_dense_tflops",
    "BF16": "tensor_bf16_dense_tflops",
    "TF32": "tensor_tf32_dense_tflops",
    "FP32": "fp32_tflops",
}


# What a ratio says nothing about: dates, names, and launch prices, which nobody pays today.
_NO_RATIO = (
    "nvlink_gb_s",
    "launch_date",
    "architecture",
    "launch_price_usd",
    "power_connectors",
    "sparsity",
    "compute_capability",
    "pcie_generation",
)


def _has(card: str, path: str) -> bool:
    """Whether the data sheet of a card states this figure."""
    value = getattr(find(card).gpu, path, None)
    return isinstance(value, (int, float)) and value > 0


def derive(reading: Reading) -> Plan | None:
    """Return the plan of the first rule that fits a question, or None."""
    return next((plan for rule in _RULES if (plan := rule(reading))), None)


def _share_of_card(reading: Reading) -> Plan | None:
    parts = of(reading, "SMs")
    cards = list(reading.known_cards)
    if len(parts) != 1 or len(cards) != 1 or not _SHARE.search(reading.text):
        return None
    said = parts[0].text
    return calculation(
        reading,
        f"{parts[0].value:g} / {{{{@1.sm_count}}}}",
        f"{said} are {{all[1].value}} of the {{name}}, which has {{sm_count}} SMs.",
        f"{said}占 {{name}} 的 {{all[1].value}}，它共有 {{sm_count}} 个 SM。",
        "%",
        (Call("gpu_specs", {"gpu": cards[0]}),),
    )


def _time_ratio(reading: Reading) -> Plan | None:
    """Two levels of memory, each with its share of accesses and its bandwidth."""
    shares, speeds = of(reading, "fraction"), of(reading, "GB/s")
    if len(shares) != 2 or len(speeds) != 2:
        return None
    pairs = sorted(
        ((share, min(speeds, key=lambda speed, share=share: abs(speed.start - share.start))) for share in shares),
        key=lambda pair: pair[1].value,
    )
    (slow_share, slow), (fast_share, fast) = pairs
    if slow is fast:
        (slow, fast) = sorted(speeds, key=lambda speed: speed.value)
        if (slow.start < fast.start) != (slow_share.start < fast_share.start):
            slow_share, fast_share = fast_share, slow_share
    return calculation(
        reading,
        f"({slow_share.value:g} / {slow.value:g}) / ({fast_share.value:g} / {fast.value:g})",
        f"{{value}} times as much time goes to the slow level ({slow_share.text.strip()} at {slow.text.strip()}) as to the fast one"
        f" ({fast_share.text.strip()} at {fast.text.strip()}): slow memory stays the bottleneck.",
        f"慢的一级（{slow_share.text.strip()}，{slow.text.strip()}）耗时是快的一级（{fast_share.text.strip()}，{fast.text.strip()}）的 {{value}}："
        "瓶颈仍在慢的内存。",
        "x",
    )


def _rate_together(reading: Reading) -> Plan | None:
    cards = reading.known_cards
    if (
        len(cards) != 1
        or next(iter(cards.values())) < 2
        or not _TOGETHER.search(reading.text)
        or not _RATE.search(reading.text)
    ):
        return None
    if of(reading, "W", "USD", "USD/h", "GB"):
        return None
    name, count = next(iter(cards.items()))
    kind = next((kind for kind in reading.formats if kind in RATE_FIELD), "FP16")
    path = RATE_FIELD.get(kind, "tensor_fp16_dense_tflops")
    if not _has(name, path):
        return None
    return calculation(
        reading,
        f"{count} * {{{{@1.{path}}}}} TFLOPS",
        f"{{all[1].value}} together: one {{name}} reaches {{{path}}} (dense {kind} peak of the data sheet).",
        f"合起来 {{all[1].value}}：单张 {{name}} 是 {{{path}}}（{kind} 稠密峰值，按规格书）。",
        "PFLOPS",
        (Call("gpu_specs", {"gpu": name}),),
    )


def _card_ratio(reading: Reading) -> Plan | None:
    """Say how many times one card's figure is that of another."""
    cards = [card.name for card in reading.cards if card.name]
    frame = frames().get("gpu_specs")
    if len(dict.fromkeys(cards)) != 2 or frame is None or not _RATIO.search(reading.text):
        return None
    one, other = list(dict.fromkeys(cards))
    path = next((name for name, pattern in frame.focus.items() if pattern.search(reading.text)), None)
    if path is None or path in _NO_RATIO or not (_has(one, path) and _has(other, path)):
        return None
    return calculation(
        reading,
        f"max({{{{@1.{path}}}}}, {{{{@2.{path}}}}}) / min({{{{@1.{path}}}}}, {{{{@2.{path}}}}})",
        f"{{all[2].value}}: {{name}} has {{{path}}}, {{all[1].name}} {{all[1].{path}}}.",
        f"{{all[2].value}}：{{name}} 是 {{{path}}}，{{all[1].name}} 是 {{all[1].{path}}}。",
        "x",
        (Call("gpu_specs", {"gpu": one}), Call("gpu_specs", {"gpu": other})),
    )


def _threads(reading: Reading) -> Plan | None:
    warps, threads = of(reading, "warps"), of(reading, "threads")
    if len(warps) != 1 or len(threads) != 1:
        return None
    return calculation(
        reading,
        f"{warps[0].value:g} * {threads[0].value:g} threads",
        f"{{value}}: {warps[0].text} of {threads[0].text} each.",
        f"一共 {{value}}：{warps[0].text}，每个 {threads[0].text}。",
        "threads",
    )


def _scaled_down(reading: Reading) -> Plan | None:
    """A measured speed-up and a second system with so much more overhead."""
    factors, shares = of(reading, "x"), of(reading, "fraction")
    if len(factors) != 1 or len(shares) != 1 or not _OVERHEAD.search(reading.text):
        return None
    return calculation(
        reading,
        f"{factors[0].value:g} / (1 + {shares[0].value:g})",
        f"About {{value}}: {factors[0].text} divided by one plus {shares[0].text}.",
        f"大约 {{value}}：{factors[0].text}除以一加 {shares[0].text}。",
        "x",
    )


def _per_doubling(reading: Reading) -> Plan | None:
    factors, shares = of(reading, "x"), of(reading, "fraction")
    factors = [factor for factor in factors if factor.text.strip() not in ("doubling", "翻倍")]
    if len(factors) != 1 or len(shares) != 1 or not _DOUBLING.search(reading.text):
        return None
    return calculation(
        reading,
        f"(1 + {shares[0].value:g}) ** log2({factors[0].value:g}) - 1",
        f"{{value}} faster: {shares[0].text} compounds with every doubling up to {factors[0].text}.",
        f"快 {{value}}：每次翻倍的 {shares[0].text} 逐次相乘，直到 {factors[0].text}。",
        "%",
    )


def _rent(reading: Reading) -> Plan | None:
    """Rent for so many days or hours, at a utilization if one is given."""
    rates, shares = of(reading, "USD/h"), of(reading, "fraction", "h/day")
    spans = of(reading, "days", "months", "h", "years")
    if (
        len(rates) != 1
        or len(spans) != 1
        or of(reading, "USD", "W")
        or not _COST.search(reading.text)
        or len(shares) > 1
    ):
        return None
    span = {"days": "day * 24 h/day", "months": "day * 365/12 * 24 h/day", "years": "day * 365 * 24 h/day", "h": "h"}[
        spans[0].unit
    ]
    busy = "" if not shares else f" * {shares[0].value:g}" + ("" if shares[0].unit == "fraction" else " / 24")
    load = f" at {shares[0].text}" if shares else ""
    return calculation(
        reading,
        f"{rates[0].value:g} USD/h{busy} * {spans[0].value:g} {span}",
        f"{{value}} for {spans[0].text}{load} and {rates[0].text}.",
        f"{{value}}：{rates[0].text}，{spans[0].text}" + (f"，{shares[0].text}。" if shares else "。"),
        "USD",
    )


def _tma_gain(reading: Reading) -> Plan | None:
    if not (
        _ASYNC.search(reading.text)
        and _LESS.search(reading.text)
        and re.search(r"cycle|周期|tensor|example|例", reading.text, re.IGNORECASE | re.ASCII)
        and re.search(
            r"percent|how much|faster|gain|百分之|多少倍|快多少|缩短了?多少|提升多少",
            reading.text,
            re.IGNORECASE | re.ASCII,
        )
    ):
        return None
    calls = (
        Call("matmul_cycles", {"tensor_cores": True, "async_copy": False}),
        Call("matmul_cycles", {"tensor_cores": True, "async_copy": True}),
    )
    return calculation(
        reading,
        "1 - {{@2.cycles}} / {{@1.cycles}}",
        "{all[2].value} fewer cycles: {all[1].cycles} instead of {cycles}, because the next tile is loaded while this one is computed.",
        "周期数减少 {all[2].value}：从 {cycles}降到 {all[1].cycles}，因为计算当前块时下一块已经在加载。",
        "%",
        calls,
    )


def _tensor_fraction(reading: Reading) -> Plan | None:
    if not (
        _TENSOR.search(reading.text)
        and _MULTIPLY.search(reading.text)
        and re.search(r"fraction|what share|几分之几|降到.{0,6}(?:几|多少)", reading.text, re.IGNORECASE | re.ASCII)
    ):
        return None
    return calculation(
        reading,
        "{{@1.cycles}} / {{@1.plain_cycles}}",
        "To {all[1].value} of the cycles: {cycles} instead of {plain_cycles}.",
        "降到原来的 {all[1].value}：从 {plain_cycles}降到 {cycles}。",
        "x",
        (Call("matmul_cycles", {"tensor_cores": True, "async_copy": False}),),
    )


def _arithmetic(reading: Reading) -> Plan | None:
    hit = _EXPRESSION.search(reading.text)
    if hit is None or reading.cards or _MATRIX.search(reading.text):
        return None
    words = reading.text.replace(hit[0], "")
    if len(words) > 40 or not (_CALCULATE.search(words) or not words.strip()):
        return None
    return calculation(reading, hit[0].strip(), "{expression} = {value}", "{expression} = {value}")


_RULES: Sequence[Rule] = (
    _time_ratio,
    _tma_gain,
    _tensor_fraction,
    _share_of_card,
    _rate_together,
    _threads,
    _per_doubling,
    _scaled_down,
    *derive_memory.RULES,
    *derive_power.RULES,
    *derive_carbon.RULES,
    *derive_money.RULES,
    *derive_ratio.RULES,
    _card_ratio,
    _rent,
    _arithmetic,
)
