"""Wheels of packages that hold files only: a zip archive with metadata, the same bytes for the same files.

What a wheel is: https://packaging.python.org/en/latest/specifications/binary-distribution-format/
"""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

# The first day a zip archive knows; the time of writing would make every wheel another one.
DATE = (1980, 1, 1, 0, 0, 0)
MODE = 0o100644
BYTES_AT_ONCE = 2**20


def write_wheel(path: Path, info: str, files: Mapping[str, Path | str]) -> None:
    """Write a wheel of files (by their names in it, with what is in them); `info` is its folder of metadata.

    Nothing is compressed: weights hardly become smaller (6 % of `en-small`), and what a compressor makes of a file
    depends on its version.
    """
    record = f"{info}/RECORD"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        lines = []
        for name, content in sorted(files.items()):
            if isinstance(content, str):
                lines.append(_add(archive, name, io.BytesIO(content.encode()), len(content.encode())))
            else:
                with content.open("rb") as stream:
                    lines.append(_add(archive, name, stream, content.stat().st_size))
        text = "".join(f"{line}\n" for line in [*lines, f"{record},,"]).encode()
        _add(archive, record, io.BytesIO(text), len(text))


def _add(archive: zipfile.ZipFile, name: str, stream: BinaryIO, size: int) -> str:
    """Add a file to the archive; its line in the record. Names have no comma, quotation mark or line end in them."""
    entry = zipfile.ZipInfo(name, DATE)
    entry.create_system = 3  # as on Unix, wherever it is written
    entry.external_attr = MODE << 16
    entry.file_size = size
    digest, n_bytes = hashlib.sha256(), 0
    with archive.open(entry, "w") as target:
        while chunk := stream.read(BYTES_AT_ONCE):
            target.write(chunk)
            digest.update(chunk)
            n_bytes += len(chunk)
    encoded = base64.urlsafe_b64encode(digest.digest()).rstrip(b"=").decode()
    return f"{name},sha256={encoded},{n_bytes}"
