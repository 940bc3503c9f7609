"""Read a number by where it stands: "day 300", "30B tokens", "1659 J", "51.8 s/it", "1.19-1.48/h", "i7-4790"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.builtin.unitless import is_a_limit
from assistant.measures import CURRENCIES, CURRENCY_SIGNS
from assistant.names import Mention
from assistant.numerals import Numeral

_NEAR = 48
_OF_TOKENS = re.compile(r"\s*个?\s*(?:tokens?|词元)", re.IGNORECASE)
_PER_SECOND_BEFORE = re.compile(r"每秒(?:钟)?\D{0,5}$")
_PER_SECOND_AFTER = re.compile(r"\s*(?:tokens?|词元)?\s*(?:(?:a|each|every) second|每秒)", re.IGNORECASE)
# "184,320 A100 hours", "300 张卡时": the number before the card counts hours.
_CARD_HOURS = re.compile(
    r"\s*(?:SXM\d?|PCIe)?[\s-]*(?:gpu[\s-]?)?(?:hours?\b|小时|卡时|card-hours?)", re.IGNORECASE | re.ASCII
)
# "每天用 6 小时", "6 hours daily": the span may stand before or behind.
_HOURS_PER = tuple(
    (unit, re.compile(before + r"\D{0,5}$"), re.compile(rf"\s*(?:{after})", re.IGNORECASE))
    for unit, before, after in (
        ("h/day", "(?:每[天日]|一天)", r"daily|每天|(?:every|each|per|a|of the) day|/\s?(?:day|d)\b"),
        ("h/week", "每(?:周|星期)", r"weekly|每周|(?:every|each|per|a) week|/\s?week"),
        ("h/month", "每(?:个)?月", r"monthly|每月|(?:every|each|per|a) month|/\s?month"),
    )
)
_DAY = re.compile(r"\bday\s+$", re.IGNORECASE | re.ASCII)
# Units that only some rules need; they stand behind a bare number.
_BEHIND = tuple(
    (re.compile(pattern, re.ASCII), unit)
    for pattern, unit in (
        (r"\s(?:empty|free|spare|extra|open) slots?\b|\s?格|\s?个?空槽", "slots"),
        (r"\s?(?:Gbit|Gbps|Gb)(?:/s)?\b|\s?G\s?(?:网|以太网|IB|ethernet|network|link)", "Gbit/s"),
        (r"\s?J(?![A-Za-z])| joules?\b", "J"),
        (r"\s?ms(?![A-Za-z])| milliseconds?\b|\s?毫秒", "ms"),
        (r"\s?(?:s|sec|seconds?|秒)\s?/\s?(?:it|iter|step|步)", "s/it"),
        (r" (?:seconds?|secs?)\b|\s?秒(?!/)", "s"),
        (r"\s?g(?:rams?)? grid\b|\s?g(?:rams?)?\s*(?:CO2|CO₂)?\w*\s*(?:/|per )\s?kWh", "g/kWh"),
        (r"\s?(?:US)?\$\s?(?:/|per |a )\s?(?:kWh|kilowatt[- ]hour)", "USD/kWh"),
        (r"\s?(?:US)?\$\s?(?:/|per |an )\s?(?:hour|hr|h)(?![A-Za-z])", "USD/h"),
        (r"\s?(?:PCIe?|PCI Express)\s?(?:[345]\.0\s)?lanes?\b|\s?条\s?(?:PCIe?\s?)?(?:[345]\.0\s?)?通道", "lanes"),
    )
)
# "$0.10 per GB a month": neither a price nor a rent.
_PER_GB = re.compile(
    r"\s*(?:/|per |a |每)\s*GB(?P<month>(?:\s*(?:/|-|per|a|每)\s*|\s+)(?:months?|mo|月|个月))?(?![A-Za-z])",
    re.IGNORECASE,
)
_PER_GB_BEFORE = re.compile(r"每 ?(?:GB|G)\s*每?个?月\D{0,3}$", re.IGNORECASE)
# Around the clock: all hours of the week.
_ALWAYS = re.compile(r"\s?/\s?7(?![\d.])|\s?x\s?7(?![\d.])", re.IGNORECASE)
HOURS_PER_WEEK = 168.0
_MILLIWATT = re.compile(r"\s?mW\b")
PER_HOUR = re.compile(r"\s*(?:/|per |an |每)\s*(?:h|hour|小时)", re.IGNORECASE)
# "i7-4790", "X570", "RM750x": the digits of a processor or a board are no quantity.
_IN_A_CODE = re.compile(r"(?:\bi[3579]-|(?<![A-Za-z])(?!US|SM)[A-Z]{1,3})$", re.ASCII)
# "2.5 $/h", "0.22 €": the sign may follow its number. A sign before a digit belongs to that digit.
_SIGN_BEHIND = re.compile(r"\s?([$€£])(?!\s?\d)")
_CENTS = re.compile(r"\s?(?:us )?(?:cents?|ct)\b|\s?(?:美分|¢)", re.IGNORECASE | re.ASCII)
# What cents are paid for where watts or running are spoken of and no hour is.
_RUNS = re.compile(r"\b(?:run(?:ning|s)?|electric\w*|watts?|energy|kwh|utility)\b", re.IGNORECASE)
_FEN = re.compile(r"\s?(?:毛|角)(?:钱)?")
_HOURLY = re.compile(
    r"\s*(?:/|per |an |a |each |每|一)\s*(?:gpu[- ]?)?(?:个)?(?:hour|hr|h|小时)(?![a-z])", re.IGNORECASE | re.ASCII
)
_PER_KWH = re.compile(r"\s*(?:/|per |a |each |每|一)\s*(?:kwh|度|千瓦时)", re.IGNORECASE | re.ASCII)
_OF_LANES = re.compile(r"PCIe?|通道|lane|插槽", re.IGNORECASE)
# "1T token", "2 trillion tokens"
_TRILLION = re.compile(r"\s?T\s?(?:个\s*)?(?=tokens?|词元|的?(?:数据|语料))", re.ASCII)
_DEGREES = re.compile(r"\s?度(?!电|数|的电)")
# "80C under load": a card's temperature.
_CELSIUS, _COLDEST, _HOTTEST = re.compile(r"\s?C\b(?![+#])", re.ASCII), 20.0, 120.0
_HOT = re.compile(r"温|热|烫|核心|正常吗|降频|散热")
_GIGS = re.compile(r"\s?gigs?\b", re.IGNORECASE | re.ASCII)
# "4 kW at $0.11", "electricity 12 cents": so little money beside power is the price of a kWh.
_POWERED = re.compile(r"(?:electricity|power|energy|\bkW|juice|电价|电费|\d ?W)[^.;。；]{0,14}$", re.IGNORECASE)
# "$180 per kW": a price of something that no slot takes.
_PER_OTHER = re.compile(r"\s*(?:/|per |a |每)\s*(kW|TB|users?|seats?|images?|千瓦)(?![A-Za-z时])", re.IGNORECASE)
MOST_PER_KWH = 2.0
# "500 GPU 小时", "300 card-hours", "500 卡时"
HOURS_OF_CARDS = re.compile(r"\s*(?:gpu|card)s?[\s-]*(?:hours?\b|小时)|\s*卡时", re.IGNORECASE | re.ASCII)
# 块 counts cards before a card and money behind a price.
_KUAI = re.compile(r"\s?块(?:钱)?(?!\s*(?:显?卡|GPU|[A-Z]?\d|RTX|A100|的))|(?<=[万千])\s?块钱?(?:的)?", re.IGNORECASE)
_MONEY_BEFORE = re.compile(
    r"(?:小时|每度电?|一度电?|度电|电价|电费|租金|租价|价格?|预算|卖|买|花|要|才|只要|大概|约)\s*$|每(?:张|卡|台)\S{0,3}$"
)
_HOUR_BEFORE = re.compile(r"(?:小时|时租|每时|per hour|hourly)\D{0,4}$", re.IGNORECASE)
# "1 度电 0.6 元": the unit of the price, no energy.
_ONE_KWH = re.compile(r"(?:1|一)\s?度电?\D{0,4}$")


def placed(text: str, number: Numeral, mentions: Sequence[Mention]) -> Numeral:
    """Return a number with the unit that its place gives it."""
    before = text[max(0, number.start - _NEAR) : number.start]
    if number.unit == "lanes" and number.text.endswith("条") and not _OF_LANES.search(text):
        number = replace(number, unit="", text=number.text[:-1].strip(), end=number.end - 1)  # "5 万条评论"
    if number.unit == "1e9" and _OF_TOKENS.match(text, number.end):
        return replace(number, value=number.value * 1e9, unit="tokens")
    for unit, ahead, after in _HOURS_PER if number.unit == "h" else ():
        if ahead.search(before) or after.match(text, number.end):
            return replace(number, unit=unit)
    named = _named(text, number, before)
    if named is not None:
        return named
    if is_a_limit(number, before):
        return replace(number, unit="W")
    counts_tokens = number.unit == "tokens" or (not number.unit and _OF_TOKENS.match(text, number.end))
    if counts_tokens and (_PER_SECOND_BEFORE.search(before) or _PER_SECOND_AFTER.match(text, number.end)):
        return replace(number, unit="tokens/s")
    digits = number.start + len(number.text) if not number.unit else end_of_digits(text, number)
    if number.written in ("mW", "mw") and _MILLIWATT.match(text, digits):
        return replace(number, value=number.raw / 1000)
    for pattern, unit in _BEHIND:
        hit = pattern.match(text, digits)
        if hit and number.unit in ("", "GB", "x", "GB/s"):
            return replace(
                number, unit=unit, value=number.raw, end=hit.end(), text=text[number.start : hit.end()], written=""
            )
    if number.unit == "USD" and _PER_GB_BEFORE.search(before):
        return replace(number, unit="USD/GB/month")
    stored = _PER_GB.match(text, number.end) if number.unit == "USD" else None
    if stored:
        unit = "USD/GB/month" if stored["month"] else "USD/GB"
        return replace(number, unit=unit, end=stored.end(), text=text[number.start : stored.end()])
    always = _ALWAYS.match(text, number.end) if number.raw == 24 and not number.unit else None
    if always:
        return replace(
            number,
            unit="h/week",
            value=HOURS_PER_WEEK,
            raw=HOURS_PER_WEEK,
            end=always.end(),
            text=text[number.start : always.end()],
        )
    if number.unit not in ("", "cards", "x"):
        return number
    if _DAY.search(before):
        return replace(number, unit="days")
    for mention in mentions:
        beside = number.end <= mention.start and not text[number.end : mention.start].strip(" 个张块")
        if beside and _CARD_HOURS.match(text, mention.end):
            return replace(number, unit="h")
    return number


def _named(text: str, number: Numeral, before: str) -> Numeral | None:
    """A unit that is written otherwise than the table has it: a sign behind, cents, card hours, trillions."""
    digits = number.end if not number.unit else end_of_digits(text, number)
    if (hit := _TRILLION.match(text, digits)) and number.unit in ("kg", ""):
        return replace(
            number, unit="tokens", value=number.raw * 1e12, end=hit.end(), text=text[number.start : hit.end()].strip()
        )
    if not number.unit and (hit := _DEGREES.match(text, digits)) and _HOT.search(text):
        return replace(number, unit="°C", end=hit.end(), text=text[number.start : hit.end()])
    if not number.unit and _COLDEST <= number.raw <= _HOTTEST and (hit := _CELSIUS.match(text, digits)):
        return replace(number, unit="°C", end=hit.end(), text=text[number.start : hit.end()])
    if not number.unit and (hit := _GIGS.match(text, digits)):
        return replace(number, unit="GB", end=hit.end(), text=text[number.start : hit.end()])
    if (hit := HOURS_OF_CARDS.match(text, digits)) and number.unit in ("", "cards"):
        return replace(number, unit="h", value=number.raw, end=hit.end(), text=text[number.start : hit.end()])
    if number.unit in CURRENCIES and (hit := _PER_OTHER.match(text, number.end)):
        return replace(number, unit=f"{number.unit}/{hit[1]}")
    money, end = "", digits
    if not number.unit and (hit := _SIGN_BEHIND.match(text, digits)):
        money, end = CURRENCY_SIGNS[hit[1]], hit.end()
    elif not number.unit and (hit := _CENTS.match(text, digits)):
        money, end, number = "USD", hit.end(), replace(number, value=number.raw / 100, factor=0.01)
    elif number.unit in ("", "cards") and (hit := _FEN.match(text, digits)):
        money, end, number = "CNY", hit.end(), replace(number, value=number.raw / 10, factor=0.1)
    elif (
        number.unit in ("", "cards")
        and (hit := _KUAI.match(text, digits))
        and (_MONEY_BEFORE.search(before) or "万" in number.text)
    ):
        money, end = "CNY", hit.end()
    elif number.unit in CURRENCIES and (
        _ONE_KWH.search(before)
        or _PER_KWH.match(text, number.end)
        or (0 < number.value < MOST_PER_KWH and _POWERED.search(before) and not PER_HOUR.match(text, number.end))
    ):
        return replace(number, unit=f"{number.unit}/kWh")
    if not money:
        return None
    kinds = (("h", _HOURLY, _HOUR_BEFORE), ("kWh", _PER_KWH, _ONE_KWH))
    behind = next(((per, hit.end()) for per, pattern, _ in kinds if (hit := pattern.match(text, end))), None)
    in_front = next((per for per, _, ahead in kinds if ahead.search(before)), "")
    if behind:
        money, end = f"{money}/{behind[0]}", behind[1]
    elif in_front:
        money = f"{money}/{in_front}"
    if money in CURRENCIES and _POWERED.search(before) and abs(number.value) < MOST_PER_KWH:
        money = f"{money}/kWh"
    if number.factor == 0.01 and money in CURRENCIES and _RUNS.search(text):
        money = f"{money}/kWh"
    if number.factor == 0.01 and not money.endswith("/kWh"):
        return None  # "is it 10 cents an hour?" names a claim, no rent
    return replace(number, unit=money, end=end, text=text[number.start : end])


def end_of_digits(text: str, number: Numeral) -> int:
    """Return where the digits of a number end, before its unit."""
    hit = re.compile(r"[\d.,]+").match(text, number.start)
    return hit.end() if hit else number.end


def is_code(text: str, number: Numeral) -> bool:
    """Whether a number is part of a product code such as "i7-4790" or "X570"."""
    before = text[max(0, number.start - 6) : number.start]
    processor = number.raw in (3, 5, 7, 9) and re.search(r"\bi$", before, re.ASCII) is not None
    return not number.in_words and (processor or _IN_A_CODE.search(before) is not None)
