"""Which changes of a Chinese sentence correct it, and the pair of sentences that is left of them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from benchmarks.models.zh_histories.changes import Change
from benchmarks.models.zh_histories.ngrams import NGrams, window

from errata.edits.zh.readings import toneless_readings

PARTICLES = frozenset("的地得")
# Small grammatical words: the only ones that may be replaced by one another, put in or taken out in the strict tier.
FUNCTION = frozenset(
    "的 地 得 了 着 过 在 是 把 被 将 会 能 可以 也 都 就 还 而 并 并且 而且 和 与 及 以及 或 或者 但 但是 则 所 以 为"
    " 于 从 对 对于 向 给 让 使 由 由于 用 来 去 上 下 中 里 内 时 后 前 个 种 条 件 次 一个 一种 一些 一 些 这 这个"
    " 这些 其 之 有 到 当 因为 因此 所以 如果 那么 虽然 即使 即 那 以便 为了 通过 根据 关于 按照 除了 至 自 很 更 最"
    " 再 又 才 只 要 需要 应该 可 能够 出 起来 成 作为 进行 等".split()
)
# Words whose change alters the meaning: whether it is right, only the original shows.
MEANING = frozenset(
    "不 没 没有 无 未 非 别 我 我们 他 她 他们 们 人们 大家 您 你 你们 你的 您的 它 它们 两 二 三 几 一些 些 所有"
    " 可能".split()
)
NEGATIONS = frozenset("不没无未非")
# Words that may stand for one another, and words that say how sure or how many: to put one in is no correction.
CONJUNCTIONS = frozenset("及 和 与 以及 或 或者".split())
OPTIONAL = frozenset(
    "其 则 这 这个 这些 会 能 能够 可以 可 需要 要 应该 更 最 很 再 又 才 只 等 还 也 都 一个 一种 一些 个 一 之 那"
    " 那么".split()
)
# Old and new form together.
HOUSE_STYLE = frozenset("其它其他 其他其它 结点节点 节点结点 无需无须 无须无需".split())
# A replacement of content words in more articles is terminology.
TERMINOLOGY = 8
# Characters of an edit: more is information, or a rewritten sentence.
LONGEST_EDIT, LONGEST_MOVE = 4, 12
# Share of changed characters.
REWRITTEN = 0.4
# How much likelier the target's characters have to be (natural logarithm), and what a character costs: a shorter text
# is always likelier.
COST = 2.5
GAINS = {
    "particle": 0.5, "sound": 2.0, "doubled": 1.0, "shape": 5.0, "function": 8.0, "order": 7.0, "short": 12.0,
    "word": 11.0,
}  # fmt: skip
STRICT = frozenset({"particle", "sound", "shape", "doubled", "function"})

_HAN_ONLY = re.compile(r"[\u4e00-\u9fff]*")
_MARKS = re.compile(r"[^\u4e00-\u9fffA-Za-z0-9]+")
_NUMERAL = re.compile(r"[一二两三四五六七八九十百千万零\d]")


@dataclass(frozen=True, slots=True)
class Edit:
    """Words that are replaced: places in the source, and the text before and after."""

    start: int
    end: int
    old: str
    new: str
    old_words: tuple[str, ...]
    new_words: tuple[str, ...]
    before: str  # of the target
    after: str


class Cutter:
    """Cuts text into words."""

    def __init__(self) -> None:
        import jieba

        jieba.setLogLevel("WARNING")
        self._cut = jieba.Tokenizer().lcut

    def edits(self, source: str, target: str) -> list[Edit]:
        """The words that differ; what was moved is one edit from the old place to the new one."""
        left, right = self._cut(source, HMM=False), self._cut(target, HMM=False)
        codes = [
            code for code in SequenceMatcher(None, left, right, autojunk=False).get_opcodes() if code[0] != "equal"
        ]
        spans = _join_moves([code[1:] for code in codes], left, right)
        starts, new_starts = _starts(left), _starts(right)
        return [
            Edit(
                starts[i], starts[j], source[starts[i] : starts[j]], target[new_starts[k] : new_starts[m]],
                tuple(left[i:j]), tuple(right[k:m]), target[: new_starts[k]], target[new_starts[m] :],
            )
            for i, j, k, m in spans
        ]  # fmt: skip


Span = tuple[int, int, int, int]


def _join_moves(spans: list[Span], left: list[str], right: list[str]) -> list[Span]:
    """Spans as they are, but one from a word's old place to its new one."""
    taken = {n: "".join(left[i:j]) for n, (i, j, k, m) in enumerate(spans) if k == m}
    put = {n: "".join(right[k:m]) for n, (i, j, k, m) in enumerate(spans) if i == j}
    joined: list[Span] = []
    skip_to = -1
    for n, span in enumerate(spans):
        if n <= skip_to:
            continue
        text, others = (taken.get(n), put) if n in taken else (put.get(n), taken)
        last = next((other for other, moved in others.items() if other > n and moved == text), None) if text else None
        if last is not None:
            span = span[0], spans[last][1], span[2], spans[last][3]
            skip_to = last
        joined.append(span)
    return joined


def _starts(words: Sequence[str]) -> list[int]:
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word))
    return starts


class Shapes:
    """Characters that look alike."""

    def __init__(self, alike: Mapping[str, str]) -> None:
        self._alike = alike

    def are_alike(self, one: str, other: str) -> bool:
        return other in self._alike.get(one, "") or one in self._alike.get(other, "")


def same_sound(one: str, other: str) -> bool:
    return all(a & b for a, b in zip(toneless_readings(one), toneless_readings(other), strict=True))


def kind_of(edit: Edit, shapes: Shapes) -> str:
    """What an edit is: a kind of correction (GAINS), or `style` for what is none."""
    old, new = edit.old, edit.new
    if _MARKS.sub("", old).lower() == _MARKS.sub("", new).lower():
        return "style"
    if not (_HAN_ONLY.fullmatch(old) and _HAN_ONLY.fullmatch(new)):
        return "style"
    words = {*edit.old_words, *edit.new_words}
    if old + new in HOUSE_STYLE or words <= CONJUNCTIONS:
        return "style"
    if len(old) == len(new):
        changed = [(a, b) for a, b in zip(old, new, strict=True) if a != b]
        if len(changed) <= 2:
            a, b = ("".join(side) for side in zip(*changed, strict=True))
            if set(a + b) <= PARTICLES:
                return "particle"
            if same_sound(a, b) and not words & MEANING:
                return "sound"
            if len(changed) == 1 and shapes.are_alike(a, b) and not words & MEANING and not words <= FUNCTION:
                return "shape"
    if sorted(old) == sorted(new):
        return "order" if len(old) <= LONGEST_MOVE else "style"
    if not new and (edit.before.endswith(old) or edit.after.startswith(old)):
        return "doubled"
    left_out, put_in = Counter(old) - Counter(new), Counter(new) - Counter(old)
    if any(_NUMERAL.search(word) for word in words - {"一个", "一种", "一些", "一下"}):
        return "style"
    if words & MEANING or NEGATIONS & {*left_out, *put_in}:
        return "style"
    if (not old or not new) and words <= OPTIONAL:
        return "style"
    if words <= FUNCTION and len(edit.old_words) <= 2 and len(edit.new_words) <= 2:
        return "function"
    if not old or not new:
        return "short" if len(old + new) <= 2 else "style"
    if set(left_out) <= PARTICLES and set(put_in) <= PARTICLES:
        return "function"
    if max(len(old), len(new)) <= LONGEST_EDIT and set(old) & set(new):
        return "word"
    return "style"


def gains(edits: Sequence[Edit], model: NGrams) -> list[float]:
    """How much likelier the target is than the target without the edit, were both of one length."""
    old = model.log_probabilities([window(edit.before, edit.old, edit.after) for edit in edits])
    new = model.log_probabilities([window(edit.before, edit.new, edit.after) for edit in edits])
    return [float(b - a) + COST * (len(edit.new) - len(edit.old)) for edit, a, b in zip(edits, old, new, strict=True)]


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair of which only corrections are left, or the reason why it is left out."""

    change: Change
    source: str = ""
    kinds: tuple[str, ...] = ()
    reason: str = ""

    @property
    def is_strict(self) -> bool:
        return set(self.kinds) <= STRICT


def without_reverts(changes: Iterable[Change]) -> Iterator[Change]:
    """Each change once, and only in the direction in which it was made more often."""
    listed = list(changes)
    times = Counter((change.source, change.target) for change in listed)
    seen: set[tuple[str, str]] = set()
    for change in listed:
        key = change.source, change.target
        if key not in seen and times[key] > times[key[::-1]]:
            seen.add(key)
            yield change


def judge(changes: Iterable[Change], model: NGrams, shapes: Shapes) -> Iterator[Judged]:
    """Every change once: its corrections alone, or why it is left out.

    Edits that do not correct (style, terminology, a word that is no likelier than the old one) are made in the source
    too, so that only the corrections differ.
    """
    cutter = Cutter()
    listed = [(change, cutter.edits(change.source, change.target)) for change in without_reverts(changes)]
    articles: dict[tuple[str, str], set[str]] = defaultdict(set)
    for change, edits in listed:
        for edit in edits:
            articles[edit.old, edit.new].add(change.path.rpartition("/")[2])
    all_edits = [edit for _, edits in listed for edit in edits]
    gained = iter(gains(all_edits, model))
    for change, edits in listed:
        found = [(edit, kind_of(edit, shapes), next(gained)) for edit in edits]
        changed = sum(max(len(edit.old), len(edit.new)) for edit in edits)
        if changed > REWRITTEN * len(change.target):
            yield Judged(change, reason="rewritten")
        else:
            source, kinds, reason = change.source, [], "style alone"
            for edit, kind, gain in reversed(found):
                if kind == "word" and len(articles[edit.old, edit.new]) > TERMINOLOGY:
                    kind, reason = "style", "terminology"
                elif kind != "style" and gain < GAINS[kind]:
                    kind, reason = "style", f"no likelier: {kind}"
                if kind == "style":
                    source = source[: edit.start] + edit.new + source[edit.end :]
                else:
                    kinds.append(kind)
            if kinds:
                yield Judged(change, source, tuple(reversed(kinds)))
            else:
                yield Judged(change, reason=reason)
