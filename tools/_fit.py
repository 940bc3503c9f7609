"""Which cards of the catalogue hold a number of gigabytes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import islice

from tools._catalog import Gpu, gpus
from tools._result import Text

MOST_CARDS_LISTED = 12
# Chips that cannot stand side by side in one machine; TPUs are no cards at all.
_ALONE = ("laptop", "integrated")

NOMINAL = Text(
    "A card counts with its nominal GB. It has a little more in bytes and loses about as much to driver and display.",
    "显卡按标称 GB 计：实际字节数略多，驱动和显示占用与之大致相抵。",
)


def fitting_gpus(needed_gb: float, gpu_count: int = 1, *, training: bool = False) -> tuple[str, ...]:
    """Return names of cards that hold `needed_gb`, smallest first, more bandwidth first among equals.

    Args:
        needed_gb: What one card must hold. [GB]
        gpu_count: Cards in use; chips that cannot be combined are left out above one. [1]
        training: Leave out chips with shared memory, which the training software does not serve.
    """
    left_out = (_ALONE if gpu_count > 1 else ()) + (("integrated",) if training else ())
    fitting = (card.name for card in _by_memory() if card.memory_gb >= needed_gb and card.segment not in left_out)
    return tuple(islice(fitting, MOST_CARDS_LISTED))


@cache
def _by_memory() -> tuple[Gpu, ...]:
    cards = (card for card in gpus() if card.segment != "tpu")
    return tuple(sorted(cards, key=lambda card: (card.memory_gb, -card.memory_bandwidth_gb_s, card.name)))


def no_card(needed_gb: float, fitting: tuple[str, ...]) -> tuple[Text, ...]:
    """Return a warning if no card of the catalogue is large enough."""
    if fitting:
        return ()
    return (
        Text(
            "No single card of the catalogue holds that: use more cards, fewer bits, or a shorter context.",
            "目录里没有一张卡放得下：请增加卡数、降低位数或缩短上下文。",
        ),
    )


def largest_that_fits(need: Callable[[int], float], room: float, most: int) -> int:
    """Return the largest whole number whose need stays within the room, 0 if not even 1 does.

    Args:
        need: What a number takes; it never falls.
        room: What there is, in the same unit.
        most: Largest number to try. [1]
    """
    if need(1) > room:
        return 0
    low, high = 1, 2
    while high <= most and need(high) <= room:
        low, high = high, high * 2
    high = min(high, most + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if need(middle) <= room else (low, middle)
    return low
