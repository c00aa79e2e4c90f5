"""Damaged model folders, one after the other: run as a program, so that a crash ends this process alone.

    python hostile_folders.py FOLDER SCRATCH SEED COUNT

Every damaged copy of FOLDER is loaded and asked to correct a few sentences. That may work, or end in one line of
`ErrataError`. Anything else ends the program: another exception, a signal, or ten seconds without an answer. What was
done to a copy is printed before it is loaded; the last line of the output tells what ended the program.
"""

from __future__ import annotations

import faulthandler
import json
import random
import shutil
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from errata.errors import ErrataError
from errata.systems.tagger import Tagger

SENTENCES = [("He", "walk", "a", "lot", "."), ("WALKED",), ("a",) * 14, ("\u200b", "walks" * 30)]
TIMEOUT = 10
JSON_FILES = ("weights.json", "errata.json", "encoder.json", "tags.json", "tokenizer.json")
NESTED: list[Any] = []
for _ in range(50):
    NESTED = [NESTED]
VALUES = (
    *(-1, 0, 1, 2, 3, 7, 15, 16, 64, 65, 2**31 - 1, 2**31, 2**32, 2**62, 2**63, 2**64, 10**30, -(2**63)),
    *(0.5, -0.0, 1e-300, 1e300, float("nan"), float("inf"), True, False, None, "", "x", "../x", "weights0.bin", "\0"),
    *([], [0], [1, 1], {}, {"x": 1}, NESTED),
)
NUMBERS = (0x7FC00000, 0x7F800000, 0xFF800000, 0x7F7FFFFF, 0xFFFFFFFF, 0, 0x80000000, 0x7C007C00, 0x7BFF7BFF)


def places(content: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every container of a JSON document with every key in it."""
    items = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in items:
        found.append((content, key))
        places(value, found)
    return found


def change_json(folder: Path, rng: random.Random) -> str:
    path = folder / rng.choice(JSON_FILES)
    content = json.loads(path.read_text(encoding="utf-8"))
    said = [path.name]
    for _ in range(rng.randint(1, 2)):
        container, key = rng.choice(places(content, []))
        way = rng.choice(["value", "value", "value", "remove", "number"])
        if way == "remove":
            said.append(f"no {key!r}")
            del container[key]
            if not places(content, []):
                break
        elif way == "number" and isinstance(container[key], int):
            container[key] += rng.choice([-64, -16, -4, -1, 1, 4, 16, 64])
            said.append(f"{key!r} is now {container[key]!r}")
        else:
            container[key] = rng.choice(VALUES)
            said.append(f"{key!r} is now {str(container[key])[:20]!r}")
    path.write_text(json.dumps(content), encoding="utf-8")
    return ", ".join(said)


def change_shape(folder: Path, rng: random.Random) -> str:
    path = folder / "weights.json"
    index = json.loads(path.read_text(encoding="utf-8"))
    name = rng.choice(list(index))
    part = rng.choice([one for one in (index[name], *index[name].values()) if isinstance(one, dict) and "file" in one])
    if rng.random() < 0.3:
        part["offset"] = rng.choice([part["offset"] + rng.randint(-64, 64), -part["offset"], 10**9, 2**63, 1])
    else:
        shape = part["shape"]
        ways: list[Callable[[], object]] = [shape.reverse, lambda: shape.append(1), lambda: shape.insert(0, 2)]
        if shape:
            at = rng.randrange(len(shape))
            ways += [shape.pop, lambda: shape.__setitem__(at, max(0, shape[at] + rng.randint(-3, 3)))] * 2
            ways += [lambda: shape.__setitem__(at, shape[at] * 2**40)]
        rng.choice(ways)()
        if rng.random() < 0.5 and part is not index[name]:
            index[name]["shape"] = shape
            for other in ("high", "low"):
                if other in index[name] and rng.random() < 0.5:
                    index[name][other]["shape"] = [*shape[:1], max(1, shape[-1] // 4)] if other == "low" else shape
    path.write_text(json.dumps(index), encoding="utf-8")
    return f"{name}: {json.dumps(index[name])}"


def change_bytes(folder: Path, rng: random.Random) -> str:
    path = folder / rng.choice(JSON_FILES)
    content = bytearray(path.read_bytes())
    where = [rng.randrange(len(content)) for _ in range(rng.randint(1, 4))]
    for at in where:
        content[at] = rng.choice([rng.randrange(256), *b'0123456789-"[]{},:eE.'])
    path.write_bytes(content)
    return f"{path.name}: other bytes at {where}"


def change_weights(folder: Path, rng: random.Random) -> str:
    path = folder / "weights0.bin"
    content = bytearray(path.read_bytes())
    where = [rng.randrange(len(content) // 4) * 4 for _ in range(rng.choice([1, 10, 1000]))]
    for at in where:
        content[at : at + 4] = struct.pack("<I", rng.choice(NUMBERS))
    path.write_bytes(content)
    return f"{path.name}: {len(where)} numbers from {where[0]} on"


def cut_file(folder: Path, rng: random.Random) -> str:
    path = rng.choice(sorted(folder.iterdir()))
    content, way = path.read_bytes(), rng.choice(["cut", "cut", "cut", "lengthened", "gone", "a folder"])
    if way in ("gone", "a folder"):
        path.unlink()
        if way == "a folder":
            path.mkdir()
        return f"{path.name} is {way}"
    length = rng.randrange(len(content)) if way == "cut" else len(content)
    path.write_bytes(content[:length] + bytes(100 if way == "lengthened" else 0))
    return f"{path.name} is {way} to {length} of {len(content)} bytes"


DAMAGES = (change_json, change_json, change_shape, change_bytes, change_weights, cut_file)


def try_folder(folder: Path) -> str:
    """What came of loading and using a folder."""
    faulthandler.dump_traceback_later(TIMEOUT, exit=True)
    try:
        Tagger.load(folder, backend="native", threads=1).propose(SENTENCES)
    except ErrataError as error:
        message = str(error)
        assert "\n" not in message and len(message) < 1000, message
        return f"refused: {message}"
    finally:
        faulthandler.cancel_dump_traceback_later()
    return "worked"


def main() -> None:
    original, scratch, seed, count = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    print("untouched:", try_folder(original), flush=True)
    for number in range(seed, seed + count):
        rng = random.Random(number)
        folder = scratch / str(number)
        shutil.copytree(original, folder)
        said = rng.choice(DAMAGES)(folder, rng)
        print(f"{number}: {said}", flush=True)
        print(f"{number}: {try_folder(folder)}", flush=True)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
