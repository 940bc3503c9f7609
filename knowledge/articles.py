"""Articles and foreign texts as passages, each small enough to be read and cited on its own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from knowledge.cleaning import TERMINATORS, Heading, doubtful_sum, heading_number, is_lead_in, join_paragraphs

ARTICLES = Path(__file__).parent / "articles"
# Passages of about this length are found best; multilingual-e5-small reads at most 512 tokens.
TARGET_TOKENS = 200
LIMIT_TOKENS = 400
# Below this a paragraph says too little on its own and joins its neighbour.
LEAST_TOKENS = 40
LONGEST_BARE_HEADING = 30
# Tokens per sign in the model's vocabulary, counted over the three source articles.
TOKENS_PER_CJK = 0.75
TOKENS_PER_OTHER = 0.35

_CJK = re.compile(r"[\u3400-\u9fff]")
_SENTENCE = re.compile(rf".+?(?:[{TERMINATORS}]+[”’」』)）]*|\.(?=\s+[^\s\da-z])\s?|$)", re.DOTALL)
_CLAUSE_END = re.compile(r"[，,；;、：:]|\s")


@dataclass(frozen=True, kw_only=True)
class Article:
    """Where a text comes from.

    Attributes:
        id: Short name, the same in both languages.
        language: "zh" or "en".
        title: Title of the source.
        author: Who wrote the source, "" when unknown.
        url: Address of the source, "" when unknown.
        date: Date of the source, "" when unknown.
        note: What a reader should know about it.
    """

    id: str
    language: str
    title: str
    author: str = ""
    url: str = ""
    date: str = ""
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Passage:
    """One paragraph that can be found and cited.

    Attributes:
        id: "dettmers-2023.en:9.14:3": article, language, section, position.
        article: Id of the article.
        title: Title of the article.
        section: Number or heading of the section.
        heading: Heading of the section.
        language: "zh" or "en".
        url: Address of the source.
        date: Date of the source.
        position: Place in its section, from 1.
        text: The paragraph.
        doubt: Why a figure in it should not be trusted, "" when nothing was seen.
    """

    id: str
    article: str
    title: str
    section: str
    heading: str
    language: str
    url: str
    date: str
    position: int
    text: str
    doubt: str = ""

    @property
    def doubtful(self) -> bool:
        """Whether a figure in the passage contradicts itself."""
        return bool(self.doubt)

    @property
    def context(self) -> str:
        """What is embedded and searched: the heading tells what the paragraph is about."""
        return f"{self.heading}. {self.text}" if self.heading else self.text


def read_article(text: str) -> tuple[Article, tuple[Passage, ...]]:
    """Read one of our own articles: front matter, `## <section> <heading>`, one passage a paragraph.

    Raises:
        ValueError: If the front matter is missing or lacks an id, a language or a title.
    """
    header = front_matter(text)
    if header is None or not {"id", "language", "title"} <= header.keys():
        raise ValueError("An article starts with `---`, then at least `id:`, `language:` and `title:`, then `---`.")
    known = {name: header.get(name, "") for name in ("id", "language", "title", "author", "url", "date", "note")}
    article = Article(**known)
    body = text.split("---", 2)[2]
    return article, tuple(_own_passages(article, body))


def front_matter(text: str) -> dict[str, str] | None:
    """Return the `key: value` lines between the first two `---` lines, or None."""
    match = re.match(r"\ufeff?---[ \t]*\n(.*?)\n---[ \t]*(?:\n|$)", text, re.DOTALL)
    if match is None:
        return None
    pairs = (line.split(":", 1) for line in match[1].splitlines() if ":" in line)
    return {name.strip(): value.strip().strip("\"'") for name, value in pairs}


def built_in_articles(folder: Path = ARTICLES) -> tuple[tuple[Article, tuple[Passage, ...]], ...]:
    """Read every article of the package."""
    return tuple(read_article(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.md")))


def articles_hash(folder: Path = ARTICLES) -> str:
    """Return a hash that changes when any article of the package does."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.md")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def foreign_passages(article: Article, paragraphs: list[str]) -> tuple[Passage, ...]:
    """Cut cleaned paragraphs of a foreign text into passages.

    A heading starts a section; a line that ends in a colon stays with what it announces; a short
    paragraph joins its neighbour; a long one is cut between sentences, never between a number and
    its unit.

    Args:
        article: Where the text comes from.
        paragraphs: Clean paragraphs in order, headings among them.

    Returns:
        Passages in order.
    """
    passages: list[Passage] = []
    for section, heading, body in _sections(paragraphs):
        start = sum(passage.section == section for passage in passages)
        for position, text in enumerate(_chunks(body), start + 1):
            passages.append(_passage(article, section, heading, position, text))
    return tuple(passages)


def language_of(text: str) -> str:
    """Return "zh" when at least a fifth of the letters are Chinese, else "en"."""
    letters = sum(sign.isalpha() for sign in text)
    return "zh" if letters and len(_CJK.findall(text)) >= 0.2 * letters else "en"


def token_estimate(text: str) -> int:
    """Estimate how many tokens the embedding model reads for `text`."""
    cjk = len(_CJK.findall(text))
    return round(TOKENS_PER_CJK * cjk + TOKENS_PER_OTHER * (len(text) - cjk))


def sentences(text: str) -> list[str]:
    """Cut a text between its sentences; "0.3", "e.g. 14" and version numbers stay whole."""
    return [part.strip() for part in _SENTENCE.findall(text) if part.strip()]


def _own_passages(article: Article, body: str) -> Iterator[Passage]:
    section = heading = ""
    position = 0
    for block in re.split(r"\n\s*\n", body):
        block = block.strip()
        title = re.match(r"#{2,}\s+(\S+)\s*(.*)", block)
        if title:
            section, heading, position = title[1], title[2].split("\n")[0].strip(), 0
            block = "\n".join(block.splitlines()[1:]).strip()
        if not block or block.startswith("# "):
            continue
        position += 1
        yield _passage(article, section, heading, position, " ".join(block.split()))


def _passage(article: Article, section: str, heading: str, position: int, text: str) -> Passage:
    name = f"{article.id}.{article.language}:{section}:{position}"
    return Passage(
        id=name,
        article=article.id,
        title=article.title,
        section=section,
        heading=heading,
        language=article.language,
        url=article.url,
        date=article.date,
        position=position,
        text=text,
        doubt=doubtful_sum(text),
    )


def _sections(paragraphs: list[str]) -> Iterator[tuple[str, str, list[str]]]:
    chapter = heading = ""
    section = "0"
    body: list[str] = []
    for place, paragraph in enumerate(paragraphs):
        found = heading_number(paragraph) or _bare_heading(paragraphs, place)
        if found is None:
            body.append(paragraph)
            continue
        if body:
            yield section, heading, body
            body = []
        chapter = found.number if found.chapter else chapter
        number = chapter if found.chapter else ".".join(part for part in (chapter, found.number) if part)
        heading = found.title
        after_divider = paragraphs[place - 1 : place] and not (heading_number(paragraphs[place - 1]) or found).title
        section = number if found.number or after_divider else heading
    if body:
        yield section, heading, body


def _bare_heading(paragraphs: list[str], place: int) -> Heading | None:
    """Read a short line without a figure or a full stop, before a long paragraph, as a heading."""
    line = paragraphs[place].strip()
    after = paragraphs[place + 1] if place + 1 < len(paragraphs) else ""
    announced = place > 0 and is_lead_in(paragraphs[place - 1])
    if announced or len(line) > LONGEST_BARE_HEADING or len(after) < 2 * LONGEST_BARE_HEADING:
        return None
    return None if re.search(r"[。.…!！；;，,:：]$|[:：]|\d\s*%", line) else Heading("", line, False)


def _chunks(body: list[str]) -> list[str]:
    """Merge what belongs together, then cut what is too long."""
    groups: list[list[str]] = []
    for paragraph in body:
        if groups and _joins(groups[-1], paragraph):
            groups[-1].append(paragraph)
        else:
            groups.append([paragraph])
    if len(groups) > 1 and token_estimate(join_paragraphs(groups[-1])) < LEAST_TOKENS:
        last = groups.pop()
        groups[-1].extend(last)
    return [piece for group in groups for piece in _pieces(join_paragraphs(group))]


def _joins(group: list[str], paragraph: str) -> bool:
    so_far = token_estimate(join_paragraphs(group))
    size = token_estimate(paragraph)
    if so_far + size > LIMIT_TOKENS:
        return False
    if is_lead_in(group[-1]):
        return True
    if is_lead_in(paragraph) and so_far >= LEAST_TOKENS:
        return False
    return so_far + size <= TARGET_TOKENS and min(so_far, size) < LEAST_TOKENS


def _pieces(text: str) -> list[str]:
    """Cut a long text into even pieces at sentence ends."""
    if token_estimate(text) <= LIMIT_TOKENS:
        return [text]
    parts = [piece for sentence in sentences(text) for piece in _clauses(sentence)]
    count = -(-token_estimate(text) // TARGET_TOKENS)
    share = token_estimate(text) / count
    gap = "" if language_of(text) == "zh" else " "
    pieces = [""]
    for part in parts:
        if pieces[-1] and token_estimate(pieces[-1]) + token_estimate(part) / 2 > share:
            pieces.append(part)
        else:
            pieces[-1] = f"{pieces[-1]}{gap}{part}" if pieces[-1] else part
    return pieces


def _clauses(sentence: str) -> list[str]:
    """Cut a sentence that alone is too long after a comma, as a last resort anywhere between words."""
    pieces: list[str] = []
    while token_estimate(sentence) > LIMIT_TOKENS:
        room = round(LIMIT_TOKENS * len(sentence) / token_estimate(sentence)) - 1
        ends = [match.end() for match in _CLAUSE_END.finditer(sentence, room // 2, room)]
        cut = next((end for end in reversed(ends) if _may_cut(sentence, end)), None)
        if cut is None:
            cut = next((end for end in range(room, room // 2, -1) if _may_cut(sentence, end)), room)
        pieces.append(sentence[:cut].strip())
        sentence = sentence[cut:].strip()
    return [*pieces, sentence]


def _may_cut(text: str, at: int) -> bool:
    """Whether a cut leaves numbers, their units and words whole."""
    left, right = text[:at].rstrip(), text[at:].lstrip()
    if not left or not right:
        return False
    if left[-1].isdigit() or (left[-1] in ".,$¥€£+-±~<>≤≥" and right[0].isdigit()):
        return False
    return not (text[at - 1].isascii() and text[at - 1].isalnum() and text[at].isascii() and text[at].isalnum())
