"""Questions that start from what is wanted: a rate that a card must reach, texts to get through, watts to stay within."""

from __future__ import annotations

import re
from typing import Any

from assistant.builtin.asking import Rule, calculation, money, near, of, plain, rate_text, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.frames import frames
from assistant.builtin.options import choices
from assistant.builtin.reading import Reading
from assistant.builtin.sheets import sheet
from assistant.builtin.trying import arguments_of, result_of
from tools.api import Json, ToolInputError

_WHICH_CARD = words(
    r"(?:which|what) (?:\w+ ){0,2}(?:cards?|gpus?|hardware)|(?:cards?|gpus?) (?:do|would|should|could) i|cheapest (?:card|gpu)|recommend",
    "(?:什么|哪|啥)(?:张|款|块|种|个)?(?:显)?卡|买什么|用什么|要什么|推荐",
)
_HOW_LONG = words(
    r"how long|how many (?:hours|days)|time\b|when (?:is|will)", "多久|多长时间|几天|多少天|几小时|多少小时"
)
_TRAIN = words(r"train\w*|fine-?tun\w*|lora|qlora|sft|epochs?", "训练|微调|轮|LoRA")
_TEXTS = re.compile(
    r"[\s-]*(?:个|条|篇|份|封|张)?\s*(?:\w+ )?(?:documents?|docs?|files?|pages?|articles?|emails?|prompts?|requests?|questions?|chunks?|reviews?|records?|rows?|文档|文章|文件|网页|邮件|请求|问题|评论|记录|样本|数据|提示词)",
    re.IGNORECASE,
)
_COUNTED_HAN = re.compile(r"\s*(?:条|篇|份|封)")
_WRITES = words(
    r"generat\w*|writ\w*|output|answers?|summar\w*|translat\w*|repl(?:y|ies)", "生成|写|输出|回答|总结|翻译|摘要|回复"
)
_FITS_IN = words(
    r"rack|cabinet|budget|circuit|feed|pdu|limit|breaker|available|have",
    "机柜|机房|预算|线路|空开|供电|只有|上限|电力|配电",
)
_HOW_MANY = words(r"how many", "几张|几块|多少张|多少块|几台|多少台|几个|多少个")
_MOST_CARDS = 4096
# Cards that came out before are hardly sold new: their launch price is no price today.
_STILL_SOLD = "2022-09"


def _card_for_rate(reading: Reading) -> Plan | None:
    """A rate for one user and a model, no card: the cheapest priced card that reaches it."""
    rates = of(reading, "tokens/s")
    if len(rates) != 1 or len(reading.models) != 1 or reading.cards or not _WHICH_CARD.search(reading.text):
        return None
    if money(reading) or any(item.unit not in ("", "tokens/s", "tokens", "cards", "x") for item in reading.quantities):
        return None
    fixed = arguments_of("decode_rate", reading)
    fixed.setdefault("weight_format", "Q4_K_M")
    value = {"use": "llm_decode"}
    tried: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for row in sorted(result_of("rank_by_value", value)["rows"], key=lambda row: float(row["price_usd"])):
        if row["price_kind"] == "launch" and str(row["price_as_of"]) < _STILL_SOLD:
            continue
        found = result_of("decode_rate", {**fixed, "gpu": row["gpu"]})
        if found["fits"]:
            tried.append((row, found))
    if not tried:
        return None
    enough = [pair for pair in tried if pair[1]["tokens_per_s"] >= rates[0].value]
    best = enough[0] if enough else max(tried, key=lambda pair: float(pair[1]["tokens_per_s"]))
    # The card to be had for less that comes nearest.
    less = [pair for pair in tried if pair[0]["price_usd"] < best[0]["price_usd"]]
    near_by = max(less, key=lambda pair: float(pair[1]["tokens_per_s"]), default=None)
    names = [str(pair[0]["gpu"]) for pair in (best, near_by) if pair]
    calls = [Call("decode_rate", {**fixed, "gpu": name}) for name in names]
    calls += [Call("rank_by_value", {**value, "gpus": [name]}) for name in names]
    at = len(names)
    zh = reading.language == "zh"
    price = _PRICE[zh]
    if enough:
        head = "{gpu}：" if zh else "The {gpu}: "
    else:
        head = (
            "有报价的卡里单张都到不了；最快的是 {gpu}："
            if zh
            else "No single card with a known price gets there; the fastest is the {gpu}: "
        )
    head += (
        f"{{arguments.model}}（{{weight_format}}）单人大约 {{tokens_per_s}}（区间 {{low_tokens_per_s}}–{{high_tokens_per_s}}），{price.format(at)}。"
        if zh
        else f"about {{tokens_per_s}} with {{arguments.model}} in {{weight_format}} ({{low_tokens_per_s}} to {{high_tokens_per_s}}), {price.format(at)}."
    )
    if near_by:
        head += (
            f"便宜一些的 {{all[1].gpu}} 是 {{all[1].tokens_per_s}}，{price.format(at + 1)}。"
            if zh
            else f" For less money the {{all[1].gpu}} writes {{all[1].tokens_per_s}}, {price.format(at + 1)}."
        )
    tail = (
        "\n\n只看了有报价的卡；价格日期不同，下单前请核对。上下文多长、几个人同时用？"
        if zh
        else "\n\nOnly cards with a known price were tried; check the price before buying. How long is your context, and how many people use it?"
    )
    return Plan(
        stages=(tuple(calls),), say=head + tail, given=tuple(fixed), extra={"used": rates[0].text, "alone": True}
    )


_PRICE = {
    False: "{{all[{0}].rows[0].price_usd}} ({{all[{0}].rows[0].price_kind}} price of {{all[{0}].rows[0].price_as_of}})",
    True: "{{all[{0}].rows[0].price_usd}}（{{all[{0}].rows[0].price_as_of}} 的价格）",
}


def _over_texts(reading: Reading) -> Plan | None:
    """So many texts of so many tokens through a model on a card: how long reading them takes."""
    cards = reading.known_cards
    if len(cards) != 1 or len(reading.models) != 1 or _TRAIN.search(reading.text) or not _HOW_LONG.search(reading.text):
        return None
    texts = [
        item
        for item in of(reading, "", "tokens", "x")
        if item.value >= 2 and (_TEXTS.match(reading.text, item.end) or _COUNTED_HAN.match(reading.text, item.end))
    ]
    lengths = [item for item in of(reading, "tokens") if item not in texts]
    if len(texts) != 1 or not 1 <= len(lengths) <= 2:
        return None
    name, count = next(iter(cards.items()))
    fixed: dict[str, Json] = {
        **arguments_of("prefill_rate", reading),
        "gpu": name,
        "prompt_tokens": int(lengths[0].value),
    }
    fixed |= {"gpu_count": count} if count > 1 else {}
    if not result_of("prefill_rate", fixed)["fits"]:
        fixed["weight_format"] = "Q4_K_M"
    total = f"{plain(texts[0].value)} * {plain(lengths[0].value)}"
    plan = calculation(
        reading,
        f"{total} / {{{{@1.tokens_per_s}}}} / 3600 * 1 h",
        "About {all[1].value} to read them: {tokens_per_s} on {gpu} with {arguments.model} in {weight_format} ({low_tokens_per_s} to"
        " {high_tokens_per_s}, {basis}), one after the other. What is written about each comes on top: how many tokens is that?"
        " A server such as vLLM that batches them writes many times faster than one chat.",
        "光读完大约 {all[1].value}：{gpu} 跑 {arguments.model}（{weight_format}）读入 {tokens_per_s}（区间 {low_tokens_per_s}–{high_tokens_per_s}，模型估计），"
        "逐个算。每条还要写出多少 token？写的时间另算；用 vLLM 这类引擎成批处理会快很多倍。",
        "h",
        (Call("prefill_rate", fixed),),
    )
    used = " ".join(item.text for item in (texts[0], *lengths[:1]))
    return Plan(stages=plan.stages, say=plan.say, given=tuple(fixed), extra={"used": used})


def _within_watts(reading: Reading) -> Plan | None:
    """So many watts there, so many each: how many fit, when nothing else takes any."""
    watts = of(reading, "W")
    names = list(reading.known_cards)
    if not _HOW_MANY.search(reading.text) or not _FITS_IN.search(reading.text) or of(reading, "A", "V"):
        return None
    if len(watts) == 2 and not names and len({item.value for item in watts}) == 2:
        small, large = sorted(watts, key=lambda item: item.value)
        if large.value > _MOST_CARDS * small.value or not near(reading, large, _FITS_IN, 30):
            return None
        return calculation(
            reading,
            f"floor({plain(large.value)} / {plain(small.value)})",
            f"{{value}} at {small.text.strip()} each, if nothing else drew power from the {large.text.strip()}. CPUs, fans and supply losses do: take"
            " off what your servers need beside the cards, tell me and I will redo it.",
            f"按每张 {small.text.strip()}，{large.text.strip()} 最多 {{value}} 张，前提是全给显卡。CPU、风扇和电源损耗也要用电：服务器其余部分多少瓦？告诉我再算。",
        )
    return None


_DAILY = words(r"(?:a|per|each|every) day|daily", "每天|每日|一天|日均")
_SECONDS_PER_DAY = 86_400


def _tokens_a_day(reading: Reading) -> Plan | None:
    """So many million tokens a day: the rate that this is on average, before anybody counts cards."""
    tokens = [item for item in of(reading, "tokens") if item.value >= 1e6]
    if len(tokens) != 1 or not _DAILY.search(reading.text) or _TRAIN.search(reading.text) or money(reading):
        return None
    if of(reading, "tokens/s", "USD/h", "W"):
        return None
    said = tokens[0].text.strip()
    return calculation(
        reading,
        f"{plain(tokens[0].value)} / {_SECONDS_PER_DAY} * 1 token/s",
        f"{said} a day are {{value}} on average; peaks are several times that. How many cards it takes hangs on how many requests run at once and how"
        " long they are: tell me both and I will work out what one card reaches.",
        f"每天 {said} 平均是 {{value}}，高峰会是它的几倍。要几张卡取决于同时有多少请求、每个多长：告诉我这两样，我算单卡能到多少。",
        "tokens/s",
    )


_BEST_LIMIT = words(
    r"(?:best|optimal|ideal|right|efficient|good) (?:power )?(?:limit|cap|target)|sweet ?spot|(?:what|which) (?:power )?(?:limit|cap)\b",
    "(?:功耗墙|功率|限功率|功耗).{0,6}(?:设|限|调|锁)?(?:到|在|成)?多少.{0,6}(?:最|合适|划算|好)|最佳(?:功耗|功率)|甜点",
)
_SHARES = (0.9, 0.8, 0.7, 0.6)


def _best_limit(reading: Reading) -> Plan | None:
    """Which power limit pays: the speed that is left at four of them."""
    cards = list(reading.known_cards)
    if len(cards) != 1 or reading.quantities or not _BEST_LIMIT.search(reading.text):
        return None
    full = float(sheet(cards[0]).board_power_w or 0)
    use = choices(frames()["power_limit_effect"], reading).get("use", "training")
    tried: list[Call] = []
    for share in _SHARES:
        arguments: dict[str, Json] = {"gpu": cards[0], "power_limit_w": float(round(full * share)), "use": use}
        try:
            result_of("power_limit_effect", arguments)
        except ToolInputError:
            continue
        tried.append(Call("power_limit_effect", arguments))
    if len(tried) < 2:
        return None
    return Plan(stages=(tuple(tried),), say=_LIMITS[reading.language == "zh"], given=("use",))


_LIMITS = {
    False: """
{% set what = {"decode": "writing tokens", "prefill": "reading prompts", "training": "training"}[use] %}
There is no single best one: weigh what each step keeps against what it saves. For {what} on the {gpu} (stock {board_power_w}):

| limit | speed left | saved |
|---|---|---|
{% for one in all %}
| {one.power_limit_w} | {one.relative_speed} | {one.saved_w} |
{% endfor %}

Chatting alone hardly notices any of these. What matters more to you, speed or the bill?
""",
    True: """
{% set what = {"decode": "单人生成", "prefill": "读提示词", "training": "训练"}[use] %}
没有唯一的最佳值，看每一档剩多少速度、省多少功率。{gpu}（原厂 {board_power_w}）{what}时：

| 限到 | 剩下的速度 | 省 |
|---|---|---|
{% for one in all %}
| {one.power_limit_w} | {one.relative_speed} | {one.saved_w} |
{% endfor %}

单人聊天几乎感觉不到。你更看重速度还是电费？
""",
}
_HOURS = words(
    r"how (?:many hours|long)|hours (?:until|for|do i get)|last",
    "多少小时|几小时|几个小时|多久|够(?:跑|用|租)|能(?:跑|租|用)多",
)
_BUYS_HOURS = words(
    r"until|budget|for \$|with \$|get for|spend|last|credit", "够|预算|能租|能跑|能用|花完|额度|余额|充"
)
_MACHINE = words(
    r"buy|machine|desktop|pay(?:s|ing)? (?:off|back|for itself)|break[- ]?even|own\b|worth",
    "买|机器|整机|回本|划算|自己的",
)


def _hours_for_money(reading: Reading) -> Plan | None:
    """ "How many hours of cloud are $900 at $1.89?": one amount over one rate, and no machine to set against it."""
    amounts, rates = money(reading), money(reading, "h")
    if len(amounts) != 1 or len(rates) != 1 or amounts[0].unit != rates[0].unit.partition("/")[0]:
        return None
    if not _HOURS.search(reading.text) or not _BUYS_HOURS.search(reading.text) or _MACHINE.search(reading.text):
        return None
    count = max(reading.known_cards.values(), default=1)
    if count > 1 or of(reading, "fraction", "days", "months", "h"):
        return None
    return calculation(
        reading,
        f"{plain(amounts[0].value)} / {plain(rates[0].value)} * 1 h",
        f"{{value}}: {amounts[0].text.strip()} at {rate_text(reading, rates[0])}. Storage and idle hours come on top.",
        f"{{value}}：{amounts[0].text.strip()}，{rate_text(reading, rates[0])}。存储和闲置的时间另算。",
        "h",
    )


RULES: tuple[Rule, ...] = (_card_for_rate, _over_texts, _tokens_a_day, _within_watts, _best_limit, _hours_for_money)
