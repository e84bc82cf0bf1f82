"""Guesses of the roles of an unknown armature's bones, from names, hierarchy and geometry."""

from .guess import RigGuess, guess_map
from .rig_tree import RigTree

__all__ = ["RigGuess", "RigTree", "guess_map"]
