"""Prose that nobody wrote: English frames around words that do not exist, so no two paragraphs are alike by chance."""

from __future__ import annotations

from random import Random

_FRAMES = (
    "The {} of {} is {} and the {} was {} by {} when they {} it.",
    "There was a {} for {} in the {} that he had {} before she {} them.",
    "It is {} to {} with the {} of {} because we were {} on the {} at {}.",
    "They have {} what the {} said about {} and so you can {} from {} to the {}.",
)
_STARTS, _VOWELS, _ENDS = "b d f g k l m n p r s t v z".split(), "aeiou", "ck ld m n nd r rk sh st t x".split()
FRENCH = "Nous avons vu que les enfants sont dans la maison avec une amie."


class Prose:
    """Words, sentences and paragraphs, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def word(self) -> str:
        choose = self._rng.choice
        return "".join(choose(_STARTS) + choose(_VOWELS) + choose(_ENDS) for _ in range(3))

    def sentence(self) -> str:
        frame = self._rng.choice(_FRAMES)
        return frame.format(*(self.word() for _ in range(frame.count("{}"))))

    def paragraph(self, n_sentences: int = 5) -> str:
        return " ".join(self.sentence() for _ in range(n_sentences))
