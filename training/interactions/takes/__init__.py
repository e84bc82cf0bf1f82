"""Generators of takes, one module per action."""
