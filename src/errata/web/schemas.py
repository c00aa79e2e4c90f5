"""The JSON of `POST /v1/correct`: what comes in, what goes out.

Offsets are given twice: `start` and `end` count code points (Python, Rust), `utf16_start` and `utf16_end` UTF-16 code
units (JavaScript, Java). Applying a result's edits to its source gives its target.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, FailFast, Field, model_validator

from errata.errors import UnknownName
from errata.pipeline.markup import MARKUPS
from errata.pipeline.views import LINES, TEXT, find_writing
from errata.text.utf16 import replace_lone_surrogates

# More texts than this in one request are better sent in several.
MAX_TEXTS = 1000
MAX_PHRASES = 10_000
# Values of the JSON of a request beside the commas of its texts: two lists of phrases, with a comma in each.
MAX_VALUES = MAX_TEXTS + 4 * MAX_PHRASES


def _is_writable(phrase: str) -> str:
    """The phrase, unless it has half a character (a lone surrogate), which stands in no text."""
    try:
        phrase.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"half a character (a lone surrogate) at {error.start}") from error
    return phrase


def _has_words(phrase: str) -> str:
    """The phrase, unless there is nothing in it that could stay as it is."""
    if not phrase.strip():
        raise ValueError("the phrase is blank: give the words that stay as they are")
    return phrase


def _is_markup(kind: str) -> str:
    """The kind of markup, if it can be read."""
    try:
        find_writing(kind)
    except UnknownName as error:
        raise ValueError(str(error)) from error
    return kind


# Half a character (a client has cut an emoji) is no reason to fail, but no answer could carry it back: it becomes �.
Text = Annotated[str, AfterValidator(replace_lone_surrogates)]
Markup = Annotated[str, AfterValidator(_is_markup), Field(json_schema_extra={"enum": [LINES, TEXT, *MARKUPS]})]
Phrase = Annotated[str, AfterValidator(_is_writable), Field(min_length=1, max_length=200), AfterValidator(_has_words)]
# The first fault is enough: ten thousand of them take long to tell.
Phrases = Annotated[list[Phrase], FailFast(), Field(max_length=MAX_PHRASES)]


class CorrectRequest(BaseModel):
    """One text, or several, to correct."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"text": "She go to school every day."},
                {
                    "texts": ["They is my best freinds.", "我昨天去了学校学习中文文。"],
                    "language": "auto",
                    "preset": "careful",
                    "min_confidence": 0.5,
                    "dictionary": ["freinds"],
                },
            ]
        },
    )

    text: Text | None = Field(None, description="The text to correct.")
    texts: list[Text] | None = Field(None, max_length=MAX_TEXTS, description="Several texts, instead of `text`.")
    language: Literal["auto", "en", "zh"] = Field(
        "auto", description="The language of the texts; `auto` decides for each sentence."
    )
    preset: Literal["careful", "balanced", "eager"] = Field(
        "balanced", description="Fewer and surer edits (`careful`), or more (`eager`)."
    )
    # Strict: `true` would be taken for 1 otherwise, and leave out every edit.
    min_confidence: float = Field(
        0.0, ge=0, le=1, strict=True, description="Leave out edits the model trusts less than this."
    )
    markup: Markup = Field(
        TEXT,
        description="`text`: sentences may go on in the next line. `none`: every line is read by itself. `markdown`: "
        "code, links and URLs are left alone and sentences read without their marks.",
    )
    dictionary: Phrases = Field([], description="Words that are right as they are.")
    protect: Phrases = Field([], description="Phrases that are never changed.")
    messages: Literal["auto", "en", "zh"] = Field(
        "auto", description="The language of the messages; `auto` is the language of the text."
    )

    @model_validator(mode="after")
    def _one_of_text_and_texts(self) -> Self:
        if (self.text is None) == (self.texts is None):
            raise ValueError("give either text or texts")
        return self

    @property
    def all_texts(self) -> list[str]:
        """The texts, however they were given."""
        return [self.text] if self.text is not None else self.texts or []


class EditAnswer(BaseModel):
    """One edit: replace `original` (which may be empty) by `replacement` (which may be empty)."""

    start: int = Field(description="Where it starts, in code points of the source.")
    end: int = Field(description="Where it ends (exclusive), in code points of the source.")
    utf16_start: int = Field(description="`start` in UTF-16 code units.")
    utf16_end: int = Field(description="`end` in UTF-16 code units.")
    original: str
    replacement: str
    alternatives: list[str] = Field(description="Other replacements that the model thinks possible, the best first.")
    type: str = Field(description="What kind of error it is, such as `R:VERB:SVA` or `M:DET`.")
    message: str = Field(description="The same in words.")
    confidence: float | None = Field(description="How probable the edit is, 0 to 1; null where a model does not say.")


class UncheckedAnswer(BaseModel):
    """A stretch in a language that no model of the server corrects."""

    start: int = Field(description="Where it starts, in code points of the source.")
    end: int = Field(description="Where it ends (exclusive), in code points of the source.")
    utf16_start: int = Field(description="`start` in UTF-16 code units.")
    utf16_end: int = Field(description="`end` in UTF-16 code units.")
    language: str = Field(description="What it looks like: `en`, `zh`, or `und` (another language).")


class TextAnswer(BaseModel):
    """One corrected text."""

    source: str
    target: str
    language: str = Field(description="The language most of it is in (`en`, `zh`, or `und`: another one).")
    edits: list[EditAnswer] = Field(description="In order, without overlaps.")
    unchecked: list[UncheckedAnswer] = Field(description="What nothing is said about, for want of a model.")


class CorrectAnswer(BaseModel):
    """The corrections, one for each text, in order."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "language": "en",
                    "model": "en-small",
                    "preset": "balanced",
                    "results": [
                        {
                            "source": "She go to school.",
                            "target": "She goes to school.",
                            "language": "en",
                            "edits": [
                                {
                                    "start": 4,
                                    "end": 6,
                                    "utf16_start": 4,
                                    "utf16_end": 6,
                                    "original": "go",
                                    "replacement": "goes",
                                    "alternatives": [],
                                    "type": "R:VERB:SVA",
                                    "message": "The verb may not agree with its subject. Did you mean “goes”?",
                                    "confidence": 0.97,
                                }
                            ],
                            "unchecked": [],
                        }
                    ],
                    "seconds": 0.021,
                }
            ]
        }
    )

    language: str = Field(description="The language of the first text; each result has its own.")
    model: str | None = Field(description="The model that corrected the first text; null where there is none for it.")
    preset: str
    results: list[TextAnswer]
    seconds: float = Field(description="How long it took, waiting included.")


class ModelInfo(BaseModel):
    """A model a server has loaded."""

    language: str
    model: str
    presets: list[str]


class InfoAnswer(BaseModel):
    """What a server serves."""

    version: str = Field(description="The version of errata.")
    models: list[ModelInfo]
    max_length: int = Field(description="The longest request, in characters.")


class ErrorAnswer(BaseModel):
    """Why a request was refused."""

    detail: str = Field(description="One line: what, and what to do next.")


# The schema of the body of `POST /v1/correct`, which is read outside of the event loop.
CORRECT_BODY: dict[str, Any] = {
    "requestBody": {"required": True, "content": {"application/json": {"schema": CorrectRequest.model_json_schema()}}}
}
# Status → what it means, for the schema of every endpoint that corrects.
REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorAnswer, "description": "The request makes no sense here (an unknown preset or language)."},
    403: {"model": ErrorAnswer, "description": "The server does not go by that name, or the page is of another site."},
    408: {"model": ErrorAnswer, "description": "The body did not come in time."},
    413: {"model": ErrorAnswer, "description": "The request is too long."},
    415: {"model": ErrorAnswer, "description": "The body is not JSON, or it is compressed."},
    422: {"model": ErrorAnswer, "description": "The request is not what the schema says."},
    503: {
        "model": ErrorAnswer,
        "description": "Too busy, or shutting down; try again after the seconds in `Retry-After`.",
        "headers": {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds to wait."}},
    },
    504: {"model": ErrorAnswer, "description": "The answer took longer than the server's time limit."},
}
