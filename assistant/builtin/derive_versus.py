"""Cards held against each other with no model named: speed, memory and price side by side; forms and laptop twins of one card."""

from __future__ import annotations

import re

from assistant.builtin.asking import Rule, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.counting import base_name
from assistant.builtin.frames import frames
from assistant.builtin.options import choices
from assistant.builtin.reading import Reading
from assistant.builtin.trying import arguments_of, result_of
from tools.api import Json, ToolInputError, match

_COMPARES = words(
    r"\bvs\b|versus|compared?|comparison|or\b|better|worth|upgrad\w*|than|against|jump from|difference|faster|replace|beats?|equals?|match(?:es)?|as good as|"
    r"outperform\w*|same as",
    "比|还是|哪个|哪张|选|升级|换|值|提升|差距|差多少|区别|等于|顶得上|抵得上|相当于|打得过",
)
# Questions about one line of the sheets, a machine or a measured rate have rules of their own.
_ELSE = words(
    r"psu|watts?\b|power|suppl\w*|cool\w*|slots?|bandwidth|nvlink|l2\b|cache|[tp]flops|outlet|electric\w*|carbon|co2|rent|cloud|"
    r"break|tokens?|pay off|mix\w*|samples?|resnet|bert|years?|times|how (?:much|many)|wait\w*|i have|budget|sell|how fast|buck|dollars?|value|per\b",
    "电源|瓦|功耗|供电|散热|槽|带宽|缓存|算力|插座|电费|碳|租|云|回本|token|混|ResNet|BERT|倍|等新|下一代|我有|手上|预算|卖|性价比|多快",
)
_TRAIN = words(r"train\w*|fine-?tun\w*|lora|qlora", "训练|微调|LoRA")
_FORMS = re.compile(r"SXM", re.IGNORECASE), re.compile(r"PCI-?E", re.IGNORECASE)
_DIFFERS = words(
    r"differen\w*|diffrence|differ|vs\b|versus|compare\w*|or\b|same|identical|better",
    "区别|差别|不同|对比|比|一样|差多少|相同|还是",
)
_LAPTOP = words(r"laptops?|notebooks?|mobile", "笔记本|移动版|游戏本")
_DESKTOP = words(r"desktops?|full[- ]size|same|identical|real|tower", "台式|桌面|一样|相同|区别|差")
MOST_CARDS = 4


def _side_by_side(reading: Reading) -> Plan | None:
    """Two to four cards for some work: the fastest first, then memory and price of each."""
    cards = reading.known_cards
    if not 2 <= len(cards) <= MOST_CARDS or reading.unknown_cards or reading.models or reading.formats:
        return None
    if not _COMPARES.search(reading.text) or _ELSE.search(_without_cards(reading)):
        return None
    if any(item.unit not in ("", "cards", "GB", "x") for item in reading.quantities):
        return None
    use = _use(reading)
    names = list(cards)
    try:
        # One yardstick for all: a ratio between two cards depends on which of them it is measured by.
        rows = result_of("relative_performance", {"gpus": names, "use": use})["rows"]
    except ToolInputError:
        return None
    order = [str(row["gpu"]) for row in sorted(rows, key=lambda row: -float(row["relative"]))]
    speed = Call("relative_performance", {"gpus": order[:-1], "reference": order[-1], "use": use})
    sheets = [Call("gpu_specs", {"gpu": name}) for name in order]
    value = [call for call in [Call("rank_by_value", {"gpus": order, "use": use})] if _priced(call)]
    zh = reading.language == "zh"
    several = max(cards.values()) > 1
    ahead = result_of(speed.tool, speed.arguments)["rows"][0]["relative"]
    head = _SAME_SPEED if ahead < _AHEAD else _SPEED
    return Plan(
        stages=((speed, *sheets, *value),),
        say=head[zh] + (_EACH[zh] if several else "") + _table(len(order), zh) + _LAST[zh],
        given=("use",) if _says_use(reading) else (),
        extra={"alone": True},
    )


def _use(reading: Reading) -> str:
    if _TRAIN.search(reading.text):
        return "training_16bit"
    return str(choices(frames()["relative_performance"], reading).get("use", "inference_16bit"))


def _says_use(reading: Reading) -> bool:
    return _TRAIN.search(reading.text) is not None or "use" in choices(frames()["relative_performance"], reading)


def _priced(call: Call) -> bool:
    """Whether there is a price to compare; cards without one have no rank."""
    try:
        return bool(result_of(call.tool, call.arguments)["rows"])
    except ToolInputError:
        return False


_WHAT = """
{% set what = {"training_16bit": ["training", "训练"], "inference_8bit": ["8-bit inference", "8 位推理"], "inference_16bit": ["inference", "推理"], "llm_decode": ["writing tokens for one user", "单人生成"]}[use] %}
"""
_SPEED = {
    False: _WHAT
    + "{% for row in rows %}{% if loop.first %}The {row.gpu}: {row.relative} the speed of the {reference} in {what[0]} ({row.low} to {row.high}, {row.basis}){% else %}"
    "; the {row.gpu} {row.relative}{% endif %}{% endfor %}. ",
    True: _WHAT
    + "{% for row in rows %}{% if loop.first %}{row.gpu} 更快：{what[1]}速度是 {reference} 的 {row.relative}（区间 {row.low}–{row.high}，模型估计）{% else %}"
    "；{row.gpu} 是 {row.relative}{% endif %}{% endfor %}。",
}
_SAME_SPEED = {
    False: _WHAT
    + "About the same in {what[0]}: the {rows[0].gpu} has {rows[0].relative} the speed of the {reference} ({rows[0].low} to {rows[0].high}, {rows[0].basis}). ",
    True: _WHAT
    + "差不多：{what[1]}速度 {rows[0].gpu} 是 {reference} 的 {rows[0].relative}（区间 {rows[0].low}–{rows[0].high}，模型估计）。",
}
# Below this a card is not faster, given how wide the range is.
_AHEAD = 1.05
_EACH = {
    False: "That is card for card; several cards add memory, but not the speed of a single chat. ",
    True: "这是单张对单张；多张卡显存能加起来，单人对话的速度不会相加。",
}
_LAST = {
    False: """

{% for one in all %}{% if one.best_gpu is defined and one.rows|map(attribute="price_kind")|reject("equalto", "launch")|list|length == rows|length + 1 %}For the money the {one.rows[0].gpu} gives the most speed: {one.rows[0].price_usd} ({one.rows[0].price_kind}, {one.rows[0].price_as_of}){% for row in one.rows[1:] %}, the {row.gpu} is {row.price_usd} ({row.price_kind}, {row.price_as_of}){% endfor %}. {% endif %}{% endfor %}{% for line in warnings[:1] %}{line} {% endfor %}Memory comes first: which model do you want to run?
""",
    True: """

{% for one in all %}{% if one.best_gpu is defined and one.rows|map(attribute="price_kind")|reject("equalto", "launch")|list|length == rows|length + 1 %}{% set kinds = {"launch": "首发价", "used": "二手价", "street": "市价"} %}同样的钱，{one.rows[0].gpu} 换来的速度最多：{one.rows[0].price_usd}（{kinds[one.rows[0].price_kind]}，{one.rows[0].price_as_of}）{% for row in one.rows[1:] %}，{row.gpu} 是 {row.price_usd}（{kinds[row.price_kind]}，{row.price_as_of}）{% endfor %}。{% endif %}{% endfor %}{% for line in warnings_zh[:1] %}{line}{% endfor %}先看显存够不够：你想跑哪个模型？
""",
}


def _table(count: int, zh: bool, first: int = 1) -> str:
    """Return the rows of the sheets, which stand behind `first` other results."""
    head = "| | 显存 | 带宽 | 功耗 |" if zh else "| | Memory | Bandwidth | Power |"
    rows = [
        f"| {{all[{at}].name}} | {{all[{at}].memory_gb}} | {{all[{at}].memory_bandwidth_gb_s}} |"
        f" {{% if all[{at}].board_power_w is not none %}}{{all[{at}].board_power_w}}{{% else %}}-{{% endif %}} |"
        for at in range(first, first + count)
    ]
    return "\n".join(["", "", head, "|---|---|---|---|", *rows])


def _without_cards(reading: Reading) -> str:
    text = reading.text
    for card in reading.cards:
        text = text[: card.start] + " " * (card.end - card.start) + text[card.end :]
    return text


_MATCHES = words(
    r"how many .{0,40}(?:to )?(?:match|equal|replace|beat|make up|keep up with|be as fast as)\b|how many .{0,30}\bis (?:an?|one)\b.{0,20}worth",
    "几张.{0,24}(?:顶|抵|等于|相当于|比得上|赶上)|(?:顶|抵|等于|相当于|比得上).{0,4}几张",
)


def _how_many_match(reading: Reading) -> Plan | None:
    """ "How many 4090s match an H100?": the ratio of one to the other, before what several of them lose."""
    names = list(reading.known_cards)
    if len(names) != 2 or reading.models or reading.quantities or not _MATCHES.search(reading.text):
        return None
    use = _use(reading)
    rows = result_of("relative_performance", {"gpus": names, "use": use})["rows"]
    slow, fast = sorted(names, key=lambda name: next(row["relative"] for row in rows if row["gpu"] == name))
    call = Call("relative_performance", {"gpus": [slow], "reference": fast, "use": use})
    count = Call("calculate", {"expression": "1 / {{@1.rows.0.relative}}"})
    zh = reading.language == "zh"
    say = (
        "单看速度是 {all[1].value} 张：{what[1]}时一张 {rows[0].gpu} 的速度是 {reference} 的 {rows[0].relative}（区间 {rows[0].low}–{rows[0].high}，模型估计）。"
        "多卡之间还有通信损耗，显存也不会合成一块，实际要更多。想跑哪个模型？"
        if zh
        else "By speed alone {all[1].value}: in {what[0]} a {rows[0].gpu} has {rows[0].relative} the speed of the {reference} ({rows[0].low} to {rows[0].high},"
        " {rows[0].basis}). Several of them lose some to the exchange between them, and their memory does not become one. Which model is it for?"
    )
    return Plan(stages=((call,), (count,)), say=_WHAT + say, given=("use",) if _says_use(reading) else ())


def _twins(reading: Reading) -> Plan | None:
    """SXM against PCIe, or the laptop's chip against the desktop's, of one card."""
    if len(reading.cards) > 2 or len({base_name(card.name) for card in reading.cards if card.name}) != 1:
        return None
    text, base = reading.text, base_name(next(iter(reading.known_cards)))
    versions = list(reading.known_cards)
    if len(versions) == 2 and _DIFFERS.search(text) and not _ELSE.search(_without_cards(reading)):
        names = versions
    elif all(form.search(text) for form in _FORMS) and _DIFFERS.search(text):
        names = [f"{base} SXM", f"{base} PCIe"]
    elif _LAPTOP.search(text) and _DESKTOP.search(text):
        names = [base, f"{base} Laptop"]
    else:
        return None
    found = [hit.gpu.name for hit in map(match, names) if hit]
    if len(set(found)) != 2:
        return None
    zh = reading.language == "zh"
    say = (
        "不一样：{name} 是 {memory_gb}、{memory_bandwidth_gb_s}，{all[1].name} 是 {all[1].memory_gb}、{all[1].memory_bandwidth_gb_s}。"
        if zh
        else "They differ: the {name} has {memory_gb} and {memory_bandwidth_gb_s}, the {all[1].name} {all[1].memory_gb} and {all[1].memory_bandwidth_gb_s}."
    )
    ask = "按规格书。想跑哪个模型？" if zh else "By their data sheets. Which model do you want to run?"
    calls = tuple(Call("gpu_specs", {"gpu": name}) for name in found)
    return Plan(stages=(calls,), say=say + _table(2, zh, first=0) + "\n" + ask)


def _several_with_a_model(reading: Reading) -> Plan | None:
    """Three or four cards for one model: what each writes, the fastest that holds it first."""
    cards = reading.known_cards
    if not 3 <= len(cards) <= MOST_CARDS or len(reading.models) != 1 or max(cards.values()) > 1:
        return None
    if _TRAIN.search(reading.text) or not _COMPARES.search(f"{reading.text} serving") or reading.unknown_cards:
        return None
    if any(item.unit not in ("", "tokens", "GB") for item in reading.quantities):
        return None
    fixed = arguments_of("decode_rate", reading)
    calls: list[dict[str, Json]] = [{**fixed, "gpu": name} for name in cards]
    if "weight_format" not in fixed and not all(result_of("decode_rate", call)["fits"] for call in calls):
        calls = [{**call, "weight_format": "Q4_K_M"} for call in calls]
    tried = [(call, result_of("decode_rate", call)) for call in calls]
    tried.sort(key=lambda pair: (not pair[1]["fits"], -pair[1]["tokens_per_s"]))
    zh = reading.language == "zh"
    head = (
        "{gpu} 最快：{arguments.model}（{weight_format}）单人生成 {tokens_per_s}。\n"
        if zh
        else "The {gpu}: {tokens_per_s} for one user with {arguments.model} in {weight_format}.\n"
    )
    if not tried[0][1]["fits"]:
        head = (
            "单张都放不下 {arguments.model}（{weight_format}）。\n"
            if zh
            else "None of them holds {arguments.model} in {weight_format} alone.\n"
        )
    last = (
        "单人生成看显存带宽；很多人同时用时算力更要紧。大概几个人同时用？"
        if zh
        else "For one user bandwidth decides, for many the tensor rate does. How many people use it at once?"
    )
    stage = tuple(Call("decode_rate", call) for call, _ in tried)
    return Plan(stages=(stage,), say=f"{head}{_RATES[zh]}\n{last}", given=tuple(fixed))


_RATES = {
    False: """
{% for one in all %}
- {one.gpu}: {% if one.fits %}{one.tokens_per_s} ({one.low_tokens_per_s} to {one.high_tokens_per_s}, {one.basis}){% else %}does not fit, it needs {one.needed_per_gpu_gb} of {one.gpu_memory_gb}{% endif %}

{% endfor %}
""",
    True: """
{% for one in all %}
- {one.gpu}：{% if one.fits %}{one.tokens_per_s}（区间 {one.low_tokens_per_s}–{one.high_tokens_per_s}，{% if one.basis == "measured" %}实测{% else %}模型估计{% endif %}）{% else %}放不下，要 {one.needed_per_gpu_gb}，只有 {one.gpu_memory_gb}{% endif %}

{% endfor %}
""",
}

RULES: tuple[Rule, ...] = (_twins, _how_many_match, _several_with_a_model, _side_by_side)
