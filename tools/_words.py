"""Countries, cloud regions and processors as a text names them; the tables beside the tools are the list."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from tools._tables import read_csv

Kind = Literal["country", "region", "cpu"]
# "US" and "UK" are countries in capitals only: "us" is a pronoun.
_CAPITALS = re.compile(r"[A-Z]{2,3}")
# What people say for a country beside its name; the table's aliases are its other names.
_ADJECTIVES = {
    "US": ("U.S.", "American", "California", "Texas"),
    "GB": ("British",),
    "DE": ("German",),
    "FR": ("French",),
    "ES": ("Spanish",),
    "IT": ("Italian",),
    "NL": ("Dutch",),
    "SE": ("Swedish",),
    "NO": ("Norwegian",),
    "DK": ("Danish",),
    "FI": ("Finnish",),
    "CH": ("Swiss",),
    "JP": ("Japanese",),
    "KR": ("Korean",),
    "IN": ("Indian",),
    "CA": ("Canadian",),
    "AU": ("Australian",),
    "BR": ("Brazilian",),
}
# What behind a name makes it another one: 印度尼西亚 is not 印度.
_OTHER_BEHIND = {"印度": "尼", "中国": "香港|台湾|澳门"}
# A city is a cloud region only where a cloud is spoken of.
_CLOUD = re.compile(
    r"google|gcp|aws|amazon|cloud|region|data ?cent|pue|谷歌|亚马逊|云|区域|机房|数据中心", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Named:
    """A name of the tables in a text."""

    name: str
    start: int
    end: int


def named_in(kind: Kind, text: str) -> tuple[Named, ...]:
    """Return the countries (by code), regions or processors that a text names, each once, in its order."""
    found: dict[str, Named] = {}
    cities = _patterns("city") if kind == "region" and _CLOUD.search(text) else ()
    for name, pattern in (*_patterns(kind), *cities):
        hit = pattern.search(text)
        if hit is not None:
            found.setdefault(name, Named(name, hit.start(), hit.end()))
    return tuple(sorted(found.values(), key=lambda named: named.start))


@cache
def _patterns(kind: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    if kind == "cpu":
        return tuple((row["name"], _processor(row["name"])) for row in read_csv("cpus.csv"))
    rows = read_csv("electricity.csv" if kind == "country" else "grid.csv")
    if kind == "city":
        cities = [(row["code"], row["aliases"].split(";")) for row in rows if not row["code"].isupper()]
        return tuple((code, _any(names)) for code, names in cities if any(names))
    regions = [(row["code"], _any([row["code"]])) for row in rows if not row["code"].isupper()]
    others = {row["code"]: row["aliases"].split(";") for row in read_csv("electricity.csv")}
    countries = [
        (
            row["code"],
            _any(
                [
                    row["name_en"],
                    row["name_zh"],
                    *row["aliases"].split(";"),
                    *others.get(row["code"], ()),
                    *_spoken(row["code"]),
                ]
            ),
        )
        for row in rows
        if row["code"].isupper() and row["code"] != "WORLD"
    ]
    return (*countries, *regions)


def _spoken(code: str) -> tuple[str, ...]:
    own = (code,) if code == "US" else ()
    return (*own, *_ADJECTIVES.get(code, ()))


def _any(names: Iterable[str]) -> re.Pattern[str]:
    """Match any of these names as words; short ones in capitals only as they are written."""
    parts: list[str] = []
    for name in names:
        if not name:
            continue
        word = re.escape(name) + (f"(?!{_OTHER_BEHIND[name]})" if name in _OTHER_BEHIND else "")
        if name.isascii():
            word = rf"(?<![A-Za-z0-9-]){word}(?![A-Za-z0-9-])"
        parts.append(word if _CAPITALS.fullmatch(name) else f"(?i:{word})")
    return re.compile("|".join(parts))


def _processor(name: str) -> re.Pattern[str]:
    """Match a processor by its number; a number that could be something else needs the family before it."""
    *family, number = name.split() if " Plus" not in name else name.removesuffix(" Plus").split()
    core = re.fullmatch(r"(i[3579])-(\d+)([A-Z]*)", number)
    if core:
        tail = rf"{core[2]}{core[3]}F?"
        bare = rf"|(?<![\w.]){tail}" if core[3] else ""
        return re.compile(rf"(?:(?<![\w.])(?:Core\s)?{core[1]}[-\s]?{tail}{bare})(?!\w)", re.IGNORECASE)
    plus = r"\sPlus" if name.endswith(" Plus") else ""
    if family[:2] == ["Core", "Ultra"]:
        return re.compile(rf"(?<!\w)Ultra\s?{family[-1]}\s{number}F?{plus}(?!\w)(?!\sPlus)", re.IGNORECASE)
    if family[0] in ("EPYC", "Xeon"):
        return re.compile(
            rf"(?<!\w)(?:{family[0]}\s)?{number}(?!\w)"
            if not number.isdigit()
            else rf"(?<!\w){family[0]}\s?{number}(?!\w)",
            re.IGNORECASE,
        )
    return re.compile(rf"(?<![\w.]){number}(?!\w)", re.IGNORECASE)
