"""Rent for a span of time."""

from __future__ import annotations

import re

from assistant.builtin.asking import Rule, Sum, calculations, money, of, rate_text
from assistant.builtin.calls import Plan
from assistant.builtin.reading import Reading
from assistant.numerals import Numeral

_COST = re.compile(
    r"cost|pay|bill|price|spend|total|how much|come to|sum|费用|多少钱|花|付|账单|一共|总共|合计",
    re.IGNORECASE | re.ASCII,
)
_MONTHLY = re.compile(r"monthly|(?:a|per|each|every) month|每月|每个月|一个月", re.IGNORECASE | re.ASCII)
_BUYS = re.compile(
    r"\bbuy|break[- ]?even|pays? (?:off|for itself)|worth|cheaper|own machine|回本|划算|合算|自己买|买一台",
    re.IGNORECASE | re.ASCII,
)
_EACH_CARD = re.compile(
    r"each|per (?:card|gpu)|apiece|/\s?gpu|a gpu|每张|每卡|每块|单卡|一张", re.IGNORECASE | re.ASCII
)


def _rent(reading: Reading) -> Plan | None:
    """Rent for so many days or hours, at a utilization if one is given, of several cards if the rate is one card's."""
    rates, shares = money(reading, "h"), of(reading, "fraction", "h/day", "h/week", "h/month")
    spans = of(reading, "days", "months", "h", "years")
    if not spans and shares and (month := _MONTHLY.search(reading.text)):
        said = "一个月" if reading.language == "zh" else "a month"
        spans = [Numeral(said, month.start(), month.end(), 1.0, "months", 1.0, in_words=True)]
    alone = sum(item.unit not in ("", "cards") for item in reading.quantities) == 2 + len(shares)
    if (
        len(rates) != 1
        or len(spans) != 1
        or money(reading)
        or money(reading, "kWh")
        or of(reading, "W", "tokens/s", "tokens")
        or not (_COST.search(reading.text) or alone)
        or _BUYS.search(reading.text)
        or len(shares) > 1
    ):
        return None
    span = {"days": "day * 24 h/day", "months": "day * 365/12 * 24 h/day", "years": "day * 365 * 24 h/day", "h": "h"}[
        spans[0].unit
    ]
    per = {"h/day": " / 24", "h/week": " / 168", "h/month": " / 730"}
    busy = "" if not shares else f" * {shares[0].value:g}" + per.get(shares[0].unit, "")
    count = max(reading.known_cards.values(), default=1)
    cards = count if count > 1 and _EACH_CARD.search(reading.text) else 1
    times = f"{cards} * " if cards > 1 else ""
    load = f"{', ' if shares[0].in_words else ' at '}{shares[0].text.strip()}" if shares else ""
    currency = rates[0].unit.partition("/")[0]
    one = f"{times}{rates[0].value:g} {rates[0].unit}{busy} * {spans[0].value:g} {span}"
    sums: list[Sum] = [(one, currency)]
    en = f"{{value}} for {spans[0].text.strip()}{load}, at {rate_text(reading, rates[0])}{' a card' if cards > 1 else ''}."
    zh = f"{{value}}：{rate_text(reading, rates[0])}{'（每张）' if cards > 1 else ''}，{spans[0].text}" + (
        f"，{shares[0].text}。" if shares else "。"
    )
    if count > 1 and cards == 1:  # the rate of one card or of all of them: nobody may pick silently
        sums.append((f"{count} * {one}", currency))
        en += " I took the rate as that of all cards together; if it is one card's, it is {all[1].value}."
        zh += "这里把单价当成所有卡合计的；如果是每张卡的，就是 {all[1].value}。"
    return calculations(reading, sums, en, zh)


RULES: tuple[Rule, ...] = (_rent,)
