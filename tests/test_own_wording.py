"""What the built-in model says is never rejected by the guard: a rejected answer is replaced by bare tool sentences."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from assistant.conversation import Answer
from assistant.desk import open_desk
from assistant.settings import Settings

GOLDEN = Path(__file__).parent / "golden" / "understanding.jsonl"
# Answers whose wording none of the golden rows has.
ALSO = (
    "Is 96 GB of system RAM enough for five 24 GB cards?",
    "32G 内存配一张 3090 够吗",
    "4080 or 5070 Ti for fine-tuning?",
    "两张 3090 和一张 H100 跑 70B 谁快",
    "预算 6000 元，本地跑 14B，买什么卡",
    "Where should the power limit of a 4080 be for the best efficiency?",
    "每月 2000 元的云，换成 4 万元的机器几个月回本",
    "How many hours of an A10 do I get for $300 at $0.75/h?",
    "我花 9000 元买的 4080 租出去一小时 1.2 元，多久回本",
    "A 12 A outlet at 230 V with a 2 kW heater on it: can a 4090 machine run too?",
    "3070 8G 跑 SDXL 够吗",
    "4090 租金从 2 元涨到 2.6 元，涨了百分之多少",
    "if my psu is 80+ gold 1500W how many 3080s at 260W",
    "do I need water cooling for two 4080s",
)


def test_no_wording_of_the_built_in_model_is_rejected(tmp_path: Path) -> None:
    asked = [json.loads(line)["question"] for line in GOLDEN.read_text("utf-8").splitlines()]
    answers = asyncio.run(_answers(tmp_path, (*asked, *ALSO)))
    rejected = {
        question: answer.warnings
        for question, answer in answers.items()
        if any("wording" in line or "措辞" in line for line in answer.warnings)
    }
    assert not rejected


async def _answers(folder: Path, questions: tuple[str, ...]) -> dict[str, Answer]:
    async with open_desk(Settings(data_dir=folder)) as desk:
        return {question: await desk.answer(question, desk.conversation().session) for question in questions}
