"""The settings in the folder of a prompted model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from errata.errors import DataError
from errata.systems.manifest import FORMAT, MANIFEST, Manifest, read_manifest, write_manifest
from errata.systems.prompted.approval import check_key_variable, origin_of

LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Prices:
    """The price of a million subwords read and written, in any currency; APIs call them tokens."""

    input: float = 0.0
    output: float = 0.0


@dataclass(frozen=True, slots=True)
class PromptedSettings:
    """A model behind an endpoint, or (`endpoint` null) one that runs in this process.

    `endpoint` is the address before `/chat/completions`, as in `https://api.openai.com/v1`. The key is read from the
    environment variable `key_variable` (null: the one that belongs to the endpoint) and is not stored; the user decides
    where keys go (`approval`). `template` is a name or a file in the folder. `journal` is a file in the folder with all
    answers; null for none. `adapter` is a LoRA adapter in the folder, for local models.
    """

    model: str
    endpoint: str | None = None
    api: Literal["chat", "completions"] = "chat"
    template: str | None = None
    key_variable: str | None = None
    concurrency: int = 8
    attempts: int = 6
    timeout: float = 60.0
    max_answer_tokens: int = 512
    prices: Prices = field(default_factory=Prices)
    journal: str | None = "journal.jsonl"
    adapter: str | None = None
    max_tokens: int = 200
    batch: int = 16

    def __post_init__(self) -> None:
        if self.api not in ("chat", "completions"):
            raise ValueError("api is chat or completions")
        if self.endpoint is not None:
            origin_of(self.endpoint)
        if self.key_variable is not None:
            check_key_variable(self.key_variable)
        if min(self.concurrency, self.attempts, self.max_answer_tokens, self.max_tokens, self.batch) < 1:
            raise ValueError("concurrency, attempts, max_answer_tokens, max_tokens and batch are at least 1")
        if self.timeout <= 0:
            raise ValueError("timeout is above 0 seconds")

    def template_for(self, language: str) -> str:
        """The name or file of the template; by default that of the language."""
        return self.template or language


def read_settings(folder: Path, manifest: Manifest | None = None) -> tuple[str, PromptedSettings]:
    """The language and settings of a folder."""
    manifest, origin = read_manifest(folder) if manifest is None else manifest, folder / MANIFEST
    try:
        language, given = str(manifest["language"]), dict(manifest["settings"])
        known = [one.name for one in fields(PromptedSettings)]
        if unknown := sorted(given.keys() - set(known)):
            raise DataError(f"{origin}: unknown setting {unknown[0]!r} (known: {', '.join(known)})")
        prices = Prices(**given.pop("prices", {}))
        settings = PromptedSettings(**given, prices=prices)
    except KeyError as error:
        raise DataError(f"{origin} does not describe a prompted model: it lacks {error}") from error
    except (TypeError, ValueError) as error:
        raise DataError(f"{origin}: {error}") from error
    if language not in LANGUAGES:
        raise DataError(f"{origin}: language {language!r} is neither {' nor '.join(LANGUAGES)}")
    return language, settings


def write_settings(folder: Path, language: str, settings: PromptedSettings, training: Mapping[str, Any]) -> None:
    """Write the folder's manifest."""
    manifest = {
        "system": "prompted",
        "language": language,
        "format": FORMAT,
        "settings": asdict(settings),
        "training": dict(training),
    }
    write_manifest(folder, manifest)
