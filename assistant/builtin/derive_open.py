"""Wide questions that end in one question back, with what is known said first: a laptop, waiting, system memory."""

from __future__ import annotations

import re

from assistant.builtin.asking import Rule, of, plain, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.frames import frames
from assistant.builtin.options import choices
from assistant.builtin.reading import Reading

_LAPTOP = words("laptops?|notebooks?|macbook", "笔记本|移动版|游戏本")
_RECOMMENDS = words(
    r"recommend|which|what (?:gpu|laptop|notebook)|best|suggest|should i (?:buy|get)|looking for|good laptop",
    "推荐|哪款|哪个|什么|选|买",
)
_WAITS = words(
    r"wait(?:ing)?|next[- ]gen(?:eration)?|successor|hold off", "等新|下一代|等一等|等等|再等|该等|要不要等|新一代"
)
_BUYS = words(r"buy|get|now|worth|upgrade", "买|入手|现在|值得|换")
# The largest of the laptop chips beside the desktop card of the same name: the difference is what people miss.
_LAPTOP_CHIP, _DESKTOP_CARD = "RTX 5090 Laptop", "RTX 5090"

_SYSTEM_RAM = re.compile(
    r"system (?:ram|memory)|\bRAM\b|\bDDR\d\b|main memory|host memory|(?<!显)(?<!显卡)内存(?!带宽)", re.IGNORECASE
)
# "two 24 GB cards", "两张 48 GB 的卡": the count stands right before the size.
_BESIDE = 3
_ENOUGH = words(
    r"enough|sufficient|how much|do i need|too (?:little|much)|ok\b|fine", "够|多大|多少|要不要|合适|行吗|可以吗"
)
_SPEED = words(r"speed|tokens?|fast|slow|offload\w*|layers?|run|spill", "速度|快|慢|卸载|层|跑|带宽")


def _laptop(reading: Reading) -> Plan | None:
    """A laptop for work that is not named yet."""
    if not _LAPTOP.search(reading.text) or not _RECOMMENDS.search(reading.text) or _is_told(reading):
        return None
    en = f"""
First what decides: a laptop chip is not the desktop card of the same name. The {{all[0].name}}, the largest, has {{all[0].memory_gb}} and {{all[0].memory_bandwidth_gb_s}}; the desktop {{all[1].name}} has {{all[1].memory_gb}} and {{all[1].memory_bandwidth_gb_s}}.

{_ask(reading)}
"""
    zh = f"""
先说要紧的：笔记本芯片和同名的台式卡不是一回事。最大的 {{all[0].name}} 有 {{all[0].memory_gb}}、{{all[0].memory_bandwidth_gb_s}}，台式的 {{all[1].name}} 有 {{all[1].memory_gb}}、{{all[1].memory_bandwidth_gb_s}}。

{_ask(reading)}
"""
    calls = (Call("gpu_specs", {"gpu": _LAPTOP_CHIP}), Call("gpu_specs", {"gpu": _DESKTOP_CARD}))
    return Plan(stages=(calls,), say=zh if reading.language == "zh" else en, status="clarify")


def _waiting(reading: Reading) -> Plan | None:
    """Wait for a successor or buy one named card, for work that is not named yet."""
    cards = list(reading.known_cards)
    if len(cards) != 1 or reading.unknown_cards or _is_told(reading):
        return None
    if not _WAITS.search(reading.text) or not _BUYS.search(reading.text):
        return None
    en = f"""
Of a successor I have no figures and will not guess any. What is sure: the {{name}} has {{memory_gb}} and {{memory_bandwidth_gb_s}}{{% if launch_date is not none %}}, and has been out since {{launch_date}}{{% endif %}}. If your work fits what you have, waiting costs nothing; if it does not, it costs the months without it.

{_ask(reading)}
"""
    zh = f"""
后继型号我没有数据，也不猜。能确定的是：{{name}} 有 {{memory_gb}}、{{memory_bandwidth_gb_s}}{{% if launch_date is not none %}}，{{launch_date}} 发布{{% endif %}}。手上的卡够用，等没有损失；不够用，等就是白等的那几个月。

{_ask(reading)}
"""
    call = Call("gpu_specs", {"gpu": cards[0]})
    return Plan(stages=((call,),), say=zh if reading.language == "zh" else en, status="clarify")


def _system_ram(reading: Reading) -> Plan | None:
    """System memory beside the memory of all cards, where nothing is to be run from it."""
    hit = _SYSTEM_RAM.search(reading.text)
    sizes = of(reading, "GB")
    if hit is None or reading.models or not _ENOUGH.search(reading.text) or _SPEED.search(reading.text):
        return None
    near = min(sizes, key=lambda item: min(abs(item.start - hit.end()), abs(hit.start() - item.end)), default=None)
    others = [item for item in sizes if item is not near]
    if near is None:
        return _ram_for(reading)
    if len(reading.known_cards) == 1 and not others:
        name, count = next(iter(reading.known_cards.items()))
        before, each = (Call("gpu_specs", {"gpu": name}),), "{{@1.memory_gb}}"
    elif not reading.known_cards and len(others) == 1:
        counts = [item for item in of(reading, "cards", "") if 0 <= others[0].start - item.end <= _BESIDE]
        count = int(counts[-1].raw) if counts else 1
        before, each = (), plain(others[0].value)
    else:
        return None
    total = Call("calculate", {"expression": f"{count} * {each} GB", "unit": "GB"})
    ram = Call("calculate", {"expression": f"{plain(near.value)} GB", "unit": "GB"})
    share = Call("calculate", {"expression": f"{plain(near.value)} / ({count} * {each})", "unit": "%"})
    at = len(before)
    # The verdict is the sign of a figure that is shown: the share of system RAM in the memory of the cards.
    en = f"""
{{% if all[{at + 2}].value >= 100 %}}That meets the rule of thumb: {{all[{at + 1}].value}} of system RAM, {{all[{at + 2}].value}} of the {{all[{at}].value}} that the cards hold together.{{% else %}}That is below the rule of thumb: {{all[{at + 1}].value}} of system RAM, only {{all[{at + 2}].value}} of the {{all[{at}].value}} that the cards hold together.{{% endif %}}


The rule is as much RAM as all cards hold together, because models load through it; more is needed only for offloading or large data sets. RAM does not replace memory on the cards: what lies in it runs several times slower. Will anything run from RAM?
"""
    zh = f"""
{{% if all[{at + 2}].value >= 100 %}}达到通常的要求：系统内存 {{all[{at + 1}].value}}，是显存合计 {{all[{at}].value}} 的 {{all[{at + 2}].value}}。{{% else %}}低于通常的要求：系统内存 {{all[{at + 1}].value}}，只是显存合计 {{all[{at}].value}} 的 {{all[{at + 2}].value}}。{{% endif %}}


通常内存至少和所有显卡的显存之和一样大，因为模型要经过内存加载；只有卸载或者数据集很大才要更多。内存代替不了显存：放在内存里的部分会慢好几倍。有什么要放在内存里跑吗？
"""
    stages = (before, (total, ram, share)) if before else ((total, ram, share),)
    return Plan(stages=stages, say=zh if reading.language == "zh" else en)


def _ram_for(reading: Reading) -> Plan | None:
    """How much system memory goes with the cards of a question."""
    if len(reading.known_cards) != 1:
        return None
    name, count = next(iter(reading.known_cards.items()))
    total = Call("calculate", {"expression": f"{count} * {{{{@1.memory_gb}}}} GB", "unit": "GB"})
    en = """
About {all[1].value} of system RAM: the usual rule is as much as all cards hold together, because models load through it.

More is needed only for offloading or large data sets; RAM does not replace memory on the cards. Will anything run from RAM?
"""
    zh = """
系统内存按 {all[1].value} 配：通常和所有显卡的显存之和一样大，因为模型要经过内存加载。

只有卸载或者数据集很大才要更多；内存代替不了显存。有什么要放在内存里跑吗？
"""
    return Plan(stages=((Call("gpu_specs", {"gpu": name}),), (total,)), say=zh if reading.language == "zh" else en)


def _is_told(reading: Reading) -> bool:
    """Whether the message says what the card is for."""
    return bool(reading.models or "use" in choices(frames()["recommend"], reading))


def _ask(reading: Reading) -> str:
    return frames()["recommend"].ask["use"][reading.language]


RULES: tuple[Rule, ...] = (_laptop, _waiting, _system_ram)
