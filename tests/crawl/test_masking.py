"""Personal data are masked, and what only looks like them is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.crawl.masking import MASKS, check_masks, mask_text
from errata.errors import UnknownName, UsageError
from errata.text.words import tokenise_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Write to pat.jones+list@mail.example.co.uk, please.", "Write to _EMAIL_, please."),
        ("Write to pat [at] example [dot] org today.", "Write to _EMAIL_ today."),
        ("Write to pat (at) example.org.", "Write to _EMAIL_."),
        ("Follow @pat, or look at example.org.", "Follow @pat, or look at example.org."),
        ("邮箱是pat@example.cn。", "_EMAIL_。"),
    ],
)
def test_addresses(text: str, expected: str) -> None:
    assert mask_text(text, ["email"]) == expected


@pytest.mark.parametrize(
    "number",
    [
        "+1 (555) 010-9999", "(555) 010-9999", "555-010-9999", "555.010.9999", "5550109999", "020 7946 0958",
        "555-0199",         "+44 20 7946 0958", "0044 20 7946 0958", "+86 138 0013 8000", "13800138000", "0800/123456",
    ],
)  # fmt: skip
def test_numbers_of_telephones(number: str) -> None:
    assert mask_text(f"Call {number}, or come.", ["phone"]) == "Call _PHONE_, or come."


@pytest.mark.parametrize(
    "number",
    [
        "12/05/2019", "12.05.2019", "2019-05-12", "1990-1995", "2019/20", "10 000 000", "1.234.567", "1,234,567",
        "3.14159265", "978-3-16-148410-0", "1234567", "1-2", "90210", "12:30:45", "192.168.100.200",
        "12345678901234567890",
    ],
)  # fmt: skip
def test_other_numbers_stay(number: str) -> None:
    text = f"It was {number} there."
    assert mask_text(text, ["phone"]) == text


def test_names() -> None:
    text = "Yesterday Mary Jones wrote to mary.jones@example.org about the garden."
    masked = mask_text(text, check_masks(["names", "email"], "en"))
    assert masked == "Yesterday _NAME_ wrote to _EMAIL_ about the garden."


@pytest.mark.parametrize("mask", MASKS.values())
def test_a_mask_is_one_word(mask: str) -> None:
    assert tokenise_words(f"Call {mask}, or come.") == ["Call", mask, ",", "or", "come", "."]


def test_what_can_be_masked() -> None:
    assert check_masks(["phone", "email", "phone"], "zh") == ("email", "phone")
    with pytest.raises(UsageError, match="English names only"):
        check_masks(["names"], "zh")
    with pytest.raises(UnknownName, match="unknown mask 'phones'; did you mean 'phone'"):
        check_masks(["phones"], "en")


@given(st.text(st.sampled_from("a1@. -+()[]atdo/0")))
def test_masking_has_an_end(text: str) -> None:
    masked = mask_text(text, ("email", "phone"))
    assert masked == text or any(word in masked for word in MASKS.values())
    assert mask_text(masked, ("email", "phone")).count("_EMAIL_") >= masked.count("_EMAIL_")
