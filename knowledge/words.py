"""A text as the tokens that word search compares: words, figures, terms of the field, pairs of Chinese characters."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

LEXICON = Path(__file__).parent / "data" / "lexicon.txt"

# Words that ask rather than tell; they would look rare, as articles seldom ask.
_ENGLISH_ASKING = """
    a an and any are as at be best by can could did do does for from get give go good has have how i if in into is it
    its just like long many me more most much my need of on one or our per really s should so some t than that the their
    them then there these they this those to too up us use using was we were what when where which who why will with
    without would you your say says said state states guide article according card cards"""
_CHINESE_ASKING = """
    什么 怎么 多少 多大 多快 如何 哪些 哪个 哪种 是否 需要 可以 应该 能否 有没 没有 为什 么样 怎样 一下 一个 这个
    那个 这篇 那篇 文章 指南 里的 吗我 我的 我要 我想 请问 一般 比较 还是 以及 或者"""
_ASKING = frozenset(_ENGLISH_ASKING.split() + _CHINESE_ASKING.split())
_FIGURE = re.compile(r"\d{2,}(?:\.\d+)?")
_NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1)
}
_CHINESE_NUMBER = re.compile(r"([一二两三四五六七八九])(?=[张块个卡台路槽位年天])")
_CHINESE_DIGITS = {sign: str(value) for value, sign in enumerate("一二三四五六七八九", 1)} | {"两": "2"}
_TOKEN = re.compile(r"\x01\d+\x02|\d+(?:[.,]\d+)*|[a-z]+(?:[+#]+)?|[\u3400-\u9fff]+")
_LONGEST_FORM = 4


def tokens(text: str) -> list[str]:
    """Cut a text into words, numbers, terms and overlapping pairs of Chinese characters.

    Args:
        text: Chinese, English or both; "four", "四张" and "4" become the same token, and so do all forms
            of a line of the lexicon.

    Returns:
        Lower-case tokens without words that only ask; a term is "=" and the number of its line.
    """
    plain = unicodedata.normalize("NFKC", text).lower()
    chinese, forms = _chinese_forms()
    plain = chinese.sub(lambda match: f" \x01{forms[match[0]]}\x02 ", plain)
    plain = _CHINESE_NUMBER.sub(lambda match: f" {_CHINESE_DIGITS[match[1]]} ", plain)
    found: list[str] = []
    for run in _TOKEN.findall(plain):
        if run[0] == "\x01":
            found.append(f"={run[1:-1]}")
        elif "\u3400" <= run[0] <= "\u9fff":
            found += [run] if len(run) == 1 else [run[place : place + 2] for place in range(len(run) - 1)]
        else:
            found.append(_latin(run))
    return [token for token in _with_terms(found) if token not in _ASKING]


def is_figure(token: str) -> bool:
    """Whether a token is a number of two digits or more."""
    return bool(_FIGURE.fullmatch(token))


def is_foreign_to(token: str, language: str) -> bool:
    """Whether a passage in `language` hardly can hold the token: a word of the other language, untranslated."""
    if token[0] == "=" or token[0].isdigit():
        return False
    return token.isascii() == (language == "zh")


def _latin(run: str) -> str:
    return _NUMBER_WORDS.get(run, _stem(run))


def _stem(word: str) -> str:
    """Take the commonest English endings off, so that "cooling" finds "cool" and "cards" finds "card"."""
    if word[0].isdigit():
        return word.replace(",", "")
    for ending, least in (("ings", 8), ("ing", 7), ("ies", 6), ("es", 6), ("ed", 6), ("s", 4), ("e", 5)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            return word[: -len(ending)]
    return word


def _with_terms(found: list[str]) -> list[str]:
    """Replace runs of English tokens that the lexicon lists, the longest first."""
    forms = _english_forms()
    result: list[str] = []
    place = 0
    while place < len(found):
        size = next((size for size in range(_LONGEST_FORM, 0, -1) if tuple(found[place : place + size]) in forms), 0)
        result.append(f"={forms[tuple(found[place : place + size])]}" if size else found[place])
        place += size or 1
    return result


@cache
def field_terms() -> frozenset[str]:
    """Return the tokens of the terms that belong to the field, those before "# everyday" in the lexicon."""
    field = LEXICON.read_text(encoding="utf-8").split("\n# everyday")[0]
    return frozenset(f"={number}" for number in range(len(_read_lines(field))))


@cache
def _lines() -> tuple[tuple[str, ...], ...]:
    return _read_lines(LEXICON.read_text(encoding="utf-8"))


def _read_lines(text: str) -> tuple[tuple[str, ...], ...]:
    lines = (line for line in text.splitlines() if line.strip() and line[0] != "#")
    return tuple(tuple(form.strip() for form in line.split("|")) for line in lines)


@cache
def _chinese_forms() -> tuple[re.Pattern[str], dict[str, int]]:
    forms = {form: number for number, line in enumerate(_lines()) for form in line if not form.isascii()}
    ordered = sorted(forms, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ordered))), forms


@cache
def _english_forms() -> dict[tuple[str, ...], int]:
    found: dict[tuple[str, ...], int] = {}
    for number, line in enumerate(_lines()):
        for form in line:
            parts = tuple(_latin(run) for run in _TOKEN.findall(form)) if form.isascii() else ()
            if parts and not (len(parts) == 1 and parts[0] in _ASKING):
                found.setdefault(parts, number)
    return found
