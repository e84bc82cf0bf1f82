"""Procedural motion with exactly known contacts, strikes and phase, since its feet are placed from them."""

from .scenes import Scene, dropped, scene, scenes

__all__ = ["Scene", "dropped", "scene", "scenes"]
