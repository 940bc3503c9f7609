"""Read a question: cards with counts, models, weight formats, and quantities that are none of these."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from assistant.builtin.counting import NEAR, CardCount, count_cards, counted_later, next_to, other_versions
from assistant.builtin.places import is_code, placed
from assistant.builtin.scripts import simplified
from assistant.builtin.sharing import shared
from assistant.builtin.spelling import mended
from assistant.evidence import language_of
from assistant.figures import Language
from assistant.names import cards_in, models_in, name_spans
from assistant.numerals import Numeral, read_numbers
from tools.api import named_in, usual_format

# How far a count may stand from its card, and how long a name may be. [characters]
_LONGEST_NAME = 80
_ALSO = re.compile(r"\b(?:another|a second|second|one more)\s*$|再加一张\s*$|第二张\s*$", re.IGNORECASE | re.ASCII)
_FORMATS = re.compile(
    r"(?<![A-Za-z0-9])(Q[2-8](?:_[A-Z0-9]+)*|(?:MX|NV)FP4|FP\s?(?:4|8|16|32)|F(?:16|32)|BF\s?16|INT\s?(?:4|8)|NF4|AWQ|GPTQ|TF32)(?![A-Za-z0-9])|"
    r"((?:2|3|4|5|6|8|16|32)[\s-]?(?:bits?|位))|(unquanti[sz]ed|not quanti[sz]ed|没(?:有)?量化|未量化|不量化|原始精度|original precision|native precision)",
    re.IGNORECASE | re.ASCII,
)
_BITS = {"2": "Q2", "3": "Q3", "5": "Q5", "6": "Q6", "4": "INT4", "8": "INT8", "16": "FP16", "32": "FP32"}
_SIZE = re.compile(
    r"(?<![A-Za-z0-9.])(\d+(?:\.\d+)?)\s?[bB](?![A-Za-z0-9])|(\d+(?:\.\d+)?)\s?亿(?:参数|个参数)?|"
    r"(\d+(?:\.\d+)?) (?:billion|bn)(?: parameters?| params?)?|(\d+(?:\.\d+)?)\s?M\s?(?:的?(?:参数|小?模型)|param|(?:\w+ )?(?:model|transformer|llm|network)\b)"
)
_OF_TOKENS = re.compile(r"\s*个?\s*(?:tokens?|词元)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question holds."""

    text: str
    language: Language
    cards: tuple[CardCount, ...] = ()
    models: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    quantities: tuple[Numeral, ...] = field(default_factory=tuple)

    @property
    def known_cards(self) -> dict[str, int]:
        """Cards of the catalogue with their counts."""
        counts: dict[str, int] = {}
        for card in self.cards:
            if card.name and card.name not in counts:
                counts[card.name] = card.count
        return counts

    @property
    def unknown_cards(self) -> tuple[str, ...]:
        """Names of cards that do not exist."""
        return tuple(card.text for card in self.cards if card.name is None)


def read(text: str) -> Reading:
    """Read a question in Chinese, English or a mixture."""
    text = _FINE_TUNE.sub("fine-tun", mended(simplified(text)))
    mentions = cards_in(text)
    starts = [mention.start for mention in mentions]
    numbers = [
        placed(text, number, next_to(mentions, starts, number.end, number.end + NEAR))
        for number in (*read_numbers(text), *_one_span(text))
        if not is_code(text, number)
    ]
    always = _always(text)
    gaps = _gaps(text)
    taken = [*always, *gaps]
    numbers = [number for number in numbers if not any(one.start <= number.start < one.end for one in taken)]
    numbers = sorted((*numbers, *taken), key=lambda number: number.start)
    # "24/7" is one quantity.
    numbers = [item for at, item in enumerate(numbers) if not any(one.end > item.start for one in numbers[at - 1 : at])]
    numbers = shared(text, numbers)
    cards, used = count_cards(text, mentions, numbers)
    cards = other_versions(text, cards)
    names = [(card.start, card.end) for card in cards]
    names += [(start, end) for start, end, _ in models_in(text)]
    names += [(named.start, named.end) for named in named_in("cpu", text)]
    sizes = [
        hit for hit in _SIZE.finditer(text) if not _inside(hit.start(), names) and not _OF_TOKENS.match(text, hit.end())
    ]
    spans = [*names, *name_spans(text), *((hit.start(), hit.end()) for hit in sizes)]
    spans.sort()
    firsts = [start for start, _ in spans]
    quantities = tuple(
        number
        for number in numbers
        if number not in used
        and not _is_year(number)
        and not _ASKED_FOR.search(text[max(0, number.start - 4) : number.start])
        and not (number.raw == 80 and _PLUS_CLASS.match(text, number.end))
        and not (number.in_words and _PRECISION.match(text, number.end))
        and not _inside(number.start, next_to(spans, firsts, number.start - _LONGEST_NAME, number.start + 1))
    )
    models = _models(text, sizes)
    quantities = tuple(_context(text, number) for number in quantities)
    if models:
        quantities = tuple(_tokens(text, number) for number in quantities)
    quantities = tuple(
        number
        for at, number in enumerate(quantities)
        if not (number.unit == "slots" and _WIDTH.match(text, number.end))
        and not _is_part_of_a_rate(number, quantities[at + 1] if at + 1 < len(quantities) else None)
    )
    cards = counted_later(text, cards, quantities)
    quantities = tuple(number for number in quantities if number.start not in {card.counted for card in cards})
    return Reading(text, language_of(text), tuple(cards), models, _formats(text), quantities)


# "16k" beside a model is a length, unless it counts samples or money.
_THOUSANDS = re.compile(r"\d+\s?k", re.IGNORECASE)
_COUNTED = re.compile(
    r"[\s-]*(?:samples?|examples?|steps?|rows?|images?|pairs?|documents?|users?|条|步|张|个样本|样本|元|块)",
    re.IGNORECASE,
)


# "32k context": a length of a context is a power of two, and 32k of it are 32,768; "32,000" stays as written.
_BINARY = re.compile(r"(?:4|8|16|32|64|128|256|512)\s?k", re.IGNORECASE)
_OF_CONTEXT = re.compile(r"context|ctx|上下文|window|窗口", re.IGNORECASE)
_CONTEXT_REACH = 14


def _context(text: str, number: Numeral) -> Numeral:
    if number.unit not in ("", "tokens") or not _BINARY.match(number.text.strip()):
        return number
    around = text[max(0, number.start - _CONTEXT_REACH) : number.end + _CONTEXT_REACH]
    if not _OF_CONTEXT.search(around):
        return number
    return replace(number, value=number.raw * 1.024, unit="tokens")


def _tokens(text: str, number: Numeral) -> Numeral:
    thousands = _THOUSANDS.fullmatch(number.text.strip()) and not number.unit and 1000 <= number.value <= 2_000_000
    return replace(number, unit="tokens") if thousands and not _COUNTED.match(text, number.end) else number


# "half precision" is a format, no share.
_PRECISION = re.compile(r"[\s-]*precision", re.IGNORECASE)
# One length for both spellings, so that positions stay.
_FINE_TUNE = re.compile(r"\bfine tun", re.IGNORECASE)
# "leave a slot free", "留一格": 格 is a slot.
_GAP = re.compile(r"(?:空|隔|留|间隔)(?:出|开|着)?\s*([一两二三123])\s?(?:格|个?槽)")
_DIGITS = {"一": 1, "两": 2, "二": 2, "三": 3, "1": 1, "2": 2, "3": 3}


# "2-slot cards": the width of a card, no slots of a board.
_WIDTH = re.compile(r"\s*(?:cards?|gpus?|coolers?|designs?|的?卡)", re.IGNORECASE)


def _gaps(text: str) -> list[Numeral]:
    return [
        Numeral(
            text[hit.start(1) : hit.end()],
            hit.start(1),
            hit.end(),
            _DIGITS[hit[1]],
            "slots",
            _DIGITS[hit[1]],
            in_words=True,
        )
        for hit in _GAP.finditer(text)
    ]


def _is_part_of_a_rate(number: Numeral, after: Numeral | None) -> bool:
    """ "一小时 12 美元", "1 度电 0.6 元": the one belongs to the price behind it."""
    if after is not None and number.raw == 1 and number.unit == "days" and after.unit == "h/day":
        return after.start - number.end <= 4
    return (
        after is not None
        and number.raw == 1
        and number.unit in ("h", "kWh")
        and after.unit.endswith(f"/{number.unit}")
        and after.start - number.end <= 4
    )


# "for a week", "in a month": the article is a one.
_SPAN = re.compile(
    r"(?<![A-Za-z])(?:for|over|in|within|after|during|running|runs|lasts?) (an? )(?:whole |full )?(day|week|month|year)\b",
    re.IGNORECASE | re.ASCII,
)
_SPANS = {"day": (1, "days"), "week": (7, "days"), "month": (1, "months"), "year": (1, "years")}


def _one_span(text: str) -> list[Numeral]:
    found: list[Numeral] = []
    for hit in _SPAN.finditer(text):
        value, unit = _SPANS[hit[2].lower()]
        found.append(Numeral(text[hit.start(1) : hit.end()], hit.start(1), hit.end(), value, unit, 1.0, in_words=True))
    return found


# "nonstop": in use all the time.
_ALWAYS = re.compile(
    r"\b(?:non-?stop|around the clock|24/7|24x7|all day(?: and night| long)?|full[- ]time|always on|continuously)\b|不停机|全天(?:候|开|运行|跑)|24 ?小时(?:不停|开|运行)|常开|全天候|不间断|一直开着|7 ?[x×*] ?24|昼夜不停",
    re.IGNORECASE | re.ASCII,
)


def _always(text: str) -> list[Numeral]:
    return [
        Numeral(hit[0], hit.start(), hit.end(), 1.0, "fraction", 1.0, in_words=True) for hit in _ALWAYS.finditer(text)
    ]


# "几千瓦", "多少千瓦": asked for, not given.
_ASKED_FOR = re.compile(r"(?:几|多少)\s*$")
# "80+ gold": the name of a class of supplies.
_PLUS_CLASS = re.compile(r"\s?(?:\+|plus\b)", re.IGNORECASE)
# 2048 is a length or a batch, no year.
LATEST_YEAR = 2040


def _is_year(number: Numeral) -> bool:
    """ "the 2023 guide", "2023年那篇": a date, no quantity."""
    return (
        number.text.strip()[:4].isdigit()
        and number.unit in ("", "years")
        and number.raw == int(number.raw)
        and 1990 <= number.raw <= LATEST_YEAR
    )


def _inside(position: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= position < end for start, end in spans)


def _models(text: str, sizes: list[re.Match[str]]) -> tuple[str, ...]:
    found = [shown for _, _, shown in models_in(text)]
    if not found:
        for hit in sizes:
            millions = float(hit[4]) / 1000 if hit[4] else 0.0
            billions = float(hit[1] or hit[3]) if hit[1] or hit[3] else millions or float(hit[2]) / 10
            found.append(f"{billions:g}B")
    if _DEEPSEEK.search(text):
        found = ["DeepSeek-R1 671B" if size == "671B" else size for size in found]
    small = [hit for hit in sizes if hit[1] and float(hit[1]) < _SMALLEST_WHOLE]
    if small and any(_WHOLE_R1.fullmatch(name) for name in found):
        # "deepseek r1 32b": the distilled model of that size, which is another model.
        found = [f"{float(small[0][1]):g}B" if _WHOLE_R1.fullmatch(name) else name for name in found]
    if not found and _FULL_R1.search(text):
        found = ["DeepSeek-R1 671B"]
    return tuple(dict.fromkeys(found))


_DEEPSEEK = re.compile(r"deep ?seek", re.IGNORECASE)
_WHOLE_R1 = re.compile(r"deep ?seek[- ]?r1", re.IGNORECASE)
_FULL_R1 = re.compile(r"满血版?\s?R1|R1\s?满血", re.IGNORECASE)
# Smaller ones by that name are distilled into other models. [1e9 parameters]
_SMALLEST_WHOLE = 100.0


def _named(name: str) -> str:
    """Return a format's name; "F16" is how GGUF files spell FP16."""
    plain = name.upper().replace(" ", "")
    return usual_format(plain) if plain.startswith("F") else plain


def _formats(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for hit in _FORMATS.finditer(text):
        if hit[1] or hit[3]:
            found.append(_named(hit[1]) if hit[1] else "FP16")
        else:
            found.append(_BITS[re.sub(r"\D", "", hit[2])])
    return tuple(dict.fromkeys(found))
