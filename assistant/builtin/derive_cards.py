"""Two cards held against each other: a run carried over, doubtful rates, bandwidth, which is faster."""

from __future__ import annotations

import re

from assistant.builtin.asking import Rule, calculation, of, plain, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.reading import Reading

_HOW_LONG = words("how long|hours?|takes?|needs?|minutes", "多久|多长时间|小时|要")
_TFLOPS = words("tflops|compute|rate|dense|sparse|ideal", "算力|TFLOPS|稠密|稀疏")
_WORK = words("train|fine-?tun|inference|images?|bit|render|tokens?|prompt", "训练|微调|推理|画图|出图|位|token")
_FASTER = words("which (?:one )?is faster|faster|quicker", "谁更?快|哪(?:张|个|块)更?快|更快")


def _scaled_time(reading: Reading) -> Plan | None:
    """A run on one kind of card, carried over to another by their dense tensor rates."""
    cards = reading.known_cards
    times = of(reading, "h", "days")
    if len(cards) != 2 or not times or not (_HOW_LONG.search(reading.text) and _TFLOPS.search(reading.text)):
        return None
    (one, ones), (other, others) = cards.items()
    rates = "{{@1.tensor_fp16_dense_tflops}}", "{{@2.tensor_fp16_dense_tflops}}"
    return calculation(
        reading,
        f"{plain(times[0].value)} * {ones} * {rates[0]} / ({others} * {rates[1]}) * 1 {'h' if times[0].unit == 'h' else 'day'}",
        f"At least {{all[2].value}}: {ones} x {{name}} at {{tensor_fp16_dense_tflops}} against {others} x {{all[1].name}} at"
        " {all[1].tensor_fp16_dense_tflops}, dense. That is a lower bound: memory and bandwidth of the smaller card add to it."
        " Higher figures of the vendor are with sparsity.",
        f"至少 {{all[2].value}}：{ones} 张 {{name}} 每张 {{tensor_fp16_dense_tflops}}，{others} 张 {{all[1].name}} 每张"
        " {all[1].tensor_fp16_dense_tflops}，按稠密算。这是下限，小卡的显存和带宽还会让它更久；厂商写得更高的数是稀疏值。",
        "h" if times[0].unit == "h" else "days",
        (Call("gpu_specs", {"gpu": one}), Call("gpu_specs", {"gpu": other})),
    )


def _two_sheets(reading: Reading) -> Plan | None:
    """Two cards and a doubtful rate: what their data sheets say, and the ratio."""
    cards = list(reading.known_cards)
    if (
        len(cards) != 2
        or len(of(reading, "TFLOPS")) < 1
        or not re.search(r"wrong|right|correct|why|same|true|both|对|错|为什么|真", reading.text, re.IGNORECASE)
    ):
        return None
    path = "tensor_fp16_dense_tflops"
    return calculation(
        reading,
        f"{{{{@2.{path}}}}} / {{{{@1.{path}}}}}",
        f"By their data sheets: {{name}} {{{path}}}, {{all[1].name}} {{all[1].{path}}}, {{all[2].value}} as much (FP16 on the tensor cores, FP32"
        " accumulation, dense). GeForce cards do FP32 accumulation at a reduced rate, so either figure can be right for the same chip family.",
        f"按规格书：{{name}} 是 {{{path}}}，{{all[1].name}} 是 {{all[1].{path}}}，相差 {{all[2].value}}（Tensor Core 的 FP16、FP32 累加、稠密）。"
        "GeForce 卡做 FP32 累加是降速的，所以同一家族的芯片，这些数可以都对。",
        "x",
        (Call("gpu_specs", {"gpu": cards[0]}), Call("gpu_specs", {"gpu": cards[1]})),
    )


def _bandwidths(reading: Reading) -> Plan | None:
    """Two cards whose choice is left open: memory bandwidth is what one user's speed follows."""
    cards = list(reading.known_cards)
    if (
        len(cards) != 2
        or max(reading.known_cards.values()) > 1
        or not re.search(r"bandwidth|带宽", reading.text, re.IGNORECASE)
    ):
        return None
    if not re.search(r"explain|make sense|gap|times|说得通|解释|差距|倍|合理", reading.text, re.IGNORECASE):
        return None
    path = "memory_bandwidth_gb_s"
    return calculation(
        reading,
        f"max({{{{@1.{path}}}}}, {{{{@2.{path}}}}}) / min({{{{@1.{path}}}}}, {{{{@2.{path}}}}})",
        f"Bandwidth alone gives {{all[2].value}}: {{name}} {{{path}}}, {{all[1].name}} {{all[1].{path}}}. A larger gap comes from elsewhere, such as"
        " kernels for the weight format that the older card lacks.",
        f"只看带宽是 {{all[2].value}}：{{name}} {{{path}}}，{{all[1].name}} {{all[1].{path}}}。差距更大，就不是带宽造成的，多半是旧卡没有该量化格式的算子或架构支持。",
        "x",
        (Call("gpu_specs", {"gpu": cards[0]}), Call("gpu_specs", {"gpu": cards[1]})),
    )


def _which_faster(reading: Reading) -> Plan | None:
    """Two cards and no work: it depends on whether the model fits and on bandwidth."""
    cards = list(reading.known_cards)
    if (
        len(cards) != 2
        or max(reading.known_cards.values()) > 1
        or reading.models
        or _WORK.search(reading.text)
        or not _FASTER.search(reading.text)
    ):
        return None
    path = "memory_bandwidth_gb_s"
    return calculation(
        reading,
        f"max({{{{@1.{path}}}}}, {{{{@2.{path}}}}}) / min({{{{@1.{path}}}}}, {{{{@2.{path}}}}})",
        f"It depends on the model. While it fits, chatting follows memory bandwidth: {{name}} {{{path}}}, {{all[1].name}} {{all[1].{path}}}, a factor of"
        " {all[2].value}. A model that is too large for one runs on the other: {name} {memory_gb}, {all[1].name} {all[1].memory_gb}. Which model"
        " is it, and do you train?",
        f"看模型。放得下时，对话速度跟显存带宽走：{{name}} {{{path}}}，{{all[1].name}} {{all[1].{path}}}，相差 {{all[2].value}}。"
        "模型大到放不下时，只能用显存大的那张：{name} {memory_gb}，{all[1].name} {all[1].memory_gb}。你跑哪个模型，要训练吗？",
        "x",
        (Call("gpu_specs", {"gpu": cards[0]}), Call("gpu_specs", {"gpu": cards[1]})),
    )


RULES: tuple[Rule, ...] = (_scaled_time, _two_sheets, _bandwidths, _which_faster)
