"""Units as people write them in both languages, and their canonical form.

A canonical unit is what a tool field ends in ("W", "USD/h", "GB/s"); a spelling carries the factor
to it. One table serves the reader of questions and the guard of answers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.letters import by_first_sign

# canonical unit -> {factor: spellings}; longer spellings are tried first.
_SPELLINGS: dict[str, dict[float, tuple[str, ...]]] = {
    "W": {1: ("watts", "watt", "w", "瓦特", "瓦"), 1e3: ("kilowatts", "kilowatt", "kw", "千瓦"), 1e6: ("mw", "兆瓦")},
    "kWh": {1: ("kilowatt-hours", "kilowatt hours", "kwh", "千瓦时", "千瓦·时", "度电"), 1e3: ("mwh", "兆瓦时")},
    "V": {1: ("volts", "volt", "v", "伏特", "伏")},
    "A": {1: ("amperes", "amps", "amp", "a", "安培", "安")},
    "fraction": {0.01: ("percent", "per cent", "pct", "%", "个百分点", "百分点")},
    "GB": {1: ("gigabytes", "gigabyte", "gb", "g显存", "g", "吉字节"), 1e3: ("tb",), 1e-3: ("mb",)},
    "GiB": {1: ("gibibytes", "gibibyte", "gib"), 1024: ("tib",), 1 / 1024: ("mib",)},
    "KB": {1: ("kb",)},
    "GB/s": {1: ("gb/s", "gbps", "g/s"), 1e3: ("tb/s",)},
    "Gbit/s": {1: ("gbit/s", "gb/秒", "gigabit")},
    "TFLOPS": {1: ("tflops", "tflop/s", "teraflops"), 1e3: ("pflops", "petaflops")},
    "TOPS": {1: ("tops",)},
    "tokens/s": {
        1: ("tokens per second", "tokens/s", "token/s", "tok/s", "t/s", "tokens/sec", "token/秒", "tokens/秒", "tps")
    },
    "samples/s": {
        1: ("samples/s", "samples per second", "images/s", "images per second", "样本/秒", "张图/秒", "张/秒")
    },
    "B/token": {1: ("b/token", "bytes per token", "字节/token"), 1e3: ("kb/token",)},
    "MHz": {1: ("mhz",), 1e3: ("ghz",)},
    "s": {1: ("seconds", "second", "sec", "秒钟", "秒"), 1e-3: ("ms", "毫秒")},
    "kWh/year": {1: ("度/年",)},
    "kWh/month": {1: ("度/月",)},
    "kWh/1M tokens": {1: ("度/百万 token", "度/百万token")},
    "tokens": {
        1: ("tokens", "token", "个 token", "个token", "词元", "个词元"),
        1e3: ("k tokens", "k token", "k context", "k上下文", "k 上下文"),
        1e6: ("m tokens",),
        1e9: ("b tokens",),
    },
    "h": {
        1: ("hours", "hour", "hrs", "hr", "h", "个小时", "小时", "钟头"),
        1 / 60: ("minutes", "minute", "min", "分钟"),
    },
    "days": {1: ("days", "day", "天", "日"), 7: ("weeks", "week", "个星期", "星期", "周")},
    "months": {1: ("months", "month", "个月")},
    "years": {1: ("years", "year", "yrs", "yr", "年")},
    "cycles": {1: ("cycles", "cycle", "个周期", "周期")},
    "°C": {1: ("degrees celsius", "degrees c", "degrees", "degc", "°c", "℃", "摄氏度")},
    "mm": {1: ("millimetres", "mm", "毫米"), 10: ("cm", "厘米")},
    "slots": {1: ("slots", "slot", "个槽位", "个插槽", "槽位", "槽")},
    "g/kWh": {1: ("g/kwh", "gco2/kwh", "g co2/kwh", "克/度", "克/千瓦时", "g/度"), 1e3: ("kg/kwh", "kg/度", "千克/度")},
    "kg": {1: ("kilograms", "kg", "千克", "公斤"), 1e3: ("tonnes", "tons", "tonne", "t", "吨")},
    "km": {1: ("kilometres", "km", "公里")},
    "x": {1: ("times", "x", "×", "倍")},
    "warps": {1: ("warps", "warp", "个warp", "个 warp")},
    "threads": {1: ("threads", "thread", "个线程", "线程")},
    "SMs": {1: ("sms", "sm", "个sm", "个 sm", "streaming multiprocessors")},
    "operations": {1: ("operations", "次运算", "次操作")},
    "cards": {1: ("gpus", "gpu", "cards", "card", "pieces", "张", "块卡", "片", "卡")},
    "lanes": {1: ("lanes", "lane", "条通道", "条")},
    "1e9": {1: ("b",), 1e-9: ("parameters", "params", "个参数", "参数")},
    "USD": {1: ("us dollars", "dollars", "dollar", "usd", "bucks", "美元", "美金", "刀", "美刀")},
    "CNY": {1: ("cny", "rmb", "yuan", "人民币", "元人民币", "块钱", "元")},
    "EUR": {1: ("euros", "euro", "eur", "欧元")},
    "GBP": {1: ("pounds", "gbp", "英镑")},
    "JPY": {1: ("yen", "jpy", "日元", "日圆")},
    "btu/h": {1: ("btu/h", "btu")},
}
CURRENCIES = ("USD", "CNY", "EUR", "GBP", "JPY")
CURRENCY_SIGNS = {"us$": "USD", "$": "USD", "€": "EUR", "£": "GBP", "rmb": "CNY"}
# "¥" is CNY or JPY; nobody may pick silently.
UNCLEAR_SIGN = "¥"

_PER = {
    "h": r"(?:/|per |an |a |each |每)\s*(?:gpu[- ]?)?(?:hour|hr|h|小时|时)(?![a-z])|一(?:个)?小时",
    "kWh": r"(?:/|per |a |每)\s*(?:kwh|度电|度|千瓦时)|一度电?",
    "month": r"(?:/|per |a |每)\s*(?:months?|mo|月|个月)(?![a-z])",
    "year": r"(?:/|per |a |每)\s*(?:years?|yr|年)(?![a-z])",
    "day": r"(?:/|per |a |每)\s*(?:days?|天|日)(?![a-z])",
    "week": r"(?:/|per |a |每)\s*(?:weeks?|周|星期)(?![a-z])",
    "1M tokens": r"(?:/|per |每)\s*(?:1m|million|m|百万)\s*(?:tokens?|词元)?",
    "s": r"(?:/|per )\s*(?:seconds?|sec|s)(?![a-z])",
}
PER = {unit: re.compile(r"\s*(?:" + pattern + ")", re.IGNORECASE | re.ASCII) for unit, pattern in _PER.items()}
# How each of them begins: most figures have nothing of the kind behind them.
ANY_PER = re.compile(r"\s*(?:/|per |an? |each |每|一)", re.IGNORECASE | re.ASCII)
PER_BEFORE = {
    "h": re.compile(r"(?:每小时|每个小时|一小时|per hour|hourly)\D{0,6}$", re.IGNORECASE | re.ASCII),
    "kWh": re.compile(
        r"(?:每度电?|一度电?|每千瓦时|电价|电费(?:单价)?|per kwh|electricity(?: price| rate)?)\D{0,12}$",
        re.IGNORECASE | re.ASCII,
    ),
}
# Which "per" makes sense for which unit.
PER_OF = {
    "h": ("USD", "CNY", "EUR", "GBP", "JPY"),
    "kWh": ("USD", "CNY", "EUR", "GBP", "JPY"),
    "month": (*CURRENCIES, "kWh", "h"),
    "year": (*CURRENCIES, "kWh", "h"),
    "day": ("h", *CURRENCIES),
    "week": ("h", "days"),
    "1M tokens": CURRENCIES,
    "s": ("tokens",),
}


@dataclass(frozen=True, slots=True)
class Spelling:
    """One way to write a unit."""

    unit: str
    factor: float


_TABLE = {
    spelling: Spelling(unit, factor)
    for unit, rows in _SPELLINGS.items()
    for factor, spellings in rows.items()
    for spelling in spellings
}
_ORDERED = sorted(_TABLE, key=len, reverse=True)
_UNIT = re.compile(by_first_sign(re.escape(spelling) for spelling in _ORDERED))
# What typesetting puts between a number and its unit: "**1,600** W", "<b>1,600</b> W", "1600\\,\\mathrm{W}".
_SET = re.compile(
    r"(?:\*{1,3}|_{1,2}|`|</?[a-z]{1,6}>|\\[,;:! ]|\\(?:text|mathrm|rm|operatorname)\s?\{|[{}~])[ \u00a0]?",
    re.IGNORECASE,
)
_SET_STARTS = frozenset("*_`<\\{}~")


def read_unit(text: str, start: int) -> tuple[Spelling, int] | None:
    """Read the unit that begins at `start` (after at most one space).

    Returns:
        The unit and the position behind it, or None.
    """
    begin = start
    while begin < len(text) and begin - start < 2 and text[begin] in " -\u00a0\u202f":
        begin += 1
    while text[begin : begin + 1] in _SET_STARTS and (mark := _SET.match(text, begin)):
        begin = mark.end()
    rest = text[begin : begin + 30].lower()
    match = _UNIT.match(rest)
    end = match.end() if match else 0
    while end:
        spelling, follower = rest[:end], rest[end : end + 1]
        # "8 words" does not begin with watts, nor does "4 x16" with a factor.
        if not ("a" <= spelling[-1] <= "z" and ("a" <= follower <= "z" or follower.isdigit())):
            if spelling == "a" and text[begin : begin + 1] == "a":
                return None  # "10 a day": the article, not ampere
            if spelling in ("x", "×") and re.match(r"\s?\d", rest[end:]):
                return None  # "32 x 32": a size, not a factor
            return _TABLE[spelling], begin + end
        end = next((length for length in range(end - 1, 0, -1) if rest[:length] in _TABLE), 0)
    return None
