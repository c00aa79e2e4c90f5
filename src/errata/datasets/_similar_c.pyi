from array import array
from collections.abc import Sequence

class Index:
    def __init__(
        self, texts: Sequence[str], table: array[int], *, edit_per: int, words: int, characters: int, window: int
    ) -> None: ...
    def find(self, text: str) -> list[tuple[int, int]]: ...
