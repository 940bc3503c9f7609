"""The recommendation flowchart: how much memory, which cards have it, what they cost, what renting costs."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, cast

from tools._catalog import Gpu
from tools._errors import ToolInputError, choice
from tools._names import find
from tools._ranking import Use as ValueUse
from tools._result import Result, Source, Text
from tools._tables import Rent, rent_of, rented_gpus
from tools._training_states import Method
from tools._units import figure
from tools.memory import inference_memory, training_memory
from tools.value import ValueRanking, rank_by_value

Use = Literal["train", "finetune", "inference", "images"]
USES: tuple[Use, ...] = ("train", "finetune", "inference", "images")
Vendor = Literal["NVIDIA", "AMD", "Apple", "Google"]
VENDORS: tuple[Vendor, ...] = ("NVIDIA", "AMD", "Apple", "Google")
VALUE_USE: dict[Use, ValueUse] = {
    "train": "training_16bit",
    "finetune": "training_16bit",
    "inference": "inference_16bit",
    "images": "inference_16bit",
}
# One desktop holds up to four cards; a rented machine has eight.
DESKTOP_COUNTS = (1, 2, 4)
RENTED_COUNTS = (1, 2, 4, 8)
# People run language models at home in about 4 bit (the format of most public measurements) and
# fine-tune them with QLoRA.
HOME_FORMAT = "Q4_0"
HOME_METHOD: Method = "qlora"
METHODS: tuple[Method, ...] = ("full", "lora", "qlora")
MOST_PICKS = 3
OWN_PRICE = Text("you named a price for it", "你给了它的价格")
PERSON = Source("The price you gave", "", "")


@dataclass(frozen=True, slots=True)
class Card:
    """One card of the flowchart and why it stands there."""

    gpu: Gpu
    why: Text
    source: Source


@dataclass(frozen=True, slots=True)
class Need:
    """Memory that each of `count` cards must have, and the tool result it comes from."""

    count: int
    per_gpu_gb: float
    result: Result | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """Cards to buy: `count` equal ones that hold the work together."""

    card: Card
    count: int
    price_usd: float
    price_kind: str
    price_as_of: str | None
    value: float

    @property
    def total_usd(self) -> float:
        """Return the price of all cards together."""
        return self.price_usd * self.count


@dataclass(frozen=True, slots=True)
class Rental:
    """Cards to rent that hold the work."""

    gpu: Gpu
    count: int
    rent: Rent

    @property
    def usd_per_h(self) -> float:
        """Return the rent of all cards together."""
        return self.rent.usd_per_h * self.count


@cache
def flowchart() -> tuple[dict[str, float], Source, tuple[Card, ...]]:
    """Return the memory rule [GB by kind of work], its source, and the cards."""
    data = tomllib.loads((files("tools") / "data" / "flowchart.toml").read_text("utf-8"))
    rule = data["rule"]
    cards = tuple(
        Card(
            find(row["gpu"]).gpu,
            Text(row["why_en"], row["why_zh"]),
            Source(row["source"], row.get("url", ""), row["as_of"]),
        )
        for row in data["pick"]
    )
    memory = {"images": float(rule["images_gb"]), "transformers": float(rule["transformers_gb"])}
    return memory, Source(rule["source"], rule["url"], rule["as_of"]), cards


def rule_gb(use: Use) -> float:
    """Return the guide's memory rule for a kind of work."""
    return flowchart()[0]["images" if use == "images" else "transformers"]


def memory_of(use: Use, model: str, count: int, method: Method | None = None) -> tuple[Result, float]:
    """Ask the memory tools what each of `count` cards must hold."""
    if use in ("inference", "images"):
        served = inference_memory(
            model=model, weight_format="FP16" if use == "images" else HOME_FORMAT, gpu_count=count
        )
        return served, served.per_gpu_gb
    trained = training_memory(
        model=model,
        method="full" if use == "train" else method or HOME_METHOD,
        gpu_count=count,
        zero_stage=3 if count > 1 else 0,
    )
    return trained, trained.per_gpu_gb


def needs(use: Use, model: str | None, method: Method | None = None) -> tuple[Need, ...]:
    """Return the memory per card for one card and for several."""
    if model is None:
        return (Need(1, rule_gb(use), None),)
    found: list[Need] = []
    # An image model runs on one card; nobody splits it.
    for count in (1,) if use == "images" else RENTED_COUNTS:
        result, per_gpu = memory_of(use, model, count, method)
        found.append(Need(count, per_gpu, result))
    return tuple(found)


def candidates(
    use: Use,
    wanted: tuple[Need, ...],
    budget_usd: float | None,
    vendor: Vendor | None,
    prices: Mapping[str, float] | None = None,
) -> tuple[list[Candidate], ValueRanking]:
    """Return cards to buy within the budget, most value first, and the ranking behind them.

    Cards for which the person gave a price join those of the flowchart.
    """
    own = dict(prices or {})
    least = min(need.per_gpu_gb for need in wanted if need.count in DESKTOP_COUNTS)
    known = {card.gpu.name: card for card in flowchart()[2]}
    known |= {name: Card(find(name).gpu, OWN_PRICE, PERSON) for name in own if name not in known}
    cards = {
        name: card
        for name, card in known.items()
        if card.gpu.memory_gb >= least and (vendor is None or card.gpu.vendor == vendor)
    }
    ranking = rank_by_value(use=VALUE_USE[use], gpus=list(cards), budget_usd=budget_usd, prices_usd=own)
    found: dict[str, Candidate] = {}
    for need in wanted:
        for row in ranking.rows if need.count in DESKTOP_COUNTS else ():
            affordable = budget_usd is None or need.count * row.price_usd <= budget_usd
            if row.memory_gb >= need.per_gpu_gb and affordable and row.gpu not in found:
                found[row.gpu] = Candidate(
                    cards[row.gpu],
                    need.count,
                    row.price_usd,
                    row.price_kind,
                    row.price_as_of,
                    row.relative_per_1000_usd / need.count,
                )
    return _in_order(list(found.values())), ranking


def cheapest(use: Use, wanted: tuple[Need, ...], vendor: Vendor | None, own: Mapping[str, float]) -> Candidate | None:
    """Return the cards that hold the work for the least money, whatever the budget."""
    everything, _ = candidates(use, wanted, None, vendor, own)
    return min(everything, key=lambda item: item.total_usd) if everything else None


def _in_order(found: list[Candidate]) -> list[Candidate]:
    """Put the best value first, the cheapest second, the others by value; NVIDIA before AMD (the guide, 9.13).

    The cheapest may not take more cards than the first: four small ones save money and cost nerves.
    """
    found.sort(key=lambda item: (item.card.gpu.vendor != "NVIDIA", -item.value, item.card.gpu.name))
    rest = [
        item for item in found[1:] if item.card.gpu.vendor == found[0].card.gpu.vendor and item.count <= found[0].count
    ]
    cheapest = min(rest, key=lambda item: item.total_usd, default=None)
    if cheapest is None or cheapest.total_usd >= found[0].total_usd:
        return found
    return [found[0], cheapest, *(item for item in found[1:] if item is not cheapest)]


def rentals(
    use: Use,
    wanted: tuple[Need, ...],
    vendor: Vendor | None,
    best: Candidate | None,
    rents: Mapping[str, float] | None = None,
) -> tuple[Rental, ...]:
    """Return what to rent: the cards one would buy if somebody rents them out, then others, the cheapest first.

    Training over several cards needs the fast links of data-centre machines.
    """
    same = None if best is None else rent_of(best.card.gpu, rents)
    first = () if best is None or same is None else (Rental(best.card.gpu, best.count, same),)
    found: list[Rental] = []
    for name in dict.fromkeys((*rented_gpus(), *(rents or {}))):
        gpu = find(name).gpu
        rent = rent_of(gpu, rents)
        count = next((need.count for need in wanted if gpu.memory_gb >= need.per_gpu_gb), None)
        linked = use != "train" or count == 1 or gpu.segment == "datacenter"
        if rent is not None and count is not None and linked and (vendor is None or gpu.vendor == vendor):
            found.append(Rental(gpu, count, rent))
    found.sort(key=lambda item: item.usd_per_h)
    return (*first, *(item for item in found if not first or item.gpu.name != first[0].gpu.name))


def memory_text(use: Use, model: str | None, wanted: tuple[Need, ...]) -> Text:
    """Say the first question of the flowchart and its answer."""
    gigabytes = figure(round(wanted[0].per_gpu_gb, 1))
    if model is not None:
        return Text(
            f"How much memory does {model} need? {gigabytes} GB on one card.",
            f"{model} 要多少显存？单卡 {gigabytes} GB。",
        )
    if use == "images":
        return Text(
            f"How much memory? {gigabytes} GB, the guide's rule for image generation (2023).",
            f"要多少显存？{gigabytes} GB，指南对图像生成的要求（2023 年）。",
        )
    return Text(
        f"How much memory? {gigabytes} GB, the guide's rule for transformers (2023).",
        f"要多少显存？{gigabytes} GB，指南对 Transformer 的要求（2023 年）。",
    )


def read_model(model: object) -> str | None:
    """Return the model's name, or None if none was given; the memory tools know the names."""
    if model is None:
        return None
    if isinstance(model, str) and model.strip():
        return model.strip()
    raise ToolInputError(
        f"`model` must be a model's name or size, got {str(model)[:60]!r}. Give one such as '13B'.",
        f"`model` 应当是模型名称或参数量，收到的是 {str(model)[:60]!r}。请写成 '13B' 这样。",
    )


def read_method(use: Use, method: str | None) -> Method | None:
    """Return how a model is fine-tuned, null where nothing is.

    Raises:
        ToolInputError: If it is none of the three, or given for other work than fine-tuning.
    """
    if method is not None and use != "finetune":
        raise ToolInputError(
            f"`method` belongs to fine-tuning, got `use` '{use}'. Leave it out, or give `use` 'finetune'.",
            f"`method` 只用于微调，收到的 `use` 是 '{use}'。请去掉它，或把 `use` 写成 'finetune'。",
        )
    if use != "finetune":
        return None
    return HOME_METHOD if method is None else METHODS[METHODS.index(choice("method", method, METHODS))]


def read_use(use: str) -> Use:
    """Return one of the four kinds of work."""
    # `choice` returns one of the names it is given; the type checker cannot see that.
    return cast(Use, choice("use", use, USES))
