"""Numbers in words, English and Chinese: which words they are and what they are worth."""

from __future__ import annotations

import re

from assistant.letters import by_first_sign

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
HAN = re.compile(
    r"百分之[零〇一二两三四五六七八九十百点]+|半(?=张|年|天|小时|个|价|数)|"
    r"[零〇一二两兩三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+)?半?"
)
# What a single sign that is a figure may stand beside, and what may follow the outcome of a computation.
_BESIDE_ALONE = ("", "\n", "*", "=", "+", "-", "×", "/", "|")
_BEHIND_OUTCOME = ("。", "，", "；", ".", ",", ";", ")", "）")
# A look whether there is any such sign costs less than the search.
ANY_HAN = re.compile(r"[零〇一二两兩三四五六七八九十百千万亿半]")
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
# Over small letters.
WORD = re.compile(r"\b(?:" + by_first_sign([*_WORDS, *_SCALES, "and a half"]) + r"(?:[\s-]+(?:and\s+)?|\b))+", re.ASCII)
FIXED = {
    "half a dozen": (6, ""),
    "half a": (0.5, ""),
    "half an": (0.5, ""),
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
# Over small letters.
FIXED_WORDS = re.compile(
    r"\b"
    + by_first_sign(sorted((k for k in FIXED if k.isascii()), key=len, reverse=True))
    + r"\b|"
    + "|".join(k for k in FIXED if not k.isascii()),
    re.ASCII,
)


def word_value(phrase: str) -> float | None:
    """Read "two thousand five hundred", "three and a half"; None where only a scale stands."""
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


def stands_alone(text: str, start: int, end: int) -> bool:
    """ "五 * 450", "3 - 8 = -五。": a single sign between marks of arithmetic, the ends of a line or a cell."""
    left, right = text[max(0, start - 8) : start].rstrip(" "), text[end : end + 8].lstrip(" ")
    alone = left[-1:] in _BESIDE_ALONE and right[:1] in _BESIDE_ALONE
    # "从 九 提到 64": whoever sets a sign off from the text writes a figure; "第 二" counts nothing.
    is_set_off = (text[start - 1 : start], text[end : end + 1]) == (" ", " ") and not left.endswith("第")
    is_outcome = left.rstrip(" -").endswith("=") and right[:1] in _BEHIND_OUTCOME
    return end - start == 1 and text[start] not in "半十百千万亿" and (alone or is_set_off or is_outcome)


def is_idiom(text: str, start: int, end: int) -> bool:
    """Whether signs of numbers stand for something else: 万一, 十分, 一些."""
    return text[start:end] in ("万一", "千万", "一一", "三四", "百万") or text[end : end + 1] in (
        "分",
        "般",
        "切",
        "些",
    )


def han_value(word: str) -> float:
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
