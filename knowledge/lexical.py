"""Word search: BM25 over words, numbers and pairs of Chinese characters.

The BM25 packages want ready tokens and none reads Chinese, so a tokenizer of our own would remain
either way; the formula itself takes ten lines.

References:
    S. Robertson, H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from knowledge.embedding import Vectors

# Saturation and length normalisation as Robertson and Zaragoza recommend for short texts.
K1 = 1.2
B = 0.5
# A heading names every card of its section, the paragraph the one it is about.
HEADING_WEIGHT = 0.4
# "4090" or "504" tells more than a word that is as rare.
FIGURE_WEIGHT = 1.3

# Words that ask rather than tell; they would look rare, as articles seldom ask.
_ENGLISH_ASKING = """
    a an and any are as at be best by can could did do does for from get give go good has have how i if in into is it
    its just like long many me more most much my need of on one or our per really s should so some t than that the their
    them then there these they this those to too up us use using was we were what when where which who why will with
    without would you your say says said state states guide article according gpu gpus card cards"""
_CHINESE_ASKING = """
    显卡 什么 怎么 多少 多大 多快 如何 哪些 哪个 哪种 是否 需要 可以 应该 能否 有没 没有 为什 么样 怎样 一下 一个 这个
    那个 这篇 那篇 文章 指南 里的 吗我 我的 我要 我想 请问 一般 比较 还是 以及 或者"""
_ASKING = frozenset(_ENGLISH_ASKING.split() + _CHINESE_ASKING.split())
_FIGURE = re.compile(r"\d{2,}(?:\.\d+)?")
_NUMBER_WORDS = {word: str(value) for value, word in enumerate(
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1)}
_CHINESE_NUMBER = re.compile(r"([一二两三四五六七八九])(?=[张块个卡台路槽位年天])")
_CHINESE_DIGITS = {sign: str(value) for value, sign in enumerate("一二三四五六七八九", 1)} | {"两": "2"}
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[a-z]+(?:[+#]+)?|[\u3400-\u9fff]+")


def tokens(text: str) -> list[str]:
    """Cut a text into words, numbers and overlapping pairs of Chinese characters.

    Args:
        text: Chinese, English or both; "four", "四张" and "4" become the same token.

    Returns:
        Lower-case tokens without words that only ask.
    """
    plain = unicodedata.normalize("NFKC", text).lower()
    plain = _CHINESE_NUMBER.sub(lambda match: f" {_CHINESE_DIGITS[match[1]]} ", plain)
    found: list[str] = []
    for run in _TOKEN.findall(plain):
        if "\u3400" <= run[0] <= "\u9fff":
            found += [run] if len(run) == 1 else [run[place:place + 2] for place in range(len(run) - 1)]
        else:
            found.append(_NUMBER_WORDS.get(run, _stem(run)))
    return [token for token in found if token not in _ASKING]


def _stem(word: str) -> str:
    """Take the commonest English endings off, so that "cooling" finds "cool" and "cards" finds "card"."""
    if word[0].isdigit():
        return word.replace(",", "")
    for ending, least in (("ings", 8), ("ing", 7), ("ies", 6), ("es", 6), ("ed", 6), ("s", 4), ("e", 5)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            return word[:-len(ending)]
    return word


class WordIndex:
    """BM25 over a few hundred short texts with headings."""

    def __init__(self, texts: Sequence[str], headings: Sequence[str]) -> None:
        counts = [_weighed(text, heading) for text, heading in zip(texts, headings, strict=True)]
        lengths = np.array([sum(count.values()) for count in counts], dtype=np.float32)
        norm = K1 * (1 - B + B * lengths / max(float(lengths.mean()), 1.0)) if counts else lengths
        rows: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for place, count in enumerate(counts):
            for token, times in count.items():
                rows[token].append((place, times))
        self._size = len(counts)
        self._weights = {token: self._weight(token, len(entries)) for token, entries in rows.items()}
        self._rows: dict[str, tuple[NDArray[np.intp], Vectors]] = {}
        for token, entries in rows.items():
            places = np.array([place for place, _ in entries], dtype=np.intp)
            times = np.array([times for _, times in entries], dtype=np.float32)
            self._rows[token] = (places, (times / (times + norm[places])).astype(np.float32))

    def coverage(self, query: str) -> Vectors:
        """Return for each text how much of the query's information it holds, 0 to 1.

        Notes:
            BM25 divided by its highest possible value for this query, words that no text holds included,
            so that queries of any length compare.
        """
        scores = np.zeros(self._size, dtype=np.float32)
        wanted = dict.fromkeys(tokens(query))
        total = sum(self._weights.get(token, self._weight(token, 0)) for token in wanted)
        for token in wanted:
            if token in self._rows:
                places, shares = self._rows[token]
                scores[places] += np.float32(self._weights[token] / total) * shares
        return scores

    def _weight(self, token: str, holding: int) -> float:
        rarity = math.log(1 + (self._size - holding + 0.5) / (holding + 0.5))
        return rarity * (FIGURE_WEIGHT if _FIGURE.fullmatch(token) else 1.0)


def _weighed(text: str, heading: str) -> dict[str, float]:
    counts: dict[str, float] = defaultdict(float)
    for token in tokens(text):
        counts[token] += 1
    for token in tokens(heading):
        counts[token] += HEADING_WEIGHT
    return counts
