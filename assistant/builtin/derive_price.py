"""What a million tokens cost, and what a price buys: hidden prices, bills, cards for the same money."""

from __future__ import annotations

from assistant.builtin.asking import Rule, Sum, calculation, calculations, money, of, plain, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.reading import Reading

_MILLION = words("per million|a million|million tokens|1m tokens", "百万")
_HIDDEN = words("which|what|hidden|implied|assume|behind", "哪|什么|多少|隐含")
_RATIO = words("price ratio|worth|price|pay|cost", "价|值|贵")
_FASTER = words("faster|speed-?up|quicker", "快")
_AS_MUCH = words(
    "costs? (?:as much as|the same as)|same (?:price|money) as|for the price of|buys?",
    "一个价|同样的价|同价|等于.{0,6}价|的价格.{0,6}买",
)
_BANDWIDTH = words("bandwidth|token generation|generation|stream", "带宽|生成|出字")


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
        f" computer around it and the electricity are shared. Above that the {slow} gives more for the money.",
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
        f"For the money the {many}: together {{all[2].value}} the bandwidth of the {single}, and the memory of all of them. A single stream is"
        f" {{all[3].value}} as fast on the {single}: the sum of several cards does not speed a single stream up.",
        f"同样的钱，{many} 合起来的带宽是 {single} 的 {{all[2].value}}，显存也加在一起；但单路生成要看单张：{single} 是 {many} 的 {{all[3].value}}，几张卡的带宽加起来帮不了单路。",
        (Call("gpu_specs", {"gpu": single}), Call("gpu_specs", {"gpu": many})),
    )


RULES: tuple[Rule, ...] = (_hidden_price, _bill_per_million, _as_much_as, _price_ratio)
