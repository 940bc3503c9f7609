"""What the flowchart says in words: picks, the path to them, and what was assumed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools._decision import Verdict, Wish
from tools._flowchart import HOME_METHOD, MOST_PICKS, Candidate, Need, Rental, Use, memory_text
from tools._result import Source, Text
from tools._tables import KIND_ZH
from tools._training_states import Method
from tools._units import figure


@dataclass(frozen=True, slots=True)
class Pick:
    """Cards to get. A price is for one card; `rent_usd_per_h` is for all of them, null if they are bought."""

    gpu: str
    count: int
    memory_gb: float
    price_usd: float | None
    price_kind: str
    price_as_of: str | None
    total_price_usd: float | None
    rent_usd_per_h: float | None
    why: Text


def picks(verdict: Verdict, found: list[Candidate], hired: Sequence[Rental]) -> tuple[Pick, ...]:
    """Return the cards to get, the recommended ones first; of those to rent also the cheapest, if it is another."""
    bought = [
        Pick(
            item.card.gpu.name,
            item.count,
            item.card.gpu.memory_gb,
            item.price_usd,
            item.price_kind,
            item.price_as_of,
            item.total_usd,
            None,
            item.card.why,
        )
        for item in found
    ]
    if verdict != "rent" or not hired:
        return tuple(bought[:MOST_PICKS])
    least = min(hired, key=lambda item: item.usd_per_h)
    rented = [hired[0]] if least.usd_per_h >= hired[0].usd_per_h else [hired[0], least]
    return (*(_rented(item) for item in rented), *bought)[:MOST_PICKS]


def _rented(rent: Rental) -> Pick:
    given = rent.rent.kind == "own"
    why = (
        Text("holds the work without buying, at your rent", "不用买就放得下，按你给的租价")
        if given
        else Text(
            f"holds the work without buying; {rent.rent.provider}, {rent.rent.as_of}, {_of_offers(rent)[0]}",
            f"不用买就放得下；{rent.rent.provider}，{rent.rent.as_of}，{_of_offers(rent)[1]}",
        )
    )
    return Pick(
        rent.gpu.name, rent.count, rent.gpu.memory_gb, None, "rent", rent.rent.as_of or None, None, rent.usd_per_h, why
    )


def _of_offers(rent: Rental) -> tuple[str, str]:
    offers = rent.rent.offers
    return (
        ("the only offer on record", "只有这一个报价")
        if offers == 1
        else (f"the middle one of {offers} offers", f"取 {offers} 个报价的中间值")
    )


def path(
    use: Use, model: str | None, wanted: tuple[Need, ...], found: list[Candidate], verdict: Verdict, wish: Wish
) -> tuple[Text, ...]:
    """Say the questions of the flowchart with their answers."""
    most = figure(wish.budget_usd) if wish.budget_usd is not None else None
    fits = ", ".join(f"{item.count} x {item.card.gpu.name}" for item in found[:MOST_PICKS])
    budget = (f"within {most} USD", f"{most} 美元以内") if most else ("at any price", "不限预算")
    money = Text(
        f"Which cards hold that {budget[0]}? {fits or 'None with a known price.'}",
        f"{budget[1]}哪些卡放得下？{fits or '没有已知价格的卡。'}",
    )
    hours, months = figure(round(wish.hours_per_week, 1)), figure(wish.months)
    use_text = Text(
        f"How much is it used? {hours} hours a week for {months} months.",
        f"用多少？每周 {hours} 小时，共 {months} 个月。",
    )
    answers = {
        "buy": ("Buy new.", "买新卡。"),
        "used": ("Buy second-hand.", "买二手。"),
        "rent": ("Rent.", "租。"),
        "wait": ("Wait, or choose a smaller model.", "先等等，或换小一些的模型。"),
    }
    return (
        memory_text(use, model, wanted),
        money,
        use_text,
        Text(f"Buy or rent? {answers[verdict][0]}", f"买还是租？{answers[verdict][1]}"),
    )


_METHOD: dict[Method, Text] = {
    "qlora": Text("Fine-tuning means QLoRA: the base weights in 4 bits.", "微调按 QLoRA 计：原权重压成 4 位。"),
    "lora": Text(
        "LoRA keeps the base weights in 16 bits; QLoRA needs far less memory.",
        "LoRA 的原权重按 16 位计；QLoRA 要的显存少得多。",
    ),
    "full": Text(
        "All weights are trained; LoRA and QLoRA need far less memory.",
        "所有权重都训练；LoRA 和 QLoRA 要的显存少得多。",
    ),
}


def assumptions(
    use: Use,
    model: str | None,
    hours: float | None,
    months: float | None,
    method: Method = HOME_METHOD,
    *,
    priced: bool = False,
) -> tuple[Text, ...]:
    """Say what was taken as given."""
    notes: list[Text] = []
    if hours is None:
        notes.append(Text("25.2 hours a week, the guide's 15 %.", "每周 25.2 小时，即指南的 15 %。"))
    if months is None:
        notes.append(Text("36 months of use.", "使用 36 个月。"))
    if model is not None and use == "inference":
        notes.append(Text("The model runs in about 4 bit (Q4_0).", "模型按约 4 位（Q4_0）运行。"))
    if model is not None and use == "finetune":
        notes.append(_METHOD[method])
    if not priced:
        notes.append(Text("The computer around the cards is not counted.", "不计显卡以外的整机费用。"))
    return tuple(notes)


def vendor_notes(found: list[Candidate]) -> tuple[Text, ...]:
    """Say why NVIDIA stands first, if both makers have cards for the work."""
    if len({item.card.gpu.vendor for item in found}) < 2:
        return ()
    return (
        Text(
            "NVIDIA cards come first: the guide (2023) sees AMD behind in software and community.",
            "NVIDIA 优先：指南（2023 年）认为 AMD 在软件和社区上落后。",
        ),
    )


def rent_notes(rent: Rental | None) -> tuple[Text, ...]:
    """Say which rent was counted."""
    if rent is None:
        return ()
    amount, name = figure(rent.usd_per_h), f"{rent.count} x {rent.gpu.name}"
    if rent.rent.kind == "own":
        return (
            Text(
                f"Rent: {name} at {amount} USD/h, your own figure.", f"租价：{name}，每小时 {amount} 美元，你给的价。"
            ),
        )
    return (
        Text(
            f"Rent: {name} at {amount} USD/h ({rent.rent.provider}, {rent.rent.as_of}).",
            f"租价：{name}，每小时 {amount} 美元（{rent.rent.provider}，{rent.rent.as_of}）。",
        ),
    )


def pick_sources(found: list[Candidate], rent: Rental | None) -> tuple[Source, ...]:
    """Return where picks and rent come from."""
    return (*(item.card.source for item in found[:MOST_PICKS]), *(() if rent is None else (rent.rent.source,)))


def price_notes(found: list[Candidate]) -> tuple[Text, ...]:
    """Say which prices were counted."""
    notes: list[Text] = []
    for item in found[:MOST_PICKS]:
        name, price = item.card.gpu.name, figure(item.price_usd)
        if item.price_kind == "own":
            notes.append(Text(f"{name}: {price} USD, your own price.", f"{name}：{price} 美元，你给的价。"))
            continue
        notes.append(
            Text(
                f"{name}: {price} USD, {item.price_kind} price of {item.price_as_of}.",
                f"{name}：{price} 美元，{item.price_as_of} 的{KIND_ZH[item.price_kind]}。",
            )
        )
    return tuple(notes)
