"""Where a text names a product or a term of the field, so that its digits are no quantity."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from assistant.letters import by_first_sign, small
from assistant.measures import read_unit
from tools import api

# Terms with digits that are names of the field, not figures. Both patterns are over small letters, in which a search tries
# fewer words at each place; the look at the first sign saves most places the rest.
_TERMS = re.compile(
    r"(?<![a-z0-9])(?=[a-z0-9])(?:"
    r"(?:fp|bf|tf|int|nf|uint|mxfp|nvfp)\s?(?:4|8|16|32|64)(?:-?[a-z]\w*)?|w\d+a\d+|q[2-8](?:_[a-z0-9]+)*|iq\d_\w+|"
    r"pci(?:e|\s?express)\s?(?:gen\s?)?[2-6](?:\.0)?(?:\s?x(?:1|4|8|16))?|gen\s?[3-5]|x(?:1|4|8|16)\b|"
    r"l[123]\b|zero[- ]?[0-3]|zero|atx\s?[23](?:\.[x0-9])?|12v(?:hpwr|-2x6)|(?:6|7|8|12|16)[- ]pin|hbm[23]?e?|"
    r"gddr\d\w?|ddr\d|nvlink\s?\d?(?:\.0)?|cuda\s?\d*|rocm\s?\d*|sm_\d+|2:4|gpt-?[0-9](?:\.\d)?|r1|v3|"
    r"stable diffusion\s?[\d.]*|sd\s?[\d.]+|sdxl|nec\s?[\d.]+|arxiv:[\d.]+|tma|rdna\s?\d|cdna\s?\d|"
    r"(?:rtx|gtx|rx)\s?\d{2}(?:xx)?\s?(?:系列|series|系)|\d{2}\s?(?:系|系列|-series| series)|"
    r"co2e?|v\d+(?:\.\d+)*|t5|resnet-?\d+|ssd-?300|se-resnext-?101|wmt-?\d+|transformer-xl|tacotron\s?2|7(?:-| )slot"
    r")(?![a-z0-9])|4\s?(?:-?bit|位)|8\s?(?:-?bit|位)|16\s?(?:-?bit|位)|32\s?(?:-?bit|位)",
    re.ASCII,
)
# What looks like a card's name, known or not.
_CARD = re.compile(
    r"(?:(?<![a-z0-9])|(?<=\dx))(?=[a-z0-9英泰])(?:(?:nvidia|geforce|amd|radeon|tesla|quadro|intel|apple|google|instinct|英伟达)\s*)*"
    r"(?:(?:rtx|gtx|rx|arc|titan|泰坦|tpu|ryzen ai max\+|dgx|gaudi|jetson(?: agx)?(?: orin)?)[\s-]*"
    r"(?:pro\s*|ai pro\s*|a(?=\d{4}))?[a-z]?(?=o*\d)[\do]{1,4}[a-z]{0,2}|(?:titan|泰坦)\s*(?:rtx|xp|x|v)|"
    r"(?:gb|gh|mi|mi-)\d{2,3}[ax]?|(?:a|h|b|l|v|p|t|k|m)\d{1,4}[gs]?\b|m[1-4](?=\s(?:pro|max|ultra))|"
    r"[1-9][\do]{3}(?=\s*(?:ti|super|xtx?|gre|d\b|ada|laptop|mobile|笔记本))|w[67]\d00|r9700|"
    r"[2-9]0[5-9][0o]|4o90|1[06][3-8]0|[679][5-9]00)"
    r"(?:[\s-]*(?:ti|super|xtx|xt|gre|ada|blackwell|sxm\d?|pcie|nvl|laptop|mobile|max-q|max|pro|ultra|d|workstation|"
    r"server|generation|笔记本|移动版|桌面版|\d{1,3}\s?gb?(?![a-z/])))*(?=s?(?![a-z0-9]))",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A card named in a text.

    Attributes:
        start: Position of the first character.
        end: Position behind the last.
        text: As written.
        name: The catalogue's name, or None if there is no such card.
        others: Cards that the name could also mean.
    """

    start: int
    end: int
    text: str
    name: str | None
    others: tuple[str, ...] = ()


def cards_in(text: str) -> list[Mention]:
    """Return the cards that a text names, known or not, from left to right."""
    found: list[Mention] = []
    for hit in _CARD.finditer(small(text)):
        shown, known = _longest(text[hit.start() : hit.end()])
        # "1650 W" is a power, not a GTX 1650; a bare number is a card only if the catalogue has it.
        digits = shown.strip().isdigit()
        bare = digits and (known is None or read_unit(text, hit.start() + len(shown)) is not None)
        if not bare and not _is_format(shown):
            found.append(
                Mention(
                    hit.start(),
                    hit.start() + len(shown),
                    shown,
                    known.gpu.name if known else None,
                    known.others if known else (),
                )
            )
    return found


def _is_format(shown: str) -> bool:
    return bool(
        re.fullmatch(
            r"L[123]|P2|M[1-4]|T5|A[0-9]|B\d{1,2}|H\d{1,2}|K\d|V[1-9]|L\d{3}|T\d{2,3}|P\d{1}|M\d{1,3}",
            shown.strip(),
            re.IGNORECASE | re.ASCII,
        )
        and _match(shown.strip()) is None
    )


def _longest(text: str) -> tuple[str, api.Match | None]:
    """Cut a trailing word that makes a known card unknown only if it is a plain size or form."""
    known = _match(text)
    if known:
        return text, known
    shorter = re.sub(r"[\s-]*(?:\d{1,3}\s?GB?|D|Max|Pro|Ultra|Server)$", "", text, flags=re.IGNORECASE | re.ASCII)
    if shorter != text:
        known = _match(shorter)
        if known:
            return shorter, known
    return text, None


@cache
def _match(text: str) -> api.Match | None:
    return api.match(text)


@cache
def _model_names() -> re.Pattern[str]:
    names = {name.lower() for model in api.models() for name in (model.name, *model.aliases)}
    flexible = [
        re.sub(r"[-_ ]+", r"[-_ ]?", re.escape(name).replace(r"\-", "-").replace(r"\ ", " "))
        for name in sorted(names, key=len, reverse=True)
        if len(name) > 3
    ]
    return re.compile(rf"(?<![a-z0-9]){by_first_sign(flexible)}(?:-(?:instruct|chat|it|base))?(?![a-z0-9.])", re.ASCII)


def models_in(text: str) -> list[tuple[int, int, str]]:
    """Return the models of the catalogue that a text names: start, end, as written."""
    found = _model_names().finditer(small(text))
    return [(hit.start(), hit.end(), text[hit.start() : hit.end()]) for hit in found]


def terms_in(text: str) -> list[tuple[int, int, str]]:
    """Return the terms of the field with digits in them: start, end, as written."""
    hits = [hit.span() for hit in _TERMS.finditer(small(text))]
    return [(start, end, text[start:end]) for start, end in hits if _is_cased(text[start:end])]


def _is_cased(term: str) -> bool:
    """ "zero" is a number and "V100" a card, "ZeRO" and "v2" are terms."""
    low = term.lower()
    return term == "ZeRO" if low == "zero" else not (term[0] == "V" and low[1:2].isdigit() and low != "v3")


def name_spans(text: str, allowed: Iterable[str] = ()) -> list[tuple[int, int]]:
    """Return the spans whose digits belong to a name.

    Args:
        text: Where to look.
        allowed: Texts whose names count as well: results, cited passages, the person's words.
    """
    spans = [(start, end) for start, end, _ in terms_in(text)]
    spans += [(start, end) for start, end, _ in models_in(text)]
    heard = " \n ".join(allowed).lower()
    for mention in cards_in(text):
        if mention.name is not None or mention.text.lower().strip() in heard:
            spans.append((mention.start, mention.end))
    return spans
