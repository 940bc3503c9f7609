"""A frame for a tool that has no talk file: cues from its docstring, slots from its schema and their units.

A new tool is understood in both languages from what its author wrote anyway. Its own examples, as a talk file,
make it understood better.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from assistant.builtin.cue import Cue, Slot
from tools.api import Json, Tool

# Words of a docstring that say nothing about its subject.
_EMPTY = (
    "a an the of or and to for in on at by with from is are be it its how what which when that this than per use give say said "
    "compute computes computed return returns estimate estimates find finds look looks up one two each any all as if not "
    "does do will would can much many long name names value number"
)
_PLAIN = frozenset(_EMPTY.split())
# Field words in the other language, so that a tool described in English is found in Chinese too.
_CHINESE = {
    "power": "功率|功耗|瓦",
    "watts": "瓦|功率",
    "energy": "能量|用电|电量",
    "electricity": "电费|用电",
    "price": "价格|多少钱",
    "cost": "成本|费用|多少钱|花",
    "memory": "显存|内存",
    "bandwidth": "带宽",
    "time": "时间|多久",
    "hours": "小时",
    "days": "天",
    "months": "月",
    "years": "年",
    "speed": "速度|快",
    "rate": "速度|速率",
    "noise": "噪音|噪声|分贝",
    "loud": "噪音|声音|吵",
    "temperature": "温度|度",
    "heat": "发热|热",
    "fan": "风扇",
    "fans": "风扇",
    "cooling": "散热|冷却",
    "weight": "重量|多重",
    "length": "长度|多长",
    "size": "大小|尺寸|多大",
    "distance": "距离|多远",
    "battery": "电池|续航|电源能撑",
    "ups": "UPS|不间断电源|续航",
    "resale": "残值|二手|卖",
    "depreciation": "折旧|贬值",
    "network": "网络|网卡",
    "storage": "硬盘|存储",
    "disk": "硬盘|磁盘",
    "dataset": "数据集|数据",
    "download": "下载",
    "transfer": "传输|拷贝",
    "image": "图片|图像",
    "images": "图片|图像|画图",
    "room": "房间|机房",
    "water": "水",
    "runtime": "能撑|续航|运行时间",
    "tax": "税",
    "rent": "租",
    "cloud": "云",
    "carbon": "碳|排放",
    "training": "训练",
    "inference": "推理",
    "tokens": "token|词元",
    "users": "用户|人",
    "load": "负载",
    "copy": "拷贝|复制",
    "load_w": "负载",
    "capacity": "容量",
    "reliability": "可靠|故障",
    "failure": "故障|坏",
    "insurance": "保险",
    "warranty": "保修",
}
_WEIGHT_FIRST, _WEIGHT_REST = 2.2, 0.9
MOST_CUES = 8


def cues_of(tool: Tool) -> tuple[Cue, ...]:
    """Return a cue for each telling word of a tool's name and summary; the name's own count most."""
    named = list(_telling(tool.name.replace("_", " ")))
    said = [word for word in _telling(f"{tool.summary} {_asked(tool.description)}") if word not in named]
    weights = {**dict.fromkeys(said[:MOST_CUES], _WEIGHT_REST), **dict.fromkeys(named, _WEIGHT_FIRST)}
    return tuple(Cue(weight, _pattern(word)) for word, weight in weights.items())


def slots_of(tool: Tool) -> tuple[Slot, ...]:
    """Return a slot for each number that has a unit; words of its name stand near it."""
    found: list[Slot] = []
    for name, schema in tool.parameters["properties"].items():
        if schema.get("type") in ("number", "integer"):
            words = list(_telling(re.sub(r"_(?:w|gb|usd|h|pct|m|mm|c|v|a)$", "", name).replace("_", " ")))
            cues = re.compile("|".join(_pattern(word).pattern for word in words), re.IGNORECASE) if words else None
            found.append(Slot(name, _unit(schema), cues, need_cue=False))
    return tuple(found)


def choices_of(tool: Tool) -> dict[str, dict[str, re.Pattern[str]]]:
    """Return the fixed options of a tool, each found by its own name."""
    return {
        name: {
            str(value): re.compile(re.escape(str(value)).replace("_", "[ _-]?"), re.IGNORECASE)
            for value in schema["enum"]
        }
        for name, schema in tool.parameters["properties"].items()
        if "enum" in schema and name != "weight_format"
    }


def asks_of(tool: Tool) -> dict[str, dict[str, str]]:
    """Return a question for each argument that must be there."""
    described = {
        name: str(schema["description"]).split(". ")[0].rstrip(".")
        for name, schema in tool.parameters["properties"].items()
    }
    return {
        name: {
            "en": f"For that I need one more thing: {described[name][:1].lower()}{described[name][1:]}?",
            "zh": f"还差一项才能算：{described[name]}（`{name}`）是多少？",
        }
        for name in tool.parameters["required"]
    }


def _asked(description: str) -> str:
    """The part of a docstring that says when to use the tool."""
    hit = re.search(r"Use it[^.]*\.", description, re.DOTALL)
    return hit[0] if hit else ""


def _telling(text: str) -> Iterable[str]:
    return dict.fromkeys(word for word in re.findall(r"[a-z]{3,}", text.lower()) if word not in _PLAIN)


def _pattern(word: str) -> re.Pattern[str]:
    stem = re.escape(word.removesuffix("s") if len(word) > 4 else word)
    chinese = _CHINESE.get(word, _CHINESE.get(word.removesuffix("s"), ""))
    return re.compile(rf"(?<![A-Za-z]){stem}" + (f"|{chinese}" if chinese else ""), re.IGNORECASE)


def _unit(schema: Json) -> str:
    unit = str(schema.get("unit", ""))
    return "hours" if unit == "h" else unit
