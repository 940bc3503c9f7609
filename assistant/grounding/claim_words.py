"""Words that claim something without a figure: cheaper, faster, enough, below, best; with their direction."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from assistant.letters import small


@dataclass(frozen=True, slots=True)
class Claim:
    """One such word in a sentence.

    Attributes:
        concept: What it compares: price, speed, fit, amount, bound, saving, verdict, action, best, place (of a ranking).
        polarity: +1 or -1; 0 for a superlative.
        start: Position in the sentence.
        text: As written.
    """

    concept: str
    polarity: int
    start: int
    text: str


# concept, polarity, signs, pattern; a longer pattern of the same place wins. No match is without one of the signs (English
# words, Chinese characters): most sentences have none of them, and a look at the signs costs less than a search.
WORDS: tuple[tuple[str, int, str, re.Pattern[str]], ...] = tuple(
    (concept, polarity, signs, re.compile(pattern, re.ASCII))
    for concept, polarity, signs, pattern in (
        (
            "price",
            -1,
            "cheaper less lower 便 划 省",
            r"\bcheaper\b|\bless expensive\b|\bcosts? less\b|\blower (?:price|cost)|更?便宜(?!的卡)|(?<!最)(?<!不)划算|省钱",
        ),
        (
            "price",
            1,
            "more dearer pricier higher 贵 便 划",
            r"\bmore expensive\b|\bdearer\b|\bpricier\b|\bcosts? more\b|\bhigher (?:price|cost)|更贵|(?<=[比较])贵|太贵|偏贵|不便宜|不划算|(?<![昂])贵(?![州的])",
        ),
        (
            "speed",
            1,
            "faster quicker gains speed speeds 快 速",
            r"\bfaster\b|\bquicker\b|\bgains\b|\bspeeds? up\b|更快|(?<![不很尽])快(?!速|的|钱|捷)|提速",
        ),
        (
            "speed",
            -1,
            "slower slow slows loses 慢",
            r"\bslower\b|\bslows? down\b|\bloses\b|更慢|(?<![不很])慢(?!的|慢)",
        ),
        (
            "fit",
            1,
            "fit fits enough sufficient suffices holds hold 够 得",
            r"\bfits?\b|\benough\b|\bsufficient\b|\bsuffices\b|\bholds\b|\bhold it\b|够(?!买)|放得下|装得下|插得下|带得动|放得进|撑得住",
        ),
        (
            "fit",
            -1,
            "too insufficient missing 下 动 进 够 足 小 住 差",
            r"\btoo (?:small|weak|little|tight|few|narrow)\b|\binsufficient\b|放不下|装不下|插不下|带不动|放不进|不够|不足以|太小|撑不住|\bmissing\b|还差",
        ),
        (
            "amount",
            1,
            "more greater higher larger bigger longer exceed exceeds least 超 高 大 多 少",
            r"\b(?:more|greater|higher|larger|bigger|longer) than\b|\bexceeds?\b|\bat least\b|超过|高于|大于|多于|至少|高出|超出|\bmore\b|\bhigher\b|更多|更高|更大",
        ),
        (
            "amount",
            -1,
            "less lower smaller fewer shorter most 小 不 多 少 低",
            r"\b(?:less|lower|smaller|fewer|shorter) than\b|\bat most\b|小于|不到|至多|最多|\bless\b|\bfewer\b|\blower\b|更少|更低|更小",
        ),
        (
            "bound",
            1,
            "above beyond after 上 后 多 高 超",
            r"\babove\b|\bbeyond\b|\bafter\b|以上|之后|以后|多于|高于|超过",
        ),
        (
            "bound",
            -1,
            "below under before 下 前 低 少 不",
            r"\bbelow\b|\bunder\b|\bbefore\b|以下|之前|以前|低于|少于|不到",
        ),
        ("saving", 1, "save saves saving 省 节", r"\bsaves?\b|\bsaving\b|(?<!不)省(?!略|事|心|钱|份)|节省|节约"),
        ("saving", -1, "extra waste wastes 花 耗 费", r"\bcosts? extra\b|\bwastes?\b|多花|多耗|浪费"),
        ("verdict", 1, "yes 可 能 行", r"^\W*yes\b|^\W*(?:可以|能|行)[，：。:,]"),
        (
            "verdict",
            -1,
            "no not only 不 很",
            r"^\W*no\b(?=[:,.])|^\W*not comfortably\b|^\W*only just\b|^\W*(?:不能|不行|不可以|很勉强)",
        ),
        ("action", 1, "buy buying 买", r"^\W*buy\b|\bflips to buying\b|^\W*(?:建议)?买"),
        ("action", -1, "rent renting 租", r"^\W*rent\b|\bflips to renting\b|^\W*(?:建议)?租"),
        (
            "change",
            1,
            "rise rises increase increases grow grows raise raises 高 升 增",
            r"\brises?\b|\bincreases?\b|\bgrows?\b|\braises?\b|升高|上升|增加|增长",
        ),
        (
            "change",
            -1,
            "fall falls drop drops decrease decreases reduce reduces shrink shrinks 降 减 缩",
            r"\bfalls?\b|\bdrops?\b|\bdecreases?\b|\breduces?\b|\bshrinks?\b|降到|下降|减少|降低|缩小",
        ),
        (
            "best",
            0,
            "best most cheapest fastest strongest slowest 最 性",
            r"\bbest\b|\bmost (?:speed|value|cost-effective|memory|powerful)\b|\b(?:cheap|fast|strong|slow)est\b|\bthe most\b|"
            r"最(?:划算|便宜|快|高|强|好|慢|省|值)(?!限)|性价比最高",
        ),
        (
            "worst",
            0,
            "worst least dearest 最 性",
            r"\bworst\b|\b(?:the )?least (?:speed|value|memory|money)\b|\bdearest\b|最(?:差|贵|低|弱|不划算)|性价比最低",
        ),
        (
            "place",
            0,
            "second third fourth fifth nd rd th runner 第",
            r"\b(?:second|third|fourth|fifth|\d{1,2}(?:nd|rd|th))[- ](?:best|(?:cheap|fast|slow|strong|large|bigg|high)est|place|most)\b|"
            r"\brunner-up\b|\b(?:ranks?|comes(?: in)?|is|placed) (?:second|third|fourth|fifth)\b|"
            r"第\s?(?:[二三四五六七八九十]|\d{1,2})\s?(?:快|慢|贵|便宜|划算|强|大|高|好|省|名|位)|"
            r"(?:排(?:名|在)?|位列|名列)第\s?(?:[二三四五六七八九十]|\d{1,2})",
        ),
        ("rank", 1, "smallest 小", r"\bsmallest\b|从小到大|最小"),
        ("rank", -1, "largest biggest 大", r"\b(?:larg|bigg)est\b|从大到小|最大"),
    )
)
_BY_SIGN: dict[str, list[int]] = {}
for _at, (_, _, _signs, _) in enumerate(WORDS):
    for _sign in _signs.split():
        _BY_SIGN.setdefault(_sign, []).append(_at)
_SIGN = re.compile(r"[a-z]+|[一-鿿]")
_NOT = re.compile(
    r"(?:\b(?:not|never|no|cannot|isn'?t|doesn'?t|does not|don'?t|won'?t|can'?t|aren'?t|hardly|barely|nothing)\s+(?:\w+\s+){0,2}|n't\s+(?:\w+\s+){0,2})$",
    re.ASCII,
)
_ZH_NOT = re.compile(r"(?:不|没|没有|并不|并没有|不会|未必|不一定)(?:是|能|算|太|会|再)?$")


def signs_in(low: str) -> set[str]:
    """Return the signs of claims that stand in a text of small letters."""
    return _BY_SIGN.keys() & set(_SIGN.findall(low))


@lru_cache(maxsize=8192)
def claims_in(sentence: str) -> tuple[Claim, ...]:
    """Return the claims of a sentence from left to right, negation taken in."""
    found: list[Claim] = []
    low = small(sentence)
    signs = signs_in(low)
    if not signs:
        return ()
    for at in sorted({at for sign in signs for at in _BY_SIGN[sign]}):
        concept, polarity, _, pattern = WORDS[at]
        for hit in pattern.finditer(low):
            before = low[max(0, hit.start() - 28) : hit.start()]
            negated = concept not in ("verdict", "best", "worst", "rank", "place", "bound") and bool(
                _NOT.search(before) or _ZH_NOT.search(before)
            )
            found.append(
                Claim(concept, -polarity if negated else polarity, hit.start(), sentence[hit.start() : hit.end()])
            )
    places = [claim for claim in found if claim.concept == "place"]
    found = [claim for claim in found if claim.concept == "place" or not any(_is_in(claim, place) for place in places)]
    found.sort(key=lambda claim: (claim.start, -len(claim.text)))
    kept: list[Claim] = []
    for claim in found:
        inside = [
            other
            for other in kept
            if other.concept == claim.concept and other.start <= claim.start < other.start + len(other.text)
        ]
        # "不够" holds "够", "不划算" holds "划算": the longer word speaks.
        longer = any(
            other.concept == claim.concept
            and other is not claim
            and other.start <= claim.start
            and other.start + len(other.text) >= claim.start + len(claim.text)
            and len(other.text) > len(claim.text)
            for other in found
        )
        if not inside and not longer:
            kept.append(claim)
    return tuple(kept)


def _is_in(claim: Claim, place: Claim) -> bool:
    """ "Second fastest" holds "fastest": the longer word speaks."""
    return place.start <= claim.start < place.start + len(place.text)
