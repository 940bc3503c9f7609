"""Sums over money: rent for a span, differences, machines of several cards, electricity in any one currency."""

from __future__ import annotations

import re

from assistant.builtin.asking import Rule, Sum, calculation, calculations, money, of, pick, plain, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.reading import Reading

HOURS_PER_MONTH = 720
_COST = words("cost|pay|bill|price|spend|what is it|add(?:s)? up", "费用|多少钱|花|付|账单|钱")
_MONTH = words("per month|a month|monthly|each month", "每月|每个月|一个月")
_MACHINES = words("machines?|gpus?|cards?|instances?|price of one|together|all of them|take|for", "台|张|卡|一共|总共")
_HIGHER = words(
    "higher|more expensive|dearer|cheaper|percent|wrong|same|differ|gap|markup|how much more", "贵|便宜|差|百分之|高"
)
_PAYS = words(
    "pay(?:s|ing)? (?:back|off|for itself)|break[- ]?even|payback|worth|recoup|when is|how (?:long|many days)",
    "回本|划算|合算|多久|多少天",
)
_ELECTRICITY = words("electricity|power (?:bill|cost)|bill|kwh", "电费|电钱|电价|度电|一度|每度")
_PUE = words("pue", "PUE")
# Machines there are on day and night; the guide's share of busy time is a person's.
_DATA_CENTRE = words("data ?cent(?:er|re)|rack|colo\\w*|server room", "数据中心|机房|机柜|托管")
_PRICED = words("price|cost|an hour|per hour|electricity|for", "卖|价|费|块|一小时|每小时|云")
_CLOUD = words("cloud|rent|per hour|an hour", "云|租|小时")
# "32 users" are no machines.
_PEOPLE = re.compile(r"\s*(?:\w+ )?(?:users?|people|clients|requests|人|个人|用户|路|并发)", re.IGNORECASE)
_DAYS = {"days": "24 h", "months": "365/12 * 24 h", "years": "8760 h", "h": "1 h"}


def _rents(reading: Reading) -> Plan | None:
    """Several rates for one span: what each costs."""
    rates, spans = money(reading, "h"), of(reading, "h", "days", "months")
    rates = [rate for index, rate in enumerate(rates) if rate.value not in [item.value for item in rates[:index]]]
    if not 2 <= len(rates) <= 4 or len(spans) != 1 or not _COST.search(reading.text) or money(reading, "kWh"):
        return None
    span = f"{plain(spans[0].value)} * {_DAYS[spans[0].unit]}"
    sums: list[Sum] = [(f"{plain(rate.value)} {rate.unit} * {span}", rate.unit.partition("/")[0]) for rate in rates]
    said = [rate.text.strip(" ~-") for rate in rates]
    en = (
        f"For {spans[0].text.strip()}: "
        + ", ".join(f"{{all[{index}].value}} at {text}" for index, text in enumerate(said))
        + "."
    )
    zh = (
        f"{spans[0].text.strip()}："
        + "，".join(f"{text} 是 {{all[{index}].value}}" for index, text in enumerate(said))
        + "。"
    )
    return calculations(reading, sums, en, zh)


def _difference(reading: Reading) -> Plan | None:
    """Two or three hourly prices for the same thing: what the gap is in a month."""
    rates = money(reading, "h")
    if not 2 <= len(rates) <= 3 or not _MONTH.search(reading.text) or of(reading, "h", "days", "W", "fraction"):
        return None
    low, high = min(rates, key=lambda rate: rate.value), max(rates, key=lambda rate: rate.value)
    unit = low.unit.partition("/")[0]
    gap = f"({plain(high.value)} {unit}/h - {plain(low.value)} {unit}/h)"
    return calculations(
        reading,
        [(f"{gap} * {HOURS_PER_MONTH} h", unit), (f"{plain(high.value)} / {plain(low.value)} - 1", "%")],
        f"{{value}} a month if it runs all the time: {low.text.strip()} against {high.text.strip()}, {{all[1].value}} more. A price"
        " is only worth something with its source and the day it was taken.",
        f"整月不停机差 {{value}}：{low.text.strip()} 对 {high.text.strip()}，贵 {{all[1].value}}。报价要写明来源和日期才有用。",
    )


def _per_machine(reading: Reading) -> Plan | None:
    """One rate and how many of it: a price per card is not the price of a machine of eight."""
    rates = money(reading, "h")
    counts = [card.count for card in reading.cards if card.count > 1] or [
        int(item.value)
        for item in of(reading, "", "x", "cards")
        if item.value == int(item.value) and 1 < item.value <= 1024 and not _PEOPLE.match(reading.text, item.end)
    ]
    spans = of(reading, "h", "days", "months", "years")
    if (
        len(rates) != 1
        or not counts
        or spans
        or money(reading)
        or of(reading, "W", "fraction", "tokens/s")
        or not _MACHINES.search(reading.text)
    ):
        return None
    unit = rates[0].unit
    return calculation(
        reading,
        f"{max(counts)} * {plain(rates[0].value)} {unit}",
        "Expect {value} ({expression}): the price of one is a price per card, and a list that shows it for every size has mixed"
        " them up.",
        "要 {value}（{expression}）：单价是每张卡的价格，每种规格都写同一个数，是把单卡价当成了整机价。",
        unit,
    )


def _markup(reading: Reading) -> Plan | None:
    rates = money(reading, "h") or money(reading)
    if (
        len(rates) != 2
        or len(reading.known_cards) > 1  # prices of two cards: what each gives for it decides
        or rates[0].unit != rates[1].unit
        or not _HIGHER.search(reading.text)
        or of(reading, "W", "tokens/s", "kWh", "h", "days", "x")
        or 0 in (rates[0].value, rates[1].value)
    ):
        return None
    low, high = sorted(rates, key=lambda rate: rate.value)
    return calculation(
        reading,
        f"{plain(high.value)} / {plain(low.value)} - 1",
        f"{high.text.strip()} is {{value}} more than {low.text.strip()}. Offers differ in host, disk, network and reliability, and"
        " change from hour to hour: compare the same offer on the same day.",
        f"从 {low.text.strip()} 到 {high.text.strip()}，相差 {{value}}。主机、硬盘、网络、稳定性不同，价格也随时在变：要比当天、同样配置的报价。",
        "%",
    )


def _electricity(reading: Reading) -> Plan | None:
    """Electricity of a card over years for several prices, each in its own currency."""
    prices = list({(price.value, price.unit): price for price in money(reading, "kWh")}.values())
    shares, spans = of(reading, "fraction", "h/day"), of(reading, "years", "months")
    watts, cards = of(reading, "W"), reading.known_cards
    foreign = {price.unit for price in prices} - {"USD/kWh"}
    if (
        not 1 <= len(prices) <= 3
        or (len(prices) == 1 and not foreign)
        or len(shares) > 1
        or len(spans) > 1
        or len(watts) > 1
    ):
        return None
    if not (watts or len(cards) == 1) or not _ELECTRICITY.search(reading.text) or money(reading) or money(reading, "h"):
        return None
    before = () if watts else (Call("gpu_specs", {"gpu": next(iter(cards))}),)
    count = 1 if watts else next(iter(cards.values()))
    power = f"{plain(watts[0].value)}" if watts else (f"{count} * " if count > 1 else "") + "{{@1.board_power_w}}"
    pue = pick(reading, [item for item in of(reading, "", "x") if 1 < item.value < 4], _PUE, 8)
    always = not shares and (pue is not None or _DATA_CENTRE.search(reading.text) is not None)
    busy = (
        ("1" if always else "0.15")
        if not shares
        else plain(shares[0].value)
        if shares[0].unit == "fraction"
        else f"{plain(shares[0].value)} / 24"
    ) + (f" * {plain(pue.value)}" if pue else "")
    monthly = not spans and _MONTH.search(reading.text) is not None
    hours = (
        str(HOURS_PER_MONTH)
        if monthly
        else "8760"
        if not spans
        else f"{plain(spans[0].value)} * {8760 if spans[0].unit == 'years' else HOURS_PER_MONTH}"
    )
    kwh = f"{power} / 1000 * {busy} * {hours}"
    sums: list[Sum] = [(f"{kwh} * 1 kWh", "kWh")]
    sums += [
        (f"{kwh} * {plain(price.value)} * 1 {price.unit.partition('/')[0]}", price.unit.partition("/")[0])
        for price in prices
    ]
    i = len(before)
    span = (
        (f"for {spans[0].text.strip()}", spans[0].text.strip())
        if spans
        else ("a month", "每月")
        if monthly
        else ("a year", "每年")
    )
    if len(prices) == 1:
        en = f"Electricity costs {{all[{i + 1}].value}} {span[0]}: {{all[{i}].value}}."
        zh = f"{span[1]}电费 {{all[{i + 1}].value}}，用电 {{all[{i}].value}}。"
    else:
        each = [(f"{{all[{i + 1 + n}].value}}", price.text.strip()) for n, price in enumerate(prices)]
        en = (
            f"Electricity {span[0]}: {', '.join(f'{cost} at {price}' for cost, price in each)}, for {{all[{i}].value}}."
        )
        zh = f"{span[1]}电费：{'，'.join(f'按 {price} 是 {cost}' for cost, price in each)}；用电 {{all[{i}].value}}。"
    how_en = f" The PUE of {pue.text.strip()} is in it." if pue else ""
    how_zh = f"已含 PUE {pue.text.strip()}。" if pue else ""
    if not shares:
        how_en += (
            " I took it to run at full power day and night." if always else " I took the guide's share of busy time."
        )
        how_zh += "按全天满载算。" if always else "利用率按《指南》的数。"
    if not watts:
        how_en += " Only the cards count, without the rest of the machine."
        how_zh += "只算显卡，不含整机其余部分。"
    return calculations(reading, sums, en + how_en, zh + how_zh, before)


RULES: tuple[Rule, ...] = (_electricity, _rents, _difference, _per_machine, _markup)
