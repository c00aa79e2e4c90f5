"""What pages send to the workbench."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt

from errata.web.workbench.imports import MAX_REFERENCES
from errata.web.workbench.projects import MAX_K
from errata.web.workbench.review import Verdict
from errata.web.workbench.submissions import Submission
from errata.web.workbench.tasks import KINDS
from errata.web.workbench.texts import MAX_ANSWERS

# Longer than anything that is taken, so that the rules of the domain say what is wrong with it.
Text = Annotated[str, Field(max_length=250_000)]
Version = Annotated[StrictInt, Field(ge=0, le=1_000_000_000)]
Kind = Literal["qualify", "study", "judge", "review", "annotate"]
# Answers in one body; a review has a verdict on every answer of everybody, and on the references of the file.
MAX_LISTED = 100
MAX_VERDICTS = MAX_K * MAX_ANSWERS + MAX_REFERENCES
# Values in one body; commas in texts count too.
MAX_VALUES = 300_000


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewProject(Body):
    name: Text
    kind: Text
    language: Text
    guidelines: Text | None = None
    template: Text | None = None
    again: StrictBool = False
    settings: dict[str, Any] = Field(default_factory=dict)


class ProjectChange(Body):
    version: Version
    name: Text | None = None
    state: Text | None = None
    guidelines: Text | None = None
    settings: dict[str, Any] = Field(default_factory=dict)


class MemberChange(Body):
    role: Text | None = None
    state: Text | None = None


class Next(Body):
    kind: Kind | list[Kind] | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        if not self.kind:
            return KINDS
        return (self.kind,) if isinstance(self.kind, str) else tuple(self.kind)


class DraftBody(Body):
    version: Version
    draft: dict[str, Any]


class VerdictBody(Body):
    target: Text
    is_accepted: StrictBool
    comment: Text = ""


class SubmissionBody(Body):
    version: Version
    key: Text
    seconds: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)] = 0.0
    status: Text = ""
    answers: Annotated[list[Text], Field(max_length=MAX_LISTED)] = Field(default_factory=list)
    comment: Text = ""
    is_suggested: StrictBool = False
    verdicts: Annotated[list[VerdictBody], Field(max_length=MAX_VERDICTS)] = Field(default_factory=list)
    added: Annotated[list[Text], Field(max_length=MAX_LISTED)] = Field(default_factory=list)
    complaint: Text | None = None
    target: Text = ""
    is_upheld: StrictBool | None = None

    def read(self) -> Submission:
        """The submission that the domain takes."""
        given = self.model_dump(exclude={"verdicts"})
        verdicts = [Verdict(one.target, one.is_accepted, one.comment) for one in self.verdicts]
        return Submission(**given, verdicts=verdicts)


class EditsBody(Body):
    project_id: Text
    source: Text
    target: Text
    item_id: Text | None = None


class Deletion(Body):
    name: Text


class TakeAway(Body):
    task_id: Text


class Assignment(Body):
    user_id: Text


class ItemChange(Body):
    version: Version
    n_wanted: StrictInt | None = None
    state: Text | None = None
