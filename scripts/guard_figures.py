"""Make a figure of a right answer wrong: a digit, a factor, a unit, in full-width signs, in words."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

Answer = Mapping[str, Any]
Maker = Callable[[Answer, random.Random], Iterator[str]]


def edited(text: str, start: int, end: int, new: str) -> str:
    """Put something else in one place of a text."""
    return text[:start] + new + text[end:]


def figures(answer: Answer) -> list[Any]:
    """Numbers that are figures: no names, no words, with at least one digit."""
    return [number for number in answer["numbers"] if number["kind"] != "name" and re.search(r"\d", number["text"])]


def one_digit(answer: Answer, chance: random.Random) -> Iterator[str]:
    """One digit of each figure is another."""
    for number in figures(answer):
        places = [at for at, sign in enumerate(number["text"]) if sign.isdigit()]
        first = places[0]
        at = chance.choice(places)
        old = number["text"][at]
        least = 1 if at == first and len(places) > 1 else 0
        new = chance.choice([str(digit) for digit in range(least, 10) if str(digit) != old])
        place = number["start"] + at
        yield edited(answer["answer"], place, place + 1, new)


def tenfold(answer: Answer, chance: random.Random) -> Iterator[str]:
    """Ten times or a tenth of each figure."""
    for number in figures(answer):
        hit = re.search(r"\d[\d,]*(?:\.\d+)?", number["text"])
        if hit is None or float(hit[0].replace(",", "")) == 0 or "-" in number["text"]:
            continue
        value = float(hit[0].replace(",", ""))
        wrong = value * 10 if chance.random() < 0.6 else value / 10
        shown = f"{wrong:,.4f}".rstrip("0").rstrip(".")
        if float(shown.replace(",", "")) != 0:
            yield edited(answer["answer"], number["start"] + hit.start(), number["start"] + hit.end(), shown)


_UNITS = (
    ("tokens/s", "tokens/min"),
    (" GB/s", " GB"),
    (" GiB", " TB"),
    (" GB", " TB"),
    (" GB", " W"),
    (" W", " kW"),
    (" W", " GB"),
    (" days", " months"),
    (" day", " year"),
    (" hours", " days"),
    (" h", " days"),
    ("%", "x"),
    ("x", "%"),
    (" kg", " t"),
    (" kWh", " W"),
    ("天", "个月"),
    ("小时", "天"),
    (" 美元", " 欧元"),
    ("$", "€"),
    (" 度", " 瓦"),
    ("倍", "%"),
    (" TFLOPS", " PFLOPS"),
    (" slots", " cm"),
    (" 个槽位", " 厘米"),
    (" 千克", " 吨"),
    (" cycles", " ms"),
    (" 个周期", " 毫秒"),
    ("年", "个月"),
    (" months", " years"),
    (" 个月", " 年"),
)


def other_unit(answer: Answer, chance: random.Random) -> Iterator[str]:
    """Another unit behind each figure."""
    for number in figures(answer):
        fitting = [(old, new) for old, new in _UNITS if old in number["text"]]
        if fitting and not re.search(r"\d{4}-\d\d", number["text"]):
            old, new = fitting[0] if len(fitting) == 1 else chance.choice(fitting[:2])
            end = number["start"] + len(number["text"])
            yield edited(answer["answer"], number["start"], end, number["text"].replace(old, new, 1))


def percent(answer: Answer, chance: random.Random) -> Iterator[str]:
    """A percentage taken for its fraction, or the other way round."""
    for number in figures(answer):
        hit = re.fullmatch(r"(\d[\d.]*) ?%", number["text"])
        if hit and float(hit[1]):
            new = f"{float(hit[1]) / 100:g}%" if chance.random() < 0.5 else f"{float(hit[1]) * 100:g}%"
            yield edited(answer["answer"], number["start"], number["start"] + len(number["text"]), new)


def myriad(answer: Answer, chance: random.Random) -> Iterator[str]:
    """A thousand, 万 or 亿 too much."""
    words = ("万", "亿", "千") if answer["language"] == "zh" else (" thousand", " million", " billion")
    for number in figures(answer):
        hit = re.search(r"\d[\d,]*(?:\.\d+)?", number["text"])
        if (
            hit
            and number["unit"]
            and not re.search(r"\d{4}-\d\d|^[.\d,]+B$", number["text"])
            and float(hit[0].replace(",", ""))
        ):
            at = number["start"] + hit.end()
            yield edited(answer["answer"], at, at, chance.choice(words))


def wide(answer: Answer, chance: random.Random) -> Iterator[str]:
    """A wrong figure in full-width digits."""
    for number, wrong in zip(figures(answer), one_digit(answer, chance), strict=True):
        end = number["start"] + len(number["text"])
        shown = wrong[number["start"] : end].translate({code: code + 0xFEE0 for code in range(0x30, 0x3A)})
        yield edited(answer["answer"], number["start"], end, shown)


_ONES = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def english(value: int) -> str:
    """Spell a whole number below 10,000."""
    if value < 20:
        return _ONES[value]
    if value < 100:
        return _TENS[value // 10] + (f"-{_ONES[value % 10]}" if value % 10 else "")
    if value < 1000:
        return f"{_ONES[value // 100]} hundred" + (f" {english(value % 100)}" if value % 100 else "")
    return f"{english(value // 1000)} thousand" + (f" {english(value % 1000)}" if value % 1000 else "")


def chinese(value: int) -> str:
    """Spell a whole number below 10,000 in Chinese."""
    digits, powers, shown, gap = "零一二三四五六七八九", "千百十 ", "", False
    for power, digit in zip(powers, f"{value:04d}", strict=True):
        if digit == "0":
            gap = bool(shown)
            continue
        shown += ("零" if gap else "") + digits[int(digit)] + power.strip()
        gap = False
    return shown or "零"


def in_words(answer: Answer, chance: random.Random) -> Iterator[str]:
    """A wrong whole number written out."""
    for number in figures(answer):
        hit = re.search(r"(?<![\d.,])\d[\d,]*(?![\d.,])", number["text"])
        value = int(hit[0].replace(",", "")) if hit else 0
        if (
            hit is None
            or re.match(r"[a-z]", number["text"][hit.end() :])
            or not 1 < value < 9000
            or re.search(r"\d{4}-\d\d|\$|\dB$", number["text"])
        ):
            continue
        wrong = value + (chance.choice((1, 2, 3)) if value < 20 else chance.choice((10, 100, 7)))
        start = number["start"] + hit.start()
        spelled = chinese(wrong) if answer["language"] == "zh" else english(wrong)
        yield edited(answer["answer"], start, start + len(hit[0]), spelled)
