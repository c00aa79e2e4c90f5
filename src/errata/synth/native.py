"""Errors of native writers: redundancy, blended sentence patterns, misplaced connectives.

Exam sentences (FCGEC, NaCGEC) are wrong in ways learners' essays are not: `约三十人左右`, `原因是由于`, `通过…，使…`,
`不仅他来` for `他不仅来`. Each function looks at one character of a clean sentence and makes such an error of it, or
nothing. What native writers leave out is in `missing`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from errata.model import Tokens
from errata.synth.clauses import STOPS, Bounds, Rewrite, clause_end, clause_start
from errata.synth.missing import OMISSIONS, PAIRED_OMISSIONS
from errata.synth.sampler import Change

NUMERALS = frozenset("0123456789０１２３４５６７８９一二两三四五六七八九十百千万亿.．%％")
BEFORE_NUMBER = ("约", "大约", "大概", "近", "将近", "超过", "至少", "最多", "不足", "接近", "多达")
AFTER_NUMBER = ("左右", "以上", "多", "余", "上下", "之多", "以内")
# A marker of approximation on one side, and what is put on the other by mistake.
WITH_LEFT = ("左右", "左右", "左右", "以上", "多", "余", "之多")
WITH_RIGHT = ("约", "约", "大约", "大约", "近", "将近", "超过", "至少")

# The right phrase and what says it twice.
SAID_TWICE: Mapping[str, Sequence[str]] = {
    "原因是": ("原因是因为", "原因是由于", "原因在于是"),
    "目的是": ("目的是为了", "目的是想"),
    "必须": ("必须要", "必需要", "一定必须"),
    "涉及": ("涉及到",),
    "来自": ("来自于",),
    "并非": ("并非是",),
    "切忌": ("切忌不要", "切忌不能"),
    "凯旋": ("胜利凯旋", "凯旋归来"),
    "悬殊": ("差距悬殊", "相差悬殊"),
    "大多": ("大多都", "大多数都"),
    "目前": ("目前现在", "当前目前", "截至目前为止"),
    "首次": ("首次第一次", "第一次首次"),
    "终于": ("最后终于", "最终终于"),
    "逐渐": ("逐渐慢慢", "逐渐逐步"),
    "逐步": ("逐步逐渐",),
    "亲自": ("自己亲自", "亲自动手"),
    "往往": ("往往常常", "经常往往"),
    "共同": ("一起共同", "共同一起"),
    "互相": ("彼此互相", "互相之间"),
    "相互": ("相互之间互相", "彼此相互"),
    "即将": ("即将快要", "即将就要"),
    "凡是": ("凡是所有",),
    "所有": ("所有一切", "凡所有"),
    "全部": ("全部所有", "全部都"),
    "共计": ("总共共计", "一共共计"),
    "非常": ("非常十分", "非常很", "非常特别"),
    "十分": ("十分非常", "十分很"),
    "能够": ("能够可以", "可以能够", "能够得以"),
    "可以": ("可以能够",),
    "许多": ("许多很多", "许多的"),
    "再次": ("再次又", "又再次"),
    "深受": ("深受到",),
    "受到": ("深受到",),
    "具有": ("具有着", "具有有"),
    "过去": ("过去曾经", "曾经过去"),
    "曾经": ("过去曾经", "曾经在过去"),
    "由于": ("由于因为", "因为由于"),
    "因为": ("因为由于",),
    "是否": ("是否能否", "是不是是否"),
    "为了": ("为了能够", "为了想"),
    "更加": ("更加更", "越发更加"),
    "非得": ("非得一定",),
    "显得": ("显得看起来",),
    "似乎": ("似乎好像", "仿佛似乎"),
    "等等": ("等等之类",),
    "以免": ("以免不要", "以免不再"),
    "贵宾": ("尊贵贵宾",),
    "夫人": ("妻子夫人",),
    "使": ("使得让", "使让"),
    "其": ("其的", "他其"),
    "被": ("被受", "被遭到"),
    "深": ("深深",),
    "仅": ("仅只", "仅仅只"),
    "令人": ("令人感到让人", "让令人"),
    "期间": ("期间时", "期间之中"),
    "其中": ("其中里面", "这其中"),
    "之一": ("之一的一个",),
    "预防": ("预防不", "提前预防"),
    "预先": ("提前预先",),
    "至今": ("至今为止", "直到至今"),
    "不断": ("连续不断地不断", "不断持续"),
    "平均": ("平均大约", "人均平均"),
    "根据": ("根据按照", "依据根据"),
    "关于": ("关于对于",),
    "对于": ("关于对于", "对于关于"),
    "介绍": ("作了介绍", "介绍说明"),
    "广大": ("众多广大", "广大的所有"),
    "各": ("各个", "各每"),
    "免费": ("免费无偿",),
    "充满": ("充满着了", "充满着满"),
    "以": ("以用", "用以"),
}
OPENERS = ("通过", "经过", "由于", "随着", "在", "对于", "从", "根据", "为了")
CAUSATIVES = ("使", "使", "让", "令", "使得")
PREVENTING = ("防止", "避免", "以免", "切忌", "杜绝", "否认", "忘记", "阻止", "禁止", "难免")
NEGATIONS = ("不", "不", "不再", "不要", "没有")
CAUSES = ("原因", "由于", "因为", "源于")
RESULTS = ("造成的", "引起的", "导致的", "所致", "的缘故", "决定的", "的原因")
TWO_SIDED = ("关键", "保证", "前提", "取决", "标志", "决定", "重要")
WHETHER = ("能否", "是否", "能不能", "是不是")
CONNECTIVES = (
    "不仅", "不但", "虽然", "尽管", "如果", "只有", "只要", "因为", "由于", "既", "即使", "不论", "无论", "不是",
    "与其", "宁可",
)  # fmt: skip
# Who says it, and how a writer introduces that: one of the two is enough.
SAYS = ("显示", "表明")
SOURCES = ("数据", "调查", "研究", "统计", "报告", "资料", "分析", "结果", "报道", "监测", "消息", "预测", "介绍")
ACCORDING = ("根据", "据")
TOPICS = ("为主题", "为中心", "为核心", "为主线")
LONGEST_SUBJECT = 8
# Characters of `国家统计局公布的最新数据`; more is a clause of its own.
LONGEST_SOURCE = 16


def approximate(tokens: Tokens, i: int, rng: Random, bounds: Bounds) -> Change | None:
    """A number that is `约` or `左右` becomes both."""
    start, end = i, i + 1
    while start and tokens[start - 1] in NUMERALS:
        start -= 1
    while end < len(tokens) and tokens[end] in NUMERALS:
        end += 1
    left, right = "".join(tokens[max(0, start - 2) : start]), "".join(tokens[end : end + 4])
    if left.endswith(BEFORE_NUMBER) or left.startswith("约"):  # 约为三十
        place = next((b for b in bounds(tokens) if b > end), end)  # behind the measure word
        if place - end > 3 or any(t in STOPS for t in tokens[end:place]):
            place = end
        return place, place, tuple(_one(WITH_LEFT, rng))
    if any(mark in right for mark in AFTER_NUMBER):
        return start, start, tuple(_one(WITH_RIGHT, rng))
    return None


def causative(tokens: Tokens, i: int, rng: Random, bounds: Bounds) -> Change | None:
    """`随着…，我们…` becomes `随着…，使我们…`; `…的发展使我们` becomes `随着…的发展使我们`."""
    start = clause_start(tokens, i)
    if tokens[i] in ("，", ","):
        if "".join(tokens[start : start + 2]).startswith(OPENERS) and i + 1 < len(tokens):
            return i + 1, i + 1, tuple(_one(CAUSATIVES, rng))
    elif i - start > 3 and {i, i + 1} <= set(bounds(tokens)):  # not 命令, 使用
        return start, start, tuple(_one(OPENERS[:4], rng))
    return None


def negation(tokens: Tokens, i: int, rng: Random, bounds: Bounds) -> Change | None:
    """`防止再次发生` becomes `防止不再次发生`."""
    if "".join(tokens[i : i + 2]) not in PREVENTING:
        return None
    places = [b for b in bounds(tokens) if i + 2 <= b < min(i + 12, len(tokens))]
    places = [b for b in places if not any(t in STOPS for t in tokens[i:b])]
    if not places:
        return None
    place = places[int(rng.random() * len(places))]
    return place, place, tuple(_one(NEGATIONS, rng))


def result(tokens: Tokens, i: int, rng: Random, bounds: Bounds) -> Change | None:
    """`原因是…。` becomes `原因是…造成的。`; `…是成功的关键` becomes `能否…是成功的关键`."""
    start = clause_start(tokens, i)
    text = "".join(tokens[start:i])
    if any(cause in text for cause in CAUSES) and rng.random() < 0.7:
        return i, i, tuple(_one(RESULTS, rng))
    if any(word in text for word in TWO_SIDED) and "否" not in text:
        return start, start, tuple(_one(WHETHER, rng))
    return None


def connective(tokens: Tokens, i: int, rng: Random, bounds: Bounds) -> Change | None:
    """`他不仅来` becomes `不仅他来`, and the other way round."""
    text = "".join(tokens[i : i + 2])
    word = next((tuple(c) for c in CONNECTIVES if text.startswith(c)), None)
    if word is None:
        return None
    start, end = clause_start(tokens, i), i + len(word)
    if 0 < i - start <= LONGEST_SUBJECT:
        return start, end, word + tokens[start:i]
    if i == start:
        places = [b for b in bounds(tokens) if end < b <= end + 4 and not any(t in STOPS for t in tokens[end:b])]
        if places:
            place = places[int(rng.random() * min(2, len(places)))]
            return start, place, tokens[end:place] + word
    return None


def whether(tokens: Tokens, i: int, rng: Random, bounds: Bounds) -> Change | None:
    """`能否…是成功的关键` becomes `能…`; `取决于是否…` loses `是否`: one side has no partner any more."""
    word = "".join(tokens[max(0, i - 1) : i + 1])
    if word not in WHETHER or not any(mark in "".join(tokens) for mark in TWO_SIDED):
        return None
    if word == "能否" and rng.random() < 0.7:
        return i, i + 1, ()
    return i - 1, i + 1, ()


def source(tokens: Tokens, i: int, rng: Random, bounds: Bounds) -> Change | None:
    """`调查显示，` becomes `根据调查显示，`; `据统计，` becomes `据统计显示，`."""
    start, end = clause_start(tokens, i), clause_end(tokens, i)
    text = "".join(tokens[start:end])
    if not any(name in text for name in SOURCES):
        return None
    is_introduced = text.startswith(ACCORDING)
    if "".join(tokens[i : i + 2]) in SAYS:
        return None if is_introduced or i - start > LONGEST_SOURCE else (start, start, tuple(_one(ACCORDING, rng)))
    if i > start or not is_introduced or any(word in text for word in SAYS):
        return None
    return (end, end, tuple(_one(SAYS, rng))) if end - start <= LONGEST_SOURCE and end < len(tokens) else None


def purpose(tokens: Tokens, i: int, rng: Random, bounds: Bounds) -> Change | None:
    """`以…为主题` becomes `围绕…为主题`; `旨在…。` becomes `旨在…为目的。`."""
    end = clause_end(tokens, i)
    text = "".join(tokens[i:end])
    if text.startswith("旨在"):
        return (end, end, tuple("为目的")) if tokens[end : end + 1] in (("，",), ("。",)) else None
    if text.startswith("以") and any(topic in text for topic in TOPICS):
        return i, i + 1, tuple(_one(("围绕", "围绕", "以围绕"), rng))
    return None


def _one(choices: Sequence[str], rng: Random) -> str:
    return choices[int(rng.random() * len(choices))]


# Noise → characters it is tried at → what makes it.
REWRITES: tuple[tuple[str, frozenset[str], Rewrite], ...] = (
    ("redundant", NUMERALS, approximate),
    ("blend", frozenset("，,使让令"), causative),
    ("blend", frozenset(word[0] for word in PREVENTING), negation),
    ("blend", frozenset("。"), result),
    ("blend", frozenset("否"), whether),
    ("blend", frozenset("据"), source),
    ("blend", frozenset("以旨"), purpose),
    ("connective", frozenset(word[0] for word in CONNECTIVES), connective),
    *OMISSIONS,
)
# The same at two characters, with weights.
PAIRED_REWRITES: tuple[tuple[str, float, frozenset[str], Rewrite], ...] = (
    ("blend", 1.0, frozenset((*SAYS, "根据")), source),
    *PAIRED_OMISSIONS,
)
