"""Data sheets: a claim about one card held against its sheet, and which of two cards has more of something."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.builtin.asking import Rule, near, of, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.frames import frames
from assistant.builtin.options import choices
from assistant.builtin.reading import Reading
from assistant.builtin.sheets import sheet
from assistant.builtin.wants import wants

_CLAIMED = words(
    r"is it true|(?:right|correct|true|really)\s*[?.]*\s*$|right\?|correct\?|isn'?t it|,? no\?|doesn'?t it|confirm|i (?:read|heard|thought)|(?:someone|they|docs?|people) says?",
    "对吗|对吧|是吗|是真的|真的吗|没错吧|是不是|听说|有人说|据说|确认",
)
_NOT_A_CLAIM = words(r"psu|suppl(?:y|ies)|limit|capp?ed|enough|fits?\b|run|outlet|circuit", "电源|限|够|放得下|跑|插座")
# What a claim may be about: the unit, the words beside it, the field of the sheet.
_CLAIMS: tuple[tuple[str, re.Pattern[str], str], ...] = (
    ("W", words("draws?|uses?|takes?|tdp|pulls?|consumes?|power|needs?", "功耗|TDP|耗电|吃|瓦"), "board_power_w"),
    ("GB", words("memory|vram|has|have|with|comes", "显存|有|是"), "memory_gb"),
    ("GB/s", words("bandwidth|memory", "带宽|显存"), "memory_bandwidth_gb_s"),
    ("mm", words("long|length", "长"), "length_mm"),
    ("slots", words("slots?|thick|wide|takes?", "槽|厚"), "slots"),
)
_SAME = 0.03
_WHICH = words(
    r"which|what has|who|more|bigger|larger|higher|wider|longer|less|smaller|lower|compare|difference|differ|versus|vs\b|next to|beside|same|as (?:much|big|large|wide) as",
    "哪|谁|更|比|对比|差|区别|一样|分别|各是|各有",
)
_LESS = words(r"less|smaller|lower|lowest|least|shorter|thinner|fewer", "更?小|更?低|更?少|更?短|更?薄|省")
_COMPARABLE = (
    "l2_cache_mb", "memory_bandwidth_gb_s", "sm_count", "fp32_tflops", "tensor_fp16_dense_tflops", "tensor_bf16_dense_tflops",
    "tensor_fp8_dense_tflops", "tensor_tf32_dense_tflops", "tensor_int8_dense_tops", "board_power_w", "slots", "length_mm", "memory_gb",
    "nvlink_gb_s", "launch_price_usd",
)  # fmt: skip


def _claim(reading: Reading) -> Plan | None:
    """ "An A100 draws 1000 W, right?": one figure that a data sheet states."""
    cards = reading.known_cards
    if len(cards) != 1 or max(cards.values()) > 1 or reading.models or not _CLAIMED.search(reading.text):
        return None
    if len(wants(reading.text).asked) > 1 or _NOT_A_CLAIM.search(reading.text):
        return None
    name = next(iter(cards))
    for unit, beside, field in _CLAIMS:
        said = of(reading, unit)
        value = getattr(sheet(name), field, None)
        if len(said) != 1 or not value or not near(reading, said[0], beside, 24):
            continue
        text, same = said[0].text.strip(), abs(said[0].value / value - 1) <= _SAME
        start_en, start_zh = ("Yes", "对") if same else ("No", "不对")
        rest_en, rest_zh = ("", "") if same else (f", not {text}", f"，不是 {text}")
        say = (
            f"{start_zh}：按规格书，{{name}} 的{_LABELS[field][1]}是 {{{field}}}{rest_zh}。"
            if reading.language == "zh"
            else f"{start_en}: by its data sheet the {{name}} {_LABELS[field][0]} {{{field}}}{rest_en}."
        )
        return Plan(stages=((Call("gpu_specs", {"gpu": name}),),), say=say, focus=field)
    return None


_LABELS = {
    "board_power_w": ("draws", "整卡功耗"),
    "memory_gb": ("has memory of", "显存"),
    "memory_bandwidth_gb_s": ("has a memory bandwidth of", "显存带宽"),
    "length_mm": ("is long:", "长度"),
    "slots": ("takes", "厚度"),
}


def _which_has_more(reading: Reading) -> Plan | None:
    """Two or three cards and one line of their sheets."""
    names = list(reading.known_cards)
    frame = frames()["gpu_specs"]
    if (
        not 2 <= len(names) <= 4
        or max(reading.known_cards.values()) > 1
        or reading.models
        or not _WHICH.search(reading.text)
    ):
        return None
    if (
        len(wants(reading.text).asked) > 1
        or _OTHER_WANTS.search(_SPEED_OF_A_LINK.sub("", reading.text))
        or any(item.unit not in ("", "x", "GB") for item in reading.quantities)
    ):
        return None
    fields = [name for name, pattern in frame.focus.items() if pattern.search(reading.text)]
    if "memory_bandwidth_gb_s" in fields and not _SIZE_TOO.search(reading.text):
        fields = [name for name in fields if name != "memory_gb"]  # "memory bandwidth" is one line
    field = next(iter(fields), "")
    known = all(isinstance(getattr(sheet(name), one, None), (int, float)) for name in names for one in fields)
    fields = fields if known and set(fields) <= set(_COMPARABLE) else fields[:1]
    sheets = {name: getattr(sheet(name), field, None) for name in names} if field in _COMPARABLE else {}
    if not sheets or any(not isinstance(value, (int, float)) for value in sheets.values()):
        return None
    zh = reading.language == "zh"
    top = (min if _LESS.search(reading.text) else max)(names, key=lambda name: float(sheets[name] or 0))
    order = [top, *(name for name in names if name != top)]
    calls = tuple(Call("gpu_specs", {"gpu": name}) for name in order)
    if len(fields) > 1:
        return Plan(stages=(calls,), say=_lines_of(fields, len(order), zh))
    ends = "按规格书。" if zh else "By their data sheets."
    if len(set(sheets.values())) == 1:
        both = "一样，都是" if zh else "The same:"
        return Plan(stages=(calls,), say=f"{both} {{{field}}}{'。' if zh else '. '}{ends}")
    if zh:
        rest = "，".join(f"{{all[{at}].name}} 是 {{all[{at}].{field}}}" for at in range(1, len(order)))
        return Plan(stages=(calls,), say=f"{{name}}：{{{field}}}；{rest}。{ends}")
    rest = ", ".join(f"{{all[{at}].{field}}} for the {{all[{at}].name}}" for at in range(1, len(order)))
    return Plan(stages=(calls,), say=f"The {{name}}: {{{field}}}, against {rest}. {ends}")


def _lines_of(fields: Sequence[str], count: int, zh: bool) -> str:
    """Return a table of several lines of the sheets, a row for each card."""
    head = " | ".join(_COLUMNS[field][zh] for field in fields)
    rows = [
        f"| {{all[{at}].name}} | " + " | ".join(f"{{all[{at}].{field}}}" for field in fields) + " |"
        for at in range(count)
    ]
    first = "按规格书：" if zh else "By their data sheets:"
    return "\n".join([first, "", f"| | {head} |", "|---" * (len(fields) + 1) + "|", *rows])


_COLUMNS: dict[str, tuple[str, str]] = {
    "l2_cache_mb": ("L2 cache", "L2 缓存"),
    "memory_bandwidth_gb_s": ("Bandwidth", "带宽"),
    "sm_count": ("SMs", "SM 数"),
    "fp32_tflops": ("FP32", "FP32"),
    "tensor_fp16_dense_tflops": ("FP16 dense", "FP16 稠密"),
    "tensor_bf16_dense_tflops": ("BF16 dense", "BF16 稠密"),
    "tensor_fp8_dense_tflops": ("FP8 dense", "FP8 稠密"),
    "tensor_tf32_dense_tflops": ("TF32 dense", "TF32 稠密"),
    "tensor_int8_dense_tops": ("INT8 dense", "INT8 稠密"),
    "board_power_w": ("Power", "功耗"),
    "slots": ("Slots", "槽位"),
    "length_mm": ("Length", "长度"),
    "memory_gb": ("Memory", "显存"),
    "nvlink_gb_s": ("NVLink", "NVLink"),
    "launch_price_usd": ("Launch price", "首发价"),
}


_LIMIT = words(r"limit\w*|capp?(?:ed|ing)?|power (?:target|limit)|undervolt\w*|down to", "限|锁|降到|功耗墙|功率上限")
_LOSS = words(r"los[es]\w*|slow\w*|speed|perform\w*|hurt|drop", "损失|慢|性能|速度|掉|影响")


def _limit_share(reading: Reading) -> Plan | None:
    """ "Limited to 70 % power": the share of the card's own watts."""
    cards, shares = list(reading.known_cards), of(reading, "fraction")
    if len(cards) != 1 or len(shares) != 1 or of(reading, "W") or not 0.2 < shares[0].value < 1:
        return None
    if not (_LIMIT.search(reading.text) and _LOSS.search(reading.text)) or not near(reading, shares[0], _LIMIT, 24):
        return None
    frame = frames()["power_limit_effect"]
    watts = float(sheet(cards[0]).board_power_w or 0) * shares[0].value
    arguments = {"gpu": cards[0], "power_limit_w": round(watts, 1), **choices(frame, reading)}
    return (
        Plan(stages=((Call("power_limit_effect", arguments),),), given=tuple(arguments), extra={"used": shares[0].text})
        if watts
        else None
    )


# "memory and bandwidth", "显存和带宽": the size is asked for beside the bandwidth.
_SIZE_TOO = re.compile(r"(?:memory|vram|显存)(?: size| capacity)?\s*(?:,|and|&|和|、|与|以及|大小)", re.IGNORECASE)
# "NVLink speed" is a line of the sheet, "speed" alone is not.
_SPEED_OF_A_LINK = re.compile(r"(?:nvlink|memory|bus|pcie|显存|互联)\s*(?:speed|速度)", re.IGNORECASE)
_OTHER_WANTS = words(
    r"better (?:for|suited)|suited|faster|quicker|speed|per dollar|value|buy|worth|train|fine-?tun|inference|tokens?|times|ratio|why|psu|suppl|electricity|explain|sense",
    "适合|快|速度|性价比|买|值|训练|微调|推理|倍|为什么|电源|电费|说得通|划算",
)

_ASKED = words(
    r"what(?:'s|s)?\b|how (?:much|many|large|big|wide|thick|long|fast)|which|tell me|give me|list",
    "多少|多大|多高|多长|多宽|多厚|几|是什么|查一下|给我|哪一",
)
_ELSEWHERE = words(
    r"article|guide|survey|author|say|claim|run\b|serve|fits?\b|enough|electric|cost|price|cloud|rent|per (?:year|hour|token|watt)|limit|capp?ed|"
    r"cards|gpus|model|batch|cycles?|matmul|need|board|risers?|atx\b|can (?:an?|my)|machine|system|heat|hot|cool",
    "文章|指南|综述|作者|原文|跑|部署|放得下|够|电费|多少钱|价格|云|租|每年|限|周期|需要|要多|整机|机器|散热|模型",
)


def _asked_field(reading: Reading) -> Plan | None:
    """ "What is the L2 of a 4090?": one line of one card's sheet, before what an article says of it."""
    cards = reading.known_cards
    if len(cards) != 1 or max(cards.values()) > 1 or reading.unknown_cards or reading.models:
        return None
    is_short = len(reading.text) - sum(card.end - card.start for card in reading.cards) <= _SHORT
    if reading.quantities or not (is_short or _ASKED.search(reading.text)) or len(wants(reading.text).asked) > 1:
        return None
    if _ELSEWHERE.search(reading.text) or _OTHER_WANTS.search(_SPEED_OF_A_LINK.sub("", reading.text)):
        return None
    name = next(iter(cards))
    focus = frames()["gpu_specs"].focus
    field = next((line for line, pattern in focus.items() if pattern.search(reading.text)), "")
    if field not in _LINES or getattr(sheet(name), field, None) is None:
        return None
    return Plan(stages=((Call("gpu_specs", {"gpu": name}),),), given=("gpu",), focus=field)


# "B300 memory?" asks by being short. [characters]
_SHORT = 16
# Lines of a sheet that a figure answers.
_LINES = frozenset(_COMPARABLE) - {"nvlink_gb_s", "launch_price_usd"}

RULES: tuple[Rule, ...] = (_claim, _which_has_more, _limit_share, _asked_field)
