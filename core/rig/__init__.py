"""Rig maps: which bone plays which role, from files, presets and guesses."""
