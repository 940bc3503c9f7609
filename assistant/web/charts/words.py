"""What stands in the pictures, in both languages: Chinese, English."""

from __future__ import annotations

from assistant.figures import Language, show

_WORDS = {
    "price": ("价格", "Price"),
    "electricity": ("电费", "Electricity"),
    "card": ("显卡", "Card"),
    "total": ("合计", "Total"),
    "per_1000": ("每千美元性能", "Speed per $1,000"),
    "speed": ("速度（对 H100）", "Speed next to an H100"),
    "ranking": ("性价比排名：{years}总花费的构成", "Speed per dollar, and what {years} cost"),
    "ranking_text": (
        "最值的是 {best}：{price} 加电费 {electricity}，每千美元得到 {value}。",
        "Best value: {best}, {price} plus {electricity} of electricity, {value} per $1,000.",
    ),
    "frontier": ("价格与速度，虚线是前沿", "Price against speed, with the frontier"),
    "frontier_text": ("前沿上的卡：{names}。", "On the frontier: {names}."),
    "picks": ("价格与速度：{gb} 以上的卡，圈出推荐", "Price against speed from {gb} up, the picks ringed"),
    "picks_text": (
        "推荐的卡：{names}。前沿上的卡：{line}。",
        "Recommended: {names}. On the frontier: {line}.",
    ),
    "break_even": ("累计花费：云端对自有主机", "Running total: cloud against own machine"),
    "break_even_text": ("第 {days} 打平，两边都约 {usd}。", "Even after {days}, at about {usd} each."),
    "never_text": ("在图示的时间内不会打平。", "They never meet."),
    "cloud": ("云端", "Cloud"),
    "own": ("自有主机", "Own machine"),
    "day": ("天", "Day"),
    "ownership": ("{years}的总花费", "Cost over {years}"),
    "ownership_text": ("合计 {total}，其中电费 {electricity}。", "{total} in all, {electricity} of it electricity."),
    "plans": ("各方案的总花费", "What the plans cost"),
    "plans_text": ("最便宜的是 {best}：{total}。", "Cheapest: {best}, {total}."),
    "power": ("功率预算", "Power budget"),
    "machine": ("整机", "Machine"),
    "wall": ("墙上", "At the wall"),
    "cards": ("显卡", "Cards"),
    "platform": ("CPU、主板等", "CPU, board, rest"),
    "losses": ("电源损耗", "Losses of the supply"),
    "psu": ("电源 {w}", "Supply {w}"),
    "outlet": ("插座 {w}", "Outlet {w}"),
    "advised": ("建议 {w}", "Advised {w}"),
    "power_text": ("整机 {system}，墙上 {wall}。", "The machine takes {system}, {wall} at the wall."),
    "power_limit_text": ("电源 {psu}。", "The supply gives {psu}."),
    "outlet_text": ("插座可持续 {outlet}。", "The outlet carries {outlet}."),
    "memory": ("每张卡的显存", "Memory on each card"),
    "memory_text": ("每张卡要 {total}：{parts}。", "Each card needs {total}: {parts}."),
    "fits_text": ("放得下的最小的卡：{name}，{gb}。", "Smallest card that holds it: {name}, {gb}."),
    "nothing_fits": ("目录里没有一张卡放得下。", "No card of the catalogue holds it."),
    "weights": ("权重", "Weights"),
    "kv_cache": ("KV 缓存", "KV cache"),
    "overhead": ("其他开销", "Overhead"),
    "gradients": ("梯度", "Gradients"),
    "optimizer": ("优化器", "Optimizer"),
    "activations": ("激活值", "Activations"),
    "rate": ("预计速度与区间", "Predicted speed and its range"),
    "rate_text": ("{value}，区间 {low} 到 {high}（{basis}）。", "{value}, between {low} and {high} ({basis})."),
    "ceiling": ("理论上限 {value}", "Ceiling {value}"),
    "relative": ("相对性能（{reference} = 1）", "Relative performance ({reference} = 1)"),
    "relative_text": ("{best} 最快：{value}。", "{best} is the fastest: {value}."),
    "share": ("限功率后保留的速度", "Speed that remains under the limit"),
    "low": ("下限", "Low"),
    "high": ("上限", "High"),
    "value": ("数值", "Value"),
    "part": ("部分", "Part"),
    "basis": ("依据", "Basis"),
    "measured": ("实测", "measured"),
    "modelled": ("模型估计", "modelled"),
    "years_unit": ("年", "years"),
}


def say(key: str, language: Language, **figures: str) -> str:
    """Return a word or a sentence with its figures filled in."""
    zh, en = _WORDS[key]
    return (zh if language == "zh" else en).format(**figures)


def years(value: float, language: Language) -> str:
    """Write how many years."""
    return show(value, "years", language)
