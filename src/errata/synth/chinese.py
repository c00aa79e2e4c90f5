"""Chinese noises over characters; words are found by maximum matching when a noise needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from errata.model import Tokens
from errata.synth.clauses import Rewrite as NativeRewrite
from errata.synth.confusables import CONFUSABLES
from errata.synth.learned import LearnedNoise
from errata.synth.native import PAIRED_REWRITES, REWRITES, SAID_TWICE
from errata.synth.noisy import trim
from errata.synth.sampler import CALL, INSERT, PHRASE, REPLACE, TABLE, Action, Change, Weighted
from errata.synth.statistics import Statistics
from errata.synth.tables import ChineseTables

DE = ("的", "地", "得")
# What stands for a mark by mistake; an empty text leaves it out.
PUNCTUATION_SLIPS = {
    "，": ("", "、", "。", "；"),
    "。": ("", "，", "！"),
    "、": ("，", "，", ""),
    "；": ("，", "。"),
    "：": ("，", ""),
    "？": ("。", ""),
    "！": ("。",),
    "“": ("",),
    "”": ("",),
}
# Function words that are inserted where they do not belong, when no corpus says which.
PARTICLES = (
    "了",
    "的",
    "是",
    "在",
    "有",
    "很",
    "也",
    "都",
    "就",
    "到",
    "上",
    "会",
    "着",
    "过",
    "对",
    "把",
    "被",
    "所",
    "和",
)
PARTICLE: Action = (
    TABLE,
    ([float(n) for n in range(1, len(PARTICLES) + 1)], [(INSERT, (particle,), "insert") for particle in PARTICLES]),
    "insert",
)
# How many words a phrase moves over.
MAX_MOVE = 4
# What stands for a character that has to be guessed: never written by people, so masks teach language, not errors.
MASK = "▢"
MAX_MASKED = 4
# How often an error that would tear a word apart is let through.
INSIDE_WORDS = 0.15


class Chinese:
    """What can go wrong with Chinese characters and words."""

    names: Sequence[str] = (
        "learned", "lexical", "sound", "word-sound", "glyph", "de", "drop", "drop-word", "double", "insert", "swap",
        "reorder", "synonym", "punctuation", "sibling", "redundant", "blend", "connective", "head",
        "subject", "frame", "confusable", "mask",
    )  # fmt: skip
    # Shares of the noises where no corpus gave any.
    shares: Mapping[str, float] = {
        "learned": 0.0, "lexical": 0.0, "sound": 0.2, "word-sound": 0.08, "glyph": 0.05, "de": 0.05, "drop": 0.1,
        "drop-word": 0.14, "double": 0.03, "insert": 0.12, "swap": 0.02, "reorder": 0.08, "synonym": 0.08,
        "punctuation": 0.05, "sibling": 0.0, "redundant": 0.0, "blend": 0.0, "connective": 0.0, "head": 0.0,
        "subject": 0.0, "frame": 0.0, "confusable": 0.0, "mask": 0.0,
    }  # fmt: skip

    def __init__(self, statistics: Statistics, tables: ChineseTables) -> None:
        self._tables = tables
        self._learned = LearnedNoise(statistics, self.word_class)
        self._segmented: tuple[Tokens, list[int]] = ((), [0])

    def actions(self, token: str) -> Iterator[Weighted]:
        """What can go wrong with this character, with the word it is in, or before it."""
        slips = PUNCTUATION_SLIPS.get(token, ())
        for slip in slips:
            yield "punctuation", 1.0 / len(slips), (REPLACE, (slip,) if slip else (), "punctuation")
        yield from self._learned.actions(token)
        yield from self._native(token)
        if not is_han(token):
            return
        yield "mask", 1.0, (CALL, self._mask, "mask")
        yield from self._characters(token)
        yield "punctuation", 0.02, (CALL, self._insert_comma, "punctuation")
        yield "insert", 1.0, PARTICLE
        if self._tables.frequency:
            yield "sibling", 1.0, (CALL, self._sibling, "sibling")
            yield "drop-word", 1.0, (CALL, self._drop_word, "drop-word")
            yield "double", 0.5, (CALL, self._double_word, "double")
            yield "reorder", 1.0, (CALL, self._reorder, "reorder")
        if self._tables.word_sounds:
            yield "word-sound", 1.0, (CALL, self._word_sound, "word-sound")
        if self._tables.synonyms:
            yield "synonym", 1.0, (CALL, self._synonym, "synonym")

    def _characters(self, token: str) -> Iterator[Weighted]:
        tables = self._tables
        if token in tables.same_sound:
            yield "sound", 0.7, (CALL, self._other(tables.same_sound), "sound")
        if token in tables.near_sound:
            yield "sound", 0.3, (CALL, self._other(tables.near_sound), "sound")
        if token in tables.glyphs:
            yield "glyph", 1.0, (CALL, self._other(tables.glyphs), "glyph")
        if token in DE:
            for other in DE:
                if other != token:
                    yield "de", 1.0 if other == "的" or token == "的" else 0.3, (REPLACE, (other,), "de")
        yield "drop", 1.0, (REPLACE, (), "drop")
        yield "double", 0.5, (REPLACE, (token, token), "double")
        yield "swap", 1.0, (CALL, self._swap, "swap")

    def _native(self, token: str) -> Iterator[Weighted]:
        for noise, places, rewrite in REWRITES:
            if token in places:
                yield noise, 1.0, (CALL, self._in_words(rewrite), noise)
        for written in SAID_TWICE.get(token, ()):
            yield "redundant", 0.1, (REPLACE, tuple(written), "redundant")

    def _in_words(self, rewrite: NativeRewrite) -> Callable[[Tokens, int, Random], Change | None]:
        def change(tokens: Tokens, i: int, rng: Random) -> Change | None:
            made = rewrite(tokens, i, rng, self._bounds)
            return None if made is None else trim(tokens, *made)

        return change

    def phrases(self) -> dict[tuple[str, str], list[Weighted]]:
        found = self._learned.phrases()
        for noise, table in (("redundant", SAID_TWICE), ("confusable", CONFUSABLES)):
            for right, wrong in table.items():
                for written in wrong if len(right) > 1 else ():
                    action: Action = (PHRASE, (tuple(right), tuple(written)), noise)
                    found.setdefault((right[0], right[1]), []).append((noise, 1.0, action))
        for noise, weight, pairs, rewrite in PAIRED_REWRITES:
            for pair in pairs:
                call: Action = (CALL, self._in_words(rewrite), noise)
                found.setdefault((pair[0], pair[1]), []).append((noise, weight, call))
        return found

    def starts(self) -> tuple[Weighted, ...]:
        return ()

    def start_key(self, token: str) -> str:
        return token

    def fits(self, tokens: Tokens, start: int, end: int, rng: Random) -> bool:
        """Errors happen to whole words mostly: seldom is one torn apart by an insertion or robbed of a character."""
        bounds = self._bounds(tokens)
        return (start in bounds and end in bounds) or rng.random() < INSIDE_WORDS

    def at_start(self, tokens: Tokens, end: int, new: Tokens) -> Change:
        # Reached only when something replaces or precedes the first token, so there is nothing to mend.
        return 0, end, new

    def word_class(self, token: str) -> str:
        """One class for all characters, another for everything else."""
        return "han" if is_han(token) else "other"

    def _other(self, table: Mapping[str, str]) -> Callable[[Tokens, int, Random], Change | None]:
        def replace(tokens: Tokens, i: int, rng: Random) -> Change | None:
            return i, i + 1, (self._tables.draw_like(table[tokens[i]], rng),)

        return replace

    def _word(self, tokens: Tokens, i: int) -> tuple[int, int, list[int]]:
        """The index of the word around character i, of its end, and all word boundaries."""
        bounds = self._bounds(tokens)
        index = 0
        while bounds[index + 1] <= i:
            index += 1
        return index, index + 1, bounds

    def _bounds(self, tokens: Tokens) -> list[int]:
        """The word boundaries; those of the last sentence are kept, for its next error."""
        if self._segmented[0] is not tokens:
            self._segmented = tokens, self._tables.segment(_text(tokens))
        return self._segmented[1]

    def _drop_word(self, tokens: Tokens, i: int, rng: Random) -> Change | None:
        left, right, bounds = self._word(tokens, i)
        start, end = bounds[left], bounds[right]
        # Long words carry the meaning; nobody could tell which one was there.
        return None if end - start > 2 or end - start == len(tokens) else (start, end, ())

    def _double_word(self, tokens: Tokens, i: int, rng: Random) -> Change | None:
        left, right, bounds = self._word(tokens, i)
        start, end = bounds[left], bounds[right]
        return None if end - start < 2 else (start, start, tokens[start:end])

    def _word_sound(self, tokens: Tokens, i: int, rng: Random) -> Change | None:
        return self._replace_word(self._tables.word_sounds, tokens, i, rng)

    def _synonym(self, tokens: Tokens, i: int, rng: Random) -> Change | None:
        return self._replace_word(self._tables.synonyms, tokens, i, rng)

    def _replace_word(self, table: Mapping[str, list[str]], tokens: Tokens, i: int, rng: Random) -> Change | None:
        left, right, bounds = self._word(tokens, i)
        start, end = bounds[left], bounds[right]
        others = table.get("".join(tokens[start:end]))
        if not others:
            return None
        return trim(tokens, start, end, tuple(others[int(rng.random() * len(others))]))

    def _sibling(self, tokens: Tokens, i: int, rng: Random) -> Change | None:
        """Another word with one character of this one: `规定` for `规则`, `提升` for `提高`."""
        left, right, bounds = self._word(tokens, i)
        start, end = bounds[left], bounds[right]
        if end - start != 2:
            return None
        other = self._tables.draw_sibling("".join(tokens[start:end]), rng)
        return None if other is None else trim(tokens, start, end, tuple(other))

    def _mask(self, tokens: Tokens, i: int, rng: Random) -> Change | None:
        """The word hidden, or (words leave no doubt about a character) a run of characters."""
        left, right, bounds = self._word(tokens, i)
        start, end = bounds[left], min(bounds[right], bounds[left] + MAX_MASKED)
        return start, end, (MASK,) * (end - start)

    def _swap(self, tokens: Tokens, i: int, rng: Random) -> Change | None:
        if i + 1 >= len(tokens) or tokens[i] == tokens[i + 1] or not is_han(tokens[i + 1]):
            return None
        return i, i + 2, (tokens[i + 1], tokens[i])

    def _reorder(self, tokens: Tokens, i: int, rng: Random) -> Change | None:
        """Move one or two words over one to four others of the same clause."""
        left, _, bounds = self._word(tokens, i)
        short, long = 1 + (rng.random() < 0.3), 1 + int(rng.random() * MAX_MOVE)
        middle = left + (short if rng.random() < 0.5 else long)
        last = left + short + long
        if last >= len(bounds):
            return None
        start, split, end = bounds[left], bounds[middle], bounds[last]
        if not all(map(is_han, tokens[start:end])):
            return None
        new = tokens[split:end] + tokens[start:split]
        return trim(tokens, start, end, new)

    def _insert_comma(self, tokens: Tokens, i: int, rng: Random) -> Change | None:
        if i < 2 or not is_han(tokens[i - 1]) or i not in self._bounds(tokens):
            return None
        return i, i, ("，",)


def is_han(token: str) -> bool:
    """Whether the token is one Chinese character."""
    return len(token) == 1 and ("\u4e00" <= token <= "\u9fff" or "\u3400" <= token <= "\u4dbf")


def _text(tokens: Tokens) -> str:
    """The tokens as a text with one character for each."""
    text = "".join(tokens)
    return text if len(text) == len(tokens) else "".join(token if len(token) == 1 else "\ufffc" for token in tokens)
