"""A model that lies partly in main memory: the tools know GPU memory only, so the answer says what decides instead."""

from __future__ import annotations

from assistant.builtin.asking import Rule, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.reading import Reading
from tools.api import Json, get_tool, usual_format

_OFFLOAD = words(
    r"(?:cpu|ram)[- ]?offload\w*|offload\w*.{0,24}(?:cpu|ram|main memory|system memory)|partial(?:ly)? offload\w*|(?:layers?|rest|experts?) .{0,16}"
    r"(?:on|in|to) (?:the )?(?:cpu|ram|main memory|system memory)|-?ngl\b|spill\w*.{0,16}(?:ram|main memory)",
    "卸载到 ?(?:CPU|内存)|CPU ?卸载|(?:层|专家).{0,8}(?:放|在|到).{0,3}(?:CPU|内存)|CPU ?(?:和|\\+|加) ?GPU ?混合",
)
_SPEED = words(r"slow\w*|fast\w*|speed|t/s|tok\w*/s|tokens per|why|how can|help", "慢|快|速度|为什么|每秒|token/s|有用")
_TRAIN = words("optimi[sz]er|zero-?[123]|train|fine-?tun", "优化器|训练|微调|ZeRO")
_USUAL_FORMAT = "Q4_K_M"


def _offloaded(reading: Reading) -> Plan | None:
    cards = list(reading.known_cards)
    if not cards or not reading.models or not _OFFLOAD.search(reading.text) or not _SPEED.search(reading.text):
        return None
    if _TRAIN.search(reading.text):
        return None
    known = [usual_format(name) for name in reading.formats]
    properties = get_tool("inference_memory").parameters["properties"]
    chosen = known[0] if known and known[0] in properties["weight_format"]["enum"] else _USUAL_FORMAT
    arguments: dict[str, Json] = {"model": reading.models[0], "weight_format": chosen}
    calls = (Call("inference_memory", arguments), *(Call("gpu_specs", {"gpu": name}) for name in cards[:3]))
    sheets = range(1, len(calls))
    each_en = ", ".join(f"a {{all[{at}].name}} holds {{all[{at}].memory_gb}}" for at in sheets)
    each_zh = "，".join(f"{{all[{at}].name}} 每张 {{all[{at}].memory_gb}}" for at in sheets)
    en = (
        f"The weights of {{arguments.model}} in {{weight_format}} take {{weights_gb}}; {each_en}. What does not fit lies in main memory, and its"
        " share of every token is read from there: the CPU's memory decides the speed, not the card. So a faster card changes little. It even"
        " gets slower when the layers are split unevenly, when fewer of them lie on the cards than before, or when more passes over a narrow"
        " PCIe slot: compare how many layers each card holds. I cannot put a rate on a mixed run; tell me a format that fits and I will."
    )
    zh = (
        f"{{arguments.model}} 用 {{weight_format}}，权重 {{weights_gb}}；{each_zh}。放不下的部分在内存里，每个 token 都要从内存读它那一份："
        "速度由 CPU 的内存带宽决定，不由显卡决定，所以换更快的卡变化不大。要是各卡分到的层数不均、放上显卡的层比以前少，或者走了更窄的 PCIe 槽，"
        "反而会变慢：先比较每张卡放了几层。这种混合运行我给不出速度；换成放得下的量化，我能算。"
    )
    return Plan(stages=(calls,), say=zh if reading.language == "zh" else en)


RULES: tuple[Rule, ...] = (_offloaded,)
