"""Which bone of an unknown armature plays which role: guessed from names, hierarchy and geometry."""

from .guess import RigGuess, guess_map
from .rig_tree import RigTree

__all__ = ["RigGuess", "RigTree", "guess_map"]
