"""Small cases of our own."""

from __future__ import annotations

import io

from errata.formats.robustgec import parse_cases
from errata.model import RobustCase
from errata.robustness.cases import Case, Subset, check_subset, subset_of_cases
from errata.robustness.judging import Judge, JudgedCase

# The first case: the original and A1 are corrected, A2 is not. The second: nothing is wrong, and A2 is overcorrected.
# The third: the error is corrected everywhere, with another word in A1. The fourth: the error is never corrected.
PARA = """\
O-S I like play basketball .
O-T I like playing basketball .
O-P I like playing basketball .
A1-S I like play hockey .
A1-T I like playing hockey .
A1-P I like playing hockey .
A2-S I like play chess .
A2-T I like playing chess .
A2-P I like play chess .

O-S My answer is no .
O-T My answer is no .
O-P My answer is no .
A1-S My response is no .
A1-T My response is no .
A1-P My response is no .
A2-S My answer is very short .
A2-T My answer is very short .
A2-P My answer is a very short .

O-S He go home today .
O-T He goes home today .
O-P He goes home today .
A1-S He go home .
A1-T He goes home .
A1-P He went home .
A2-S He go back today .
A2-T He goes back today .
A2-P He goes back today .

O-S She sing well .
O-T She sings well .
O-P She sing well .
A1-S She sing beautifully .
A1-T She sings beautifully .
A1-P She sing beautifully .
A2-S She sing .
A2-T She sings .
A2-P She sing .
"""
ZH_PARA = """\
O-S 我爱你门。
O-T 我爱你们。
O-P 我爱你们。
A1-S 我想你门。
A1-T 我想你们。
A1-P 我想你们。
A2-S 我很爱你门。
A2-T 我很爱你们。
A2-P 我很爱你门。
"""


def parse(text: str) -> list[RobustCase]:
    return list(parse_cases(io.StringIO(text, newline="\n")))


def make_subset(text: str, language: str = "en") -> Subset:
    return check_subset(subset_of_cases("mine", parse(text)), language)


def judge(cases: tuple[Case, ...], language: str = "en") -> list[JudgedCase]:
    return list(Judge(language).judge(cases))
