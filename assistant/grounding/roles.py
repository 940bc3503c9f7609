"""What a sentence says a figure is (the machine's power, the weights' memory), held against the field it comes from.

Within one group a figure has one role; "the machine takes" may not be followed by the cards' watts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from assistant.grounding.facts import Fact
from assistant.letters import small
from assistant.units import measured


@dataclass(frozen=True, slots=True)
class Role:
    """One role: the words that speak of it, in small letters, and the fields that have it."""

    group: str
    words: re.Pattern[str]
    # The same without their boundaries, which is quicker to search for: what has no hint has no such words.
    hint: re.Pattern[str]
    fields: re.Pattern[str]
    # Whether such a figure passes only where these words stand.
    strict: bool = False


def _role(group: str, words: str, fields: str, strict: bool = False) -> Role:
    return Role(group, re.compile(words, re.ASCII), re.compile(words.replace(r"\b", "")), re.compile(fields), strict)


ROLES = (
    _role(
        "power",
        r"\bcards?\b|\bgpus?\b|显卡|board power|heat|发热|整卡|单卡|每张",
        r"^(gpu_w|cards_w|board_power_w|heat_w|power_w)$",
    ),
    _role("power", r"machine|system|整机|机器|whole", r"system_w$"),
    _role("power", r"\bwall\b|墙", r"^wall_w$"),
    _role(
        "power",
        r"\bcpu\b|platform|\bboard\b|\brest\b|drives|fans|平台|主板|其余|处理器|硬盘|风扇",
        r"^platform_w$",
        strict=True,
    ),
    _role("power", r"\bcpu\b|platform|\bboard\b|\brest\b|平台|主板|其余|处理器", r"^left_for_platform_w$"),
    _role("slots", r"gap|space|apart|空", r"gap_slots$", strict=True),
    _role("memory", r"logit", r"^logits"),
    _role("power", r"\bpsu\b|suppl|\bunit\b|电源", r"psu_w$"),
    _role("power", r"\bleft\b|leaves|headroom|spare|margin|余|剩|missing|还差", r"^headroom_w$|^left_for_platform_w$"),
    _role("power", r"sav(?:e|ing)|\bless\b|省|节", r"saved_w$"),
    _role("power", r"\bidle\b|standby|待机|空闲", r"idle"),
    _role("power", r"outlet|socket|breaker|circuit|插座|空开", r"^outlet_limit_w$"),
    _role("power", r"\blimit|\bcap(?:ped|s)?\b|\beach\b|限|降到|每张", r"power_limit_w$|^limited_"),
    _role("memory", r"weights?\b|权重", r"weights_gb|^floor_|states"),
    _role("memory", r"\bkv\b|cache|缓存", r"^kv_cache|^floor_"),
    _role("memory", r"overhead|workspace|开销", r"overhead"),
    _role("memory", r"\bleft\b|\bfree\b|spare|remain|余|剩", r"^value$|left_gb$|free_gb$"),
    _role("memory", r"gradient|梯度", r"^gradients|states"),
    _role("memory", r"optimi[sz]er|优化器", r"^optimizer|states"),
    _role("memory", r"activation|激活", r"^activations"),
    _role(
        "memory",
        r"needs?\b|takes?\b|total|requires?|占|需|要|总|一共|comfortable|余量|"
        r"(?:with|including) (?:the )?(?:cache|overhead)|(?:连同?|加上?|含)(?:缓存|开销)",
        r"^total_g|per_gpu_gb$|^needed|^floor_|^kv_cache|^value$",
    ),
    _role("memory", r"\bhas\b|\bhave\b|there\b|vram|显存|memory|只有|有", r"memory_gb|^value$"),
    _role("option", r"cloud|rent|云|租", r"^cloud_|rent"),
    _role("option", r"\bown\b|desktop|\bbuy|owning|machine|自己|自购|本地|台式|买|整机", r"^desktop_|price_usd$|^own"),
    _role("bound", r"\blow(?:er)?\b|at least|最低|下限|\bfrom\b", r"^low_|_low$|^low$"),
    _role("bound", r"\bhigh(?:er)?\b|at most|up to|最高|上限", r"^high_|_high$|^high$"),
    _role("money", r"electricity|电费|power bill", r"electricity_usd(?!_per_kwh)"),
    _role("money", r"\bprice\b|card price|launch|street|hardware|首发|售价|价格|硬件", r"price_usd$"),
    _role(
        "money",
        r"total|together|with electricity|cards and|with the hardware|含硬件|连硬件|加上?硬件|加显卡|合计|加电费|总",
        r"total_usd$|total_price_usd$",
    ),
    _role("cycles", r"without|不用|plain", r"^plain_cycles$"),
    _role("cycles", r"asynchron|异步|async", r"^async_cycles$"),
    _role("rate", r"ceiling|上限|bound", r"^ceiling_"),
)


_BY_GROUP = {
    group: [at for at, role in enumerate(ROLES) if role.group == group] for group in {role.group for role in ROLES}
}


@lru_cache(maxsize=2048)
def roles_of(field: str) -> frozenset[int]:
    """Return the roles that a field has."""
    return frozenset(at for at, role in enumerate(ROLES) if role.fields.search(field))


@lru_cache(maxsize=4096)
def roles_in(text: str, group: str) -> frozenset[int]:
    """Return the roles of a group that a piece of text, in small letters, speaks of."""
    return frozenset(at for at in _BY_GROUP[group] if ROLES[at].hint.search(text) and ROLES[at].words.search(text))


def fits_role(candidates: Sequence[Fact], scopes: Callable[[], Sequence[str]]) -> bool:
    """Whether one of the fields that hold a value is what the text says the value is.

    Args:
        candidates: Facts with the value.
        scopes: Gives the pieces of text around it, the nearest first; only asked for where a role is to be held against.
    """
    roles: set[frozenset[int]] = set()
    for fact in candidates:
        own = _roles(fact)
        if own:
            roles.add(own)
        elif not fact.in_text:
            return True  # a field that has no role may stand anywhere
    if not roles:
        return True
    around = [small(scope) for scope in scopes()]
    return any(_agrees(own, around) for own in roles)


def _roles(fact: Fact) -> frozenset[int]:
    """Return the roles of a fact: a computed `value` has those of memory only if it is an amount of memory."""
    own = roles_of(fact.name)
    if own and fact.name == "value" and measured(fact.unit)[0] != "GB":
        return frozenset()
    return own


def _agrees(own: frozenset[int], scopes: Sequence[str]) -> bool:
    for group in {ROLES[at].group for at in own}:
        for scope in scopes:
            spoken = roles_in(scope, group)
            if spoken:
                if not spoken & own:
                    return False
                break
    return all(any(ROLES[at].words.search(scope) for scope in scopes) for at in own if ROLES[at].strict)
