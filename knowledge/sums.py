"""Sums in a text that do not add up: a sign was lost on the way, or a figure is wrong."""

from __future__ import annotations

import itertools
import math
import re

# A text rounds: 1555/900 = 1.73.
TOLERANCE = 0.01
MOST_TERMS = 8

_NUMBER = r"[\d.,]*\d"
_NOTE = re.compile(r"[（(][^（）()]*[）)]")
_EQUATION = re.compile(r"([^=＝。；;!?！？\n]*[^=＝。；;!?！？\n\s])\s*[=＝]\s*[$¥€£约≈~]*\s*(" + _NUMBER + r")")
_TERM = re.compile(rf"^\D*?({_NUMBER})[^\d+*/×]*$")
_OPERATOR = re.compile(r"\s*([+＋]|(?<=[\s\w)）])\s[-−–]\s)\s*")


def doubtful_sum(text: str) -> str:
    """Return why a sum in the text is doubtful, "" when every sum adds up.

    Args:
        text: A passage, e.g. "200 + 834 + 84 = 504".

    Returns:
        "200 + 834 + 84 is 1118, the text says 504; 200 + 8*34 + 8*4 would be 504".

    Notes:
        Only plain sums and differences are judged: units may differ across a product.
    """
    if "=" not in text and "＝" not in text:  # the pattern is slow where it cannot match
        return ""
    for match in _EQUATION.finditer(text):
        reason = _judge(_NOTE.sub("", match[1]), match[2])
        if reason:
            return reason
    return ""


def _judge(left: str, right: str) -> str:
    left = re.split(r"[:：,，](?!\d)", left)[-1]
    pieces = _OPERATOR.split(left)
    signs = [1, *(1 if sign.strip() in "+＋" else -1 for sign in pieces[1::2])]
    terms = [_TERM.match(piece.strip()) for piece in pieces[::2]]
    if not 2 <= len(terms) <= MOST_TERMS or not all(terms):
        return ""
    numbers = [term[1] for term in terms if term]
    total = sum(sign * _value(number) for sign, number in zip(signs, numbers, strict=True))
    stated = _value(right)
    if math.isclose(total, stated, rel_tol=TOLERANCE, abs_tol=1e-9):
        return ""
    shown = _shown(signs, numbers)
    reason = f"{shown} is {total:g}, the text says {stated:g}"
    repaired = _repaired(signs, numbers, stated)
    return f"{reason}; {repaired} would be {stated:g}" if repaired else reason


def _repaired(signs: list[int], numbers: list[str], stated: float) -> str:
    """Put one lost multiplication sign into some of the numbers so that the sum holds."""
    choices = [[number, *_split(number)] for number in numbers]
    for chosen in itertools.product(*choices):
        value = sum(sign * math.prod(map(_value, term.split("*"))) for sign, term in zip(signs, chosen, strict=True))
        if math.isclose(value, stated, rel_tol=TOLERANCE):
            return _shown(signs, list(chosen))
    return ""


def _split(number: str) -> list[str]:
    if not number.isdigit() or len(number) > 5:
        return []
    return [f"{number[:place]}*{number[place:]}" for place in range(1, len(number)) if number[place] != "0"]


def _shown(signs: list[int], terms: list[str]) -> str:
    rest = "".join(f" {'+' if sign > 0 else '-'} {term}" for sign, term in zip(signs[1:], terms[1:], strict=True))
    return terms[0] + rest


def _value(number: str) -> float:
    return float(number.replace(",", "").strip(".") or "nan")
