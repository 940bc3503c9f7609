"""What an estimate of training memory rests on: its assumptions, warnings and sources."""

from __future__ import annotations

from tools._catalog import Model
from tools._fit import NOMINAL
from tools._formats import QLORA
from tools._result import Source, Text
from tools._training_parts import Options
from tools._training_states import ACTIVATIONS, EIGHT_BIT, LORA, ZERO

DEEPSPEED = Source(
    "DeepSpeed, memory requirements (estimator of ZeRO-2 and ZeRO-3)",
    "https://deepspeed.readthedocs.io/en/latest/memory.html",
    "2026-11-30",
)
HUGGING_FACE = Source(
    "Hugging Face Transformers, Model training anatomy",
    "https://huggingface.co/docs/transformers/model_memory_anatomy",
    "2026-11-30",
)


def assumptions_of(options: Options, mixed_adam: bool) -> tuple[Text, ...]:
    """Return what is assumed about activations, overhead and the optimizer's states."""
    notes = [
        Text(
            "Activations follow arXiv:2205.05198 without the 5as/h term: flash attention stores no scores.",
            "激活按 arXiv:2205.05198 计算，不含 5as/h 项：flash attention 不存注意力分数。",
        )
        if options.flash_attention
        else Text(
            "Activations follow arXiv:2205.05198 with the 5as/h term: attention scores are stored.",
            "激活按 arXiv:2205.05198 计算，含 5as/h 项：保存注意力分数。",
        ),
        Text(
            "Per card 1 GB for CUDA context and buffers is added, and the layer that is being recomputed.",
            "每卡另加 1 GB（CUDA 上下文和缓冲），以及正在重算的那一层。",
        ),
        NOMINAL,
    ]
    if options.checkpointing == "full":
        notes.append(
            Text(
                "Gradient checkpointing is on: about a third more computing for far fewer activations.",
                "按开启梯度检查点计：多算约三分之一，换来激活大减。",
            )
        )
    if mixed_adam:
        notes.append(
            Text(
                "16 B a parameter (ZeRO); Hugging Face counts 18, with an extra FP32 gradient it is 20.",
                "每参数 16 B（ZeRO 的算法）；Hugging Face 按 18 B 计，另存一份 FP32 梯度则为 20 B。",
            )
        )
    return tuple(notes)


def warnings_of(model: Model, options: Options) -> tuple[Text, ...]:
    """Return what a person should mind about a way of training."""
    notes: list[Text] = []
    if options.gpu_count > 1 and options.zero_stage == 0:
        notes.append(
            Text(
                "Without ZeRO each card holds everything: more cards do not lower the need of one.",
                "不用 ZeRO 时每张卡都存全部状态：加卡不会降低单卡需求。",
            )
        )
    if options.precision == "pure_bf16":
        notes.append(
            Text(
                "Pure BF16 keeps no FP32 master copy: small updates get lost, and the card must know BF16.",
                "纯 BF16 没有 FP32 主副本：小的更新会丢失，而且显卡要支持 BF16。",
            )
        )
    if options.offload != "none":
        notes.append(
            Text(
                "Offloading is paid with time on the PCIe bus; activations stay on the card.",
                "卸载要付出 PCIe 传输时间；激活仍留在显卡上。",
            )
        )
    if model.active_parameters_b and model.active_parameters_b < model.parameters_b:
        notes.append(
            Text(
                "All experts are counted; activations of those at work come on top of the dense formula.",
                "已计入全部专家；工作中专家的激活会比稠密公式更多。",
            )
        )
    return tuple(notes)


def sources_of(options: Options, mixed_adam: bool) -> tuple[Source, ...]:
    """Return where the bytes of each state come from."""
    sources = [ZERO, ACTIVATIONS]
    if options.method != "full":
        sources.append(LORA)
    if options.method == "qlora":
        sources.append(QLORA)
    if options.optimizer == "adamw_8bit":
        sources.append(EIGHT_BIT)
    if options.offload != "none":
        sources.append(DEEPSPEED)
    return (*sources, HUGGING_FACE) if mixed_adam else tuple(sources)
