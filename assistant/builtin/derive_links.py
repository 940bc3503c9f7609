"""What a link between cards costs in training: NVLink or PCIe, more lanes or fewer."""

from __future__ import annotations

import re

from assistant.builtin.asking import Rule, calculations, of, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.frames import frames
from assistant.builtin.options import choices
from assistant.builtin.reading import Reading
from assistant.builtin.sheets import sheet
from assistant.builtin.trying import result_of
from tools.api import Json

_MATTERS = words(
    r"bottleneck\w*|slow\w*|hurt\w*|matter\w*|lose|losing|loss|cost me|penalt\w+|difference|enough|limit\w*|help\w*|faster|worth|gain|impact|hold back|"
    r"versus|vs\b|compared?",
    "瓶颈|慢|影响|损失|差多少|差别|够不够|够吗|够用|提升|快多少|有用|区别|拖累|拖后腿|对比|相比",
)
_LINK = words(r"nvlink|pcie|lanes?\b|x(?:4|8|16)\b", "NVLink|PCIe|通道|x(?:4|8|16)")
_LLM_INFERENCE = words(r"inference|chat\w*|serv\w+|generat\w+|tokens?", "推理|聊天|部署|生成|token")
_TRAIN = words(r"train\w*|fine-?tun\w*|lora", "训练|微调|LoRA")
_GENERATION = re.compile(r"pcie\s?(?:gen\s?)?([3-6])", re.IGNORECASE)
_LANES = re.compile(r"(?<![A-Za-z0-9.])x\s?(4|8|16)(?![0-9A-Za-z.])", re.IGNORECASE | re.ASCII)
_ALL_LANES = 16
# What a question that names no network may be about.
_FAMILIES = ("cnn", "transformer")


def _links(reading: Reading) -> Plan | None:
    """Train over the link that is named and over the better one: what is lost."""
    cards = reading.known_cards
    if len(cards) != 1 or not (_LINK.search(reading.text) and _MATTERS.search(reading.text)):
        return None
    name, count = next(iter(cards.items()))
    if count < 2 or of(reading, "USD", "W", "GB", "lanes", "Gbit/s", "°C") or reading.models:
        return None
    if _LLM_INFERENCE.search(reading.text) and not _TRAIN.search(reading.text):
        return None
    pair = _pair(reading.text, name)
    if pair is None:
        return None
    narrow, wide = pair
    network = choices(frames()["multi_gpu_speedup"], reading).get("network")
    networks = (network,) if network else _FAMILIES
    calls: list[Call] = []
    for kind in networks:
        each: list[dict[str, Json]] = [
            {"gpu": name, "gpu_count": count, "network": kind, "interconnect": link} for link in (narrow, wide)
        ]
        for arguments in each:
            result_of("multi_gpu_speedup", arguments)  # a link that the card has not is an error here
        calls += [Call("multi_gpu_speedup", arguments) for arguments in each]
    sums = [(f"1 - {{{{@{at + 1}.speedup}}}} / {{{{@{at + 2}.speedup}}}}", "%") for at in range(0, len(calls), 2)]
    first = len(calls)
    losses = [f"{{all[{first + at}].value}}" for at in range(len(sums))]
    small = all(_loss(calls[at], calls[at + 1]) < _LITTLE for at in range(0, len(calls), 2))
    kinds_en = [_SAID.get(str(kind), (str(kind), str(kind)))[0] for kind in networks]
    kinds_zh = [_SAID.get(str(kind), (str(kind), str(kind)))[1] for kind in networks]
    rows = range(len(networks))
    en = (
        f"{'Hardly' if small else 'It counts'}: {{gpu_count}} {{gpu}} over {{interconnect}} instead of {{all[1].interconnect}} cost "
        + " and ".join(f"{losses[at]} of the training speed for {kinds_en[at]}" for at in rows)
        + ".\n\n"
        + "\n".join(
            f"- {kinds_en[at]}: {{all[{2 * at}].speedup}} over {{all[{2 * at}].interconnect}}, {{all[{2 * at + 1}].speedup}} over"
            f" {{all[{2 * at + 1}].interconnect}}, next to one card"
            for at in rows
        )
        + "\n\nModelled, data parallel, the batch of each card unchanged. The larger the model next to its batch, the more the link counts; for a single"
        " user who chats it hardly does."
    )
    zh = (
        f"{'影响很小' if small else '有影响'}：{{gpu_count}} 张 {{gpu}} 用 {{interconnect}} 代替 {{all[1].interconnect}}，"
        + "、".join(f"{kinds_zh[at]}训练速度少 {losses[at]}" for at in rows)
        + "。\n\n"
        + "\n".join(
            f"- {kinds_zh[at].strip()}（对单卡）：{{all[{2 * at}].interconnect}} 是 {{all[{2 * at}].speedup}}，{{all[{2 * at + 1}].interconnect}} 是 {{all[{2 * at + 1}].speedup}}"
            for at in rows
        )
        + "\n\n模型估计，按数据并行、每卡批量不变算。模型越大、批量越小，互联越要紧；单人聊天推理基本不受影响。"
    )
    return calculations(reading, sums, en, zh, tuple(calls))


# Less than this nobody notices.
_LITTLE = 0.05
_SAID = {
    "cnn": ("CNNs", "CNN "),
    "transformer": ("transformers", "Transformer "),
    "resnet50": ("ResNet50", "ResNet50 "),
    "ssd300": ("SSD300", "SSD300 "),
    "bert_large": ("BERT-large", "BERT-large "),
    "gnmt": ("GNMT", "GNMT "),
    "tacotron2": ("Tacotron 2", "Tacotron 2 "),
    "transformer_xl": ("Transformer-XL", "Transformer-XL "),
}


def _loss(narrow: Call, wide: Call) -> float:
    slow, fast = (result_of(call.tool, call.arguments)["speedup"] for call in (narrow, wide))
    return float(1 - slow / fast)


def _pair(text: str, card: str) -> tuple[str, str] | None:
    """Return the link that a question names and the better one that it is held against."""
    named = sheet(card)
    generations = [int(hit) for hit in _GENERATION.findall(text)]
    lanes = [int(hit) for hit in _LANES.findall(text)]
    usual = generations[0] if generations else int(named.pcie_generation or 4)
    if "nvlink" in text.lower():
        narrow = f"PCIe {usual}.0 x{min(lanes, default=16)}"
        return (narrow, "NVLink") if named.nvlink_gb_s else None
    if len(set(generations)) > 1:
        width = min(lanes, default=16)
        return f"PCIe {min(generations)}.0 x{width}", f"PCIe {max(generations)}.0 x{width}"
    if lanes and min(lanes) < max(*lanes, _ALL_LANES):
        return f"PCIe {usual}.0 x{min(lanes)}", f"PCIe {usual}.0 x{max(lanes) if len(set(lanes)) > 1 else _ALL_LANES}"
    newest = int(named.pcie_generation or 4)
    return (f"PCIe {usual}.0 x16", f"PCIe {newest}.0 x16") if generations and usual < newest else None


RULES: tuple[Rule, ...] = (_links,)
