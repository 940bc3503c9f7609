"""An outlet that something else hangs on: what is left of it for the machine."""

from __future__ import annotations

from assistant.builtin.asking import Rule, near, of, plain, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.reading import Reading
from tools.api import Json

_LOAD = words(
    r"heater|kettle|air[- ]?con\w*|\bac\b|oven|fridge|microwave|washer|washing machine|dryer|toaster|boiler",
    "空调|取暖器?|电暖|热水器|热水壶|电水壶|电饭煲|微波炉|烤箱|冰箱|洗衣机|烘干机",
)
_REACH = 14


def _shared(reading: Reading) -> Plan | None:
    """Cards on a circuit beside a heater or the like: the sum decides."""
    amps, volts, cards = of(reading, "A"), of(reading, "V"), reading.known_cards
    loads = [item for item in of(reading, "W") if near(reading, item, _LOAD, _REACH)]
    if len(amps) != 1 or len(volts) > 1 or not cards or len(loads) != 1 or len(of(reading, "W")) != 1:
        return None
    usual = 220.0 if reading.language == "zh" else (120.0 if amps[0].value in (15, 20, 30) else 230.0)
    arguments: dict[str, Json] = {
        "cards": dict(cards),
        "outlet_v": volts[0].value if volts else usual,
        "outlet_a": amps[0].value,
    }
    both = Call("calculate", {"expression": f"{{{{@1.wall_w}}}} W + {plain(loads[0].value)} W", "unit": "W"})
    load = loads[0].text.strip()
    en = (
        f"Together they ask for {{all[1].value}}, {{% if all[1].value > outlet_limit_w %}}more{{% else %}}less{{% endif %}} than the {{outlet_limit_w}} that the circuit"
        f" carries for hours. The machine takes {{wall_w}} at the wall; the {load} load comes on top.{{% if all[1].value > outlet_limit_w %}} Run one at a time, or put the"
        " machine on another circuit.{% endif %} {% for line in assumptions[:2] %}{line} {% endfor %}"
    )
    zh = (
        f"两样一起要 {{all[1].value}}，比线路可持续的 {{outlet_limit_w}} {{% if all[1].value > outlet_limit_w %}}多{{% else %}}少{{% endif %}}。整机从墙上取 {{wall_w}}，"
        f"再加 {load} 的电器。{{% if all[1].value > outlet_limit_w %}}别同时开，或者给机器换到别的线路。{{% endif %}}"
        "{% for line in assumptions_zh[:2] %}{line}{% endfor %}"
    )
    stages = ((Call("power_check", arguments),), (both,))
    return Plan(stages=stages, say=zh if reading.language == "zh" else en, extra={"used": load})


_NEED = words(
    r"do (?:i|we) need|is .{0,20}(?:needed|necessary|required)|need to|must i|have to", "需要|必要|要不要|必须|非得"
)
_WATER = words(r"water[- ]?cool\w*|liquid[- ]?cool\w*|aio\b|custom loop", "水冷|液冷")


def _needs_water(reading: Reading) -> Plan | None:
    """Whether water is needed: what the cards take on air, since nobody has temperatures of that case."""
    cards = reading.known_cards
    if not cards or reading.quantities or not _NEED.search(reading.text) or not _WATER.search(reading.text):
        return None
    call = Call("cooling_check", {"cards": dict(cards)})
    en = (
        "It depends on space and noise rather than on the cards: on air they need {slots_needed} of {board_slots} and give off {heat_w}, which has to leave the case."
        " Water saves slots and brings the heat to a radiator; the watts stay the same. How many slots has your board?"
    )
    zh = (
        "看空间和机箱，不是显卡非要不可：风冷要 {slots_needed}，主板有 {board_slots}，发热 {heat_w}，都要排出机箱。"
        "水冷省槽位、把热量带到冷排，功率不会变少。你的主板有几个槽位？"
    )
    return Plan(stages=((call,),), say=zh if reading.language == "zh" else en)


RULES: tuple[Rule, ...] = (_shared, _needs_water)
