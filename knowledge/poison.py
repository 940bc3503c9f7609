"""Text that is written for a program that reads, not for a person: what is hidden goes, who gives orders stays out.

A document is data. Two things keep it so. Whatever a reader does not see (comments, invisible signs,
pictures, addresses of links) is taken out before anything else looks at the text. And a document that
addresses a reading program (orders, faked tool results, faked references, disguised letters) is set aside
whole: somebody who plants one such line may have changed the figures beside it too.

Nothing here knows a particular text: a sign is a form that no article about hardware needs.
"""

from __future__ import annotations

import base64
import re
import unicodedata
from dataclasses import dataclass
from itertools import groupby, pairwise

# One sign may be chance, for instance in an article about language models; two are not.
LEAST_SIGNS = 2
# So many invisible signs on end carry a message.
LEAST_RUN = 8
LONGEST_SHOWN = 60
# An order may be spread over two lines of together so many signs, or over short ones on end.
LONGEST_PAIR = 400
SHORT_LINE = 24

_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_SILENT_TAG = re.compile(r"<(script|style|template|noscript)\b[^>]*>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_IMAGE = re.compile(r"!\[([^\]\n]*)\]\s*(?:\(([^)\n]*)\)|\[[^\]\n]*\])")
_LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)\n]*)\)")
_REFERENCE = re.compile(r"^[ \t]*\[[^\]\n]+\]:[ \t]*(.*)$", re.MULTILINE)
# Tag signs (U+E0000) spell ASCII invisibly; overrides of direction show another order than is written.
_TAGS = re.compile(r"[\U000e0000-\U000e007f]+")
_OVERRIDES = re.compile(r"[\u202a-\u202e\u2066-\u2069]")
_INVISIBLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028\u2029"
    r"\u2060-\u2065\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0100-\U000e01ef"
    r"\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]"
)
_INVISIBLE_RUN = re.compile(rf"(?:{_INVISIBLE.pattern}){{{LEAST_RUN},}}")
_BASE64 = re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{24,}(?![\w+/])")
_WORD = re.compile(r"[^\W\d_]+")
# Greek letters that stand beside Latin ones as units and names of variables.
_GREEK_IN_USE = frozenset("αβγδεζηθκλμνξπρστφχψωΓΔΘΛΞΠΣΦΨΩµ")

_WHO = (
    r"(?:assistant|ai|a\.i\.|llms?|language models?|chat ?bots?|agents?|system prompt|gpt|"
    r"助手|助理|语言模型|大模型|机器人|智能体|人工智能|ai)"
)
# Each pattern is a sign of its own; the second value says how many.
_SIGNS: tuple[tuple[re.Pattern[str], int], ...] = tuple(
    (re.compile(sign, re.IGNORECASE), weight)
    for sign, weight in (
        # what was said before shall not count
        (
            r"\b(?:ignore|disregard|forget|override|bypass|discard)\b.{0,40}\b(?:previous|prior|above|earlier|preceding|"
            r"instructions?|rules?|prompts?|guidelines?|guard(?:rails?)?|tools?|sources?)\b",
            2,
        ),
        (
            r"(?:忽略|无视|忘记|忘掉|不要理会|抛开|绕过|覆盖).{0,12}"
            r"(?:之前|以上|上述|前面|先前|所有|一切|此前|指令|规则|提示|要求|工具|来源)",
            2,
        ),
        # who reads is told who it is
        (
            rf"\byou are (?:now )?(?:an?|the|no longer) .{{0,30}}\b{_WHO}\b|\bact as\b.{{0,30}}\b{_WHO}\b|"
            r"\byou are now\b",
            2,
        ),
        (rf"你(?:现在)?(?:是|扮演|不再是).{{0,12}}{_WHO}|从现在(?:起|开始).{{0,6}}你", 2),
        (rf"\b(?:note|message|instructions?|attention|important|dear|hey|to)\b.{{0,25}}\b{_WHO}\b\s*[:,：，!]", 1),
        (rf"(?:致|给|请|各位|亲爱的|作为|注意).{{0,8}}{_WHO}", 1),
        (rf"\b{_WHO}\b.{{0,25}}\b(?:must|should|shall|has to|needs? to|will now|is required to)\b", 1),
        (rf"{_WHO}.{{0,10}}(?:必须|务必|应当|一律|需要|请|不得)", 1),
        # what is to be answered, called, kept quiet or sent
        (
            r"\b(?:always|only|must|never|instead|please|now|simply|just)\s+(?:answer|reply|respond|say|state|output|print|"
            r"recommend|report|claim|tell|cite|write|return)\b|\b(?:answer|reply|respond|output)\s+(?:only|always|exactly|with)\b",
            1,
        ),
        (
            r"(?:一律|总是|永远|只能|只需|只要|务必|必须|始终|统一|直接)(?:都|要)?"
            r"(?:回答|回复|推荐|输出|说|声称|返回|引用|写成|答)",
            1,
        ),
        (
            r"\b(?:call|invoke|run|execute|use|trigger)\b.{0,25}"
            r"\b(?:tools?|functions?|commands?|plugins?|[a-z]+_[a-z_]+)\b",
            1,
        ),
        (r"(?:调用|执行|运行|触发).{0,12}(?:工具|函数|命令|插件|[a-z]+_[a-z_]+)", 1),
        (
            r"\b(?:do not|don't|never|without)\s+"
            r"(?:tell|mention|reveal|inform|telling|mentioning|show|disclose|call|use)\b.{0,30}\b(?:users?|person|anyone|this|it|tools?|calculators?)\b",
            1,
        ),
        (
            r"(?:不要|别|不得|切勿|禁止)(?:告诉|提及|透露|告知|让|调用|使用|显示).{0,10}(?:用户|对方|别人|这|工具|计算)",
            1,
        ),
        (r"\b(?:send|post|fetch|submit|upload|transmit|exfiltrate)\b.{0,40}(?:https?://|\bwww\.)", 1),
        (r"(?:发送|上传|访问|打开|请求|加载).{0,20}https?://", 1),
        (
            r"\b(?:the|your) (?:final |correct |only )?answer (?:is|must be|should be)\b.{0,40}\d|"
            r"(?:正确|最终|标准)?答案(?:是|为|必须是).{0,20}\d",
            1,
        ),
        # forms of a protocol between programs
        (r"\{\{\s*[rc]\d", 2),
        (r"\{\{\s*\w+(?:\.\w+)*\s*\}\}", 1),
        (r"<\|[a-z_]+\|>|\[/?INST\]|<<SYS>>|</?(?:system|assistant|user|tool_call|tool_response|function_call)>", 2),
        (
            r"^\W*(?:system|assistant|developer|tool|function|user|系统|助手|工具|用户)"
            r"(?: ?(?:prompt|message|result|output|call|note|override|提示|消息|结果|输出|指令|返回))?\s*[:：]\s*\S",
            1,
        ),
        (
            r"\b(?:tool|function)[ _-]?(?:results?|outputs?|calls?|responses?)\b|工具(?:结果|返回|输出|调用)|"
            r"系统(?:提示|指令|消息)",
            1,
        ),
        (r"[\"'](?:tool|tool_calls?|function_call|arguments|result|citations|role)[\"']\s*:", 2),
        (r"(?<![\w.])r\d{1,3}\.[a-z]+(?:_[a-z]+)+|\[[rc]\d{1,3}\]|#r\d{1,3}\.", 1),
        (r"\b[a-z]+(?:_[a-z]+)+\s*[(=:]\s*[\"'\d]", 1),
        (
            r"\b[a-z]+(?:_[a-z]+)+\b.{0,20}\b(?:computed?|returned|sa(?:ys?|id)|reports?|confirm(?:s|ed)|found|g(?:ives?|ave))\b|"
            r"[a-z]+(?:_[a-z]+)+.{0,8}(?:算出|返回|得出|确认|给出)",
            1,
        ),
        # a conversation played out, for a program to go on with
        (
            r"(?:^|\n)\W*(?:user|human|用户|人类)\s*[:：].*\n\W*(?:assistant|ai|bot|model|助手|助理|模型)\s*[:：]\s*\S",
            2,
        ),
        # the same in the wording of old books
        (r"(?:凡|若|诸)?(?:读|阅|览|见)(?:此|本|是)(?:文|书|篇|卷)(?:之|者)|智械|机械之灵", 1),
        (r"[毋勿莫休](?:告|言|问|泄|语|示|从|用)|[但惟唯只必须当]言", 1),
    )
)


@dataclass(frozen=True, kw_only=True)
class Visible:
    """What a reader sees of a text.

    Attributes:
        text: The text without anything hidden.
        hidden: What was hidden in it.
        signs: Ways of hiding that no honest text needs.
    """

    text: str
    hidden: tuple[str, ...]
    signs: tuple[str, ...]


def visible(text: str) -> Visible:
    """Take out what a reader does not see: comments, invisible signs, pictures, addresses of links."""
    signs: list[str] = []
    hidden: list[str] = []
    tags = _TAGS.findall(text)
    if tags:
        signs.append("invisible letters")
        hidden += ["".join(chr(ord(sign) - 0xE0000) for sign in run) for run in tags]
    if _OVERRIDES.search(text):
        signs.append("signs that turn the order of writing around")
    if _INVISIBLE_RUN.search(text):
        signs.append("a long run of invisible signs")
    text = _INVISIBLE.sub("", _OVERRIDES.sub("", _TAGS.sub("", text)))
    hidden += [match[1] for match in _COMMENT.finditer(text)]
    hidden += [f"{match[1]} {match[2] or ''}" for match in _IMAGE.finditer(text)]
    hidden += [match[2] for match in _LINK.finditer(text)] + [match[1] for match in _REFERENCE.finditer(text)]
    hidden += _decoded(text)
    text = _SILENT_TAG.sub("", _COMMENT.sub("", text))
    text = _REFERENCE.sub("", _LINK.sub(r"\1", _IMAGE.sub("", text)))
    return Visible(text=text, hidden=tuple(part.strip() for part in hidden if part.strip()), signs=tuple(signs))


def _decoded(text: str) -> list[str]:
    """Return what runs of base64 spell, where they spell a text."""
    found: list[str] = []
    for run in _BASE64.findall(text):
        try:
            plain = base64.b64decode(run + "=" * (-len(run) % 4), validate=True).decode("utf-8")
        except ValueError:  # UnicodeDecodeError is one
            continue
        if plain.isprintable() and (" " in plain or not plain.isascii()):
            found.append(plain)
    return found


def suspicion(seen: Visible, hidden: tuple[str, ...] = ()) -> str:
    """Return why a document looks like an attempt to steer a program that reads it, "" when nothing was seen.

    Args:
        seen: What a reader sees, and what the text hid.
        hidden: What the page around it hid.
    """
    if seen.signs:
        return f"It holds {seen.signs[0]}."
    disguised = disguised_word(seen.text)
    if disguised:
        return f"{disguised!r} mixes letters of two alphabets."
    for part in (*seen.hidden, *hidden):
        if _signs(part) or disguised_word(part):
            return f"It hides a note to whoever reads it by program: {_shown(part)!r}."
    for line in _windows(seen.text):
        if _signs(line) >= LEAST_SIGNS:
            return f"It addresses a reading program: {_shown(line)!r}."
    return ""


def disguised_word(text: str) -> str:
    """Return a word that mixes Latin letters with their doubles from another alphabet, "" when there is none."""
    for match in _WORD.finditer(text):
        word = match[0]
        if word.isascii():
            continue
        scripts = {_script(sign) for sign in word if sign not in _GREEK_IN_USE}
        if "LATIN" in scripts and scripts & {"CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "MATHEMATICAL"}:
            return word
    return ""


def _script(sign: str) -> str:
    return unicodedata.name(sign, "?").split()[0]


def _signs(text: str) -> int:
    return sum(weight for sign, weight in _SIGNS if sign.search(text))


def _windows(text: str) -> list[str]:
    """Return every line, every pair, and short lines on end as one: an order may be spread over them."""
    lines = [" ".join(line.replace("|", " ").split()) for line in text.splitlines()]
    lines = [line for line in lines if line]
    pairs = [f"{first}\n{second}" for first, second in pairwise(lines) if len(first) + len(second) < LONGEST_PAIR]
    runs = [" ".join(run) for is_short, run in groupby(lines, lambda line: len(line) <= SHORT_LINE) if is_short]
    return [
        *lines,
        *pairs,
        *(run[start : start + LONGEST_PAIR] for run in runs for start in range(0, len(run), LONGEST_PAIR // 2)),
    ]


def _shown(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= LONGEST_SHOWN else f"{plain[:LONGEST_SHOWN]}…"
