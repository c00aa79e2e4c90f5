"""Suggestions: what the corrector makes of a sentence, where the owner lets annotators ask for it."""

from __future__ import annotations

from sqlalchemy import Connection

from errata.edits.apply import apply_text_edits
from errata.pipeline.documents import Options
from errata.pipeline.views import LINES, find_writing
from errata.web.corrections import correct_texts
from errata.web.refusals import Refusal
from errata.web.service import Service
from errata.web.settings import DEFAULT_PRESET
from errata.web.threads import Threads
from errata.web.workbench import events
from errata.web.workbench.items import Item, get_item
from errata.web.workbench.projects import get_project
from errata.web.workbench.tasks import Task, get_task


def find_asked(connection: Connection, task_id: str, user_id: str) -> tuple[Task, Item, str]:
    """The task, its item and the language; refused where suggestions are not allowed."""
    task = get_task(connection, task_id, user_id)
    project = get_project(connection, task.project_id)
    if not project.settings.suggestions:
        raise Refusal(403, "the owner of this project does not allow suggestions")
    if task.kind != "annotate" or task.state != "held":
        raise Refusal(422, "suggestions are for sentences that you are annotating")
    return task, get_item(connection, task.item_id), project.language


async def suggest(service: Service, item: Item, language: str, threads: Threads) -> str:
    """What the corrector would write."""
    if language not in service.engines:
        raise Refusal(422, f"this server has no corrector for {language!r}")
    writing = find_writing(LINES)
    preset = service.best_preset(language, DEFAULT_PRESET)
    options = Options(frozenset(service.languages), language, preset, is_tokenised=item.is_tokenised)
    [corrected] = await correct_texts(service, lambda: [writing.read(item.source)], writing, options, threads)
    return apply_text_edits(item.source, [shown.edit for shown in corrected.edits])


def note(connection: Connection, task: Task, target: str, now: float) -> None:
    """Keep that a suggestion was given, and which: an answer that equals it counts as suggested."""
    facts = {"task": task.id, "target": target}
    events.add(
        connection, task.project_id, "suggestion.given", now, user_id=task.user_id, item_id=task.item_id, **facts
    )
