"""What a question is about in plain words, and which tools speak of it: an answer about something else is none.

Cues add up, and a card with a number or two can push a tool over the line that has nothing to say about heat or carbon. So where a
question names its subject, a plan must use a tool that speaks of one of the subjects it names.
"""

from __future__ import annotations

from assistant.builtin.asking import words
from assistant.builtin.calls import Plan
from assistant.toolbox import SEARCH
from tools.api import all_tools

# These take part in any answer.
_HELPERS = frozenset(("calculate", "convert_currency", SEARCH))
_ADVICE = ("recommend", "plan_build")
_RATES = (
    "decode_rate", "prefill_rate", "relative_performance", "training_rate", "training_time", "multi_gpu_speedup", "power_limit_effect",
    "batch_speedup", "matmul_cycles", "rank_by_value", "token_cost",
)  # fmt: skip
_SUBJECTS = tuple(
    (words(en, zh), frozenset(tools))
    for en, zh, tools in (
        (
            r"hot\b|hotter|heat\w*|temperatures?|thermal\w*|throttl\w*|overheat\w*",
            "过热|发热|太热|热不热|会热|热关机|温度|降频|烫",
            ("cooling_check",),
        ),
        (
            r"slots?\b|risers?|side by side|next to each other|squeez\w*|coolers?|cooling|airflow|blower|chassis",
            "槽|插得下|插不插|塞得下|延长线|机箱|散热|涡轮|水冷|挨着",
            ("cooling_check", "gpu_specs", "plan_build"),
        ),
        (r"co2|carbon|emissions?|footprint", "碳|排放", ("carbon_footprint", "plan_build")),
        (
            r"fast\w*|slow\w*|(?<!memory )(?<!nvlink )speed\w*|quick\w*|performance|throughput|tokens? (?:per|a|/) ?s\w*|tok/s|t/s|latency|samples/s|"
            r"how long (?:does|do|will|would|until|to|it|for)",
            "快|慢|速度|性能|每秒|吞吐|延迟|多久|提升|损失",
            (*_RATES, *_ADVICE, "cloud_break_even"),
        ),
        (
            r"psu|power suppl\w*|suppl(?:y|ies)\b|watts?\b|\d ?k?w\b|power\b|tdp|outlets?|sockets?|circuits?|breakers?|amps?\b|wall|limit\w*|"
            r"capp?(?:ed|ing)?\b|connectors?|plugs?",
            "电源|瓦|功耗|功率|插座|空开|供电|限|墙插|接口|千瓦|[0-9] ?[Ww](?![A-Za-z])",
            ("power_check", "power_limit_effect", "gpu_specs", "ownership_cost", "carbon_footprint", "cooling_check", "token_cost",
             "cloud_break_even", *_ADVICE),
        ),
        (
            r"electric\w*|kwh|power bill|energy",
            "电费|度电|一度|几度|用电|电价",
            ("ownership_cost", "token_cost", "cloud_break_even", "rank_by_value", "carbon_footprint", "power_check", *_ADVICE),
        ),
        (
            r"break[- ]?even|pays? (?:off|back|for itself)|rent\w*|cloud|cheap\w*|\$|dollars?|euros?|costs?|price\w*|budget|value|worth|buy\w*|afford",
            "回本|租|云|便宜|划算|元|块钱|价|预算|值|买|多少钱|成本|费用",
            ("cloud_break_even", "token_cost", "ownership_cost", "rank_by_value", "find_gpus", "gpu_specs", "training_time",
             "relative_performance", "decode_rate", *_ADVICE),
        ),
        (
            r"v?ram\b|memory|fits?\b|hold\w*|enough|oom|\bgb\b|gib\b|gigs?\b|batch|context|cache",
            "显存|内存|放得下|装得下|放不放|够|爆|占|上下文|缓存",
            ("inference_memory",
                "matmul_cycles", "training_memory", "kv_cache", "gpu_specs", "find_gpus", "decode_rate", "rank_by_value", "power_check",
             "cooling_check", "training_time", "training_rate", "relative_performance", "batch_speedup", "multi_gpu_speedup", *_ADVICE),
        ),
        (
            r"nvlink|bandwidth|l2\b|units\b|[tp]flops|tops\b|specs?\b|data ?sheet|compute capability|architecture|launch\w*|release\w*",
            "NVLink|带宽|算力|规格|参数|架构|发布|上市",
            ("gpu_specs", "find_gpus", "relative_performance", "multi_gpu_speedup", "decode_rate", "kv_cache", "cloud_break_even"),
        ),
    )
)  # fmt: skip


def is_about(plan: Plan, text: str) -> bool:
    """Whether a plan uses a tool that speaks of a subject a text names; any does where the text names none.

    Args:
        plan: What would be computed.
        text: The question.
    """
    tools = frozenset(call.tool for one in (plan, *plan.then) for stage in one.stages for call in stage)
    if not tools or tools & _HELPERS or tools - _known():
        return True
    if len(tools) > 1:
        tools -= {"gpu_specs"}  # what a result is held against
    named = [about for pattern, about in _SUBJECTS if pattern.search(text)]
    return not named or any(tools & about for about in named)


def _known() -> frozenset[str]:
    """Tools that some subject knows; one that is added later is trusted with its own cues."""
    return frozenset(all_tools()) & frozenset[str]().union(*(about for _, about in _SUBJECTS))
