"""Choose the passage that answers, among those that are about the question.

Search ranks by meaning and words. Here the question's own terms decide between near neighbours: the cards it names, the
kind of figure it asks for, how many things it wants listed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from assistant.builtin.reading import Reading
from assistant.names import cards_in
from assistant.numerals import read_numbers
from knowledge.glossary import ID as GLOSSARY
from tools.api import Json

# What a question asks for -> units in which an answer states it.
_ASKED: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE | re.ASCII), units)
    for pattern, units in (
        (r"flops|throughput|compute rate|算力|吞吐", ("TFLOPS", "TOPS")),
        (r"percent|share of|what share|slower|utili[sz]ation|百分|比例|利用率|慢多少|占多少", ("fraction",)),
        (r"degrees|temperature|°c|多少度|温度|降.{0,4}度", ("°C",)),
        (r"how many years|how long|多少年|几年|多久", ("years", "months", "days")),
        (r"dollars?|\bcosts?\b|price|多少钱|价格|费用", ("USD", "USD/h", "USD/kWh", "USD/year")),
        (r"how much memory|memory size|vram|显存", ("GB",)),
        (r"bandwidth|带宽", ("GB/s",)),
        (r"cycles|latenc|周期|延迟", ("cycles",)),
        (r"how (?:much|many times) (?:faster|slower)|times (?:faster|as)|speed-?ups?|加速|多少倍|几倍|快多少", ("x",)),
        (r"\bwatts?\b|power draw|多少瓦|功耗", ("W",)),
    )
)
# Words with capitals or digits inside are the field's terms in both languages.
_TERM = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Z]{2,}[A-Za-z0-9-]*|[A-Z][a-z]+-?[A-Z0-9][A-Za-z0-9-]*|[A-Z]\d+|[a-z]+\d+)(?![A-Za-z0-9])"
)
_HOW_MANY_THINGS = re.compile(
    r"\b(two|three|four|five)\b|([二两三四五])(?:个|种|条|点|项|类|大)", re.IGNORECASE | re.ASCII
)
# "第三" and "3090" list nothing.
_LISTED = {
    word: rf"\b{word}\b|(?<![\d.]){digit}(?![\d.])|(?<!第)[{han}](?:条|个|种|点|项|类|样)"
    for word, digit, han in (("two", 2, "两二"), ("three", 3, "三"), ("four", 4, "四"), ("five", 5, "五"))
}
_HAN = {"二": "two", "两": "two", "三": "three", "四": "four", "五": "five"}

# In the log-odds of the search score, where 0.88 and 0.98 are two apart.
CARD_BONUS = 2.0
TERM_BONUS = 0.8
UNIT_BONUS = 0.4
LISTED_BONUS = 0.5


def choose(reading: Reading, passages: Sequence[Mapping[str, Json]]) -> list[Mapping[str, Json]]:
    """Order passages by how well they fit what the question asks for, best first."""
    return sorted(passages, key=lambda passage: -_fit(reading, passage))


def is_about(reading: Reading, passage: Mapping[str, Json]) -> bool:
    """Whether a passage can answer: it names every card of the question, and says what a thing is if that is asked."""
    if passage.get("article") == GLOSSARY:
        return True  # found by its term alone
    text = str(passage["text"])
    if _cards(reading, text) < (1.0 if reading.known_cards else 0.0):
        return False
    if _lacks_a_term(reading, passage):
        return False
    if _PREDICTS.search(reading.text) or not _shares_a_word(reading, text):
        return False
    asked = _DEFINED.search(reading.text)
    if asked is None or not _is_term(asked):
        return True
    term = next(group for group in asked.groups() if group).strip(" ?？。.呢啊的")
    return _defines(term, text)


# Terms that a passage about the same thing need not repeat.
_GENERAL = re.compile(r"(?:GPU|CPU|LLM|VLM|NLP|VRAM|AMD|NVIDIA|AI|DL|RAM|PC|OK|US|UK|PhD|SOTA)s?|x\d+", re.IGNORECASE)


def _lacks_a_term(reading: Reading, passage: Mapping[str, Json]) -> bool:
    """Whether a question names a technical term (SXM, KV) that a passage and its heading lack: it is about something near."""
    plain = reading.text
    for card in reading.cards:
        plain = plain.replace(card.text, " ")
    have = f"{passage.get('context', '')} {passage['text']}".lower()
    return any(term.lower() not in have for term in _TERM.findall(plain) if not _GENERAL.fullmatch(term))


def with_glossary(passages: Sequence[Mapping[str, Json]], *, alone: bool) -> list[Mapping[str, Json]]:
    """Return what to quote: the best passage, or both entries of the glossary where two terms are told apart.

    Args:
        passages: Passages that answer, best first.
        alone: Whether nothing was computed; a definition beside a result tells nobody anything.
    """
    entries = [passage for passage in passages if passage.get("article") == GLOSSARY]
    rest = [passage for passage in passages if passage.get("article") != GLOSSARY]
    if not alone or not entries:
        return rest[:1]
    # In the order of the question, which search has kept in the scores.
    return sorted(entries, key=lambda entry: -float(entry["score"])) if passages[0] in entries else rest[:1]


# "What is quantization?", "什么是 LoRA", "difference between A and B".
_DEFINED = re.compile(
    r"^\W*(?:(?:hi|hello|hey|please|can you|could you)\W+)*(?:what(?:'s| is| are| does) (?:an? |the )?([\w -]{2,40}?)(?: mean)?(?: in [\w' -]+)?|"
    r"(?:explain|define|tell me what) (?:an? |the )?([\w -]{2,40}?)(?: is| means?)?)\W*$|"
    r"(?:什么是|何为|啥是|解释一下|解释下)\s*([^，。？?]{2,16})|^\W*([^，。？?]{2,16}?)(?:是什么|是啥|什么意思|是什么意思|指什么)\W*$",
    re.IGNORECASE,
)
_PREDICTS = re.compile(r"just guess|guess\b|predict|next[- ]gen|next nvidia|随便猜|猜一下|预测", re.IGNORECASE)


# Words that any two texts share.
_COMMON = frozenset(
    [
        "what",
        "which",
        "when",
        "where",
        "does",
        "this",
        "that",
        "with",
        "from",
        "have",
        "your",
        "there",
        "their",
        "about",
        "should",
        "would",
        "could",
        "much",
        "many",
        "more",
        "most",
        "than",
        "then",
        "them",
        "they",
        "will",
        "into",
        "over",
        "just",
        "only",
        "some",
        "need",
        "want",
        "best",
        "good",
        "better",
        "card",
        "cards",
        "gpus",
    ]
)


def _words(reading: Reading) -> tuple[list[str], list[str]]:
    """Return the telling English words of a question and its pairs of Chinese characters, without its cards."""
    plain = reading.text
    for card in reading.cards:
        plain = plain.replace(card.text, " ")
    words = [word for word in re.findall(r"[a-z]{4,}", plain.lower()) if word not in _COMMON]
    pairs = [
        plain[at : at + 2] for at in range(len(plain) - 1) if re.fullmatch(r"[\u4e00-\u9fff]{2}", plain[at : at + 2])
    ]
    return words, pairs


def _shares_a_word(reading: Reading, text: str) -> bool:
    """Whether a passage has a word of the question beside the names of cards."""
    words, pairs = _words(reading)
    low = text.lower()
    return not (words or pairs) or any(word[:5] in low for word in words) or any(pair in text for pair in pairs)


# A passage with less than these shares of the question's words and characters is only near it.
_FEW_WORDS, _FEW_PAIRS, _SURE = 0.5, 0.25, 0.9995


def is_loose(reading: Reading, passage: Mapping[str, Json]) -> bool:
    """Whether a passage shares so little with a question in words that it may be about something near."""
    if passage.get("article") == GLOSSARY or float(passage.get("score", 0.0)) >= _SURE:
        return False
    words, pairs = _words(reading)
    text, low = str(passage["text"]), str(passage["text"]).lower()
    share_of_words = sum(word[:5] in low for word in words) / len(words) if words else 1.0
    share_of_pairs = sum(pair in text for pair in pairs) / len(pairs) if pairs else 1.0
    return share_of_words < _FEW_WORDS or share_of_pairs < _FEW_PAIRS


def asks_what(text: str) -> bool:
    """Whether a question asks what a term means."""
    hit = _DEFINED.search(text)
    return hit is not None and _is_term(hit)


def _is_term(hit: re.Match[str]) -> bool:
    """A term has a word or three, and nothing that joins or narrows it."""
    term = next(group for group in hit.groups() if group)
    return len(term.split()) <= 3 and not re.search(r"\b(?:of|and|or|for|in|on)\b|的|和|与", term)


def _defines(term: str, text: str) -> bool:
    """Whether a text says what a term is, not only that there is such a thing."""
    stem = re.escape(term.rstrip("s"))
    return bool(
        re.search(
            rf"{stem}\w*(?:\s*\([^)]*\))?\s*(?:is|are|means?|stands for|serves?|lets?|allows?|speeds?|multipl\w+)\b|{stem}\s*(?:是|指|就是|即|用来|能|负责)",
            text,
            re.IGNORECASE,
        )
    )


def _fit(reading: Reading, passage: Mapping[str, Json]) -> float:
    text = str(passage["text"])
    score = min(max(float(passage.get("score", 0.5)), 1e-4), 1 - 1e-4)
    return (
        math.log(score / (1 - score))
        + CARD_BONUS * _cards(reading, text)
        + TERM_BONUS * _terms(reading, text)
        + UNIT_BONUS * _units(reading, text)
        + LISTED_BONUS * _listed(reading, text)
    )


def _cards(reading: Reading, text: str) -> float:
    """Share of the asked cards that the passage names."""
    asked = set(reading.known_cards)
    named = {mention.name for mention in cards_in(text)}
    return len(asked & named) / len(asked) if asked else 0.0


def _terms(reading: Reading, text: str) -> float:
    """Share of the question's technical terms (L2, FFMA, BERT-large) that the passage has."""
    asked = {term.lower() for term in _TERM.findall(reading.text)}
    return sum(term in text.lower() for term in asked) / len(asked) if asked else 0.0


def _units(reading: Reading, text: str) -> float:
    """Share of the asked kinds of figure that the passage states."""
    asked = [units for pattern, units in _ASKED if pattern.search(reading.text)]
    stated = {number.unit for number in read_numbers(text)}
    return sum(bool(stated & set(units)) for units in asked) / len(asked) if asked else 0.0


def _listed(reading: Reading, text: str) -> float:
    hit = _HOW_MANY_THINGS.search(reading.text)
    if hit is None:
        return 0.0
    word = hit[1].lower() if hit[1] else _HAN[hit[2]]
    return 1.0 if re.search(_LISTED[word], text, re.IGNORECASE | re.ASCII) else 0.0
