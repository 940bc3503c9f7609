"""Turn a right answer into wrong ones: one change each, of the kinds that a model makes."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.figures import show
from assistant.grounding.facts import numbers_of
from assistant.grounding.layout import Layout
from assistant.names import cards_in
from tools.api import gpus

Answer = Mapping[str, Any]
Maker = Callable[[Answer, random.Random], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong answer and how it was made."""

    kind: str
    text: str


def _edited(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def _figures(answer: Answer) -> list[Any]:
    """Numbers that are figures: no names, no words, with at least one digit."""
    return [number for number in answer["numbers"] if number["kind"] != "name" and re.search(r"\d", number["text"])]


def _digit(answer: Answer, chance: random.Random) -> Iterator[str]:
    for number in _figures(answer):
        places = [at for at, sign in enumerate(number["text"]) if sign.isdigit()]
        first = places[0]
        at = chance.choice(places)
        old = number["text"][at]
        least = 1 if at == first and len(places) > 1 else 0
        new = chance.choice([str(digit) for digit in range(least, 10) if str(digit) != old])
        place = number["start"] + at
        yield _edited(answer["answer"], place, place + 1, new)


def _tenfold(answer: Answer, chance: random.Random) -> Iterator[str]:
    for number in _figures(answer):
        hit = re.search(r"\d[\d,]*(?:\.\d+)?", number["text"])
        if hit is None or float(hit[0].replace(",", "")) == 0 or "-" in number["text"]:
            continue
        value = float(hit[0].replace(",", ""))
        wrong = value * 10 if chance.random() < 0.6 else value / 10
        shown = f"{wrong:,.4f}".rstrip("0").rstrip(".")
        if float(shown.replace(",", "")) != 0:
            yield _edited(answer["answer"], number["start"] + hit.start(), number["start"] + hit.end(), shown)


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


def _unit(answer: Answer, chance: random.Random) -> Iterator[str]:
    for number in _figures(answer):
        fitting = [(old, new) for old, new in _UNITS if old in number["text"]]
        if fitting and not re.search(r"\d{4}-\d\d", number["text"]):
            old, new = fitting[0] if len(fitting) == 1 else chance.choice(fitting[:2])
            end = number["start"] + len(number["text"])
            yield _edited(answer["answer"], number["start"], end, number["text"].replace(old, new, 1))


def _card(answer: Answer, chance: random.Random) -> Iterator[str]:
    """Another card where the sentence holds a figure or speaks of this card only."""
    text = answer["answer"]
    layout = Layout(text)
    names = [gpu.name for gpu in gpus()]
    for mention in cards_in(text):
        span = layout.sentence(mention.start)
        sentence = text[span.start : span.end]
        if (
            mention.name is None
            or sentence.rstrip().endswith(("?", "？"))
            or not _has_figure(answer, span.start, span.end)
        ):
            continue
        own = {mention.name, *mention.others}
        here = {card.name for card in cards_in(text) if card.name} - own
        other = (
            chance.choice(sorted(here))
            if here and chance.random() < 0.5
            else chance.choice([name for name in names if name not in own])
        )
        line = layout.line(mention.start)
        if text[line.start : line.end].replace(mention.text, other) not in text:  # a card with the same figures
            yield _edited(text, mention.start, mention.end, other)


def _has_figure(answer: Answer, start: int, end: int) -> bool:
    return any(start <= number["start"] < end and number["kind"] == "tool" for number in answer["numbers"])


def _swapped(answer: Answer, chance: random.Random) -> Iterator[str]:
    """Exchange the figures of two cards: the same column of two rows, or two figures of one unit in a sentence."""
    text = answer["answer"]
    layout = Layout(text)
    figures = [number for number in answer["numbers"] if number["kind"] == "tool" and number["unit"]]
    pairs: list[tuple[Any, Any]] = []
    for at, one in enumerate(figures):
        for other in figures[at + 1 :]:
            first, second = _subject(layout, one), _subject(layout, other)
            if (
                one["unit"] == other["unit"]
                and one["text"] != other["text"]
                and first
                and second
                and not first & second
                and _column(layout, one) == _column(layout, other)
            ):
                pairs.append((one, other))
    for one, other in chance.sample(pairs, min(3, len(pairs))):
        middle = text[one["start"] + len(one["text"]) : other["start"]]
        yield text[: one["start"]] + other["text"] + middle + one["text"] + text[other["start"] + len(other["text"]) :]


def _subject(layout: Layout, number: Any) -> frozenset[str]:
    subject = layout.subject(number["start"], number["start"] + len(number["text"]))
    return subject.cards if subject.sure else frozenset()


def _column(layout: Layout, number: Any) -> int:
    cell = layout.cell(number["start"])
    return cell[2].start if cell else -1


_OPPOSITE = (
    ("cheaper", "dearer"),
    ("more expensive", "cheaper"),
    ("faster", "slower"),
    ("slower", "faster"),
    ("Below", "Above"),
    ("below", "above"),
    ("After", "Before"),
    ("Yes:", "No:"),
    ("No:", "Yes:"),
    ("It does not fit", "It fits"),
    ("saves", "costs extra"),
    ("loses", "gains"),
    ("more than the", "less than the"),
    ("Buy ", "Rent "),
    ("Rent ", "Buy "),
    ("The smallest that hold", "The largest that hold"),
    ("fewer cycles", "more cycles"),
    ("most speed for the money", "least speed for the money"),
    ("more throughput", "less throughput"),
    ("No single card of the catalogue holds it", "Every card of the catalogue holds it"),
    ("便宜", "贵"),
    ("更慢", "更快"),
    ("更快", "更慢"),
    ("大约慢", "大约快"),
    ("放得下", "放不下"),
    ("放不下", "放得下"),
    ("够用：", "不够："),
    ("不够：", "够用："),
    ("不够稳", "足够稳"),
    ("低于", "高于"),
    ("少于", "多于"),
    ("超过了", "没超过"),
    ("插不下：", "插得下："),
    ("性价比最高", "性价比最低"),
    ("约快", "约慢"),
    ("从小到大", "从大到小"),
    ("买 ", "租 "),
    ("建议租", "建议买"),
)


def _direction(answer: Answer, chance: random.Random) -> Iterator[str]:
    for old, new in _OPPOSITE:
        start = answer["answer"].find(old)
        if start >= 0 and not answer["answer"][max(0, start - 1) : start].isalpha() and not _in_quote(answer, start):
            yield _edited(answer["answer"], start, start + len(old), new)


def _in_quote(answer: Answer, start: int) -> bool:
    line = answer["answer"][answer["answer"].rfind("\n", 0, start) + 1 : start]
    sentence = re.split(r"(?<=[.!。！？?])", answer["answer"][start:])[0]
    return line.startswith(">") or sentence.endswith(("?", "？"))


def _percent(answer: Answer, chance: random.Random) -> Iterator[str]:
    for number in _figures(answer):
        hit = re.fullmatch(r"(\d[\d.]*) ?%", number["text"])
        if hit and float(hit[1]):
            new = f"{float(hit[1]) / 100:g}%" if chance.random() < 0.5 else f"{float(hit[1]) * 100:g}%"
            yield _edited(answer["answer"], number["start"], number["start"] + len(number["text"]), new)


def _myriad(answer: Answer, chance: random.Random) -> Iterator[str]:
    words = ("万", "亿", "千") if answer["language"] == "zh" else (" thousand", " million", " billion")
    for number in _figures(answer):
        hit = re.search(r"\d[\d,]*(?:\.\d+)?", number["text"])
        if (
            hit
            and number["unit"]
            and not re.search(r"\d{4}-\d\d|^[.\d,]+B$", number["text"])
            and float(hit[0].replace(",", ""))
        ):
            at = number["start"] + hit.end()
            yield _edited(answer["answer"], at, at, chance.choice(words))


def _wide(answer: Answer, chance: random.Random) -> Iterator[str]:
    """A wrong figure in full-width digits."""
    for number, wrong in zip(_figures(answer), _digit(answer, chance), strict=True):
        end = number["start"] + len(number["text"])
        shown = wrong[number["start"] : end].translate({code: code + 0xFEE0 for code in range(0x30, 0x3A)})
        yield _edited(answer["answer"], number["start"], end, shown)


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


def _words(answer: Answer, chance: random.Random) -> Iterator[str]:
    """A wrong whole number written out."""
    for number in _figures(answer):
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
        yield _edited(answer["answer"], start, start + len(hit[0]), spelled)


def _invented(answer: Answer, chance: random.Random) -> Iterator[str]:
    value = chance.randint(13, 97)
    en = (
        f"It also saves {value}% of the time.",
        f"Expect about {value}.7 GB more for the desktop.",
        f"The card draws {value * 10 + 3} W at idle.",
        f"That is {value / 10:.1f} times as fast as before.",
        f"The RTX 60{value} would need ${value * 31 + 7}.",
        f"In {value} months it pays off twice.",
    )
    zh = (
        f"另外还能省 {value}% 的时间。",
        f"桌面还要再占 {value}.7 GB 显存。",
        f"待机功耗是 {value * 10 + 3} 瓦。",
        f"比原来快 {value / 10:.1f} 倍。",
        f"RTX 60{value} 要 {value * 31 + 7} 美元。",
        f"{chinese(value)}个月就能翻倍回本。",
    )
    for extra in chance.sample(zh if answer["language"] == "zh" else en, 2):
        yield f"{answer['answer']}\n\n{extra}"


MAKERS: dict[str, Maker] = {
    "one digit": _digit,
    "ten times": _tenfold,
    "unit": _unit,
    "other card": _card,
    "figures of two cards swapped": _swapped,
    "direction": _direction,
    "percent and fraction": _percent,
    "thousand, 万, 亿": _myriad,
    "full-width": _wide,
    "in words": _words,
    "invented sentence": _invented,
}


def stale(answer: Answer, others: Sequence[Answer], chance: random.Random) -> Iterator[str]:
    """The figure that the same field had for other arguments, if it is nowhere in these results."""
    results = {call["id"]: call["result"] for call in answer["calls"] if "result" in call}
    for number in _figures(answer):
        ref, _, field = str(number["ref"]).partition(".")
        if (
            number["kind"] != "tool"
            or not field
            or "." in field
            or not isinstance(results.get(ref, {}).get(field), (int, float))
        ):
            continue
        for other in chance.sample(others, min(12, len(others))):
            value = next(
                (
                    call["result"][field]
                    for call in other["calls"]
                    if isinstance(call.get("result", {}).get(field), (int, float))
                ),
                None,
            )
            unit = "fraction" if number["unit"] == "%" else number["unit"]
            shown = show(float(value), unit, answer["language"]) if value else number["text"]
            if shown != number["text"] and shown not in answer["answer"] and not _known(shown, answer):
                yield _edited(answer["answer"], number["start"], number["start"] + len(number["text"]), shown)
                break


def _known(shown: str, answer: Answer) -> bool:
    """Whether a figure stands somewhere in the results after all, so that it would be no stale one."""
    values = [number.value for number in numbers_of(shown)]
    held = str(answer["calls"])
    return any(f"{value:g}" in held for value in values)


def mutants(answer: Answer, others: Sequence[Answer], seed: str) -> Iterator[Mutant]:
    """Yield every mutant of an answer."""
    for kind, maker in MAKERS.items():
        for text in maker(answer, random.Random(f"{seed} {kind}")):
            if text != answer["answer"]:
                yield Mutant(kind, text)
    for text in stale(answer, others, random.Random(f"{seed} stale")):
        yield Mutant("stale", text)
