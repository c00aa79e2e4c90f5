"""Judges: metrics that are networks. They need no references; most are trained.

A judge's folder is like a corrector's: `errata train` writes it, `errata export` and `errata package` take it, and
`errata models` lists it. `METRICS` names the metric around it.
"""
