"""The sections of a report page, one file for each command whose JSON they show."""
