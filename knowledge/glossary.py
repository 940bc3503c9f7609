"""Our own glossary: what a term of the field is, why it matters for choosing a GPU, which tool computes it.

It stands beside the index, not in it: a short text that names a term would push the sections of the articles out of
answers that they give better. An entry is found by its term alone, and only by questions that ask what something is, how
two things differ, or why something matters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from knowledge.articles import Passage, language_of, read_article

FOLDER = Path(__file__).parent / "data"
ID = "glossary"
# How sure an entry is: named as the thing that is asked for, or among the words of a question for a reason.
DEFINED, REASON = 0.9999, 0.996

_HELLO = r"^\W*(?:(?:hi|hello|hey|so|ok|okay|and|but|please|sorry|quick question|can you|could you|would you|你好|请问|那么?|请|麻烦)(?:\W+|(?=[\u4e00-\u9fff])))*"
_IN = r"(?:\s+(?:in (?:deep learning|simple terms|plain \w+|general|short|gpus?|llms?|llm \w+|training|inference)|for (?:gpus?|llms?|a gpu|deep learning|llm \w+|beginners)|of (?:a |an )?(?:gpus?|llms?|data cent(?:er|re))|on (?:a |an )?(?:gpus?|graphics card)|exactly|actually|please|again|thing))*"
_DEFINE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_HELLO}(?:what(?:'s|’s|s| is| are| does| do)|what (?:exactly|actually) (?:is|are)|what the (?:heck|hell) is)\s+(?:exactly |actually )?(?:an? |the |this )?(?:term |word )?[\"“']?(?P<term>[\w .:/+-]{{2,48}}?)[\"”']?(?: mean| stand for| do)?{_IN}\W*$",
        rf"{_HELLO}(?:explain|define|describe|tell me (?:about|what)|what is meant by|(?:the )?meaning of|how (?:does|do|is|are))\s+(?:to me |me )?(?:what )?(?:an? |the )?[\"“']?(?P<term>[\w .:/+-]{{2,48}}?)[\"”']?(?: is| are| means?| works?| help| affect \w+)?{_IN}\W*$",
        rf"{_HELLO}(?:什么是|何谓|何为|啥是|啥叫|什么叫|解释一下|解释下|解释|讲讲|介绍一下|说说|科普一下)\s*(?:什么是)?[“\"]?(?P<term>[^，。？?“”\"]{{2,24}}?)[”\"]?(?:是什么|是啥|的概念|的原理|这个词)?(?:意思)?[呢啊吗呀]?\W*$",
        rf"{_HELLO}[“\"]?(?P<term>[^，。？?“”\"]{{2,24}}?)[”\"]?\s*(?:到底|究竟|具体)?(?:是(?:个|一?种)?什么(?:东西|意思|概念|技术|接口|格式|功能|指标|技巧|方法)?|是啥(?:意思)?|是干(?:什么|嘛|啥)(?:用)?的|什么意思|啥意思|指(?:的是)?什么|有(?:什么|啥)用|(?:的)?(?:作用|原理|含义)(?:是什么)?|怎么理解)[呢啊吗呀]?\W*$",
    )
)
_DIFFERS = re.compile(
    r"differ|distinction|\bvs\.?\b|versus|compared? (?:to|with)|区别|差别|不同|差异|有何异同|对比|哪个更?好|分别是|各是",
    re.IGNORECASE,
)
# "data and tensor parallelism" names data parallelism too.
_SHARED = re.compile(
    r"\b([a-z]+) (vs\.?|versus|and|or) ([a-z]+) (parallelism|memory|cores?|precision|cards?)\b", re.IGNORECASE
)
_WHY = re.compile(
    r"\bwhy\b|how come|what makes|how important|\bhow (?:does|do) .{2,40}\b(?:save|help|reduce|improve|speed|affect|differ|influence)|"
    r"(?:advantages?|benefits?|point|use|downsides?|drawbacks?) of|worth having|"
    r"有(?:什么|啥|哪些)(?:好处|优点|缺点|坏处|优势)|怎么(?:节省|减少|降低)|如何(?:节省|减少|降低)|为什么|为何|为啥|怎么会|凭什么说|重要吗|的意义",
    re.IGNORECASE,
)
# Memory is in every second question; its entry says why it comes first, nothing else.
_RANKS = re.compile(r"matter|important|decide|first|重要|关键|决定|先看", re.IGNORECASE)
# A fault of somebody's own machine is not explained by a definition.
_OWN_CASE = re.compile(
    r"\bmy\b|\bmine\b|\bI(?:'m| am| get| got| see| have)\b|crash|error|fail|trips?\b|shut|hang|我的|我家|我这|报错|崩|死机|重启|断电|跳闸|卡住|咋回事|怎么回事",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Entry:
    """One term with the names people use for it; its passage by language."""

    names: frozenset[str]
    passages: dict[str, Passage]


def explained(question: str, language: str = "") -> list[tuple[Passage, float]]:
    """Return the entries that answer a question about what a term is or why it matters, with how sure that is.

    Args:
        question: What was asked, in either language.
        language: Language of the passages; that of the question when left out.

    Returns:
        One entry for a term, two for a difference, none for any other question.
    """
    shown = language or language_of(question)
    asked = _DIFFERS.search(question)
    if asked:
        found = _named(_SHARED.sub(r"\1 \4 \2 \3 \4", question))
        pair = len(found) == 2 or (len(found) == 1 and " and " in found[0].passages["en"].heading)
        return [(entry.passages[shown], DEFINED - at / 10_000) for at, entry in enumerate(found)] if pair else []
    for pattern in _DEFINE:
        hit = pattern.search(question)
        entry = _entry(hit["term"]) if hit else None
        if entry:
            return [(entry.passages[shown], DEFINED)]
    if _WHY.search(question) and not _OWN_CASE.search(question):
        found = [entry for entry in _named(question) if _RANKS.search(question) or not entry.names & {"vram"}]
        return [(entry.passages[shown], REASON) for entry in found[:1]]
    return []


def _entry(term: str) -> Entry | None:
    """Return the entry whose name is the whole term."""
    key = re.sub(r" stage \d$", "", _plain(term))
    return _names().get(key) or _names().get(key.removesuffix("s")) or _names().get(key.removeprefix("llm "))


def _named(text: str) -> list[Entry]:
    """Return the entries that a text names, in order, where names overlap the longest."""
    plain = _plain(text)
    taken: list[tuple[int, int, Entry]] = []
    for name, entry in sorted(_names().items(), key=lambda item: -len(item[0])):
        ascii_name = name.isascii()
        for hit in re.finditer(
            rf"(?<![a-z0-9]){re.escape(name)}s?(?![a-z0-9])" if ascii_name else re.escape(name), plain
        ):
            if all(hit.end() <= start or hit.start() >= end for start, end, _ in taken):
                taken.append((hit.start(), hit.end(), entry))
    ordered = [entry for _, _, entry in sorted(taken, key=lambda item: item[0])]
    return list({id(entry): entry for entry in ordered}.values())


@cache
def _names() -> dict[str, Entry]:
    return {name: entry for entry in entries() for name in entry.names}


@cache
def entries(folder: Path = FOLDER) -> tuple[Entry, ...]:
    """Return the glossary; a heading lists the names of a term, those of both languages count in either."""
    read = [read_article(path.read_text(encoding="utf-8"))[1] for path in sorted(folder.glob(f"{ID}.*.md"))]
    places: dict[str, dict[str, Passage]] = {}
    for passages in read:
        for passage in passages:
            places.setdefault(passage.section, {})[passage.language] = passage
    return tuple(
        Entry(frozenset(_plain(name) for passage in found.values() for name in passage.heading.split(" / ")), found)
        for found in places.values()
    )


def _plain(text: str) -> str:
    """Write a term in one way: small letters, a blank for a hyphen, none beside Chinese."""
    text = re.sub(r"[\s\-_]+", " ", text.lower()).strip(" .:?？")
    return re.sub(r"(?<=[\u4e00-\u9fff]) | (?=[\u4e00-\u9fff])", "", text)
