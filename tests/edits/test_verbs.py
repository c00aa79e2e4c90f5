"""No correction makes a verb say something else."""

from __future__ import annotations

import pytest

from errata.edits.verbs import changes_verb, mend_of
from errata.model import TextEdit


def replacing(text: str, old: str, new: str) -> TextEdit:
    return TextEdit(text.index(old), text.index(old) + len(old), new)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("He stopped to smoke.", "to smoke", "smoking"),
        ("He stopped to smoke.", " to", ""),
        ("He stopped to smoke.", "smoke", "smoking"),
        ("Now I have to stop to finish it.", "finish", "finishing"),
        ("Remember to buy milk.", "to buy", "buying"),
        ("I forgot to call him.", "to call", "calling"),
        ("He tried to open it.", "to open", "opening"),
        ("Do n't forget to bring it.", "to bring", "bringing"),
        ("I remember meeting her.", "meeting", "to meet"),
        ("He stopped smoking.", "smoking", "to smoke"),
        ("I tried calling him.", "calling", "to call"),
        ("The sun rised at six.", "rised", "raised"),
        ("Prices have rised.", "rised", "raised"),
        ("Rised by two, it fell.", "Rised", "Raised"),
    ],
)
def test_another_meaning_is_refused(text: str, old: str, new: str) -> None:
    assert changes_verb(text, replacing(text, old, new))


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("I tried to calling him.", "calling", "call"),
        ("He stopped to smoking.", " to", ""),
        ("I can't stop to read it.", "to read", "reading"),
        ("You never stop to learn.", "to learn", "learning"),
        ("They have stopped to do it.", "to do", "doing"),
        ("You will regret to come.", "to come", "coming"),
        ("He stoped to smoke.", "stoped", "stopped"),
        ("He try to smoke.", "try", "tries"),
        ("He tried to smok.", "smok", "smoke"),
        ("I forgot bring it.", "bring", "to bring"),
        ("I tried everthing.", "everthing", "everything"),
        ("He stopped runing.", "runing", "running"),
        ("He likes to smoke.", "to smoke", "smoking"),
        ("He stopped to smoke and like to sing.", "like", "liked"),
        ("He rised his hand.", "rised", "raised"),
        ("They rised the price.", "rised", "raised"),
        ("The sun rised.", "rised", "rose"),
        ("The sun rise.", "rise", "rises"),
    ],
)
def test_other_edits_may_be_made(text: str, old: str, new: str) -> None:
    assert not changes_verb(text, replacing(text, old, new))


@pytest.mark.parametrize(
    ("text", "old", "mended"),
    [
        ("You should of not gone.", " of", "You should have not gone."),
        ("You should of not gone.", "of ", "You should have not gone."),
        ("You couldn't of not known.", " of", "You couldn't have not known."),
        ("You should of gone.", " of", "You should gone."),
        ("He would of course not go.", " of", "He would course not go."),
        ("It is of not much use.", " of", "It is not much use."),
    ],
)
def test_a_verb_for_its_of(text: str, old: str, mended: str) -> None:
    edit = mend_of(text, replacing(text, old, ""))
    assert text[: edit.start] + edit.replacement + text[edit.end :] == mended


@pytest.mark.parametrize(("old", "new"), [(" of", " have"), ("should of", "should have"), (" not", "")])
def test_another_edit_is_as_it_is(old: str, new: str) -> None:
    text = "You should of not gone."
    edit = replacing(text, old, new)
    assert mend_of(text, edit) is edit
