"""What a message takes for granted about a card, held against its data sheet: NVLink, bandwidth, a format it lacks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.builtin.asking import near, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.reading import Reading
from assistant.builtin.sheets import sheet

_NVLINK = re.compile(r"NVLink", re.IGNORECASE)
_BANDWIDTH = words("bandwidth|memory speed", "带宽")
_POWER = words("tdp|board power|power draw|default", "功耗|TDP")
# A rounded figure differs by less than this from the data sheet.
_SAME = 0.03
_LACKS = {"BF16": "tensor_bf16_dense_tflops", "FP8": "tensor_fp8_dense_tflops", "FP4": "tensor_fp4_dense_tflops"}
_VIDEO = re.compile(
    r"video (?:gen\w*|model|diffusion)|text[- ]to[- ]video|\b(?:wan ?2|hunyuan ?video|cogvideo|ltx|mochi|sora)\w*|视频(?:生成)?模型|文生视频|图生视频|生成视频|混元视频",
    re.IGNORECASE,
)
_SIZE_OF_CARD = re.compile(r"\s?(\d{1,3})\s?GB?(?![A-Za-z/])", re.IGNORECASE)
_BARE_SIZE = re.compile(r"[\d.]+B")
_USES = re.compile(r"load|run|serve|use|train|fine-?tun|error|加载|跑|部署|训练|微调|报", re.IGNORECASE)


def premises(reading: Reading, plan: Plan | None) -> list[Plan]:
    """Return what has to be put right before the answer; nothing that the answer itself is about."""
    if (
        plan is not None
        and any(call.tool == "gpu_specs" for stage in plan.stages[:1] for call in stage)
        and len(plan.stages) == 1
        and (len(plan.stages[0]) == 1)
    ):
        return []
    return [*_of_another_kind(reading), *_of_another_size(reading), *_found(reading)][:2]


def _of_another_size(reading: Reading) -> Iterator[Plan]:
    """ "2080Ti 22G": a size that the card of that name does not have, such as a modified one."""
    for card in reading.cards:
        hit = _SIZE_OF_CARD.match(reading.text, card.end)
        if card.name and hit and float(hit[1]) != sheet(card.name).memory_gb:
            yield Plan(
                stages=((Call("gpu_specs", {"gpu": card.name}),),),
                say=f"目录里没有 {hit[1]} GB 的 {{name}}（改装卡不在内），这里按原装的 {{memory_gb}} 算。"
                if reading.language == "zh"
                else f"I have no {{name}} with {hit[1]} GB (modified cards are not in the catalogue), so I took the {{memory_gb}} it came with.",
                extra={"claim": hit[0].strip()},
            )


def _of_another_kind(reading: Reading) -> Iterator[Plan]:
    """A video model of so many parameters is no language model; weights are all that the two share."""
    if _VIDEO.search(reading.text) and reading.models and all(_BARE_SIZE.fullmatch(name) for name in reading.models):
        yield Plan(
            reply="视频模型我没有数据：下面按同样大小的语言模型算，权重一样，但生成时的帧还要占很多显存。"
            if reading.language == "zh"
            else "I have no figures on video models. What follows is a language model of that size: the weights are the same, but the frames of"
            " a video take much memory on top."
        )


def _found(reading: Reading) -> Iterator[Plan]:
    names = list(reading.known_cards)
    if len(names) == 1 and _NVLINK.search(reading.text) and not sheet(names[0]).nvlink_gb_s:
        yield _sheet(names[0], "nvlink_gb_s")
    for name in names[:1] if len(names) == 1 else ():
        facts = sheet(name)
        for item in reading.quantities:
            if (
                item.unit == "GB/s"
                and near(reading, item, _BANDWIDTH, 12)
                and abs(item.value / facts.memory_bandwidth_gb_s - 1) > _SAME
            ):
                yield _sheet(name, "memory_bandwidth_gb_s", item.text.strip())
        for kind in reading.formats:
            if kind in _LACKS and getattr(facts, _LACKS[kind], None) is None and _USES.search(reading.text):
                yield _sheet(name, _LACKS[kind])


def _sheet(card: str, field: str, claim: str = "") -> Plan:
    """Look the card up and say what its sheet states instead of the claim."""
    return Plan(
        stages=((Call("gpu_specs", {"gpu": card}),),),
        say=_CLAIMED if claim else _FOCUSED,
        focus=field,
        reply="",
        extra={"claim": claim},
    )


_CLAIMED = """
{% if language == "zh" %}
{name} 的数据要更正：写的是 {claim}，规格书是{% if focus == "memory_bandwidth_gb_s" %}带宽 {memory_bandwidth_gb_s}{% endif %}。
{% else %}
A correction: the {name} has {% if focus == "memory_bandwidth_gb_s" %}{memory_bandwidth_gb_s} of bandwidth{% endif %}, not {claim}.
{% endif %}
"""
_FOCUSED = """
{% if focus == "nvlink_gb_s" %}
{% if language == "zh" %}{name} 没有 NVLink，多卡之间走 PCIe。{% else %}The {name} has no NVLink; several of them talk over PCIe.{% endif %}

{% elif language == "zh" %}
{name}（{architecture}{% if compute_capability is not none %}，计算能力 {compute_capability}{% endif %}）没有这种格式的单元：改用 FP16，显存占用不变，但要留意数值溢出。
{% else %}
The {name} ({architecture}{% if compute_capability is not none %}, compute capability {compute_capability}{% endif %}) has no units for that format: use FP16, which takes the same memory, and watch for overflow.
{% endif %}
"""
