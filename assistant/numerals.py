"""Read every number of a text, in digits or words, in Chinese or English, with its unit.

One reader serves the question (what did the person give?) and the answer (is every number bound?).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from assistant.letters import narrow, small
from assistant.measures import (
    ANY_PER,
    CURRENCIES,
    CURRENCY_SIGNS,
    PER,
    PER_BEFORE,
    PER_OF,
    UNCLEAR_SIGN,
    read_unit,
)
from assistant.number_words import ANY_HAN, FIXED, FIXED_WORDS, HAN, WORD, han_value, is_idiom, stands_alone, word_value

# A digit first, so that the search goes from one to the next. Over small letters.
_ARABIC = re.compile(r"\d(?<![\d.]\d)(?:\d{0,2}(?:(?:,|\{,\})\d{3})+(?:\.\d+)?|\d*(?:\.\d+)?(?:e[-+]?\d{1,2})?)(?!\d)")
# Units that can be so much per something, and money whose sign does not say which.
_RATED = frozenset((UNCLEAR_SIGN, *(unit for units in PER_OF.values() for unit in units)))
_PRODUCT = re.compile(r" ?(?:NVIDIA |GeForce |AMD |Radeon )?(?:[A-Z][A-Za-z]{0,3} ?[A-Z]?\d{2,4}|Titan|Jetson)")
_CARDS_BEHIND = re.compile(r"\s?(?:块|路|卡|×|x\s|个\s*(?:gpu|显卡))", re.IGNORECASE | re.ASCII)
# A longer run of digits is a key or a hash.
_LONGEST_NUMBER = 40
_SIGN_BEFORE = re.compile(r"(us\$|[$€£¥])\s*$", re.IGNORECASE | re.ASCII)
_SIGNS = ("$", "€", "£", "¥")
# "$1600\\,\\mathrm{W}$": the sign opens a formula, it is no money.
_FORMULA = re.compile(r"\s?\\(?:[,;:! ]|text|mathrm|rm\b)")
# Most numbers have none of these before them; to look at the end costs less than to search.
_MINUS_ENDS = ("-", "−", "负", "minus ")
_MINUS_BEFORE = re.compile(r"(?:^|[\s(（:,，:=])(?:-|−|负|minus )$", re.IGNORECASE | re.ASCII)
# Over small letters.
_MAGNITUDE = re.compile(
    r"\s?(万亿|百万|千万|十亿|万|亿|千(?![瓦克米卡])|百(?!分)|million|billion|trillion|thousand|mn\b|bn\b|k(?![a-z])|m(?=\s*(?:tokens|params))|w(?=[块元]))",
    re.ASCII,
)
_MAGNITUDES = {
    "万亿": 1e12,
    "百万": 1e6,
    "千万": 1e7,
    "十亿": 1e9,
    "万": 1e4,
    "亿": 1e8,
    "千": 1e3,
    "百": 1e2,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
    "thousand": 1e3,
    "mn": 1e6,
    "bn": 1e9,
    "k": 1e3,
    "m": 1e6,
    "w": 1e4,
}


@dataclass(frozen=True, slots=True)
class Numeral:
    """One number of a text.

    Attributes:
        text: As written, with its unit.
        start: Position of the first character.
        end: Position behind the last one.
        value: In the canonical unit (1.6 kW is 1600, 15 % is 0.15).
        unit: Canonical unit, "" for a plain number.
        raw: The number as written, before the unit's factor.
        in_words: Whether it is written in words ("two", "三百").
        written: The unit as written where it differs from the canonical one ("kW", "PFLOPS", "%").
        step: What one more in the last digit would add to `raw` (0.01 for "2.14", 1000 for "1.6万").
        factor: `value` / `raw`: what the written unit is in the canonical one.
    """

    text: str
    start: int
    end: int
    value: float
    unit: str
    raw: float
    in_words: bool = False
    written: str = ""
    step: float = 1.0
    factor: float = 1.0

    @property
    def as_written(self) -> tuple[float, str]:
        """Value and unit as they stand in the text: 1.6 kW, 15 %."""
        return (self.raw, self.written) if self.written else (self.value, self.unit)


def read_numbers(text: str) -> list[Numeral]:
    """Return the numbers of a text from left to right, none overlapping."""
    plain = narrow(text)
    low = small(plain)
    found = [*_arabic(plain, low), *_fixed(plain, low), *_words(plain, low), *_han(plain)]
    found.sort(key=lambda item: (item.start, -item.end))
    kept: list[Numeral] = []
    for item in found:
        if not kept or item.start >= kept[-1].end:
            shown = text[item.start : item.end]
            kept.append(item if item.text == shown else replace(item, text=shown))
    return kept


def _arabic(text: str, low: str) -> list[Numeral]:
    found: list[Numeral] = []
    for match in _ARABIC.finditer(low):
        digits, (start, end) = match[0], match.span()
        if len(digits) > _LONGEST_NUMBER:
            continue
        value, step = float(_separators_off(digits)), _step(digits)
        magnitude = _MAGNITUDE.match(low, end)
        if magnitude:
            factor = _MAGNITUDES[magnitude[1]]
            value, step, end = value * factor, step * factor, magnitude.end()
        found.append(_with_unit(text, start, end, value, in_words=False, step=step))
    return found


def _separators_off(digits: str) -> str:
    return digits.replace("{,}", "").replace(",", "") if "," in digits else digits


def _step(digits: str) -> float:
    if digits.isdecimal():
        return 1.0
    mantissa, _, exponent = digits.partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def _words(text: str, low: str) -> list[Numeral]:
    found: list[Numeral] = []
    for match in WORD.finditer(low):
        shown = match[0].rstrip(" -")
        value = word_value(shown)
        if value is not None:
            found.append(_with_unit(text, match.start(), match.start() + len(shown), value, in_words=True))
    return found


def _fixed(text: str, low: str) -> list[Numeral]:
    found: list[Numeral] = []
    for match in FIXED_WORDS.finditer(low):
        value, unit = FIXED[match[0]]
        if match[0].startswith("half a") and not unit:
            numeral = _with_unit(text, match.start(), match.end(), value, in_words=True)
            unit = "" if numeral.unit or value > 1 else "x"  # "half an hour", but "half a loaf"
        if unit:
            shown = text[match.start() : match.end()]
            found.append(Numeral(shown, match.start(), match.end(), value, unit, value, in_words=True, step=value / 20))
        else:
            found.append(_with_unit(text, match.start(), match.end(), value, in_words=True))
    return found


def _han(text: str) -> list[Numeral]:
    found: list[Numeral] = []
    for match in HAN.finditer(text) if ANY_HAN.search(text) else ():
        word = match[0]
        if word.startswith("百分之"):
            value = han_value(word[3:])
            numeral = Numeral(word, match.start(), match.end(), value / 100, "fraction", value, in_words=True)
            found.append(replace(numeral, written="%", factor=0.01))
            continue
        value = 0.5 if word == "半" else han_value(word)
        numeral = _with_unit(text, match.start(), match.end(), value, in_words=True)
        # "一般", "万一", "十分": a single sign counts only with a unit behind it.
        if (
            numeral.unit
            or stands_alone(text, match.start(), match.end())
            or (len(word) > 1 and not is_idiom(text, match.start(), match.end()))
        ):
            found.append(numeral)
    return found


def _with_unit(text: str, start: int, end: int, raw: float, *, in_words: bool, step: float | None = None) -> Numeral:
    """Attach sign, currency and unit to a number at [start, end)."""
    before = text[max(0, start - 8) : start].lower()
    if before.endswith(_MINUS_ENDS) and _MINUS_BEFORE.search(before):
        raw = -raw
        start, before = start - 1, before[:-1]
    unit, factor, written = "", 1.0, ""
    sign = _SIGN_BEFORE.search(before[-4:]) if before.rstrip().endswith(_SIGNS) else None
    if sign and sign[1] == "$" and _FORMULA.match(text, end):
        sign = None
    if sign:
        start -= len(sign[0])
        unit = UNCLEAR_SIGN if sign[1] == UNCLEAR_SIGN else CURRENCY_SIGNS[sign[1]]
        after = read_unit(text, end)
        if unit == UNCLEAR_SIGN and after and after[0].unit in CURRENCIES:
            unit, end = after[0].unit, after[1]
    else:
        read = read_unit(text, end)
        if read and not _is_measure_of_cards(text, read[1], read[0].unit, end):
            spelling, after = read
            unit, factor = spelling.unit, spelling.factor
            if unit == "x" and _PRODUCT.match(text, after):
                unit = "cards"  # "2 x RTX 3090" counts cards, "2 x faster" does not
            if factor != 1.0:
                written = "%" if unit == "fraction" else text[end:after].strip(" -")
            end = after
            if text[end : end + 1] == "半" and unit in ("years", "days", "h"):
                raw, end = raw + 0.5, end + 1
        elif _counts_cards(text, end):
            unit = "cards"
    unit, end = _per(text, start, end, unit)
    if step is None:
        step = 1.0 if raw == int(raw) else 0.1
    return Numeral(text[start:end], start, end, raw * factor, unit, raw, in_words, written, step, factor)


def _is_measure_of_cards(text: str, after: int, unit: str, end: int) -> bool:
    """ "4 块 3090": 块 counts cards here, it is no money; "一度" before 3090 never occurs."""
    return unit == "CNY" and text[end:after].strip() == "块"


def _counts_cards(text: str, end: int) -> bool:
    return bool(_CARDS_BEHIND.match(text, end, end + 6))


def _per(text: str, start: int, end: int, unit: str) -> tuple[str, int]:
    if unit not in _RATED:
        return unit, end
    for per, pattern in PER.items() if ANY_PER.match(text, end) else ():
        if unit not in PER_OF[per] and not (unit == UNCLEAR_SIGN and "USD" in PER_OF[per]):
            continue
        match = pattern.match(text, end)
        if match:
            return f"{unit}/{per}", match.end()
    if unit in CURRENCIES or unit in (UNCLEAR_SIGN, ""):
        for per, pattern in PER_BEFORE.items():
            if unit and pattern.search(text[max(0, start - 16) : start]):
                return f"{unit}/{per}", end
    return unit, end
