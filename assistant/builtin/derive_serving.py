"""Serving people: how many at a speed that suits them, what a million tokens cost in any currency, a measured rate on another card."""

from __future__ import annotations

from assistant.builtin.asking import Rule, Sum, calculations, money, of, plain, rate_text, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.derive_speed import rates_of
from assistant.builtin.frames import frames
from assistant.builtin.reading import Reading
from assistant.builtin.slots import fill
from assistant.builtin.trying import arguments_of, result_of
from assistant.numerals import Numeral
from tools.api import Json

_MINE = words(
    r"\b(?:i|we) (?:get|have|see|reach|measure\w*|hit|run|am getting|'m getting)|i'?m (?:getting|seeing)|my|currently|measured|gives me|now\b|does",
    "我现在|我的|我这|目前|现在|实测|跑出|能跑|跑到|测得|测到|只有",
)
_OTHER_CARD = words(
    r"what (?:would|will|can|could|should)|how (?:much|many|fast)|expect|would|will|estimate|with an?|on an?",
    "换成|换|能有|会有|多少|大概|预计|能到|升级",
)
_HOW_MANY_USERS = words(
    r"how many (?:\w+ )?(?:users?|people|clients?|requests?|chats?|sessions?|employees|colleagues|students|streams)|"
    r"(?:max(?:imum)?|most) (?:\w+ )?(?:users|batch|concurren\w+)",
    "多少(?:个)?(?:人|用户|并发|路|请求|员工|同事|学生)|几(?:个)?(?:人|用户|路|并发)|最大并发|最多.{0,6}(?:并发|用户|人)",
)
_MILLION = words(
    r"per million|a million|million (?:output )?tokens|1m tokens|per token|token costs?|each token",
    "百万|每(?:个)? ?token",
)
_TRAIN = words(r"train\w*|fine-?tun\w*|lora|qlora", "训练|微调|LoRA")
_MOST_USERS = 1024
_CONTEXT = 4096


def _users(reading: Reading) -> Plan | None:
    """The most users that each get so many tokens a second, and whose caches fit."""
    cards = reading.known_cards
    if len(cards) != 1 or len(reading.models) != 1 or not _HOW_MANY_USERS.search(reading.text):
        return None
    wished = of(reading, "tokens/s")
    if (
        len(wished) > 1
        or _TRAIN.search(reading.text)
        or money(reading)
        or money(reading, "h")
        or of(reading, "W", "GB", "h")
    ):
        return None
    name, count = next(iter(cards.items()))
    fixed: dict[str, Json] = {"context_tokens": _CONTEXT, **arguments_of("decode_rate", reading)}
    fixed |= {"gpu": name, "gpu_count": count, "engine": "vllm"}

    def good(users: int) -> bool:
        found = result_of("decode_rate", {**fixed, "batch_size": users})
        return bool(found["fits"]) and (not wished or found["per_user_tokens_per_s"] >= wished[0].value)

    if not good(1):
        return _not_even_one(reading, fixed, wished)
    low, high = 1, 2
    while high <= _MOST_USERS and good(high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if good(middle) else (low, middle)
    if low >= _MOST_USERS:
        return None
    calls = tuple(Call("decode_rate", {**fixed, "batch_size": users}) for users in (low, high))
    by_memory = not result_of("decode_rate", {**fixed, "batch_size": high})["fits"]
    said = wished[0].text.strip() if wished else ""
    en = (
        "About {batch_size} at once: each then gets {per_user_tokens_per_s} with {arguments.model} in {weight_format}, all together {tokens_per_s}"
        " ({low_tokens_per_s} to {high_tokens_per_s}, {basis}).\n\n"
        + (
            "One more would not fit: it takes {all[1].needed_per_gpu_gb} of {all[1].gpu_memory_gb} on each card."
            if by_memory
            else f"With one more each gets {{all[1].per_user_tokens_per_s}}, below the {said} you ask for; memory would do, with {{needed_per_gpu_gb}} of {{gpu_memory_gb}}."
        )
        + " Counted for {arguments.context_tokens} of context each, all writing at the same moment, with {engine}. Of people who chat only some write at"
        " once, so more can be signed in." + ("" if wished else " Which speed should each user have?")
    )
    zh = (
        "大约 {batch_size} 人同时用：{arguments.model}（{weight_format}）每人 {per_user_tokens_per_s}，合计 {tokens_per_s}（区间 {low_tokens_per_s}–{high_tokens_per_s}，模型估计）。\n\n"
        + (
            "再多一人显存就放不下：每张卡要 {all[1].needed_per_gpu_gb}，只有 {all[1].gpu_memory_gb}。"
            if by_memory
            else f"再多一人，每人只有 {{all[1].per_user_tokens_per_s}}，低于你要的 {said}；显存还够：占 {{needed_per_gpu_gb}}，共 {{gpu_memory_gb}}。"
        )
        + "按每人 {arguments.context_tokens}上下文、同一时刻都在生成、{engine} 计。聊天时不会人人同时在出字，能服务的人数更多。"
        + ("" if wished else "每人至少要多快？告诉我再算。")
    )
    return Plan(stages=(calls,), say=zh if reading.language == "zh" else en, given=tuple(fixed), extra={"used": said})


_EACH = words(r"each|per (?:user|person|head)|apiece|every (?:user|person)", "每人|每个(?:人|用户)|人均|各")


def _enough_for(reading: Reading) -> Plan | None:
    """So many users at so many tokens a second: what each gets of it."""
    cards, wished = reading.known_cards, of(reading, "tokens/s")
    if len(cards) != 1 or len(reading.models) != 1 or len(wished) != 1 or not _EACH.search(reading.text):
        return None
    users = fill(frames()["decode_rate"], reading.text, reading.quantities).get("batch_size")
    if not users or users < 2 or _TRAIN.search(reading.text) or money(reading) or money(reading, "h"):
        return None
    name, count = next(iter(cards.items()))
    fixed: dict[str, Json] = {
        "context_tokens": _CONTEXT,
        **arguments_of("decode_rate", reading),
        "batch_size": int(users),
    }
    fixed |= {"gpu": name, "gpu_count": count, "engine": "vllm"}
    found, said = result_of("decode_rate", fixed), wished[0].text.strip()
    given = tuple(fixed)
    if not found["fits"]:
        return Plan(stages=((Call("decode_rate", fixed),),), given=given, extra={"used": said})
    reached = found["per_user_tokens_per_s"] >= wished[0].value
    en = (
        f"{'It works out' if reached else 'Short of it'}: each of the {{batch_size}} users gets {{per_user_tokens_per_s}} of the {said} you ask"
        " for, with {arguments.model} in {weight_format}; all together {tokens_per_s} ({low_tokens_per_s} to {high_tokens_per_s}, {basis}).\n\nIt"
        " takes {needed_per_gpu_gb} of {gpu_memory_gb}. Counted for {arguments.context_tokens} of context each, all writing at the same moment, with"
        " {engine}."
    )
    zh = (
        f"{'达到了' if reached else '达不到'}：{{batch_size}} 人同时用，每人 {{per_user_tokens_per_s}}，你要的是 {said}；{{arguments.model}}（{{weight_format}}）"
        "合计 {tokens_per_s}（区间 {low_tokens_per_s}–{high_tokens_per_s}，模型估计）。\n\n显存占 {needed_per_gpu_gb}，共 {gpu_memory_gb}。"
        "按每人 {arguments.context_tokens}上下文、同一时刻都在生成、{engine} 计。"
    )
    return Plan(
        stages=((Call("decode_rate", fixed),),),
        say=zh if reading.language == "zh" else en,
        given=given,
        extra={"used": said},
    )


def _not_even_one(reading: Reading, fixed: dict[str, Json], wished: list[Numeral]) -> Plan:
    """Say why not even one user is served."""
    call = Call("decode_rate", {**fixed, "batch_size": 1})
    fits = result_of("decode_rate", call.arguments)["fits"]
    if not fits:
        return Plan(stages=((call,),), given=tuple(fixed), extra={"used": wished[0].text if wished else ""})
    said = wished[0].text.strip()
    en = f"Not even one at {said}: a single user gets {{tokens_per_s}} with {{arguments.model}} in {{weight_format}}. Fewer bits or more cards make it faster."
    zh = f"一个人也到不了 {said}：{{arguments.model}}（{{weight_format}}）单人只有 {{tokens_per_s}}。降低位数或加卡才会更快。"
    return Plan(stages=((call,),), say=zh if reading.language == "zh" else en, given=tuple(fixed), extra={"used": said})


def _million_tokens(reading: Reading) -> Plan | None:
    """What a million tokens cost on a card with a model, where the price is in another currency than the tools'."""
    cards, rents, tariffs = reading.known_cards, money(reading, "h"), money(reading, "kWh")
    prices = rents or tariffs
    if len(cards) != 1 or len(reading.models) != 1 or len(prices) != 1 or not _MILLION.search(reading.text):
        return None
    unit = prices[0].unit.partition("/")[0]
    if unit == "USD" or of(reading, "tokens/s", "W") or money(reading) or _TRAIN.search(reading.text):
        return None
    name, count = next(iter(cards.items()))
    rate = {**arguments_of("decode_rate", reading), "gpu": name, "gpu_count": count}
    users = fill(frames()["decode_rate"], reading.text, reading.quantities).get("batch_size")
    rate |= {"batch_size": int(users), "engine": "vllm"} if users and users > 1 else {}
    before: tuple[Call, ...] = (Call("decode_rate", rate),)
    hours = "1000000 / {{@1.tokens_per_s}} / 3600"
    price = rate_text(reading, prices[0]) if rents else prices[0].text.strip()
    basis_en = (
        "{tokens_per_s} with {arguments.model} in {weight_format} ({low_tokens_per_s} to {high_tokens_per_s}, {basis})"
    )
    basis_zh = "{arguments.model}（{weight_format}）{tokens_per_s}（区间 {low_tokens_per_s}–{high_tokens_per_s}）"
    if rents:
        sums: list[Sum] = [(f"{hours} * {plain(prices[0].value)} {unit}", unit)]
        en = f"{{all[1].value}} for a million tokens at {price}: the rate is {basis_en}."
        zh = f"每百万 token {{all[1].value}}：按 {price} 算，速度是 {basis_zh}。"
    else:
        before = (*before, Call("power_check", {"cards": {name: count}}))
        kwh = f"{hours} * {{{{@2.wall_w}}}} / 1000"
        sums = [(f"{kwh} * {plain(prices[0].value)} {unit}", unit), (f"{kwh} * 1 kWh", "kWh")]
        en = f"{{all[2].value}} of electricity for a million tokens ({{all[3].value}} at {price}): the machine draws {{all[1].wall_w}}, the rate is {basis_en}. The price of the machine is not in it."
        zh = f"每百万 token 电费 {{all[2].value}}（用电 {{all[3].value}}，{price}）：整机墙上 {{all[1].wall_w}}，速度是 {basis_zh}。不含机器本身的价格。"
    more_en, more_zh = " Idle hours come on top; several users at once lower it.", "空转另算；多人同时用会更低。"
    return calculations(reading, sums, en + more_en, zh + more_zh, before)


def _own_figure(reading: Reading) -> Plan | None:
    """ "I get so many tokens/s on A, what would B give?": the person's figure times the ratio of the modelled rates."""
    mine = of(reading, "tokens/s")
    cards = list(reading.known_cards.items())
    if len(mine) != 1 or len(cards) != 2 or len(reading.models) > 1 or mine[0].value <= 0:
        return None
    if not (_MINE.search(reading.text) and _OTHER_CARD.search(reading.text)) or of(reading, "W", "USD", "USD/h"):
        return None
    here = _card_of(reading, mine[0])
    pair = sorted(cards, key=lambda card: card[0] != here)
    figure, value = mine[0].text.strip(), plain(mine[0].value)
    if reading.models:
        before: tuple[Call, ...] = tuple(Call("decode_rate", call) for call in rates_of(reading, "decode_rate", pair))
        ratio, names = "{{@2.tokens_per_s}} / {{@1.tokens_per_s}}", ("{gpu}", "{all[1].gpu}")
        rows = "\n\n- {gpu}: {tokens_per_s}\n- {all[1].gpu}: {all[1].tokens_per_s}\n\n"
        on_en = f"{rows}That is {{arguments.model}} in {{weight_format}}, modelled."
        on_zh = f"{rows.replace(': ', '：')}以上按 {{arguments.model}}（{{weight_format}}）估计。"
        rest_en = "{% if not all[1].fits %} But it does not fit there: it needs {all[1].needed_per_gpu_gb} of {all[1].gpu_memory_gb}.{% endif %}"
        rest_zh = "{% if not all[1].fits %}不过那张卡放不下：要 {all[1].needed_per_gpu_gb}，只有 {all[1].gpu_memory_gb}。{% endif %}"
    elif max(count for _, count in cards) == 1:
        before = (Call("relative_performance", {"gpus": [pair[1][0]], "reference": pair[0][0], "use": "llm_decode"}),)
        ratio, names = "{{@1.rows.0.relative}}", ("{reference}", "{rows[0].gpu}")
        on_en, on_zh, rest_en, rest_zh = " That is writing for one user, modelled.", "速度比按单人生成估计。", "", ""
    else:
        return None
    at = len(before)
    return calculations(
        reading,
        [(f"{value} tokens/s * {ratio}", "tokens/s"), (ratio, "x")],
        f"About {{all[{at}].value}} on the {names[1]}: your {figure} times {{all[{at + 1}].value}}, the ratio of their rates.{on_en}"
        f" The ratio carries over while software, format and context stay the same.{rest_en}",
        f"换成 {names[1]} 大约 {{all[{at}].value}}：用你实测的 {figure} 乘以两张卡的速度比 {{all[{at + 1}].value}}。{on_zh}"
        f"前提是软件、量化和上下文都不变。{rest_zh}",
        before,
    )


def _card_of(reading: Reading, figure: Numeral) -> str:
    """Return the card that stands nearest to a figure; a sentence's end parts them."""

    def apart(start: int, end: int) -> float:
        between = reading.text[min(end, figure.end) : max(start, figure.start)]
        return max(start - figure.end, figure.start - end, 0) + 20 * sum(between.count(sign) for sign in ",，;；。?？")

    named = [card for card in reading.cards if card.name]
    return str(min(named, key=lambda card: apart(card.start, card.end)).name)


RULES: tuple[Rule, ...] = (_users, _enough_for, _own_figure, _million_tokens)
