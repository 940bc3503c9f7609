"""The pieces of the ranking by value: which cards, how fast, at which price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from tools._cards import board_power_w
from tools._catalog import Gpu, gpus
from tools._errors import ToolInputError
from tools._names import find
from tools._result import Source, Text
from tools._tables import Price
from tools._terms import Running
from tools._units import figure
from tools.performance import relative_performance

# Names of cards without a price that one sentence can hold.
MOST_NAMES = 8

Use = Literal["inference_8bit", "inference_16bit", "training_16bit", "llm_decode"]
USES: tuple[Use, ...] = ("inference_8bit", "inference_16bit", "training_16bit", "llm_decode")


@dataclass(frozen=True, slots=True)
class ValueRow:
    """One card of the ranking; `relative` is its speed next to an H100 SXM."""

    gpu: str
    memory_gb: float
    price_usd: float
    price_as_of: str | None
    price_kind: str
    electricity_usd: float
    total_usd: float
    relative: float
    relative_per_1000_usd: float


def read_names(names: object) -> list[str] | None:
    """Return the cards a caller listed, None for all; one name counts as a list of one."""
    if names is None:
        return None
    if isinstance(names, str):
        names = [names]
    if not isinstance(names, (list, tuple)):
        raise ToolInputError(
            "`gpus` is no list of cards. Give one such as ['RTX 3090', 'RTX 4090'].",
            "`gpus` 不是显卡列表。请写成 ['RTX 3090', 'RTX 4090']。",
        )
    # JSON says nothing about what is in a list; `find` refuses what is no name.
    return [find(name, "gpus").gpu.name for name in cast("Sequence[object]", names)]


def asked(names: Sequence[str] | None, own: Mapping[str, float], least: float) -> list[Gpu]:
    """Return the cards to rank: those named, or all that have enough memory and fit a machine."""
    known = (
        {card.name: card for card in gpus()}
        if names is None
        else {card.name: card for card in (find(name, "gpus").gpu for name in names)}
    )
    known |= {name: find(name).gpu for name in own if names is None}
    return [
        card
        for card in known.values()
        if card.vendor in ("NVIDIA", "AMD")
        and card.board_power_w is not None
        and card.memory_gb >= least
        and (names is not None or card.name in own or card.segment not in ("laptop", "integrated"))
    ]


@dataclass(frozen=True, slots=True)
class Speeds:
    """Relative speeds by card, and what `relative_performance` said about them."""

    of: dict[str, float]
    warnings: tuple[Text, ...] = ()
    sources: tuple[Source, ...] = ()


def speeds(names: list[str], use: Use) -> Speeds:
    """Ask for the relative speeds; a card that cannot be compared is left out."""
    if not names:
        return Speeds({})
    try:
        result = relative_performance(gpus=names, use=use)
    except ToolInputError:
        if len(names) == 1:
            return Speeds({})
        one, two = speeds(names[: len(names) // 2], use), speeds(names[len(names) // 2 :], use)
        return Speeds(
            one.of | two.of,
            tuple(dict.fromkeys(one.warnings + two.warnings)),
            tuple(dict.fromkeys(one.sources + two.sources)),
        )
    return Speeds({row.gpu: row.relative for row in result.rows}, result.warnings, result.sources)


def row(card: Gpu, price: Price, terms: Running, machine: float, relative: float) -> ValueRow:
    """Work out one line of the ranking."""
    electricity = terms.electricity_usd(board_power_w(card))
    total = price.price_usd + machine + electricity
    return ValueRow(
        card.name,
        card.memory_gb,
        price.price_usd,
        price.as_of,
        price.kind,
        electricity,
        total,
        relative,
        relative / total * 1000,
    )


def value_step(row: ValueRow, machine: float) -> str:
    """Write how a line came about."""
    return (
        f"{row.gpu}: total_usd = {figure(row.price_usd)} + {figure(machine)} + {figure(row.electricity_usd)}"
        f" = {figure(row.total_usd)} USD; relative_per_1000_usd = {figure(row.relative)} / {figure(row.total_usd)}"
        f" USD x 1000 = {figure(row.relative_per_1000_usd)}"
    )


def unpriced_note(unpriced: tuple[str, ...]) -> tuple[Text, ...]:
    """Name the cards without a price and ask for it."""
    if not unpriced:
        return ()
    named = ", ".join(unpriced[:MOST_NAMES]) + (" …" if len(unpriced) > MOST_NAMES else "")
    return (
        Text(
            f"Left out for want of a price: {named}. Give it in `prices_usd`.",
            f"因没有价格而未列入：{named}。可在 `prices_usd` 里给出。",
        ),
    )


def rank_notes(
    rows: Sequence[ValueRow], unpriced: tuple[str, ...], dropped: tuple[str, ...], machine: float
) -> tuple[Text, ...]:
    """Say what was left out."""
    notes = list(unpriced_note(unpriced))
    if dropped:
        named = ", ".join(dropped[:MOST_NAMES])
        notes.append(
            Text(
                f"Left out: {named}. Over budget, too little memory, not NVIDIA or AMD, or unknown power.",
                f"未列入：{named}。超出预算、显存不足、不是 NVIDIA 或 AMD，或者功耗未知。",
            )
        )
    if machine == 0:
        notes.append(Text("The cost of the rest of the machine is not counted.", "不计整机其余部分的费用。"))
    if rows:
        notes.append(Text("Speeds are relative to an H100 SXM.", "速度以 H100 SXM 为 1。"))
    return tuple(notes)


def rank_warnings(rows: Sequence[ValueRow]) -> tuple[Text, ...]:
    """Say what a careful friend would add."""
    if not rows:
        return (
            Text(
                "No card with a known price meets these wishes: ask for less memory or raise the budget.",
                "没有已知价格的卡满足要求：请降低显存要求或提高预算。",
            ),
        )
    if len({row.price_kind for row in rows if row.price_kind != "own"}) > 1:
        return (
            Text(
                "Launch, street and used prices of different days are mixed; check the price before buying.",
                "首发价、市价和二手价日期不同，下单前请核对价格。",
            ),
        )
    return ()
