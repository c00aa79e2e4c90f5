"""Words that native writers leave out: the head of an object, a subject, a verb after `和`, half of a frame.

Of the insertions that exam sentences need, two fifths put back the noun an object ends in (`改正粗心【的习惯】`,
`完成接待【工作】`), a fifth begin a clause (most are its subject), a tenth are the verb of a second object, and others
a preposition or the end of its frame (`在…【中】`). Each function looks at one character of a clean sentence and leaves
such a word out. It gives nothing where the sentence would still be right, or where no reader could tell what is
missing.
"""

from __future__ import annotations

from random import Random

from errata.model import Tokens
from errata.synth.clauses import CLAUSE_STOPS, STOPS, Bounds, Rewrite, clause_end, clause_start
from errata.synth.sampler import Change

# Nouns that objects end in, so general that the sentence says which one is missing. From counts of what stands
# between `的` and a stop in newspapers, textbooks and newsletters.
HEADS = frozenset({
    "问题", "作用", "工作", "关系", "影响", "变化", "情况", "原则", "能力", "目标", "贡献", "精神", "建设", "基础",
    "机会", "利益", "过程", "内容", "经验", "故事", "规定", "力量", "任务", "意义", "成就", "优势", "责任", "意见",
    "方式", "方法", "原因", "方针", "活动", "特点", "需求", "行为", "态度", "效果", "现象", "成果", "办法", "道路",
    "政策", "水平", "建议", "成绩", "步伐", "作品", "措施", "信心", "目的", "做法", "服务", "机遇", "力度", "思想",
    "形象", "局面", "方向", "权利", "想法", "项目", "条件", "考验", "地位", "环境", "消息", "信息", "形式", "立场",
    "压力", "动力", "理念", "共识", "文章", "主题", "梦想", "愿望", "困难", "标准", "价值", "事业", "功能", "转变",
    "空间", "决心", "难题", "职责", "趋势", "状况", "宗旨", "行动", "热情", "机制", "因素", "进展", "差距", "风险",
    "阶段", "矛盾", "理论", "观点", "习惯", "思路", "进程", "制度", "模式", "状态", "观念", "使命", "体系", "工程",
    "计划", "策略", "手段", "途径", "渠道", "意识", "素质", "技能", "潜力", "氛围", "格局", "态势", "势头", "前景",
    "后果", "损失", "危机", "障碍", "漏洞", "弊端", "隐患", "待遇", "资格", "荣誉", "称号", "业务", "课题", "领域",
    "范围", "程度", "效率", "质量", "规模", "结构", "系统", "平台", "设施", "案件", "事件", "事故", "事迹", "场面",
})  # fmt: skip
# How often a noun that is not so general goes missing with its `的`: some can be guessed.
OTHER_HEADS = 0.2
LONGEST_HEAD = 4
# What is left before a missing head must be long enough to need one.
SHORTEST_OBJECT = 3

# Objects of these end in a noun; other clauses may do without (`他们努力工作`).
TAKES_OBJECT = (
    "是", "有", "成为", "面临", "存在", "遇到", "出现", "发生", "造成", "进行", "做好", "搞好", "参加", "介绍", "讲述",
    "反映", "发布", "发现", "感受", "达到", "受到", "起到", "产生", "针对", "处理", "负责", "从事", "看到", "引起",
    "导致", "展示", "体现", "坚持", "符合", "超出", "进入", "走上", "养成", "遵守", "破坏", "改变", "完成", "执行",
)  # fmt: skip

# Subjects that a reader misses at once, and those that take a noun with them: 这一做法, 该公司.
PRONOUNS = ("他们", "她们", "它们", "我们", "你们", "人们", "大家", "他", "她", "它", "我", "这", "其")
DEMONSTRATIVES = ("这一", "这个", "这些", "这种", "这项", "这次", "该", "此")
LONGEST_SUBJECT = 4
# Without its subject a clause after these has none at all. Elsewhere the last clause's subject may go on, so that
# only some are left out there.
OPENERS = ("通过", "经过", "随着", "由于", "对于", "在", "当", "从", "根据", "作为", "为了", "面对")
OTHER_SUBJECTS = 0.15
# The subject goes on, or it was none: 他的书, 这两年.
NO_PREDICATE = frozenset("的之和与、一二两三四五六七八九十几")

# Verbs of a second object after 和, 、, 以及: the first verb does not go with it.
VERBS = frozenset({
    "提高", "提升", "加强", "增强", "改善", "满足", "提供", "扩大", "促进", "推动", "推进", "完善", "开展", "实施",
    "应对", "吸取", "保证", "保障", "建立", "建设", "解决", "实现", "维护", "保护", "改进", "增加", "减少", "降低",
    "加快", "创造", "发挥", "丰富", "优化", "规范", "深化", "培养", "落实", "采取", "制定", "履行", "承担", "享受",
    "弘扬", "缓解", "克服", "防止", "避免", "消除", "获得", "取得", "形成", "拓展", "强化", "严格", "营造", "打击",
})  # fmt: skip
COORDINATIONS = frozenset("和及、并与")

# A preposition and the words that may close its frame.
FRAMES: dict[str, tuple[str, ...]] = {
    "在": ("中", "上", "下", "里", "内", "方面", "期间", "过程中", "基础上"),
    "对": ("来说", "而言", "来讲"),
    "对于": ("来说", "而言", "来讲"),
    "就": ("来说", "而言", "问题", "来看"),
    "从": ("来看", "出发", "中"),
    "以": ("为",),
    "当": ("时", "的时候"),
    "由": ("组成", "构成", "负责"),
}
# Prepositions that can go missing alone: what follows them is no subject.
ALONE = ("随着", "通过", "经过", "根据", "对", "把", "被", "使", "由", "与", "向", "从")
# Without these at the start of a clause the frame is still right: `会议上，…`, `他来时，…`.
MAY_BE_MISSING = ("在", "当", "从")
# How often a frame loses its end, and not its preposition: the preposition is what people forget.
END_LOST = 0.35
LONGEST_FRAME = 24


def head(tokens: Tokens, i: int, rng: Random, bounds: Bounds) -> Change | None:
    """`…的能力，` loses `的能力`."""
    end = i + 1
    while end < len(tokens) and tokens[end] not in STOPS:
        end += 1
    if end == len(tokens) or not 2 <= end - i - 1 <= LONGEST_HEAD or i - clause_start(tokens, i) < SHORTEST_OBJECT:
        return None
    if "".join(tokens[end - 2 : end]) in HEADS:
        return i, end, ()
    places = bounds(tokens)
    is_word = i + 1 in places and end in places and not any(i + 1 < place < end for place in places)
    return (i, end, ()) if is_word and rng.random() < OTHER_HEADS else None


def bare_head(tokens: Tokens, i: int, rng: Random, bounds: Bounds) -> Change | None:
    """`解决停车难问题，` loses `问题`; `噪声、污水等问题。` loses it with `等` or without."""
    end = i + 2
    if "".join(tokens[i:end]) not in HEADS or end >= len(tokens) or tokens[end] not in CLAUSE_STOPS:
        return None
    start = i
    if tokens[i - 1] == "等" and rng.random() < 0.5:
        start -= 1
    begins = clause_start(tokens, i)
    if tokens[i - 1] == "的" or start - begins < SHORTEST_OBJECT or not {i, end} <= set(bounds(tokens)):
        return None
    before = "".join(tokens[begins:start])
    return (start, end, ()) if any(word in before for word in (*VERBS, *TAKES_OBJECT)) else None


def subject(tokens: Tokens, i: int, rng: Random, bounds: Bounds) -> Change | None:
    """`随着年龄增长，他明白了` becomes `随着年龄增长，明白了`; with `这一` its noun goes missing too."""
    start = i + 1
    end = _subject_end(tokens, start, bounds(tokens))
    if not 0 < end - start <= LONGEST_SUBJECT:
        return None
    if clause_end(tokens, end) - end < SHORTEST_OBJECT or tokens[end] in NO_PREDICATE:
        return None
    begins = clause_start(tokens, i)
    must = tokens[start] == "这" or "".join(tokens[begins : begins + 2]).startswith(OPENERS)
    return (start, end, ()) if must or rng.random() < OTHER_SUBJECTS else None


def _subject_end(tokens: Tokens, start: int, places: list[int]) -> int:
    """Where the subject that begins at `start` ends; `start` if there is none to leave out."""
    text = "".join(tokens[start : start + 2])
    demonstrative = next((word for word in DEMONSTRATIVES if text.startswith(word)), "")
    if demonstrative and start + len(demonstrative) in places:  # the noun goes with it
        return next((place for place in places if place > start + len(demonstrative)), start)
    pronoun = next((word for word in PRONOUNS if text.startswith(word)), "")
    end = start + len(pronoun)
    return end if end in places else start


def verb(tokens: Tokens, i: int, rng: Random, bounds: Bounds) -> Change | None:
    """`改善环境和提供服务` becomes `改善环境和服务`."""
    start, end = i + 1, i + 3
    if "".join(tokens[start:end]) not in VERBS or clause_end(tokens, end) - end < 2 or tokens[end] == "的":
        return None
    before = "".join(tokens[clause_start(tokens, i) : i])
    has_object = any(word in before[:-2] for word in VERBS) and before[-2:] not in VERBS
    return (start, end, ()) if has_object else None


def frame(tokens: Tokens, i: int, rng: Random, bounds: Bounds) -> Change | None:
    """`他在实践中学会` becomes `他实践中学会` or `他在实践学会`; `随着` and the like go missing alone."""
    places = bounds(tokens)
    opener = next((w for w in ("".join(tokens[i : i + 2]), tokens[i]) if w in FRAMES or w in ALONE), None)
    if opener is None or i not in places or i + len(opener) not in places:
        return None
    begin = i + len(opener)
    limit = min(clause_end(tokens, begin), begin + LONGEST_FRAME)
    if limit - begin < 2:
        return None
    ends = [
        (place, place + len(closer))
        for closer in FRAMES.get(opener, ())
        for place in range(begin + 1, limit - len(closer) + 1)
        if "".join(tokens[place : place + len(closer)]) == closer and place in places
    ]
    if ends and opener != "以" and rng.random() < END_LOST:
        start, end = ends[int(rng.random() * len(ends))]
        return start, end, ()
    is_optional = opener in MAY_BE_MISSING and i == clause_start(tokens, i)
    return None if is_optional or not (ends or opener in ALONE) else (i, begin, ())


# Noise → characters it is tried at → what makes it.
OMISSIONS: tuple[tuple[str, frozenset[str], Rewrite], ...] = (
    ("head", frozenset("的"), head),
    ("frame", frozenset(word[0] for word in (*FRAMES, *ALONE)), frame),
)
# Places for a verb are so much rarer than prepositions that it weighs this much more.
VERB_WEIGHT = 20.0
# The same for what depends on two characters, with weights. Such noises are rare: at every comma they would nearly
# always fail, and sentences with many commas would get fewer errors of any kind.
PAIRED_OMISSIONS: tuple[tuple[str, float, frozenset[str], Rewrite], ...] = (
    ("head", 1.0, HEADS, bare_head),
    ("subject", 1.0, frozenset(stop + word[0] for stop in "，；" for word in (*PRONOUNS, *DEMONSTRATIVES)), subject),
    ("frame", VERB_WEIGHT, frozenset(mark + word[0] for mark in COORDINATIONS for word in VERBS), verb),
)
