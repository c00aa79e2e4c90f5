"""The English model as plain arrays and tables, read from its package without importing spaCy (two seconds saved).

Covers exactly the architecture of `en_core_web_sm` 3.8; anything else raises `Unsupported` and spaCy does the work.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from errata.edits.en._parse_c import hash_string

Floats = NDArray[np.float32]

COLUMNS = ["NORM", "PREFIX", "SUFFIX", "SHAPE", "SPACY", "IS_SPACE"]
_SYMBOL = re.compile(r"^ +(\w+)(?: *= *(\d+))?", re.MULTILINE)
DEPTH = 4  # convolutions, each of which sees one more word on both sides


class Unsupported(Exception):
    """The installed model or spaCy is not the one this code knows."""


@dataclass(frozen=True, slots=True)
class Maxout:
    """A maxout layer (weights (pieces × width, inputs), piece after piece) with its layer normalisation."""

    weights: Floats
    bias: Floats
    gain: Floats
    offset: Floats


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """Everything the pipeline needs, by component."""

    tables: list[Floats]  # one hash embedding for each of COLUMNS
    seeds: list[int]
    mixer: Maxout
    convolutions: list[Maxout]
    tags: list[str]
    tagger: tuple[Floats, Floats]
    moves: list[tuple[int, str]]  # (kind of move, label) by class
    parser_input: tuple[Floats, Floats]
    parser_lower: tuple[Floats, Floats, Floats]
    parser_upper: tuple[Floats, Floats]
    ruler: list[dict[str, Any]]
    lemma_tables: dict[str, dict[int, Any]]
    norms: dict[int, str]


def package_folder(name: str) -> Path:
    """The folder of an installed package, which is not imported."""
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise Unsupported(f"{name} is not installed")
    return Path(spec.submodule_search_locations[0])


def read_model(model: str) -> ModelFiles:
    """The model's files; raises `Unsupported` if anything is not as expected."""
    folder = package_folder(model)
    try:
        data = next(path for path in folder.iterdir() if path.name.startswith(f"{model}-") and path.is_dir())
        return _read(data)
    except (StopIteration, OSError, KeyError, IndexError, ValueError, TypeError) as error:
        raise Unsupported(f"cannot read {folder}: {error!r}") from error


def _read(data: Path) -> ModelFiles:
    import srsly

    def load(name: str) -> Any:
        return srsly.msgpack_loads((data / name).read_bytes())

    tok2vec = _layers(load("tok2vec/model"))
    columns = [srsly.msgpack_loads(attrs["columns"]) for _, attrs, _ in tok2vec if "columns" in attrs]
    embeds = [(params["E"], srsly.msgpack_loads(attrs["seed"])) for _, attrs, params in tok2vec if "E" in params]
    layers = [params for _, _, params in tok2vec if params and "E" not in params]
    maxouts = [_maxout(layers[i], layers[i + 1]) for i in range(0, len(layers), 2)]
    _expect(columns == [COLUMNS] and len(embeds) == len(COLUMNS) and len(maxouts) == DEPTH + 1, "tok2vec")
    [tagger] = [params for name, _, params in _layers(load("tagger/model")) if name == "softmax"]
    moves = _moves(load("parser/moves")["moves"])
    parser = {params["W"].shape: params for _, _, params in _layers(load("parser/model")) if params}
    lower, upper, reduce = parser[8, 64, 2, 64], parser[len(moves), 64], parser[64, 96]
    is_greedy = json.loads((data / "parser/cfg").read_text(encoding="utf-8"))["beam_width"] == 1
    _expect(is_greedy, "parser")
    return ModelFiles(
        tables=[table for table, _ in embeds],
        seeds=[seed for _, seed in embeds],
        mixer=maxouts[0],
        convolutions=maxouts[1:],
        tags=json.loads((data / "tagger/cfg").read_text(encoding="utf-8"))["labels"],
        tagger=(tagger["W"], tagger["b"]),
        moves=moves,
        parser_input=(reduce["W"], reduce["b"]),
        parser_lower=(lower["W"].reshape(-1, 64), lower["b"].reshape(-1), lower["pad"].reshape(-1)),
        parser_upper=(upper["W"], upper["b"]),
        ruler=load("attribute_ruler/patterns"),
        lemma_tables=load("lemmatizer/lookups/lookups.bin"),
        norms=load("vocab/lookups.bin")["lexeme_norm"],
    )


def _expect(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"another architecture: {what}")


def _layers(model: dict[str, Any]) -> list[tuple[str, dict[str, bytes], dict[str, Floats]]]:
    """(name, attributes, parameters) of each node that a thinc model was saved with."""
    nodes = zip(model["nodes"], model["attrs"], model["params"], strict=True)
    return [(node["name"], attrs, {k: v for k, v in params.items() if v is not None}) for node, attrs, params in nodes]


def _maxout(layer: dict[str, Floats], norm: dict[str, Floats]) -> Maxout:
    # (width, pieces, in) → (pieces × width, in)
    weights = layer["W"].transpose(1, 0, 2).reshape(-1, layer["W"].shape[2])
    bias = np.ascontiguousarray(layer["b"].T).reshape(-1)
    return Maxout(np.ascontiguousarray(weights), bias, norm["G"], norm["b"])


def _moves(text: str) -> list[tuple[int, str]]:
    """The parser's classes in order: by kind of move, then from the most frequent label down."""
    kinds = sorted((int(kind), labels) for kind, labels in json.loads(text).items())
    return [
        (kind, label)
        for kind, labels in kinds
        for _, label in sorted(((n, x) for x, n in labels.items()), reverse=True)
    ]


class StringNumbers:
    """The numbers spaCy knows strings by: a hash, but for reserved strings (the word "mark" is one) a small number."""

    def __init__(self) -> None:
        self._symbols = _read_symbols()

    def __getitem__(self, string: str) -> int:
        return self._symbols.get(string) or hash_string(string)


def _read_symbols() -> dict[str, int]:
    numbers: dict[str, int] = {}
    text = (package_folder("spacy") / "symbols.pxd").read_text(encoding="utf-8")
    following = 0
    for name, number in _SYMBOL.findall(text):
        numbers[name] = following = int(number or following)
        following += 1
    if numbers.pop("NIL", None) != 0 or "NOUN" not in numbers:
        raise Unsupported("spaCy's symbols are not where they were")
    return numbers


def read_norms() -> dict[str, str]:
    """spaCy's general norms (quotation marks, currencies)."""
    norms: dict[str, str] = run_path(str(package_folder("spacy") / "lang" / "norm_exceptions.py"))["BASE_NORMS"]
    return norms
