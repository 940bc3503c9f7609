"""Foreign text made clean: injected phrases, remnants, contents lists, advertising and repeats go.

Nothing here knows a particular text. Each rule describes what a thing looks like, and errs towards
keeping a line: a lost figure is worse than a stray greeting.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass

from knowledge.injected import injected_phrases
from knowledge.sums import doubtful_sum as doubtful_sum

TERMINATORS = "。！？!?…"
# A contents list has at least so many entries, and this share of them comes again as headings.
LEAST_CONTENTS = 5
CONTENTS_SHARE = 0.5
# Calls to action gather at the end: there one cue is enough, elsewhere two are needed.
TAIL_SHARE = 0.85
LONGEST_CALL = 250
# Labels such as "Uses:" may repeat; a repeated paragraph of this many letters is a copy.
LEAST_COPY = 12
LONGEST_HEADING = 60

_TAG = re.compile(r"</?[a-zA-Z][^<>\n]*>|<!--.*?-->")
_MARKDOWN_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)")
_MARKDOWN_LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(https?://[^)\s]*\)")
_REMNANT = re.compile(r"""["'”]\s*/?\s*>\s*$|/>\s*$|^\s*(?:alt|src|href|class|style)\s*=""")
_ADDRESS = re.compile(r"^\W*(?:\[\d+\]\W*)?(?:https?://|www\.)\S+\W*$")
_CONTROL = re.compile(r"[\u200b-\u200f\u2028\u202a-\u202e\u2060-\u2064\ufeff\x00-\x08\x0b\x0c\x0e-\x1f]")
_END_MARK = re.compile(r"^\W*(?:完|全文完|the end|end|fin)\W*$", re.IGNORECASE)
_CONTENTS = re.compile(r"^\W*(?:目录|目\s+录|(?:table of )?contents)\W*$", re.IGNORECASE)
_CHAPTER = re.compile(r"^第?([一二三四五六七八九十]{1,3})(?:、|章|节|部分)\s*(.*)$")
_NUMBERED = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){0,3})(?:、\s*|[.．)]\s*(?=\D)|\s+(?=\D))(\S.*)$")
_MARKED = re.compile(r"^[—–-]+\s*(\d{1,2})\s*[—–-]+$")
_MEASURE = re.compile(r"\d\s*(?:GB|TB|MB|GiB|W|kW|TFLOPS|PFLOPS|瓦|美元|元|周期|cycles?|GHz|USD|%)")
# A share that is taken off a price is no measure.
_DISCOUNT = re.compile(r"\d\s*%\s*(?:off|discount)|(?:save|up to)\s+\d+\s*%|\d\s*折", re.IGNORECASE)
_EMOJI = re.compile(r"[\U0001f300-\U0001faff\u2600-\u27bf]")
_CALLS = tuple(
    re.compile(cue, re.IGNORECASE)
    for cue in (
        r"关注(?:我|我们|一下|公众号|后续|本|$)|订阅|星标|公众号|subscribe|follow (?:me|us)|newsletter|sign up",
        r"点赞|在看|转发|三连|like and share|share this|comment below|leave a comment",
        r"点击|点这里|扫码|二维码|阅读原文|展开全文|原文传送门|click (?:here|the link|below)"
        r"|scan the|read more$|link in bio",
        r"邀请您|邀您|邀你|报名|欢迎(?:大家)?支持|新书|发售|优惠|限时|buy now|coupon|discount code|register now|join us"
        r"|sponsored by|promo code",
    )
)


@dataclass(frozen=True, kw_only=True)
class Cleaned:
    """A cleaned text.

    Attributes:
        paragraphs: What is left, in order, headings among it.
        injected: Phrases that were removed wherever they stood.
        dropped: How many paragraphs were left out.
    """

    paragraphs: tuple[str, ...]
    injected: tuple[str, ...]
    dropped: int


@dataclass(frozen=True)
class Heading:
    """A heading: its number ("" when it has none), its words, and whether it opens a chapter."""

    number: str
    title: str
    chapter: bool


def clean(text: str) -> Cleaned:
    """Clean a foreign text.

    Args:
        text: Plain text or Markdown, however it was copied.

    Returns:
        Its paragraphs without injected phrases, markup, contents list, advertising and repeats.
    """
    plain = _without_markup(text)
    phrases = injected_phrases(plain)
    for phrase in phrases:
        plain = plain.replace(phrase, "")
    lines = _paragraphs(plain)
    kept = _without_contents([line for line in _until_end_mark(lines) if not _is_remnant(line)])
    tail = round(TAIL_SHARE * len(kept))
    kept = [line for place, line in enumerate(kept) if not is_call_to_action(line, at_end=place >= tail)]
    kept = _without_dangling(_without_copies(kept))
    return Cleaned(paragraphs=tuple(kept), injected=phrases, dropped=len(lines) - len(kept))


def is_call_to_action(line: str, *, at_end: bool = False) -> bool:
    """Whether a line asks the reader to follow, share, click or buy."""
    if len(line) > LONGEST_CALL or _MEASURE.search(_DISCOUNT.sub("", line)):
        return False
    cues = sum(bool(cue.search(line)) for cue in (*_CALLS, _DISCOUNT)) + bool(_EMOJI.search(line))
    is_button = cues == 1 and len(line) <= 8
    return cues >= (1 if at_end else 2) or is_button


def heading_number(line: str) -> Heading | None:
    """Read a line as a heading, or return None.

    Markdown marks, "九、", "14、", "3.1 " and "— 01 —" count; a numbered sentence does not.
    """
    marked = re.match(r"^(#{1,6})\s+(.+)$", line)
    bare = marked[2].strip() if marked else line.strip()
    if len(bare) > LONGEST_HEADING or (not marked and bare[-1:] in "。；;，,.!！"):
        return None
    chapter = _CHAPTER.match(bare)
    if chapter:
        return Heading(str(_chinese_number(chapter[1])), chapter[2].strip() or bare, True)
    divider = _MARKED.match(bare)
    if divider:
        return Heading(str(int(divider[1])), "", True)
    numbered = _NUMBERED.match(bare)
    if numbered and not _MEASURE.match(bare):
        return Heading(numbered[1], numbered[2].strip(), False)
    return Heading("", bare, len(marked[1]) <= 2) if marked else None


def is_lead_in(line: str) -> bool:
    """Whether a line announces what follows it."""
    return line.rstrip().endswith((":", "："))


def join_paragraphs(paragraphs: list[str]) -> str:
    """Join paragraphs into one passage."""
    return " ".join(paragraphs)


def _without_markup(text: str) -> str:
    text = _CONTROL.sub("", unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")))
    text = _MARKDOWN_LINK.sub(r"\1", _MARKDOWN_IMAGE.sub("", html.unescape(_TAG.sub("", text))))
    return re.sub(r"[ \t\u00a0\u3000]+", " ", text)


def _paragraphs(text: str) -> list[str]:
    """Return paragraphs: a line each, unless lines were wrapped."""
    found: list[str] = []
    for block in re.split(r"\n\s*\n", text):
        open_line = False
        for line in (line.strip(" *•·\t") for line in block.splitlines()):
            if not line:
                continue
            if open_line and found and _continues(found[-1], line):
                found[-1] = f"{found[-1]} {line}"
            else:
                found.append(line)
            open_line = True
    return found


def _continues(before: str, line: str) -> bool:
    """Whether a line is the rest of a wrapped English sentence."""
    ended = before[-1] in TERMINATORS + ".:：;；" or not before[-1].isascii() or before.startswith("#")
    return not ended and bool(re.match(r"[a-z(]", line)) and len(before) >= 40


def _is_remnant(line: str) -> bool:
    letters = sum(sign.isalpha() for sign in line)
    return (letters < 2 and not _MARKED.match(line)) or bool(_REMNANT.search(line) or _ADDRESS.match(line))


def _key(line: str) -> str:
    return re.sub(r"[\W_]+", "", line).lower()


def _without_contents(lines: list[str]) -> list[str]:
    """Drop runs of headings that come again later, and the word "contents" before them."""
    kept: list[str] = []
    place = 0
    while place < len(lines):
        stop = _contents_end(lines, place)
        if stop - place < LEAST_CONTENTS:
            if not _CONTENTS.match(lines[place]):
                kept.append(lines[place])
            place += 1
        else:
            place = stop
    return kept


def _contents_end(lines: list[str], start: int) -> int:
    """Return where a contents list that starts here ends, or `start`."""
    stop = start
    while stop < len(lines) and heading_number(lines[stop]) and (stop == start or lines[stop] != lines[start]):
        stop += 1
    if stop - start < LEAST_CONTENTS:  # nearly every line: reading the rest for each would take minutes a book
        return start
    later = {_title_key(line) for line in lines[stop:]}
    while stop > start and _title_key(lines[stop - 1]) not in later:
        stop -= 1
    again = sum(_title_key(line) in later for line in lines[start:stop])
    return stop if stop - start >= LEAST_CONTENTS and again >= CONTENTS_SHARE * (stop - start) else start


def _title_key(line: str) -> str:
    found = heading_number(line)
    return _key(found.title if found else line)


def _until_end_mark(lines: list[str]) -> list[str]:
    for place, line in enumerate(lines):
        if place >= len(lines) / 2 and _END_MARK.match(line):
            return lines[:place]
    return lines


def _without_copies(lines: list[str]) -> list[str]:
    seen: set[str] = set()
    kept: list[str] = []
    for line in lines:
        key = _key(line)
        if len(key) >= LEAST_COPY and key in seen:
            continue
        seen.add(key)
        kept.append(line)
    return kept


def _without_dangling(lines: list[str]) -> list[str]:
    """Drop announcements at the end of the text whose object was dropped."""
    while lines and (is_lead_in(lines[-1]) or heading_number(lines[-1])):
        lines = lines[:-1]
    return lines


def _chinese_number(text: str) -> int:
    digits = {sign: value for value, sign in enumerate("一二三四五六七八九", 1)}
    tens, _, ones = text.rpartition("十")
    return digits.get(ones, 0) + (10 * digits.get(tens, 1) if "十" in text else 0)
