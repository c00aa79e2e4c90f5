"""Lexicons in ChERRANT's layout: a thesaurus (`cilin.txt`) and lists of look- and sound-alikes (`confusion_dict.txt`).

errata ships neither; users bring the folder. Each file may be plain or compressed (`.xz`).
"""

from __future__ import annotations

import hashlib
import lzma
from dataclasses import dataclass, field
from pathlib import Path

from errata.errors import DataError, FormatError

THESAURUS = "cilin.txt"
CONFUSIONS = "confusion_dict.txt"
_BLANK = "    "  # as long as the part of a code that counts


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What is known about words beyond their readings; the empty lexicon knows nothing.

    `codes` maps a word to the first three levels of its thesaurus code (`人` → `Aa01`), `confusions` a character to its
    line of the file: itself, then what it is mistaken for. `digest` says which files they came from.
    """

    codes: dict[str, str] = field(default_factory=dict)
    confusions: dict[str, str] = field(default_factory=dict)
    digest: str = "none"

    def code_parts(self, token: str) -> tuple[str, ...]:
        """The three levels of the thesaurus code (`Aa01` → `A`, `a`, `01`); nothing for a token it does not have."""
        code = self.codes.get(token)
        return (code[0], code[1], code[2:]) if code else ()

    def confusions_of(self, token: str) -> str:
        """The characters `token` is mistaken for; none for words and for characters that are not listed."""
        return "".join(other for other in self.confusions.get(token, "").split()[1:] if len(other) == 1)


def load_lexicon(folder: Path) -> Lexicon:
    """The lexicon in `folder`; `DataError` when a file is missing, `FormatError` when a line makes no sense."""
    digest = hashlib.sha256()
    codes: dict[str, str] = {}
    origin, lines = _read_lines(folder, THESAURUS, digest)
    for number, line in enumerate(lines, 1):
        code, *words = line.split() or [_BLANK]
        if len(code) < len(_BLANK):
            raise FormatError(origin, number, f"thesaurus code {code!r} is too short (Aa01A01= was expected)")
        level = code[: len(_BLANK)]
        for word in words:
            codes[word] = level  # a word listed several times has the code of its last entry
    _, lines = _read_lines(folder, CONFUSIONS, digest)
    confusions = {line[0]: line for line in map(str.strip, lines) if line}
    return Lexicon(codes, confusions, digest.hexdigest()[:8])


def _read_lines(folder: Path, name: str, digest: hashlib._Hash) -> tuple[str, list[str]]:
    """The file that was read, plain or compressed, and its lines."""
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
        return str(path), content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise FormatError(str(path), content.count(b"\n", 0, error.start) + 1, "not UTF-8") from error
