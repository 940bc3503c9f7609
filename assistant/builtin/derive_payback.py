"""When a machine has paid for itself: against rent in any one currency, and rented out."""

from __future__ import annotations

from dataclasses import replace

from assistant.builtin.asking import Rule, Sum, calculations, money, near, of, plain, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.reading import Reading
from assistant.numerals import Numeral

HOURS_PER_MONTH = 720
_PAYS = words(
    "pay(?:s|ing)? (?:back|off|for itself)|break[- ]?even|payback|worth|recoup|when is|how (?:long|many days)",
    "回本|划算|合算|多久|多少天",
)
_RENTED_OUT = words(
    "rent(?:ed|ing)? (?:it |them )?out|lease|lend|earn|income|revenue|host(?:ed|ing)? (?:it )?on",
    "出租|租出去|挂出去|收入|赚",
)


def _break_even(reading: Reading) -> Plan | None:
    """Buying against renting in one currency that is not the dollar, or for hours a day."""
    prices, rates, power_prices = money(reading), money(reading, "h"), money(reading, "kWh")
    busy = of(reading, "h/day", "fraction")
    if (
        len(prices) != 1
        or len(rates) != 1
        or len(power_prices) > 1
        or len(busy) not in (1, 2)
        or not _PAYS.search(reading.text)
    ):
        return None
    unit = prices[0].unit
    if unit == "USD" or any(item.unit.partition("/")[0] != unit for item in (*rates, *power_prices)):
        return None
    watts, cards = of(reading, "W"), reading.known_cards
    if len(watts) > 1 or (power_prices and not watts and len(cards) != 1):
        return None
    return _days(reading, prices[0], rates[0], power_prices, watts, busy)


def _days(
    reading: Reading,
    price: Numeral,
    rate: Numeral,
    power_prices: list[Numeral],
    watts: list[Numeral],
    busy: list[Numeral],
) -> Plan:
    running = ""
    before: tuple[Call, ...] = ()
    if power_prices:
        power = plain(watts[0].value) if watts else "{{@1.board_power_w}}"
        before = () if watts else (Call("gpu_specs", {"gpu": next(iter(reading.known_cards))}),)
        running = f" - {power} / 1000 * {plain(power_prices[0].value)}"
    first = len(before)
    sums: list[Sum] = []
    for item in busy:
        hours = plain(item.value) if item.unit == "h/day" else f"24 * {plain(item.value)}"
        sums.append((f"{plain(price.value)} / (({plain(rate.value)}{running}) * {hours}) * 1 day", "days"))
    parts_en = ", ".join(f"{{all[{first + index}].value}} at {item.text.strip()}" for index, item in enumerate(busy))
    parts_zh = "，".join(f"{_busy(item)}要 {{all[{first + index}].value}}" for index, item in enumerate(busy))
    # "每小时 3 元" is read with its unit, which stands before it.
    hourly = "/" in rate.text or "每" in rate.text or " per " in rate.text or " an " in rate.text
    en = (
        f"It pays for itself after {parts_en}: {price.text.strip()} against {rate.text.strip()}{'' if hourly else ' per hour'}"
        + (" less the electricity." if power_prices else ".")
        + " What the machine is worth at the end is not counted."
    )
    zh = (
        f"回本{parts_zh}（{price.text.strip()} 对{'' if hourly else '每小时'} {rate.text.strip()}"
        + ("，已扣掉自己的电费）" if power_prices else "）")
        + "。没有计残值和闲置。"
    )
    return calculations(reading, sums, en, zh, before)


def _busy(item: Numeral) -> str:
    """Write how much of the time a machine is busy, as it stands before "要 300 天"."""
    text = item.text.strip()
    return f"（每天 {text}）" if item.unit == "h/day" and "天" not in text else f"（{text}）"


def _rented_out(reading: Reading) -> Plan | None:
    """Renting a card out: income, electricity and how long until it has paid for itself."""
    prices, rates, shares = money(reading), money(reading, "h"), of(reading, "fraction", "h/day")
    power_prices, watts, cards = money(reading, "kWh"), of(reading, "W"), reading.known_cards
    if (
        len(prices) != 1
        or len(rates) != 1
        or len(shares) != 1
        or not _RENTED_OUT.search(reading.text)
        or not (watts or len(cards) == 1)
    ):
        return None
    if prices[0].unit != "USD" and not power_prices:
        return _how_much_rented(reading)  # the guide's price of electricity is in dollars
    unit = prices[0].unit
    share = plain(shares[0].value) + (" / 24" if shares[0].unit == "h/day" else "")
    before = () if watts else (Call("gpu_specs", {"gpu": next(iter(cards))}),)
    power = plain(watts[0].value) if watts else "{{@1.board_power_w}}"
    per_kwh = plain(power_prices[0].value) if power_prices else "0.175"
    income = f"{plain(rates[0].value)} * {HOURS_PER_MONTH} * {share}"
    electricity = f"{power} / 1000 * {HOURS_PER_MONTH} * {share} * {per_kwh}"
    sums: list[Sum] = [
        (f"{income} * 1 {unit}", unit),
        (f"{electricity} * 1 {unit}", unit),
        (f"{plain(prices[0].value)} / ({income} - {electricity}) * 1 month", "months"),
    ]
    i = len(before)
    return calculations(
        reading,
        sums,
        f"After about {{all[{i + 2}].value}}, not counting fees: it takes in {{all[{i}].value}} a month and the electricity of the card alone"
        f" is {{all[{i + 1}].value}}. The rest of the computer, the fees of the platform and falling prices make it longer.",
        f"大约 {{all[{i + 2}].value}} 回本（不计平台抽成）：每月收入 {{all[{i}].value}}，单是显卡的电费就要 {{all[{i + 1}].value}}。"
        "主机其余部分、抽成和租价下跌还会让它更久。",
        before,
    )


def _how_much_rented(reading: Reading) -> Plan | None:
    """Renting a card out, without how often somebody takes it: that decides, and a rent one pays is another question."""
    if len(money(reading)) != 1 or len(money(reading, "h")) != 1 or not _RENTED_OUT.search(reading.text):
        return None
    if of(reading, "fraction", "h/day", "h/week") and (money(reading, "kWh") or money(reading)[0].unit == "USD"):
        return None
    return Plan(
        reply="平均有多大比例的时间租得出去？电价多少？这两样决定多久回本。"
        if reading.language == "zh"
        else "What share of the time is it rented, and what does a kWh cost you? Those two decide when it has paid for itself.",
        status="clarify",
    )


_A_MONTH = words(r"(?:a|per|each|every) month|monthly|/ ?mo(?:nth)?\b", "每月|每个月|一个月|月租|月费")
_MONTHLY_REACH = 16


def _monthly_payback(reading: Reading) -> Plan | None:
    """A machine against a bill that comes every month: how many months."""
    billed = money(reading, "month")
    amounts = [*money(reading), *(replace(item, unit=item.unit.partition("/")[0]) for item in billed)]
    monthly = [item for item in amounts if near(reading, item, _A_MONTH, _MONTHLY_REACH)]
    if len(amounts) != 2 or money(reading, "h") or not _PAYS.search(reading.text) or of(reading, "fraction", "h/day"):
        return None
    low, high = sorted(amounts, key=lambda item: item.value)
    if low not in monthly or low.unit != high.unit or low.value <= 0:
        return None
    bill = _A_MONTH.sub("", low.text).strip()
    return calculations(
        reading,
        [(f"{plain(high.value)} / {plain(low.value)} * 1 month", "months")],
        f"After {{value}}: {high.text.strip()} against {bill} a month. Its own electricity makes that longer, and what the machine is worth at the end shorter.",
        f"{{value}}回本：{high.text.strip()} 对每月 {bill}。自己的电费会让它更久，机器的残值会让它更短。",
    )


RULES: tuple[Rule, ...] = (_rented_out, _how_much_rented, _monthly_payback, _break_even)
