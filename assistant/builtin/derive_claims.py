"""Figures that somebody says: memory that a job is said to need, a tensor rate, held against what the tools have."""

from __future__ import annotations

from assistant.builtin.asking import Rule, calculation, near, of, words
from assistant.builtin.calls import Call, Plan
from assistant.builtin.derived_fields import RATE_FIELD
from assistant.builtin.reading import Reading
from assistant.builtin.sheets import sheet
from assistant.builtin.trying import arguments_of, result_of

_CLAIMED = words(
    r"is (?:it|that|this) (?:true|right|correct|realistic|normal|too \w+)|(?:right|correct|true|really)\s*[?.!]*\s*$|says?\b|said\b|claims?|told|heard|read that|"
    r"calculat(?:or|es)|calc\b|myth",
    "对吗|对吧|是吗|是真的|真的吗|没错吧|是不是|听说|有人说|据说|网上说|算出来|计算器|靠谱吗|正常吗",
)
_NEEDS = words(r"needs?|takes?|uses?|requires?|wants?|at least|eats?", "需要|要|占|吃|得|至少")
# What is there rather than needed.
_THERE = words(r"have|got|cards?|gpus?|on (?:a|my|one)|with (?:a|my)|enough", "我有|显卡|的卡|卡上|手上|够|放得下|只有")
_TRAIN = words(r"train\w*|fine-?tun\w*|lora|qlora|full[- ]param", "训练|微调|全参|LoRA")
# Counts of the same thing differ by overheads and conventions.
_SAME = 0.12
_CLAIMED_RATE = 0.06


def _memory_claim(reading: Reading) -> Plan | None:
    """ "My calculator says a 7B needs 112 GB to fine-tune": the size is a claim about the job, no memory of a card."""
    sizes = [item for item in of(reading, "GB") if near(reading, item, _NEEDS, 16)]
    if len(sizes) != 1 or len(of(reading, "GB")) != 1 or len(reading.models) != 1 or reading.cards:
        return None
    if not _CLAIMED.search(reading.text) or near(reading, sizes[0], _THERE, 18):
        return None
    training = _TRAIN.search(reading.text) is not None
    tool = "training_memory" if training else "inference_memory"
    arguments = arguments_of(tool, reading)
    found = result_of(tool, arguments)
    counted = [
        found["total_gb"],
        *([found["states_gb"], found["states_hugging_face_gb"]] if training else [found["weights_gb"]]),
    ]
    known = [float(one) for one in counted if one]
    fits = any(abs(sizes[0].value / one - 1) <= _SAME for one in known)
    less = sizes[0].value < min(known)
    said = sizes[0].text.strip()
    zh = reading.language == "zh"
    if fits:
        head = "对，差不多：" if zh else "Yes, about that: "
    elif zh:
        head = f"{said} 偏{'少' if less else '多'}："
    else:
        head = f"No, {said} is too {'little' if less else 'much'}: "
    what = _TRAINED if training else _RUN
    return Plan(
        stages=((Call(tool, arguments),),), say=head + what[zh], given=tuple(arguments), extra={"used": sizes[0].text}
    )


_TRAINED = {
    True: '{arguments.model}（{% if method == "full" %}全参微调{% else %}{method}{% endif %}）要 {total_gb}，其中权重、梯度和优化器 {states_gb}{% if states_hugging_face_gb is not none %}（Hugging Face 的算法是'
    " {states_hugging_face_gb}）{% endif %}，批量 {batch_size}、长度 {sequence_tokens}。",
    False: '{% if method == "full" %}full fine-tuning{% else %}{method}{% endif %} of {arguments.model} takes {total_gb}, {states_gb} of it weights, gradients and optimizer'
    "{% if states_hugging_face_gb is not none %} ({states_hugging_face_gb} as Hugging Face counts){% endif %}, at batch {batch_size} of {sequence_tokens}.",
}
_RUN = {
    True: "{arguments.model}（{weight_format}）权重 {weights_gb}，连缓存和开销一共 {total_gb}，上下文按 {context_tokens} 算。",
    False: "{arguments.model} in {weight_format} has {weights_gb} of weights and takes {total_gb} with cache and overhead, at {context_tokens} of context.",
}


def _rate_claim(reading: Reading) -> Plan | None:
    """ "The H100 has 4000 TFLOPS in FP8": dense, with sparsity, or neither."""
    rates = of(reading, "TFLOPS", "TOPS")
    cards = list(reading.known_cards)
    if len(rates) != 1 or len(cards) != 1 or reading.models or not _CLAIMED.search(reading.text):
        return None
    kind = next((kind for kind in reading.formats if kind in RATE_FIELD), "FP16")
    field = RATE_FIELD.get(kind, "tensor_fp16_dense_tflops")
    dense = getattr(sheet(cards[0]), field, None)
    if not dense:
        return None
    said, zh = rates[0].text.strip(), reading.language == "zh"
    share = rates[0].value / dense
    if abs(share - 1) <= _CLAIMED_RATE:
        say = (
            f"对：{{name}} 的 {kind} 稠密算力是 {{{field}}}。"
            if zh
            else f"Yes: the {{name}} has {{{field}}} in {kind}, dense."
        )
    elif abs(share / 2 - 1) <= _CLAIMED_RATE and sheet(cards[0]).sparsity:
        say = (
            f"那是带稀疏的数字：{said} 把结构化稀疏算进去了，{{name}} 的 {kind} 稠密算力是 {{{field}}}。实际的模型几乎都没有那样剪枝，按稠密的算。"
            if zh
            else f"That is the figure with sparsity: {said} counts structured sparsity. The {{name}} has {{{field}}} in {kind}, dense, and hardly any model in use is pruned that way."
        )
    else:
        say = (
            f"不对：{{name}} 的 {kind} 稠密算力是 {{{field}}}，不是 {said}。"
            if zh
            else f"No: the {{name}} has {{{field}}} in {kind}, dense, not {said}."
        )
    return Plan(stages=((Call("gpu_specs", {"gpu": cards[0]}),),), say=say, focus=field, extra={"used": rates[0].text})


_FASTER = words(r"faster|slower|speed-?up|how (?:much|many times)|times|ratio|gain|quicker", "快|慢|倍|提升|差多少")


def _two_formats(reading: Reading) -> Plan | None:
    """ "How much faster is TF32 than FP32 on an A100?": the ratio of two lines of one sheet."""
    cards, kinds = list(reading.known_cards), [kind for kind in reading.formats if kind in RATE_FIELD or kind == "FP16"]
    if len(cards) != 1 or len(kinds) != 2 or reading.models or reading.quantities or not _FASTER.search(reading.text):
        return None
    fields = [RATE_FIELD.get(kind, "tensor_fp16_dense_tflops") for kind in kinds]
    if not all(getattr(sheet(cards[0]), field, None) for field in fields):
        return None
    expression = f"{{{{@1.{fields[0]}}}}} / {{{{@1.{fields[1]}}}}}"
    return calculation(
        reading,
        expression,
        f"By the data sheet {{all[1].value}}: the {{name}} reaches {{{fields[0]}}} in {kinds[0]} and {{{fields[1]}}} in {kinds[1]}, both dense peaks. Real work gains less,"
        " because part of it waits for memory.",
        f"按规格书是 {{all[1].value}}：{{name}} 的 {kinds[0]} 是 {{{fields[0]}}}，{kinds[1]} 是 {{{fields[1]}}}，都是稠密峰值。实际任务有一部分在等显存，差距会小一些。",
        "x",
        (Call("gpu_specs", {"gpu": cards[0]}),),
    )


RULES: tuple[Rule, ...] = (_memory_claim, _rate_claim, _two_formats)
