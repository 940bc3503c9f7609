"""What a card costs, and what a lower power limit saves in a year: one figure about money of one card."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from assistant.builtin.asking import Rule, calculation, money, near, of, plain, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.frames import frames
from assistant.builtin.reading import Reading
from assistant.builtin.slots import fill
from assistant.builtin.trying import result_of
from tools.api import Json, ToolInputError, named_in

_PRICE = words(
    r"how much (?:is|are|does|do|would|for)|what(?:'s| is| does)? .{0,40}(?:price|cost|sell|go(?:es)? for)|price (?:of|for)|(?:street|used|current|market) price|going rate",
    "多少钱|什么价|啥价|价格|报价|行情|市价|卖多少",
)
_NOW = words(
    r"now\b|today|current\w*|these days|nowadays|used|second[- ]hand|street|new\b|at the moment|right now|market|going for|go for|buy",
    "现在|目前|如今|今天|二手|全新|市价|行情|报价|买",
)
# Prices of something else: a machine, a run, an hour, a year.
_ELSE = words(
    r"run(?:ning)?|electric\w*|year|month|hour|power|rent|cloud|train|tokens?|machine|build|rigs?\b|per\b|msrp|launch\w*|release\w*|cheaper|worth|vs\b|own(?:ing|ership)|h100 vs|guide|article",
    "电费|每年|一年|每月|一个月|小时|租|云|训练|token|整机|首发|发布|发售|划算|值|电|跑|指南|文章",
)
_SAVES = words(r"sav\w*|less (?:electricity|power)|cut\w*|cheaper|reduce\w*", "省|节约|少交|便宜")
_BILL = words(r"electric\w*|bill|money|power cost|kwh|per year|a year|annual\w*", "电费|电|钱|一年|每年")
_LIMITED = words(r"limit\w*|capp?\w*|undervolt\w*|down to|power target|from \d", "限|锁|降到|降压|功耗墙|压到")


def _price(reading: Reading) -> Plan | None:
    """A card's price on record, with its kind and its day."""
    cards = list(reading.known_cards)
    if len(cards) != 1 or reading.unknown_cards or reading.models or reading.quantities:
        return None
    if max(reading.known_cards.values()) > 1 or not _PRICE.search(reading.text) or not _NOW.search(reading.text):
        return None
    if _ELSE.search(reading.text):
        return None
    call = Call("rank_by_value", {"gpus": cards, "use": "inference_16bit"})
    zh = reading.language == "zh"
    rows: list[dict[str, Any]] = []
    with suppress(ToolInputError):  # a card without a price has no rank
        rows = result_of(call.tool, call.arguments)["rows"]
    if not rows:
        said = (
            f"{cards[0]} 我没有报价。告诉我你那边的价格，我可以算性价比。"
            if zh
            else f"I have no price of the {cards[0]} on record. Tell me yours and I can work out what it gives for the money."
        )
        return Plan(reply=said, status="refused")
    other = _USED.search(reading.text) and rows[0]["price_kind"] != "used"
    return Plan(stages=((call,),), say=(_NOT_USED[zh] if other else "") + _PRICED[zh], extra={"alone": True})


_USED = words(r"used|second[- ]hand", "二手")
_NOT_USED = {False: "I have no used price to go by, only this: ", True: "二手价我没有，只有这个："}
_PRICED = {
    False: "{% set row = rows[0] %}{row.price_usd} for the {row.gpu}: {% if row.price_kind == 'launch' %}its launch price of {row.price_as_of}, the only one on record, so check what it sells for now{% else %}{row.price_kind}"
    " price of {row.price_as_of}; prices move, so check before buying{% endif %}. What are you offered?",
    True: "{% set row = rows[0] %}{% set kinds = {'launch': '首发价', 'used': '二手价', 'street': '市价'} %}{row.gpu} 是 {row.price_usd}：{row.price_as_of} 的{kinds[row.price_kind]}"
    "{% if row.price_kind == 'launch' %}，我只有这一个价，现在卖多少要再查{% else %}，价格会变，下单前请核对{% endif %}。你那边报价多少？",
}


def _saved_by_limit(reading: Reading) -> Plan | None:
    """The electricity that a power limit saves in a year: the watts between full power and the limit."""
    watts, cards = of(reading, "W"), reading.known_cards
    if len(watts) != 1 or len(cards) != 1 or not _LIMITED.search(reading.text):
        return None
    if not _SAVES.search(reading.text) or not _BILL.search(reading.text) or not near(reading, watts[0], _LIMITED, 32):
        return None
    foreign = [price for price in money(reading, "kWh") if price.unit != "USD/kWh"]
    if foreign or money(reading) or money(reading, "h"):
        return None
    name, count = next(iter(cards.items()))
    told = fill(frames()["ownership_cost"], reading.text, reading.quantities)
    kept: dict[str, Json] = {key: told[key] for key in ("utilization", "electricity_usd_per_kwh") if key in told}
    saved = f"{count} * ({{{{@1.board_power_w}}}} W - {plain(watts[0].value)} W)"
    stages = (
        (Call("gpu_specs", {"gpu": name}),),
        (Call("calculate", {"expression": saved, "unit": "W"}),),
        (Call("ownership_cost", {**kept, "power_w": "{{@2.value}}"}),),
    )
    return Plan(stages=stages, say=_SAVED[reading.language == "zh"], given=tuple(kept), extra={"used": watts[0].text})


_SAVED = {
    False: "About {all[2].electricity_usd_per_year} a year: that is what the {all[1].value} above the limit cost ({all[2].energy_kwh_per_year})."
    " I took {all[2].utilization} busy at full load and {all[2].electricity_usd_per_kwh}; chatting seldom draws that much. How many hours a day does it run?",
    True: "一年大约 {all[2].electricity_usd_per_year}：限掉的 {all[1].value} 一年就用 {all[2].energy_kwh_per_year}。"
    "按利用率 {all[2].utilization}、满载、电价 {all[2].electricity_usd_per_kwh}算；聊天很少跑到满载。每天用几小时？",
}

_ENERGY = words(r"kwh|kilowatt[- ]hours?|energy|electricity use", "度电|多少度|几度|用电量|耗电量")
_SPAN_H = {"h": "1", "days": "24", "months": "730", "years": "8760"}


def _energy_over(reading: Reading) -> Plan | None:
    """The energy of cards at full load over a span, without a price."""
    spans, cards = of(reading, "h", "days"), reading.known_cards
    if len(spans) != 1 or len(cards) != 1 or not _ENERGY.search(reading.text) or reading.models:
        return None
    if any(item is not spans[0] and item.unit not in ("", "cards") for item in reading.quantities):
        return None
    name, count = next(iter(cards.items()))
    hours = f"{plain(spans[0].value)} * {_SPAN_H[spans[0].unit]}"
    return calculation(
        reading,
        f"{count} * {{{{@1.board_power_w}}}} / 1000 * {hours} * 1 kWh",
        f"{{all[1].value}} for {spans[0].text.strip()} at full load: the {{name}} draws {{board_power_w}}. Only the cards count. What does a kWh cost you?",
        f"满载 {spans[0].text.strip()}用电 {{all[1].value}}：{{name}} 每张 {{board_power_w}}，只算显卡。电价多少？",
        "kWh",
        (Call("gpu_specs", {"gpu": name}),),
    )


def _two_tariffs(reading: Reading) -> Plan | None:
    """Electricity of the same cards in two or three countries."""
    found, cards = named_in("country", reading.text), reading.known_cards
    places = {one.name: reading.text[one.start : one.end] for one in found}
    if not 2 <= len(places) <= 3 or len(cards) != 1 or not (_BILL.search(reading.text) or _PRICE.search(reading.text)):
        return None
    if money(reading) or money(reading, "kWh") or money(reading, "h"):
        return None
    told = fill(frames()["ownership_cost"], reading.text, reading.quantities)
    kept: dict[str, Json] = {"utilization": told["utilization"]} if "utilization" in told else {}
    name, count = next(iter(cards.items()))
    calls = tuple(Call("ownership_cost", {**kept, "power_w": "{{@2.value}}", "country": place}) for place in places)
    zh = reading.language == "zh"
    rows = "\n".join(
        f"- {said}{'：' if zh else ': '}{{all[{at}].electricity_usd_per_year}}{'，电价 ' if zh else ', at '}{{all[{at}].electricity_usd_per_kwh}}"
        for at, said in enumerate(places.values(), 2)
    )
    head = "一年的电费：" if zh else "Electricity of a year:"
    tail = (
        "用电 {all[2].energy_kwh_per_year}，按 {all[1].value}、利用率 {all[2].utilization}算，只算显卡。电价是家庭电价，企业通常更低。"
        if zh
        else "That is {all[2].energy_kwh_per_year}, at {all[1].value} and {all[2].utilization} busy; only the cards count. These are household prices; companies mostly pay less."
    )
    stages = (
        (Call("gpu_specs", {"gpu": name}),),
        (Call("calculate", {"expression": f"{count} * {{{{@1.board_power_w}}}} W", "unit": "W"}),),
        calls,
    )
    return Plan(stages=stages, say=f"{head}\n\n{rows}\n\n{tail}", given=tuple(kept))


RULES: tuple[Rule, ...] = (_price, _saved_by_limit, _energy_over, _two_tariffs)
