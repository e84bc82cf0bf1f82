"""Rig maps: the bones of an armature by role, from files, presets and guesses."""
