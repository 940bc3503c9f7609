"""Read every number of a text, in digits or words, in Chinese or English, with its unit.

One reader serves the question (what did the person give?) and the answer (is every number bound?).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from assistant.measures import (
    CURRENCIES,
    CURRENCY_SIGNS,
    PER,
    PER_BEFORE,
    PER_OF,
    UNCLEAR_SIGN,
    read_unit,
)

# Full-width signs, one for one. The comma stays: "300，400 W" is two numbers.
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F) if code != ord("，")} | {ord("￥"): "¥"}
_DIGITS = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][-+]?\d{1,2})?"
_ARABIC = re.compile(rf"(?<![\d.])(?:{_DIGITS})(?!\d)")
# A longer run of digits is a key or a hash.
_LONGEST_NUMBER = 40
_HAN_DIGIT = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "兩": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "壹": 1,
    "贰": 2,
    "叁": 3,
    "肆": 4,
    "伍": 5,
}
_HAN_POWER = {"十": 10, "百": 100, "千": 1000}
_HAN_MYRIAD = {"万": 10_000, "亿": 100_000_000}
_HAN = re.compile(
    r"百分之[零〇一二两三四五六七八九十百点]+|半(?=张|年|天|小时|个|价|数)|"
    r"[零〇一二两兩三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+)?半?"
)
_WORDS = {
    "zero": 0,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18,
    "nineteen": 19,
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_WORD = re.compile(
    r"\b(?:(?:" + "|".join([*_WORDS, *_SCALES]) + r"|and a half)(?:[\s-]+(?:and\s+)?|\b))+", re.IGNORECASE | re.ASCII
)
_FIXED = {
    "half a dozen": (6, ""),
    "a dozen": (12, ""),
    "dozen": (12, ""),
    "a hundred": (100, ""),
    "a thousand": (1000, ""),
    "twice": (2, "x"),
    "double": (2, "x"),
    "doubles": (2, "x"),
    "doubled": (2, "x"),
    "doubling": (2, "x"),
    "triple": (3, "x"),
    "half": (0.5, "x"),
    "halves": (0.5, "x"),
    "a pair of": (2, ""),
    "both": (2, ""),
    "翻倍": (2, "x"),
    "翻一番": (2, "x"),
    "一倍": (2, "x"),
    "减半": (0.5, "x"),
    "一半": (0.5, "x"),
}
_FIXED_RE = re.compile(
    r"\b(?:"
    + "|".join(sorted((k for k in _FIXED if k.isascii()), key=len, reverse=True))
    + r")\b|"
    + "|".join(k for k in _FIXED if not k.isascii()),
    re.IGNORECASE | re.ASCII,
)
_SIGN_BEFORE = re.compile(r"(us\$|[$€£¥])\s*$", re.IGNORECASE | re.ASCII)
_MINUS_BEFORE = re.compile(r"(?:^|[\s(（:,，:=])(?:-|−|负|minus )$", re.IGNORECASE | re.ASCII)
_MAGNITUDE = re.compile(
    r"\s?(万亿|百万|千万|十亿|万|亿|千(?![瓦克米卡])|百(?!分)|million|billion|trillion|thousand|mn\b|bn\b|k(?![a-z])|m(?=\s*(?:tokens|params))|w(?=[块元]))",
    re.IGNORECASE | re.ASCII,
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


def narrow(text: str) -> str:
    """Turn full-width digits and signs into narrow ones, one for one, so that positions stay."""
    return text.translate(_WIDE)


def read_numbers(text: str) -> list[Numeral]:
    """Return the numbers of a text from left to right, none overlapping."""
    plain = narrow(text)
    found = [*_arabic(plain), *_fixed(plain), *_words(plain), *_han(plain)]
    found.sort(key=lambda item: (item.start, -item.end))
    kept: list[Numeral] = []
    for item in found:
        if not kept or item.start >= kept[-1].end:
            kept.append(replace(item, text=text[item.start : item.end]))
    return kept


def _arabic(text: str) -> list[Numeral]:
    found: list[Numeral] = []
    for match in _ARABIC.finditer(text):
        if len(match[0]) > _LONGEST_NUMBER:
            continue
        value, end = float(match[0].replace(",", "")), match.end()
        step = _step(match[0])
        magnitude = _MAGNITUDE.match(text, end)
        if magnitude:
            factor = _MAGNITUDES[magnitude[1].lower()]
            value, step, end = value * factor, step * factor, magnitude.end()
        found.append(replace(_with_unit(text, match.start(), end, value, in_words=False), step=step))
    return found


def _step(digits: str) -> float:
    mantissa, _, exponent = digits.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def _words(text: str) -> list[Numeral]:
    found: list[Numeral] = []
    for match in _WORD.finditer(text):
        shown = match[0].rstrip(" -")
        value = _word_value(shown)
        if value is not None:
            found.append(_with_unit(text, match.start(), match.start() + len(shown), value, in_words=True))
    return found


def _word_value(phrase: str) -> float | None:
    total, group, seen = 0.0, 0.0, False
    for word in re.findall(r"[a-z]+", phrase.lower().replace("and a half", "andahalf")):
        if word == "andahalf":
            group += 0.5
        elif word in _WORDS:
            group, seen = group + _WORDS[word], True
        elif word == "hundred" and seen:
            group *= 100
        elif word in _SCALES and seen:
            total, group = total + group * _SCALES[word], 0.0
    return total + group if seen else None


def _fixed(text: str) -> list[Numeral]:
    found: list[Numeral] = []
    for match in _FIXED_RE.finditer(text):
        value, unit = _FIXED[match[0].lower()]
        if unit:
            found.append(
                Numeral(match[0], match.start(), match.end(), value, unit, value, in_words=True, step=value / 20)
            )
        else:
            found.append(_with_unit(text, match.start(), match.end(), value, in_words=True))
    return found


def _han(text: str) -> list[Numeral]:
    found: list[Numeral] = []
    for match in _HAN.finditer(text):
        word = match[0]
        if word.startswith("百分之"):
            value = _han_value(word[3:])
            if value is not None:
                found.append(
                    Numeral(
                        word,
                        match.start(),
                        match.end(),
                        value / 100,
                        "fraction",
                        value,
                        in_words=True,
                        written="%",
                        factor=0.01,
                    )
                )
            continue
        value = 0.5 if word == "半" else _han_value(word)
        if value is None:
            continue
        numeral = _with_unit(text, match.start(), match.end(), value, in_words=True)
        # "一般", "万一", "十分": a single sign counts only with a unit behind it.
        if (
            numeral.unit
            or _stands_alone(text, match.start(), match.end())
            or (len(word) > 1 and not _is_idiom(text, match.start(), match.end()))
        ):
            found.append(numeral)
    return found


def _stands_alone(text: str, start: int, end: int) -> bool:
    """ "五 * 450": a single sign between blanks or marks of arithmetic."""
    before, after = text[:start].rstrip(" ")[-1:], text[end:].lstrip(" ")[:1]
    return (
        text[start:end] not in "半十百千万亿"
        and (before in ("", "*", "=", "+", "-", "×", "/", "|"))
        and after in ("", "*", "=", "+", "-", "×", "/", "|")
    )


def _is_idiom(text: str, start: int, end: int) -> bool:
    return text[start:end] in ("万一", "千万", "一一", "三四", "百万") or text[end : end + 1] in (
        "分",
        "般",
        "切",
        "些",
    )


def _han_value(word: str) -> float | None:
    """Read 三百, 两千二 (2200), 一万五 (15000), 十五, 一百零五, 二点五, 三年半."""
    half = 0.5 if word.endswith("半") else 0.0
    word = word.removesuffix("半")
    whole, _, decimals = word.partition("点")
    total, section, digit, last_power = 0.0, 0.0, None, 1.0
    if whole and all(sign in _HAN_DIGIT for sign in whole) and len(whole) > 1:
        total = float("".join(str(_HAN_DIGIT[sign]) for sign in whole))
        whole = ""
    for sign in whole:
        if sign in _HAN_DIGIT:
            digit = _HAN_DIGIT[sign]
            last_power = 10.0 if sign in "零〇" else last_power
        elif sign in _HAN_POWER:
            section += (1 if digit is None else digit) * _HAN_POWER[sign]
            digit, last_power = None, _HAN_POWER[sign]
        else:
            section += digit or 0
            total = (
                (total + section) * _HAN_MYRIAD[sign] if sign == "亿" else total + (section or 1) * _HAN_MYRIAD[sign]
            )
            section, digit, last_power = 0.0, None, _HAN_MYRIAD[sign]
    if digit is not None:
        section += digit * (last_power / 10 if last_power > 10 else 1)
    total += section + half
    if decimals:
        total += float("0." + "".join(str(_HAN_DIGIT[sign]) for sign in decimals))
    return total


def _with_unit(text: str, start: int, end: int, raw: float, *, in_words: bool) -> Numeral:
    """Attach sign, currency and unit to a number at [start, end)."""
    if _MINUS_BEFORE.search(text[max(0, start - 8) : start]):
        raw = -raw
        start -= 1
    unit, factor, written = "", 1.0, ""
    before = _SIGN_BEFORE.search(text[max(0, start - 4) : start])
    if before:
        start -= len(before[0])
        unit = UNCLEAR_SIGN if before[1] == UNCLEAR_SIGN else CURRENCY_SIGNS[before[1].lower()]
        after = read_unit(text, end)
        if unit == UNCLEAR_SIGN and after and after[0].unit in CURRENCIES:
            unit, end = after[0].unit, after[1]
    else:
        read = read_unit(text, end)
        if read and not _is_measure_of_cards(text, read[1], read[0].unit, end):
            spelling, after = read
            unit, factor = spelling.unit, spelling.factor
            if factor != 1.0:
                written = "%" if unit == "fraction" else text[end:after].strip(" -")
            end = after
            if text[end : end + 1] == "半" and unit in ("years", "days", "h"):
                raw, end = raw + 0.5, end + 1
        elif _counts_cards(text, end):
            unit = "cards"
    unit, end = _per(text, start, end, unit)
    step = 1.0 if raw == int(raw) else 0.1
    return Numeral(text[start:end], start, end, raw * factor, unit, raw, in_words, written, step, factor)


def _is_measure_of_cards(text: str, after: int, unit: str, end: int) -> bool:
    """ "4 块 3090": 块 counts cards here, it is no money; "一度" before 3090 never occurs."""
    return unit == "CNY" and text[end:after].strip() == "块"


def _counts_cards(text: str, end: int) -> bool:
    return bool(re.match(r"\s?(?:块|路|卡|×|x\s|个\s*(?:gpu|显卡))", text[end : end + 6], re.IGNORECASE | re.ASCII))


def _per(text: str, start: int, end: int, unit: str) -> tuple[str, int]:
    for per, pattern in PER.items():
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
