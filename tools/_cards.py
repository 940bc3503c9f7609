"""Cards by name and number, as `{"RTX 3090": 4}` or `["RTX 3090", "RTX 4090"]`."""

from __future__ import annotations

from dataclasses import dataclass

from tools._catalog import Gpu
from tools._errors import ToolInputError, count
from tools._names import find
from tools._result import Source, Text, is_array, is_object

CARDS_HINT = Text('Give cards by name and number, e.g. {"RTX 3090": 4}.', '请写明型号和数量，例如 {"RTX 3090": 4}。')
MOST_CARDS = 16


@dataclass(frozen=True, slots=True)
class Card:
    """A number of equal cards."""

    gpu: Gpu
    count: int


def read_cards(cards: object, *, most: int = MOST_CARDS) -> tuple[Card, ...]:
    """Turn what a caller gave into cards of the catalogue.

    Args:
        cards: Names with numbers, a list of names, or one name.
        most: Largest number of cards in one machine. [1]

    Raises:
        ToolInputError: If a card is unknown, a number is no count, or there are too many.
    """
    named: list[tuple[str, object]]
    if isinstance(cards, str):
        named = [(cards, 1)]
    elif is_object(cards):
        named = [(str(name), number) for name, number in cards.items()]
    elif is_array(cards):
        named = [(str(name), 1) for name in cards]
    else:
        named = []
    if not named:
        raise ToolInputError(
            f"`cards` is empty or no list of cards. {CARDS_HINT.en}", f"`cards` 为空或不是显卡列表。{CARDS_HINT.zh}"
        )
    hint = Text(
        f"One machine holds up to {most} cards; plan several machines for more. {CARDS_HINT.en}",
        f"一台机器最多 {most} 张卡，更多请按多台机器规划。{CARDS_HINT.zh}",
    )
    total: dict[str, int] = {}
    gpu_of: dict[str, Gpu] = {}
    for name, number in named:
        gpu = find(name, "cards").gpu
        gpu_of[gpu.name] = gpu
        total[gpu.name] = total.get(gpu.name, 0) + count("cards", number, high=most, hint=hint)
    count("cards", sum(total.values()), high=most, hint=hint)
    return tuple(Card(gpu_of[name], number) for name, number in total.items())


def board_power_w(gpu: Gpu) -> float:
    """Return the board power of a card, in W.

    Raises:
        ToolInputError: If its data sheet states none.
    """
    if gpu.board_power_w is None:
        raise ToolInputError(
            f"No board power is known for '{gpu.name}'. Measure the whole machine at the wall and give its watts, or ask"
            " about another card.",
            f"目录里没有 '{gpu.name}' 的整卡功耗。请在墙上实测整机功率再告诉我瓦数，或者换一张卡。",
        )
    return gpu.board_power_w


def source_of(gpu: Gpu) -> Source:
    """Return the data sheet behind a card's row."""
    state = "" if gpu.verified else " (unverified)"
    url = gpu.source if gpu.source.startswith("http") else ""
    title = f"{gpu.name} specification{state}" if url else f"{gpu.name} specification: {gpu.source}{state}"
    return Source(title, url, gpu.as_of)
