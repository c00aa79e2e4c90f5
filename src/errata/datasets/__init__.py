"""Public test sets by name: what they are, and where their files lie. Nothing of the data comes with errata."""
