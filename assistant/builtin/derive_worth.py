"""Whether one named card is worth it for some work: the card itself is judged, then held against what is recommended."""

from __future__ import annotations

from assistant.builtin.asking import Rule, money, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.frames import frames
from assistant.builtin.options import choices
from assistant.builtin.reading import Reading
from tools.api import Json, ToolInputError, get_tool

_WORTH = words(
    r"worth (?:it|buying|getting|the money|having)|(?:a )?(?:good|bad|decent|smart|sensible) (?:idea|choice|buy|pick|card|option|deal|fit)|"
    r"(?:any )?good (?:enough )?for|should i (?:buy|get) (?:an? |the )?(?:used |second-hand |new )?|make sense|still (?:ok|good|viable|worth)|any use for",
    "值得买|值得入|值不值|值得吗|好不好|怎么样|还能用|还值得|还行吗|能买吗|可以买吗|划算吗|合适吗|适合.{0,12}吗|靠谱吗|入手.{0,6}(?:怎么样|吗|可以)",
)
# Cards of one's own, rents and several choices are other questions.
_ELSE = words(
    r"upgrad\w*|replac\w*|second one|another|add (?:a|one)|\bi (?:have|own)|\bmy\b|rent|cloud|versus|\bvs\b|wait|per dollar|laptop|power limit|nvlink|undervolt\w*|psu|watts?",
    "升级|换|加一张|我有|我的|手上|租|云|对比|还是|等等|等新|性价比|笔记本|限功耗|功耗墙|电源|散热|NVLink",
)
# What people run at home when they name no model; the answer says so.
_USUAL_MODEL = "8B"
_USUAL_FORMAT = "Q4_0"


def _worth(reading: Reading) -> Plan | None:
    """Judge one card for some work; a price that is asked for it goes into the ranking."""
    cards = reading.known_cards
    text = reading.text
    if len(cards) != 1 or reading.unknown_cards or not _WORTH.search(text) or _ELSE.search(text):
        return None
    name, count = next(iter(cards.items()))
    asked = money(reading)
    if count != 1 or len(reading.models) > 1 or len(asked) > 1 or (asked and asked[0].unit != "USD"):
        return None
    told = choices(frames()["recommend"], reading)
    # "Worth it?" alone is asked about running models; the answer says for which it was judged.
    told.setdefault("use", "inference")
    use = told["use"]
    if any(item.unit not in ("", "cards", "GB", "USD", "tokens") for item in reading.quantities):
        return None
    model = reading.models[0] if reading.models else _USUAL_MODEL if use == "inference" else None
    advice: dict[str, Json] = {key: told[key] for key in ("use", "method") if key in told}
    prices: dict[str, Json] = {"prices_usd": {name: asked[0].value}} if asked else {}
    calls = [
        Call("recommend", {**advice, **({"model": model} if model else {}), **prices}),
        Call("gpu_specs", {"gpu": name}),
        Call("rank_by_value", {"use": _VALUE[str(use)], "gpus": [name], **prices}),
    ]
    if use == "inference":
        rate = {"gpu": name, "model": model, "weight_format": _USUAL_FORMAT}
        calls.append(Call("decode_rate", rate))
    if not all(_works(call) for call in calls[:2]):
        return None
    kept = [*calls[:2], *(call for call in calls[2:] if _works(call))]
    said = _ZH if reading.language == "zh" else _EN
    # Whether the card holds the work is the sign of this figure, not of a comparison the template makes by itself.
    spare = Call("calculate", {"expression": "{{@2.memory_gb}} GB - {{@1.needed_gb}} GB", "unit": "GB"})
    return Plan(
        stages=(tuple(kept), (spare,)),
        say=said,
        given=(*(("prices_usd",) if asked else ()), *(("model",) if reading.models else ())),
    )


_VALUE = {
    "train": "training_16bit",
    "finetune": "training_16bit",
    "inference": "inference_16bit",
    "images": "inference_16bit",
}


def _works(call: Call) -> bool:
    """Whether a tool can compute with these arguments; a card without a price has no rank."""
    try:
        get_tool(call.tool).call(call.arguments)
    except ToolInputError:
        return False
    return True


_FACTS = """
{% set card = all[1] %}
{% set row = namespace(price=none, rate=none) %}
{% for one in all[2:-1] %}{% if one.rows is defined and one.rows %}{% set row.price = one.rows[0] %}{% endif %}{% if one.tokens_per_s is defined %}{% set row.rate = one %}{% endif %}{% endfor %}
{% set best = picks[0] if picks else none %}
{% set is_old = card.tensor_fp16_dense_tflops is none %}
{% set fits = all[-1].value >= 0 %}
{% set other = best is not none and best.gpu != card.name %}
{% set is_cheap = fits and other and row.price is not none and row.price.price_kind != "launch" and best.total_price_usd is not none and row.price.price_usd * 1.3 < best.total_price_usd %}
"""
_EN = (
    _FACTS
    + """
{% if not fits %}No: the {card.name} has {card.memory_gb}, and the work needs {needed_gb} on a single card{% if model is none %} (the guide's rule){% endif %}.
{% elif is_old %}Only if it is very cheap: the {card.name} holds the work ({card.memory_gb}, needed {needed_gb}), but it has no tensor cores.
{% elif best is not none and not other %}Yes: the {card.name} holds the work ({card.memory_gb}, needed {needed_gb}), and it is what I would take.
{% elif is_cheap %}Yes, at that price: the {card.name} holds the work ({card.memory_gb}, needed {needed_gb}). If you want more speed, I would take {best.count} x {best.gpu}.
{% else %}It does the job: the {card.name} has {card.memory_gb}, and the work needs {needed_gb}{% if model is none %} (the guide's rule){% endif %}. {% if best is not none %}I would rather take {best.count} x {best.gpu}: {best.why}.{% endif %}
{% endif %}

| | {card.name} | {% if other %}{best.count} x {best.gpu} |{% endif %}

|---|---|{% if other %}---|{% endif %}

| Memory each | {card.memory_gb} | {% if other %}{best.memory_gb} |{% endif %}

| Price | {% if row.price is not none %}{row.price.price_usd} ({% if row.price.price_as_of is not none %}{row.price.price_kind}, {row.price.price_as_of}{% else %}yours{% endif %}){% else %}unknown{% endif %} | {% if other %}{% if best.total_price_usd is not none %}{best.total_price_usd} ({best.price_kind}, {best.price_as_of}){% elif best.rent_usd_per_h is not none %}{best.rent_usd_per_h}{% else %}unknown{% endif %} |{% endif %}


{% if row.rate is not none %}It writes about {row.rate.tokens_per_s} ({row.rate.low_tokens_per_s} to {row.rate.high_tokens_per_s}) with {row.rate.arguments.model} in {row.rate.weight_format}. {% endif %}Its bandwidth is {card.memory_bandwidth_gb_s}, it draws {card.board_power_w}{% if card.launch_date is not none %}, and it came out on {card.launch_date}{% endif %}.{% if is_old %} New software drops cards as old as that: check yours against compute capability {card.compute_capability} first.{% endif %}

{% if use == "inference" and "model" not in given and row.rate is not none %}You named no model, so I took {row.rate.arguments.model}: which one will you run? {% endif %}{% if row.price is none or row.price.price_kind == "launch" %}What would you pay for it?{% elif "prices_usd" not in given %}Are you offered it for less?{% endif %}
"""
)
_ZH = (
    _FACTS
    + """
{% if not fits %}不值得：{card.name} 只有 {card.memory_gb}，这活儿单卡要 {needed_gb} 显存{% if model is none %}（指南的要求）{% endif %}。
{% elif is_old %}除非很便宜：{card.name} 放得下（{card.memory_gb}，需要 {needed_gb}），但没有张量核心。
{% elif best is not none and not other %}值得：{card.name} 放得下（{card.memory_gb}，需要 {needed_gb}），我也会选它。
{% elif is_cheap %}值得：{card.name} 放得下（{card.memory_gb}，需要 {needed_gb}）。要速度的话，我会选 {best.count} 张 {best.gpu}。
{% else %}能用：{card.name} 有 {card.memory_gb}，这活儿要 {needed_gb} 显存{% if model is none %}（指南的要求）{% endif %}。{% if best is not none %}不过我会选 {best.count} 张 {best.gpu}：{best.why_zh}。{% endif %}
{% endif %}

| | {card.name} | {% if other %}{best.count} 张 {best.gpu} |{% endif %}

|---|---|{% if other %}---|{% endif %}

| 单卡显存 | {card.memory_gb} | {% if other %}{best.memory_gb} |{% endif %}

| 价格 | {% if row.price is not none %}{row.price.price_usd}（{% if row.price.price_as_of is not none %}{% if row.price.price_kind == "launch" %}首发价{% elif row.price.price_kind == "used" %}二手价{% else %}市价{% endif %}，{row.price.price_as_of}{% else %}你给的价{% endif %}）{% else %}未知{% endif %} | {% if other %}{% if best.total_price_usd is not none %}{best.total_price_usd}（{best.price_as_of}）{% elif best.rent_usd_per_h is not none %}{best.rent_usd_per_h}{% else %}未知{% endif %} |{% endif %}


{% if row.rate is not none %}用 {row.rate.weight_format} 跑 {row.rate.arguments.model}，大约 {row.rate.tokens_per_s}（{row.rate.low_tokens_per_s} 到 {row.rate.high_tokens_per_s}）。{% endif %}它的带宽是 {card.memory_bandwidth_gb_s}，功耗 {card.board_power_w}{% if card.launch_date is not none %}，{card.launch_date} 发布{% endif %}。{% if is_old %}新软件会放弃这么老的卡：先确认你用的软件支持计算能力 {card.compute_capability}。{% endif %}

{% if use == "inference" and "model" not in given and row.rate is not none %}你没说模型，我按 {row.rate.arguments.model} 算：打算跑哪个？{% endif %}{% if row.price is none or row.price.price_kind == "launch" %}你多少钱能买到它？{% elif "prices_usd" not in given %}你能买到更便宜的吗？{% endif %}
"""
)

RULES: tuple[Rule, ...] = (_worth,)
