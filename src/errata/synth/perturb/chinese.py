"""Which Chinese words have nothing to do with the errors, and may be perturbed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from errata.edits.carrying import DELETE, INSERT, SUBSTITUTE
from errata.edits.zh.extractor import ChineseExtractor
from errata.edits.zh.words import PUNCTUATION, Words, segment
from errata.model import Edit, Tokens
from errata.synth.perturb.texts import Site, Text, Word, is_repeated
from errata.text.tokens import split_characters

# Without a parser, what stands this near to a corrected word (in words) may belong to it.
NEIGHBOURS = 1
_KINDS = {"NOUN": "noun", "VERB": "verb", "ADJ": "adjective", "ADV": "adverb", "CONJ": "conjunction", "NUM": "number"}
_DELETABLE = frozenset("非常 十分 特别 常常 经常 时常 其实 当然 一直 始终 真的 确实 完全 逐渐 渐渐 突然 忽然".split())
_DEGREES = frozenset("很 非常 十分 特别 太 更 最 比较 真 挺 相当 有点 这么 那么 多么 越 极 不".split())

# Where one of these pronouns is, words that say whether somebody is a man or a woman stay.
_GENDERED_PRONOUNS = frozenset("他 她".split())
_GENDERED = frozenset("爸爸 妈妈 哥哥 姐姐 弟弟 妹妹 父亲 母亲 爷爷 奶奶 男人 女人 儿子 女儿 丈夫 妻子".split())
_PRONOUNS = frozenset("我 你 他 她 我们 你们 他们 她们 大家".split())


class Chinese:
    """Chinese sentences over characters, cut into words by jieba; there is no parser."""

    language = "zh"

    def __init__(self) -> None:
        self._extractor = ChineseExtractor(strategy="first")

    def split(self, text: str) -> Tokens:
        return split_characters(text)

    def split_raw(self, text: str) -> Tokens:
        return split_characters(text)

    def analyse(self, sentences: Sequence[Tokens]) -> list[Text]:
        return [Text(tokens, tuple(_words(tokens)), Words(tokens, ())) for tokens in sentences]

    def edits(self, source: Text, target: Text) -> tuple[Edit, ...]:
        if source.tokens == target.tokens:
            return ()
        return self._extractor.edits(source.analysis, target.analysis)[0]

    def find_related(self, target: Text, edited: Sequence[int], types: Collection[str]) -> set[int]:
        related = {near for number in edited for near in range(number - NEIGHBOURS, number + NEIGHBOURS + 1)}
        if any(word.text in _GENDERED_PRONOUNS for word in target.words):
            related |= {number for number, word in enumerate(target.words) if word.text in _GENDERED}
        return related

    def find_sites(self, text: Text, related: set[int]) -> list[Site]:
        sites: list[Site] = []
        for number, word in enumerate(text.words):
            if number in related or word.pos not in _KINDS:
                continue
            kind = _KINDS[word.pos]
            if not is_repeated(text, number):
                sites.append(Site(SUBSTITUTE, word.start, word.end, number, number + 1, word.tag, kind))
            before = text.words[number - 1].text if number else ""
            if kind == "adjective" and before in ("是", "觉得", "感到") and number - 1 not in related:
                sites.append(Site(INSERT, word.start, word.start, number, number, "ADV", "before_adjective", number))
            if kind == "verb" and number and _is_subject(text, number - 1) and number - 1 not in related:
                sites.append(Site(INSERT, word.start, word.start, number, number, "ADV", "before_verb", number))
            if word.text in _DELETABLE and number and before not in _DEGREES and _is_followed(text, number):
                sites.append(Site(DELETE, word.start, word.end, number, number + 1, word.tag))
        return sites

    def is_fit(self, text: Text, site: Site, words: Tokens) -> bool:
        new = "".join(words)
        neighbours = {text.words[at].text for at in (site.first - 1, site.last) if 0 <= at < len(text.words)}
        if "被" in neighbours:
            return False  # not every verb has a passive
        if new in _DEGREES and (neighbours & _DEGREES or not _is_gradable(text, site.last)):
            return False
        return all(word.text != new for word in text.words)

    def is_faultless(self, text: Text, variant: Text) -> bool:
        return True


def _is_gradable(text: Text, number: int) -> bool:
    """Whether an adverb of degree may stand before a word."""
    return number < len(text.words) and text.words[number].pos in ("ADJ", "VERB") and text.words[number].text != "是"


def _is_followed(text: Text, number: int) -> bool:
    """Whether an adverb stands before what it belongs to: 特别 is no adverb in 特别是."""
    following = text.words[number + 1 : number + 2]
    return bool(following) and following[0].pos != PUNCTUATION and following[0].text not in ("是", "的", "地")


def _is_subject(text: Text, number: int) -> bool:
    """Whether a word is a pronoun that begins a clause."""
    return text.words[number].text in _PRONOUNS and (not number or text.words[number - 1].pos == PUNCTUATION)


def _words(tokens: Tokens) -> Iterator[Word]:
    """The words over characters; tokens of several characters (placeholders) are words of their own."""
    words = segment("".join(tokens))
    starts, place = {}, 0
    for number, token in enumerate(tokens):
        starts[place] = number
        place += len(token)
    starts[place] = len(tokens)
    place = 0
    for number, (text, pos) in enumerate(zip(*words, strict=True)):
        start, end = starts.get(place), starts.get(place + len(text))
        assert start is not None and end is not None, "a word of jieba ends inside a placeholder"
        yield Word(start, end, text, pos, pos, text, "", number)
        place += len(text)
