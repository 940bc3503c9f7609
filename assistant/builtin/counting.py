"""Cards of a question with their counts: before or behind the name, in so many machines, which version."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from assistant.names import Mention
from assistant.numerals import Numeral
from tools.api import ToolInputError, find, match

Item = TypeVar("Item")
# How far a count may stand from its card. [characters]
NEAR = 48
# Between a count and its card stand at most a measure word and a few adjectives.
_BETWEEN = re.compile(
    r"^[\s×x*]*(?:\d+\s?GB?\s*的?\s*)?(?:(?:张|块|片|个|台|路|卡|cards? of|pieces? of|used|second-hand|rented|on[- ]demand|spot|cloud|brand[- ]new|new|shiny|old|spare|nvidia|geforce|"
    r"(?:air|water|liquid)[- ]?cooled|open[- ]air|blower(?:[- ]style)?|hybrid|founders edition|二手|全新|租(?:来|用)?的?|英伟达|涡轮版?|水冷版?|"
    r"公版|非公版|[一两三四1-4]\s?槽|(?:single|two|three|four|dual|triple|[1-4])[- ]slot|of|the|these|those|这种|的)[\s×x*]*){0,4}$",
    re.IGNORECASE | re.ASCII,
)
_AFTER = re.compile(r"^s?\s*(?:[x×*]\s*|显卡\s*|cards?\s*)?$", re.IGNORECASE | re.ASCII)
_PAIR = re.compile(r"(?:双|dual|twin|a pair of|both)[\s-]*(?:张|块|卡|路)?\s*$|两台\s*$", re.IGNORECASE | re.ASCII)
# "3 台 8×L20", "two nodes of eight H100s": so many machines of so many cards.
_MACHINES = re.compile(
    r"(?:台(?:机器|服务器|主机|电脑|工作站)?|个?节点|机器|服务器|电脑|工作站)(?:[，,]?\s*(?:各|每台|每个|每节点|都)?\s*(?:有|装|插|配|带|是)?)?\s*$|"
    r"(?:machines?|nodes?|hosts?|servers?|boxes|computers|pcs|workstations)(?:,? (?:of|with|each with|each has|x|×|having))?\s*$",
    re.IGNORECASE,
)
# "How thick is a 4080, and will two fit?": the count comes after the card.
_COUNT_AFTER = re.compile(
    r"\s*(?:of (?:them|these|those)|(?:will |would |can )?(?:fit|run|go)\b|together\b|side by side|in one\b|on (?:a|one|my)\b)",
    re.IGNORECASE,
)
# "不对，是 3080，四张", "a 3080 actually, four": the count ends the message.
_COUNT_ENDS = re.compile(r"\s*(?:块|张|of them|cards?)?\W*$", re.IGNORECASE)
_ONLY_SIGNS = re.compile(r"s?[\s,，、:：(（]*(?:一共|共|总共|in total)?\s*$", re.IGNORECASE)
# "5090 和 4090 双卡对比"
_TWO_OF_EACH = re.compile(r"双卡|各两张|各 ?2 ?张|two of each|pairs of each|dual[- ]gpu", re.IGNORECASE)
# "4090 双卡训练"
_TWO_OF_IT = re.compile(r"\s*双卡")
# "a 4090 next to another", "4090 旁边再插一张"
_BESIDE_ANOTHER = re.compile(
    r"(?:next to|beside|above|below|on top of|against) (?:another|a second|the other)(?: one)?\b|旁边再?(?:插|放|装)(?:一|另一)张|挨着另一张",
    re.IGNORECASE,
)
# "three two-slot cards: RTX A6000"
_COUNT_OF_CARDS = re.compile(r"\s+(?:[\w-]+ ){0,2}(?:cards|gpus|of them)\b", re.IGNORECASE | re.ASCII)
# "两台机器各": a single Chinese numeral before 台 is no number to the reader.
_MACHINES_HAN = re.compile(
    r"([两二三四五六七八九十]|十[一二三四五六])\s?(?:台|个节点|个机器)(?:机器|服务器|主机|电脑|工作站)?[，,]?\s*(?:各|每台|每个|每节点|都)?\s*"
    r"(?:有|装|插|配|带|是)?\s*$"
)
_HAN_DIGITS = "零一二三四五六七八九十"
# "my laptop has an RTX 4070": the mobile card of that name is another card.
_LAPTOP = re.compile(r"\blaptops?\b|\bnotebooks?\b|笔记本|游戏本", re.IGNORECASE)
_DESKTOP = re.compile(r"\bdesktops?\b|\btowers?\b|台式|桌面", re.IGNORECASE)
# What parts one thing that is spoken of from the next.
_PARTS = re.compile(r"\b(?:and|or|vs|versus|against|than|to)\b|[,;，；、]|和|与|跟|对比|还是|比", re.IGNORECASE)
# "8 张 4090 PCIe 3.0": where a card comes in one form only, the word belongs to the link.
_FORM_FACTOR = re.compile(r"\s*(?:PCIe|SXM\d?)$", re.IGNORECASE)
# "a 16 GB 4060 Ti", "4060 Ti with 16 GB": the size tells which of two versions it is.
_SIZE_BEFORE = re.compile(r"(?<!\d)(\d{1,3})\s?GB?\s*(?:的|版)?\s*(?:nvidia|geforce)?\s*$", re.IGNORECASE)
_SIZE_AFTER = re.compile(r"\s*(?:with |of |[(（])?\s*(\d{1,3})\s?(?:GB?|gigs?)\b", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class CardCount:
    """A card of the question and how many of it; `name` is None for a card that does not exist, `counted` where the count stands."""

    text: str
    name: str | None
    count: int
    start: int
    end: int
    stated: bool
    others: tuple[str, ...] = ()
    counted: int = -1


def next_to(items: list[Item], starts: list[int], low: int, high: int) -> list[Item]:
    """Return the items that start in [low, high); a pasted log has thousands of them."""
    return items[bisect_left(starts, low) : bisect_left(starts, high)]


def count_cards(text: str, mentions: list[Mention], numbers: list[Numeral]) -> tuple[list[CardCount], set[Numeral]]:
    """Return the cards that a text names with their counts, and the numbers that are counts."""
    cards: list[CardCount] = []
    used: set[Numeral] = set()
    starts = [number.start for number in numbers]
    for mention in mentions:
        near = next_to(numbers, starts, mention.start - NEAR, mention.end + NEAR)
        count, numeral = _count_of(text, mention, near)
        if numeral is not None:
            used.add(numeral)
            machines = _machines_of(text, numeral, near)
            if machines is not None and count:
                used.add(machines)
                count *= int(machines.raw)
            elif count:
                count *= _han_machines(text, numeral)
        cards.append(
            CardCount(
                mention.text.strip(),
                _version(text, mention),
                count or 1,
                mention.start,
                mention.end,
                count is not None,
                mention.others,
            )
        )
    return cards, used


def other_versions(text: str, cards: list[CardCount]) -> list[CardCount]:
    """Return the cards with the other versions that only a size names: "A100 40G 和 80G"."""
    found: list[CardCount] = []
    for card in cards:
        found.append(card)
        hit = _OTHER_SIZE.match(text, card.end) if card.name else None
        other = match(f"{base_name(card.name)} {hit[1]}GB") if hit else None
        if hit and other and other.gpu.memory_gb == float(hit[1]) and other.gpu.name != card.name:
            found.append(
                replace(card, text=hit[0].strip(), name=other.gpu.name, start=hit.start(1), end=hit.end(), count=1)
            )
    return found


_OTHER_SIZE = re.compile(
    r"\s*(?:和|与|跟|对|还是|、|/|vs\.?|versus|or|and|against)\s*(?:the )?(\d{2,3})\s?GB?\b", re.IGNORECASE
)


def _han_machines(text: str, count: Numeral) -> int:
    hit = _MACHINES_HAN.search(text[max(0, count.start - 20) : count.start])
    if hit is None:
        return 1
    word = hit[1].replace("两", "二")
    return _HAN_DIGITS.index(word) if len(word) == 1 else 10 + _HAN_DIGITS.index(word[1])


def _machines_of(text: str, count: Numeral, numbers: list[Numeral]) -> Numeral | None:
    """The number of machines that each hold so many cards."""
    return next(
        (
            number
            for number in numbers
            if number.end <= count.start
            and 1 < number.raw <= 1000
            and _MACHINES.search(text[number.end : count.start])
            and len(text[number.end : count.start]) < 20
        ),
        None,
    )


# What tells the versions of one card apart.
_VERSION_WORDS = re.compile(r"\s(?:SXM\d?|PCIe|NVL|Laptop|\d+\s?GB)\b.*$", re.IGNORECASE)


def base_name(name: str | None) -> str:
    """Return a card's name without its form and its memory: "H100 SXM" is an H100."""
    return _VERSION_WORDS.sub("", name or "")


def _version(text: str, mention: Mention) -> str | None:
    """The catalogue's card for a mention: the version with the memory that is said, the mobile one in a laptop."""
    if mention.name is None:
        plain = match(_FORM_FACTOR.sub("", mention.text.strip()))
        if plain and _FORM_FACTOR.search(mention.text.strip()):
            return plain.gpu.name
        return _outside(mention.text.strip())
    hit = _SIZE_BEFORE.search(text[max(0, mention.start - 24) : mention.start]) or _SIZE_AFTER.match(text, mention.end)
    size = float(hit[1]) if hit else 0.0
    # People leave out what the size tells anyway: the only 4060 with 16 GB is a 4060 Ti.
    for more in ("", " Ti", " Super", " Ti Super") if hit and mention.name else ():
        sized = match(f"{mention.text.strip()}{more} {hit[1] if hit else ''}GB")
        same = sized and (not more or base_name(sized.gpu.name) == f"{base_name(mention.name)}{more}")
        if sized and same and sized.gpu.memory_gb == size:
            return sized.gpu.name
    return _on_a_laptop(text, mention)


@cache
def _outside(text: str) -> str | None:
    """The name of a card that the catalogue has from a wider list only, None for one that does not exist."""
    try:
        return find(text[:_LONGEST_NAME]).gpu.name
    except ToolInputError:
        return None


_LONGEST_NAME = 60


def _on_a_laptop(text: str, mention: Mention) -> str | None:
    if mention.name is None or not _in_a_laptop(text, mention) or _LAPTOP.search(mention.name):
        return mention.name
    mobile = match(f"{mention.name} Laptop")
    return mobile.gpu.name if mobile and "Laptop" in mobile.gpu.name else mention.name


def _in_a_laptop(text: str, mention: Mention) -> bool:
    """Whether a card sits in a laptop: the nearest word for a machine decides, one in its own part of the text first."""

    def distance(word: re.Match[str]) -> tuple[int, int]:
        between = text[word.end() : mention.start] if word.end() <= mention.start else text[mention.end : word.start()]
        return len(_PARTS.findall(between)), len(between)

    nearest = min([*_LAPTOP.finditer(text), *_DESKTOP.finditer(text)], key=distance, default=None)
    return nearest is not None and bool(_LAPTOP.fullmatch(nearest[0]))


def counted_later(text: str, cards: list[CardCount], numbers: tuple[Numeral, ...]) -> list[CardCount]:
    """Return the one card of a text with the count that stands after it."""
    if len(cards) > 1 and not any(card.stated for card in cards) and _TWO_OF_EACH.search(text):
        return [replace(card, count=2, stated=True) for card in cards]
    if len(cards) != 1 or cards[0].stated:
        return cards
    if _TWO_OF_IT.match(text, cards[0].end) or _BESIDE_ANOTHER.search(text, cards[0].end):
        return [replace(cards[0], count=2, stated=True)]
    for number in numbers:
        if (
            number.unit in ("", "cards")
            and number.raw in range(2, 17)
            and (
                _COUNT_OF_CARDS.match(text, number.end)
                or (number.start > cards[0].end and _COUNT_AFTER.match(text, number.end))
                or (
                    number.start >= cards[0].end
                    and _ONLY_SIGNS.match(text[cards[0].end : number.start])
                    and _COUNT_ENDS.match(text, number.end)
                )
            )
        ):
            return [replace(cards[0], count=int(number.raw), stated=True, counted=number.start)]
    return cards


def _count_of(text: str, mention: Mention, numbers: list[Numeral]) -> tuple[int | None, Numeral | None]:
    before = text[max(0, mention.start - NEAR) : mention.start]
    if _PAIR.search(before):
        return 2, None
    for numeral in numbers:
        if numeral.unit not in ("", "cards", "x") or numeral.raw != int(numeral.raw) or not 0 < numeral.raw <= 20_000:
            continue
        if numeral.end <= mention.start and _BETWEEN.match(text[numeral.end : mention.start]):
            return int(numeral.raw), numeral
    for numeral in numbers:
        if (
            numeral.start >= mention.end
            and numeral.unit in ("cards", "")
            and numeral.raw == int(numeral.raw)
            and (numeral.unit == "cards" or re.match(r"^s?\s*[x×*]", text[mention.end : numeral.start]))
            and 0 < numeral.raw <= 20_000
            and _AFTER.match(text[mention.end : numeral.start])
        ):
            return int(numeral.raw), numeral
    return None, None
