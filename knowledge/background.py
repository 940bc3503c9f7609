"""Questions about anything else: how alike two texts look by chance, for whatever model embeds them.

A cosine means nothing by itself: one model gives unrelated texts 0.8, another 0.1, and Chinese pairs
more than English ones. These questions have no answer in the articles; the best cosine that they
reach is chance, and a real question is measured against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from knowledge.articles import Passage
from knowledge.embedding import Vectors

ENGLISH = (
    "What will the weather be like tomorrow in London?",
    "Will it rain this weekend?",
    "How do I bake sourdough bread?",
    "What can I cook with chicken and rice?",
    "How long do I boil pasta?",
    "Give me a recipe for chocolate cake",
    "Who scored the most goals in the Champions League?",
    "When is the next Olympic Games?",
    "How does the offside rule work in football?",
    "Which stocks will go up next month?",
    "Should I invest in index funds or bonds?",
    "Is Bitcoin going to crash?",
    "Should I buy shares of a bank?",
    "What is the best way to lose weight?",
    "How do I get rid of a headache?",
    "Which vitamins should I take in winter?",
    "Recommend a good novel to read",
    "Who painted the Mona Lisa?",
    "What is the population of Brazil?",
    "When did the second world war end?",
    "Tell me a joke",
    "Write a birthday message for my mother",
    "How do I remove a red wine stain?",
    "How do I fix a leaking tap?",
    "What dog breed is good with children?",
    "How do I grow tomatoes on a balcony?",
    "What is the best time to visit Japan?",
    "Cheap flights from Berlin to Rome",
    "How do I learn to play the guitar?",
    "How do I write a cover letter?",
    "What is the meaning of life?",
    "How do I ask for a raise?",
    "Which electric car has the longest range?",
    "How often should I change my engine oil?",
    "How do I cool down my house in summer without air conditioning?",
    "What is a good phone under 300 dollars?",
    "How do I improve my memory for exams?",
    "Translate good morning into Spanish",
    "How do solar panels work?",
    "What's the tax rate in Germany for freelancers?",
)
CHINESE = (
    "明天上海会下雨吗？",
    "周末天气热不热？",
    "西红柿炒鸡蛋怎么做？",
    "米饭要蒸多长时间？",
    "红烧排骨的做法",
    "梅西进了多少个球？",
    "世界杯什么时候举行？",
    "篮球比赛有几节？",
    "现在买哪只股票能赚钱？",
    "基金定投怎么操作？",
    "黄金价格还会涨吗？",
    "怎么减肥最快？",
    "头疼吃什么药？",
    "失眠怎么办？",
    "推荐一部好看的电影",
    "唐朝的开国皇帝是谁？",
    "中国有多少个省？",
    "讲一个睡前故事",
    "帮我写一首关于春天的诗",
    "衣服上的油渍怎么洗？",
    "水龙头漏水怎么修？",
    "养猫需要注意什么？",
    "阳台上种什么花好？",
    "去云南旅游几月份最好？",
    "从广州到深圳坐什么车？",
    "怎么学好英语口语？",
    "面试自我介绍怎么写？",
    "人生的意义是什么？",
    "怎么跟老板提加薪？",
    "哪款电动车续航最长？",
    "汽车多久换一次机油？",
    "夏天房间太热怎么降温？",
    "一千块的手机买哪个好？",
    "考试前怎么提高记忆力？",
    "你好，你是谁？",
    "个人所得税怎么算？",
    "孩子不爱吃饭怎么办？",
    "茅台股价多少？",
    "大学选什么专业好？",
    "婚礼上穿什么衣服？",
)
# A spread below this would make a tiny difference count as certain.
LEAST_SPREAD = 0.005
# Of a normal distribution: standard deviation over median absolute deviation.
MAD_TO_SIGMA = 1.4826


@dataclass(frozen=True, kw_only=True)
class Chance:
    """Best cosines that unrelated questions reach.

    Attributes:
        question: Language of the question.
        passage: Language of the passages.
        level: Median of the best cosines.
        spread: Their spread, as a standard deviation.
    """

    question: str
    passage: str
    level: float
    spread: float


def measure_chance(
    passages: Sequence[Passage], vectors: Vectors, english: Vectors, chinese: Vectors
) -> tuple[Chance, ...]:
    """Measure chance for each pair of languages.

    Args:
        passages: Passages of an index.
        vectors: Their vectors.
        english: Vectors of `ENGLISH`, embedded as queries.
        chinese: Vectors of `CHINESE`, embedded as queries.

    Returns:
        One entry for each pair that occurs. Medians, so that a document about one of these subjects
        hardly moves them.
    """
    found: list[Chance] = []
    for language in sorted({passage.language for passage in passages}):
        rows = vectors[[passage.language == language for passage in passages]]
        for question, queries in (("en", english), ("zh", chinese)):
            best = (queries @ rows.T).max(axis=1)
            level = float(np.median(best))
            spread = max(MAD_TO_SIGMA * float(np.median(np.abs(best - level))), LEAST_SPREAD)
            found.append(Chance(question=question, passage=language, level=level, spread=spread))
    return tuple(found)
