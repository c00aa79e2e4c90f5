"""Training: settings, packed data, the loop, checkpoints and export.

This package needs torch, transformers, tokenizers, numpy and PyYAML only, so it runs where nothing else is installed.
"""
