"""Two cards held against each other for one piece of work: which is faster, by how much, and whether the model fits."""

from __future__ import annotations

from typing import Any

from assistant.builtin.asking import Rule, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.frames import frames
from assistant.builtin.options import choices
from assistant.builtin.reading import Reading
from assistant.builtin.sheets import sheet
from assistant.builtin.slots import fill
from assistant.builtin.trying import arguments_of, result_of
from tools.api import Json

_WHICH = words(
    r"which|better|faster|slower|quicker|how (?:much|fast)|compared?|versus|vs\b|beats?|stronger|outrun|ahead|alternative|instead of",
    "哪|谁|快|慢|差多少|差距|对比|相比|比较|更好|更强|vs",
)
_BETTER = words(
    r"better|which|stronger|prefer|choose|pick",
    "哪(?:个|张|款|块|种)?.{0,2}(?:更|比较)?(?:好|强|合适)|更好|更强|更合适|选哪|怎么选",
)
_OTHER = words(
    r"price|costs?|value|dollars?|cheap\w*|buy|worth|deal|vram|bandwidth|watts?\b|power|psu|electric\w*|enough|why|rent\w*|cloud|"
    r"budget|upgrade|longest|nvlink|pcie|users?|memory|efficien\w*|is it true|really|fits?\b|limit\w*|capped|undervolt\w*|l2|cache|tflops|flops",
    "性价比|价格|多少钱|便宜|值|划算|预算|买|显存|带宽|功耗|电源|瓦|电费|租|为什么|放得下|够|NVLink|PCIe|人同时|用户|能效|限到|缓存|算力|真的吗",
)
_TRAIN = words(r"train\w*|fine-?tun\w*|lora|qlora|pre-?train\w*", "训练|微调|LoRA|预训练")
_PROMPT = words(r"prompts?|prefill|first token|ttft|long documents?", "提示词|首字|首 ?token|预填充|长文档|读入")
_IMAGES = words(r"stable diffusion|sdxl|flux|image gen\w*|comfyui", "出图|画图|生图|绘图")
_HOME_FORMAT = "Q4_K_M"
_ABOUT_THE_SAME = 1.04


def _beside_cards(reading: Reading) -> str:
    """Return the text without the names of its cards: the PCIe of "H100 PCIe" is no link."""
    text = reading.text
    for card in reading.cards:
        text = text[: card.start] + " " * (card.end - card.start) + text[card.end :]
    return text


def rates_of(reading: Reading, tool: str, cards: list[tuple[str, int]]) -> list[dict[str, Any]]:
    """Return the arguments of one call a card, the usual 4 bit where the full width does not fit everywhere."""
    fixed = arguments_of(tool, reading)
    said = fill(frames()[tool], reading.text, reading.quantities)
    users, prompt = said.get("batch_size"), said.get("prompt_tokens")
    fixed |= {"prompt_tokens": int(prompt)} if prompt else {}
    fixed |= {"batch_size": int(users)} if users and users > 1 else {}
    counted = max(count for _, count in cards) > 1
    calls = [{**fixed, "gpu": name, **({"gpu_count": count} if counted else {})} for name, count in cards]
    if "weight_format" not in fixed and not all(result_of(tool, call)["fits"] for call in calls):
        calls = [{**call, "weight_format": _HOME_FORMAT} for call in calls]
    return calls


def _cards_said(at: int, language: str, counts: list[int]) -> str:
    """Return how a template names the cards of a call."""
    name, number = f"{{all[{at}].gpu}}", f"{{all[{at}].gpu_count}}"
    if counts[at] > 1:
        return f"{number} 张 {name}" if language == "zh" else f"{number} {name}"
    return name if language == "zh" else f"the {name}"


def _with_a_model(reading: Reading, cards: list[tuple[str, int]]) -> Plan | None:
    """Tokens a second of both, the faster first, and their ratio."""
    tool = "prefill_rate" if _PROMPT.search(reading.text) else "decode_rate"
    tried = [(call, result_of(tool, call)) for call in rates_of(reading, tool, cards)]
    tried.sort(key=lambda pair: (not pair[1]["fits"], -pair[1]["tokens_per_s"]))
    counts = [int(result["gpu_count"]) for _, result in tried]
    fits = [bool(result["fits"]) for _, result in tried]
    calls = tuple(Call(tool, call) for call, _ in tried)
    given = tuple(tried[0][0])
    zh = reading.language == "zh"
    # Where both are as many, their number says nothing.
    named = counts if counts[0] != counts[1] else [1, 1]
    one, other = (_cards_said(at, reading.language, named) for at in (0, 1))
    one, other = one[0].upper() + one[1:], other
    are = "are" if named[0] > 1 else "is"
    rows = "\n".join(_row(at, zh, _cards_said(at, reading.language, counts), fits[at]) for at in (0, 1))
    if tool == "prefill_rate":
        seconds = "，耗时 {all[%d].time_s}" if zh else " in {all[%d].time_s}"
        rows = "\n".join(f"{row}{seconds % at if fits[at] else ''}" for at, row in enumerate(rows.split("\n")))
    last = (_NOTE_PROMPT if tool == "prefill_rate" else _NOTE_DECODE)[zh]
    if not fits[0]:
        head = (
            "两边都放不下：{arguments.model}（{weight_format}）太大，要更低的位数或更多的卡。"
            if zh
            else "Neither holds it: {arguments.model} in {weight_format} takes fewer bits or more cards."
        )
    elif not fits[1]:
        on_each = counts[1] > 1
        head = (
            f"{one}：{{tokens_per_s}}。{other} 放不下 {{arguments.model}}（{{weight_format}}）：{'每张卡' if on_each else ''}要"
            " {all[1].needed_per_gpu_gb}，只有 {all[1].gpu_memory_gb}。"
            if zh
            else f"{one}: {{tokens_per_s}}. It does not fit on {other}: {{arguments.model}} in {{weight_format}} needs"
            f" {{all[1].needed_per_gpu_gb}}{' on each card' if on_each else ''} of {{all[1].gpu_memory_gb}}."
        )
    elif tried[0][1]["tokens_per_s"] < _ABOUT_THE_SAME * tried[1][1]["tokens_per_s"]:
        head = (
            f"差不多：{one} 是 {other} 的 {{all[2].value}}。"
            if zh
            else f"About the same: {one[0].lower()}{one[1:]} {are} {{all[2].value}} as fast as {other}."
        )
    else:
        head = (
            # The count belongs to the other cards, so they come first where there are several of them.
            (
                f"和 {other} 相比，{one} 的速度是 {{all[2].value}}。"
                if named[1] > 1
                else f"{one}：速度是 {other} 的 {{all[2].value}}。"
            )
            if zh
            else f"{one}: {{all[2].value}} the speed of {other}."
        )
    ratio = (Call("calculate", {"expression": "{{@1.tokens_per_s}} / {{@2.tokens_per_s}}", "unit": "x"}),)
    return Plan(stages=(calls, ratio) if all(fits) else (calls,), say=f"{head}\n\n{rows}\n\n{last}", given=given)


def _row(at: int, zh: bool, cards: str, fits: bool) -> str:
    one = f"all[{at}]"
    start = cards if zh else cards.removeprefix("the ")
    if not fits:
        needs = f"每张卡要 {{{one}.needed_per_gpu_gb}}" if zh else f"needs {{{one}.needed_per_gpu_gb}} on each card"
        has = f"只有 {{{one}.gpu_memory_gb}}" if zh else f"has {{{one}.gpu_memory_gb}}"
        return f"- {start}：{needs}，{has}" if zh else f"- {start}: {needs}, {has}"
    range_of = f"{{{one}.low_tokens_per_s}}–{{{one}.high_tokens_per_s}}"
    if zh:
        basis = f'{{% if {one}.basis == "measured" %}}实测{{% else %}}模型估计{{% endif %}}'
        return f"- {start}，{{{one}.arguments.model}}（{{{one}.weight_format}}）：{{{one}.tokens_per_s}}（区间 {range_of}，{basis}）"
    span = range_of.replace("–", " to ")
    return f"- {start}, {{{one}.arguments.model}} in {{{one}.weight_format}}: {{{one}.tokens_per_s}} ({span}, {{{one}.basis}})"


_NOTE_DECODE = {
    True: "单人使用时由显存带宽决定；多卡能装下更大的模型，速度却不会相加。{% if batch_size > 1 %}按 {batch_size} 人同时算。{% endif %}上下文多长？告诉我再算。",
    False: "For a single user memory bandwidth decides; several cards hold more but do not add up their speed.{% if batch_size > 1 %} Counted for"
    " {batch_size} users at once.{% endif %} Tell me your context length and I will redo it.",
}
_NOTE_PROMPT = {
    True: "读提示词看的是张量算力，不是显存带宽。之后出字的速度要另算。",
    False: "Reading a prompt follows the tensor rate, not memory bandwidth. How fast the answer is then written is another matter.",
}


def _on_a_network(reading: Reading, cards: list[tuple[str, int]], network: str) -> Plan | None:
    """Samples a second of both and their ratio."""
    fixed: dict[str, Json] = {**choices(frames()["training_rate"], reading), "network": network}
    counted = max(count for _, count in cards) > 1
    each = [{**fixed, "gpu": name, **({"gpu_count": count} if counted else {})} for name, count in cards]
    tried = [(call, result_of("training_rate", call)) for call in each]
    tried.sort(key=lambda pair: -pair[1]["samples_per_s"])
    counts = [int(result["gpu_count"]) for _, result in tried]
    zh = reading.language == "zh"
    # Where both are as many, their number says nothing.
    named = counts if counts[0] != counts[1] else [1, 1]
    one, other = (_cards_said(at, reading.language, named) for at in (0, 1))
    verb = "train" if named[0] > 1 else "trains"
    head = (
        f"{one}：速度是 {other} 的 {{all[2].value}}。"
        if zh
        else f"{one[0].upper()}{one[1:]} {verb} at {{all[2].value}} the speed of {other}."
    )
    rows = "\n".join(
        f"- {_cards_said(at, reading.language, counts).removeprefix('the ')}{'：' if zh else ': '}{{all[{at}].samples_per_s}}"
        + (
            f'（区间 {{all[{at}].low_samples_per_s}}–{{all[{at}].high_samples_per_s}}，{{% if all[{at}].basis == "measured" %}}实测{{% else %}}模型估计{{% endif %}}）'
            if zh
            else f" ({{all[{at}].low_samples_per_s}} to {{all[{at}].high_samples_per_s}}, {{all[{at}].basis}})"
        )
        for at in (0, 1)
    )
    last = (
        "按 {precision} 算，软件 {software}。不同软件的速率不相互比较。"
        if zh
        else "Counted in {precision} with software {software}. Rates of different software are never compared."
    )
    ratio = (Call("calculate", {"expression": "{{@1.samples_per_s}} / {{@2.samples_per_s}}", "unit": "x"}),)
    calls = tuple(Call("training_rate", call) for call, _ in tried)
    return Plan(stages=(calls, ratio), say=f"{head}\n\n{rows}\n\n{last}", given=tuple(tried[0][0]))


def _compared(reading: Reading) -> Plan | None:
    """ "Which is faster, A or B, for …": two cards and one piece of work."""
    cards = list(reading.known_cards.items())
    if (
        len(cards) != 2
        or reading.unknown_cards
        or not _WHICH.search(reading.text)
        or _OTHER.search(_beside_cards(reading))
    ):
        return None
    if any(item.unit not in ("", "x", "tokens", "cards") for item in reading.quantities):
        return None
    training = _TRAIN.search(reading.text) is not None
    network = choices(frames()["training_rate"], reading).get("network")
    if network and training:
        return _on_a_network(reading, cards, str(network))
    if training or len(reading.models) > 1 or len(reading.formats) > 1:
        return None
    if reading.models and not network:
        return _with_a_model(reading, cards)
    return None


def _better_for(reading: Reading) -> Plan | None:
    """ "Which is better for training, A or B?": relative speed for the work that is named, the faster card first."""
    cards = list(reading.known_cards.items())
    if (
        len(cards) != 2
        or reading.unknown_cards
        or max(reading.known_cards.values()) > 1
        or _OTHER.search(_beside_cards(reading))
    ):
        return None
    if not (
        _BETTER.search(reading.text)
        or ((_TRAIN.search(reading.text) or _IMAGES.search(reading.text)) and _WHICH.search(reading.text))
    ):
        return None
    training = _TRAIN.search(reading.text) is not None
    use = "training_16bit" if training else choices(frames()["relative_performance"], reading).get("use")
    if use is None or len(reading.models) > 1 or any(item.unit not in ("", "x") for item in reading.quantities):
        return None
    names = [name for name, _ in cards]
    rows = result_of("relative_performance", {"gpus": names, "reference": names[0], "use": use})["rows"]
    fast, slow = rows[0]["gpu"], rows[1]["gpu"]
    call = Call("relative_performance", {"gpus": [fast], "reference": slow, "use": use})
    if not reading.models or use != "training_16bit":
        return Plan(stages=((call,),), given=("gpus", "reference", "use"))
    return _with_memory(reading, call, fast, slow)


def _with_memory(reading: Reading, call: Call, fast: str, slow: str) -> Plan:
    """Add whether the training fits on each of the two cards."""
    arguments = arguments_of("training_memory", reading)
    needed = result_of("training_memory", arguments)["per_gpu_gb"]
    holds = [needed <= float(sheet(name).memory_gb) for name in (fast, slow)]
    zh = reading.language == "zh"
    head = (
        "{rows[0].gpu}：16 位训练速度是 {reference} 的 {rows[0].relative}（区间 {rows[0].low}–{rows[0].high}，模型估计）。"
        if zh
        else "The {rows[0].gpu}: in 16-bit training it has {rows[0].relative} the speed of the {reference} ({rows[0].low} to {rows[0].high},"
        " modelled)."
    )
    need = (
        "{all[1].arguments.model}（{all[1].method}）要 {all[1].per_gpu_gb}"
        if zh
        else "{all[1].arguments.model} ({all[1].method}) takes {all[1].per_gpu_gb}"
    )
    there = (
        "{all[2].name} 有 {all[2].memory_gb}，{all[3].name} 有 {all[3].memory_gb}"
        if zh
        else "the {all[2].name} has {all[2].memory_gb}, the {all[3].name} {all[3].memory_gb}"
    )
    if all(holds):
        tail = "两张都有余地。" if zh else "Both have room."
    elif any(holds):
        only = 2 + holds.index(True)
        tail = (
            f"只有 {{all[{only}].name}} 有余地，先看这一点。"
            if zh
            else f"Only the {{all[{only}].name}} has room, and that decides."
        )
    else:
        tail = (
            "单张都放不下：用 LoRA、QLoRA，或者多卡分片。"
            if zh
            else "Neither holds it alone: use LoRA or QLoRA, or shard it over several cards."
        )
    say = f"{head}\n\n{need}{'；' if zh else '; '}{there}{'。' if zh else '. '}{tail}"
    calls = (
        call,
        Call("training_memory", arguments),
        Call("gpu_specs", {"gpu": fast}),
        Call("gpu_specs", {"gpu": slow}),
    )
    return Plan(stages=(calls,), say=say)


RULES: tuple[Rule, ...] = (_compared, _better_for)
