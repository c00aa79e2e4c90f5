"""Lexicons in ChERRANT's layout: a thesaurus (`cilin.txt`) and lists of look- and sound-alikes (`confusion_dict.txt`).

errata ships neither; users bring the folder. Each file may be plain or compressed (`.xz`).
"""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from errata.errors import DataError, FormatError

Code = tuple[str, str, str]
_Line = tuple[str, int, str]  # origin, number, text

THESAURUS = "cilin.txt"
CONFUSIONS = "confusion_dict.txt"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What is known about words beyond their readings; the empty lexicon knows nothing.

    `codes` maps a word to the first three levels of its thesaurus code (`人` → `("A", "a", "01")`), `confusions` a
    character to its line of the file: itself, then what it is mistaken for. `digest` says which files they came from.
    """

    codes: dict[str, Code] = field(default_factory=dict)
    confusions: dict[str, str] = field(default_factory=dict)
    digest: str = "none"

    def confusions_of(self, token: str) -> list[str]:
        """The characters `token` is mistaken for; none for words and for characters that are not listed."""
        return [other for other in self.confusions.get(token, "").split()[1:] if len(other) == 1]


def load_lexicon(folder: Path) -> Lexicon:
    """The lexicon in `folder`; `DataError` when a file is missing, `FormatError` when a line makes no sense."""
    digest = hashlib.sha256()
    codes = _codes(_read(folder, THESAURUS, digest))
    confusions = {line[0]: line for _, _, line in _read(folder, CONFUSIONS, digest)}
    return Lexicon(codes, confusions, digest.hexdigest()[:8])


def _read(folder: Path, name: str, digest: hashlib._Hash) -> Iterator[_Line]:
    """Each line that says anything."""
    path = folder / name
    packed = folder / f"{name}.xz"
    if path.is_file():
        content = path.read_bytes()
    elif packed.is_file():
        path = packed
        try:
            content = lzma.decompress(packed.read_bytes())
        except lzma.LZMAError as error:
            raise FormatError(str(packed), None, f"not an xz file ({error})") from error
    else:
        raise DataError(f"{folder} has no {name} (or {name}.xz): --lexicon takes a folder in ChERRANT's layout")
    digest.update(content)
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise FormatError(str(path), content.count(b"\n", 0, error.start) + 1, "not UTF-8") from error
    for number, line in enumerate(lines, 1):
        if stripped := line.strip():
            yield str(path), number, stripped


def _codes(lines: Iterable[_Line]) -> dict[str, Code]:
    codes: dict[str, Code] = {}
    for origin, number, line in lines:
        code, _, words = line.partition(" ")
        if len(code) < 4:
            raise FormatError(origin, number, f"thesaurus code {code!r} is too short (Aa01A01= was expected)")
        # A word listed several times has the code of its last entry.
        codes.update(dict.fromkeys(words.split(), (code[0], code[1], code[2:4])))
    return codes
