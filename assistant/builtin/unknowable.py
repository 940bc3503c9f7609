"""What nobody here has figures on: noise, resale, lifetimes, games. Said at once, before a tool answers something else."""

from __future__ import annotations

import re

from assistant.builtin.asking import words
from assistant.builtin.calls import Plan
from assistant.builtin.frames import frames
from assistant.builtin.reading import Reading
from assistant.builtin.single import ARTICLE

# What is asked for, how it is called in the answer, what can be had instead.
_SUBJECTS: tuple[tuple[re.Pattern[str], tuple[str, str], tuple[str, str]], ...] = (
    (
        words(r"nois[ey]\w*|loud\w*|quiet\w*|silent|decibels?|dba?\b|coil whine", "噪音|噪声|多吵|吵不吵|安静|分贝|啸叫|声音大"),
        ("how loud a card is", "噪音"),
        ("heat, slots and the kind of cooler", "发热、槽位和散热方式"),
    ),
    (
        words(
            r"resale|resell|second-hand value|(?:hold|keep|retain)s? (?:its|their) (?:value|price)|depreciat\w*|worth (?:in|after) .{0,12}years",
            "残值|保值|(?:以后|几年后|年后).{0,6}(?:卖|值)多少|贬值|折旧",
        ),
        ("what a card will sell for later", "以后能卖多少钱"),
        ("the cost of owning it with a resale price that you give", "按你给的卖出价算持有成本"),
    ),
    (
        words(
            r"life ?(?:span|time|expectancy)|(?:how long|years?) .{0,20}\blasts?\b|wear(?:s|ing)? out|fail(?:ure)? rates?|reliab\w+|mtbf|mining card|mined on|ex-mining",
            "寿命|能用(?:几|多少)年|故障率|可靠性|返修|矿卡|翻车",
        ),
        ("how long a card lasts or how often one fails", "显卡的寿命和故障率"),
        ("what running it costs", "用它要花多少钱"),
    ),
    (
        words(r"passive(?:ly)?\b|fanless|without (?:a |any |its )?fans?\b", "被动散热|无风扇|不装风扇|拆掉?风扇"),
        ("cards without their fans", "不带风扇的散热"),
        ("the watts of heat and what a power limit takes off", "发热多少瓦、限功率能降多少"),
    ),
    (
        words(r"\bfps\b|frame ?rates?|(?:for|while|in) gaming|gaming (?:performance|speed)|(?:play|for|in) games?\b|cyberpunk|ray ?tracing", "帧率|打游戏|玩游戏|游戏性能|光追|3A ?(?:大作|游戏)"),
        ("games", "游戏"),
        ("the same cards for training and inference", "同样的卡做训练和推理"),
    ),
    (
        words(r"warrant(?:y|ies)|customer support|in stock|availab(?:le|ility) (?:in|at|now)|where (?:can i|to|do i) buy|which (?:shop|store)", "保修|质保|有货|现货|哪里买|哪儿买|哪家店|渠道"),
        ("stock, shops and warranties", "货源和保修"),
        ("dated prices of the cards", "带日期的价格"),
    ),
)  # fmt: skip
_ASKS = words(
    r"how|what|which|is|are|does|do|will|can|could|would|should|any|where|tell",
    r"[?？]|吗|多|几|怎么|什么|哪|能|会|值|如何|呢|风险",
)
# "Noise aside": named to be left out.
_ASIDE = re.compile(
    r"\s*(?:aside|is no (?:issue|problem)|does(?:n't| not) matter|不考虑|不管|无所谓|除外|先不说)", re.IGNORECASE
)
# A longer message is about more than one thing. [characters]
_LONGEST = 200
# A cue that speaks for a tool by itself: then there is a tool for the subject.
_SPEAKS = 2.0
_SAID = {
    "en": "I have no figures on {}, so I will not guess. What I can work out: {}.",
    "zh": "{}我没有数据，不乱猜。我能算的是：{}。",
}


def unknowable(reading: Reading) -> Plan | None:
    """Return the plan that says there are no figures on what a question asks for, None if a tool has some."""
    if len(reading.text) > _LONGEST or not _ASKS.search(reading.text) or ARTICLE.search(reading.text):
        return None
    zh = reading.language == "zh"
    for pattern, subject, instead in _SUBJECTS:
        hit = pattern.search(reading.text)
        if hit and _ASIDE.match(reading.text, hit.end()):
            continue
        if hit and not any(
            cue.weight >= _SPEAKS and cue.pattern.search(hit[0]) for frame in frames().values() for cue in frame.cues
        ):
            return Plan(reply=_SAID[reading.language].format(subject[zh], instead[zh]), status="refused")
    return None
