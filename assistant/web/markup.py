"""Verified text to the Markdown of the page: its numbers become links, everything else stays text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tools.api import Json

_PLAIN = re.compile(r"[^\w \n\t%,，。；：、（）“”‘’？！《》—…·～\u3400-\u9fff]|_")
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_MARK = re.compile("\ue000(\\d+)\ue001")
_CITED = re.compile(r"\[c(\d+)\]")
_STYLED = re.compile(r"\*\*([^*\n]+)\*\*|`([^`\n]+)`")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_RULE = re.compile(r"\|[\s:|-]+\|")
_LEAD = re.compile(r"(\s*(?:[-*] |\d{1,2}[.)] |#{1,4} |> )?)(.*)", re.DOTALL)
_ATOM = re.compile(r"<code>.*?</code>|\[[^\]\n]*\]\([^)\n]*\)|\*\*.*?\*\*|&#\d+;|[A-Za-z0-9]+|\s+|.", re.DOTALL)
# How many steps a short answer appears in; each costs a round through the browser.
PIECES = 12
SMALLEST_PIECE = 14
_LINKED = ("tool", "user", "article")


def plain(text: str) -> str:
    """Turn every sign that Markdown, HTML or a link finder could read into an entity."""
    return _PLAIN.sub(lambda sign: f"&#{ord(sign[0])};", text)


def linked(answer: str, numbers: Sequence[Mapping[str, Json]]) -> str:
    """Write an answer as Markdown whose numbers and passages are links.

    Args:
        answer: The verified text.
        numbers: Its numbers, as in the public contract.

    Returns:
        Markdown in which only tables, lists, headings, bold and code are markup, and links lead to "#...".
    """
    text = _PRIVATE.sub(" ", answer)
    links: list[str] = []
    pieces: list[str] = []
    last = 0
    for start, end, target in _spans(text, numbers):
        pieces.append(text[last:start])
        pieces.append(f"\ue000{len(links)}\ue001")
        shown = _CITED.sub(r"[\1]", text[start:end])
        links.append(f"[{plain(shown)}](#{target})")
        last = end
    pieces.append(text[last:])
    return _MARK.sub(lambda mark: links[int(mark[1])], _lines("".join(pieces)))


def _spans(text: str, numbers: Sequence[Mapping[str, Json]]) -> list[tuple[int, int, str]]:
    """Return what becomes a link, from left to right, without overlaps."""
    found = [(hit.start(), hit.end(), f"c{hit[1]}") for hit in _CITED.finditer(text)]
    found += _dates(text, numbers)
    for number in numbers:
        start, shown = int(number["start"]), str(number["text"])
        if opens(number) and text[start : start + len(shown)] == shown:
            found.append((start, start + len(shown), target_of(number)))
    kept: list[tuple[int, int, str]] = []
    for span in sorted(found, key=lambda span: (span[0], -span[1])):
        if not kept or span[0] >= kept[-1][1]:
            kept.append(span)
    return kept


def _dates(text: str, numbers: Sequence[Mapping[str, Json]]) -> Iterator[tuple[int, int, str]]:
    """A date is one link although it is read as three numbers."""
    for hit in _DATE.finditer(text):
        for number in numbers:
            if hit.start() == int(number["start"]) and opens(number):
                yield hit.start(), hit.end(), target_of(number)


def opens(number: Mapping[str, Json]) -> bool:
    """Whether a number becomes a link: it has an origin to show and is no bare word such as "both"."""
    return number["kind"] in _LINKED and bool(number["unit"] or re.search(r"\d", str(number["text"])))


def target_of(number: Mapping[str, Json]) -> str:
    """Return the fragment of a number's link; what a person said is told apart by its text."""
    if number["kind"] == "user":
        return f"user.{str(number['text']).encode().hex()[:60]}"
    return re.sub(r"[^\w.-]", "", str(number["ref"]), flags=re.ASCII)


def _lines(text: str) -> str:
    """Escape line by line; what looks like a table becomes one."""
    done: list[str] = []
    lines = text.split("\n")
    for index, line in enumerate(lines):
        row = line.strip()
        if row.startswith("|") and row.endswith("|") and _in_table(lines, index):
            done.append(row if _RULE.fullmatch(row) else "|".join(_inline(cell) for cell in row.split("|")))
        else:
            lead, rest = _LEAD.fullmatch(line).groups()  # type: ignore[union-attr]  # the pattern matches any text
            done.append(lead + _inline(rest))
    return "\n".join(done)


def _in_table(lines: Sequence[str], index: int) -> bool:
    """Whether the lines around this one, as far as they are rows, hold a rule in second place."""
    first = index
    while first > 0 and lines[first - 1].strip().startswith("|"):
        first -= 1
    return first + 1 < len(lines) and _RULE.fullmatch(lines[first + 1].strip()) is not None


def _inline(text: str) -> str:
    """Escape a run of text; bold and code stay what they are, marks of links stay."""
    pieces: list[str] = []
    last = 0
    for hit in _STYLED.finditer(text):
        styled = f"**{_escaped(hit[1])}**" if hit[1] else f"<code>{_escaped(hit[2])}</code>"
        pieces += [_escaped(text[last : hit.start()]), styled]
        last = hit.end()
    return "".join([*pieces, _escaped(text[last:])])


def _escaped(text: str) -> str:
    return "".join(part if _MARK.fullmatch(part) else plain(part) for part in re.split("(\ue000\\d+\ue001)", text))


def growing(markdown: str) -> list[str]:
    """Return ever longer beginnings of a Markdown text; none cuts a link, a table or an entity."""
    size = max(SMALLEST_PIECE, len(markdown) // PIECES)
    steps: list[str] = []
    so_far, pending = "", 0
    for block in re.split(r"((?:^\|.*\|\n?)+)", markdown, flags=re.MULTILINE):
        for atom in [block] if block.startswith("|") else _ATOM.findall(block):
            so_far += atom
            pending += len(atom)
            if pending >= size:
                steps.append(so_far)
                pending = 0
    if not steps or steps[-1] != so_far:
        steps.append(so_far)
    return steps
