"""What a question names beside quantities: places, processors, plugs, owned cards, prices of cards.

A talk file says under `[named]` which of these fills an argument.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from assistant.builtin.reading import CardCount, Reading
from assistant.measures import CURRENCIES
from assistant.numerals import Numeral
from tools.api import Json, named_in

PLACES = ("country", "region", "cpu")
_OWN = re.compile(
    r"(?<![A-Za-z])(?:have|own|got|my|our|existing|already|currently)(?![A-Za-z])|我的|我有|现有|已有|已经有|手上|手头|手里|家里有|(?<!没)有(?!没)",
    re.IGNORECASE,
)
# What a person who has one card wants with another.
_WANT = re.compile(
    r"(?<![A-Za-z])(?:buy|buying|get|add|upgrade|switch|sell|swap|replace|want|need|should|or|for|than|vs|if|budget|is|are)(?![A-Za-z])|"
    r"买|换|加|升级|卖|想|还是|比|没有|预算",
    re.IGNORECASE,
)
# Between two cards of one list: "a 3090 and a 2080 Ti".
_LISTED = re.compile(
    r"s?\s*(?:,|and|&|plus|\+|和|、|加上?|跟)?\s*(?:an?|one|two|three|four|\d+|[一二两三四])?\s*(?:x|×|张|块|片|used|二手)?\s*",
    re.IGNORECASE,
)
_BUDGET = re.compile(
    r"budget|under|up to|at most|within|less than|have|spend|预算|以内|以下|不超过|最多|只有", re.IGNORECASE
)
_PRICE_AHEAD = re.compile(
    r"s?[\s,，]*(?:\([^)]*\)|for|at|is|are|costs?|sells?|goes|now|about|around|only|price|of|used|new|second-hand|"
    r"二手|全新|新|现在|目前|卖|要|只要|价格|价|是|为|约|大约|才|=|:|：|~|\s)*",
    re.IGNORECASE,
)
_PRICE_BEHIND = re.compile(
    r"\s*(?:each\s*)?(?:for|buys?|gets?|的|买|能买|可以买)\s*(?:me\s*)?(?:an?|one|the|my|一张|一块)?\s*"
    r"(?:used|new|second-hand|二手|全新)?的?\s*",
    re.IGNORECASE,
)
_EACH = re.compile(r"each|apiece|per (?:card|gpu)|每张|每块|一张|单张|各", re.IGNORECASE)
# "can I add a third one?" asks about one card more than there are.
_ADDED = re.compile(
    r"(?<![A-Za-z])(?:add|adding|put in|fit|squeeze in|plug in) (?:in )?(?:an?|one|another)(?: (?:second|third|fourth|fifth|more|extra))?"
    r"(?: (?:one|card|gpu|of (?:them|those|these))|(?= (?:RTX|GTX|RX|[A-Z]?\d)))|再[加插上塞买](?:一|1|第[二三四五])?[张块片]|[加插]第[二三四五][张块片]",
    re.IGNORECASE,
)
_ANOTHER = re.compile(r"(?<![A-Za-z])(?:another|a second|one more)\s+$|另一[张块片]\s*$", re.IGNORECASE)
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight")
_HAN = "一二三四五六七八"
_PLUGS = re.compile(
    rf"(?<![A-Za-z0-9.-])(\d|{'|'.join(_NUMBERS)}|[{_HAN}两])\s*(?:x|×|个|条|根|组)?\s*(?:separate |spare |free |native |pcie )*"
    r"(?:(6|8)[\s-]?(?:\+2[\s-]?)?pin|(12VHPWR|12V-2x6))",
    re.IGNORECASE,
)
_SUPPLY = re.compile(r"suppl|psu|电源", re.IGNORECASE)


def name(kind: str, reading: Reading) -> Json:
    """Return what a question names of a kind, None if nothing."""
    if kind in PLACES:
        return next(iter(names(kind, reading)), None)
    if kind == "owned_cards":
        return owned_cards(reading) or None
    if kind == "card_prices":
        return card_prices(reading)[0] or None
    if kind == "plugs":
        return plugs(reading) or None
    if kind == "foreign_amount":
        amounts = [item.value for item in reading.quantities if item.unit in CURRENCIES and item.unit != "USD"]
        return amounts[0] if len(amounts) == 1 else None
    if kind == "card_count":
        counts = [int(item.value) for item in reading.quantities if item.unit == "cards" and item.value > 1]
        return counts[0] if len(counts) == 1 else None
    cards = list(reading.known_cards)
    return cards[0] if kind == "only_card" and len(cards) == 1 and not reading.unknown_cards else None


# Provinces and cities whose electricity is only known as the country's average.
_IN_CHINA = re.compile(
    r"北京|上海|天津|重庆|深圳|广州|杭州|南京|苏州|武汉|成都|西安|广东|浙江|江苏|四川|山西|山东|河南|河北|湖北|湖南|云南|贵州|内蒙古?|新疆|甘肃|宁夏|东北|国内|"
    r"\b(?:Beijing|Shanghai|Shenzhen|Guangzhou|Hangzhou|Chengdu|Sichuan|Guizhou)\b"
)


def names(kind: str, reading: Reading) -> list[str]:
    """Return all places or processors of a kind that a question names."""
    found = _known_names(kind, reading)
    return ["CN"] if not found and kind in ("country", "region") and _IN_CHINA.search(reading.text) else found


def _known_names(kind: str, reading: Reading) -> list[str]:
    return [found.name for found in named_in(kind, reading.text)] if kind in PLACES else []  # pyright: ignore[reportArgumentType] - checked against PLACES


def owned_cards(reading: Reading) -> dict[str, int]:
    """Return the cards that a person says to have."""
    found: dict[str, int] = {}
    end, listed = 0, False
    for card in reading.cards:
        between = reading.text[end : card.start]
        sentence = re.split(r"[.?!;。？！；]\s", between)[-1] if end == 0 or not listed else between
        said = list(_OWN.finditer(sentence))
        own = bool(said) and not _WANT.search(sentence[said[-1].end() :])
        listed = own or (listed and _LISTED.fullmatch(between) is not None)
        if listed and card.name and card.name not in found:
            found[card.name] = card.count
        end = card.end
    return found


def added_cards(reading: Reading) -> dict[str, int]:
    """Return the cards of a machine that is to get one more, {} if nobody speaks of that."""
    hit, cards = _ADDED.search(reading.text), dict(reading.known_cards)
    for at, card in enumerate(reading.cards):
        again = card.name in [other.name for other in reading.cards[:at]]
        if again and card.name and _ANOTHER.search(reading.text[: card.start]):
            return {**cards, card.name: cards[card.name] + 1}
    if hit is None or not cards:
        return {}
    next_named = next((card.name for card in reading.cards if hit.end() <= card.start <= hit.end() + 4), None)
    before = [card.name for card in reading.cards if card.end <= hit.start() and card.name]
    if next_named is not None and next_named not in before:
        return {}  # "add a 4090" to others: it is counted already
    grown = next_named or (before[-1] if before else None)
    return {name: number + (name == grown) for name, number in cards.items()} if grown else {}


def card_prices(reading: Reading) -> tuple[dict[str, float], list[Numeral]]:
    """Return what the person says that cards cost each, in US dollars, and the quantities it was said with."""
    prices: dict[str, float] = {}
    used: list[Numeral] = []
    for amount in reading.quantities:
        card = _priced(reading, amount) if amount.unit == "USD" else None
        if card is not None and card.name and card.name not in prices:
            each = card.count == 1 or _EACH.search(reading.text[amount.end : amount.end + 12])
            prices[card.name] = amount.value if each else amount.value / card.count
            used.append(amount)
    return prices, used


def _priced(reading: Reading, amount: Numeral) -> CardCount | None:
    """Return the card that an amount is the price of: "a 3090 for $700", "$700 for a 3090"."""
    if _BUDGET.search(reading.text[max(0, amount.start - 14) : amount.start]):
        return None
    before = [card for card in reading.cards if card.end <= amount.start]
    if before and _PRICE_AHEAD.fullmatch(reading.text[before[-1].end : amount.start]):
        return before[-1]
    behind = next((card for card in reading.cards if card.start >= amount.end), None)
    if behind is not None and _PRICE_BEHIND.fullmatch(reading.text[amount.end : behind.start]):
        return behind
    return None


def plugs(reading: Reading) -> dict[str, int]:
    """Return the plugs that a question gives to a supply."""
    found: dict[str, int] = {}
    if _SUPPLY.search(reading.text):
        for hit in _PLUGS.finditer(reading.text):
            kind = "12VHPWR" if hit[3] else f"{hit[2]}-pin"
            found[kind] = found.get(kind, 0) + _count(hit[1])
    return found


def _count(word: str) -> int:
    if word.isdigit():
        return int(word)
    if word.lower() in _NUMBERS:
        return _NUMBERS.index(word.lower()) + 1
    return 2 if word == "两" else _HAN.index(word) + 1


def fill_named(kinds: Mapping[str, str], reading: Reading, said: dict[str, Json]) -> None:
    """Put what a question names into the arguments; the price of a card is then no budget."""
    for argument, kind in kinds.items():
        value = added_cards(reading) if kind == "added_cards" else None if argument in said else name(kind, reading)
        if not value:
            continue
        said[argument] = value
        if kind == "card_prices":
            amounts = [amount.value for amount in card_prices(reading)[1]]
            if said.get("budget_usd") in amounts:
                said.pop("budget_usd")
