"""Choosing a model's presets on development sets, and fitting what its confidences mean."""
