"""Sums over memory: how many tokens a cache holds, what is left beside weights, what grows with length or batch."""

from __future__ import annotations

import re

from assistant.builtin.asking import Rule, Sum, calculation, calculations, near, of, pick, plain, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.reading import Reading
from assistant.numerals import Numeral
from tools.api import get_tool, usual_format

_CACHE = words("kv|cache", "KV|缓存")
_HOW_MANY_TOKENS = words(
    "how many tokens|tokens (?:do|does|can|fit)|hold|what context|which context|longest|maximum context",
    "多少个? ?token|几个 ?token|放多少|放得下多少|最长|多长",
)
_GAP = words(
    "more|gap|short|missing|difference|how much is missing|extra|additional|increase|grows?",
    "还差|差多少|多多少|还要|缺|额外|增加|涨|多占",
)
_NEED = words("need(?:s|ed)?|require|wants?|takes?", "需要|要")
_TRAINING = words("train|fine-?tun|lora|qlora|gradients?", "训练|微调|全参|梯度")
_LEFT = words("left|remain|spare|over for|room", "剩|余下|留给|留多少")
_PER_LAYER = words("per layer|a layer|each layer|layer", "每层|一层")
_BYTES = words("bytes? per param|bytes? (?:a|each) param|B/param", "每.{0,3}参数.{0,6}字节|字节/参数")
_ADAM = words("adam|mixed[- ]precision|optimi[sz]er", "Adam|混合精度|优化器")
_ADDED = words("total|add(?:s)? up|enough|sum|together|mix", "总|够|加起来|合起来|刚好")
_LAYERS = words("layers", "层")


def _cache_tokens(reading: Reading) -> Plan | None:
    """How many tokens so many GiB of cache hold."""
    sizes = of(reading, "GiB") or [item for item in of(reading, "GB") if near(reading, item, _CACHE, 30)]
    if (
        not reading.models
        or not 1 <= len(sizes) <= 3
        or not (_HOW_MANY_TOKENS.search(reading.text) and _CACHE.search(reading.text))
    ):
        return None
    if (
        len({item.unit for item in sizes}) != 1
        or len([item for item in of(reading, "tokens") if near(reading, item, _NEED, 20)]) > 0
    ):
        return None
    factor = "2**30" if sizes[0].unit == "GiB" else "10**9"
    sums: list[Sum] = [
        (f"{plain(item.value)} * {factor} / {{{{@1.bytes_per_token}}}} * 1 token", "tokens") for item in sizes
    ]
    en = "; ".join(f"{item.text.strip()} hold {{all[{index}].value}}" for index, item in enumerate(sizes, 1))
    zh = "；".join(f"{item.text.strip()} 能放 {{all[{index}].value}}" for index, item in enumerate(sizes, 1))
    return calculations(
        reading,
        sums,
        en
        + ": {bytes_per_token} with {arguments.model}, in {kv_format}. An engine measures its activation peak for the length"
        " you ask for and gives the cache what is left: a longer limit leaves a smaller cache.",
        zh
        + "：{arguments.model} 每个 token {bytes_per_token}（{kv_format}）。引擎按你要的长度测激活峰值，剩下的才给缓存，长度设得越大缓存越小。",
        (Call("kv_cache", {"model": reading.models[0], "tokens": 1}),),
    )


def _cache_of_each(reading: Reading) -> Plan | None:
    """The cache at two lengths, and the gap between them."""
    lengths = [item for item in of(reading, "tokens", "") if item.value >= 64]
    lengths = list({item.value: item for item in lengths}.values())
    if not reading.models or len(lengths) != 2 or not (_CACHE.search(reading.text) and _GAP.search(reading.text)):
        return None
    short, long = sorted(lengths, key=lambda item: item.value)
    calls = tuple(Call("kv_cache", {"model": reading.models[0], "tokens": int(item.value)}) for item in (short, long))
    return calculation(
        reading,
        "{{@2.kv_cache_gib}} * 1 GiB - {{@1.kv_cache_gib}} * 1 GiB",
        "{tokens} take {kv_cache_gib}, {all[1].tokens} take {all[1].kv_cache_gib}: {all[2].value} more. That is {bytes_per_token} with"
        " {arguments.model}; quantised weights do not shrink the cache.",
        "{tokens}占 {kv_cache_gib}，{all[1].tokens}要 {all[1].kv_cache_gib}，还差 {all[2].value}。{arguments.model} 每个 token {bytes_per_token}；"
        "权重量化不会让 KV 缓存变小。",
        "GiB",
        calls,
    )


def _linear_context(reading: Reading) -> Plan | None:
    """An engine that says what it needs for a length: which length fits what is there."""
    sizes = of(reading, "GiB", "GB")
    lengths = [item for item in of(reading, "tokens", "") if item.value >= 1024]
    need = pick(reading, sizes, _NEED, 24)
    rest = [item for item in sizes if item is not need and item.unit == (need.unit if need else "")]
    if need is None or len(lengths) != 1 or not 1 <= len(rest) <= 3 or not _HOW_MANY_TOKENS.search(reading.text):
        return None
    if need.value <= 0 or any(item.value > need.value for item in rest):
        return None
    sums: list[Sum] = [
        (f"{plain(item.value)} / {plain(need.value)} * {plain(lengths[0].value)} * 1 token", "tokens") for item in rest
    ]
    en = "; ".join(f"{item.text.strip()} hold {{all[{index}].value}}" for index, item in enumerate(rest))
    zh = "；".join(f"{item.text.strip()} 最长 {{all[{index}].value}}" for index, item in enumerate(rest))
    return calculations(
        reading,
        sums,
        f"{en}: the cache grows in step with the length, and {lengths[0].text.strip()} need {need.text.strip()}.",
        f"{zh}：缓存随长度成比例增长，{lengths[0].text.strip()} 要 {need.text.strip()}。",
    )


def _beside_weights(reading: Reading) -> Plan | None:
    """Cards together, the weights, and what is left for the cache."""
    counts = {name: count for name, count in reading.known_cards.items() if count > 1}
    if len(counts) != 1 or not reading.models or not _LEFT.search(reading.text) or _TRAINING.search(reading.text):
        return None
    name, count = next(iter(counts.items()))
    model: dict[str, str] = {"model": reading.models[0]}
    known = get_tool("inference_memory").parameters["properties"]["weight_format"]["enum"]
    formats = [usual_format(item) for item in reading.formats]
    if formats and formats[0] in known:
        model["weight_format"] = formats[0]
    return calculations(
        reading,
        [
            (f"{count} * {{{{@2.memory_gb}}}} GB", "GB"),
            (f"{count} * {{{{@2.memory_gb}}}} GB - {{{{@1.weights_gb}}}} GB", "GB"),
        ],
        "The weights of {arguments.model} in {weight_format} take {weights_gb}; the cards hold {all[2].value} together, so {all[3].value} are left"
        " for cache and workspace. {% if all[3].value < 0 %}It does not fit.{% else %}It fits if the split is even.{% endif %}",
        "{arguments.model} 用 {weight_format}，权重 {weights_gb}；这些卡一共 {all[2].value}，剩 {all[3].value} 给 KV 缓存和工作区。"
        "{% if all[3].value < 0 %}放不下。{% else %}按均分算放得下。{% endif %}",
        (Call("inference_memory", dict(model)), Call("gpu_specs", {"gpu": name})),
    )


def _next_batch(reading: Reading) -> Plan | None:
    """Memory when loaded and at one batch size: what another batch size takes."""
    loaded = [
        item
        for item in of(reading, "GB")
        if re.search(r"^\s*(?:loaded|加载|idle)", reading.text[item.end :], re.IGNORECASE)
    ]
    batches = [
        item
        for item in of(reading, "", "x")
        if re.search(r"(?:batch|bs|批量?)\s*(?:size\s*)?(?:of\s*)?$", reading.text[: item.start], re.IGNORECASE)
    ]
    if not loaded or len({item.value for item in batches}) != 2:
        return None
    base = loaded[-1]
    later = [item for item in of(reading, "GB") if item.start > base.end and item.value > base.value]
    if not later:
        return None
    first, second = batches[0].value, next(item.value for item in batches if item.value != batches[0].value)
    return calculation(
        reading,
        f"({plain(base.value)} + ({plain(later[0].value)} - {plain(base.value)}) / {plain(first)} * {plain(second)}) * 1 GB",
        f"About {{value}}: what comes on top of the loaded {base.text.strip()} are activations, and those grow with the batch, not with the"
        " weights.",
        f"大约 {{value}}：加载后的 {base.text.strip()} 之外是激活，随批量成比例增长，和权重大小无关。",
        "GB",
    )


def _smallest_card(reading: Reading) -> Plan | None:
    """Groups of cards of different size: an even split is bound by the smallest."""
    pairs: list[tuple[Numeral, Numeral]] = []
    for one, other in zip(reading.quantities, reading.quantities[1:], strict=False):
        if one.unit == "cards" and other.unit == "GB" and other.start - one.end < 8:
            pairs.append((one, other))
    if len(pairs) != 2 or pairs[0][1].value == pairs[1][1].value or not _ADDED.search(reading.text):
        return None
    least = min(pairs, key=lambda pair: pair[1].value)[1]
    count = " + ".join(plain(cards.value) for cards, _ in pairs)
    total = " + ".join(f"{plain(cards.value)} * {plain(size.value)} GB" for cards, size in pairs)
    return calculations(
        reading,
        [(f"({count}) * {plain(least.value)} GB", "GB"), (total, "GB")],
        f"No: count on {{value}}, not on {{all[1].value}}. An even split is bound by the smallest card ({least.text.strip()}), and the link between"
        " two machines is slow on top.",
        f"不行：要按 {{value}} 算，而不是 {{all[1].value}}。均匀切分时受最小的卡（{least.text.strip()}）限制，跨机的带宽也是问题。",
    )


def _transfer(reading: Reading) -> Plan | None:
    """The cache of one layer over a link of so many GB/s."""
    speeds = of(reading, "GB/s")
    lengths = [item for item in of(reading, "tokens") if item.value >= 64]
    if (
        not reading.models
        or len(speeds) != 1
        or len(lengths) != 1
        or not (_CACHE.search(reading.text) and _PER_LAYER.search(reading.text))
    ):
        return None
    tokens = (
        int(lengths[0].value * 1.024)
        if re.search(r"\d\s?k\b", lengths[0].text, re.IGNORECASE)
        else int(lengths[0].value)
    )
    layer = "{{@1.bytes_per_token}} * " + f"{tokens}"
    return calculations(
        reading,
        [(f"{layer} / 1000000 * 1 MB", "MB"), (f"{layer} / ({plain(speeds[0].value)} * 10**9) * 1000 * 1 ms", "ms")],
        f"{{all[1].value}} a layer, so {{all[2].value}} at {speeds[0].text.strip()}: {{bytes_per_token}} in a single layer of"
        " {arguments.model}. Counting fewer KV heads than the model has makes it look smaller.",
        f"每层 {{all[1].value}}，按 {speeds[0].text.strip()} 要 {{all[2].value}}：{{arguments.model}} 每层每个 token {{bytes_per_token}}。少算了 KV 头数，就会显得小。",
        (Call("kv_cache", {"model": reading.models[0], "tokens": tokens, "layers": 1}),),
    )


def _bytes_per_parameter(reading: Reading) -> Plan | None:
    if not (_BYTES.search(reading.text) and _ADAM.search(reading.text)):
        return None
    say = {
        "en": "Each counts something real. For a billion parameters weights, gradients and optimizer take {states_gb} (ZeRO's count), {states_hugging_face_gb}"
        " as Hugging Face counts, and {high_states_gb} with an extra FP32 copy of the gradients: as many bytes for each parameter.",
        "zh": "都对，口径不同。每十亿参数，权重、梯度加优化器是 {states_gb}（ZeRO 的算法），Hugging Face 算 {states_hugging_face_gb}，"
        "再存一份 FP32 梯度是 {high_states_gb}；换成每个参数就是这么多字节。",
    }
    return Plan(stages=((Call("training_memory", {"model": "1B"}),),), say=say[reading.language])


def _layers_with_cache(reading: Reading) -> Plan | None:
    """Only one layer in so many keeps a cache that grows: what all layers would take."""
    every = re.search(
        r"every (second|third|fourth|other|\w+th) (?:one|layer)|one in (\w+)|每([二两三四五六八])层",
        reading.text,
        re.IGNORECASE,
    )
    sizes = [
        item
        for item in of(reading, "GiB", "GB")
        if re.match(r"\s*(?:of |的)?\s*(?:KV|cache|缓存)", reading.text[item.end :], re.IGNORECASE)
    ]
    if every is None or len(sizes) != 1 or not _LAYERS.search(reading.text):
        return None
    word = (every[1] or every[2] or every[3]).lower()
    factor = {
        "second": 2,
        "other": 2,
        "third": 3,
        "fourth": 4,
        "fifth": 5,
        "sixth": 6,
        "eighth": 8,
        "two": 2,
        "three": 3,
        "four": 4,
        "二": 2,
        "两": 2,
        "三": 3,
        "四": 4,
        "五": 5,
        "六": 6,
        "八": 8,
    }.get(word)
    if factor is None:
        return None
    unit = sizes[0].unit
    return calculation(
        reading,
        f"{plain(sizes[0].value)} {unit} * {factor}",
        f"A formula over all layers gives {{value}}; only the layers with ordinary attention keep a cache that grows, so plan with the"
        f" {sizes[0].text.strip()} of the log, plus weights and the fixed state.",
        f"按全部层算会得到 {{value}}；只有普通注意力层的缓存随长度增长，所以按日志里的 {sizes[0].text.strip()} 再加权重和固定状态来规划。",
        unit,
    )


RULES: tuple[Rule, ...] = (
    _layers_with_cache,
    _bytes_per_parameter,
    _transfer,
    _linear_context,
    _cache_tokens,
    _cache_of_each,
    _next_batch,
    _beside_weights,
    _smallest_card,
)
