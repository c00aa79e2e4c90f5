"""Users' words."""

STATEMENTS = (
    """CREATE TABLE words (
        username VARCHAR(200) NOT NULL,
        dictionary VARCHAR(200) NOT NULL,
        word VARCHAR(200) NOT NULL,
        added_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
        PRIMARY KEY (username, dictionary, word)
    )""",
)
