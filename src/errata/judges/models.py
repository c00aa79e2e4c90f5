"""Which model a judge is, and what its signature says of it."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from errata.errors import UsageError
from errata.systems.installed import IN_REPOSITORY, NoModel, find_model
from errata.systems.manifest import read_manifest, read_name

DIGEST_LENGTH = 8
JSON = ("tokenizer", "score", "ratings", "encoder", "vectors")
# What decides a judge's answers: weights and the words they belong to.
DECISIVE = ("*.bin", "*.safetensors", *(f"{name}.json" for name in JSON))


def find_judge(kind: str, name: str | None, language: str) -> Path:
    """The folder of a judge: the one that is named, or errata's own of this kind and language."""
    own = f"{language}-{kind}"
    try:
        folder = find_model(own if name is None else name)
    except NoModel as error:
        if name is not None:
            raise
        package = f"pip install ./models/{own} in a checkout of errata, or " if own in IN_REPOSITORY else ""
        raise NoModel(f"no {kind} for {language} is installed: {package}name one with --set model=./FOLDER") from error
    manifest = read_manifest(folder)
    if read_name(folder, manifest, "system") != kind:
        raise UsageError(f"{folder} is no {kind} but {manifest['system']}")
    return folder


@cache
def digest_model(folder: Path) -> str:
    """A few digits that tell one model's weights from another's."""
    digest = sha256()
    for path in sorted({one for pattern in DECISIVE for one in folder.rglob(pattern)}):
        digest.update(path.relative_to(folder).as_posix().encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:DIGEST_LENGTH]
