"""Get the files of a corpus: from the address it is published at, or from copies in a folder; verified either way.

A download is written beside its place (`NAME.part`) and goes on where it broke off. The file gets its name when its
content has the digest of the catalogue, never before.
"""

from __future__ import annotations

import gzip
import hashlib
import http.client
import lzma
import shutil
import tarfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from errata.datasets.catalogue import NamedSet, SetFile
from errata.datasets.finding import PARTIAL, SHOWN, Listing, how_to_get
from errata.errors import DataError
from errata.files import replacing
from errata.formats.detect import COMPRESSION
from errata.formats.files import content_digest
from errata.places import inside

# Seconds without a byte after which a connection is given up.
PATIENCE = 30.0
# A connection that breaks off is taken up again so often, after so many seconds.
ATTEMPTS, PAUSE = 4, 1.0
CHUNK = 1 << 16
ARCHIVES = (".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".tar")
# Larger files are not taken out of an archive: no corpus of the catalogue is near it.
LARGEST_MEMBER = 1 << 32
# Answers after which it is worth asking again.
_BUSY = frozenset({429, 500, 502, 503, 504, http.client.REQUESTED_RANGE_NOT_SATISFIABLE})
_PAGE = b"<!doctype html", b"<html"

# Told the name of what is fetched, the bytes that are here and those there will be; 0 if the server does not say.
Tell = Callable[[str, int, int], object]


@dataclass(frozen=True, slots=True)
class Fetcher:
    """How addresses are read; `patience` and `pause` are seconds."""

    tell: Tell = lambda name, here, whole: None
    patience: float = PATIENCE
    pause: float = PAUSE
    attempts: int = ATTEMPTS

    def fetch(self, address: str, path: Path) -> None:
        """Bring what is at the address to `path`; what an earlier try left there is not fetched again."""
        failure = ""
        for attempt in range(self.attempts):
            if attempt:
                time.sleep(self.pause)
            before = _size(path)
            try:
                self._go_on(address, path)
                return
            except urllib.error.HTTPError as error:
                with error:
                    if error.code == http.client.REQUESTED_RANGE_NOT_SATISFIABLE and before:
                        if error.headers.get("Content-Range") == f"bytes */{before}":
                            return  # all of it was here already
                        path.unlink()
                    elif error.code not in _BUSY:
                        told = f"{error.code} {error.reason}".strip()
                        raise DataError(f"{address} cannot be fetched: the server answers {told}") from error
                    failure = f"the server answers {error.code} {error.reason}".strip()
            except (OSError, http.client.HTTPException) as error:
                failure = _say(error)
        raise DataError(
            f"{address} cannot be fetched: {failure} ({self.attempts} attempts); "
            f"{_size(path):,} bytes are kept, the same command goes on from there"
        )

    def _go_on(self, address: str, path: Path) -> None:
        here = _size(path)
        headers = {"User-Agent": "errata", "Accept-Encoding": "identity"}
        if here:
            headers["Range"] = f"bytes={here}-"
        request = urllib.request.Request(_check_address(address), headers=headers)
        with closing(urllib.request.urlopen(request, timeout=self.patience)) as answer:
            is_rest = answer.status == http.client.PARTIAL_CONTENT and _starts_at(answer, here)
            here = here if is_rest else 0
            length = answer.headers.get("Content-Length")
            whole = here + int(length) if length and length.isdigit() else 0
            name = Path(urlsplit(address).path).name
            with path.open("ab" if is_rest else "wb") as out:
                while chunk := answer.read1(CHUNK):
                    out.write(chunk)
                    here += len(chunk)
                    self.tell(name, here, whole)
        if whole and here < whole:
            raise http.client.HTTPException(f"the connection broke off after {here:,} of {whole:,} bytes")


def _say(error: Exception) -> str:
    """Why a connection failed, in the words of the system."""
    if isinstance(error, TimeoutError):
        return "nothing came for too long"
    reason = getattr(error, "reason", error)
    words = getattr(reason, "strerror", None) or str(reason)
    return " ".join(words.split()) or "the connection broke off"


def _check_address(address: str) -> str:
    if urlsplit(address).scheme not in ("http", "https"):
        raise DataError(f"{address} is no address on the web")
    return address


def _starts_at(answer: Any, here: int) -> bool:
    return str(answer.headers.get("Content-Range", "")).startswith(f"bytes {here}-")


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def get_corpus_files(named: NamedSet, folder: Path, fetcher: Fetcher | None = None) -> list[Path]:
    """Have all files of a corpus below `folder`, in a folder of its name; those that are there are not fetched."""
    addresses = [named.file_address(file) for file in named.files]
    if named.form or not addresses or not all(addresses):
        raise DataError(_explain(named))
    fetcher = fetcher or Fetcher()
    places = [_place(named, file, folder) for file in named.files]
    for file, address, place in zip(named.files, addresses, places, strict=True):
        if not _is_here(file, place):
            _get(named, file, address, place, fetcher)
    _remove_archives(places)
    return places


def _explain(named: NamedSet) -> str:
    """Why a corpus is not fetched, and what to do instead."""
    then = f"errata data get {named.name} --from FOLDER takes your copy" if named.files else "use the files as they are"
    if named.form:
        return f"{named.name} is not fetched: its owners give it on request. First {how_to_get(named)}; then {then}"
    return f"{named.name} is not fetched: no address of its files is known. First {how_to_get(named)}; then {then}"


def _place(named: NamedSet, file: SetFile, folder: Path) -> Path:
    return inside(folder / named.name, file.name, "file", is_written=True)


def _is_here(file: SetFile, place: Path) -> bool:
    return place.is_file() and (not file.sha256 or content_digest(place) == file.sha256)


def _get(named: NamedSet, file: SetFile, address: str, place: Path, fetcher: Fetcher) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    is_archive = urlsplit(address).path.endswith(ARCHIVES)
    partial = place.with_name((Path(urlsplit(address).path).name if is_archive else place.name) + PARTIAL)
    if not (is_archive and _holds(partial, file.name)):
        fetcher.fetch(address, partial)
    _refuse_page(partial, address, named)
    if is_archive:
        _take_out(named, file, address, partial, place)
        return
    _verify(named, file, partial, address)
    partial.replace(place)


def _refuse_page(path: Path, address: str, named: NamedSet) -> None:
    with path.open("rb") as stream:
        head = stream.read(512).lstrip().lower()
    if head.startswith(_PAGE):
        path.unlink()
        raise DataError(f"{address} answers with a web page, not with the file; get it from {named.address} by hand")


def _verify(named: NamedSet, file: SetFile, path: Path, origin: str) -> None:
    """Refuse, and remove, what has another digest than the catalogue's."""
    if not file.sha256:
        return
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != file.sha256:
        path.unlink()
        raise DataError(
            f"{origin} is not {file.name} of {named.name}: its SHA-256 is {digest[:SHOWN]}…, "
            f"not {file.sha256[:SHOWN]}…; nothing was kept"
        )


def _holds(archive: Path, name: str) -> bool:
    """Whether the archive, fetched for another file of the corpus, is whole and has a file of that name."""
    try:
        with tarfile.open(archive) as members:
            return any(Path(member.name).name == name for member in members)
    except (OSError, tarfile.TarError, EOFError, lzma.LZMAError):
        return False


def _take_out(named: NamedSet, file: SetFile, address: str, archive: Path, place: Path) -> None:
    """Put the member of the archive that is the file in its place."""
    try:
        with tarfile.open(archive) as members:
            fitting = [one for one in members if Path(one.name).name == file.name and one.isfile()]
            for member in fitting:
                stream = members.extractfile(member)
                if stream is None or member.size > LARGEST_MEMBER:
                    continue
                with replacing(place) as beside, stream:
                    with beside.open("wb") as out:
                        shutil.copyfileobj(stream, out)
                    _verify(named, file, beside, f"{address}: {member.name}")
                return
    except (tarfile.TarError, EOFError, lzma.LZMAError, gzip.BadGzipFile) as error:
        archive.unlink()
        raise DataError(f"{address} is not an archive, or is damaged: {error}; nothing was kept") from error
    raise DataError(f"{address} has no {file.name}; get it from {named.address} by hand")


def _remove_archives(places: Sequence[Path]) -> None:
    for folder in {place.parent for place in places}:
        for partial in folder.glob(f"*{PARTIAL}"):
            partial.unlink()


def copy_corpus_files(named: NamedSet, origin: Path, folder: Path) -> list[Path]:
    """Copy all files of a corpus from a folder of local copies, where they are found by content, unpacked."""
    if not origin.is_dir():
        raise DataError(f"{origin} is no folder")
    if not named.files:
        raise DataError(f"nobody has told errata the files of {named.name}: use your copy as it is")
    found = Listing(origin).find_all(named, unpack=True)
    places = [_place(named, file, folder) for file in named.files]
    for path, place in zip(found, places, strict=True):
        with replacing(place) as beside, _open(path) as stream, beside.open("wb") as out:
            shutil.copyfileobj(stream, out)
    return places


def _open(path: Path) -> Any:
    if path.suffix not in COMPRESSION:
        return path.open("rb")
    return gzip.open(path) if path.suffix == ".gz" else lzma.open(path)
