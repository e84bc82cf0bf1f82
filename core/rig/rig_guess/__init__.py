"""Guesses which bone of an unknown armature has which role, from names, hierarchy and geometry."""

from .guess import RigGuess, guess_map
from .rig_tree import RigTree

__all__ = ["RigGuess", "RigTree", "guess_map"]
