"""How fast a model works, and how much work requests become: what a queue needs to say how long somebody waits."""

from __future__ import annotations

# Speed and growth are those of about the last so many characters: a short sentence says little about a full batch.
REMEMBERED_CHARACTERS = 40_000
# Before anything is measured: worth one batch.
FIRST_SPEED, FIRST_CHARACTERS = 10_000.0, 4_000
SHORTEST_SECONDS = 1e-4
# Texts with errors in every sentence grow 2.5 times. More is chance: sentences that were remembered at first.
MAX_GROWTH = 4.0


class Pace:
    """The speed of one worker in characters a second, and the growth of requests, both measured.

    A sentence that is changed is looked at again. So a request whose sentences are all wrong is two or three times the
    work that it seems at first; `growth` is how many characters are looked at for each one that is sent.
    """

    def __init__(self) -> None:
        self.speed, self.growth = FIRST_SPEED, 1.0
        self._n_worked = self._n_sent = FIRST_CHARACTERS
        self._n_again = 0.0

    def work(self, n_characters: int, seconds: float) -> None:
        """Take note of a batch."""
        self._n_worked = min(REMEMBERED_CHARACTERS, self._n_worked + n_characters)
        share = min(1.0, n_characters / self._n_worked)
        self.speed += share * (n_characters / max(seconds, SHORTEST_SECONDS) - self.speed)

    def send(self, n_characters: int, *, again: bool) -> None:
        """Take note of sentences that were sent, or that are to be looked at again."""
        if again:
            self._n_again += n_characters
        else:
            self._n_sent += n_characters
        self.growth = min(MAX_GROWTH, 1 + self._n_again / self._n_sent)
        if self._n_sent > REMEMBERED_CHARACTERS:
            self._n_sent //= 2
            self._n_again /= 2
