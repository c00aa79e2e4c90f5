"""The routes under `/workbench/api`: read the request, ask the domain, answer in JSON."""

from __future__ import annotations

from functools import partial
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import JSONResponse
from sqlalchemy import Connection

from errata.web.database import writing
from errata.web.parts import Tools
from errata.web.refusals import Refusal
from errata.web.requests import read_body
from errata.web.workbench import (
    answers,
    assigning,
    bodies,
    events,
    guidelines,
    imports,
    items,
    members,
    permissions,
    projects,
    removal,
    slots,
    submissions,
    suggestions,
    tasks,
    texts,
    views,
)
from errata.web.workbench.desk import Desk
from errata.web.workbench.paths import check_id, read_choice, read_number

PREFIX = "/workbench/api"
# Events and items that are listed unless more are asked for.
LISTED = 100


def add(app: FastAPI, tools: Tools) -> None:
    """Add the routes under `/workbench/api`."""
    desk = Desk(tools)
    router = APIRouter(prefix=PREFIX, include_in_schema=False)
    for add_some in (_add_projects, _add_imports, _add_members, _add_items, _add_tasks, _add_texts):
        add_some(router, desk)
    app.include_router(router)


def _add_projects(router: APIRouter, desk: Desk) -> None:
    @router.get("/projects")
    async def list_projects(request: Request) -> list[dict[str, Any]]:
        person = await desk.person(request)
        return await desk.read(views.view_projects, person.id)

    @router.post("/projects")
    async def make_project(request: Request) -> dict[str, Any]:
        person = await desk.person(request)
        if not person.is_owner:
            raise Refusal(403, "only owners of this site may make projects")
        body = await desk.body(request, bodies.NewProject)
        text = body.guidelines
        if body.template is not None and text is None:
            text = guidelines.template(body.template, body.language) if body.template else ""

        def make(connection: Connection) -> dict[str, Any]:
            if not body.again:
                projects.refuse_same_name(connection, body.name, person.id)
            project = projects.make_project(
                connection,
                person.id,
                desk.now,
                name=body.name,
                kind=body.kind,
                language=body.language,
                text=text,
                settings=body.settings,
            )
            return _view_project(connection, project.id, person.id)

        return await desk.write(make)

    @router.get("/projects/{project_id}")
    async def get_project(request: Request, project_id: str) -> dict[str, Any]:
        person = await desk.person(request)
        return await desk.read(_view_project, check_id(project_id), person.id)

    @router.patch("/projects/{project_id}")
    async def change_project(request: Request, project_id: str) -> dict[str, Any]:
        person = await desk.person(request)
        check_id(project_id)
        body = await desk.body(request, bodies.ProjectChange)

        def change(connection: Connection) -> dict[str, Any]:
            permissions.require(connection, person.id, project_id, "change")
            project = projects.get_project(connection, project_id)
            projects.change_project(
                connection,
                project,
                person.id,
                desk.now,
                version=body.version,
                name=body.name,
                state=body.state,
                text=body.guidelines,
                settings=body.settings,
            )
            return _view_project(connection, project_id, person.id)

        return await desk.write(change)

    @router.post("/projects/{project_id}/delete")
    async def delete_project(request: Request, project_id: str) -> dict[str, Any]:
        person = await desk.person(request)
        check_id(project_id)
        body = await desk.body(request, bodies.Deletion)

        def find(connection: Connection) -> projects.Project:
            return _project_for(connection, project_id, person.id, "delete")

        await desk.tools.files.run(removal.delete_project, desk.tools.engine, find, body.name)
        return {}

    @router.get("/projects/{project_id}/events")
    async def list_events(request: Request, project_id: str) -> list[dict[str, Any]]:
        person = await desk.person(request)
        check_id(project_id)
        before = read_number(request.query_params, "before", 0, most=999_999_999)
        limit = read_number(request.query_params, "limit", LISTED, least=1, most=events.MAX_LISTED)

        def find(connection: Connection) -> list[dict[str, Any]]:
            permissions.require(connection, person.id, project_id, "events")
            return events.list_events(connection, project_id, before=before, limit=limit)

        return await desk.read(find)


def _add_imports(router: APIRouter, desk: Desk) -> None:
    @router.post("/projects/{project_id}/import")
    async def import_file(request: Request, project_id: str) -> dict[str, Any]:
        person = await desk.person(request)
        query = request.query_params
        purpose = read_choice(query, "purpose", items.PURPOSES)
        references = read_choice(query, "references", (imports.LEAVE, imports.GOLDEN))
        again = read_choice(query, "again", ("no", "yes")) == "yes"
        project = await desk.read(_project_for, check_id(project_id), person.id, "import")
        content = await read_body(request)
        name, form = query.get("name", "") or "file", query.get("format", "") or imports.AUTO

        def bring() -> dict[str, Any]:
            parsed = imports.parse_file(content, name=name, language=project.language, format=form, purpose=purpose)
            parsed.refuse_problems()
            with writing(desk.tools.engine) as connection:
                current = _project_for(connection, project_id, person.id, "import")
                return imports.store(
                    connection,
                    current,
                    person.id,
                    parsed,
                    desk.now,
                    desk.tools.rng,
                    purpose=purpose,
                    references=references,
                    again=again,
                )

        return await desk.tools.files.run(bring)


def _add_members(router: APIRouter, desk: Desk) -> None:
    @router.get("/projects/{project_id}/members")
    async def list_members(request: Request, project_id: str) -> list[dict[str, Any]]:
        person = await desk.person(request)
        check_id(project_id)

        def find(connection: Connection) -> list[dict[str, Any]]:
            permissions.require(connection, person.id, project_id, "members")
            return members.list_members(connection, project_id)

        return await desk.read(find)

    @router.patch("/projects/{project_id}/members/{user_id}")
    async def change_member(request: Request, project_id: str, user_id: str) -> dict[str, Any]:
        person = await desk.person(request)
        check_id(project_id)
        body = await desk.body(request, bodies.MemberChange)

        def change(connection: Connection) -> dict[str, Any]:
            permissions.require(connection, person.id, project_id, "members")
            changed = members.change_member(
                connection, project_id, check_id(user_id), by=person.id, now=desk.now, role=body.role, state=body.state
            )
            return {"user_id": changed.user_id, "role": changed.role, "state": changed.state}

        return await desk.write(change)


def _add_items(router: APIRouter, desk: Desk) -> None:
    @router.get("/projects/{project_id}/items")
    async def list_items(request: Request, project_id: str) -> dict[str, Any]:
        person = await desk.person(request)
        check_id(project_id)
        query = request.query_params
        states = ("", slots.ANNOTATING, slots.REVIEWING, slots.DONE, slots.WITHDRAWN)
        state = read_choice(query, "state", states)
        offset = read_number(query, "offset", 0, most=100_000_000)
        limit = read_number(query, "limit", LISTED, least=1, most=items.MAX_LISTED)

        def find(connection: Connection) -> dict[str, Any]:
            permissions.require(connection, person.id, project_id, "items")
            return items.list_items(connection, project_id, state=state, offset=offset, limit=limit)

        return await desk.read(find)

    @router.get("/items/{item_id}")
    async def get_item(request: Request, item_id: str) -> dict[str, Any]:
        person = await desk.person(request)

        def find(connection: Connection) -> dict[str, Any]:
            return items.history(connection, _item_for(connection, item_id, person.id))

        return await desk.read(find)

    @router.patch("/items/{item_id}")
    async def change_item(request: Request, item_id: str) -> dict[str, Any]:
        person = await desk.person(request)
        body = await desk.body(request, bodies.ItemChange)

        def change(connection: Connection) -> dict[str, Any]:
            item = _item_for(connection, item_id, person.id)
            changed = items.change_item(
                connection,
                item,
                person.id,
                desk.now,
                version=body.version,
                n_wanted=body.n_wanted,
                state=body.state,
            )
            return changed.as_json()

        return await desk.write(change)

    @router.post("/items/{item_id}/take-away")
    async def take_away(request: Request, item_id: str) -> dict[str, Any]:
        person = await desk.person(request)
        body = await desk.body(request, bodies.TakeAway)

        def end(connection: Connection) -> dict[str, Any]:
            item = _item_for(connection, item_id, person.id)
            assigning.take_away(connection, item, check_id(body.task_id), person.id, desk.now)
            return items.history(connection, items.get_item(connection, item.id))

        return await desk.write(end)

    @router.post("/items/{item_id}/assign")
    async def assign(request: Request, item_id: str) -> dict[str, Any]:
        person = await desk.person(request)
        body = await desk.body(request, bodies.Assignment)

        def give(connection: Connection) -> dict[str, Any]:
            item = _item_for(connection, item_id, person.id)
            assigning.assign(connection, item, check_id(body.user_id), person.id, desk.now)
            return items.history(connection, items.get_item(connection, item.id))

        return await desk.write(give)


def _add_tasks(router: APIRouter, desk: Desk) -> None:
    @router.post("/projects/{project_id}/tasks/next")
    async def next_task(request: Request, project_id: str) -> dict[str, Any]:
        person = await desk.person(request)
        check_id(project_id)
        body = await desk.body(request, bodies.Next)

        def claim(connection: Connection) -> views.TaskView | str:
            member = permissions.require(connection, person.id, project_id, "work")
            project = projects.get_project(connection, project_id)
            claimed = tasks.claim(connection, project, member, body.kinds, desk.now, desk.tools.rng)
            if claimed.task_id is None:
                return claimed.reason
            return views.view_task(connection, tasks.get_task(connection, claimed.task_id, person.id))

        found = await desk.write(claim)
        if isinstance(found, str):
            return {"task": None, "reason": found}
        desk.prepare(found.language)
        return {"task": await desk.show(found, person)}

    @router.get("/projects/{project_id}/answers")
    async def list_answers(request: Request, project_id: str) -> dict[str, Any]:
        person = await desk.person(request)
        check_id(project_id)
        offset = read_number(request.query_params, "offset", 0, most=100_000_000)
        limit = read_number(request.query_params, "limit", LISTED, least=1, most=answers.MAX_LISTED)

        def find(connection: Connection) -> dict[str, Any]:
            project = _project_for(connection, project_id, person.id, "work")
            return answers.list_own(connection, project, person.id, offset=offset, limit=limit)

        return await desk.read(find)

    @router.get("/tasks/{task_id}")
    async def get_task(request: Request, task_id: str) -> dict[str, Any]:
        person = await desk.person(request)

        def find(connection: Connection) -> views.TaskView:
            return views.view_task(connection, tasks.get_task(connection, check_id(task_id), person.id))

        return await desk.show(await desk.read(find), person)

    @router.put("/tasks/{task_id}/draft")
    async def save_draft(request: Request, task_id: str) -> dict[str, Any]:
        person = await desk.person(request)
        body = await desk.body(request, bodies.DraftBody)

        def save(connection: Connection) -> dict[str, Any]:
            slots.expire(connection, desk.now)
            task = tasks.get_task(connection, check_id(task_id), person.id)
            project = projects.get_project(connection, task.project_id)
            saved = tasks.save_draft(connection, task, project, body.version, body.draft, desk.now)
            return {"version": saved.version, "held_until": saved.held_until if saved.state == "held" else None}

        return await desk.write(save)

    @router.post("/tasks/{task_id}/extend")
    async def extend(request: Request, task_id: str) -> dict[str, Any]:
        person = await desk.person(request)

        def hold(connection: Connection) -> dict[str, Any]:
            slots.expire(connection, desk.now)
            task = tasks.get_task(connection, check_id(task_id), person.id)
            project = projects.get_project(connection, task.project_id)
            if task.state in ("done", "dropped"):
                raise tasks.conflict(task, "the task is done already")
            if tasks.holds_another(connection, task):
                message = "you have taken another sentence by now: finish it first, or give it back"
                raise Refusal(410, message, facts={"draft": tasks.load_draft(task)})
            if not tasks.keep_hold(connection, task, project, desk.now):
                raise Refusal(410, "somebody else has the sentence by now", facts={"draft": tasks.load_draft(task)})
            return {"held_until": tasks.get_task(connection, task.id, person.id).held_until}

        return await desk.write(hold)

    @router.post("/tasks/{task_id}/release")
    async def release(request: Request, task_id: str) -> dict[str, Any]:
        person = await desk.person(request)

        def let_go(connection: Connection) -> dict[str, Any]:
            tasks.release(connection, tasks.get_task(connection, check_id(task_id), person.id), desk.now)
            return {}

        return await desk.write(let_go)

    @router.post("/tasks/{task_id}/take-back")
    async def take_back(request: Request, task_id: str) -> dict[str, Any]:
        person = await desk.person(request)

        def take(connection: Connection) -> views.TaskView:
            task = answers.take_back(connection, check_id(task_id), person.id, desk.now)
            return views.view_task(connection, task)

        return await desk.show(await desk.write(take), person)

    @router.post("/tasks/{task_id}/submit")
    async def submit(request: Request, task_id: str) -> Response:
        person = await desk.person(request)
        check_id(task_id)
        given = (await desk.body(request, bodies.SubmissionBody)).read()
        outcome = await desk.write(submissions.submit, task_id, person.id, given, desk.now)
        return JSONResponse(outcome.reply, 410 if outcome.is_lost else 200)


def _add_texts(router: APIRouter, desk: Desk) -> None:
    @router.get("/guidelines")
    async def get_template(request: Request) -> dict[str, str]:
        await desk.person(request)
        query = request.query_params
        kind = read_choice(query, "kind", guidelines.KINDS)
        return {"text": guidelines.template(kind, read_choice(query, "language", guidelines.LANGUAGES))}

    @router.post("/edits")
    async def find_edits(request: Request) -> dict[str, Any]:
        person = await desk.person(request)
        body = await desk.body(request, bodies.EditsBody)
        source = texts.clean_line(body.source, "the source", texts.MAX_SOURCE)
        # An answer that is being written may be empty for a while.
        target = texts.clean_answer(body.target, source) if body.target.strip() else ""
        about = partial(_edits_of, project_id=check_id(body.project_id), item_id=body.item_id, user_id=person.id)
        language, is_tokenised = await desk.read(about)
        messages = person.language or "auto"
        found = await desk.find_edits(language, source, target, is_tokenised=is_tokenised, messages=messages)
        return {"edits": found}

    @router.post("/tasks/{task_id}/suggest")
    async def suggest(request: Request, task_id: str) -> dict[str, Any]:
        person = await desk.person(request)
        task, item, language = await desk.read(suggestions.find_asked, check_id(task_id), person.id)
        threads = desk.tools.lanes.choose(item.source.encode())
        target = await suggestions.suggest(desk.tools.service, item, language, threads)
        await desk.write(suggestions.note, task, target, desk.now)
        messages = person.language or "auto"
        found = await desk.find_edits(language, item.source, target, is_tokenised=item.is_tokenised, messages=messages)
        return {"target": target, "edits": found}


def _project_for(connection: Connection, project_id: str, user_id: str, action: str) -> projects.Project:
    """The project, if this person may do that with it."""
    permissions.require(connection, user_id, project_id, action)
    return projects.get_project(connection, project_id)


def _view_project(connection: Connection, project_id: str, user_id: str) -> dict[str, Any]:
    member = permissions.require(connection, user_id, project_id, "see")
    return views.view_project(connection, projects.get_project(connection, project_id), member)


def _item_for(connection: Connection, item_id: str, user_id: str) -> items.Item:
    """The item, if this person may see the items of its project; else nobody says whether it is there."""
    item = items.get_item(connection, check_id(item_id))
    member = members.find_member(connection, item.project_id, user_id)
    if member is None or member.state == members.REMOVED:
        raise items.no_item()
    permissions.require(connection, user_id, item.project_id, "items")
    return item


def _edits_of(connection: Connection, project_id: str, item_id: str | None, user_id: str) -> tuple[str, bool]:
    """The language of a project, and whether a source of it is tokenised."""
    project = _project_for(connection, project_id, user_id, "see")
    if item_id is None:
        return project.language, False
    item = items.get_item(connection, check_id(item_id))
    if item.project_id != project.id:
        raise items.no_item()
    return project.language, item.is_tokenised
