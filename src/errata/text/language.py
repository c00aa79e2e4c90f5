"""Which of our languages a text is in: by script, and among those in Latin letters by their commonest words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise

from errata.text.han import HAN_CHARACTER
from errata.text.sentences import LINE, sentence_spans
from errata.text.windows import windows

# What is neither of our languages, in ISO 639.
UNDETERMINED = "und"
# Sentences from which the language of a corpus is told.
LANGUAGE_SAMPLE = 500
_KANA = re.compile("[\u3041-\u30fa\u31f0-\u31ff\uff66-\uff9d]")
_LATIN_WORD = re.compile(r"[A-Za-z\u00c0-\u024f]+")
# Letters of other scripts: Greek, Cyrillic, Armenian, Hebrew, Arabic, of India, Thai …, Georgian, Hangul.
_OTHER_WORD = re.compile(
    "[\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u0590-\u05ff\u0600-\u077f\u0900-\u0dff\u0e00-\u0fff\u10a0-\u10ff"
    "\u1100-\u11ff\u1780-\u17ff\uac00-\ud7af]+"
)
_ENGLISH = frozenset(
    "the of and to a in is it you that he was for on are with as i his they be at one have this from or had by but "
    "what some we can out other were all there when up use your how said an each she which do their time if will "
    "way about many then them would like so these her long make thing see him two has look more could go come did "
    "my no me our am been not who its people now than first very after just where most know".split()
)
# Common words of other languages that are no English ones: German, French, Spanish, Italian, Portuguese, Dutch, Polish,
# Swedish, Danish, Finnish, Czech, Turkish, Indonesian, Vietnamese, Welsh.
_FOREIGN = frozenset(
    "der das und ist nicht ich sie mit dem ein eine einen zu auf für von sich auch wird werden oder wie sind aber "
    "wir le la les des une est dans pour que qui pas sur avec ce cette vous nous je il elle sont mais ou où du au "
    "aux ne se el los las del una por para es como pero más su sus muy está este esta ser lo di che non è sono "
    "della delle gli nel alla anche questo quello ho hai os da dos não em uma foi ele ela são você isso muito het "
    "een dat niet zijn voor ook maar deze wordt hij wij ik jest nie się na że jak ale czy po tak och att det som är "
    "inte av till på har jag hon vi kan og ikke er en et af til jeg ja ei että mutta ovat oli hän minä že jsem není "
    "jsou bir ve bu için çok sen ile var ini itu dengan untuk tidak dari adalah saya là và của không có được một "
    "tôi này yn yr ac wedi ar".split()
)
# Addresses are in no language. They end where a window may end (`windows`), or its size would count.
_ADDRESS = re.compile(
    r"(?<![^\s，。；：！？、])[^\s，。；：！？、]+?(?:@|://)[^\s，。；：！？、]+|(?<![\w-])-*+\w[\w-]*+(?:\.[\w-]++)++"
)


def find_language(sentences: Iterable[str]) -> str | None:
    """ "en" or "zh" where most of the first sentences are in that language."""
    found = Counter(identify_language(text, "") for text in islice(sentences, LANGUAGE_SAMPLE))
    del found[""]
    language, count = found.most_common(1)[0] if found else (UNDETERMINED, 0)
    return language if language != UNDETERMINED and 2 * count > found.total() else None


def identify_language(text: str, default: str = "en") -> str:
    """ "zh", "en" or "und" (another language); `default` where there is no letter.

    Chinese has at least as many Han characters as Latin words, so a Chinese sentence with English names in it is
    Chinese; kana make it Japanese. Of what is in Latin letters, English is whatever does not look like another
    language.

    >>> [identify_language(text) for text in ("我用 Python。", "会議を行います。", "Je ne sais pas.", "Hi, Pat!")]
    ['zh', 'und', 'und', 'en']
    """
    han, latin = _count(text)
    others = _count_all(_OTHER_WORD, text) + _count_all(_KANA, text)
    if not han and not latin:
        return UNDETERMINED if others else default
    is_chinese = han >= latin
    if others > (han / 3 if is_chinese else latin):
        return UNDETERMINED
    if is_chinese:
        return "zh"
    return UNDETERMINED if _is_foreign(text) else "en"


def language_sentences(text: str, default: str = "en") -> Iterator[tuple[str, int, int]]:
    """The sentences of a text, each in its own language: language, start and end, without the white space around it.

    >>> list(language_sentences("She go home. 他跑的很快。"))
    [('en', 0, 12), ('zh', 13, 19)]
    """
    for line in LINE.finditer(text):
        main = identify_language(line.group(), default)
        for language, start, end in _split_line(line.group(), main):
            yield language, line.start() + start, line.start() + end


def _split_line(line: str, main: str) -> Iterator[tuple[str, int, int]]:
    """The sentences of a line that is mostly in one language.

    It is split as that language is written. Of a sentence that the other language would split further, those parts
    are split off that are clearly in the other language.
    """
    has_han, has_latin = HAN_CHARACTER.search(line) is not None, _LATIN_WORD.search(line) is not None
    is_foreign = main == UNDETERMINED and _is_foreign(line)
    other = "en" if main == "zh" else "zh"
    for start, end in sentence_spans(line, main):
        if not (has_han and has_latin):
            yield _sentence_language(line[start:end], main, is_foreign=is_foreign), start, end
            continue
        pieces = [(start + a, start + b) for a, b in sentence_spans(line[start:end], other)]
        cuts = [cut for a, b in pieces if main != UNDETERMINED and _is_clearly(line[a:b], other) for cut in (a, b)]
        for a, b in pairwise([start, *cuts, end]):
            bare = line[a:b].strip()
            if bare:
                first = line.index(bare, a)
                yield _sentence_language(bare, main, is_foreign=is_foreign), first, first + len(bare)


def _is_clearly(text: str, language: str) -> bool:
    """Whether a text is in a language, and no name or word of it in another one."""
    han, latin = _count(text)
    return han > 2 * latin if language == "zh" else latin >= max(2, 2 * han)


def _sentence_language(sentence: str, main: str, *, is_foreign: bool) -> str:
    """The language of a sentence in a line that is mostly in `main`.

    In a line of another language a sentence is English only if it clearly is, and Chinese only if that language is
    written in Latin letters: a Japanese sentence may do without kana.
    """
    found = identify_language(sentence, main)
    if main != UNDETERMINED or found == UNDETERMINED or (found == "zh" and is_foreign):
        return found
    words = [word.lower() for word in _LATIN_WORD.findall(sentence)]
    n_english = sum(word in _ENGLISH for word in words)
    is_english = found == "en" and n_english >= 2 and n_english > sum(word in _FOREIGN for word in words)
    return "en" if is_english else UNDETERMINED


def _is_foreign(text: str) -> bool:
    """Whether there are more common words of other languages than of English; names (La Paz, Ben) do not count."""
    bare = (_ADDRESS.sub(" ", text[start:end]) for start, end in windows(text))
    words, is_shouted = [word for piece in bare for word in _LATIN_WORD.findall(piece)], text.isupper()
    counted = [word.lower() for n, word in enumerate(words) if n == 0 or word.islower() or is_shouted]
    foreign = sum(word in _FOREIGN for word in counted)
    is_many = foreign >= 2 and len(words) >= 4 and 5 * foreign >= len(words)
    return is_many and foreign > 2 * sum(word.lower() in _ENGLISH for word in words)


def han_share(text: str) -> float | None:
    """The share of Han characters among Han characters and Latin words; None when there is neither."""
    han, latin = _count(text)
    return han / (han + latin) if han or latin else None


def _count(text: str) -> tuple[int, int]:
    """Han characters and Latin words."""
    return _count_all(HAN_CHARACTER, text), _count_all(_LATIN_WORD, text)


def _count_all(pattern: re.Pattern[str], text: str) -> int:
    return sum(len(pattern.findall(text, start, end)) for start, end in windows(text))


def common_word_share(text: str) -> tuple[float, int]:
    """The share of the commonest English words among the words in Latin letters, and how many words those are.

    >>> common_word_share("This is one of them.")
    (1.0, 5)
    """
    words = [word.lower() for start, end in windows(text) for word in _LATIN_WORD.findall(text, start, end)]
    return sum(word in _ENGLISH for word in words) / max(1, len(words)), len(words)
