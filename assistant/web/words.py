"""Every label of the page in both languages."""

from __future__ import annotations

from dataclasses import dataclass, field

from assistant.figures import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The page's own labels in one language."""

    title: str
    promise: str
    ask: str
    thinking: str
    stopped: str
    broken: str
    full: str
    empty_search: str
    how: str
    given: str
    assumptions: str
    warnings: str
    sources: str
    passage: str
    range: str
    basis: str
    computed: str
    from_you: str
    you_said: str
    was_given: str
    from_article: str
    failed: str
    copied: str
    close: str
    foot: str
    tokens: str
    cost: str
    bases: dict[str, str] = field(default_factory=dict[str, str])
    examples: tuple[tuple[str, tuple[str, ...]], ...] = ()


_EN = Words(
    title="Ask about GPUs for deep learning",
    promise="Which GPU to buy or rent, how to power it, what it will do and cost. "
    "Every number is computed or quoted: click one to see how.",
    ask="Ask about cards, power, cost …",
    thinking="Working out what to compute",
    stopped="Stopped.",
    broken="Something failed on our side, so there is no answer. The question was fine: please try again.",
    full="All places are taken at the moment. Please ask again in {seconds} s.",
    empty_search="No passage fits.",
    how="How it was computed",
    given="Input",
    assumptions="Assumed",
    warnings="Mind",
    sources="Sources",
    passage="The passage",
    range="Range",
    basis="Basis",
    computed="computed",
    from_you="yours",
    you_said="You said so",
    was_given="This went into the computation.",
    from_article="from an article",
    failed="not computed",
    copied="Copied",
    close="Close",
    tokens="{read} tokens read, {written} written",
    cost="${usd}",
    foot="Prices and specifications carry their date. Check them before you spend money.",
    bases={"measured": "measured", "modelled": "modelled: fitted on public measurements"},
    examples=(
        (
            "Power and cooling",
            (
                "Is a 1600 W supply enough for four RTX 3090s?",
                "Do four RTX 3090s fit on a 7-slot board, and how hot do they get?",
            ),
        ),
        (
            "Memory",
            (
                "Can I fine-tune a 70B model on one 24 GB card?",
                "How much memory does Llama 3.1 8B need at 32k context?",
            ),
        ),
        (
            "Speed and value",
            (
                "How fast is an RTX 4090 compared with an RTX 3090 for training?",
                "Which card has the best value for 8-bit inference under $1,000?",
            ),
        ),
        (
            "Buy or rent",
            (
                "When is my $2,200 desktop cheaper than a $2.14/h cloud GPU?",
                "What is the CO2 of running 450 W for 1000 hours in Germany?",
            ),
        ),
    ),
)
_ZH = Words(
    title="深度学习选卡顾问",
    promise="买哪张显卡、租还是买、怎么供电、跑多快、花多少钱。每个数字要么算得出，要么有出处，点一下就能看到来历。",
    ask="问显卡、电源、显存、速度、成本…",
    thinking="正在看要算什么",
    stopped="已停止。",
    broken="我们这边出了错，这次没有答案。问题本身没有毛病，请再试一次。",
    full="现在提问的人太多，请 {seconds} 秒后再问一次。",
    empty_search="没有合适的段落。",
    how="怎么算的",
    given="输入",
    assumptions="假设",
    warnings="注意",
    sources="来源",
    passage="原文段落",
    range="区间",
    basis="依据",
    computed="工具计算",
    from_you="你给的",
    you_said="这个数是你说的",
    was_given="这是计算的输入。",
    from_article="来自文章",
    failed="没有算成",
    copied="已复制",
    close="关闭",
    tokens="读入 {read}、生成 {written} token",
    cost="{usd} 美元",
    foot="价格和规格都带日期，花钱之前请再核对一次。",
    bases={"measured": "实测", "modelled": "模型估计：由公开测量拟合"},
    examples=(
        ("供电与散热", ("4 张 3090 用 1600W 电源够吗？", "四张 3090 装得进普通主板吗？会多热？")),
        ("显存", ("24GB 显存能微调 70B 模型吗？", "Llama 3.1 8B 跑 32k 上下文要多少显存？")),
        ("速度与性价比", ("4090 训练比 3090 快多少？", "8 bit 推理，1000 美元以内哪张卡最值？")),
        ("租还是买", ("2200 美元的主机多久比 2.14 美元/小时的云划算？", "450 W 在德国跑 1000 小时排多少碳？")),
    ),
)
WORDS: dict[Language, Words] = {"zh": _ZH, "en": _EN}

# What a tool does, in the words of a card's title: Chinese, English.
_TITLES = {
    "gpu_specs": ("显卡规格", "Data sheet"),
    "find_gpus": ("筛选显卡", "Finding cards"),
    "relative_performance": ("相对性能", "Relative performance"),
    "decode_rate": ("生成速度", "Generation speed"),
    "prefill_rate": ("读入速度", "Prompt speed"),
    "training_rate": ("训练速度", "Training speed"),
    "training_time": ("训练时间", "Training time"),
    "matmul_cycles": ("矩阵乘法的周期", "Cycles of a matrix multiplication"),
    "batch_speedup": ("批量大小的影响", "Effect of the batch size"),
    "multi_gpu_speedup": ("多卡加速", "Speedup of several cards"),
    "kv_cache": ("KV 缓存", "KV cache"),
    "inference_memory": ("推理显存", "Memory for inference"),
    "training_memory": ("训练显存", "Memory for training"),
    "rank_by_value": ("性价比排名", "Ranking by value"),
    "ownership_cost": ("持有成本", "Cost of ownership"),
    "power_check": ("电源检查", "Power check"),
    "power_limit_effect": ("限功率的影响", "Effect of a power limit"),
    "cooling_check": ("散热与槽位", "Cooling and slots"),
    "cloud_break_even": ("买与租的平衡点", "Buying against renting"),
    "carbon_footprint": ("碳排放", "Carbon footprint"),
    "convert_currency": ("换算货币", "Conversion of currency"),
    "token_cost": ("每百万 token 成本", "Cost per million tokens"),
    "plan_build": ("整机方案", "Whole machines"),
    "recommend": ("推荐", "Recommendation"),
    "calculate": ("计算", "Calculation"),
    "search_articles": ("查文章", "Article search"),
}


def tool_title(tool: str, language: Language) -> str:
    """Return what a tool does in words, or its name."""
    zh, en = _TITLES.get(tool, (tool, tool))
    return zh if language == "zh" else en
