"""One want: the surest tool with its arguments, a passage of an article, or a question back."""

from __future__ import annotations

import re
from dataclasses import replace

from assistant.builtin.asking import rate_text
from assistant.builtin.calls import Call, Plan
from assistant.builtin.choose import asks_what
from assistant.builtin.frames import Frame
from assistant.builtin.leftover import decisive
from assistant.builtin.plan import plan_for
from assistant.builtin.rank import SURE, rank
from assistant.builtin.reading import Reading, read
from assistant.builtin.slots import fill
from assistant.builtin.suggest import can_compute
from assistant.builtin.topics import is_about
from assistant.builtin.unused import asks_why, doubt
from assistant.numerals import Numeral
from assistant.toolbox import SEARCH
from knowledge.glossary import explained

# Whoever asks what an article says wants the article, unless the question brings its own figures.
ARTICLE = re.compile(
    r"\b(?:guide|article|survey|author|blog|flowchart|paper says|dettmers|luga|qbitai)\b|"
    r"指南|文章|综述|文中|作者|原文|流程图|量子位|那篇",
    re.IGNORECASE | re.ASCII,
)
# What an article is said to say about a card is held against the card's own sheet.
_CHECKED = re.compile(
    r"所以|对吗|对吧|是不是|确认|\b(?:so|then|really|right|correct|confirm|true)\b", re.IGNORECASE | re.ASCII
)
# A message with figures of its own wants them used; a passage that does not know them is no answer.
_OWN_FIGURES = 1
# How sure the search must be of a passage: less where an article is named, more where a reason is asked for or the
# person's own cards or plans are: near in meaning is then easily beside the point.
NAMED, UNNAMED, BY_REASON = 0.8, 0.985, 0.995
_OWN_PLANS = re.compile(r"\b(?:I|I'm|I've|my|me|we|our)\b|我|咱", re.ASCII)


def single(reading: Reading, asked: str = "", own: str = "") -> Plan | None:
    """Return the plan of the tool that is surest about a question, or a search where an article is asked about.

    Args:
        reading: The question with the facts around it.
        asked: The sentence that asks, where others of the message ask something else.
        own: The sentence whose figures go before those of the others.
    """
    if is_a_term(reading):
        return look_up(reading)
    unclear: Plan | None = None
    second: Plan | None = None
    for wanted in rank(reading, asked):
        if wanted.score < SURE:
            break
        if _asks_an_article(wanted.frame, reading):
            return look_up(reading)
        if wanted.score < SURE + doubt(wanted.frame, reading):
            unclear = unclear or (look_up(reading) if ARTICLE.search(reading.text) else unclear_plan(reading))
            continue
        plan = _filled(wanted.frame, reading, asked or own)
        if not is_about(plan, asked or reading.text):
            unclear = unclear or unclear_plan(reading)
            continue
        if second and plan.status != "answered":
            continue
        if plan.status == "clarify" and wanted.frame.read_first:
            return look_up(reading, otherwise="" if asks_what(reading.text) else plan.reply)
        if decisive(reading, plan):
            second = second or plan  # a tool further down may have a use for that figure
            continue
        # What to do with cards and prices of one's own stands in no article.
        held = {"cards", "prices_usd"} & set(plan.given)
        if plan.status == "answered" and wanted.frame.also_read and not held:
            return replace(plan, stages=((*plan.stages[0], _search(reading)),))
        if plan.status != "refused":
            return plan
    return second or unclear


def is_a_term(reading: Reading) -> bool:
    """Whether a question is about a term of the field alone, without a card, a model or a figure to compute with."""
    own = [item for item in reading.quantities if item.unit not in ("", "cards", "x")]
    return not own and not reading.cards and not reading.models and bool(explained(reading.text))


def _filled(frame: Frame, reading: Reading, asked: str) -> Plan:
    """Fill a tool's arguments; figures of the sentence that asks go before those of the others."""
    plan = plan_for(frame, reading)
    alone = read(asked) if asked else None
    if alone is None or plan.status != "answered" or len(plan.stages) != 1 or plan.say:
        return plan
    own = fill(frame, alone.text, alone.quantities)
    first = plan.stages[0][0]
    changed = {name: value for name, value in own.items() if name in first.arguments and first.arguments[name] != value}
    if not changed or first.tool != frame.tool:
        return plan
    call = Call(first.tool, {**first.arguments, **changed})
    return replace(plan, stages=((call, *plan.stages[0][1:]),))


def quotes_an_article(want: str) -> bool:
    """Whether a want is about what an article says, rather than whether that is so."""
    return bool(ARTICLE.search(want)) and not _CHECKED.search(want)


def _asks_an_article(frame: Frame, reading: Reading) -> bool:
    if frame.tool == "gpu_specs" and reading.known_cards and _CHECKED.search(reading.text):
        return False
    told = fill(frame, reading.text, reading.quantities)
    figures = sum(slot.argument in told for slot in frame.slots if slot.unit not in ("", "cards", "x"))
    return figures < 2 and not frame.of_article and bool(ARTICLE.search(reading.text))


def look_up(reading: Reading, otherwise: str = "") -> Plan:
    """Ask the articles; `otherwise` is the question back for when they say nothing."""
    own = [item for item in reading.quantities if item.unit not in ("", "cards", "x")]
    named = bool(ARTICLE.search(reading.text))
    only_a_format = bool(reading.formats) and len(reading.text) <= _A_FORMAT and not named
    if only_a_format and not is_a_term(reading):
        return unclear_plan(reading)  # "int4" says how, not what
    if not named and (len(own) >= _OWN_FIGURES or (reading.known_cards and (reading.models or asks_why(reading.text)))):
        return unclear_plan(reading)
    return Plan(
        stages=((_search(reading),),),
        extra={
            "otherwise": otherwise,
            "glossary": not named and bool(explained(reading.text)),
            "sure": NAMED if named else BY_REASON if particular(reading) else UNNAMED,
        },
    )


def particular(reading: Reading) -> bool:
    """Whether a question asks for a reason, or is about cards, formats or plans of its own rather than the field."""
    own = reading.cards or reading.models or reading.formats or _OWN_PLANS.search(reading.text)
    return bool(own) or asks_why(reading.text)


# "only 4 bit", "int4 please" [characters]
_A_FORMAT = 14


def _search(reading: Reading) -> Call:
    return Call(SEARCH, {"query": reading.text[:1000], "k": 8})


def _said(reading: Reading, item: Numeral) -> str:
    return rate_text(reading, item) if item.unit.endswith("/h") else item.text.strip()


def unclear_plan(reading: Reading) -> Plan:
    """Return the plan that asks what to work out; its words come last, because they cost a search by meaning."""
    return Plan(status="clarify", extra={"unclear": reading})


# Counts say little, and 度 is a degree, a kWh or an angle.
_UNNAMED_UNITS = ("", "cards", "x", "°C")


def worded(plan: Plan) -> Plan:
    """Return a plan with its question back written out: the figures that were read, and what could be computed."""
    reading: Reading | None = plan.extra.get("unclear")
    if reading is None or plan.reply:
        return plan
    figures = list(
        dict.fromkeys(_said(reading, item) for item in reading.quantities if item.unit not in _UNNAMED_UNITS)
    )[:6]
    named = (", " if reading.language == "en" else "、").join(figures)
    offer = can_compute(reading)
    if reading.language == "zh":
        reply = (f"我读到了这些数：{named}，但" if named else "我") + f"没看准你要算什么，不想乱猜。{offer}"
    else:
        reply = (f"I read these figures: {named}. " if named else "") + (
            f"I am not sure what to work out from them and will not guess. {offer}"
        )
    return replace(plan, reply=reply)
