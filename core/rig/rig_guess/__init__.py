"""Which bone of an unknown armature plays which role: guessed from names, hierarchy and geometry."""

from .guess import Guess, guess_map
from .rig_tree import RigTree

__all__ = ["Guess", "RigTree", "guess_map"]
