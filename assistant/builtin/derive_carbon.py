"""Sums over energy and carbon: kWh on a grid, the grid behind a claim, joules, device hours, slips of unit."""

from __future__ import annotations

from assistant.builtin.asking import Rule, Sum, calculations, of, plain, words
from assistant.builtin.calls import Plan
from assistant.builtin.reading import Reading

_CARBON = words("co2|carbon|emission|grid|intensity|training|far apart|tracker", "碳|排放|电网|CO2|CO₂|g/度|克/度")
_IMPLIED = words("implie|which|what|correspond|equal|how many g", "相当于|多少 ?g|多少克|隐含|对应|折合")
_PER_MILLION = words("per million|million tokens|1m tokens|convert", "百万|换算")
# A joule is so many kWh.
_JOULES_PER_KWH = 3.6e6


def _kwh_on_grids(reading: Reading) -> Plan | None:
    energy, grids = of(reading, "kWh"), of(reading, "g/kWh")
    if len(energy) != 1 or not 1 <= len(grids) <= 3 or of(reading, "W", "h") or not _CARBON.search(reading.text):
        return None
    sums: list[Sum] = [(f"{plain(energy[0].value)} * {plain(grid.value)} / 1000 * 1 kg", "kg") for grid in grids]
    en = ", ".join(f"{{all[{index}].value}} at {grid.text.strip()}" for index, grid in enumerate(grids))
    zh = "，".join(f"{grid.text.strip()} 时 {{all[{index}].value}}" for index, grid in enumerate(grids))
    if len(grids) > 1:
        low, high = sorted((grids[0], grids[-1]), key=lambda grid: grid.value)
        sums.append((f"{plain(high.value)} / {plain(low.value)}", "x"))
        en += f": {{all[{len(grids)}].value}} apart. A mix of all primary energy taken for the mix of electricity does that"
        zh += f"，相差 {{all[{len(grids)}].value}}。多半是把一次能源结构当成了发电结构"
    return calculations(
        reading, sums, f"{energy[0].text.strip()} emit {en}.", f"{energy[0].text.strip()} 的排放：{zh}。"
    )


def _implied_grid(reading: Reading) -> Plan | None:
    """A claimed mass, watts and hours: the grid that it takes for granted."""
    mass, watts, hours = of(reading, "kg"), of(reading, "W"), of(reading, "h", "days")
    grids = of(reading, "g/kWh")
    if len(mass) != 1 or len(watts) != 1 or len(hours) != 1 or len(grids) > 1 or not _IMPLIED.search(reading.text):
        return None
    if watts[0].value <= 0 or hours[0].value <= 0:
        return None
    kwh = f"{plain(watts[0].value)} / 1000 * {plain(hours[0].value * (24 if hours[0].unit == 'days' else 1))}"
    sums: list[Sum] = [(f"{plain(mass[0].value)} * 1000 / ({kwh}) * 1 g/kWh", "g/kWh"), (f"{kwh} * 1 kWh", "kWh")]
    en = (
        f"{mass[0].text.strip()} for {watts[0].text.strip()} over {hours[0].text.strip()} takes {{value}} for granted"
        " ({all[1].value} of electricity)."
    )
    zh = f"{watts[0].text.strip()}、{hours[0].text.strip()}是 {{all[1].value}}，{mass[0].text.strip()} 相当于 {{value}}。"
    if grids:
        sums.append((f"{kwh} * {plain(grids[0].value)} / 1000 * 1 kg", "kg"))
        en += f" At {grids[0].text.strip()} it would be {{all[2].value}}."
        zh += f"按 {grids[0].text.strip()} 应是 {{all[2].value}}。"
    return calculations(reading, sums, en, zh)


def _joules(reading: Reading) -> Plan | None:
    """Joules for a thousand tokens, as kWh for a million."""
    found = of(reading, "J")
    if not 1 <= len(found) <= 6 or not _PER_MILLION.search(reading.text):
        return None
    scale = f"1000 / {_JOULES_PER_KWH:.0f}"
    sums: list[Sum] = [(f"{plain(item.value)} * {scale} * 1 kWh", "kWh") for item in found]
    en = "; ".join(f"{item.text.strip()} is {{all[{index}].value}}" for index, item in enumerate(found))
    zh = "；".join(f"{item.text.strip()} 是 {{all[{index}].value}}" for index, item in enumerate(found))
    return calculations(
        reading,
        sums,
        f"For a million tokens: {en}. Fewer bits lower the energy only where the card waits for memory; with a"
        " small model they may even raise it.",
        f"每百万 token：{zh}。降低位数只在等显存的时候才能降低能耗，模型很小时反而可能更费。",
    )


RULES: tuple[Rule, ...] = (_kwh_on_grids, _implied_grid, _joules)
