"""Plugs of the cards against plugs of the supply."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from tools._cards import Card, board_power_w
from tools._errors import ToolInputError, count
from tools._result import Source, Text, is_object
from tools._units import figure

SLOT_W = 75.0
PLUG_W = {"6-pin": 75.0, "8-pin": 150.0, "8-pin EPS": 300.0, "12VHPWR": 600.0}
# Most that one card may take from slot and plugs together.
CARD_W = 600.0
PLUGS_HINT = Text(
    'Give plugs and their number, e.g. {"8-pin": 6, "12VHPWR": 1}.',
    '请写明接头和数量，例如 {"8-pin": 6, "12VHPWR": 1}。',
)
CEM = Source(
    "Intel 336521, power of the slot and of each plug, and of a card at most (PCIe CEM 5.0)",
    "https://edc.intel.com/content/www/us/en/design/ipla/software-development-platforms/client/platforms/"
    "alder-lake-desktop/atx-version-3-0-multi-rail-desktop-platform-power-supply-design-guide/2.0/2.01/"
    "pci-express-add-in-card-considerations/",
    "2023-02-01",
)


@dataclass(frozen=True, slots=True)
class Plug:
    """One kind of plug: how many the cards need, and how many the supply has (null if it was not given)."""

    connector: str
    needed_count: int
    present_count: int | None
    missing_count: int | None


def plugs_of(card: Card) -> dict[str, int]:
    """Return the plugs of one card by kind; an adapter counts as the plugs that it needs."""
    found: dict[str, int] = {}
    for written in card.gpu.power_connectors:
        if written == "SXM":
            continue
        kind, number = _kind(written)
        found[kind] = found.get(kind, 0) + number
    return found


def _kind(written: str) -> tuple[str, int]:
    if written.startswith("12-pin (adapter to "):
        return "8-pin", int(written.removeprefix("12-pin (adapter to ")[0])
    if "EPS" in written:
        return "8-pin EPS", 1
    return ("12VHPWR", 1) if written == "12V-2x6" else (written, 1)


def read_plugs(plugs: object) -> dict[str, int] | None:
    """Return the plugs of a supply, None if they were not given."""
    if plugs is None:
        return None
    if not is_object(plugs) or not plugs or not set(plugs) <= set(PLUG_W):
        kinds = ", ".join(PLUG_W)
        raise ToolInputError(
            f"`psu_connectors` must name plugs out of {kinds}. {PLUGS_HINT.en}",
            f"`psu_connectors` 只能写这些接头：{kinds}。{PLUGS_HINT.zh}",
        )
    return {
        str(kind): count("psu_connectors", number, low=0, high=64, hint=PLUGS_HINT) for kind, number in plugs.items()
    }


def compare_plugs(chosen: tuple[Card, ...], present: Mapping[str, int] | None) -> tuple[Plug, ...]:
    """Say which plugs are needed and which are missing; 8-pin plugs serve 6-pin sockets and 12VHPWR adapters."""
    needed: dict[str, int] = dict.fromkeys(PLUG_W, 0)
    for card in chosen:
        for kind, number in plugs_of(card).items():
            needed[kind] = needed.get(kind, 0) + number * card.count
    if present is None:
        return tuple(Plug(kind, number, None, None) for kind, number in needed.items() if number)
    _serve_sixes(needed, present)
    _serve_adapters(chosen, needed, present)
    return tuple(
        Plug(kind, number, present.get(kind, 0), max(0, number - present.get(kind, 0)))
        for kind, number in needed.items()
        if number
    )


def _serve_sixes(needed: dict[str, int], present: Mapping[str, int]) -> None:
    short = max(0, needed["6-pin"] - present.get("6-pin", 0))
    needed["6-pin"] -= short
    needed["8-pin"] += short


def _serve_adapters(chosen: tuple[Card, ...], needed: dict[str, int], present: Mapping[str, int]) -> None:
    """Count 8-pin plugs for the 12VHPWR cards that get no cable of their own, the smallest cards first."""
    short = max(0, needed["12VHPWR"] - present.get("12VHPWR", 0))
    sockets = sorted(
        board_power_w(card.gpu) for card in chosen if "12VHPWR" in plugs_of(card) for _ in range(card.count)
    )
    needed["12VHPWR"] -= short
    needed["8-pin"] += sum(adapter_plugs(watts) for watts in sockets[:short])


def adapter_plugs(watts: float) -> int:
    """Return how many 8-pin plugs an adapter to 12VHPWR takes; NVIDIA's have 2 to 4."""
    return max(2, math.ceil(watts / PLUG_W["8-pin"]))


def plug_warnings(chosen: tuple[Card, ...], plugs: tuple[Plug, ...], *, pigtails: bool) -> tuple[Text, ...]:
    """Say what plugs are missing, overloaded or doubled."""
    notes: list[Text] = []
    for plug in plugs:
        if plug.missing_count:
            more = f"{plug.missing_count} more {'is' if plug.missing_count == 1 else 'are'}"
            notes.append(
                Text(
                    f"The supply lacks {plug.connector} plugs: {more} needed.",
                    f"电源还缺 {plug.missing_count} 个 {plug.connector} 接头。",
                )
            )
    for card in chosen:
        most = min(CARD_W, SLOT_W + sum(PLUG_W.get(kind, 0) * number for kind, number in plugs_of(card).items()))
        if plugs_of(card) and card.gpu.segment != "datacenter" and board_power_w(card.gpu) > most:
            notes.append(
                Text(
                    f"{card.gpu.name} may take {figure(board_power_w(card.gpu))} W, its plugs and slot carry"
                    f" {figure(most)} W.",
                    f"{card.gpu.name} 可能取 {figure(board_power_w(card.gpu))} W，接头和插槽只能供 {figure(most)} W。",
                )
            )
        if pigtails and plugs_of(card).get("8-pin", 0) > 1:
            notes.append(
                Text(
                    f"{card.gpu.name}: two plugs on one cable put 300 W on it; run a cable of its own to each.",
                    f"{card.gpu.name}：一根线分两个头，这根线要承受 300 W；请每个接口单独走一根线。",
                )
            )
    return tuple(notes)
