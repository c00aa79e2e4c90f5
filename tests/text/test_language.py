from __future__ import annotations

import pytest

from errata.text.language import UNDETERMINED, identify_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("She have a cats.", "en"),
        ("De la Cruz is a friend of Van der Berg.", "en"),
        ("La La Land", "en"),
        ("Ben visit Dan yesterday.", "en"),
        ("Please emails sales@acme.com, support@acme.com.", "en"),
        ("Los Angeles beat Las Vegas yesterday.", "en"),
        ("Smith et al. per capita", "en"),
        ("CE N'EST PAS UNE PIPE POUR LES ENFANTS", UNDETERMINED),
        ("I love it, c'est la vie.", "en"),
        ("我用 Python 写代码。", "zh"),
        ("這是一個問題。", "zh"),
        ("本日、会議室で打ち合わせを行います。", UNDETERMINED),
        ("Привет, как дела?", UNDETERMINED),
        ("안녕하세요", UNDETERMINED),
        ("C'est une bonne idée pour les enfants.", UNDETERMINED),
        ("Das ist ein gutes Beispiel und nicht mehr.", UNDETERMINED),
        ("El niño no está en la casa con los otros.", UNDETERMINED),
        ("Mae hi'n braf yn yr ardd ac mae'r haul wedi codi.", UNDETERMINED),
        ("123 ...", "xx"),
        ("", "xx"),
    ],
)
def test_languages(text: str, language: str) -> None:
    assert identify_language(text, "xx") == language
