"""Which Chinese sentences and corrections are clean, each once and in Simplified characters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from benchmarks.models.zh_readers import Pair

# Characters of a sentence. Shorter ones are answers and exclamations, longer ones often lack an end. Those that get
# errors have to fit into a tagger's window.
SHORTEST, LONGEST, LONGEST_DRAWN = 8, 180, 150
# Least share of Chinese characters. With less, figures, foreign words or marks are too large a part of a sentence.
LEAST_HAN = 0.7
# Characters of a correction's source and target, and its share of Chinese: titles and English glosses are left out.
SHORTEST_SOURCE, SHORTEST_TARGET, LONGEST_SIDE, LEAST_HAN_SOURCE = 4, 3, 250, 0.5

_HAN = re.compile(r"[\u4e00-\u9fff]")
_END = re.compile(r"[。！？…][”’」』）]*$")
_BEGINNING = re.compile(r"[\u4e00-\u9fff“《（‘\d]")
_PAIRS = ("“”", "（）", "《》", "‘’")
# What web sites and printed books put around a text.
_APPARATUS = re.compile(
    r"http|www|\.com|\.cn|txt|QQ|微信|公众号|下载|手打|转载|版权|出版社|ISBN|本章|作者[:：]|未完待续|求推荐|更新|点击|图\d"
    r"|第[一二三四五六七八九十百零\d]+[章回节卷]"
)
# Marks of markup and of damaged text.
_ODD = re.compile(r"[#*_<>|{}\[\]=\\~`@$^【】■□\ufffd]|·{2}|—{5}|\?\?|。。|，，")
_NOT_LETTER = re.compile(r"\W")
_BLANK = re.compile(r"\s+")
# A teacher's choice between two corrections is no sentence.
_CHOICE = re.compile(r"/|或者说|（.*或")


def trim(sentence: str) -> str:
    """The sentence without what a neighbour left: closing marks at its beginning, one half of a pair of quotes.

    >>> trim("”他笑了。"), trim("“我们走吧。"), trim("我们走吧。”"), trim("“走吧。”他说。")
    ('他笑了。', '我们走吧。', '我们走吧。', '“走吧。”他说。')
    """
    text = sentence.strip().lstrip("”’），、；：。！？…—- ")
    if text.startswith("“") and text.count("“") == 1 and "”" not in text:
        text = text[1:]
    if text.endswith("”") and text.count("”") == 1 and "“" not in text:
        text = text[:-1]
    return text


def fault(text: str) -> str:
    """Why this is no clean sentence; empty if it is one."""
    if not SHORTEST <= len(text) <= LONGEST:
        return "short or long"
    if not _END.search(text):
        return "no end"
    if not _BEGINNING.match(text):
        return "odd beginning"
    if any(text.count(pair[0]) != text.count(pair[1]) for pair in _PAIRS):
        return "quotes or brackets without a partner"
    if len(_HAN.findall(text)) < LEAST_HAN * len(text):
        return "little Chinese"
    if _ODD.search(text):
        return "odd characters"
    if _APPARATUS.search(text):
        return "notice of a web site or a book"
    return ""


def pair_fault(source: str, target: str) -> str:
    """Why this is no correction of a sentence; empty if it is one."""
    if not (SHORTEST_SOURCE <= len(source) <= LONGEST_SIDE and SHORTEST_TARGET <= len(target) <= LONGEST_SIDE):
        return "short or long"
    if len(_HAN.findall(source)) < LEAST_HAN_SOURCE * len(source):
        return "little Chinese"
    if _CHOICE.search(target) and "/" not in source:
        return "a choice of corrections"
    if source == target:
        return "unchanged"
    return ""


def letters(text: str) -> str:
    """What tells sentences apart: copies differ in punctuation."""
    return _NOT_LETTER.sub("", text)


class Cleaner:
    """Judges sentences and corrections, puts them into Simplified characters, and gives each of them once."""

    def __init__(self, known_prose: Iterable[str] = (), known_sources: Iterable[str] = ()) -> None:
        import opencc

        self._convert: Callable[[str], str] = opencc.OpenCC("t2s").convert
        self._sentences = {hash(letters(text)) for text in known_prose}
        self._sources = {letters(text) for text in known_sources}
        self._pairs: set[Pair] = set()

    def judge(self, sentence: str) -> tuple[str, str]:
        """The clean sentence and the reason to leave it out, which is empty for a sentence to keep."""
        text = trim(sentence)
        if reason := fault(text):
            return text, reason
        text = self._convert(text)
        digest = hash(letters(text))
        if digest in self._sentences:
            return text, "seen before"
        self._sentences.add(digest)
        return text, ""

    def judge_pair(self, pair: Pair) -> tuple[Pair, str]:
        """The clean pair and the reason to leave it out, which is empty for a pair to keep."""
        source, target = (self._convert(_BLANK.sub("", side)) for side in pair)
        if reason := pair_fault(source, target):
            return (source, target), reason
        if (source, target) in self._pairs:
            return (source, target), "seen before"
        self._pairs.add((source, target))
        return (source, target), "in another corpus" if letters(source) in self._sources else ""
