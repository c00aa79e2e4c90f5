"""No correction says yes for no."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.edits.agreement import clash, leave_out_clashes, makes_broken_contraction
from errata.edits.negation import AUXILIARIES, join_moves, keeps_negation, mend_contraction, negation_change
from errata.model import TextEdit


def replacing(text: str, old: str, new: str) -> TextEdit:
    return TextEdit(text.index(old), text.index(old) + len(old), new)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("She didnt come.", "didnt", "did"),
        ("They werent there.", "werent", "were"),
        ("I do not know.", " not", ""),
        ("I do know.", " know", " not know"),
        ("We can't go.", "n't", ""),
        ("We can’t go.", "n’t", ""),
        ("We can‘t go.", "can‘t", "can"),
        ("We isn`t here.", "isn`t", "is"),
        ("He never comes.", "never", "ever"),
        ("He ever comes.", "ever", "never"),
        ("There is no reason.", "no", "a"),
        ("I went without him.", "without", "with"),
        ("I went with him.", "with", "without"),
        ("Nobody came.", "Nobody", "Somebody"),
        ("I saw nothing.", "nothing", "something"),
        ("I cannot go.", "cannot", "can"),
        ("Neither is right.", "Neither", "Either"),
        ("It is impossible.", "impossible", "possible"),
        ("He was happy.", "happy", "unhappy"),
        ("I disagree.", "disagree", "agree"),
        ("It is NOT true.", " NOT", ""),
        ("He is neither tall nor short.", "nor", "or"),
        ("He likes neither tea nor coffee.", "nor coffee", "or coffee"),
        ("He didn't call, nor did he write.", "nor", "or"),
        ("He didn't call. Nor did he write.", "Nor", "And"),
        ("他不来。", "不", ""),
        ("他来。", "来", "不来"),
        ("我没有钱。", "没", ""),
        ("我没有钱。", "没有", "有"),
        ("这无用。", "无", "有"),
        ("他并非学生。", "非", "是"),
        ("我未去过。", "未", ""),
        ("你别走。", "别", ""),
        ("請勿吸烟。", "勿", ""),
        ("他不得不走。", "不得不", "不得"),
        ("防止事故，他不来。", "不", ""),
        ("He was unhappyly here.", "unhappyly", "happily"),
        ("She is happily here.", "happily", "unhappily"),
        ("I disagreed.", "disagreed", "agree"),
        ("It is informal.", "informal", "formal"),
        ("They misunderstood it.", "misunderstood", "understood"),
        ("He used it.", "used", "misused"),
        ("She is careless.", "careless", "careful"),
        ("She drives careful.", "careful", "carelessly"),
        ("It has no use.", "use", "useless"),
        ("A home man.", "home", "homeless"),
        ("I hardly know him.", " hardly", ""),
        ("I know him.", "know", "hardly know"),
        ("He seldom comes.", "seldom", "often"),
        ("We scarcely met.", "scarcely", "just"),
        ("I could barely see.", " barely", ""),
        ("I note it.", "note", "not"),
        ("He now comes.", "now", "not"),
        ("There is no reason.", "no", "know"),
        ("这个药不能没有吃。", "能", "都"),
        ("他不会不来。", "会", "是"),
        ("禁止不许吸烟。", "止", ""),
        ("禁止不许吸烟。", "许", ""),
        ("禁止吸烟。", "禁止", ""),
        ("禁止吸烟。", "止", ""),
        ("这里不许吸烟。", "许", ""),
        ("这里吸烟。", "吸", "禁止吸"),
        ("禁止不许吸烟。", "禁止不许", "不禁止"),
        ("他禁止我们。", "禁止", "不禁止"),
        ("不的入内。", "的", ""),
        ("我们不应该不尊重老人。", "尊重", "应该尊重"),
    ],
)
def test_negations_stay(text: str, old: str, new: str) -> None:
    assert not keeps_negation(text, replacing(text, old, new))


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("I dont know.", "dont", "don't"),
        ("I do not know.", "do not", "don't"),
        ("I no how it works.", "no", "know"),
        ("He don't know.", "do", "does"),
        ("I can not go.", "can not", "cannot"),
        ("He did not went.", "went", "go"),
        ("She not does come.", "not does", "does not"),
        ("Noone came.", "Noone", "No one"),
        ("He didn't never come.", "didn't never", "never didn't"),
        ("Neither he or she came.", "or", "nor"),
        ("I do not like tea nor coffee.", "nor", "or"),
        ("Neither came. He does not like tea nor milk.", "nor", "or"),
        ("Please form me.", "form", "inform"),
        ("Infact he came.", "Infact", "In fact"),
        ("You do nt know.", "nt", "n't"),
        ("We prove it.", "prove", "improve"),
        ("I now go.", "now", "know"),
        ("A note is here.", "note", "notes"),
        ("我昨天不去。", "不", "没"),
        ("尽管他来不来。", "尽管", "不管"),
        ("我非高兴。", "非", "非常"),
        ("特别好。", "特别", "十分"),
        ("不但好而且快。", "不但", "不仅"),
        ("他很好。", "很", "真"),
        ("防止事故不再发生。", "不再", "再"),
        ("切忌不要乱用。", "不要", ""),
        ("我从来吃过。", "吃", "没吃"),
        ("He left unhappyly.", "unhappyly", "unhappily"),
        ("I was disapointed.", "disapointed", "disappointed"),
        ("It is unpossible.", "unpossible", "impossible"),
        ("He was inform of it.", "inform", "informed"),
        ("The informations are here.", "informations", "information"),
        ("I made a take.", "take", "mistake"),
        ("Carelles people.", "Carelles", "Careless"),
        ("Regard of the price.", "Regard", "Regardless"),
        ("It is useless.", "useless", "uselessly"),
        ("A care driver.", "care", "careful"),
        ("I work hardly.", "hardly", "hard"),
        ("He rare comes.", "rare", "rarely"),
        ("He seldomly comes.", "seldomly", "seldom"),
        ("I hardly see.", "hardly", "barely"),
        ("I have nothign to say.", "nothign", "nothing"),
        ("He nver comes.", "nver", "never"),
        ("He dosent come.", "dosent", "doesn't"),
        ("He came withuot me.", "withuot", "without"),
        ("禁止不许吸烟。", "不许", ""),
        ("禁止不许吸烟。", "禁止", ""),
        ("这里不许吸烟。", "许", "准"),
        ("这里不许吸烟。", "许", "能"),
        ("他不会不来。", "会", "能"),
        ("他不得不走。", "走", "马上走"),
        ("结果不准确。", "准", "精"),
        ("我们研究问题。", "研究", "研究研究"),
        ("这的好。", "的", ""),
    ],
)
def test_negations_may_be_written_in_another_way(text: str, old: str, new: str) -> None:
    assert keeps_negation(text, replacing(text, old, new))


@pytest.mark.parametrize("auxiliary", sorted(AUXILIARIES))
def test_every_contraction_keeps_its_negation(auxiliary: str) -> None:
    text = f"We {auxiliary}nt go."
    cut = replacing(text, f"{auxiliary}nt", auxiliary)
    assert not keeps_negation(text, cut)
    mended = mend_contraction(text, cut)
    if auxiliary in ("ca", "wo"):  # "cant" and "wont" are words as well
        assert mended == cut
        return
    assert mended.replacement == f"{auxiliary}n't" and keeps_negation(text, mended)
    assert not makes_broken_contraction(text, mended)


def test_a_negation_that_moves_is_one_edit() -> None:
    text = "He not does like it, no."
    edits = [replacing(text, " not", ""), TextEdit(11, 11, " not"), replacing(text, "like", "likes")]
    joined = [edit for edit, _ in join_moves(text, edits)]
    assert [(edit.start, edit.end, edit.replacement) for edit in joined] == [(2, 11, " does not"), (12, 16, "likes")]
    assert all(keeps_negation(text, edit) for edit in joined)
    long = f"He not does {'very ' * 10}like it."
    far = [replacing(long, " not", ""), TextEdit(len(long) - 1, len(long) - 1, " not")]
    assert join_moves(long, far) == [(far[0], 1), (far[1], 1)]


@given(
    st.text("不没非常别有 no't", max_size=12).filter(lambda text: "不能不" not in text and "从来" not in text),
    st.data(),
)
def test_undoing_an_edit_changes_as_much(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    new = data.draw(st.text("不非常没 no't", max_size=4))
    made = text[:start] + new + text[end:]
    back = TextEdit(start, start + len(new), text[start:end])
    assert negation_change(text, TextEdit(start, end, new)) == -negation_change(made, back)


@pytest.mark.parametrize(
    ("text", "old", "new", "is_broken"),
    [
        ("I think you're right.", "you", "your", True),
        ("I havent seen it.", " havent", "n't", True),
        ("They're here.", "They", "Their", True),
        ("I'm here.", "I", "He", True),
        ("I can‘t come.", "can", "ca", True),
        ("We doesn't know.", "does", "do", False),
        ("We'll go.", "We", "They", False),
        ("She don't know .", "don't", "does n't", False),
        ("The dog's tail.", "dog", "cat", False),
        ("your're late", "late", "early", False),
        ("I'm'nt going.", "nt", "n't", True),
        ("I'm'nt going.", "'nt", " n't", True),
        ("I'mnt going.", "nt", "n't", True),
        ("I 'm nt going .", "nt", "n't", True),
        ("We do nt go .", "nt", "n't", False),
        ("We did'nt go.", "did'nt", "didn't", False),
    ],
)
def test_contractions_stand_on_words_that_have_them(text: str, old: str, new: str, is_broken: bool) -> None:
    assert makes_broken_contraction(text, replacing(text, old, new)) is is_broken


@pytest.mark.parametrize(
    ("text", "left", "right", "is_clash"),
    [
        ("they is here", ("they", "it"), ("is", "are"), True),
        ("it are here", ("it", "they"), ("are", "is"), True),
        ("they is here", ("they", "it"), ("is", "was"), False),
        ("they is here", ("they", "They"), ("is", "are"), False),
        ("they never is here", ("they", "it"), ("is", "are"), False),
    ],
)
def test_edits_that_mend_one_mistake_twice_clash(
    text: str, left: tuple[str, str], right: tuple[str, str], is_clash: bool
) -> None:
    first, second = replacing(text, *left), replacing(text, *right)
    assert clash(text, first, second) is is_clash
    if is_clash:
        assert leave_out_clashes(text, [first, second], [0.2, 0.1]) == [1]
        assert leave_out_clashes(text, [first, second], [0.1, 0.2]) == [0]


@pytest.mark.parametrize(
    ("text", "edit", "is_kept"),
    [
        ("Few student likes it.", TextEdit(0, 3, "A few"), False),
        ("A few people knows it.", TextEdit(0, 5, "Few"), False),
        ("I have little money.", TextEdit(7, 7, "a "), False),
        ("I have few money.", TextEdit(7, 10, "little"), True),
        ("He saw a few film.", TextEdit(13, 17, "films"), True),
    ],
)
def test_few_stays_few(text: str, edit: TextEdit, is_kept: bool) -> None:
    assert keeps_negation(text, edit) is is_kept
