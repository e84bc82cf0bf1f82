"""Parametric furniture, boxes and doors to train interactions with."""
