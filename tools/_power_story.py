"""How the watts of a machine came about, what was assumed, and what a careful friend would add."""

from __future__ import annotations

from collections.abc import Sequence

from tools._outlet import CONTINUOUS_SHARE, Outlet
from tools._platform import Platform
from tools._power_options import Machine
from tools._result import Text
from tools._supply import SPIKE_RATIO, Excursion
from tools._units import figure


def steps(machine: Machine, platform_steps: Sequence[str], watts: Sequence[float]) -> tuple[str, ...]:
    """Write the formulas with their figures; `watts` are those of one card of each kind."""
    terms = " + ".join(
        f"{card.count} x {figure(each)} W ({card.gpu.name})" for card, each in zip(machine.chosen, watts, strict=True)
    )
    gpu_w = sum(card.count * each for card, each in zip(machine.chosen, watts, strict=True))
    system_w = gpu_w + machine.platform_w
    wall_w = system_w / machine.efficiency
    lines = [
        f"gpu_w = {terms} = {figure(gpu_w)} W",
        *platform_steps,
        f"system_w = {figure(gpu_w)} W + {figure(machine.platform_w)} W = {figure(system_w)} W",
        f"wall_w = {figure(system_w)} W / {figure(machine.efficiency)} = {figure(wall_w)} W",
        f"recommended_psu_w >= {figure(system_w)} W / {CONTINUOUS_SHARE} = {figure(system_w / CONTINUOUS_SHARE)} W",
    ]
    if machine.supply_w is not None:
        times = "" if machine.psu_count == 1 else f"{machine.psu_count} x "
        left = machine.supply_w * machine.psu_count - system_w
        lines.append(f"headroom_w = {times}{figure(machine.supply_w)} W - {figure(system_w)} W = {figure(left)} W")
    if machine.outlet is not None:
        volts, amps = machine.outlet.volts, machine.outlet.amps
        lines += [
            f"outlet_limit_w = {CONTINUOUS_SHARE} x {figure(volts)} V x {figure(amps)} A"
            f" = {figure(machine.outlet.limit_w)} W",
            f"wall_a = {figure(wall_w)} W / {figure(volts)} V = {figure(wall_w / volts)} A",
        ]
    return tuple(lines)


# What people found whose supply had watts enough (questions psu-001, psu-008, psu-018).
_NOT_WATTS = Text(
    "Watts are not all: an aged supply, a limit per rail or lead, two plugs on one cable or a scorched"
    " plug switch a machine off below its rating.",
    "瓦数够也未必没事：电源老化、单路或单线限流、一线双头、接头烧蚀，都会提前断电。",
)


def assumptions(beside: Platform, efficiency_note: Text | None, machine: Machine) -> tuple[Text, ...]:
    """Say what was taken as given."""
    notes = [
        *beside.notes,
        *(() if efficiency_note is None else (efficiency_note,)),
        Text(
            "A supply is planned for a load of at most 80 %: a convention, not a vendor's rule.",
            "电源按负载不超过 80 % 来选：这是惯例，不是厂商规定。",
        ),
    ]
    if machine.supply_w is not None:
        notes.append(_NOT_WATTS)
    if machine.outlet is not None:
        notes.append(_outlet(machine.outlet))
    return tuple(notes)


def _outlet(outlet: Outlet) -> Text:
    """Say which circuit was counted, by its name if it has one."""
    name = outlet.name
    volts, amps = figure(outlet.volts), figure(outlet.amps)
    en, zh = ("", "") if name is None else (f"{name.en} at ", f"{name.zh}，")
    return Text(
        f"Outlet: {en}{volts} V, {amps} A, to 80 % for hours on end.",
        f"插座：{zh}{volts} V、{amps} A，连续负载按 80 % 计。",
    )


def warnings(machine: Machine, wall_w: float, full_w: float, spikes: Sequence[Excursion]) -> tuple[Text, ...]:
    """Say what goes beyond outlet and supply for a moment or for hours."""
    notes: list[Text] = []
    if machine.outlet is not None and wall_w > machine.outlet.limit_w:
        limit = figure(machine.outlet.limit_w)
        notes.append(
            Text(
                f"The outlet may give {limit} W continuously; the machine draws {figure(wall_w)} W.",
                f"插座可持续供 {limit} W，整机要从墙上取 {figure(wall_w)} W。",
            )
        )
    if machine.limit_w is not None:
        notes.append(
            Text(
                "A power limit is an average over about 1 ms: it does not stop spikes.",
                "功率上限约束的是约 1 ms 的平均值，挡不住瞬时尖峰。",
            )
        )
        notes.append(
            Text(
                "A limit on the core clock (nvidia-smi -lgc) lowers the spikes as well.",
                "限制核心频率（nvidia-smi -lgc）还能压低尖峰。",
            )
        )
    return (*notes, *_elsewhere(machine), *_spikes(machine, full_w, spikes))


def _elsewhere(machine: Machine) -> tuple[Text, ...]:
    """Say which chips hang on no desktop supply."""
    notes: list[Text] = []
    for card in machine.chosen:
        if card.gpu.segment == "laptop":
            notes.append(
                Text(
                    f"{card.gpu.name} is a laptop chip: it hangs on the laptop's own adapter, which its maker sizes.",
                    f"{card.gpu.name} 是笔记本芯片：由笔记本自带的适配器供电，功率由厂商配好。",
                )
            )
        elif card.gpu.segment == "datacenter" and card.gpu.slots is None:
            notes.append(
                Text(
                    f"{card.gpu.name} sits on a server board that brings its own supplies; its CPUs, fans and network"
                    " cards take several times the watts of a desktop's.",
                    f"{card.gpu.name} 装在自带电源的服务器板上；服务器的 CPU、风扇和网卡比台式机多耗好几倍。",
                )
            )
    return tuple(notes)


def _spikes(machine: Machine, full_w: float, spikes: Sequence[Excursion]) -> tuple[Text, ...]:
    worst = next((spike for spike in spikes if spike.holds is False and spike.supply_limit_w is not None), None)
    if worst is not None and worst.supply_limit_w is not None:
        length, taken, limit = figure(worst.duration_ms), figure(worst.system_w), figure(worst.supply_limit_w)
        return (
            Text(
                f"For {length} ms the machine may take {taken} W, this supply must ride through {limit} W only.",
                f"整机在 {length} ms 内可能取 {taken} W，这种电源只保证扛住 {limit} W。",
            ),
        )
    rated = None if machine.supply_w is None else machine.supply_w * machine.psu_count
    spike = full_w * SPIKE_RATIO + machine.platform_w
    if rated is None or spike <= rated or any(row.holds is not None for row in spikes):
        return ()
    taken, label = figure(spike), figure(rated)
    return (
        Text(
            f"For about 1 ms the machine may take {taken} W, above the {label} W on the label: an old or plain"
            " supply may switch off.",
            f"整机在约 1 ms 内可能取 {taken} W，超过标称的 {label} W：老旧或普通电源可能断电保护。",
        ),
    )
