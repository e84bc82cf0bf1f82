"""Driving: a character is steered live in the viewport, and what was driven becomes its path."""
