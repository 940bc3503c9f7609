"""Where a text names a product or a term of the field, so that its digits are no quantity."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from assistant.measures import read_unit
from tools import api

# Terms with digits that are names of the field, not figures.
_TERMS = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"(?:FP|BF|TF|INT|NF|UINT|MXFP|NVFP)\s?(?:4|8|16|32|64)(?:-?[A-Z]\w*)?|W\d+A\d+|Q[2-8](?:_[A-Z0-9]+)*|IQ\d_\w+|"
    r"PCI(?:e|\s?Express)\s?(?:Gen\s?)?[2-6](?:\.0)?(?:\s?x(?:1|4|8|16))?|Gen\s?[3-5]|x(?:1|4|8|16)\b|"
    r"L[123]\b|ZeRO[- ]?[0-3]|(?-i:ZeRO)|ATX\s?[23](?:\.[x0-9])?|12V(?:HPWR|-2x6)|(?:6|7|8|12|16)[- ]pin|HBM[23]?e?|"
    r"GDDR\d\w?|DDR\d|NVLink\s?\d?(?:\.0)?|CUDA\s?\d*|ROCm\s?\d*|sm_\d+|2:4|GPT-?[0-9](?:\.\d)?|R1|V3|"
    r"Stable Diffusion\s?[\d.]*|SD\s?[\d.]+|SDXL|NEC\s?[\d.]+|arXiv:[\d.]+|TMA|RDNA\s?\d|CDNA\s?\d|"
    r"(?:RTX|GTX|RX)\s?\d{2}(?:xx)?\s?(?:系列|series|系)|\d{2}\s?(?:系|系列|-series| series)|"
    r"CO2e?|(?-i:v)\d+(?:\.\d+)*|T5|ResNet-?\d+|SSD-?300|SE-ResNeXt-?101|WMT-?\d+|Transformer-XL|Tacotron\s?2|7(?:-| )slot"
    r")(?![A-Za-z0-9])|4\s?(?:-?bit|位)|8\s?(?:-?bit|位)|16\s?(?:-?bit|位)|32\s?(?:-?bit|位)",
    re.IGNORECASE | re.ASCII,
)
# What looks like a card's name, known or not.
_CARD = re.compile(
    r"(?:(?<![A-Za-z0-9])|(?<=\dx))(?:(?:NVIDIA|GeForce|AMD|Radeon|Tesla|Quadro|Intel|Apple|Google|Instinct|英伟达)\s*)*"
    r"(?:(?:RTX|GTX|RX|Arc|Titan|泰坦|TPU|Ryzen AI Max\+|DGX|Gaudi|Jetson(?: AGX)?(?: Orin)?)[\s-]*"
    r"(?:PRO\s*|AI PRO\s*|A(?=\d{4}))?[A-Za-z]?[\dO]{1,4}[A-Za-z]{0,2}|(?:Titan|泰坦)\s*(?:RTX|Xp|X|V)|"
    r"(?:GB|GH|MI|MI-)\d{2,3}[AX]?|(?:A|H|B|L|V|P|T|K|M)\d{1,4}[GS]?\b|M[1-4](?=\s(?:Pro|Max|Ultra))|"
    r"[1-9][\dO]{3}(?=\s*(?:Ti|Super|XTX?|GRE|D\b|Ada|Laptop|Mobile|笔记本))|W[67]\d00|R9700|"
    r"[2-9]0[5-9][0O]|4O90|1[06][3-8]0|[679][5-9]00)"
    r"(?:[\s-]*(?:Ti|Super|XTX|XT|GRE|Ada|Blackwell|SXM\d?|PCIe|NVL|Laptop|Mobile|Max-Q|Max|Pro|Ultra|D|Workstation|"
    r"Server|Generation|笔记本|移动版|桌面版|\d{1,3}\s?GB?(?![A-Za-z/])))*(?=s?(?![A-Za-z0-9]))",
    re.IGNORECASE | re.ASCII,
)


# Small letters, one for one, so that positions stay.
_SMALL = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


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
    for hit in _CARD.finditer(text):
        shown, known = _longest(hit[0])
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
    # Small letters on both sides: a pattern that ignores case tries every name at every place.
    names = {name.lower() for model in api.models() for name in (model.name, *model.aliases)}
    flexible = [
        re.sub(r"[-_ ]+", r"[-_ ]?", re.escape(name).replace(r"\-", "-").replace(r"\ ", " "))
        for name in sorted(names, key=len, reverse=True)
        if len(name) > 3
    ]
    first = "".join(sorted({name[0] for name in names}))
    return re.compile(
        rf"(?<![a-z0-9])(?=[{first}])(?:" + "|".join(flexible) + r")(?:-(?:instruct|chat|it|base))?(?![a-z0-9.])",
        re.ASCII,
    )


def models_in(text: str) -> list[tuple[int, int, str]]:
    """Return the models of the catalogue that a text names: start, end, as written."""
    found = _model_names().finditer(text.translate(_SMALL))
    return [(hit.start(), hit.end(), text[hit.start() : hit.end()]) for hit in found]


def terms_in(text: str) -> list[tuple[int, int, str]]:
    """Return the terms of the field with digits in them: start, end, as written."""
    return [(hit.start(), hit.end(), hit[0]) for hit in _TERMS.finditer(text)]


def name_spans(text: str, allowed: Iterable[str] = ()) -> list[tuple[int, int]]:
    """Return the spans whose digits belong to a name.

    Args:
        text: Where to look.
        allowed: Texts whose names count as well: results, cited passages, the person's words.
    """
    spans = [(hit.start(), hit.end()) for hit in _TERMS.finditer(text)]
    spans += [(start, end) for start, end, _ in models_in(text)]
    heard = " \n ".join(allowed).lower()
    for mention in cards_in(text):
        if mention.name is not None or mention.text.lower().strip() in heard:
            spans.append((mention.start, mention.end))
    return spans
