"""What the making of cards emits, as a stated range, and what an offset costs."""

from __future__ import annotations

from dataclasses import dataclass

from tools._cards import Card
from tools._errors import number
from tools._result import Source, Text
from tools._terms import HOURS_PER_YEAR, YEARS
from tools._units import figure

# EcoDiag takes 60 kg for a powerful desktop card (+-85 %), BLOOM's authors 150 kg for an A100.
DESKTOP_KG = (60.0, 150.0)
# BLOOM's 150 kg, and 318 kg for an A100 with its eighth of the server (Chien and others).
SERVER_KG = (150.0, 318.0)
# Monthly averages of retired credits: 4 USD/t in mid-2024, 11 USD/t at the peak of early 2022.
OFFSET_USD_PER_T = (4.0, 11.0)
_DESKTOP = ("desktop", "workstation", "laptop", "integrated")

BLOOM = Source(
    "Luccioni and others, Estimating the Carbon Footprint of BLOOM (embodied: 150 kg per A100)",
    "https://jmlr.org/papers/v24/23-0069.html",
    "2023-01-01",
)
CHIEN = Source(
    "Chien and others, Carbon Impact of Generative AI Inference (318 kg per A100 with its server share)",
    "https://doi.org/10.1145/3604930.3605705",
    "2023-07-09",
)
ECODIAG = Source(
    "EcoDiag (EcoInfo, CNRS): 60 kg for a powerful graphics card",
    "https://ecoinfo.cnrs.fr/ecodiag-calcul/",
    "2022-01-01",
)
OFFSETS = Source(
    "World Federation of Exchanges, price dynamics of the voluntary carbon market",
    "https://focus.world-exchanges.org/articles/unveiling-price-dynamics-voluntary-carbon-market-trends-and-insights",
    "2024-11-01",
)
OFFSET_HINT = Text("Give US dollars per tonne, e.g. 10.", "请给出每吨美元，例如 10。")


@dataclass(frozen=True, slots=True)
class Making:
    """Emissions of making the cards, all of them and the part for the hours asked about; null without cards."""

    low: float | None = None
    high: float | None = None
    part_low: float | None = None
    part_high: float | None = None
    steps: tuple[str, ...] = ()
    notes: tuple[Text, ...] = ()


def embodied_kg(chosen: tuple[Card, ...], hours: float) -> Making:
    """Return the range for these cards, and its part: hours over five years."""
    if not chosen:
        return Making()
    ranges = [(card.count, *(DESKTOP_KG if card.gpu.segment in _DESKTOP else SERVER_KG)) for card in chosen]
    low = sum(count * least for count, least, _ in ranges)
    high = sum(count * most for count, _, most in ranges)
    part = min(1.0, hours / (YEARS * HOURS_PER_YEAR))
    terms = " + ".join(f"{count} x {figure(least)} to {figure(most)} kg" for count, least, most in ranges)
    return Making(
        low,
        high,
        low * part,
        high * part,
        (
            f"embodied_kg = {terms} = {figure(low)} to {figure(high)} kg",
            f"embodied_part_kg = {figure(low)} to {figure(high)} kg x {figure(part)}"
            f" = {figure(low * part)} to {figure(high * part)} kg",
        ),
        (
            Text(
                "The making of the cards stands apart: a rough range, its part spread over five years.",
                "制造排放单列，只有粗略范围，按使用五年分摊。",
            ),
        ),
    )


def offset_usd(tonnes: float, usd_per_t: object) -> tuple[float, float]:
    """Return what offsets cost, low and high; at the person's price if one is given."""
    if usd_per_t is None:
        return tonnes * OFFSET_USD_PER_T[0], tonnes * OFFSET_USD_PER_T[1]
    price = number("offset_usd_per_t", usd_per_t, "USD/t", high=10_000, hint=OFFSET_HINT)
    return tonnes * price, tonnes * price
