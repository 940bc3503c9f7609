"""Sums that the guide works out: shares of a card, levels of memory, warps, doublings, cycles."""

from __future__ import annotations

import re

from assistant.builtin.asking import Rule, calculation, of
from assistant.builtin.calls import Call, Plan
from assistant.builtin.reading import Reading

_SHARE = re.compile(
    r"what (?:share|fraction|part|percent(?:age)?)|how many percent|percent(?:age)? of|百分之几|百分之多少|占.{0,16}(?:比例|多少|几)|"
    r"几分之几",
    re.IGNORECASE | re.ASCII,
)
_OVERHEAD = re.compile(r"overhead|开销|损耗", re.IGNORECASE | re.ASCII)
_DOUBLING = re.compile(r"(?:per|each|every|for each) doubling|每翻(?:一)?倍|每翻一番", re.IGNORECASE | re.ASCII)
_ASYNC = re.compile(r"\btma\b|async|异步", re.IGNORECASE | re.ASCII)
_TENSOR = re.compile(r"tensor[- ]?core|张量核|tensor core", re.IGNORECASE | re.ASCII)
_MULTIPLY = re.compile(r"matrix|matmul|multipl|矩阵|\d+\s?[x×*]\s?\d+", re.IGNORECASE | re.ASCII)
_LESS = re.compile(r"shorten|percent|faster|gain|save|reduc|百分之|缩短|快|减少|省|提升", re.IGNORECASE | re.ASCII)


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
        f"By {{value}}: {shares[0].text} compounds with every doubling up to {factors[0].text}.",
        f"{{value}}：每次翻倍的 {shares[0].text} 逐次相乘，直到 {factors[0].text}。",
        "%",
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


RULES: tuple[Rule, ...] = (
    _time_ratio,
    _tma_gain,
    _tensor_fraction,
    _share_of_card,
    _threads,
    _per_doubling,
    _scaled_down,
)
