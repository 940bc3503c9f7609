"""How much CO2 a computation causes: energy times the intensity of the grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tools._cards import Card, read_cards, source_of
from tools._embodied import BLOOM, CHIEN, ECODIAG, OFFSETS, embodied_kg, offset_usd
from tools._errors import ToolInputError, fraction, number
from tools._result import Result, Source, Text
from tools._tables import grid_of
from tools._terms import YEARS_HINT, read_watts, watts_of
from tools._units import figure

KM_PER_MILE = 1.609344
# EPA fact sheet: 8,887 g of CO2 per US gallon, 22.2 miles per gallon: about 400 g per mile, tailpipe only.
CAR_KG_PER_KM = 0.400 / KM_PER_MILE
WEEKS_PER_YEAR = 365.0 / 7
# Clusters are counted here too, so the limit of one machine does not hold.
MOST_CARDS = 100_000

EPA = Source(
    "US EPA, Tailpipe Greenhouse Gas Emissions from a Typical Passenger Vehicle, EPA-420-F-23-014",
    "https://www.epa.gov/greenvehicles/greenhouse-gas-emissions-typical-passenger-vehicle",
    "2023-06-01",
)

HOURS_HINT = Text("Give hours of running time, e.g. 300.", "请给出运行小时数，例如 300。")
POWER_HINT = Text(
    "Give watts, e.g. 400; use the card's board power if nothing was measured.",
    "请给出瓦数，例如 400；没有实测就用整卡功耗。",
)
WEEK_HINT = Text("Give hours of use per week, 168 at most, e.g. 20.", "请给出每周使用小时数，最多 168，例如 20。")
COMPARE = Text(
    "To compare two models take the energy, or count both on one grid.",
    "比较两个模型时请比用电量，或者都按同一个电网算。",
)
INTENSITY_HINT = Text("Give grams per kWh: 0.423 kg is 423.", "请用克每度：0.423 kg 写 423。")


@dataclass(frozen=True, kw_only=True)
class CarbonFootprint(Result):
    """Energy and emissions of a computation.

    Attributes:
        power_w: Power of the hardware at full load. [W]
        hours: Running time. [h]
        utilization: Average power over that power. [1]
        pue: Energy of the building over energy of the hardware. [1]
        energy_kwh: Energy with the building's share. [kWh]
        grid: Country or cloud region whose grid was counted; null if the intensity was given.
        intensity_g_per_kwh: Emissions per unit of electricity. [g/kWh]
        emissions_kg: Emissions of the computation. [kg]
        emissions_t: The same in tonnes. [t]
        car_kg_per_km: Emissions of a typical US passenger car. [kg/km]
        km_by_car: Distance which that car drives for the same emissions. [km]
        embodied_kg_low: Making of the cards, low end; null if no cards were named. [kg]
        embodied_kg_high: High end. [kg]
        embodied_part_kg_low: The part of it that falls on these hours. [kg]
        embodied_part_kg_high: High end. [kg]
        offset_usd_low: What offsets for the emissions cost, low end. [USD]
        offset_usd_high: High end. [USD]
    """

    power_w: float
    hours: float
    utilization: float
    pue: float
    energy_kwh: float
    grid: Text | None
    intensity_g_per_kwh: float
    emissions_kg: float
    emissions_t: float
    car_kg_per_km: float
    km_by_car: float
    embodied_kg_low: float | None
    embodied_kg_high: float | None
    embodied_part_kg_low: float | None
    embodied_part_kg_high: float | None
    offset_usd_low: float
    offset_usd_high: float


def carbon_footprint(
    *,
    hours: float | None = None,
    power_w: float | None = None,
    cards: Mapping[str, int] | None = None,
    utilization: float = 1.0,
    region: str | None = None,
    intensity_g_per_kwh: float | None = None,
    pue: float = 1.0,
    hours_per_week: float | None = None,
    years: float | None = None,
    offset_usd_per_t: float | None = None,
) -> CarbonFootprint:
    """Estimate the energy and the CO2 of a training run or of a machine.

    Use it for "how much CO2 does this training cause?", "what would it be in France?", "how many
    kilometres by car is that?". Give either `power_w` or `cards`, and either `hours` or, before a purchase,
    `hours_per_week` with `years`.

    Args:
        hours: Running time; with the power of one card, card-hours. [h]
        power_w: Power at full load. [W]
        cards: Cards by name and number, counted with their board power, e.g. {"A100 SXM 80GB": 256}.
        utilization: Average power over the full one. [1]
        region: Country ("US", "中国") or cloud region ("europe-north1"); the world if left out.
        intensity_g_per_kwh: Emissions per kWh, instead of `region`. [g/kWh]
        pue: Power usage effectiveness of the building, 1 at home. [1]
        hours_per_week: Planned use a week, instead of `hours`. [h/week]
        years: Planned years of use. [years]
        offset_usd_per_t: Price of an offset, if you know one. [USD/t]

    Returns:
        Energy, emissions, a comparison with a car, the making of the cards and the price of offsets.

    Raises:
        ToolInputError: If a number is outside its range, or power or grid are given twice.

    Notes:
        energy = power x hours x utilization x PUE; emissions = energy x intensity. Grid averages,
        location-based: contracts for green electricity and certificates are left out. The making of the cards
        stands apart, as a range: 60 to 150 kg for a desktop card, 150 to 318 kg for one of a server with its share
        of it; its part is hours over five years.

    References:
        US EPA, EPA-420-F-23-014 (2023): 400 g of CO2 per mile. Llama 2 model card: 184,320 A100
        hours at 400 W, 31.22 t.
    """
    watts, power_step, power_sources, chosen = _power(power_w, cards)
    time, planned = _hours(hours, hours_per_week, years)
    share = fraction("utilization", utilization, hint=Text("Give a share such as 0.8.", "请给出比例，例如 0.8。"))
    overhead = number(
        "pue",
        pue,
        "",
        low=1,
        high=3,
        may_equal_low=True,
        hint=Text("Data centres have 1.1 to 1.6, a home 1.", "数据中心为 1.1 到 1.6，家里为 1。"),
    )
    intensity, place, grid_note, grid_sources = _grid(region, intensity_g_per_kwh)
    energy = watts / 1000 * time * share * overhead
    emissions = energy * intensity / 1000
    making, offset = embodied_kg(chosen, time), offset_usd(emissions / 1000, offset_usd_per_t)
    return CarbonFootprint(
        power_w=watts,
        hours=time,
        utilization=share,
        pue=overhead,
        energy_kwh=energy,
        grid=place,
        intensity_g_per_kwh=intensity,
        emissions_kg=emissions,
        emissions_t=emissions / 1000,
        car_kg_per_km=CAR_KG_PER_KM,
        km_by_car=emissions / CAR_KG_PER_KM,
        embodied_kg_low=making.low,
        embodied_kg_high=making.high,
        embodied_part_kg_low=making.part_low,
        embodied_part_kg_high=making.part_high,
        offset_usd_low=offset[0],
        offset_usd_high=offset[1],
        steps=(
            *power_step,
            *planned,
            f"energy_kwh = {figure(watts / 1000)} kW x {figure(time)} h x {figure(share)} x {figure(overhead)}"
            f" = {figure(energy)} kWh",
            f"emissions_kg = {figure(energy)} kWh x {figure(intensity)} g/kWh / 1000 = {figure(emissions)} kg",
            f"km_by_car = {figure(emissions)} kg / {figure(CAR_KG_PER_KM)} kg/km"
            f" = {figure(emissions / CAR_KG_PER_KM)} km",
            *making.steps,
        ),
        assumptions=(*_assumptions(cards, share, overhead, grid_note), *making.notes, COMPARE),
        sources=(*power_sources, *grid_sources, *((BLOOM, CHIEN, ECODIAG) if chosen else ()), OFFSETS, EPA),
    )


def _hours(hours: float | None, per_week: float | None, years: float | None) -> tuple[float, tuple[str, ...]]:
    planned = per_week is not None or years is not None
    if planned == (hours is not None) or (planned and (per_week is None or years is None)):
        raise ToolInputError(
            "Give either `hours` (e.g. 300) or `hours_per_week` (e.g. 20) with `years` (e.g. 3).",
            "请给出 `hours`（例如 300），或者 `hours_per_week`（例如 20）加 `years`（例如 3）。",
        )
    if hours is not None:
        return number("hours", hours, "h", high=1e9, hint=HOURS_HINT), ()
    weekly = number("hours_per_week", per_week, "h/week", high=168, hint=WEEK_HINT)
    span = number("years", years, "years", high=50, hint=YEARS_HINT)
    total = weekly * WEEKS_PER_YEAR * span
    return total, (
        f"hours = {figure(weekly)} h/week x {figure(WEEKS_PER_YEAR)} x {figure(span)} years = {figure(total)} h",
    )


def _power(
    power_w: float | None, cards: Mapping[str, int] | None
) -> tuple[float, list[str], list[Source], tuple[Card, ...]]:
    if (power_w is None) == (cards is None):
        raise ToolInputError(
            'Give either `power_w` (e.g. 400) or `cards` (e.g. {"A100 SXM 80GB": 8}).',
            '请给出 `power_w`（例如 400）或 `cards`（例如 {"A100 SXM 80GB": 8}），二者选一。',
        )
    if cards is None:
        return read_watts("power_w", power_w, high=1e9, hint=POWER_HINT), [], [], ()
    chosen = read_cards(cards, most=MOST_CARDS)
    watts = sum(watts_of(card.gpu) * card.count for card in chosen)
    terms = " + ".join(f"{card.count} x {figure(watts_of(card.gpu))} W ({card.gpu.name})" for card in chosen)
    return watts, [f"power_w = {terms} = {figure(watts)} W"], [source_of(card.gpu) for card in chosen], chosen


def _grid(region: str | None, intensity: float | None) -> tuple[float, Text | None, list[Text], list[Source]]:
    if region is not None and intensity is not None:
        raise ToolInputError(
            "Give either `region` or `intensity_g_per_kwh`, not both.", "`region` 和 `intensity_g_per_kwh` 只能给一个。"
        )
    if intensity is not None:
        return (
            number(
                "intensity_g_per_kwh", intensity, "g/kWh", low=1, high=2000, may_equal_low=True, hint=INTENSITY_HINT
            ),
            None,
            [],
            [],
        )
    place = grid_of("WORLD" if region is None else region)
    name = place.name
    return (
        place.value,
        name,
        [
            Text(
                f"Grid: {name.en}, {figure(place.value)} g/kWh, average of {place.year}.",
                f"电网：{name.zh}，{figure(place.value)} 克/度，{place.year} 年平均值。",
            )
        ],
        [place.source],
    )


def _assumptions(cards: Mapping[str, int] | None, share: float, overhead: float, grid: list[Text]) -> tuple[Text, ...]:
    notes = list(grid)
    if cards is not None:
        notes.append(
            Text(
                "Only the cards count, at their board power; CPU and fans come on top.",
                "只算显卡，按整卡功耗；CPU 和风扇另计。",
            )
        )
    if share == 1:
        notes.append(Text("The hardware draws its full power the whole time.", "硬件全程满功率运行。"))
    if overhead == 1:
        notes.append(Text("No cooling or losses of the building (PUE 1).", "不计机房制冷和损耗（PUE 取 1）。"))
    return tuple(notes)


TOOLS = (carbon_footprint,)
