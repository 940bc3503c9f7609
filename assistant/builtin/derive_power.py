"""Sums over watts: amperes, both sides of a power supply, several cards, energy of a month."""

from __future__ import annotations

import re

from assistant.builtin.asking import Rule, Sum, calculation, calculations, money, near, of, pick, plain, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.reading import Reading
from assistant.numerals import Numeral

HOURS_PER_MONTH = 720
_AMPERES = words("amps?\\b|amperes?", "多少安|几安|电流")
_WALL = words("wall|meter|plug|outlet", "墙上|墙插|插座|电表")
_INSIDE = words(
    "internal|inside|dc\\b|supply (?:give|deliver)|psu (?:give|deliver)|load on the|supply|psu", "内部|输出|电源"
)
_EFFICIENCY = words("efficien", "效率|转换")
_OUTLET = words("outlet|circuit|breaker|socket", "插座|空开|断路器|线路")
_EACH = words("each|apiece|both|per (?:card|gpu)", "每张|每卡|每块|各|都")
_DRAW = words("draw|use|take|pull|consum", "功耗|耗电|吃|实测|占|用")
_TOGETHER = words("together|in total|combined|altogether|sum", "一共|总共|合计|加起来|总")
_FEWER = words("fewer|less|save|drop|lower|off", "少|省|降")
_STOP = words("stop|remove|take out|pull|disable|switch(?:ing)? off|turn(?:ing)? off|unplug|idle", "停|拔|去掉|关|拆")
_MONTH = words("per month|a month|each month|monthly", "每月|每个月|一个月|月电费|月用电")
_ENERGY = words("kwh|energy|electricity|power bill|burn", "度电|几度|多少度|电费|用电|耗电")
_REST = words("overhead|platform|cpu|rest|board|system", "开销|平台|系统|其余|处理器|主板")
_ON_TOP = words("cooling|air[- ]?con|overhead factor|on top", "冷却|散热|空调|制冷")
_HOURLY = words("an hour|per hour|hourly|each hour", "每小时|一小时")
_SUPPLY = words("psu|supply", "电源")


def _amps(reading: Reading) -> Plan | None:
    volts, watts = of(reading, "V"), of(reading, "W")
    if len(volts) != 1 or not watts or not _AMPERES.search(reading.text):
        return None
    drawn = pick(reading, watts, _WALL) or watts[-1]
    limits = of(reading, "A")
    sums: list[Sum] = [(f"{plain(drawn.value)} W / ({plain(volts[0].value)} V)", "A")]
    en = f"{{value}}: {drawn.text.strip()} at {volts[0].text.strip()}."
    zh = f"{{value}}：{drawn.text.strip()}，电压 {volts[0].text.strip()}。"
    if len(limits) == 1:
        limit = f"0.8 * {plain(volts[0].value)} V * {plain(limits[0].value)} A"
        sums += [(limit, "W"), (f"{plain(drawn.value)} W / ({limit})", "%")]
        en += (
            f" A {limits[0].text.strip()} circuit may carry {{all[1].value}} for hours; this is {{all[2].value}} of it."
        )
        zh += f"{limits[0].text.strip()} 的线路可持续 {{all[1].value}}，现在占 {{all[2].value}}。"
    return calculations(reading, sums, en, zh)


def _supply_side(reading: Reading) -> Plan | None:
    """What is measured at the wall and what the supply gives differ by its efficiency."""
    shares = [share for share in of(reading, "fraction") if near(reading, share, _EFFICIENCY)]
    watts = of(reading, "W")
    wall = pick(reading, watts, _WALL)
    if len(shares) != 1 or wall is None or not _INSIDE.search(reading.text):
        return None
    share = shares[0]
    inside = f"{plain(wall.value)} W * {plain(share.value)}"
    sums: list[Sum] = [(inside, "W")]
    en = f"{wall.text.strip()} at the wall are {{value}} behind a supply of {share.text.strip()} efficiency."
    zh = f"墙上 {wall.text.strip()}，效率 {share.text.strip()}，电源实际输出 {{value}}。"
    supply = pick(reading, [item for item in watts if item is not wall], _SUPPLY)
    if supply is not None:
        sums.append((f"{plain(supply.value)} W - {inside}", "W"))
        en += (
            f" Of {supply.text.strip()} that leaves {{all[1].value}}: spikes need more room than that."
            if supply.value < 1.15 * wall.value * share.value
            else f" Of {supply.text.strip()} that leaves {{all[1].value}}."
        )
        zh += f"{supply.text.strip()} 的电源只剩 {{all[1].value}}。"
    return calculations(reading, sums, en, zh)


def _outlet(reading: Reading) -> Plan | None:
    """What an outlet carries for hours, whatever the label of a supply says."""
    amps, volts = of(reading, "A"), of(reading, "V")
    if len(amps) != 1 or len(volts) > 1 or reading.cards or of(reading, "cards") or not _OUTLET.search(reading.text):
        return None
    usual = 220 if reading.language == "zh" else (120 if amps[0].value in (15, 20, 30) else 230)
    volt = volts[0].value if volts else usual
    label = pick(reading, of(reading, "W"), _SUPPLY)
    en = f"An outlet of {amps[0].text.strip()} carries {{value}} for hours ({{expression}})." + (
        f" The {label.text.strip()} of the supply are the most it could give; only what the machine really draws counts."
        if label
        else ""
    )
    zh = f"{amps[0].text.strip()} 的插座可持续 {{value}}（{{expression}}）。" + (
        f"电源标的 {label.text.strip()} 是它最多能给的，线路只看实际取用的功率。" if label else ""
    )
    return calculation(reading, f"0.8 * {plain(volt)} V * {plain(amps[0].value)} A", en, zh, "W")


def _measured_together(reading: Reading) -> Plan | None:
    """Cards whose own draw is said: "both drawing 309 W", "four cards, 245 W each"."""
    watts = of(reading, "W")
    count = sum(card.count for card in reading.cards) or next((int(item.value) for item in of(reading, "cards")), 0)
    each = pick(reading, [item for item in watts if near(reading, item, _EACH, 20)], _DRAW)
    if each is None or count < 2 or not _TOGETHER.search(reading.text):
        return None
    return calculation(
        reading,
        f"{count} * {plain(each.value)} W",
        "{value} together: {expression}.",
        "一共 {value}：{expression}。",
        "W",
    )


def _without_some(reading: Reading) -> Plan | None:
    cards = reading.known_cards
    some = [item for item in of(reading, "cards", "") if 0 < item.value < max(cards.values(), default=0)]
    if (
        len(cards) != 1
        or len(some) != 1
        or of(reading, "W")
        or not (_STOP.search(reading.text) and _FEWER.search(reading.text))
    ):
        return None
    count, name = int(some[0].value), next(iter(cards))
    return calculation(
        reading,
        f"{count} * {{{{@1.board_power_w}}}} W",
        "Yes, that helps: {all[1].value} less at full load, one {name} takes {board_power_w}. Hide the cards from the program with"
        " CUDA_VISIBLE_DEVICES, or lower the limit of all with nvidia-smi -pl.",
        "可以：满载时少 {all[1].value}，单张 {name} 是 {board_power_w}。用 CUDA_VISIBLE_DEVICES 指定要用的卡；"
        "也可以用 nvidia-smi -pl 给每张卡限功率。",
        "W",
        (Call("gpu_specs", {"gpu": name}),),
    )


def _month(reading: Reading) -> Plan | None:
    """Energy of a month, and its price where one is said; in use all the time unless a share is said."""
    prices = [item for item in reading.quantities if item.unit.endswith("/kWh") and not item.unit.startswith("g")]
    cards, watts = reading.known_cards, of(reading, "W")
    rest = [item for item in watts if near(reading, item, _REST, 12)]
    own = [item for item in watts if item not in rest]
    if len(prices) > 1 or len(cards) > 1 or len(own) > 1 or not (cards or own) or of(reading, "h/day", "kWh", "USD/h"):
        return None
    if not (_MONTH.search(reading.text) and _ENERGY.search(reading.text)):
        return None
    return _energy(reading, own, rest, prices)


def _energy(reading: Reading, own: list[Numeral], rest: list[Numeral], prices: list[Numeral]) -> Plan:
    cards = reading.known_cards
    before = () if own or not cards else (Call("gpu_specs", {"gpu": next(iter(cards))}),)
    count = next(iter(cards.values()), 1)
    one = f"{plain(own[0].value)} W" if own else "{{@1.board_power_w}} W"
    power = f"{count} * {one}" + "".join(f" + {plain(item.value)} W" for item in rest)
    shares = of(reading, "fraction")
    on_top = [share for share in shares if near(reading, share, _ON_TOP, 10)]
    busy = [share for share in shares if share not in on_top]
    whole = f"({power})" + "".join(f" * (1 + {plain(share.value)})" for share in on_top)
    hours = f"{HOURS_PER_MONTH} h" + "".join(f" * {plain(share.value)}" for share in busy)
    sums: list[Sum] = [(whole, "W"), (f"{whole} * {hours}", "kWh")]
    first = len(before)
    en = f"{{all[{first + 1}].value}} a month at {{all[{first}].value}} around the clock ({{all[{first + 1}].expression}})."
    zh = f"每月 {{all[{first + 1}].value}}：功率 {{all[{first}].value}}，按整月不停机算（{{all[{first + 1}].expression}}）。"
    if busy:
        en, zh = (
            en.replace(" around the clock", f", {busy[0].text.strip()} of the time"),
            zh.replace("按整月不停机算", f"利用率 {busy[0].text.strip()}"),
        )
    if prices:
        unit = prices[0].unit.partition("/")[0]
        sums.append((f"{whole} * {hours} * {plain(prices[0].value)} {prices[0].unit}", unit))
        en += f" That costs {{all[{first + 2}].value}} a month."
        zh += f"电费每月 {{all[{first + 2}].value}}。"
    return calculations(reading, sums, en, zh, before)


def _an_hour(reading: Reading) -> Plan | None:
    prices = [item for item in reading.quantities if item.unit.endswith("/kWh") and not item.unit.startswith("g")]
    watts = of(reading, "W")
    if (
        len(prices) != 1
        or len(watts) != 1
        or not _HOURLY.search(reading.text)
        or of(reading, "tokens/s", "fraction")
        or (money(reading) or money(reading, "h"))
    ):
        return None
    unit = prices[0].unit.partition("/")[0] + "/h"
    return calculation(
        reading,
        f"{plain(watts[0].value)} W * {plain(prices[0].value)} {prices[0].unit}",
        f"{{value}}: {watts[0].text.strip()} at {prices[0].text.strip()}.",
        f"{{value}}：{watts[0].text.strip()}，{prices[0].text.strip()}。",
        unit,
    )


def _plain_cards(reading: Reading) -> Plan | None:
    """So many cards of so many watts, without a name, on a supply."""
    watts = of(reading, "W")
    counts = of(reading, "cards")
    each = next((item for item in watts if near(reading, item, _EACH, 8)), None)
    supply = pick(reading, [item for item in watts if item is not each], _SUPPLY, 12)
    if reading.cards or len(counts) != 1 or each is None or supply is None:
        return None
    rest = [item for item in watts if item not in (each, supply)] + [
        item for item in of(reading, "") if near(reading, item, re.compile("CPU|处理器", re.IGNORECASE), 6)
    ]
    total = f"{plain(counts[0].value)} * {plain(each.value)} W" + "".join(f" + {plain(item.value)} W" for item in rest)
    enough = supply.value - counts[0].value * each.value - sum(item.value for item in rest)
    en = ("No room left" if enough < 0.1 * supply.value else "Enough") + (
        ": the machine takes {value} ({expression}) and the supply has {all[1].value} to spare. Short spikes need about a fifth on top."
    )
    zh = (
        "不够稳" if enough < 0.1 * supply.value else "够"
    ) + "：统一成瓦，整机 {value}（{expression}），电源余量 {all[1].value}。瞬时尖峰还要再留余量。"
    return calculations(reading, [(total, "W"), (f"{plain(supply.value)} W - ({total})", "W")], en, zh)


RULES: tuple[Rule, ...] = (
    _supply_side,
    _amps,
    _outlet,
    _plain_cards,
    _measured_together,
    _without_some,
    _month,
    _an_hour,
)
