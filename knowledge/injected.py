"""Find phrases that someone planted in a text, by where they stand and not by what they say.

Copied articles carry advertising in front of their full stops, or in the middle of words. Such a
run of characters stands at an unusual share of the sentence ends, after ever different text, or
cuts words in two; and its words hardly occur anywhere else in the text. A refrain of the author
("… GB of memory.") shares its words with the rest of the text and follows a figure.
"""

from __future__ import annotations

import re
from collections import Counter

SHORTEST = 5
# At least this many times, and at this share of all sentence ends.
LEAST_COUNT = 5
END_SHARE = 0.12
# Share of all occurrences that stand before punctuation, and of those with their own left neighbour.
BEFORE_PUNCTUATION_SHARE = 0.6
DIFFERENT_LEFT_SHARE = 0.5
# Share of the phrase's words that are found (nearly) nowhere else.
OWN_WORDS_SHARE = 0.5
# For a phrase that stands anywhere: shares of its occurrences that cut a word in two, and of paragraphs.
LEAST_CUTS = 3
CUTTING_SHARE = 0.15
PARAGRAPH_SHARE = 0.2
# A neighbour that nearly all occurrences share belongs to the phrase.
SAME_NEIGHBOUR_SHARE = 0.9
# A planted phrase shows within this many characters; counting runs in more costs memory.
SAMPLE = 200_000
MOST_PHRASES = 5
# A planted phrase is among the commonest runs; a text made of few words has thousands of common ones.
MOST_TRIED = 100

_END = re.compile(r"[。！？!?…]|\.(?=\s|$)", re.MULTILINE)
_PUNCTUATION = re.compile(r"[^\w\s]|\n")


def injected_phrases(text: str) -> tuple[str, ...]:
    """Return the planted phrases of a text, longest first within each round.

    Args:
        text: Plain text with its line ends.

    Returns:
        Phrases to remove wherever they stand; usually none.

    Notes:
        Found one after the other, each in the text without those before it.
    """
    found: list[str] = []
    sample = text[:SAMPLE]
    while len(found) < MOST_PHRASES:
        phrase = _at_sentence_ends(sample) or _in_odd_places(sample)
        if phrase is None:
            break
        found.append(phrase)
        sample = sample.replace(phrase, "")
    return tuple(found)


def _at_sentence_ends(text: str) -> str | None:
    words = _latin_words(text)
    ends = [match.start() for match in _END.finditer(text)]
    tails = Counter(text[end - SHORTEST : end] for end in ends if end >= SHORTEST)
    for tail, count in tails.most_common(3):
        if count < max(LEAST_COUNT, END_SHARE * len(ends)) or "\n" in tail or tail.strip().isdigit():
            break
        phrase = _widened(text, tail)
        places = _places(text, phrase)
        followed = sum(bool(_PUNCTUATION.match(text, place + len(phrase))) for place in places)
        if followed >= BEFORE_PUNCTUATION_SHARE * len(places) and _is_foreign(text, phrase, places, words):
            return phrase
    return None


def _in_odd_places(text: str) -> str | None:
    size = SHORTEST + 1
    words = _latin_words(text)
    runs = Counter(text[place : place + size] for place in range(len(text) - size))
    paragraphs = [line for line in text.splitlines() if line.strip()]
    least = max(LEAST_COUNT, PARAGRAPH_SHARE * len(paragraphs))
    tried: set[str] = set()
    for run, count in runs.most_common():
        if count < least or len(tried) >= MOST_TRIED:
            break
        if _PUNCTUATION.search(run):
            continue
        phrase = _widened(text, run)
        if phrase in tried:
            continue
        tried.add(phrase)
        places = _places(text, phrase)
        if (
            len(places) >= least
            and _cuts_words(text, phrase, places, words)
            and _is_foreign(text, phrase, places, words)
        ):
            return phrase
    return None


def _widened(text: str, run: str) -> str:
    """Grow a run by the neighbours that nearly all of its occurrences share."""
    grown = True
    while grown and len(run) < 60:
        grown = False
        places = _places(text, run)
        rights = Counter(text[place + len(run) : place + len(run) + 1] for place in places)
        sign, count = rights.most_common(1)[0]
        if sign and not _PUNCTUATION.match(sign) and count >= SAME_NEIGHBOUR_SHARE * len(places):
            run, grown = run + sign, True
            continue
        lefts = Counter(text[max(place - 1, 0) : place] for place in places)
        sign, count = lefts.most_common(1)[0]
        if sign and not _PUNCTUATION.match(sign) and count >= SAME_NEIGHBOUR_SHARE * len(places):
            run, grown = sign + run, True
    return run


def _places(text: str, phrase: str) -> list[int]:
    found: list[int] = []
    place = text.find(phrase)
    while place >= 0:
        found.append(place)
        place = text.find(phrase, place + len(phrase))
    return found


def _is_foreign(text: str, phrase: str, places: list[int], latin: Counter[str]) -> bool:
    """Whether the phrase follows ever different text and shares few words with the rest."""
    if len(places) < LEAST_COUNT:
        return False
    lefts = {text[max(place - 2, 0) : place] for place in places}
    after_figure = sum(text[max(place - 2, 0) : place].strip()[-1:].isdigit() for place in places)
    if len(lefts) < DIFFERENT_LEFT_SHARE * len(places) or after_figure > len(places) / 2:
        return False
    rest = text.replace(phrase, "\n").lower()
    words = _words(phrase.lower())
    own = sum(_count(rest, word, latin) - len(places) * word.isascii() <= 0.1 * len(places) for word in words)
    return bool(words) and own >= OWN_WORDS_SHARE * len(words)


def _words(phrase: str) -> list[str]:
    """Return Latin words and overlapping pairs of Chinese characters."""
    latin = re.findall(r"[a-z0-9]+", phrase)
    runs = re.findall(r"[\u3400-\u9fff]+", phrase)
    return latin + [run[place : place + 2] for run in runs for place in range(len(run) - 1)]


def _latin_words(text: str) -> Counter[str]:
    return Counter(re.findall(r"[a-z0-9]+", text.lower()))


def _count(rest: str, word: str, latin: Counter[str]) -> int:
    """Count a word: a Latin one as a whole word of all of the text, Chinese characters in the rest of it."""
    return latin[word] if word.isascii() else rest.count(word)


def _cuts_words(text: str, phrase: str, places: list[int], latin: Counter[str]) -> bool:
    """Whether taking the phrase out joins the halves of words that occur elsewhere."""
    rest = text.replace(phrase, "\n").lower()
    joined: list[str] = []
    for place in places:
        left, right = text[max(place - 20, 0) : place].lower(), text[place + len(phrase) :][:20].lower()
        tail, head = re.search(r"[a-z]{2,}$", left), re.match(r"[a-z]{2,}", right)
        if tail and head:
            joined.append(tail[0] + head[0])
        elif re.search(r"[\u3400-\u9fff]{2}$", left) and re.match(r"[\u3400-\u9fff]{2}", right):
            joined.append(left[-2:] + right[:2])
    cuts = [word for word in joined if _count(rest, word, latin)]
    return len(set(cuts)) >= LEAST_CUTS and len(cuts) >= CUTTING_SHARE * len(places)
