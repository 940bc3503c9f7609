"""Prices without a currency: nobody may pick one silently, so it is asked for, and the answer may be that one word."""

from __future__ import annotations

import re

from assistant.builtin.asking import Rule, money, near, of, words
from assistant.builtin.calls import Plan
from assistant.builtin.reading import Reading
from assistant.numerals import Numeral

_PAYS = words(
    "pay(?:s|ing)? (?:back|off|for itself)|break[- ]?even|payback|worth|recoup|when is|how (?:long|many days)",
    "回本|划算|合算|多久|多少天",
)
_ELECTRICITY = words("electricity|power (?:bill|cost)|bill", "电费|电钱")
_PRICED = words("price|cost|an hour|per hour|electricity|for", "卖|价|费|块|一小时|每小时|云")
_CLOUD = words("cloud|rent|per hour|an hour", "云|租|小时")
_TARIFF_BEFORE = re.compile(
    r"(?:电价|电费|每度电?|一度电?|(?:electricity|power)(?: (?:is|costs?|price|at))+)\s*(?:是|为|按|要|约)?\s*$",
    re.IGNORECASE,
)
_TARIFF_BEHIND = re.compile(r"\s*(?:a|per|/|每|一)\s*(?:kwh|度)", re.IGNORECASE)
_BUDGET = words("budget", "预算")
_MY_MONEY = re.compile(r"(?:我有|手里有|手上有|手头有|准备花|打算花|最多花|只有)\s*$")
_LEAST_BUDGET = 1000.0
# A tariff is so much in any currency that is asked about without naming it.
_MOST_PER_KWH = 3.0
# The whole reply: a currency, as people name it.
_CURRENCY = re.compile(
    r"^\W*(?:(?:in|it'?s|是|按|都是|用)\s*)?(元|人民币|rmb|yuan|cny|美元|美金|us ?dollars?|dollars?|usd|欧元|euros?|eur|英镑|pounds?|gbp|日元|yen|jpy)\W*$",
    re.IGNORECASE,
)


def currency_said(text: str) -> str | None:
    """Return the currency that is a whole reply, as it was written."""
    hit = _CURRENCY.match(text)
    return hit[1] if hit else None


def with_currency(reading: Reading, currency: str) -> str:
    """Return a question with the currency written behind each price that has none."""
    text = reading.text
    for item in reversed(_bare(reading)):
        text = f"{text[: item.end].rstrip()} {currency}{text[item.end :]}"
    return text


def _bare(reading: Reading) -> list[Numeral]:
    """Return the prices without a currency."""
    plain = [item for item in of(reading, "") if not item.in_words]
    return [
        item
        for item in plain
        if near(reading, item, _PRICED, 7) or _is_tariff(reading, item) or _is_budget(reading, item)
    ]


def _is_budget(reading: Reading, item: Numeral) -> bool:
    said = near(reading, item, _BUDGET, 4) or _MY_MONEY.search(reading.text[: item.start])
    return item.value >= _LEAST_BUDGET and bool(said)


def _is_tariff(reading: Reading, item: Numeral) -> bool:
    before = _TARIFF_BEFORE.search(reading.text[: item.start]) or _TARIFF_BEHIND.match(reading.text, item.end)
    return 0 < item.value < _MOST_PER_KWH and before is not None


def _bare_money(reading: Reading) -> Plan | None:
    if money(reading) or money(reading, "h") or money(reading, "kWh"):
        return None
    bare = _bare(reading)
    pays = _PAYS.search(reading.text) and (_ELECTRICITY.search(reading.text) or _CLOUD.search(reading.text))
    clear = any(_is_tariff(reading, item) or _is_budget(reading, item) for item in bare)
    if not (len(bare) > 1 and pays) and not clear:
        return None
    named = [item.text.strip() for item in bare[:3]]
    if reading.language == "zh":
        each = " 各" if len(named) > 1 else " "
        return Plan(
            reply=f"先确认币种：{'、'.join(named)}{each}是人民币（元）还是美元？混着算差好几倍。写明币种，我马上算。",
            status="clarify",
        )
    verb = "are" if len(named) > 1 else "is"
    return Plan(
        reply=f"In which currency {verb} {', '.join(named)}: dollars, yuan, euros? Mixed up, the result is off by several times. Tell me and I"
        " will compute it.",
        status="clarify",
    )


RULES: tuple[Rule, ...] = (_bare_money,)
