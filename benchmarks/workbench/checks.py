"""What must hold in the database after people worked, whatever happened to the server meanwhile."""

from __future__ import annotations

from collections import Counter

from benchmarks.workbench.crowd import Tally
from sqlalchemy import text

from errata.web.database import open_database, reading


def find_faults(database: str, tally: Tally) -> list[str]:
    """One line for everything that was lost, doubled or given twice; none if all is well."""
    engine = open_database(database)
    with reading(engine) as connection:
        rows = connection.execute(text("SELECT request_key, task_id, item_id, user_id FROM submissions")).all()
        tasks = connection.execute(text("SELECT item_id, kind, user_id, state FROM tasks")).all()
        wanted = {row.id: row.n_wanted for row in connection.execute(text("SELECT id, n_wanted FROM items"))}
    engine.dispose()
    faults = []
    keys = Counter(row.request_key for row in rows)
    if lost := set(tally.acknowledged) - set(keys):
        faults.append(f"{len(lost)} submissions were acknowledged and are not there")
    if doubled := [key for key, n in keys.items() if n > 1]:
        faults.append(f"{len(doubled)} submissions are there twice")
    stored = {row.request_key: (row.task_id, row.item_id) for row in rows}
    if moved := [key for key, place in tally.acknowledged.items() if stored.get(key, place) != place]:
        faults.append(f"{len(moved)} submissions are of another task")
    annotated = [row for row in tasks if row.kind == "annotate" and row.state in ("held", "done")]
    if crowded := [item for item, n in Counter(row.item_id for row in annotated).items() if n > wanted[item]]:
        faults.append(f"{len(crowded)} sentences were given to more people than wanted")
    people = Counter((row.item_id, row.user_id) for row in annotated)
    if twice := [pair for pair, n in people.items() if n > 1]:
        faults.append(f"{len(twice)} sentences were given to somebody twice")
    reviewed = {(row.item_id, row.user_id) for row in tasks if row.kind == "review"}
    if own := reviewed & set(people):
        faults.append(f"{len(own)} sentences were reviewed by one of their annotators")
    return faults
