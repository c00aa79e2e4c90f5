"""Variants of annotated sentences in which words that have nothing to do with the errors are changed, after RobustGEC.

`Perturber` draws candidates (`drawing`), which a proposer fills with words (`proposers`), and keeps those that pass the
checks (`checks`). `stream` does it for corpora of any length.
"""
