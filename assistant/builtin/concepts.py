"""Questions about a technique rather than a figure, whatever cards they name: the glossary answers them.

"Is ECC worth it?", "tensor or pipeline parallelism on my two cards?", "why are two cards slower than one?"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from assistant.builtin.asking import words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.reading import Reading
from assistant.builtin.single import ARTICLE, NAMED
from assistant.builtin.unused import is_figure
from assistant.builtin.wants import wants
from assistant.toolbox import SEARCH
from knowledge.glossary import Entry, entries

# Techniques that no tool puts a figure on; what a tool computes is computed.
_TECHNIQUES = frozenset(
    (
        "ecc", "flash-attention", "paged-attention", "accumulation", "mig", "speculative", "gqa", "rocm", "tensor-core",
        "data-parallelism", "tensor-parallelism", "pipeline-parallelism", "infiniband", "hbm", "mixed-precision", "sparsity", "riser",
        "occupancy", "shared-memory", "tma", "12vhpwr", "awq", "gguf", "transient", "batch-size", "zero",
    )
)  # fmt: skip
_MATTERS = words(
    r"does|do i need|needed|necessary|matters?|important|worth (?:it|having)|useful|helps?|reduces?|saves?|good for|bother|need to|explain|point of|"
    r"what(?:'s| is) the deal|required",
    "有必要|必要|需要|有用|没用|能省|省不省|重要|要不要|该不该|值得|会不会|有没有影响|影响|有什么好处|解释|讲讲|说说|通俗",
)
_CHOOSES = words(
    r"\bor\b|\bvs\b|versus|differ\w*|which|better|should i|choose|prefer|instead of|rather than",
    "还是|哪个|哪种|选|更好|好一点|对比|该用|差多少|差别|区别|不同|翻倍|换(?:到|成)",
)
_SEVERAL = words(
    r"(?:two|both|dual|second|multiple|several|multi|more|another|extra|[2-8]x?)[\s-]+(?:\w+[\s-]){0,2}(?:gpus?|cards?|[2-9]0[5-9]0s?)\b",
    "[两双多二四24] ?(?:张|块|卡)|第二张|[再加]了?一张|多卡|双卡",
)
_SLOWER = words(
    r"slower|not (?:any )?faster|no faster|isn'?t faster|one (?:gpu|card|of them)?\s?(?:is )?faster than (?:two|2|both|several)|(?:gpu|card) (?:is )?faster than (?:two|2|both)|aren'?t faster|doesn'?t speed|no speed-?up|worse than one",
    "更慢|反而慢|变慢|还慢|慢了|没变快|没有变快|没快|不如(?:一张|单卡)|比(?:一张|单卡|单张)(?:还|更)?慢",
)
_MIXED = words(
    r"mix(?:ing|ed)?|combin\w+|together with|alongside|different (?:gpus|cards)|pair(?:ed)? (?:a|an|my|with)",
    "混插|混用|混搭|混着|一起用|一起跑|搭配|不同(?:型号|显卡|的卡)",
)
_POOLED = words(
    r"(?:as|like|into|become|see\w*|count\w*) (?:one|a single)|one (?:big|large|single|giant)|pool(?:s|ed|ing)?\b|unified|merge[sd]?|combine[sd]?",
    "当成一张|当一张|变成一张|合成一张|合并成|一张大卡|看成一张|识别成一张|显存(?:池|合并|叠加|共享)|拼成",
)
# "显卡 80 度正常吗": when a card slows itself down stands in the guide.
_IS_NORMAL = words(
    r"\d+ ?(?:°|degrees|c\b).{0,30}(?:normal|ok(?:ay)?\b|fine|too hot|safe|dangerous)|(?:normal|safe) (?:gpu |card )?temp\w*",
    r"\d+ ?(?:度|°|℃).{0,8}(?:正常|安全|危险|烫|高不高|算高|有事|要紧)|正常温度|温度.{0,6}正常",
)
_THROTTLES = {"en": "At what temperature do GPUs throttle?", "zh": "显卡温度到多少会自动降速？"}
_OLD_SLOT = words(r"pcie?(?:[ -]?(?:gen ?)?[1-4](?:\.0)?)|x(?:1|4|8)\b", r"PCIe? ?[1-4](?:\.0)?|x ?[148](?![0-9])")
_LOSES = words(
    r"los[es]\w*|slow\w*|bottleneck|matter|affect|performance|enough|fine|impact", "损失|慢|瓶颈|影响|性能|够|掉"
)
# "Does more TFLOPS mean faster chat?", "推理为什么吃带宽"
_RATE_OR_READ = words(
    r"(?:more|higher) (?:tflops|compute|cuda cores).{0,40}(?:faster|speed)|why .{0,40}(?:bandwidth|memory[- ]bound)|bandwidth .{0,30}(?:or|vs) .{0,20}(?:compute|tflops)",
    "算力.{0,8}(?:越|更)?(?:高|大|强).{0,10}快|为什么.{0,12}带宽|带宽.{0,6}为什么|(?:吃|看|拼)(?:显存)?带宽|带宽(?:还是|和)算力|算力(?:还是|和)带宽|带宽.{0,10}什么关系",
)
_FIGURE = words(
    r"how (?:much|many|large|big|fast|long)|what (?:percent|share)|by what", "多少|多大|多快|多长|几倍|百分之"
)
_WHY = words(r"why|how come|reason|normal|expected|supposed", "为什么|为啥|为何|怎么|正常|原因")


def concept(reading: Reading) -> Plan | None:
    """Return the look-up of the terms that a question is about, or None if it wants a figure."""
    if len(wants(reading.text).asked) > 1 or any(
        item.unit not in ("", "cards", "x", "GB", "°C", "kWh") for item in reading.quantities
    ):
        return None
    text = reading.text
    if (_FIGURE.search(text.replace("差多少", "")) and not _OLD_SLOT.search(text)) or ARTICLE.search(text):
        return None
    if re.search("NVLink", text, re.IGNORECASE) and _POOLED.search(text):
        return _look_up(["nvlink"], reading)
    if len(reading.known_cards) > 1 and _MIXED.search(text):
        return _look_up(["mixed-gpus"], reading)
    if _SEVERAL.search(text) and _SLOWER.search(text) and _WHY.search(text):
        return _look_up(["two-gpus"], reading)
    if _IS_NORMAL.search(text) and not reading.models and not reading.cards:
        return Plan(stages=((Call(SEARCH, {"query": _THROTTLES[reading.language], "k": 8}),),), extra={"sure": NAMED})
    if _OLD_SLOT.search(text) and _LOSES.search(text) and sum(reading.known_cards.values()) <= 1 and not reading.models:
        return _look_up(["pcie"], reading)
    if any(is_figure(item) for item in reading.quantities):
        return None
    named = _techniques(text)
    general = not reading.cards and not reading.models
    if general and _RATE_OR_READ.search(text):
        return _look_up(["memory-bound"], reading)
    if not named and general and not reading.quantities and (_MATTERS.search(text) or _CHOOSES.search(text)):
        named = _terms(text)  # without a card, a model or a figure nothing can be computed
    if len(named) == 2 and _CHOOSES.search(text):
        return _look_up(named, reading)
    if len(named) == 1 and _MATTERS.search(text) and not (reading.cards and reading.models):
        return _look_up(named, reading)
    return None


def _techniques(text: str) -> list[str]:
    """Return the terms of a text that no tool puts a figure on."""
    return [section for section in _terms(text) if section in _TECHNIQUES]


def _terms(text: str) -> list[str]:
    """Return the terms that a text names, in order; of names that overlap the longest counts."""
    low = re.sub(r"[\s\-_]+", " ", text.lower())
    low = _SHARED.sub(r"\1 \4 \2 \3 \4", re.sub(r"(?<=[\u4e00-\u9fff]) | (?=[\u4e00-\u9fff])", "", low))
    taken: list[tuple[int, int, str]] = []
    for name, section in _names():
        pattern = rf"(?<![a-z0-9]){re.escape(name)}s?(?![a-z0-9])" if name.isascii() else re.escape(name)
        for hit in re.finditer(pattern, low):
            if all(hit.end() <= start or hit.start() >= end for start, end, _ in taken):
                taken.append((hit.start(), hit.end(), section))
    return list(dict.fromkeys(section for _, _, section in sorted(taken)))


# "tensor or pipeline parallelism" names tensor parallelism too.
_SHARED = re.compile(r"\b([a-z]+) (vs\.?|versus|and|or) ([a-z]+) (parallelism|parallel)\b")


@cache
def _names() -> tuple[tuple[str, str], ...]:
    """Return every name of the glossary with its section, the longest first."""
    found = [(name, section) for section, entry in _entries().items() for name in entry.names]
    return tuple(sorted(found, key=lambda item: -len(item[0])))


@cache
def _entries() -> dict[str, Entry]:
    return {next(iter(entry.passages.values())).section: entry for entry in entries()}


def _look_up(sections: Sequence[str], reading: Reading) -> Plan:
    """Ask the glossary for its terms by the name they have in the person's language."""
    names = [_entries()[section].passages[reading.language].heading.split(" / ")[0] for section in sections]
    ask = _DIFFER if len(names) > 1 else _WHAT
    query = ask[reading.language].format(*names)
    return Plan(stages=((Call(SEARCH, {"query": query, "k": 8}),),), extra={"glossary": True})


_WHAT = {"en": "What is {}?", "zh": "什么是{}？"}
_DIFFER = {"en": "{} versus {}: how do they differ?", "zh": "{}和{}有什么区别？"}
