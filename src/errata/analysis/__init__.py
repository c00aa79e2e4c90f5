"""What is in a corpus, and how that changes scores: statistics, error density, the impact of edits, report pages."""
