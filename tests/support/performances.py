"""Performances of procedural motion."""

from footfall.core.control.performance import Performance
from footfall.core.control.walk.finished_walk import Walk
from footfall.core.control.walk.walk_performance import walk_performance
from footfall.core.motion import Clip
from footfall.core.motion.contacts import FootContacts
from footfall.core.motion.rotations import Array


def performance(clip: Clip, contacts: FootContacts, phase: Array, gaits: Array) -> Performance:
    """Return a clip with labels as a walk would have them, on level ground."""
    names = ("stand", "walk", "run")[: gaits.shape[1]]
    return walk_performance(Walk(clip, contacts, phase, gaits), names, 0.0)
