"""IMPARA: a judge without references, learnt from parallel data by the impact of edits."""
