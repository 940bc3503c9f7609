"""A machine around cards that nobody says to own yet: what they cost, what supply and space they take, and the budget."""

from __future__ import annotations

from assistant.builtin.asking import Rule, money, of
from assistant.builtin.calls import Call, Plan
from assistant.builtin.frames import frames
from assistant.builtin.named import owned_cards
from assistant.builtin.reading import Reading
from assistant.builtin.trying import result_of
from tools.api import ToolInputError


def _machine(reading: Reading) -> Plan | None:
    """ "Build a server with eight 4090s": the cards' price, supply and slots; against a budget if one is given."""
    cards = reading.known_cards
    planned = frames()["plan_build"].cues[0].pattern
    if len(cards) != 1 or reading.unknown_cards or reading.models or not planned.search(reading.text):
        return None
    if owned_cards(reading) or len(money(reading)) > 1 or money(reading, "h") or of(reading, "h/week", "h/day"):
        return None
    budget = money(reading)
    if budget and budget[0].unit != "USD":
        return None
    name, count = next(iter(cards.items()))
    calls = [Call("power_check", {"cards": {name: count}}), Call("cooling_check", {"cards": {name: count}})]
    priced = Call("rank_by_value", {"use": "inference_16bit", "gpus": [name]})
    try:
        row = result_of(priced.tool, priced.arguments)["rows"][0]
    except (ToolInputError, IndexError):
        row = None
    zh = reading.language == "zh"
    if row is None:
        say = _UNPRICED[zh]
        return Plan(stages=(tuple(calls),), say=say + _AROUND[zh])
    total = Call("calculate", {"expression": f"{count} * {{{{@3.rows.0.price_usd}}}} USD", "unit": "USD"})
    over = bool(budget) and count * float(row["price_usd"]) > budget[0].value
    head = _OVER[zh] if over else _WITHIN[zh] if budget else ""
    used = {"used": budget[0].text} if budget else {}
    return Plan(stages=((*calls, priced), (total,)), say=head + _COST[zh] + _AROUND[zh], extra={"alone": True, **used})


_OVER = {False: "No: the cards alone take more than that. ", True: "不够：光是显卡就超了。"}
_WITHIN = {False: "For the cards, yes; the machine around them comes on top. ", True: "买显卡够，显卡以外的整机另算。"}
_COST = {
    False: "The cards come to {all[3].value}, at {all[2].rows[0].price_usd} each ({all[2].rows[0].price_kind} price of {all[2].rows[0].price_as_of}).",
    True: "{% set kinds = {'launch': '首发价', 'used': '二手价', 'street': '市价'} %}显卡合计 {all[3].value}，每张 {all[2].rows[0].price_usd}（{all[2].rows[0].price_as_of} 的{kinds[all[2].rows[0].price_kind]}）。",
}
_UNPRICED = {False: "I have no price of these cards on record.", True: "这些卡我没有报价。"}
_AROUND = {
    False: """

| | |
|---|---|
| Machine at full load | {system_w} |
| Supply | {% if recommended_psu_w is not none %}{recommended_psu_w}{% else %}several{% endif %} |
| Slots | {all[1].slots_needed} of {all[1].board_slots} |

{% for line in assumptions[:1] %}{line} {% endfor %}The computer around the cards is not priced. Which model is it for, and how many people use it at once?
""",
    True: """

| | |
|---|---|
| 整机满载 | {system_w} |
| 电源 | {% if recommended_psu_w is not none %}{recommended_psu_w}{% else %}要几个{% endif %} |
| 槽位 | 要 {all[1].slots_needed}，普通主板 {all[1].board_slots} |

{% for line in assumptions_zh[:1] %}{line}{% endfor %}显卡以外的整机没有计价。跑哪个模型，几个人同时用？
""",
}

RULES: tuple[Rule, ...] = (_machine,)
