"""A trained system in files small enough to travel: `python -m benchmarks.models.parcel pack FOLDER PARCEL`.

Weights are in half precision, which changes next to nothing. PARCEL becomes PARCEL.part0, PARCEL.part1 … of at most
15 MiB. `python -m benchmarks.models.parcel unpack PARCEL FOLDER` makes them a system's folder again.
"""

from __future__ import annotations

import argparse
import io
import sys
import tarfile
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save

from errata.errors import DataError, ErrataError
from errata.files import replacing_folder
from errata.networks.weights import WEIGHTS

LIMIT = 15 * 2**20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("direction", choices=("pack", "unpack"))
    parser.add_argument("source", type=Path, help="the folder to pack, or the parcel without its .part0")
    parser.add_argument("target", type=Path, help="the parcel to write, or the folder")
    args = parser.parse_args()
    try:
        if args.direction == "pack":
            for part in pack(args.source, args.target):
                print(f"{part}: {part.stat().st_size:,} bytes")
        else:
            unpack(args.source, args.target)
            print(args.target)
    except ErrataError as error:
        print(f"benchmarks.models.parcel: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def pack(folder: Path, parcel: Path, limit: int = LIMIT) -> list[Path]:
    """Write the files of a folder with its weights in half precision; the parts, none of them above `limit` bytes."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz", compresslevel=6) as archive:
        for path in sorted(one for one in folder.iterdir() if one.is_file() and one.name != WEIGHTS):
            archive.add(path, path.name)
        weights = _halved(folder / WEIGHTS)
        entry = tarfile.TarInfo(WEIGHTS)
        entry.size, entry.mode = len(weights), 0o644
        archive.addfile(entry, io.BytesIO(weights))
    parcel.parent.mkdir(parents=True, exist_ok=True)
    for stale in _parts(parcel):
        stale.unlink()
    packed = content.getvalue()
    for number, start in enumerate(range(0, len(packed), limit)):
        _part(parcel, number).write_bytes(packed[start : start + limit])
    return _parts(parcel)


def unpack(parcel: Path, folder: Path) -> None:
    """Write the folder that a parcel's parts were made from."""
    if folder.exists():
        raise DataError(f"{folder} exists already")
    parts = _parts(parcel)
    if not parts:
        raise DataError(f"no such file {_part(parcel, 0)}")
    content = io.BytesIO(b"".join(part.read_bytes() for part in parts))
    try:
        with replacing_folder(folder) as beside, tarfile.open(fileobj=content, mode="r:gz") as archive:
            archive.extractall(beside, filter="data")
    except (tarfile.TarError, EOFError, OSError) as error:
        raise DataError(f"{parcel}.part0 to {parts[-1].name} are damaged, or a part is missing: {error}") from error


def _halved(path: Path) -> bytes:
    """A file of weights with floats in half precision."""
    try:
        weights = load_file(path)
    except (OSError, SafetensorError) as error:
        raise DataError(f"cannot read weights {path}: {error}") from error
    halves = {name: one.half() if one.dtype == torch.float32 else one for name, one in weights.items()}
    if wide := [name for name, one in halves.items() if not one.isfinite().all()]:
        raise DataError(f"{path}: {wide[0]} has numbers that are too large for half precision")
    return save(halves)


def _part(parcel: Path, number: int) -> Path:
    return parcel.with_name(f"{parcel.name}.part{number}")


def _parts(parcel: Path) -> list[Path]:
    """The parts that are there, from the first without a gap."""
    parts = []
    while _part(parcel, len(parts)).is_file():
        parts.append(_part(parcel, len(parts)))
    return parts


if __name__ == "__main__":
    sys.exit(main())
