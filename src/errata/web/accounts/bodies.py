"""What clients send to the routes of accounts."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

# Longer than anything that is taken, so that the rules of names and passwords say what is wrong with it.
Text = Annotated[str, Field(max_length=1000)]
# Values in one body, by a wide margin.
MAX_VALUES = 5_000


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class LoginBody(Body):
    name: Text
    password: Text


class PasswordBody(Body):
    old: Text
    new: Text


class LanguageBody(Body):
    language: Literal["", "en", "zh"]


class TokenBody(Body):
    token: Text


class JoinBody(Body):
    """Without a name, whoever is logged in joins."""

    token: Text
    name: Text | None = None
    password: Text | None = None


class InvitationBody(Body):
    role: Literal["owner", "reviewer", "annotator"]
    n_uses: Annotated[int, Field(ge=1, le=1000)] = 1
    days: Annotated[int, Field(ge=1, le=365)] = 14
