"""The workbench: projects, who works in them, what there is to do, and what people did.

`submissions`, `answers`, `verdicts` and `events` are only ever added to; what they mean together (`golden`, states) is
kept beside them for quick reading. Columns `settings`, `origin`, `draft`, `reply` and `facts` are JSON.
A row of `tasks` is one person's. Slots that nobody has are counted in `items.n_free`; `items.lot` is a random number to
draw by.
"""

STATEMENTS = (
    """CREATE TABLE projects (
        id VARCHAR(26) PRIMARY KEY,
        name VARCHAR(200) NOT NULL,
        kind VARCHAR(20) NOT NULL,
        language VARCHAR(10) NOT NULL,
        state VARCHAR(20) NOT NULL,
        guidelines TEXT NOT NULL,
        settings TEXT NOT NULL,
        version INTEGER NOT NULL,
        made_by VARCHAR(26) NOT NULL REFERENCES users (id),
        made_at DOUBLE PRECISION NOT NULL
    )""",
    """CREATE TABLE members (
        project_id VARCHAR(26) NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        user_id VARCHAR(26) NOT NULL REFERENCES users (id),
        role VARCHAR(20) NOT NULL,
        state VARCHAR(20) NOT NULL,
        attempt INTEGER NOT NULL DEFAULT 1,
        joined_at DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (project_id, user_id)
    )""",
    "CREATE INDEX members_of_user ON members (user_id)",
    """CREATE TABLE passages (
        id VARCHAR(26) PRIMARY KEY,
        project_id VARCHAR(26) NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        label TEXT NOT NULL
    )""",
    "CREATE INDEX passages_of_project ON passages (project_id, position)",
    """CREATE TABLE items (
        id VARCHAR(26) PRIMARY KEY,
        project_id VARCHAR(26) NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        passage_id VARCHAR(26) REFERENCES passages (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        purpose VARCHAR(20) NOT NULL,
        source TEXT NOT NULL,
        origin TEXT NOT NULL,
        n_wanted INTEGER NOT NULL,
        n_free INTEGER NOT NULL DEFAULT 0,
        lot DOUBLE PRECISION NOT NULL DEFAULT 0,
        state VARCHAR(20) NOT NULL,
        outcome VARCHAR(20) NOT NULL DEFAULT '',
        version INTEGER NOT NULL
    )""",
    "CREATE INDEX items_of_project ON items (project_id, purpose, position)",
    "CREATE INDEX items_to_draw ON items (project_id, purpose, state, n_free, lot)",
    "CREATE INDEX items_of_passage ON items (passage_id, position)",
    """CREATE TABLE tasks (
        id VARCHAR(26) PRIMARY KEY,
        project_id VARCHAR(26) NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        item_id VARCHAR(26) NOT NULL REFERENCES items (id) ON DELETE CASCADE,
        kind VARCHAR(20) NOT NULL,
        about VARCHAR(26) NOT NULL DEFAULT '',
        user_id VARCHAR(26) REFERENCES users (id),
        state VARCHAR(20) NOT NULL,
        held_until DOUBLE PRECISION,
        draft TEXT NOT NULL DEFAULT '',
        version INTEGER NOT NULL,
        made_at DOUBLE PRECISION NOT NULL,
        begun_at DOUBLE PRECISION,
        done_at DOUBLE PRECISION,
        UNIQUE (item_id, kind, about, user_id)
    )""",
    "CREATE INDEX tasks_of_user ON tasks (user_id, project_id, state, kind)",
    "CREATE INDEX tasks_of_user_and_item ON tasks (user_id, kind, item_id)",
    "CREATE INDEX tasks_held ON tasks (state, held_until)",
    """CREATE TABLE submissions (
        id VARCHAR(26) PRIMARY KEY,
        task_id VARCHAR(26) NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
        item_id VARCHAR(26) NOT NULL REFERENCES items (id) ON DELETE CASCADE,
        user_id VARCHAR(26) NOT NULL REFERENCES users (id),
        version INTEGER NOT NULL,
        request_key VARCHAR(64) NOT NULL,
        status VARCHAR(20) NOT NULL,
        comment TEXT NOT NULL,
        seconds DOUBLE PRECISION NOT NULL,
        is_suggested SMALLINT NOT NULL,
        reply TEXT NOT NULL DEFAULT '{}',
        made_at DOUBLE PRECISION NOT NULL,
        UNIQUE (task_id, version),
        UNIQUE (user_id, request_key)
    )""",
    "CREATE INDEX submissions_of_item ON submissions (item_id)",
    """CREATE TABLE answers (
        id VARCHAR(26) PRIMARY KEY,
        submission_id VARCHAR(26) NOT NULL REFERENCES submissions (id) ON DELETE CASCADE,
        item_id VARCHAR(26) NOT NULL REFERENCES items (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        target TEXT NOT NULL,
        UNIQUE (submission_id, position)
    )""",
    "CREATE INDEX answers_of_item ON answers (item_id)",
    """CREATE TABLE verdicts (
        id VARCHAR(26) PRIMARY KEY,
        item_id VARCHAR(26) NOT NULL REFERENCES items (id) ON DELETE CASCADE,
        task_id VARCHAR(26) REFERENCES tasks (id) ON DELETE CASCADE,
        user_id VARCHAR(26) REFERENCES users (id),
        target TEXT NOT NULL,
        is_accepted SMALLINT NOT NULL,
        is_added SMALLINT NOT NULL,
        comment TEXT NOT NULL,
        made_at DOUBLE PRECISION NOT NULL
    )""",
    "CREATE INDEX verdicts_of_item ON verdicts (item_id)",
    """CREATE TABLE golden (
        id VARCHAR(26) PRIMARY KEY,
        item_id VARCHAR(26) NOT NULL REFERENCES items (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        target TEXT NOT NULL,
        origin TEXT NOT NULL,
        UNIQUE (item_id, position)
    )""",
    """CREATE TABLE complaints (
        id VARCHAR(26) PRIMARY KEY,
        item_id VARCHAR(26) NOT NULL REFERENCES items (id) ON DELETE CASCADE,
        task_id VARCHAR(26) NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
        user_id VARCHAR(26) NOT NULL REFERENCES users (id),
        target TEXT NOT NULL,
        reason TEXT NOT NULL,
        state VARCHAR(20) NOT NULL,
        decided_by VARCHAR(26) REFERENCES users (id),
        decision TEXT NOT NULL DEFAULT '',
        made_at DOUBLE PRECISION NOT NULL,
        decided_at DOUBLE PRECISION
    )""",
    "CREATE INDEX complaints_of_item ON complaints (item_id)",
    "CREATE INDEX complaints_in_state ON complaints (state)",
    """CREATE TABLE events (
        id VARCHAR(26) PRIMARY KEY,
        project_id VARCHAR(26) NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        item_id VARCHAR(26),
        user_id VARCHAR(26),
        kind VARCHAR(40) NOT NULL,
        facts TEXT NOT NULL,
        made_at DOUBLE PRECISION NOT NULL
    )""",
    "CREATE UNIQUE INDEX events_of_project ON events (project_id, number)",
    "CREATE INDEX events_of_item ON events (item_id)",
)
