"""Pretraining an encoder of our own: a masked language model, whose folder recipes can name as a backbone.

It corrects nothing by itself, so it is a task to train (`training.task.TASKS`) and not among `systems.base.SYSTEMS`.
"""
