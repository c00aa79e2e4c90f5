"""What the bundled models once said about single sentences, and must not say again."""

from __future__ import annotations

from functools import cache

import pytest

from errata.pipeline.corrector import Pipeline
from errata.pipeline.load import load_corrector
from errata.pipeline.presets import ORDER


@cache
def corrector(preset: str) -> Pipeline:
    return load_corrector(preset=preset)


@pytest.mark.parametrize("preset", ORDER)
@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("He never have seen it.", {"He never have seen it.", "He never saw it.", "He had never seen it."}),
        ("She never have seen that film.", {"She never have seen that film.", "She never saw that film."}),
    ],
)
def test_no_half_is_made_without_the_other(preset: str, text: str, targets: set[str]) -> None:
    assert corrector(preset).correct([text])[0].target in targets


@pytest.mark.parametrize("preset", ORDER)
@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("我们不应该不尊重老人。", {"我们不应该不尊重老人。"}),
        ("这个药不能没有吃。", {"这个药不能没有吃。"}),
        ("禁止不许吸烟。", {"禁止不许吸烟。", "禁止吸烟。", "我禁止吸烟。"}),
        ("不的入内。", {"不的入内。", "不得入内。"}),
        ("I'm'nt going.", {"I'm'nt going.", "I'm not going."}),
    ],
)
def test_what_is_denied_or_forbidden_stays_so(preset: str, text: str, targets: set[str]) -> None:
    assert corrector(preset).correct([text])[0].target in targets
