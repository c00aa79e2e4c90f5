"""A prompted model as a corrector: sentences become prompts, answers become edits."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar, Protocol

from errata.edits.pairing import pair_edits
from errata.model import Tokens
from errata.places import inside
from errata.systems.base import ProposedEdit, TokenCorrector
from errata.systems.manifest import Manifest
from errata.systems.prompted.answers import Judged, Reason, judge
from errata.systems.prompted.approval import require_approval
from errata.systems.prompted.journal import Answer, Journal
from errata.systems.prompted.settings import PromptedSettings, read_settings
from errata.systems.prompted.tally import Tally
from errata.systems.prompted.template import Template, own_template
from errata.text.spacing import join_words
from errata.text.tokens import split_characters
from errata.text.words import word_spans
from errata.training.digests import key_of

log = logging.getLogger(__name__)


class Backend(Protocol):
    """What answers prompts: an endpoint, or a model in this process."""

    n_retries: int

    def ask(self, sentences: Sequence[str], done: Callable[[int, Answer], None]) -> None: ...


class Prompted(TokenCorrector):
    """A large language model that is asked for the corrected sentence."""

    kind: ClassVar[str] = "prompted"
    sends_text: ClassVar[bool] = True

    def __init__(
        self,
        backend: Backend,
        settings: PromptedSettings,
        template: Template,
        *,
        language: str,
        journal: Journal | None = None,
    ) -> None:
        self.backend, self.settings, self.template, self.language = backend, settings, template, language
        self.max_tokens = settings.max_tokens
        self.journal = Journal(None) if journal is None else journal
        self.tally = Tally()

    @classmethod
    def load(
        cls, folder: Path, manifest: Manifest | None = None, *, device: str = "cpu", allow_network: bool = False
    ) -> Prompted:
        """The system that a folder describes; `device` is for models that run in this process.

        An endpoint needs the user's permission: `allow_network`, or its address in `ERRATA_ALLOW_ENDPOINT`.
        """
        language, settings = read_settings(folder, manifest)
        if settings.endpoint is not None:
            require_approval(folder, settings.endpoint, settings.key_variable, allow_network=allow_network)
        template = own_template(settings.template_for(language), folder)
        backend: Backend
        if settings.endpoint is not None:
            from errata.systems.prompted.endpoint import Endpoint

            backend = Endpoint(settings, template)
        else:
            from errata.systems.prompted.local import LocalModel

            backend = LocalModel.load(folder, settings, template, device)
        is_kept = settings.journal and settings.endpoint
        journal = Journal(inside(folder, str(settings.journal), "journal", is_written=True) if is_kept else None)
        return cls(backend, settings, template, language=language, journal=journal)

    def propose(self, sentences: Sequence[Tokens]) -> list[list[ProposedEdit]]:
        """The edits of each sentence, with confidence 1: the model does not say how sure it is."""
        texts = [self.text(tokens) for tokens in sentences]
        answers = self._answers([text for text in texts if text])
        return [
            self._edits(tokens, text, answers[text]) if text else []
            for tokens, text in zip(sentences, texts, strict=True)
        ]

    def text(self, tokens: Sequence[str]) -> str:
        """The sentence as the model reads it: running text."""
        return "".join(tokens) if self.language == "zh" else join_words(tokens)

    def _answers(self, texts: Sequence[str]) -> dict[str, Answer]:
        """An answer for every text, from the journal if it is there; equal texts are asked once."""
        found: dict[str, Answer] = {}
        open_texts = []
        for text in dict.fromkeys(texts):
            known = self.journal.get(self._key(text))
            if known is None:
                open_texts.append(text)
            else:
                found[text] = known
        self.tally.n_journal += len(found)

        def done(number: int, answer: Answer) -> None:
            text = open_texts[number]
            found[text] = answer
            self.journal.add(self._key(text), answer)
            self.tally.count(answer)

        try:
            if open_texts:
                self.backend.ask(open_texts, done)
        finally:
            self.journal.close()
            self.tally.n_retries = self.backend.n_retries
        rejected = [judged.reason for text in texts if (judged := self._judged(text, found[text])).reason]
        self.tally.rejected.update(str(reason) for reason in rejected)
        if open_texts and (self.settings.endpoint or rejected):
            log.warning("%s: %s", self.settings.model, self.tally.line(self.settings.prices))
        return found

    def _key(self, text: str) -> str:
        settings = self.settings
        asked = (settings.endpoint, settings.model, settings.api, settings.max_answer_tokens)
        return key_of(asked, self.template.as_dict(), text)

    def _judged(self, text: str, answer: Answer) -> Judged:
        if answer.is_refused:
            return Judged(text, Reason.REFUSAL)
        return judge(text, answer.text, is_complete=answer.is_complete)

    def _edits(self, tokens: Tokens, text: str, answer: Answer) -> list[ProposedEdit]:
        corrected = self._judged(text, answer).text
        if corrected == text:
            return []
        edits = pair_edits(tokens, self._tokens(corrected, tokens))
        if self._tokens(text, tokens) != tuple(tokens):
            # These tokens were not cut by errata: without this, edits would only move spaces.
            edits = tuple(edit for edit in edits if "".join(tokens[edit.start : edit.end]) != "".join(edit.replacement))
        return [ProposedEdit(edit, 1.0) for edit in edits]

    def _tokens(self, text: str, source: Tokens) -> Tokens:
        """The tokens of an answer, cut like those of the source."""
        if self.language == "zh":
            return split_characters(text)
        return glue_hyphens(text, source)


def glue_hyphens(text: str, source: Sequence[str]) -> Tokens:
    """The words of a text; a compound is one word (`well-known`) unless the source has its parts as tokens."""
    known = set(zip(source, source[1:], source[2:], strict=False))
    words: list[str] = []
    end = -1
    for a, b in word_spans(text):
        word = text[a:b]
        is_glued = a == end and len(words) > 1 and words[-1] == "-" and text[a - 2 : a - 1].isalnum()
        if is_glued and (words[-2], "-", word) not in known:
            words[-2:] = [f"{words[-2]}-{word}"]
        else:
            words.append(word)
        end = b
    return tuple(words)
