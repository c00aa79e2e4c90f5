"""The systems that correct: one folder each, and what they share."""
