"""Questions whose answer is arithmetic over what they say or over a data sheet.

Each rule looks at kinds of quantities and a few words, never at particular figures, and returns a plan
that ends in `calculate`; figures of cards reach it by reference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistant.builtin import (
    derive_carbon,
    derive_cards,
    derive_claims,
    derive_count,
    derive_currency,
    derive_guide,
    derive_limits,
    derive_links,
    derive_machine,
    derive_memory,
    derive_money,
    derive_offers,
    derive_offload,
    derive_open,
    derive_outlet,
    derive_payback,
    derive_power,
    derive_price,
    derive_ratio,
    derive_rent,
    derive_serving,
    derive_sheet,
    derive_speed,
    derive_target,
    derive_training,
    derive_versus,
    derive_worth,
)
from assistant.builtin.asking import Rule, calculation, of
from assistant.builtin.calls import Call, Plan
from assistant.builtin.derived_fields import RATE_FIELD
from assistant.builtin.frames import frames
from assistant.builtin.leftover import CHANGES_A_BILL, leftover
from assistant.builtin.reading import Reading
from assistant.builtin.sheets import sheet
from assistant.measures import CURRENCIES
from tools.api import ToolInputError

_RATIO = re.compile(
    r"how many times|how much (?:faster|more|larger|bigger|higher)|times (?:faster|as|the)|speed-?up|ratio|"
    r"几倍|多少倍|倍数|快多少|之比|比值",
    re.IGNORECASE | re.ASCII,
)
_TOGETHER = re.compile(
    r"together|in total|combined|altogether|all of them|合起来|一共|总共|合计|加起来|总.{0,2}算力",
    re.IGNORECASE | re.ASCII,
)
_RATE = re.compile(r"\bFLOPS|TFLOPS|PFLOPS|TOPS\b|throughput|compute\b|算力|吞吐", re.IGNORECASE | re.ASCII)
_MATRIX = re.compile(r"matri|矩阵|tile|tensor", re.IGNORECASE | re.ASCII)
_EXPRESSION = re.compile(r"(?<![\w.])\(?\d[\d,.]*\)?(?:\s*[-+*/×÷]\s*\(?\d[\d,.]*%?\)?)+")
_CALCULATE = re.compile(r"calculate|compute|how much is|what is|算|等于|=|是多少", re.IGNORECASE | re.ASCII)

# What a ratio says nothing about: dates, names, and launch prices, which nobody pays today.
_NO_RATIO = (
    "nvlink_gb_s",
    "launch_date",
    "architecture",
    "launch_price_usd",
    "power_connectors",
    "sparsity",
    "compute_capability",
    "pcie_generation",
)


def _has(card: str, path: str) -> bool:
    """Whether the data sheet of a card states this figure."""
    value = getattr(sheet(card), path, None)
    return isinstance(value, (int, float)) and value > 0


def derive(reading: Reading) -> Plan | None:
    """Return the plan of the first rule that fits a question, or None."""
    plan = next((plan for rule in _RULES if (plan := _applied(rule, reading)) and not _forgets(reading, plan)), None)
    return plan and replace(plan, extra={**plan.extra, "derived": True})


def _applied(rule: Rule, reading: Reading) -> Plan | None:
    """Return a rule's plan; a rule that a tool stops, because a figure is out of its range, does not fit."""
    try:
        return rule(reading)
    except ToolInputError:
        return None


def _forgets(reading: Reading, plan: Plan) -> bool:
    """Whether a sum of money leaves out a span or a rate that would change it."""
    units = {call.arguments.get("unit") for stage in plan.stages for call in stage}
    return bool(units & set(CURRENCIES)) and any(item.unit in CHANGES_A_BILL for item in leftover(reading, plan))


def _rate_together(reading: Reading) -> Plan | None:
    cards = reading.known_cards
    if (
        len(cards) != 1
        or next(iter(cards.values())) < 2
        or not _TOGETHER.search(reading.text)
        or not _RATE.search(reading.text)
    ):
        return None
    if of(reading, "W", "USD", "USD/h", "GB"):
        return None
    name, count = next(iter(cards.items()))
    kind = next((kind for kind in reading.formats if kind in RATE_FIELD), "FP16")
    path = RATE_FIELD.get(kind, "tensor_fp16_dense_tflops")
    if not _has(name, path):
        return None
    return calculation(
        reading,
        f"{count} * {{{{@1.{path}}}}} TFLOPS",
        f"{{all[1].value}} together: one {{name}} reaches {{{path}}} (dense {kind} peak of the data sheet).",
        f"合起来 {{all[1].value}}：单张 {{name}} 是 {{{path}}}（{kind} 稠密峰值，按规格书）。",
        "PFLOPS",
        (Call("gpu_specs", {"gpu": name}),),
    )


def _card_ratio(reading: Reading) -> Plan | None:
    """Say how many times one card's figure is that of another."""
    cards = [card.name for card in reading.cards if card.name]
    frame = frames().get("gpu_specs")
    if len(dict.fromkeys(cards)) != 2 or frame is None or not _RATIO.search(reading.text):
        return None
    one, other = list(dict.fromkeys(cards))
    path = next((name for name, pattern in frame.focus.items() if pattern.search(reading.text)), None)
    if path is None or path in _NO_RATIO or not (_has(one, path) and _has(other, path)):
        return None
    return calculation(
        reading,
        f"max({{{{@1.{path}}}}}, {{{{@2.{path}}}}}) / min({{{{@1.{path}}}}}, {{{{@2.{path}}}}})",
        f"{{all[2].value}}: {{name}} has {{{path}}}, {{all[1].name}} {{all[1].{path}}}.",
        f"{{all[2].value}}：{{name}} 是 {{{path}}}，{{all[1].name}} 是 {{all[1].{path}}}。",
        "x",
        (Call("gpu_specs", {"gpu": one}), Call("gpu_specs", {"gpu": other})),
    )


def _arithmetic(reading: Reading) -> Plan | None:
    hit = _EXPRESSION.search(reading.text)
    if hit is None or reading.cards or _MATRIX.search(reading.text):
        return None
    words = reading.text.replace(hit[0], "")
    if len(words) > 40 or not (_CALCULATE.search(words) or not words.strip()):
        return None
    return calculation(reading, hit[0].strip(), "{expression} = {value}", "{expression} = {value}")


_RULES: Sequence[Rule] = (
    *derive_offload.RULES,
    *derive_claims.RULES,
    *derive_target.RULES,
    *derive_currency.RULES,
    *derive_offers.RULES,
    *derive_outlet.RULES,
    *derive_machine.RULES,
    *derive_versus.RULES[:2],
    *derive_worth.RULES,
    *derive_open.RULES,
    *derive_sheet.RULES,
    *derive_limits.RULES,
    *derive_serving.RULES,
    *derive_count.RULES,
    *derive_training.RULES,
    *derive_rent.RULES,
    *derive_links.RULES,
    *derive_speed.RULES,
    *derive_guide.RULES,
    _rate_together,
    *derive_memory.RULES,
    *derive_power.RULES,
    *derive_carbon.RULES,
    *derive_price.RULES,
    *derive_payback.RULES,
    *derive_money.RULES,
    *derive_cards.RULES,
    *derive_ratio.RULES,
    _card_ratio,
    *derive_versus.RULES[2:],
    _arithmetic,
)
