"""The person's own prices: a CSV file or `gpuhunt` into dated rows of the data folder, and from there to the tools.

The tools stay pure: they are handed `prices_usd` and `rents_usd_per_h` as arguments.
"""

from __future__ import annotations

import csv
import importlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer

from assistant.settings import Settings
from tools.api import Json, Tool, ToolInputError, find, get_tool, is_object

CARD_FILE, RENT_FILE = "prices.csv", "cloud_prices.csv"
CARD_KINDS = ("street", "used", "launch")
RENT_KINDS = ("on_demand", "spot", "reserved")
COLUMNS = "card, price_usd, kind (street, used, launch) or gpu, gpu_count, usd_per_h, kind (on_demand, spot, reserved)"


@dataclass(frozen=True, slots=True)
class CardPrice:
    """What a card cost on a day."""

    card: str
    price_usd: float
    kind: str
    as_of: str
    source: str


@dataclass(frozen=True, slots=True)
class RentPrice:
    """What one instance cost per hour on a day; `usd_per_h` is for all its GPUs."""

    provider: str
    gpu: str
    gpu_count: int
    usd_per_h: float
    kind: str
    as_of: str
    source: str


Row = CardPrice | RentPrice


class PriceFileError(ValueError):
    """A row that cannot be read; the message names its line and says what to change."""


def read_prices(path: Path, today: str) -> list[Row]:
    """Read a CSV file of card prices or of rents.

    Raises:
        PriceFileError: If the file or a row cannot be read.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [
                {str(key).strip(): (value or "").strip() for key, value in row.items() if key is not None}
                for row in csv.DictReader(file)
            ]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        why = type(error).__name__
        raise PriceFileError(f"{path.name} cannot be read ({why}). Give a CSV file in UTF-8.") from error
    if not rows:
        raise PriceFileError(f"{path.name} has no rows. Its columns are {COLUMNS}, as_of, source.")
    return [_row(row, line, today) for line, row in enumerate(rows, 2)]


def _row(row: Mapping[str, str], line: int, today: str) -> Row:
    try:
        day = date.fromisoformat(row.get("as_of") or today).isoformat()
        source = row.get("source") or "your own file"
        if row.get("usd_per_h"):
            return RentPrice(
                row.get("provider") or "your own",
                find(row.get("gpu") or row.get("card", "")).gpu.name,
                _count(row.get("gpu_count") or "1"),
                _money(row, "usd_per_h", 10_000),
                _kind(row, RENT_KINDS),
                day,
                source,
            )
        return CardPrice(
            find(row.get("card") or row.get("gpu", "")).gpu.name,
            _money(row, "price_usd", 1e7),
            _kind(row, CARD_KINDS),
            day,
            source,
        )
    except (ValueError, ToolInputError) as error:
        raise PriceFileError(f"Line {line}: {error}") from error


def _money(row: Mapping[str, str], column: str, most: float) -> float:
    """Read an amount, in `currency` if the row has one (with `units_per_dollar`, or at a dated rate)."""
    text = row.get(column, "")
    try:
        amount = float(text)
    except ValueError:
        raise ValueError(f"`{column}` must be a number, got {text[:40]!r}. The columns are {COLUMNS}.") from None
    if row.get("currency"):
        rate = row.get("units_per_dollar")
        arguments: dict[str, Any] = {"amount": amount, "currency": row["currency"]}
        amount = float(
            get_tool("convert_currency")
            .call({**arguments, **({"units_per_dollar": float(rate)} if rate else {})})
            .to_dict()["amount_usd"]
        )
    if not 0 < amount <= most:
        raise ValueError(f"`{column}` must be above 0 and at most {most:g} USD, got {text[:40]}.")
    return amount


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 64:
        raise ValueError(f"`gpu_count` must be a whole number from 1 to 64, got {text[:40]!r}.")
    return int(text)


def _kind(row: Mapping[str, str], kinds: Sequence[str]) -> str:
    kind = row.get("kind") or kinds[0]
    if kind not in kinds:
        raise ValueError(f"`kind` must be one of {', '.join(kinds)}, got {kind[:40]!r}.")
    return kind


def hunt(today: str) -> list[Row]:
    """Ask `gpuhunt`, if it is installed, for today's offers of cards that the catalogue knows.

    Raises:
        PriceFileError: If it is not installed or no source answers.
    """
    try:
        offers: Iterable[Any] = importlib.import_module("gpuhunt").query(min_gpu_count=1)
        found = list(offers)
    except ImportError as error:
        raise PriceFileError("`gpuhunt` is not installed: pip install gpuhunt, or give a CSV file.") from error
    except Exception as error:  # any source of any provider may be down; the packaged prices stay
        raise PriceFileError(f"`gpuhunt` got no answer ({type(error).__name__}); what you had is kept.") from error
    rows: list[Row] = [row for offer in found if (row := _offer(offer, today)) is not None]
    if not rows:
        raise PriceFileError("`gpuhunt` found no offer for a card of the catalogue; what you had is kept.")
    return rows


def _offer(offer: Any, today: str) -> RentPrice | None:
    try:
        gpu = find(f"{offer.gpu_name} {offer.gpu_memory:g}GB").gpu.name
        price = float(offer.price)
    except (ToolInputError, TypeError, ValueError, AttributeError):
        return None
    if price <= 0:
        return None
    kind = "spot" if offer.spot else "on_demand"
    return RentPrice(str(offer.provider), gpu, int(offer.gpu_count), price, kind, today, "gpuhunt")


def save(rows: Sequence[Row], folder: Path) -> None:
    """Merge rows into the data folder; of equal rows the newest day stays. A write replaces the file whole."""
    folder.mkdir(parents=True, exist_ok=True)
    kinds: tuple[tuple[str, type[CardPrice | RentPrice]], ...] = ((CARD_FILE, CardPrice), (RENT_FILE, RentPrice))
    for name, kind in kinds:
        new = [row for row in rows if type(row) is kind]
        if not new:
            continue
        merged: dict[tuple[object, ...], Row] = {}
        for row in sorted([*_stored(folder / name), *new], key=lambda row: row.as_of):
            merged[_key(row)] = row
        partial = folder / f".{name}.part"
        with partial.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, [field.name for field in fields(kind)])
            writer.writeheader()
            writer.writerows(asdict(row) for row in merged.values())
        partial.replace(folder / name)


def _key(row: Row) -> tuple[object, ...]:
    return (row.card, row.kind) if isinstance(row, CardPrice) else (row.provider, row.gpu, row.gpu_count, row.kind)


def _stored(path: Path) -> list[Row]:
    return read_prices(path, "1970-01-01") if path.exists() else []


def own_prices(folder: Path) -> tuple[dict[str, float], dict[str, float]]:
    """Return the person's newest price of each card, and the lowest on-demand rent per GPU (any rent if none is)."""
    cards = [row for row in _stored(folder / CARD_FILE) if isinstance(row, CardPrice)]
    prices = {row.card: row.price_usd for row in sorted(cards, key=lambda row: row.as_of)}
    rents: dict[str, float] = {}
    rows = [row for row in _stored(folder / RENT_FILE) if isinstance(row, RentPrice)]
    firm = {row.gpu for row in rows if row.kind == "on_demand"}
    for row in rows:
        if row.kind == "on_demand" or row.gpu not in firm:
            rents[row.gpu] = min(row.usd_per_h / row.gpu_count, rents.get(row.gpu, float("inf")))
    return prices, rents


def with_own_prices(
    tool: Tool, arguments: Mapping[str, Json], prices: Mapping[str, float], rents: Mapping[str, float]
) -> dict[str, Json]:
    """Hand a tool the person's prices; a price named in the conversation wins over the stored one."""
    known = tool.parameters["properties"]
    given = dict(arguments)
    for name, stored in (("prices_usd", prices), ("rents_usd_per_h", rents)):
        if name in known and stored:
            named = given.get(name)
            given[name] = named if named is not None and not is_object(named) else {**stored, **(named or {})}
    return given


def with_stored_prices(tool: Tool, arguments: Mapping[str, Json], folder: Path) -> dict[str, Json]:
    """Hand a tool the prices of the data folder; a file that somebody damaged is left aside."""
    if not {"prices_usd", "rents_usd_per_h"} & set(tool.parameters["properties"]):
        return dict(arguments)
    try:
        prices, rents = own_prices(folder)
    except PriceFileError:
        return dict(arguments)
    return with_own_prices(tool, arguments, prices, rents)


def import_prices(
    file: Annotated[Path | None, typer.Argument(help=f"CSV with {COLUMNS}, as_of, source.")] = None,
    gpuhunt: Annotated[bool, typer.Option("--gpuhunt", help="Ask gpuhunt for today's rents.")] = False,
) -> None:
    """Write your own prices, dated, into your data folder; they come before the packaged ones."""
    today, folder = date.today().isoformat(), Settings().data_dir
    try:
        if file is None and not gpuhunt:
            raise PriceFileError("Give a CSV file, or --gpuhunt.")
        rows = [*([] if file is None else read_prices(file, today)), *(hunt(today) if gpuhunt else [])]
        save(rows, folder)
    except PriceFileError as error:
        print(error, file=sys.stderr)
        raise typer.Exit(2) from error
    cards = sum(isinstance(row, CardPrice) for row in rows)
    print(f"{cards} card prices and {len(rows) - cards} rents are in {folder}.")
