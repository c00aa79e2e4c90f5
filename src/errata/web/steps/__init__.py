"""The shapes of the database, one step a file; a step that was released never changes."""
