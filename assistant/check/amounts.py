"""Sums that do not add up, and figures that a text gives twice with two values."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Sequence

from assistant.check.finding import Finding, finding, sentence_at
from assistant.numerals import read_numbers
from knowledge.articles import Passage
from knowledge.sums import doubtful_sum

# A text rounds; a larger difference is a wrong figure.
TOLERANCE = 0.015
# Powers of ten between units of one kind (W and kW, percent and share): no wrong figure.
_SCALES = (1.0, 1e3, 1e-3, 1e6, 1e-6, 1e2, 1e-2)

_NOTE = re.compile(r"[（(]\s*[^\d（()）]*\s*[）)]")
_EQUATION = re.compile(
    r"([\d$¥€(（][^=＝。；;!?！？\n]*?[*×/÷+−-][^=＝。；;!?！？\n]*?)\s*[=＝]\s*[$¥€约≈~]*\s*"
    r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
)
_SIGNS = {"×": "*", "÷": "/", "−": "-", "–": "-", "（": "(", "）": ")", "＋": "+"}
_LOST = re.compile(r"(?<![\d.,*×])([2-9])(\d{1,2})(?![\d.,%])")
_HAN = {"两": 2.0, "二": 2.0, "三": 3.0, "四": 4.0, "八": 8.0}
_LABELLED = re.compile(r"(?P<value>\d+)\s*(?P<unit>个?周期|cycles?)\s*[（(]\s*(?P<label>[^）)\d]{2,24})[）)]")
_LISTED = re.compile(
    r"(?P<label>[^：:。，,；;\d]{2,24})(?:[（(][^）)]*[）)])?\s*[：:]\s*约?\s*(?P<value>\d+)\s*"
    r"(?P<unit>个?周期|cycles?)"
)


def sums(passages: Sequence[Passage]) -> list[Finding]:
    """Find sums and products that do not come out, and numbers that lost a multiplication sign like theirs."""
    found: list[Finding] = []
    lost = False
    for passage in passages:
        reason = doubtful_sum(passage.text)
        if reason:
            lost = lost or "would be" in reason
            found += _broken(passage, reason)
        found += _products(passage)
    return found + [item for passage in passages if lost for item in _signs_lost(passage)]


def _broken(passage: Passage, reason: str) -> Iterator[Finding]:
    """Name the terms of a sum that need a sign; the whole sum where no sign repairs it."""
    written = reason.split(" is ")[0]
    repaired = (
        reason.partition("; ")[2].removesuffix(reason[reason.rfind(" would be") :]) if "would be" in reason else ""
    )
    pairs = list(zip(re.split(r" [+-] ", written), re.split(r" [+-] ", repaired), strict=False))
    bad = [(term, right) for term, right in pairs if term != right] if repaired else []
    for term, right in bad or [(written, "")]:
        start = max(passage.text.find(term), 0)
        likely = f"likely {right}, a lost multiplication sign: " if right else ""
        probably = f"很可能是 {right}，丢了乘号：" if right else ""
        yield finding(
            passage, start, term, f"calculate: {likely}{reason}.", f"calculate：{probably}{_in_chinese(reason)}。"
        )


def _in_chinese(reason: str) -> str:
    """Say the reason of `doubtful_sum` in Chinese."""
    return (
        reason.replace(" is ", " 等于 ", 1)
        .replace(", the text says ", "，原文写的是 ")
        .replace("; ", "；")
        .replace(" would be ", " 才等于 ")
    )


def _products(passage: Passage) -> Iterator[Finding]:
    for match in _EQUATION.finditer(passage.text):
        value = _value(match[1])
        stated = float(match[2].replace(",", ""))
        if value is None or doubtful_sum(match[0]) or "*" not in _plain(match[1]) + _plain(match[1]).replace("/", "*"):
            continue
        step = 10.0 ** -len(match[2].partition(".")[2])
        if not any(math.isclose(value * scale, stated, rel_tol=TOLERANCE, abs_tol=step) for scale in _SCALES):
            terms = _plain(match[1])
            yield finding(
                passage,
                match.start(2),
                match[2],
                f"calculate: {terms} is {value:.6g}.",
                f"calculate：{terms} 等于 {value:.6g}。",
            )


def _plain(text: str) -> str:
    text = "".join(_SIGNS.get(sign, sign) for sign in text)
    text = re.sub(r"(\d),(?=\d{3})", r"\1", _NOTE.sub("", text))
    return re.sub(r"\s+", " ", re.sub(r"[^\d.+*/()\- ]", " ", text)).strip()


def _value(text: str) -> float | None:
    try:
        return _evaluated(ast.parse(_plain(text), mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError, MemoryError, RecursionError):
        return None


def _evaluated(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return float(node.value)
    if isinstance(node, ast.BinOp):
        left, right = _evaluated(node.left), _evaluated(node.right)
        match node.op:
            case ast.Add():
                return left + right
            case ast.Sub():
                return left - right
            case ast.Mult():
                return left * right
            case ast.Div():
                return left / right
            case _:
                pass
    raise ValueError("no plain arithmetic")


def _signs_lost(passage: Passage) -> Iterator[Finding]:
    """In a text that lost such signs, "232" beside a "2" and a "32" of the same sentence is 2*32."""
    for match in _LOST.finditer(passage.text):
        if doubtful_sum(sentence_at(passage.text, match.start())):
            continue
        sentence = sentence_at(passage.text, match.start())
        beside = {number.raw for number in read_numbers(sentence)} | {
            _HAN[sign] for sign in _HAN if f"{sign}个" in sentence
        }
        if {float(match[1]), float(match[2])} <= beside and int(match[2]) > 9:
            product = int(match[1]) * int(match[2])
            yield finding(
                passage,
                match.start(),
                match[0],
                f"calculate: likely {match[1]}*{match[2]} = {product}; this text lost multiplication signs "
                f"elsewhere, and both {match[1]} and {match[2]} stand in the sentence.",
                f"calculate：很可能是 {match[1]}*{match[2]} = {product}；本文别处也丢了乘号，"
                f"而 {match[1]} 和 {match[2]} 都在这句话里。",
            )


def uneven_labels(passages: Sequence[Passage]) -> list[Finding]:
    """Find a labelled figure of a sum that the text's own list gives another value."""
    listed = [
        (match["label"].strip(), int(match["value"]), match["unit"])
        for passage in passages
        for match in _LISTED.finditer(passage.text)
    ]
    found: list[Finding] = []
    for passage in passages:
        for match in _LABELLED.finditer(passage.text):
            label, value = match["label"].strip(), int(match["value"])
            others = {other for name, other, _ in listed if label in name}
            if others and value not in others and not doubtful_sum(sentence_at(passage.text, match.start())):
                table = ", ".join(map(str, sorted(others)))
                found.append(
                    finding(
                        passage,
                        match.start(),
                        match["value"],
                        f"The text's own list gives {table} for {label}; matmul_cycles follows the example.",
                        f"原文自己的列表里“{label}”是 {table}；matmul_cycles 按例子计算。",
                    )
                )
    return found
