"""How much CO2 a computation causes: energy times the intensity of the grid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tools._cards import read_cards, source_of
from tools._errors import ToolInputError, fraction, number
from tools._result import Result, Source, Text
from tools._tables import grid_of
from tools._terms import watts_of
from tools._units import figure

KM_PER_MILE = 1.609344
# EPA fact sheet: 8,887 g of CO2 per US gallon, 22.2 miles per gallon: about 400 g per mile, tailpipe only.
CAR_KG_PER_KM = 0.400 / KM_PER_MILE
# Clusters are counted here too, so the limit of one machine does not hold.
MOST_CARDS = 100_000

EPA = Source("US EPA, Tailpipe Greenhouse Gas Emissions from a Typical Passenger Vehicle, EPA-420-F-23-014",
             "https://www.epa.gov/greenvehicles/greenhouse-gas-emissions-typical-passenger-vehicle", "2023-06-01")

HOURS_HINT = Text("Give hours of running time, e.g. 300.", "请给出运行小时数，例如 300。")
POWER_HINT = Text("Give watts, e.g. 400; use the card's board power if nothing was measured.",
                  "请给出瓦数，例如 400；没有实测就用整卡功耗。")
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
        intensity_g_per_kwh: Emissions per unit of electricity. [g/kWh]
        emissions_kg: Emissions of the computation. [kg]
        emissions_t: The same in tonnes. [t]
        car_kg_per_km: Emissions of a typical US passenger car. [kg/km]
        km_by_car: Distance which that car drives for the same emissions. [km]
    """

    power_w: float
    hours: float
    utilization: float
    pue: float
    energy_kwh: float
    intensity_g_per_kwh: float
    emissions_kg: float
    emissions_t: float
    car_kg_per_km: float
    km_by_car: float


def carbon_footprint(
    *,
    hours: float,
    power_w: float | None = None,
    cards: Mapping[str, int] | None = None,
    utilization: float = 1.0,
    region: str | None = None,
    intensity_g_per_kwh: float | None = None,
    pue: float = 1.0,
) -> CarbonFootprint:
    """Estimate the energy and the CO2 of a training run or of a machine.

    Use it for "how much CO2 does this training cause?", "what would it be in France?", "how many
    kilometres by car is that?". Give either `power_w` or `cards`.

    Args:
        hours: Running time; with the power of one card, card-hours. [h]
        power_w: Power at full load. [W]
        cards: Cards by name and number, counted with their board power, e.g. {"A100 SXM 80GB": 256}.
        utilization: Average power over the full one. [1]
        region: Country ("US", "中国") or cloud region ("europe-north1"); the world if left out.
        intensity_g_per_kwh: Emissions per kWh, instead of `region`. [g/kWh]
        pue: Power usage effectiveness of the building, 1 at home. [1]

    Returns:
        Energy, emissions and a comparison with a car.

    Raises:
        ToolInputError: If a number is outside its range, or power or grid are given twice.

    Notes:
        energy = power x hours x utilization x PUE; emissions = energy x intensity. Grid averages,
        location-based: contracts for green electricity, certificates and the making of the
        hardware are left out.

    References:
        US EPA, EPA-420-F-23-014 (2023): 400 g of CO2 per mile. Llama 2 model card: 184,320 A100
        hours at 400 W, 31.22 t.
    """
    watts, power_step, power_sources = _power(power_w, cards)
    time = number("hours", hours, "h", high=1e9, hint=HOURS_HINT)
    share = fraction("utilization", utilization, hint=Text("Give a share such as 0.8.", "请给出比例，例如 0.8。"))
    overhead = number("pue", pue, "", low=1, high=3, may_equal_low=True,
                      hint=Text("Data centres have 1.1 to 1.6, a home 1.", "数据中心为 1.1 到 1.6，家里为 1。"))
    intensity, grid_note, grid_sources = _grid(region, intensity_g_per_kwh)
    energy = watts / 1000 * time * share * overhead
    emissions = energy * intensity / 1000
    return CarbonFootprint(
        power_w=watts, hours=time, utilization=share, pue=overhead, energy_kwh=energy,
        intensity_g_per_kwh=intensity, emissions_kg=emissions, emissions_t=emissions / 1000,
        car_kg_per_km=CAR_KG_PER_KM, km_by_car=emissions / CAR_KG_PER_KM,
        steps=(*power_step,
               f"energy_kwh = {figure(watts / 1000)} kW x {figure(time)} h x {figure(share)} x {figure(overhead)}"
               f" = {figure(energy)} kWh",
               f"emissions_kg = {figure(energy)} kWh x {figure(intensity)} g/kWh / 1000 = {figure(emissions)} kg",
               f"km_by_car = {figure(emissions)} kg / {figure(CAR_KG_PER_KM)} kg/km"
               f" = {figure(emissions / CAR_KG_PER_KM)} km"),
        assumptions=_assumptions(cards, share, overhead, grid_note), sources=(*power_sources, *grid_sources, EPA))


def _power(power_w: float | None, cards: Mapping[str, int] | None) -> tuple[float, list[str], list[Source]]:
    if (power_w is None) == (cards is None):
        raise ToolInputError("Give either `power_w` (e.g. 400) or `cards` (e.g. {\"A100 SXM 80GB\": 8}).",
                             "请给出 `power_w`（例如 400）或 `cards`（例如 {\"A100 SXM 80GB\": 8}），二者选一。")
    if cards is None:
        return number("power_w", power_w, "W", high=1e9, hint=POWER_HINT), [], []
    chosen = read_cards(cards, most=MOST_CARDS)
    watts = sum(watts_of(card.gpu) * card.count for card in chosen)
    terms = " + ".join(f"{card.count} x {figure(watts_of(card.gpu))} W ({card.gpu.name})" for card in chosen)
    return watts, [f"power_w = {terms} = {figure(watts)} W"], [source_of(card.gpu) for card in chosen]


def _grid(region: str | None, intensity: float | None) -> tuple[float, list[Text], list[Source]]:
    if region is not None and intensity is not None:
        raise ToolInputError("Give either `region` or `intensity_g_per_kwh`, not both.",
                             "`region` 和 `intensity_g_per_kwh` 只能给一个。")
    if intensity is not None:
        return number("intensity_g_per_kwh", intensity, "g/kWh", low=1, high=2000, may_equal_low=True,
                      hint=INTENSITY_HINT), [], []
    place = grid_of("WORLD" if region is None else region)
    name = place.name
    return place.value, [Text(f"Grid: {name.en}, {figure(place.value)} g/kWh, average of {place.year}.",
                              f"电网：{name.zh}，{figure(place.value)} 克/度，{place.year} 年平均值。")], [place.source]


def _assumptions(cards: Mapping[str, int] | None, share: float, overhead: float, grid: list[Text]) -> tuple[Text, ...]:
    notes = list(grid)
    if cards is not None:
        notes.append(Text("Only the cards count, at their board power; CPU and fans come on top.",
                          "只算显卡，按整卡功耗；CPU 和风扇另计。"))
    if share == 1:
        notes.append(Text("The hardware draws its full power the whole time.", "硬件全程满功率运行。"))
    if overhead == 1:
        notes.append(Text("No cooling or losses of the building (PUE 1).", "不计机房制冷和损耗（PUE 取 1）。"))
    return tuple(notes)


TOOLS = (carbon_footprint,)
