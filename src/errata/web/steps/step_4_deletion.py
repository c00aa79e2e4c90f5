"""Indexes that find what refers to a deleted row; without them, the database reads a whole table for each row."""

STATEMENTS = (
    "CREATE INDEX verdicts_of_task ON verdicts (task_id)",
    "CREATE INDEX complaints_of_task ON complaints (task_id)",
)
