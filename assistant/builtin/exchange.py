"""Amounts in another currency, for tools that take dollars: converted at a dated rate that the answer names.

Sums that stay in the person's own currency need no rate and go first; two currencies in one message are asked about.
"""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.builtin.calls import Call, Plan
from assistant.builtin.reading import Reading
from assistant.builtin.slots import foreign_money
from assistant.builtin.trying import result_of
from assistant.measures import UNCLEAR_SIGN
from assistant.toolbox import SEARCH
from tools.api import Json, ToolInputError

CONVERT = "convert_currency"
# Whoever names a rate or asks for one wants that tool alone.
_RATE = re.compile(r"exchange|rate of|汇率|换算|折合", re.IGNORECASE)
_DOLLARS = "USD"
MOST_AMOUNTS = 3
_SAID = {
    "en": "{% for one in all %}{% if one.amount_usd is defined %}{one.amount} {one.currency} = {one.amount_usd}. {% endif %}{% endfor %}"
    "{assumptions[0]}",
    "zh": "{% set names = {'CNY': '元', 'EUR': '欧元', 'GBP': '英镑', 'JPY': '日元', 'HKD': '港元'} %}{% for one in all %}{% if one.amount_usd is defined %}{one.amount} {% if one.currency in names %}{names[one.currency]}{% else %}{one.currency}{% endif %} 合 {one.amount_usd}，{% endif %}{% endfor %}"
    "{assumptions_zh[0]}",
}


def in_dollars(reading: Reading) -> Reading | None:
    """Return a question with its one foreign currency turned into dollars, None if there is none or a second one."""
    foreign = foreign_money(reading.quantities)
    if len(foreign) != 1 or UNCLEAR_SIGN in foreign or _RATE.search(reading.text):
        return None
    if any(item.unit.partition("/")[0] == _DOLLARS for item in reading.quantities):
        return None
    code = next(iter(foreign))
    try:
        per_dollar = float(result_of(CONVERT, {"amount": 1.0, "currency": code})["units_per_dollar"])
    except ToolInputError:
        return None
    return replace(
        reading,
        quantities=tuple(
            replace(item, unit=_DOLLARS + item.unit.removeprefix(code), value=item.value / per_dollar)
            if item.unit.partition("/")[0] == code
            else item
            for item in reading.quantities
        ),
    )


def with_rate(plan: Plan, reading: Reading) -> Plan:
    """Return a plan that ends with what the amounts of a question come to in dollars, at which rate of which day."""
    code = next(iter(foreign_money(reading.quantities)))
    amounts: list[float] = list(
        dict.fromkeys(item.value for item in reading.quantities if item.unit.partition("/")[0] == code)
    )
    calls = tuple(_call(amount, code) for amount in amounts[:MOST_AMOUNTS])
    said = Plan(stages=(calls,), say=_SAID[reading.language])
    return replace(plan, then=(*plan.then, said), unused=())


def computes(plan: Plan) -> bool:
    """Whether a plan answers by computing."""
    calls = [call for one in (plan, *plan.then) for stage in one.stages for call in stage]
    return plan.status == "answered" and any(call.tool != SEARCH for call in calls)


def _call(amount: float, code: str) -> Call:
    arguments: dict[str, Json] = {"amount": amount, "currency": code}
    return Call(CONVERT, arguments)
