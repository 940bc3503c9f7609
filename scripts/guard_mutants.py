"""Turn a right answer into wrong ones: one change each, of the kinds that a model makes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.figures import show
from assistant.grounding.facts import numbers_of
from assistant.grounding.layout import Layout
from assistant.names import cards_in
from scripts.guard_figures import (
    Answer,
    Maker,
    chinese,
    edited,
    figures,
    in_words,
    myriad,
    one_digit,
    other_unit,
    percent,
    tenfold,
    wide,
)
from tools.api import gpus


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong answer and how it was made."""

    kind: str
    text: str


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
            yield edited(text, mention.start, mention.end, other)


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
    return cell.head.start if cell else -1


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
            yield edited(answer["answer"], start, start + len(old), new)


def _in_quote(answer: Answer, start: int) -> bool:
    line = answer["answer"][answer["answer"].rfind("\n", 0, start) + 1 : start]
    sentence = re.split(r"(?<=[.!。！？?])", answer["answer"][start:])[0]
    return line.startswith(">") or sentence.endswith(("?", "？"))


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
    "one digit": one_digit,
    "ten times": tenfold,
    "unit": other_unit,
    "other card": _card,
    "figures of two cards swapped": _swapped,
    "direction": _direction,
    "percent and fraction": percent,
    "thousand, 万, 亿": myriad,
    "full-width": wide,
    "in words": in_words,
    "invented sentence": _invented,
}


def stale(answer: Answer, others: Sequence[Answer], chance: random.Random) -> Iterator[str]:
    """The figure that the same field had for other arguments, if it is nowhere in these results."""
    results = {call["id"]: call["result"] for call in answer["calls"] if "result" in call}
    for number in figures(answer):
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
                yield edited(answer["answer"], number["start"], number["start"] + len(number["text"]), shown)
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
