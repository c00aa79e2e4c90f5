"""Sentences that nobody in the project can go on with: the owner has to invite somebody, or to ask for less."""

from __future__ import annotations

from sqlalchemy import Connection

from errata.web.workbench import sql

_PERSON = """SELECT 1 FROM members m JOIN users u ON u.id = m.user_id AND u.closed_at IS NULL
    WHERE m.project_id = i.project_id AND m.state <> 'removed'"""
_TASK = """SELECT 1 FROM tasks t WHERE t.item_id = i.id AND t.about = '' AND t.user_id = m.user_id"""
_COUNT = """SELECT count(*) FROM items i
    WHERE i.project_id = :project_id AND i.purpose = 'work' AND i.state = '{state}' AND i.n_free > 0
    AND NOT EXISTS ({person})"""

# Owners and reviewers may annotate as well, but a project should not have to wait for that.
_ANNOTATOR = f"""{_PERSON} AND m.role = 'annotator' AND m.state <> 'failed'
    AND NOT EXISTS ({_TASK} AND t.kind = 'annotate' AND t.state <> 'open')"""
_REVIEWER = f"""{_PERSON} AND m.role <> 'annotator'
    AND NOT EXISTS ({_TASK} AND t.kind = 'annotate' AND t.state = 'done')
    AND NOT EXISTS ({_TASK} AND t.kind = 'review' AND t.state <> 'open')"""


def count_lacking(connection: Connection, project_id: str) -> dict[str, int]:
    """How many sentences have a free slot that no annotator can take, and how many no reviewer can review."""
    wanted = {"annotators": ("annotating", _ANNOTATOR), "reviewers": ("reviewing", _REVIEWER)}
    return {
        who: sql.count(connection, _COUNT.format(state=state, person=person), project_id=project_id)
        for who, (state, person) in wanted.items()
    }
