"""Edits that would take a negation out of a sentence or put one in.

A correction may move a negation or write it in another way (`dont` → `don't`, `cannot` → `can not`, 不 → 没). It may
neither take one out nor put one in: a reader forgives a mistake, not a "did" for a "didn't". `keeps_negation` judges an
edit, with the help of `edits.opposites` and `edits.prohibition`. `join_moves` makes one edit of two that move a
negation, so that it can be judged as a whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from errata.edits.opposites import swaps_opposites
from errata.edits.prohibition import keeps_prohibition
from errata.model import TextEdit

# Auxiliaries that take n't, as they are written before it (ca|n't, wo|n't, sha|n't).
AUXILIARIES = frozenset(
    "ai are ca could dare did do does had has have is may might must need ought sha should was were wo would".split()
)
# The same with the apostrophe left out: didnt, cant. "wont" and "cant" are words too, but hardly ever what was meant.
_BARE_CONTRACTIONS = frozenset(f"{auxiliary}nt" for auxiliary in AUXILIARIES)
# "nor" is not among them: it follows a negation and adds none, so "neither he or she" may get its "nor".
_NEGATIONS = _BARE_CONTRACTIONS | frozenset(
    "no not nt never none nobody nothing nowhere neither without cannot noone nought nay".split()
)
# What people write for an apostrophe.
APOSTROPHE = "['’‘´`ʼ＇]"
_WORD = re.compile(
    rf"n{APOSTROPHE}t\b|(?<![^\W_])[^\W_]{{1,40}}?(?=n{APOSTROPHE}t\b)|[^\W_]+(?:{APOSTROPHE}t\b)?", re.IGNORECASE
)
_CONTRACTED = re.compile(rf"n{APOSTROPHE}t|[^\W_]+{APOSTROPHE}t", re.IGNORECASE)
# A misspelt negation has this many letters at least: "nto" may be "not", "to" or "into".
SHORTEST_MISSPELT = 4
# No word is longer than this many characters.
LONGEST_WORD = 40
# The rest of a word on either side of an edit.
_WORD_BEFORE = re.compile(rf"(?:\w|{APOSTROPHE}){{0,{LONGEST_WORD}}}\Z")
_WORD_AFTER = re.compile(rf"(?:\w|{APOSTROPHE}){{0,{LONGEST_WORD}}}")
# Characters that may stand between the two halves of a move: "he not does like" → "he does not like".
MOVE_REACH = 30

_HAN_NEGATIONS = frozenset("不没沒無无非未别別勿莫甭")
# Words in which these characters negate nothing, longest first.
_NEUTRAL = re.compile(
    "|".join(
        sorted(
            (
                "不得不 不能不 不可不 不会不 无不 无非 莫非 除非 差不多 对不起 "
                "了不起 不好意思 不但 不仅 不只 不光 不单 不管 不论 无论 不过 "
                "不断 不久 不少 不时 不禁 不由 不料 不妨 不然 不如 不同 不至于 "
                "不用说 要不是 要不然 要不 好不容易 好不 非常 非洲 未来 未免 "
                "是否 否则 别人 别的 别处 别墅 别名 别致 别扭 特别 分别 区别 "
                "差别 个别 级别 类别 性别 派别 国别 识别 鉴别 辨别 判别 告别 "
                "离别 送别 久别 永别 道别 临别 无数 莫名 非凡 毫无例外 显露无遗 暴露无遗 一览无余 无比 "
            ).split(),
            key=len,
            reverse=True,
        )
    )
)
# Words that negate what follows them in their clause: a negation there is one too many (防止不再发生), and may go.
# Of 20 such deletions by zh-small on NaCGEC dev, editors made 17.
_PREVENTING = re.compile(
    "(?:防止|避免|以免|以防|预防|防范|遏制|杜绝|切忌|切勿|难免|禁止|严禁|制止|阻止|不能不|无不)"
    r"[^，。！？；：]{0,30}\Z"
)
CLAUSE_REACH = 40
# Characters on either side of a Chinese edit that may be part of a word with it.
WORD_REACH = 3

# Few and little are next to none; with an article they are some.
_FEW, _A_FEW = re.compile(r"\b(?:few|little)\b"), re.compile(r"\ba\s{1,4}(?:few|little)\b")
# Characters on either side of an edit in which its article may stand.
REACH = 12

_NOR, _NEITHER = re.compile(r"\bnor\b", re.IGNORECASE), re.compile(r"\bneither\b[^.!?;]{0,100}\Z", re.IGNORECASE)
_NOR_DID = re.compile(
    r"\bnor\s+(?:am|is|are|was|were|do|does|did|have|has|had|can|could|will|would|shall|should|may|might|must)\b",
    re.IGNORECASE,
)
# A subject before "no": the verb that sounds like it is meant ("I no how it works").
_SUBJECT = re.compile(r"(?:\b(?:i|we|you|they|one|anybody|body|do|did|does)|n[’']t)\s{1,4}\Z", re.IGNORECASE)
# One "not" too many after another.
_NOT = re.compile(r"\bnot\s?\Z", re.IGNORECASE)
# Characters before a "nor" in which its "neither" stands.
CORRELATIVE_REACH = 100


def keeps_negation(text: str, edit: TextEdit) -> bool:
    """Whether the text says yes and no to the same things after the edit.

    >>> keeps_negation("She didnt come.", TextEdit(4, 9, "did")), keeps_negation("I dont.", TextEdit(2, 6, "don't"))
    (False, True)
    >>> keeps_negation("他没有来", TextEdit(1, 2, "")), keeps_negation("他不来过", TextEdit(1, 2, "没"))
    (False, True)
    """
    mends = (_mends_negation, _writes_know, _drops_second_not)
    if negation_change(text, edit) and not any(is_mended(text, edit) for is_mended in mends):
        return False
    if _swaps_opposites(text, edit) or not keeps_prohibition(text, edit):
        return False
    return _keeps_few(text, edit) and _keeps_nor(text, edit)


def _keeps_few(text: str, edit: TextEdit) -> bool:
    """Whether "few" stays few and "a few" some: one article turns hardly any into several."""
    first, last = max(0, edit.start - REACH), edit.end + REACH
    before, after = text[first : edit.start], text[edit.end : last]
    old, new = (f"{before}{middle}{after}".lower() for middle in (text[edit.start : edit.end], edit.replacement))
    n_old, n_new = (len(_FEW.findall(one)) for one in (old, new))
    return n_old != n_new or len(_A_FEW.findall(old)) == len(_A_FEW.findall(new))


def _keeps_nor(text: str, edit: TextEdit) -> bool:
    """Whether "nor" stays where it belongs: after "neither", and before an auxiliary ("nor did he write").

    After another negation editors write "or" for it: in W&I and FCE in 8 of 32 places, after "neither" in 1 of 13.
    """
    if not _NOR.search(text, edit.start, edit.end) or _NOR.search(edit.replacement):
        return True
    before = text[max(0, edit.start - CORRELATIVE_REACH) : edit.start]
    return not _NEITHER.search(before) and not _NOR_DID.search(text, edit.start, edit.end + REACH)


def mend_contraction(text: str, edit: TextEdit) -> TextEdit:
    """An edit of `didnt`, whatever it would put there, as one that writes its apostrophe; any other as it is.

    >>> mend_contraction("She didnt come.", TextEdit(4, 9, "did")).replacement
    "didn't"
    """
    old = text[edit.start : edit.end]
    word = old.strip()
    if word.lower() not in _BARE_CONTRACTIONS or word.lower() in ("cant", "wont"):  # which are words as well
        return edit
    start = edit.start + old.index(word)
    sign = "’" if "’" in text and "'" not in text else "'"
    mended = f"{word[:-1]}{sign}{word[-1]}"
    return replace(edit, start=start, end=start + len(word), replacement=mended, type="R:CONTR", alternatives=())


def negation_change(text: str, edit: TextEdit) -> int:
    """How many more negations there are after the edit."""
    before, after = _around(text, edit)
    old, new = text[edit.start : edit.end], edit.replacement
    english = _count_english(before + new + after) - _count_english(before + old + after)
    return english + _han_change(text, edit)


def join_moves(text: str, edits: Sequence[TextEdit]) -> list[tuple[TextEdit, int]]:
    """The edits, those that take a negation out and put it in again nearby as one; with how many each is made of.

    >>> join_moves("He not does go.", [TextEdit(3, 7, ""), TextEdit(11, 11, " not")])
    [(TextEdit(start=3, end=11, replacement='does not', type='UNK', confidence=None), 2)]
    """
    joined: list[tuple[TextEdit, int]] = []
    for edit in edits:
        if joined and edit.start - joined[-1][0].end <= MOVE_REACH:
            change = negation_change(text, edit)
            if change and negation_change(text, joined[-1][0]) == -change:
                joined[-1] = _join(text, joined[-1][0], edit), joined[-1][1] + 1
                continue
        joined.append((edit, 1))
    return joined


def _join(text: str, left: TextEdit, right: TextEdit) -> TextEdit:
    confidences = [edit.confidence for edit in (left, right) if edit.confidence is not None]
    return replace(
        left,
        end=right.end,
        replacement=left.replacement + text[left.end : right.start] + right.replacement,
        type="UNK",
        confidence=min(confidences, default=None),
        alternatives=(),
    )


def _around(text: str, edit: TextEdit) -> tuple[str, str]:
    """What is left of the words that the edit begins and ends in."""
    before = _WORD_BEFORE.search(text[max(0, edit.start - LONGEST_WORD) : edit.start])
    after = _WORD_AFTER.match(text, edit.end)
    return before[0] if before else "", after[0] if after else ""


def _count_english(text: str) -> int:
    return sum(map(_is_negation, _WORD.findall(text.lower())))


def _is_negation(word: str) -> bool:
    return word in _NEGATIONS or _CONTRACTED.fullmatch(word) is not None


def _swaps_opposites(text: str, edit: TextEdit) -> bool:
    """Whether a word gives way to its opposite: possible, impossible."""
    old, new = _words_on_both_sides(text, edit)
    return swaps_opposites(set(old), set(new))


def _mends_negation(text: str, edit: TextEdit) -> bool:
    """Whether the edit puts in a negation for a misspelt one: nothign, nothing; dosent, doesn't."""
    old, new = _words_on_both_sides(text, edit)
    removed, added = Counter(old) - Counter(new), Counter(new) - Counter(old)
    negations = [word for word in added.elements() if _is_negation(word)]
    if len(negations) != 1 or any(map(_is_negation, removed)):
        return False
    at = new.index(negations[0])
    host = new[at - 1] if at and _CONTRACTED.fullmatch(negations[0]) else ""  # of n't
    return any(_is_misspelt(word, host + negations[0]) for word in removed)


def _writes_know(text: str, edit: TextEdit) -> bool:
    """Whether the edit puts "know" for a "no" that stands where the verb belongs."""
    is_know = text[edit.start : edit.end].lower() == "no" and edit.replacement.lower() == "know"
    return is_know and _SUBJECT.search(text, max(0, edit.start - REACH), edit.start) is not None


def _drops_second_not(text: str, edit: TextEdit) -> bool:
    """Whether the edit takes out a "not" that stands after another."""
    is_not = text[edit.start : edit.end].lower().split() == ["not"] and not edit.replacement.strip()
    return is_not and _NOT.search(text, max(0, edit.start - 5), edit.start) is not None


def _is_misspelt(word: str, negation: str) -> bool:
    """Whether a word in no dictionary is near to a negation; short words are near to too many."""
    letters = "".join(filter(str.isalpha, negation))
    if len(letters) < SHORTEST_MISSPELT or len(word) < SHORTEST_MISSPELT:
        return False
    from rapidfuzz.distance import OSA

    from errata.edits.en.lexicon import word_list

    return OSA.distance(word, letters) == 1 and word not in word_list()


def _words_on_both_sides(text: str, edit: TextEdit) -> tuple[list[str], list[str]]:
    """The words before and after an edit, in lower case, with the rest of the words it begins and ends in."""
    before, after = _around(text, edit)
    old = _WORD.findall((before + text[edit.start : edit.end] + after).lower())
    return old, _WORD.findall((before + edit.replacement + after).lower())


def _han_change(text: str, edit: TextEdit) -> int:
    old, new = text[edit.start : edit.end], edit.replacement
    change = _count_characters(new) - _count_characters(old)
    if change == 0:
        return 0
    # 尽管 → 不管 puts in a character that negates nothing there: words decide.
    before, after = text[max(0, edit.start - WORD_REACH) : edit.start], text[edit.end : edit.end + WORD_REACH]
    change = _count_han(before + new + after) - _count_han(before + old + after)
    if change == 1 and text[max(0, edit.start - 2) : edit.start] == "从来":
        return 0  # which does not stand without one
    is_too_many = change == -1 and _PREVENTING.search(text[max(0, edit.start - CLAUSE_REACH) : edit.start])
    return 0 if is_too_many else change


def _count_characters(text: str) -> int:
    return sum(character in _HAN_NEGATIONS for character in text)


def _count_han(text: str) -> int:
    return _count_characters(_NEUTRAL.sub("", text))
