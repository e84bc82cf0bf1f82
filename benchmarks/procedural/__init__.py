"""Procedural motion with exactly known contacts, strikes and phase, because its feet are placed by them."""

from .scenes import Scene, dropped, scene, scenes

__all__ = ["Scene", "dropped", "scene", "scenes"]
