"""Rig maps: which bone of an armature has which role, from files, presets and guesses."""
