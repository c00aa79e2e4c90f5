"""What the owner of a project takes away: its sentences in the file formats of the field, and its whole history."""
