"""Procedural motion with exactly known contacts, strikes and phase, since it is derived from its footfalls."""

from .scenes import Scene, dropped, scene, scenes

__all__ = ["Scene", "dropped", "scene", "scenes"]
