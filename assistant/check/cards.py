"""What an article says about cards, against the catalogue."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant.check.finding import Finding, finding, sentence_span
from assistant.names import cards_in
from assistant.numerals import Numeral, read_numbers
from knowledge.articles import Passage
from tools.api import Gpu, gpus, match

# Data sheets and articles round: 12.74 TFLOPS is 13.
TOLERANCE = 0.03

_BOUND = re.compile(
    r"(?:超过|超|至少|最少|不到|低于)(?:需要|需|要|有)?\s*约?\s*$|"
    r"\b(?:over|above|more than|at least|below|under|up to)\s*$",
    re.IGNORECASE,
)
_SEVERAL = re.compile(r"(?:\d|\b(?:two|three|four|eight)|[二两三四八])\s*(?:张|块|个|片|x|×)?\s*$", re.IGNORECASE)
_FOR_THE_CARD = re.compile(r"\s*(?:for|on|of|in)\s+(?:the|an?)?\s*", re.IGNORECASE)
# How far around a size the word "memory" may stand.
_NEAR = 14
_RATE = re.compile(r"\s*(?:dense |sparse |FP16 |peak )*tensor TFLOPS\b", re.IGNORECASE)
_POWER = re.compile(r"\btdp\b|board power|整卡功耗|额定功耗", re.IGNORECASE)
_LIMIT = re.compile(r"限制|limit", re.IGNORECASE)
_MEMORY = re.compile(r"显存|内存|memory|vram|gddr|hbm", re.IGNORECASE)
_NO_LINK = re.compile(
    r"(?:不具备|没有|不支持|取消了?|缺少|无)[^，。；]{0,6}NVLink|(?:no|without|lacks?|does not (?:have|support))\s+"
    r"(?:an? )?NVLink",
    re.IGNORECASE,
)
_NO_MATRIX = re.compile(
    r"(?:缺乏|没有|不具备|缺少)[^，。；]{0,8}(?:tensor cores?|张量核心|矩阵单元)|"
    r"(?:lacks?|no|without|for want of)\s+(?:tensor cores?|matrix units?)",
    re.IGNORECASE,
)
# What follows is our own remark on what an article says.
NOTE = re.compile(r"(?:注：|Note:|Notes?\s*—)", re.IGNORECASE)
_SERIES = re.compile(
    r"(?P<series>RTX\s?\d0)\s*(?:系列)?\s*(?:series)?\s*(?P<architecture>[A-Z][a-z]{2,})|"
    r"(?P<card>[A-Z]{1,3}\s?\d{3,4})\s*(?P<architecture2>[A-Z][a-z]{2,})"
)
_FIELDS = {
    "TFLOPS": "tensor_fp16_dense_tflops",
    "GB/s": "memory_bandwidth_gb_s",
    "GB": "memory_gb",
    "W": "board_power_w",
}
_TFLOPS = (
    "fp32_tflops",
    "tensor_fp16_dense_tflops",
    "tensor_fp16_fp16acc_dense_tflops",
    "tensor_bf16_dense_tflops",
    "tensor_tf32_dense_tflops",
    "tensor_fp8_dense_tflops",
    "tensor_fp4_dense_tflops",
)


def figures_of_cards(passages: Sequence[Passage]) -> list[Finding]:
    """Find memory, bandwidth, computing rates and power that no version of the named card has."""
    return [
        item
        for passage in passages
        for number in _with_rates(passage.text)
        if not _BOUND.search(passage.text[max(0, number.start - 16) : number.start])
        for item in _judged(passage, number)
    ]


def _with_rates(text: str) -> Iterator[Numeral]:
    """Yield the numbers of a text; in "624 tensor TFLOPS" the unit stands behind the word."""
    for number in read_numbers(text):
        rate = _RATE.match(text, number.end) if not number.unit else None
        yield replace(number, unit="TFLOPS", text=text[number.start : rate.end()], end=rate.end()) if rate else number


def _judged(passage: Passage, number: Numeral) -> Iterator[Finding]:
    start, end = sentence_span(passage.text, number.start)
    cards = card_of(passage, number)
    if not cards or NOTE.search(passage.text[: number.start]):
        return
    near = passage.text[max(start, number.start - _NEAR) : min(end, number.end + _NEAR)]
    right = _right(cards, number, passage.text[start:end], near)
    if not right or any(math.isclose(number.value, value, rel_tol=TOLERANCE) for value in right):
        return
    dense = _dense(cards, number)
    yield finding(
        passage,
        number.start,
        number.text,
        f"gpu_specs: {cards[0].name} has {_shown(right, number.unit, ' or ')}"
        + (f"; {number.value:g} is with 2:4 sparsity, dense FP16 is {dense:g}." if dense else "."),
        f"gpu_specs：{cards[0].name} 是 {_shown(right, number.unit, ' 或 ')}"
        + (f"；{number.value:g} 是 2:4 稀疏值，FP16 稠密是 {dense:g}。" if dense else "。"),
        card=cards[0].name,
        field=_FIELDS[number.unit],
    )


def card_of(passage: Passage, number: Numeral) -> list[Gpu]:
    """Return every version of the card that a number belongs to: "N for the card", else the last one before it."""
    sentence_start, _ = sentence_span(passage.text, number.start)
    mentions = cards_in(passage.text)
    link = _FOR_THE_CARD.match(passage.text, number.end)
    after = [mention for mention in mentions if link and mention.start == link.end()]
    before = [mention for mention in mentions if sentence_start <= mention.start < number.start]
    named = after or before[-1:]
    if named and _SEVERAL.search(passage.text[max(0, named[0].start - 8) : named[0].start]):
        return []
    named = named or cards_in(passage.heading)
    known = match(named[-1].text) if len(named) == 1 else None
    if known is None:
        return []
    return [known.gpu, *(card for card in gpus() if card.name in known.others)]


def _right(cards: Sequence[Gpu], number: Numeral, sentence: str, near: str) -> list[float]:
    """Return the values that a figure of this unit may have for the card, none where it cannot be judged."""
    if number.unit == "GB/s":
        return [value for card in cards for value in (card.memory_bandwidth_gb_s, card.nvlink_gb_s) if value]
    if number.unit == "GB" and number.value >= 1 and _MEMORY.search(near):
        return [card.memory_gb for card in cards]
    if number.unit == "W" and _POWER.search(sentence) and not _LIMIT.search(sentence):
        return [card.board_power_w for card in cards if card.board_power_w]
    if number.unit == "TFLOPS":
        rates = [getattr(card, name) for card in cards for name in _TFLOPS if getattr(card, name)]
        # Many cards run FP16 on their plain cores at twice the FP32 rate.
        return rates + [2 * card.fp32_tflops for card in cards if card.fp32_tflops]
    return []


def _shown(values: Sequence[float], unit: str, between: str) -> str:
    return between.join(f"{value:g}" for value in dict.fromkeys(values)) + f" {unit}"


def _dense(cards: Sequence[Gpu], number: Numeral) -> float | None:
    """Return the dense rate of which a figure is twice, where a card doubles it with sparse weights."""
    if number.unit != "TFLOPS":
        return None
    return next(
        (
            card.tensor_fp16_dense_tflops
            for card in cards
            if card.tensor_fp16_dense_tflops
            and card.sparsity
            and math.isclose(2 * card.tensor_fp16_dense_tflops, number.value, rel_tol=TOLERANCE)
        ),
        None,
    )


def architectures(passages: Sequence[Passage]) -> list[Finding]:
    """Find a series or a card beside the name of an architecture that is not its own."""
    names = {card.architecture.split()[0] for card in gpus()}
    found: list[Finding] = []
    for passage in passages:
        for hit in _SERIES.finditer(passage.text):
            stated = hit["architecture"] or hit["architecture2"]
            own = _own_architectures(hit["series"] or hit["card"])
            if stated in names and own and stated not in own and not _names_a_card(hit[0]):
                found.append(
                    finding(
                        passage,
                        hit.start(),
                        hit[0],
                        f"gpu_specs: its architecture is {' or '.join(sorted(own))}.",
                        f"gpu_specs：它的架构是 {' 或 '.join(sorted(own))}。",
                    )
                )
    return found


def _own_architectures(name: str) -> set[str]:
    plain = re.sub(r"\s", "", name)
    return {
        card.architecture.split()[0]
        for card in gpus()
        for form in (card.name, *card.aliases)
        if card.vendor == "NVIDIA"
        and card.architecture.split()[0] not in form
        and re.match(rf"(?:RTX)?{plain}(?!\d{{3}}\d)", re.sub(r"\s", "", form))
    }


def _names_a_card(text: str) -> bool:
    return any(mention.name and mention.end - mention.start == len(text) for mention in cards_in(text))


def missing_links(passages: Sequence[Passage]) -> list[Finding]:
    """Find a card that is said to have no NVLink and has one."""
    found: list[Finding] = []
    for passage in passages:
        for hit in _NO_LINK.finditer(passage.text):
            start, _ = sentence_span(passage.text, hit.start())
            mentions = [m for m in cards_in(passage.text[start : hit.start()]) if m.name] or [
                m for m in cards_in(passage.heading) if m.name
            ]
            known = match(mentions[-1].text) if mentions else None
            if known and known.gpu.nvlink_gb_s:
                found.append(
                    finding(
                        passage,
                        hit.start(),
                        hit[0],
                        f"gpu_specs: {known.gpu.name} has NVLink with {known.gpu.nvlink_gb_s:g} GB/s.",
                        f"gpu_specs：{known.gpu.name} 有 NVLink，{known.gpu.nvlink_gb_s:g} GB/s。",
                        card=known.gpu.name,
                        field="nvlink_gb_s",
                    )
                )
    return found


def missing_matrix_units(passages: Sequence[Passage]) -> list[Finding]:
    """Find a vendor that is said to have no tensor cores and sells cards with matrix units."""
    found: list[Finding] = []
    for passage in passages:
        for hit in _NO_MATRIX.finditer(passage.text):
            cards = [card.name for card in gpus() if card.vendor == "AMD" and card.tensor_fp16_dense_tflops]
            if cards and "AMD" in passage.text[: hit.start()]:
                found.append(
                    finding(
                        passage,
                        hit.start(),
                        hit[0],
                        f"gpu_specs: {', '.join(cards[:3])} have matrix units; this was true of 2020 to 2022.",
                        f"gpu_specs：{'、'.join(cards[:3])} 有矩阵单元；这话只对 2020 至 2022 年成立。",
                    )
                )
    return found
