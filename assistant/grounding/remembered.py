"""Work on the results of a conversation is done once: each turn verifies several drafts over the same ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from tools.api import Json

P = ParamSpec("P")
T = TypeVar("T")
Results = Mapping[str, Mapping[str, Json]]
# Results, alone or as a conversation, that are kept at hand for each kind of work.
_MOST = 512


def remembered(make: Callable[Concatenate[Results, P], T]) -> Callable[Concatenate[Results, P], T]:
    """Keep what a function makes of results, as long as these very objects are asked about again."""
    # The results themselves are held beside the value, so that no other object gets their identity.
    held: OrderedDict[Any, tuple[Any, T]] = OrderedDict()

    @wraps(make)
    def ask(results: Results, *args: P.args, **kwargs: P.kwargs) -> T:
        calls = tuple(results.values())
        key = (tuple(results), tuple(map(id, calls)), args, tuple(kwargs.items()))
        found = held.get(key)
        if found is None:
            held[key] = found = (calls, make(results, *args, **kwargs))
            if len(held) > _MOST:
                held.popitem(last=False)
        return found[1]

    return ask
