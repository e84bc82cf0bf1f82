"""Losses, stages and learning-rate schedules."""
