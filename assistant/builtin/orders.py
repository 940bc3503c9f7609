"""Orders to the assistant inside a message ("ignore all instructions") are text of somebody else, not a question."""

from __future__ import annotations

import re

_ORDER = re.compile(
    r"ignore (?:all|any|the|your|previous|prior).{0,40}(?:instruction|prompt|rule)|disregard .{0,30}(?:instruction|rule)|"
    r"\b(?:system|assistant)(?: (?:note|prompt|message)[\w ]{0,20})?\s*[:：]|reply only|answer only|respond only|you are now\b|"
    r"(?:do not|don't|never) (?:use|run|call) (?:any )?(?:tools?|calculators?)|</?(?:tool|system|instruction)s?>|"
    r"忽略.{0,8}(?:指令|指示|规则|要求)|系统(?:提示|消息|指令)?\s*[:：]|只(?:许|能|准)?(?:回答|回复|输出)|你现在是|不(?:许|准|要)(?:用|调用)工具",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^。！？!?\n.]*(?:[。！？!?\n]+|\.(?=\s|$)|\.(?=\S)|$)")
_QUOTED = re.compile(r"'[^'\n]{12,400}'|\"[^\"\n]{12,400}\"|“[^”\n]{6,400}”")
_MARKED = re.compile(r"<(tool|system|instructions?)>.*?</\1>", re.IGNORECASE | re.DOTALL)


def without_orders(text: str) -> str:
    """Return a text without the passages that give the assistant orders; all of it if nothing else is left."""
    left = _MARKED.sub(" ", text)
    left = _QUOTED.sub(lambda hit: " " if _ORDER.search(hit[0]) else hit[0], left)
    if _ORDER.search(left):
        left = "".join(" " if _ORDER.search(hit[0]) else hit[0] for hit in _SENTENCE.finditer(left))
    return left if left.strip() else text
