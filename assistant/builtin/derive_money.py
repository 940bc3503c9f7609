"""Sums over money: rent, differences, break-even in any one currency, cost of a million tokens, payback."""

from __future__ import annotations

from assistant.builtin.asking import Rule, Sum, calculation, calculations, money, near, of, plain, words
from assistant.builtin.plan import Call, Plan
from assistant.builtin.reading import Reading
from assistant.numerals import Numeral

HOURS_PER_MONTH = 720
_COST = words("cost|pay|bill|price|spend|what is it|add(?:s)? up", "费用|多少钱|花|付|账单|钱")
_MONTH = words("per month|a month|monthly|each month", "每月|每个月|一个月")
_MACHINES = words("machines?|gpus?|cards?|instances?|price of one|together|all of them|take|for", "台|张|卡|一共|总共")
_HIGHER = words(
    "higher|more expensive|dearer|cheaper|percent|wrong|same|differ|gap|markup|how much more", "贵|便宜|差|百分之|高"
)
_PAYS = words(
    "pay(?:s|ing)? (?:back|off|for itself)|break[- ]?even|payback|worth|recoup|when is|how (?:long|many days)",
    "回本|划算|合算|多久|多少天",
)
_RENTED_OUT = words(
    "rent(?:ed|ing)? (?:it |them )?out|lease|lend|earn|income|revenue|host(?:ed|ing)? (?:it )?on",
    "出租|租出去|挂出去|收入|赚",
)
_MILLION = words("per million|a million|million tokens|1m tokens", "百万")
_HIDDEN = words("which|what|hidden|implied|assume|behind", "哪|什么|多少|隐含")
_RATIO = words("price ratio|worth|price|pay|cost", "价|值|贵")
_FASTER = words("faster|speed-?up|quicker", "快")
_AS_MUCH = words(
    "costs? (?:as much as|the same as)|same (?:price|money) as|for the price of|buys?",
    "一个价|同样的价|同价|等于.{0,6}价|的价格.{0,6}买",
)
_BANDWIDTH = words("bandwidth|token generation|generation|stream", "带宽|生成|出字")
_ELECTRICITY = words("electricity|power (?:bill|cost)|bill", "电费|电钱")
_PRICED = words("price|cost|an hour|per hour|electricity|for", "卖|价|费|块|一小时|每小时|云")
_CLOUD = words("cloud|rent|per hour|an hour", "云|租|小时")
_DAYS = {"days": "24 h", "months": "365/12 * 24 h", "years": "8760 h", "h": "1 h"}


def _rents(reading: Reading) -> Plan | None:
    """Several rates for one span: what each costs."""
    rates, spans = money(reading, "h"), of(reading, "h", "days", "months")
    rates = [rate for index, rate in enumerate(rates) if rate.value not in [item.value for item in rates[:index]]]
    if not 2 <= len(rates) <= 4 or len(spans) != 1 or not _COST.search(reading.text) or money(reading, "kWh"):
        return None
    span = f"{plain(spans[0].value)} * {_DAYS[spans[0].unit]}"
    sums: list[Sum] = [(f"{plain(rate.value)} {rate.unit} * {span}", rate.unit.partition("/")[0]) for rate in rates]
    said = [rate.text.strip(" ~-") for rate in rates]
    en = (
        f"For {spans[0].text.strip()}: "
        + ", ".join(f"{{all[{index}].value}} at {text}" for index, text in enumerate(said))
        + "."
    )
    zh = (
        f"{spans[0].text.strip()}："
        + "，".join(f"{text} 是 {{all[{index}].value}}" for index, text in enumerate(said))
        + "。"
    )
    return calculations(reading, sums, en, zh)


def _difference(reading: Reading) -> Plan | None:
    """Two or three hourly prices for the same thing: what the gap is in a month."""
    rates = money(reading, "h")
    if not 2 <= len(rates) <= 3 or not _MONTH.search(reading.text) or of(reading, "h", "days", "W", "fraction"):
        return None
    low, high = min(rates, key=lambda rate: rate.value), max(rates, key=lambda rate: rate.value)
    unit = low.unit.partition("/")[0]
    gap = f"({plain(high.value)} {unit}/h - {plain(low.value)} {unit}/h)"
    return calculations(
        reading,
        [(f"{gap} * {HOURS_PER_MONTH} h", unit), (f"{plain(high.value)} / {plain(low.value)} - 1", "%")],
        f"{{value}} a month if it runs all the time: {low.text.strip()} against {high.text.strip()}, {{all[1].value}} more. A price"
        " is only worth something with its source and the day it was taken.",
        f"整月不停机差 {{value}}：{low.text.strip()} 对 {high.text.strip()}，贵 {{all[1].value}}。报价要写明来源和日期才有用。",
    )


def _per_machine(reading: Reading) -> Plan | None:
    """One rate and how many of it: a price per card is not the price of a machine of eight."""
    rates = money(reading, "h")
    counts = [card.count for card in reading.cards if card.count > 1] or [
        int(item.value)
        for item in of(reading, "", "x", "cards")
        if item.value == int(item.value) and 1 < item.value <= 1024
    ]
    spans = of(reading, "h", "days", "months", "years")
    if (
        len(rates) != 1
        or not counts
        or spans
        or money(reading)
        or of(reading, "W", "fraction", "tokens/s")
        or not _MACHINES.search(reading.text)
    ):
        return None
    unit = rates[0].unit
    return calculation(
        reading,
        f"{max(counts)} * {plain(rates[0].value)} {unit}",
        "Expect {value} ({expression}): the price of one is a price per card, and a list that shows it for every size has mixed"
        " them up.",
        "要 {value}（{expression}）：单价是每张卡的价格，每种规格都写同一个数，是把单卡价当成了整机价。",
        unit,
    )


def _markup(reading: Reading) -> Plan | None:
    rates = money(reading, "h") or money(reading)
    if (
        len(rates) != 2
        or rates[0].unit != rates[1].unit
        or not _HIGHER.search(reading.text)
        or of(reading, "W", "tokens/s", "kWh", "h", "days", "x")
        or 0 in (rates[0].value, rates[1].value)
    ):
        return None
    low, high = sorted(rates, key=lambda rate: rate.value)
    return calculation(
        reading,
        f"{plain(high.value)} / {plain(low.value)} - 1",
        f"{high.text.strip()} is {{value}} more than {low.text.strip()}. Offers differ in host, disk, network and reliability, and"
        " change from hour to hour: compare the same offer on the same day.",
        f"{high.text.strip()} 比 {low.text.strip()} 贵 {{value}}。主机、硬盘、网络、稳定性不同，价格也随时在变：要比同一天、同样配置的报价。",
        "%",
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
    parts_zh = "，".join(f"{item.text.strip()} 要 {{all[{first + index}].value}}" for index, item in enumerate(busy))
    en = (
        f"It pays for itself after {parts_en}: {price.text.strip()} against {rate.text.strip()}"
        + (" less the electricity." if power_prices else ".")
        + " What the machine is worth at the end is not counted."
    )
    zh = (
        f"回本时间：{parts_zh}（{price.text.strip()} 对 {rate.text.strip()}"
        + ("，已扣掉自己的电费）" if power_prices else "）")
        + "。没有计残值和闲置。"
    )
    return calculations(reading, sums, en, zh, before)


def _bill_per_million(reading: Reading) -> Plan | None:
    """A metered bill and the tokens of the same time."""
    energy = of(reading, "kWh", "kWh/month")
    tokens = [item for item in of(reading, "tokens") if item.value >= 1e5]
    prices = money(reading, "kWh") or [item for item in money(reading) if item.value < 2]
    if len(energy) != 1 or len(tokens) != 1 or len(prices) != 1:
        return None
    unit = prices[0].unit.partition("/")[0]
    bill = f"{plain(energy[0].value)} * {plain(prices[0].value)}"
    return calculations(
        reading,
        [(f"{bill} * 1 {unit}", unit), (f"{bill} / {plain(tokens[0].value / 1e6)} * 1 {unit}", unit)],
        "{all[1].value} per million tokens: the electricity was {value}. All tokens count alike here, prompts too, and the machine"
        " itself is not in it; a hosted price per output token is something else.",
        "每百万 token {all[1].value}：电费一共 {value}。这里所有 token（包括提示词）一样算，也没有计机器本身；和别家只按输出 token 的报价不能直接比。",
    )


def _hidden_price(reading: Reading) -> Plan | None:
    """Watts and rates without a price of electricity, beside a claimed cost of a million tokens."""
    watts, rates = of(reading, "W"), of(reading, "tokens/s")
    claims = [item for item in reading.quantities if item.unit.endswith("/1M tokens")]
    if (
        len(watts) != 1
        or not 1 <= len(rates) <= 3
        or money(reading, "kWh")
        or money(reading, "h")
        or not _MILLION.search(reading.text)
    ):
        return None
    if len(claims) != len(rates) or not _HIDDEN.search(reading.text):
        return None
    kwh = [f"{plain(watts[0].value)} / 1000 * 1000000 / {plain(rate.value)} / 3600" for rate in rates]
    unit = claims[0].unit.partition("/")[0]
    sums: list[Sum] = [(f"{one} * 1 kWh", "kWh") for one in kwh]
    sums += [
        (f"{plain(claim.value)} / ({one}) * 1 {unit}/kWh", f"{unit}/kWh")
        for claim, one in zip(claims, kwh, strict=True)
    ]
    pairs = range(len(rates))
    en = " ".join(
        f"{claims[i].text.strip()} at {rates[i].text.strip()} rests on {{all[{i + len(rates)}].value}}: a million tokens take"
        f" {{all[{i}].value}}."
        for i in pairs
    )
    zh = "".join(
        f"{rates[i].text.strip()} 时，百万 token 用电 {{all[{i}].value}}，对应的电价是 {{all[{i + len(rates)}].value}}。"
        for i in pairs
    )
    return calculations(
        reading,
        sums,
        en + " The watts decide as much as the price: measure them at the wall.",
        zh + "功率和电价同样重要，最好在墙上实测。",
    )


def _rented_out(reading: Reading) -> Plan | None:
    """Renting a card out: income, electricity and how long until it has paid for itself."""
    prices, rates, shares = money(reading), money(reading, "h"), of(reading, "fraction")
    power_prices, watts, cards = money(reading, "kWh"), of(reading, "W"), reading.known_cards
    if (
        len(prices) != 1
        or len(rates) != 1
        or len(shares) != 1
        or not _RENTED_OUT.search(reading.text)
        or not (watts or len(cards) == 1)
    ):
        return None
    unit, share = prices[0].unit, plain(shares[0].value)
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


def _price_ratio(reading: Reading) -> Plan | None:
    """A speed-up is the price ratio up to which the faster card is worth it."""
    factors = of(reading, "x")
    if (
        len(reading.known_cards) != 2
        or not 1 <= len(factors) <= 2
        or money(reading)
        or not (_RATIO.search(reading.text) and _FASTER.search(reading.text))
    ):
        return None
    fast, slow = list(reading.known_cards)
    times = " to ".join(factor.text.strip() for factor in factors), "到".join(factor.text.strip() for factor in factors)
    return calculation(
        reading,
        f"{plain(factors[-1].value)}",
        f"Up to the same ratio: with {times[0]} the speed, the {fast} may cost {times[0]} as much as the {slow}, a little more if the"
        " computer around it and the electricity are shared. Above that the slower card gives more for the money.",
        f"就看速度比：快 {times[1]}，{fast} 的价格在 {slow} 的 {times[1]}以内才划算；主机和电费能摊薄时可以再高一点，超过就不如慢的那张。",
    )


def _as_much_as(reading: Reading) -> Plan | None:
    """One card for the price of several others: bandwidth for the money, and of a single stream."""
    cards = reading.known_cards
    if len(cards) != 2 or not _AS_MUCH.search(reading.text) or not _BANDWIDTH.search(reading.text):
        return None
    (one, ones), (other, others) = cards.items()
    if (ones, others).count(1) != 1:
        return None
    single, many, count = (one, other, others) if ones == 1 else (other, one, ones)
    return calculations(
        reading,
        [
            (f"{count} * {{{{@2.memory_bandwidth_gb_s}}}} / {{{{@1.memory_bandwidth_gb_s}}}}", "x"),
            ("{{@1.memory_bandwidth_gb_s}} / {{@2.memory_bandwidth_gb_s}}", "x"),
        ],
        f"For the money the {many}: together {{all[2].value}} the bandwidth of the {single}, and more memory. A single stream is"
        f" {{all[3].value}} as fast on the {single}: the sum of several cards does not speed a single stream up.",
        f"同样的钱，{many} 合起来的带宽是 {single} 的 {{all[2].value}}，显存也更多；但单路生成 {single} 快 {{all[3].value}}：几张卡的带宽加起来并不会让单路更快。",
        (Call("gpu_specs", {"gpu": single}), Call("gpu_specs", {"gpu": many})),
    )


def _electricity(reading: Reading) -> Plan | None:
    """Electricity of a card over years for several prices, each in its own currency."""
    prices, shares, spans = money(reading, "kWh"), of(reading, "fraction", "h/day"), of(reading, "years", "months")
    watts, cards = of(reading, "W"), reading.known_cards
    foreign = {price.unit for price in prices} - {"USD/kWh"}
    if (
        not 1 <= len(prices) <= 3
        or (len(prices) == 1 and not foreign)
        or len(shares) > 1
        or len(spans) > 1
        or len(watts) > 1
    ):
        return None
    if not (watts or len(cards) == 1) or not _ELECTRICITY.search(reading.text) or money(reading) or money(reading, "h"):
        return None
    before = () if watts else (Call("gpu_specs", {"gpu": next(iter(cards))}),)
    count = 1 if watts else next(iter(cards.values()))
    power = f"{plain(watts[0].value)}" if watts else f"{count} * {{{{@1.board_power_w}}}}"
    busy = (
        "0.15"
        if not shares
        else plain(shares[0].value)
        if shares[0].unit == "fraction"
        else f"{plain(shares[0].value)} / 24"
    )
    hours = (
        "8760" if not spans else f"{plain(spans[0].value)} * {8760 if spans[0].unit == 'years' else HOURS_PER_MONTH}"
    )
    kwh = f"{power} / 1000 * {busy} * {hours}"
    sums: list[Sum] = [(f"{kwh} * 1 kWh", "kWh")]
    sums += [
        (f"{kwh} * {plain(price.value)} * 1 {price.unit.partition('/')[0]}", price.unit.partition("/")[0])
        for price in prices
    ]
    i = len(before)
    span = (spans[0].text.strip(), spans[0].text.strip()) if spans else ("each year", "每年")
    en = f"For {span[0]}: " + ", ".join(
        f"{{all[{i + 1 + n}].value}} at {price.text.strip()}" for n, price in enumerate(prices)
    )
    zh = f"{span[1]}：" + "，".join(
        f"按 {price.text.strip()} 是 {{all[{i + 1 + n}].value}}" for n, price in enumerate(prices)
    )
    how_en = f", for {{all[{i}].value}} ({{all[{i}].expression}})." + (
        "" if shares else " I took the guide's share of busy time."
    )
    how_zh = (
        f"；用电 {{all[{i}].value}}（{{all[{i}].expression}}）。"
        + ("" if shares else "利用率按《指南》的数。")
        + "只算显卡，不含整机其余部分。"
    )
    return calculations(reading, sums, en + how_en, zh + how_zh, before)


def _bare_money(reading: Reading) -> Plan | None:
    """Prices without a currency: nobody may pick one silently."""
    bare = [item for item in of(reading, "") if not item.in_words and near(reading, item, _PRICED, 7)]
    if (
        money(reading)
        or money(reading, "h")
        or money(reading, "kWh")
        or len(bare) < 2
        or not _PAYS.search(reading.text)
        or not (_ELECTRICITY.search(reading.text) or _CLOUD.search(reading.text))
    ):
        return None
    named = [item.text.strip() for item in bare[:3]]
    if reading.language == "zh":
        return Plan(
            reply=f"先确认币种：{'、'.join(named)} 各是人民币（元）还是美元？混着算差好几倍。写明币种，我马上算。",
            status="clarify",
        )
    return Plan(
        reply=f"In which currency are {', '.join(named)}: dollars, yuan, euros? Mixed up, the result is off by several times. Tell me and I"
        " will compute it.",
        status="clarify",
    )


RULES: tuple[Rule, ...] = (
    _bare_money,
    _rented_out,
    _hidden_price,
    _bill_per_million,
    _electricity,
    _break_even,
    _rents,
    _difference,
    _as_much_as,
    _price_ratio,
    _per_machine,
    _markup,
)
