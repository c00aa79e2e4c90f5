"""Pseudo errors: corrupt clean text as people do, and keep the edits that undo it.

from errata.synth import NoiseModel
noisy = NoiseModel.load("errors.json.xz").corrupt(["I", "like", "it", "."], random.Random(1))
noisy.tokens, noisy.edits
"""

from typing import TYPE_CHECKING

from errata.registry import lazy_members

if TYPE_CHECKING:
    from errata.synth.model import NoiseModel, generic_model
    from errata.synth.noisy import Noisy, compose

__all__ = ["NoiseModel", "Noisy", "compose", "generic_model"]

__getattr__ = lazy_members(
    __name__,
    {
        "NoiseModel": "errata.synth.model",
        "Noisy": "errata.synth.noisy",
        "compose": "errata.synth.noisy",
        "generic_model": "errata.synth.model",
    },
)
