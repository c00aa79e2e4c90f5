"""Ratings from a prompted model: asked once, kept in a journal, read strictly.

The model is a folder of a `prompted` system, whose endpoint, key and limits are used; its template is not. Ratings are
kept in `ratings.jsonl` in that folder, unless its manifest says `"journal": null`.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path

from errata.errors import DataError, UsageError
from errata.judges.llm.prompt import VERSION, Question, make_template, read_ratings, write_question
from errata.places import inside
from errata.systems.manifest import read_manifest
from errata.systems.prompted.approval import origin_of, require_approval
from errata.systems.prompted.journal import Answer, Journal
from errata.systems.prompted.prompted import Backend
from errata.systems.prompted.settings import read_settings
from errata.systems.prompted.tally import Tally
from errata.training.digests import key_of

JOURNAL = "ratings.jsonl"
# A second question ends with this, in the language of the prompt.
AGAIN = {
    "en": "Your answer must have nothing but these numbers, from 1 to 5.",
    "zh": "你的回答只能包含这些数字，范围是 1 到 5。",
}
SHOWN = 60  # characters of an answer in messages

log = logging.getLogger(__name__)


class Rater:
    """Asks one model about one aspect."""

    def __init__(self, folder: Path, view: str, aspect: str, *, device: str, allow_network: bool) -> None:
        manifest = read_manifest(folder)
        if manifest.get("system") != "prompted":
            raise UsageError(f"{folder} is no prompted model but {manifest.get('system')}: llm asks prompted ones")
        self.language, self.settings = read_settings(folder, manifest)
        if self.settings.endpoint is not None:
            key = self.settings.key_variable
            require_approval(folder, self.settings.endpoint, key, allow_network=allow_network)
        self._folder, self._device = folder, device
        self._template = make_template(self.language, view, aspect)
        self._backend: Backend | None = None
        path = inside(folder, JOURNAL, "journal", is_written=True) if self.settings.journal else None
        self._journal = Journal(path)
        self.tally = Tally()

    @property
    def place(self) -> str:
        """Where the model is, for signatures."""
        return "local" if self.settings.endpoint is None else origin_of(self.settings.endpoint)

    @property
    def backend(self) -> Backend:
        """What answers: an endpoint, or a model in this process, loaded when it is first asked."""
        if self._backend is None:
            if self.settings.endpoint is not None:
                from errata.systems.prompted.endpoint import Endpoint

                self._backend = Endpoint(self.settings, self._template)
            else:
                from errata.systems.prompted.local import LocalModel

                self._backend = LocalModel.load(self._folder, self.settings, self._template, self._device)
        return self._backend

    def __call__(self, questions: Sequence[Question]) -> dict[Question, tuple[int, ...]]:
        """The ratings of each question's corrections; an unreadable answer is asked for once more."""
        wanted = dict.fromkeys(questions)
        found = {one: ratings for one in wanted if (ratings := self._recall(one)) is not None}
        self.tally.n_journal += len(found)
        asked = len(found) < len(wanted)
        try:
            for ending in ("", f" {AGAIN[self.language]}"):
                missing = [one for one in wanted if one not in found]
                said = self._ask(missing, ending, found)
        finally:
            self._journal.close()
        if asked:
            log.warning("%s: %s", self.settings.model, self.tally.line(self.settings.prices))
        if len(found) < len(wanted):
            self._complain([one for one in wanted if one not in found], said)
        return found

    def _ask(
        self, questions: Sequence[Question], ending: str, found: dict[Question, tuple[int, ...]]
    ) -> dict[Question, Answer]:
        """Ask, and put what can be read into `found` and into the journal; all answers are returned."""
        said: dict[Question, Answer] = {}

        def done(number: int, answer: Answer) -> None:
            question = questions[number]
            said[question] = answer
            self.tally.count(answer)
            ratings = _read(answer, question)
            if ratings is not None:
                found[question] = ratings
                self._journal.add(self._key(question), answer)

        if questions:
            self.backend.ask([write_question(one, self.language) + ending for one in questions], done)
            self.tally.n_retries = self.backend.n_retries
        return said

    def _recall(self, question: Question) -> tuple[int, ...] | None:
        answer = self._journal.get(self._key(question))
        return None if answer is None else _read(answer, question)

    def _key(self, question: Question) -> str:
        settings = self.settings
        asked = (settings.endpoint, settings.model, settings.api, settings.adapter, settings.max_answer_tokens)
        return key_of(VERSION, asked, self._template.as_dict(), write_question(question, self.language))

    def _complain(self, missing: Sequence[Question], said: dict[Question, Answer]) -> None:
        first = missing[0]
        answer = said[first]
        shown = "it refused" if answer.is_refused else f"it said {' '.join(answer.text.split())[:SHOWN]!r}"
        n = len(first.corrections)
        wanted = "a number" if n == 1 else f"{n} numbers"
        raise DataError(
            f"{self.settings.model} did not rate {len(missing)} of the sentences, asked twice. The first is "
            f"{first.source[:SHOWN]!r}: {wanted} from 1 to 5 was wanted, {shown}. Other ratings are kept: "
            "run it again to ask for these, or name another model"
        )


def _read(answer: Answer, question: Question) -> tuple[int, ...] | None:
    is_usable = answer.is_complete and not answer.is_refused
    return read_ratings(answer.text, len(question.corrections)) if is_usable else None
