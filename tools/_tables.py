"""Dated rows of `data/*.csv`: prices of cards, rents, electricity and grids."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from tools._catalog import Gpu
from tools._errors import ToolInputError, number
from tools._names import find
from tools._result import Source, Text

OWN_PRICE_HINT = Text(
    'Give US dollars per card, e.g. {"RTX 3090": 750}.', '请给出每张卡的美元价，例如 {"RTX 3090": 750}。'
)
OWN_RENT_HINT = Text(
    'Give US dollars per card and hour, e.g. {"RTX 4090": 0.4}.', '请给出每张卡每小时的美元价，例如 {"RTX 4090": 0.4}。'
)
# A price of the same day: what a shop asks counts before what a private seller asks.
_KIND_ORDER = {"own": 3, "street": 2, "used": 1, "launch": 0}
KIND_ZH = {"own": "你给的价", "street": "市价", "used": "二手价", "launch": "首发价"}


@dataclass(frozen=True, slots=True)
class Price:
    """What one card cost on a day; `as_of` is None for a price the person gave."""

    price_usd: float
    kind: str
    as_of: str | None
    source: Source | None


@dataclass(frozen=True, slots=True)
class Rent:
    """What one rented GPU costs per hour: the middle one of several dated offers."""

    gpu: str
    provider: str
    usd_per_h: float
    kind: str
    as_of: str
    offers: int
    source: Source


@dataclass(frozen=True, slots=True)
class Place:
    """A figure of a country or a cloud region."""

    code: str
    name: Text
    value: float
    year: int
    source: Source


@cache
def read_csv(file: str) -> tuple[dict[str, str], ...]:
    """Read a packaged CSV file into rows by column name."""
    text = (files("tools") / "data" / file).read_text("utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def _source(row: Mapping[str, str], date: str) -> Source:
    return Source(row["source"], row["url"], date)


def prices_of(gpu: Gpu) -> tuple[Price, ...]:
    """Return every dated price of a card, its launch price among them."""
    dated = [
        Price(float(row["price_usd"]), row["kind"], row["as_of"], _source(row, row["as_of"]))
        for row in read_csv("prices.csv")
        if row["card"] == gpu.name
    ]
    if gpu.launch_price_usd is not None:
        day = gpu.launch_date or gpu.as_of
        url = gpu.source if gpu.source.startswith("http") else ""
        dated.append(Price(gpu.launch_price_usd, "launch", day, Source(f"{gpu.name} launch price", url, day)))
    return tuple(dated)


def price_of(gpu: Gpu, own: Mapping[str, float]) -> Price | None:
    """Return the person's own price, or else the newest dated one, or None."""
    if gpu.name in own:
        return Price(own[gpu.name], "own", None, None)
    dated = prices_of(gpu)
    return max(dated, key=lambda price: (price.as_of or "", _KIND_ORDER[price.kind])) if dated else None


def price_sources(prices: Sequence[Price | None]) -> tuple[Source, ...]:
    """Return where these prices were seen, each source once."""
    return tuple(dict.fromkeys(price.source for price in prices if price is not None and price.source is not None))


def own_prices(prices_usd: Mapping[str, float] | None) -> dict[str, float]:
    """Check a person's prices and file them under the catalogue's names."""
    if prices_usd is not None and not isinstance(prices_usd, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - callers send JSON
        raise ToolInputError(
            f"`prices_usd` must name cards. {OWN_PRICE_HINT.en}", f"`prices_usd` 要写明显卡。{OWN_PRICE_HINT.zh}"
        )
    return {
        find(name, "prices_usd").gpu.name: number("prices_usd", price, "USD", high=1e7, hint=OWN_PRICE_HINT)
        for name, price in (prices_usd or {}).items()
    }


def own_rents(rents_usd_per_h: Mapping[str, float] | None) -> dict[str, float]:
    """Check a person's rents per card and file them under the catalogue's names."""
    if rents_usd_per_h is not None and not isinstance(rents_usd_per_h, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - callers send JSON
        raise ToolInputError(
            f"`rents_usd_per_h` must name cards. {OWN_RENT_HINT.en}",
            f"`rents_usd_per_h` 要写明显卡。{OWN_RENT_HINT.zh}",
        )
    return {
        find(name, "rents_usd_per_h").gpu.name: number("rents_usd_per_h", rent, "USD/h", high=1000, hint=OWN_RENT_HINT)
        for name, rent in (rents_usd_per_h or {}).items()
    }


def rent_of(gpu: Gpu, own: Mapping[str, float] | None = None) -> Rent | None:
    """Return the person's own rent, or else the middle one of a card's rents, on demand if anybody offers it so.

    The cheapest offers come from hosts of third parties; the middle one can be had on most days.
    """
    if own and gpu.name in own:
        return Rent(gpu.name, "your rent", own[gpu.name], "own", "", 1, Source("The rent you gave", "", ""))
    rows = [row for row in read_csv("cloud_prices.csv") if row["gpu"] == gpu.name]
    kept = [row for row in rows if row["kind"] == "on_demand"] or rows
    if not kept:
        return None
    kept.sort(key=lambda row: float(row["usd_per_h"]) / int(row["gpu_count"]))
    row = kept[len(kept) // 2]
    return Rent(
        gpu.name,
        row["provider"],
        float(row["usd_per_h"]) / int(row["gpu_count"]),
        row["kind"],
        row["as_of"],
        len(kept),
        _source(row, row["as_of"]),
    )


def rented_gpus() -> tuple[str, ...]:
    """Return the names of the cards that somebody rents out."""
    return tuple(dict.fromkeys(row["gpu"] for row in read_csv("cloud_prices.csv")))


@cache
def _places(file: str, column: str) -> dict[str, Place]:
    found: dict[str, Place] = {}
    for row in read_csv(file):
        place = Place(
            row["code"],
            Text(row["name_en"], row["name_zh"]),
            float(row[column]),
            int(row["year"]),
            _source(row, row["year"]),
        )
        for name in (row["code"], row["name_en"], row["name_zh"], *row["aliases"].split(";")):
            if name:
                found.setdefault(name.lower(), place)
    return found


def grid_of(region: object, argument: str = "region") -> Place:
    """Return the grid intensity of a country or a cloud region, in g/kWh."""
    return _find(
        region,
        argument,
        "grid.csv",
        "g_per_kwh",
        Text("Or give `intensity_g_per_kwh` yourself.", "也可以自己给出 `intensity_g_per_kwh`。"),
    )


def tariff_of(country: object, argument: str = "country") -> Place:
    """Return what a household pays for electricity, in USD/kWh."""
    return _find(
        country,
        argument,
        "electricity.csv",
        "usd_per_kwh",
        Text("Or leave it out: 0.175 USD/kWh is then assumed.", "也可以不填，按 0.175 美元/度计算。"),
    )


def _find(name: object, argument: str, file: str, column: str, way_out: Text) -> Place:
    places = _places(file, column)
    text = name.strip().lower() if isinstance(name, str) else ""
    if text in places:
        return places[text]
    near = get_close_matches(text, places, n=1, cutoff=0.6)
    guess = f" Did you mean '{places[near[0]].name.en}'?" if near else ""
    rat = f"是不是“{places[near[0]].name.zh}”？" if near else ""
    codes = ", ".join(dict.fromkeys(place.code for place in places.values() if place.code.isupper()))
    shown = repr(name)[:60]
    raise ToolInputError(
        f"`{argument}` {shown} is not known.{guess} Countries: {codes}. {way_out.en}",
        f"没有 {shown} 的数据（`{argument}`）。{rat}国家代码：{codes}。{way_out.zh}",
    )
