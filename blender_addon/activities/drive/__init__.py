"""Driving: a character is steered live in the viewport, and the drive becomes its path."""
