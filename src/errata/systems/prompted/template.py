"""Prompt templates: TOML files with the texts that go to the model.

system = "…"                    optional
user = "… {sentence} …"         the question; the sentence replaces `{sentence}`
answer = "{sentence}"           the form of an answer, in examples and in training
[[examples]]                    any number of worked examples: few-shot
source = "…"
target = "…"
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path

from errata.errors import DataError, UnknownName
from errata.places import inside

SLOT = "{sentence}"
Message = dict[str, str]

_FOLDER = Path(__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class Template:
    """The texts that go to a model with a sentence."""

    user: str
    system: str = ""
    answer: str = SLOT
    examples: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for name, text in (("user", self.user), ("answer", self.answer)):
            if text.count(SLOT) != 1:
                raise ValueError(f"{name} must contain {SLOT} once")

    def messages(self, sentence: str) -> list[Message]:
        """The prompt as a chat: system, worked examples as turns, the question."""
        said = [{"role": "system", "content": self.system}] if self.system else []
        for source, target in self.examples:
            said.append({"role": "user", "content": self.user.replace(SLOT, source)})
            said.append({"role": "assistant", "content": self.answer.replace(SLOT, target)})
        return [*said, {"role": "user", "content": self.user.replace(SLOT, sentence)}]

    def prompt(self, sentence: str) -> str:
        """The prompt as one text, which the model continues."""
        parts = [self.system] if self.system else []
        parts += [
            f"{self.user.replace(SLOT, source)}\n{self.answer.replace(SLOT, target)}"
            for source, target in self.examples
        ]
        return "\n\n".join([*parts, self.user.replace(SLOT, sentence)]) + "\n"

    def as_toml(self) -> str:
        """The template as a file; JSON strings are TOML strings too."""
        texts = (("system", self.system), ("user", self.user), ("answer", self.answer))
        lines = [f"{name} = {json.dumps(text, ensure_ascii=False)}" for name, text in texts]
        for source, target in self.examples:
            pair = (("source", source), ("target", target))
            lines += ["", "[[examples]]", *(f"{name} = {json.dumps(text, ensure_ascii=False)}" for name, text in pair)]
        return "\n".join(lines) + "\n"

    def as_dict(self) -> dict[str, object]:
        """The template as values for JSON; a part of the keys of journals."""
        return asdict(self)


def template_names() -> list[str]:
    """The names of the templates that come with errata."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def load_template(name: str, folder: Path | None = None) -> Template:
    """The template of errata called `name`, or the file `name` in `folder`; never a file of the current folder."""
    if name in template_names():
        return parse_template((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"), name)
    path = folder / name if folder else None
    if path is not None and path.is_file():
        try:
            return parse_template(path.read_text(encoding="utf-8"), str(path))
        except UnicodeDecodeError as error:
            raise DataError(f"template {path} is not UTF-8: {error}") from error
    if name.endswith(".toml"):
        raise DataError(f"template {path or name} is not there: no such file")
    raise UnknownName("template", name, template_names())


def own_template(name: str, folder: Path) -> Template:
    """The template that a manifest in `folder` names: one of errata, or a file in that folder.

    A template goes to the model, so a manifest must not name other files of the user.
    """
    if name not in template_names():
        inside(folder, name, "template")
    return load_template(name, folder)


def parse_template(text: str, origin: str) -> Template:
    """The template in a TOML text; line ends at the beginning and end of its texts are removed."""
    try:
        given = tomllib.loads(text)
        examples = tuple((str(one.pop("source")), str(one.pop("target"))) for one in given.pop("examples", []))
        return Template(**{key: str(value).strip("\n") for key, value in given.items()}, examples=examples)
    except KeyError as error:
        raise DataError(f"template {origin}: an example lacks {error}") from error
    except (tomllib.TOMLDecodeError, TypeError, ValueError, AttributeError) as error:
        said = str(error).replace("Template.__init__() ", "")
        raise DataError(f"template {origin}: {said}") from error
