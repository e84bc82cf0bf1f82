"""Losses over windows, training stages and learning-rate schedules."""
