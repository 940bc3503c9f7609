"""Bare numbers whose unit the words around them give: "每小时 12 块，买一台要 9 万", "cap them at 250"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.measures import CURRENCIES
from assistant.numerals import Numeral

_BOUGHT = re.compile(
    r"(?:买|花|卖|预算|总价|售价|一台|(?:buy(?:ing)?|costs?|paid?|spend|budget(?: of| is)?)(?: about| around)?)\s*(?:[一两]?[张台块])?\s*(?:要|了|是|约)?\s*$",
    re.IGNORECASE,
)
# Smaller ones count cards, users or hours.
_LEAST = 500.0
_REACH = 16


def in_the_same_money(text: str, numbers: Sequence[Numeral]) -> list[Numeral]:
    """Let a bare amount that is bought or paid take the one currency of a message.

    Args:
        text: The message.
        numbers: Its numbers with their units.
    """
    heads = {item.unit.partition("/")[0] for item in numbers} & set(CURRENCIES)
    if len(heads) != 1:
        return list(numbers)
    code = next(iter(heads))
    return [
        replace(item, unit=code)
        if not item.unit
        and not item.in_words
        and item.value >= _LEAST
        and _BOUGHT.search(text[max(0, item.start - _REACH) : item.start])
        else item
        for item in numbers
    ]


# "cap them at 250": so much after a limit is watts.
_LIMITED_TO = re.compile(
    r"(?:\bcap(?:ped|ping)?|\blimit(?:ed|ing)?|\bundervolt(?:ed)?)(?: (?:them|it|each|all|both|every one|the cards?|the gpus?|(?:the )?power))* (?:at|to)\s*$|"
    r"限(?:功率|功耗|制|功)?(?:到|在|成)\s*$|锁(?:到|在)\s*$",
    re.IGNORECASE,
)
_LEAST_LIMIT_W, _MOST_LIMIT_W = 80.0, 900.0


def is_a_limit(number: Numeral, before: str) -> bool:
    """Whether a number without a unit is the watts that cards are limited to.

    Args:
        number: The number.
        before: The text in front of it.
    """
    return not number.unit and _LEAST_LIMIT_W <= number.raw <= _MOST_LIMIT_W and _LIMITED_TO.search(before) is not None
