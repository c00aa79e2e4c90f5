"""Accounts: who people are, their sessions, and links that invite them.

Ids are `errata.web.ids`, times are seconds since 1970, flags are 0 or 1. Of tokens only digests are kept.
"""

STATEMENTS = (
    """CREATE TABLE users (
        id VARCHAR(26) PRIMARY KEY,
        name VARCHAR(100) NOT NULL,
        folded_name VARCHAR(200) NOT NULL UNIQUE,
        password VARCHAR(300) NOT NULL,
        is_owner SMALLINT NOT NULL DEFAULT 0,
        language VARCHAR(10) NOT NULL DEFAULT '',
        made_at DOUBLE PRECISION NOT NULL,
        closed_at DOUBLE PRECISION
    )""",
    """CREATE TABLE sessions (
        digest VARCHAR(64) PRIMARY KEY,
        user_id VARCHAR(26) NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        csrf VARCHAR(64) NOT NULL,
        made_at DOUBLE PRECISION NOT NULL,
        seen_at DOUBLE PRECISION NOT NULL,
        expires_at DOUBLE PRECISION NOT NULL
    )""",
    "CREATE INDEX sessions_of_user ON sessions (user_id)",
    """CREATE TABLE invitations (
        id VARCHAR(26) PRIMARY KEY,
        digest VARCHAR(64) NOT NULL UNIQUE,
        project_id VARCHAR(26) NOT NULL,
        role VARCHAR(20) NOT NULL,
        made_by VARCHAR(26) NOT NULL REFERENCES users (id),
        made_at DOUBLE PRECISION NOT NULL,
        expires_at DOUBLE PRECISION NOT NULL,
        n_uses INTEGER NOT NULL,
        n_left INTEGER NOT NULL,
        revoked_at DOUBLE PRECISION
    )""",
    "CREATE INDEX invitations_of_project ON invitations (project_id)",
    """CREATE TABLE failed_logins (
        id VARCHAR(26) PRIMARY KEY,
        subject VARCHAR(200) NOT NULL,
        made_at DOUBLE PRECISION NOT NULL
    )""",
    "CREATE INDEX failed_logins_of_subject ON failed_logins (subject, made_at)",
    "CREATE INDEX failed_logins_by_time ON failed_logins (made_at)",
)
