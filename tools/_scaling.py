"""How much faster several cards train: waiting for each other and exchanging gradients."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from tools._cards import source_of
from tools._catalog import Gpu
from tools._efficiency import GUIDE, LAMBDA, coefficient, coefficients, error_of, table
from tools._errors import ToolInputError, choice, count
from tools._hints import GPU_COUNT_HINT
from tools._result import Result, Text
from tools._scaling_model import link_kind, scaling_parts
from tools._timing import timing
from tools._units import figure

ScalingNetwork = Literal[
    "resnet50", "ssd300", "bert_large", "gnmt", "tacotron2", "transformer_xl", "cnn", "transformer"
]
_CNN = frozenset({"resnet50", "ssd300", "cnn"})
_LIKE = {"cnn": "resnet50", "transformer": "bert_large"}
# GB/s of one lane and direction, after line coding (PCI-SIG).
_LANE_GB_S = {1: 0.25, 2: 0.5, 3: 0.985, 4: 1.969, 5: 3.938, 6: 7.563}
_PCIE = re.compile(r"pci[- ]?e(?:xpress)?\s*(?:gen\s*)?(\d)(?:\.0)?\s*(?:x\s*(\d+)|\s)?.*")
_NETWORK = re.compile(r"(?:infiniband|ethernet|ib|roce)?\s*(\d+(?:\.\d+)?)\s*g(?:bit/s|bps|bit|be|b/s)?.*")


@dataclass(frozen=True, slots=True)
class Link:
    """What joins the cards, its rate in GB/s, and how they exchange over it (see `link_kind`)."""

    name: str
    bus_gb_s: float
    kind: str


@dataclass(frozen=True, kw_only=True)
class Scaling(Result):
    """Speed of several cards in data-parallel training.

    Attributes:
        speedup: Throughput over that of one card. [1]
        low_speedup: Lower end of the range. [1]
        high_speedup: Upper end of the range. [1]
        efficiency: Speed-up over the number of cards. [1]
        bus_gb_s: Rate of the link in one direction; for NVLink what an all-reduce reaches. [GB/s]
        link_loss_share: Share of a step that the exchange over the link takes. [1]
        basis: "modelled".
    """

    gpu: str
    gpu_count: int
    network: str
    interconnect: str
    speedup: float
    low_speedup: float
    high_speedup: float
    efficiency: float
    bus_gb_s: float
    link_loss_share: float
    basis: str


def scale(card: Gpu, gpu_count: int, network: str, interconnect: str | None) -> Scaling:
    """Compute the speed-up; see `multi_gpu_speedup`."""
    from tools._training_rates import one_card_rate

    cards = count("gpu_count", gpu_count, high=4096, hint=GPU_COUNT_HINT)
    net = choice("network", network, get_args(ScalingNetwork))
    link = read_link(card, interconnect)
    like = _LIKE.get(net, net)
    rate, batch = one_card_rate(card, like)
    times = timing(
        scaling_parts(like, cards, rate / batch, link.kind, link.bus_gb_s, coefficient("scaling.bus_exponent")),
        1.0,
        coefficients(),
    )
    old = 1 + _volta(card, cards, net)
    waiting, exchange = times.parts["waiting"], times.parts.get("exchange", 0.0)
    speedup = cards / (times.total * old)
    # The error of unseen cards lies in what is lost: where little is lost, little can be wrong.
    spread = 0.02 + error_of(f"scaling.{like}") * min(1.0, 3 * (waiting + exchange)) if cards > 1 else 0.0
    return Scaling(
        gpu=card.name,
        gpu_count=cards,
        network=net,
        interconnect=link.name,
        speedup=speedup,
        low_speedup=speedup * (1 - spread),
        high_speedup=max(speedup, min(float(cards), speedup * (1 + spread))),
        efficiency=speedup / cards,
        bus_gb_s=link.bus_gb_s,
        link_loss_share=exchange / times.total,
        basis="modelled",
        steps=(
            f"waiting = {figure(coefficient('scaling.waiting'))} x ({cards} - 1)^1.5 = {figure(waiting)}",
            f"exchange over {link.name} at {figure(link.bus_gb_s)} GB/s and {figure(rate / batch)} steps/s"
            f" = {figure(exchange)}",
            f"speedup = {cards} / ((1 + {figure(waiting)} + {figure(exchange)}) x {figure(old)}) = {figure(speedup)}",
            f"efficiency = {figure(speedup)} / {cards} = {figure(speedup / cards)}",
        ),
        assumptions=(
            Text(
                "Data-parallel training, the batch per card stays the same, equal cards.",
                "数据并行训练，每卡批量不变，各卡型号相同。",
            ),
        ),
        warnings=_warnings(card, cards, link),
        sources=(source_of(card), GUIDE, LAMBDA),
    )


def _volta(card: Gpu, cards: int, network: str) -> float:
    if card.architecture != "Volta":
        return 0.0
    name = "scaling.volta_cnn" if network in _CNN else "scaling.volta_transformer"
    return coefficient(name) * (cards - 1) / 7


def read_link(card: Gpu, interconnect: str | None) -> Link:
    """Return the link a person names, or the one the card usually has.

    Raises:
        ToolInputError: If it is no link, or the card has no NVLink.
    """
    if interconnect is None:
        if link_kind(card) == "sxm":
            return _nvlink(card)
        return _pcie(card, card.pcie_generation or 4, card.pcie_lanes or 16)
    text = interconnect.strip().lower()
    if "nvlink" in text or "nvswitch" in text:
        if not card.nvlink_gb_s:
            raise ToolInputError(
                f"`interconnect` NVLink: '{card.name}' has none. Give e.g. 'PCIe 4.0 x16'.",
                f"`interconnect` NVLink：'{card.name}' 没有 NVLink。请给 'PCIe 4.0 x16' 之类。",
            )
        return _nvlink(card)
    pcie = _PCIE.fullmatch(text)
    if pcie and int(pcie[1]) in _LANE_GB_S and int(pcie[2] or 16) in (1, 2, 4, 8, 16):
        return _pcie(card, int(pcie[1]), int(pcie[2] or 16))
    net = _NETWORK.fullmatch(text)
    if net and 1 <= float(net[1]) <= 3200:
        return Link(
            f"{float(net[1]):g} Gbit/s network", table("scaling.bus_share")["network"] * float(net[1]) / 8, "host"
        )
    raise ToolInputError(
        f"`interconnect` {interconnect[:40]!r} is no link. Give 'NVLink', 'PCIe 4.0 x16' or '100 Gbit/s'.",
        f"`interconnect` {interconnect[:40]!r} 不是可识别的连接。请给 'NVLink'、'PCIe 4.0 x16' 或 '100 Gbit/s'。",
    )


def _nvlink(card: Gpu) -> Link:
    return Link(
        "NVLink", table("scaling.bus_share")["nvlink"] * card.nvlink_gb_s, "sxm" if link_kind(card) == "sxm" else "peer"
    )


def _pcie(card: Gpu, generation: int, lanes: int) -> Link:
    return Link(
        f"PCIe {generation}.0 x{lanes}", _LANE_GB_S[generation] * lanes, "host" if link_kind(card) == "host" else "peer"
    )


def _warnings(card: Gpu, cards: int, link: Link) -> tuple[Text, ...]:
    notes: list[Text] = []
    if cards > 8 and "network" not in link.name:
        notes.append(
            Text(
                "More than eight cards stand in several machines: name the network, e.g. '100 Gbit/s'.",
                "超过八张卡通常分在多台机器上：请给出网络，例如 '100 Gbit/s'。",
            )
        )
    if cards > 1 and card.segment == "desktop" and link.name.startswith("PCIe"):
        notes.append(
            Text(
                "GeForce cards exchange data through main memory: peer-to-peer transfers are disabled.",
                "GeForce 显卡之间的数据要经过主内存：点对点传输被禁用。",
            )
        )
    return tuple(notes)
